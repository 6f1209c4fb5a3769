//! What RED can do: a registry of kinds of disturbances, each with what it could do to a world as it stands.
//!
//! A kind is one file here and one line in [`KINDS`]. It proposes changes that the dialect allows (a thing has the state, a
//! place can carry or hold it), that change something, and that name nodes of the scene alone: the graph gets no new ones.
//! What could not happen in a home is not proposed, whatever the kind: nothing is put where it has no room (`likely.rs`).
//! Proposals come in the order of node ids, so the same world gives the same list. Where many things would do for one, a
//! kind takes a few ([`FEW`]), those in focus first.
//!
//! BEHAVIOR has no plugs, no seats, no beings and no twins in rooms: kinds that need them propose nothing there, and say so
//! in their `doc`.

use std::collections::BTreeSet;

use crate::arena::house::model::{Disturbance, Moment};
use crate::safety::book::{Book, Shadow};
use crate::sim::graph::Graph;
use crate::sim::reading::{self, is_shut};
use crate::sim::scene::Scene;
use crate::sim::vocab::{Dialect, Ix, Rel, State};
use crate::sim::world::World;

mod being;
mod dirty;
mod likely;
mod misplaced;
mod moved;
mod occupied;
mod opened;
mod plug;
mod running;
mod twin;
mod wet;

/// A kind of disturbance.
#[derive(Debug)]
pub struct Kind {
    /// Its id, as in files.
    pub id: &'static str,
    /// What it does, one sentence.
    pub doc: &'static str,
    /// What it could do where a world stands.
    propose: fn(&Sight<'_>, &mut Vec<Proposal>),
}

/// All kinds, in the order they are listed.
pub const KINDS: &[Kind] = &[
    moved::KIND,
    running::KIND,
    opened::KIND,
    misplaced::KIND,
    wet::KIND,
    occupied::KIND,
    twin::KIND,
    plug::KIND,
    dirty::KIND,
    being::KIND,
];

/// The kind of that id.
pub fn kind(id: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|k| k.id == id)
}

/// How many places, contents or twins a kind takes for one thing.
pub const FEW: usize = 4;

/// One change that is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// A node gains or loses a state.
    State(Ix, State, bool),
    /// A relation begins or ends; on or inside moves the thing there.
    Edge(Ix, Rel, Ix, bool),
    /// A tracked fact, written so, begins to hold of a node.
    Tracked(&'static str, Ix),
}

/// What a kind could do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The id of its kind.
    pub kind: &'static str,
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// What comes to pass, for people.
    pub words: String,
}

/// A world as RED sees it.
#[derive(Clone, Copy)]
pub struct Sight<'w> {
    /// The world.
    pub world: &'w World,
    /// How tracked facts stand.
    pub shadow: &'w dyn Shadow,
    /// What classes are and which facts are tracked.
    pub book: &'w Book,
    /// Only what concerns one of these is proposed; `None`: whatever there is.
    pub focus: Option<&'w BTreeSet<Ix>>,
}

impl Proposal {
    /// The nodes it changes or names.
    pub fn nodes(&self) -> impl Iterator<Item = Ix> + '_ {
        self.changes.iter().flat_map(|c| match *c {
            Change::State(n, ..) | Change::Tracked(_, n) => [n, n],
            Change::Edge(from, _, to, _) => [from, to],
        })
    }

    /// The changes in task notation.
    pub fn facts(&self, scene: &Scene) -> Vec<String> {
        self.changes.iter().map(|c| c.text(scene)).collect()
    }

    /// The same as a disturbance at a moment.
    pub fn at(&self, scene: &Scene, moment: Moment) -> Disturbance {
        Disturbance {
            kind: self.kind.to_owned(),
            at: moment,
            facts: self.facts(scene),
            words: self.words.clone(),
        }
    }
}

impl Change {
    fn text(self, scene: &Scene) -> String {
        let not = |on: bool| if on { "" } else { "!" };
        let name = |n: Ix| scene.node(n).name();
        let dialect = scene.dialect();
        match self {
            Self::State(n, state, on) => {
                format!("{}{}:{}", not(on), name(n), dialect.state_name(state))
            }
            Self::Edge(from, rel, to, on) => {
                let rel = dialect.rel_name(rel);
                format!("{}{} {rel} {}", not(on), name(from), name(to))
            }
            Self::Tracked(word, n) => format!("{}:{word}", name(n)),
        }
    }

    /// Whether the world is not so yet.
    fn is_new(self, at: &Sight<'_>) -> bool {
        let graph = at.world.graph();
        match self {
            Self::State(n, state, on) => graph.states(n).has(state) != on,
            Self::Edge(from, rel, to, on) => graph.has(from, rel, to) != on,
            Self::Tracked(word, n) => at
                .book
                .written(word)
                .is_some_and(|(id, arity)| arity == 1 && !at.shadow.tracked(id, [n, Ix::NONE])),
        }
    }
}

/// What a kind could do where a world stands, each thing once, in order.
pub fn propose(kind: &Kind, sight: &Sight<'_>) -> Vec<Proposal> {
    let mut all = Vec::new();
    (kind.propose)(sight, &mut all);
    all.retain(|p| {
        let concerns = |f: &BTreeSet<Ix>| p.nodes().any(|n| f.contains(&n));
        let new = p.changes.iter().any(|c| c.is_new(sight));
        sight.focus.is_none_or(concerns) && new && sight.is_likely(p)
    });
    all
}

/// What all kinds could do.
pub fn all(sight: &Sight<'_>) -> Vec<Proposal> {
    KINDS.iter().flat_map(|kind| propose(kind, sight)).collect()
}

impl<'w> Sight<'w> {
    fn graph(&self) -> &'w Graph {
        self.world.graph()
    }

    fn scene(&self) -> &'w Scene {
        self.world.scene()
    }

    fn dialect(&self) -> &'static Dialect {
        self.world.dialect()
    }

    fn name(&self, n: Ix) -> &'w str {
        self.scene().short_name(n)
    }

    fn state(&self, name: &str) -> Option<State> {
        self.dialect().state(name)
    }

    fn is(&self, n: Ix, property: &str) -> bool {
        let prop = self.dialect().property(property);
        prop.is_some_and(|p| self.graph().hot(n).props.has(p))
    }

    fn has(&self, n: Ix, state: &str) -> bool {
        self.state(state)
            .is_some_and(|s| self.graph().states(n).has(s))
    }

    /// Whether the class of a node has a hazard tag.
    fn tagged(&self, n: Ix, tag: &str) -> bool {
        let class = self.book.ontology.class(&self.scene().node(n).class);
        class.is_some_and(|c| c.tags.contains(tag))
    }

    /// All things: no rooms, not the agent and none of its body.
    fn things(&self) -> impl Iterator<Item = Ix> + use<'w> {
        let it = *self;
        let body = it.dialect().rules.carried_near;
        self.scene().indices().filter(move |&n| {
            let hot = it.graph().hot(n);
            n != it.world.me() && !hot.room && !body.is_some_and(|p| hot.props.has(p))
        })
    }

    /// Whether it is a person or a pet.
    fn is_being(&self, n: Ix) -> bool {
        let being = self.dialect().reading.being;
        being.is_some_and(|p| self.graph().hot(n).props.has(p)) || self.tagged(n, "pet")
    }

    /// Where a thing stands: on or inside what, rooms left out.
    fn place(&self, n: Ix) -> Option<(Rel, Ix)> {
        let rules = self.dialect().rules;
        [rules.on, rules.inside].into_iter().find_map(|rel| {
            let up = self.graph().targets(n, rel);
            let up = up.filter(|&up| !self.graph().hot(up).room).min()?;
            Some((rel, up))
        })
    }

    /// Whether somebody holds it.
    fn is_held(&self, n: Ix) -> bool {
        let hands = self.dialect().rules.hands;
        hands
            .iter()
            .any(|&hand| self.graph().sources(n, hand).next().is_some())
    }

    /// Whether it can be carried away: no being, nothing that stands for good, and in nobody's hands.
    fn is_loose(&self, n: Ix) -> bool {
        let can = match self.dialect().reading.carried {
            Some(prop) => self.graph().hot(n).props.has(prop),
            // Where nothing says what can be carried, what is small and stands on or in another thing can.
            None => self.place(n).is_some() && !self.is(n, "PART") && self.is_light(n),
        };
        can && !self.is_being(n) && !self.is_held(n)
    }

    /// Whether a thing is the other one, or on or in it at any depth.
    fn rides(&self, n: Ix, top: Ix) -> bool {
        let rules = self.dialect().rules;
        let mut all = vec![n];
        let mut i = 0;
        while let Some(&at) = all.get(i) {
            if at == top {
                return true;
            }
            i += 1;
            for rel in [rules.on, rules.inside] {
                for up in self.graph().targets(at, rel) {
                    if !all.contains(&up) {
                        all.push(up);
                    }
                }
            }
        }
        false
    }

    /// How a thing can be put there: on what carries, into what is open or has no door.
    fn takes(&self, place: Ix) -> Option<Rel> {
        let rules = self.dialect().rules;
        let floor = self.is(place, "FLOOR") || &*self.scene().node(place).class == "floor";
        if floor || self.is_being(place) || self.is_held(place) {
            return None;
        }
        let holds = self.is(place, "CONTAINERS") || self.is(place, "OPENABLE");
        let carries = self.is(place, "SURFACES")
            || self.dialect().reading.carried.is_none() && self.carries_now(place);
        match (carries, holds && !is_shut(self.graph(), place)) {
            (true, _) => Some(rules.on),
            (false, true) => Some(rules.inside),
            (false, false) => None,
        }
    }

    fn carries_now(&self, place: Ix) -> bool {
        let on = self.dialect().rules.on;
        self.graph().sources(place, on).next().is_some()
    }

    /// Whether it is a machine that runs now.
    fn runs(&self, n: Ix) -> bool {
        self.has(n, "ON") || self.has(n, "TOGGLED_ON")
    }

    /// Whether RED looks at it.
    fn in_focus(&self, n: Ix) -> bool {
        self.focus.is_none_or(|f| f.contains(&n))
    }

    /// A few of these for one thing: those in focus first, then in an order that begins at another place for every thing.
    fn few(&self, of: Ix, all: &[Ix]) -> Vec<Ix> {
        let turn = (of.0 as usize * 7) % all.len().max(1);
        let turned = || all.iter().skip(turn).chain(all.iter().take(turn)).copied();
        let wanted = |n: &Ix| self.focus.is_some() && self.in_focus(*n);
        let first = turned().filter(wanted);
        let then = turned().filter(|n| !wanted(n));
        let mut few: Vec<Ix> = first.chain(then).take(FEW).collect();
        few.sort_unstable();
        few
    }

    /// Whether some node of the same class is on or in a place.
    fn is_usual(&self, n: Ix, place: Ix) -> bool {
        let rules = self.dialect().rules;
        let class = &self.scene().node(n).class;
        let there = [rules.on, rules.inside];
        let mut there = there
            .iter()
            .flat_map(|&rel| self.graph().sources(place, rel));
        there.any(|other| self.scene().node(other).class == *class)
    }

    /// The room of a node, in words: ` in the kitchen`, or nothing.
    fn whereabouts(&self, n: Ix) -> String {
        let room = reading::room(self.graph(), n);
        room.map_or(String::new(), |r| {
            format!(" in the {}", self.scene().node(r).class.replace('_', " "))
        })
    }
}
