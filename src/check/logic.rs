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
        (Ask::Done(a), Ask::Done(b)) if a == b => {
            return Some(implies("both ask for the same action"));
        }
        (Ask::Never(a), Ask::Never(b)) if a == b => return Some(implies(SAME)),
        _ => {}
    }
    let (one, two) = (at_end(&first.ask)?, at_end(&second.ask)?);
    let pairs = |b| one.iter().filter_map(move |a| facts(scene, profile, a, b));
    let mut follows = Vec::new();
    for fact in &two {
        for tie in pairs(fact) {
            match tie {
                Tie::Excludes(why) => return Some(Tie::Excludes(why)),
                Tie::Implies(why) => follows.push((fact, why)),
            }
        }
    }
    // What holds at the end says nothing about what came before.
    let is_end = !matches!(second.ask, Ask::Never(_));
    let all = two
        .iter()
        .all(|fact| follows.iter().any(|(f, _)| *f == fact));
    let why = follows.into_iter().next().map(|(_, why)| why);
    why.filter(|_| is_end && all).map(Tie::Implies)
}

const SAME: &str = "the one is the other";

/// The facts that hold at the end where the goal holds, if it is about facts that can be told one by one.
fn at_end(ask: &Ask) -> Option<Vec<Fact>> {
    match ask {
        Ask::Fact(fact) => Some(vec![fact.clone()]),
        Ask::All(facts) => Some(facts.clone()),
        Ask::Formula(bound) => bound.conjunction().map(<[Fact]>::to_vec),
        Ask::Never(all) => match all.as_slice() {
            [one] => Some(vec![Fact {
                negated: !one.negated,
                body: one.body.clone(),
            }]),
            _ => None,
        },
        Ask::Done(_) => None,
    }
}

fn facts(scene: &Scene, profile: Profile, a: &Fact, b: &Fact) -> Option<Tie> {
    match (a.negated, b.negated) {
        (false, false) if within(&a.body, &b.body) => Some(implies(SAME)),
        (true, true) if within(&b.body, &a.body) => Some(implies(SAME)),
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
