//! What one goal says about another, by their facts alone: opposites, negations, more and fewer nodes.
//!
//! Nothing here is guessed: a relation is told only where it holds in every state the world can come to.

use crate::plan::fact::{Body, Fact};
use crate::plan::goal::{Ask, Goal};
use crate::sim::scene::Scene;
use crate::sim::vocab::{Ix, Profile, Rel};

/// What two goals are to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tie {
    /// They cannot hold together; why, in words.
    Excludes(String),
    /// Where the first holds, the second does; why, in words.
    Implies(String),
}

/// What the first goal says about the second, if anything.
pub fn tie(scene: &Scene, profile: Profile, first: &Goal, second: &Goal) -> Option<Tie> {
    match (&first.ask, &second.ask) {
        (Ask::Fact(a), Ask::Fact(b)) => facts(scene, profile, a, b),
        (Ask::Never(all), Ask::Fact(b)) => facts(scene, profile, &denied(all)?, b),
        (Ask::Fact(a), Ask::Never(all)) => match facts(scene, profile, a, &denied(all)?)? {
            // What holds at the end says nothing about what came before.
            Tie::Implies(_) => None,
            excludes @ Tie::Excludes(_) => Some(excludes),
        },
        (Ask::Never(a), Ask::Never(b)) if a == b => Some(implies("the one is the other")),
        (Ask::Done(a), Ask::Done(b)) if a == b => {
            Some(Tie::Implies("both ask for the same action".to_owned()))
        }
        _ => None,
    }
}

/// What never holds does not hold at the end.
fn denied(all: &[Fact]) -> Option<Fact> {
    match all {
        [one] => Some(Fact {
            negated: !one.negated,
            body: one.body.clone(),
        }),
        _ => None,
    }
}

fn facts(scene: &Scene, profile: Profile, a: &Fact, b: &Fact) -> Option<Tie> {
    match (a.negated, b.negated) {
        (false, false) if within(&a.body, &b.body) => Some(implies("the one is the other")),
        (true, true) if within(&b.body, &a.body) => Some(implies("the one is the other")),
        (false, true) if within(&a.body, &b.body) => {
            Some(Tie::Excludes("the one is the other's negation".to_owned()))
        }
        (true, false) if within(&b.body, &a.body) => {
            Some(Tie::Excludes("the one is the other's negation".to_owned()))
        }
        (false, false) => apart(scene, profile, &a.body, &b.body).map(Tie::Excludes),
        (false, true) => {
            let why = apart(scene, profile, &a.body, &b.body)?;
            // The second denies every node it names: the exclusion must hold for each of them.
            Some(Tie::Implies(why))
        }
        _ => None,
    }
}

fn implies(why: &str) -> Tie {
    Tie::Implies(why.to_owned())
}

/// Whether every way to make the first true makes the second true.
fn within(first: &Body, second: &Body) -> bool {
    match (first, second) {
        (Body::State(some, state), Body::State(all, other)) => state == other && subset(some, all),
        (Body::Edge(..), Body::Edge(..)) => match (edge(first), edge(second)) {
            (Some(one), Some(two)) => {
                one.rel == two.rel && subset(one.from, two.from) && subset(one.to, two.to)
            }
            _ => false,
        },
        (Body::Tracked(one, from, to), Body::Tracked(two, all, onto)) => {
            one == two && subset(from, all) && subset(to, onto)
        }
        _ => false,
    }
}

/// Why no state has both, whichever of the named nodes are meant.
fn apart(scene: &Scene, profile: Profile, first: &Body, second: &Body) -> Option<String> {
    if let (Body::State(one, state), Body::State(two, other)) = (first, second) {
        let dialect = scene.dialect();
        let thing = same_one(one, two)?;
        return (dialect.opposite(*state) == Some(*other)).then(|| {
            format!(
                "{} cannot be {} and {}",
                scene.short_name(thing),
                dialect.state_name(*state),
                dialect.state_name(*other)
            )
        });
    }
    let (one, two) = (edge(first)?, edge(second)?);
    if let Some(why) = held_apart(scene, one, two) {
        return Some(why);
    }
    let thing = same_one(one.from, two.from)?;
    let elsewhere = one.rel != two.rel || one.to.iter().all(|ix| !two.to.contains(ix));
    let lies = one.is_place(scene) && two.is_place(scene);
    (is_exact(profile) && lies && elsewhere)
        .then(|| format!("{} lies in one place only", scene.short_name(thing)))
}

/// A relation between named nodes.
#[derive(Clone, Copy)]
struct EdgeOf<'f> {
    from: &'f [Ix],
    rel: Rel,
    to: &'f [Ix],
}

fn edge(body: &Body) -> Option<EdgeOf<'_>> {
    match body {
        Body::Edge(from, rel, to) => Some(EdgeOf {
            from,
            rel: *rel,
            to,
        }),
        _ => None,
    }
}

impl EdgeOf<'_> {
    /// Whether it says where a thing lies, rooms aside: in a room a thing is wherever it lies.
    fn is_place(self, scene: &Scene) -> bool {
        let rules = scene.dialect().rules;
        (self.rel == rules.on || self.rel == rules.inside)
            && self.to.iter().all(|&ix| !scene.node(ix).is_room())
    }

    fn is_hand(self, scene: &Scene) -> bool {
        scene.dialect().rules.hands.contains(&self.rel)
    }
}

/// A thing in a hand is in no other hand and nowhere else.
fn held_apart(scene: &Scene, one: EdgeOf<'_>, two: EdgeOf<'_>) -> Option<String> {
    let (thing, but) = match (one.is_hand(scene), two.is_hand(scene)) {
        (true, true) if one.rel != two.rel => (same_one(one.to, two.to)?, "be in both hands"),
        (true, false) if two.is_place(scene) => (same_one(one.to, two.from)?, HELD),
        (false, true) if one.is_place(scene) => (same_one(one.from, two.to)?, HELD),
        _ => return None,
    };
    Some(format!("{} cannot {but}", scene.short_name(thing)))
}

const HELD: &str = "be held and lie somewhere";

/// Whether a thing has one place in every state of the world. The published simulator lets things keep an old one.
fn is_exact(profile: Profile) -> bool {
    profile.id() == "strict"
}

/// The one node both lists are about.
fn same_one(one: &[Ix], two: &[Ix]) -> Option<Ix> {
    match (one, two) {
        ([one], [two]) if one == two => Some(*one),
        _ => None,
    }
}

fn subset(some: &[Ix], all: &[Ix]) -> bool {
    some.iter().all(|ix| all.contains(ix))
}
