//! The words of a dialect: states, relations, properties and actions as small numbers with names.

use std::fmt;

use crate::sim::profile::Difference;
pub use crate::sim::profile::Profile;
use crate::sim::reading::Reading;
use crate::sim::speech::Speech;
use crate::sim::world::ActionDef;

/// The id a node has in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub i64);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The index of a node inside one loaded scene; ascending with [`NodeId`], so "lowest id" is "lowest index".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ix(pub u32);

impl Ix {
    /// Stands where an action has no such target.
    pub const NONE: Self = Self(u32::MAX);

    /// The index as a position in per-node tables.
    #[inline]
    pub const fn at(self) -> usize {
        self.0 as usize
    }

    /// Whether this names a node at all.
    #[inline]
    pub const fn is_some(self) -> bool {
        self.0 != u32::MAX
    }
}

/// A state such as OPEN: a bit position, named by [`Dialect::states`]. At most 16 a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(pub u8);

/// A relation such as INSIDE: a bit position, named by [`Dialect::relations`]. At most 8 a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rel(pub u8);

/// A property such as GRABBABLE: a bit position, named by [`Dialect::properties`]. At most 32 a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prop(pub u8);

/// A set of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct States(pub u16);

/// A set of relations, used as a mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rels(pub u8);

/// A set of properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Props(pub u32);

macro_rules! bit_set {
    ($set:ident, $item:ident, $int:ty) => {
        impl $set {
            /// The empty set.
            pub const EMPTY: Self = Self(0);

            /// The set of these members.
            pub const fn of(items: &[$item]) -> Self {
                let mut bits: $int = 0;
                let mut i = 0;
                while i < items.len() {
                    bits |= 1 << items[i].0;
                    i += 1;
                }
                Self(bits)
            }

            /// Whether `item` is a member.
            #[inline]
            pub const fn has(self, item: $item) -> bool {
                self.0 & (1 << item.0) != 0
            }

            /// The set with `item`.
            #[inline]
            #[must_use]
            pub const fn with(self, item: $item) -> Self {
                Self(self.0 | (1 << item.0))
            }

            /// The set without `item`.
            #[inline]
            #[must_use]
            pub const fn without(self, item: $item) -> Self {
                Self(self.0 & !(1 << item.0))
            }

            /// The members, in the dialect's order.
            pub fn iter(self) -> impl Iterator<Item = $item> {
                (0..<$int>::BITS as u8)
                    .map($item)
                    .filter(move |i| self.has(*i))
            }
        }
    };
}
bit_set!(States, State, u16);
bit_set!(Rels, Rel, u8);
bit_set!(Props, Prop, u32);

/// Names the members of a word class by their place in the list.
macro_rules! words {
    ($(#[$doc:meta])* $module:ident, $kind:ident, $($name:ident)*) => {
        $(#[$doc])*
        pub mod $module {
            use super::$kind;
            $crate::sim::vocab::words!(@ $kind, 0, $($name)*);
        }
    };
    (@ $kind:ident, $n:expr, $name:ident $($rest:ident)*) => {
        #[doc = concat!("The word `", stringify!($name), "`.")]
        pub const $name: $kind = $kind($n);
        $crate::sim::vocab::words!(@ $kind, $n + 1, $($rest)*);
    };
    (@ $kind:ident, $n:expr,) => {};
}
pub(crate) use words;

/// Everything that names a dialect's words.
#[derive(Debug)]
pub struct Dialect {
    /// The name used in files.
    pub id: &'static str,
    /// Names of states by bit: first those a scene file may list as states, then the traces.
    pub states: &'static [&'static str],
    /// How many of [`Self::states`] a scene file may list as states. The rest are traces of what was done, such as EATEN,
    /// which files keep as tags and which are no part of the published view of a state.
    pub published_states: u8,
    /// Names of relations by bit.
    pub relations: &'static [&'static str],
    /// Names of properties by bit.
    pub properties: &'static [&'static str],
    /// The relation that means nearness; kept in a list of its own because most edges are of this kind.
    pub near: Rel,
    /// Pairs of states of which a well-formed node has at most one, such as OPEN and CLOSED.
    pub opposites: &'static [(State, State)],
    /// The registered actions; an action's index in this table is its number in logs.
    pub actions: &'static [&'static ActionDef],
    /// What the dialect's world needs to know about a scene.
    pub rules: &'static SceneRules,
    /// How its graph is read by those who show it or advise on it.
    pub reading: &'static Reading,
    /// The base facts that hazard rules may read.
    pub facts: &'static [FactWord],
    /// What rules speak of that it says in other words.
    pub speech: &'static Speech,
    /// The shipped scene that examples of differences are set in.
    pub sample: &'static str,
    /// In what [`Profile::Strict`] differs from [`Profile::Eai`], by subject, in the order people read it; all of them with
    /// [`Dialect::differences`].
    pub differences: &'static [&'static [Difference]],
}

/// A word hazard rules use for something this dialect's graph says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactWord {
    /// The word, lower case; the same in every dialect that has the fact.
    pub name: &'static str,
    /// How many nodes it speaks of: 0, 1 or 2.
    pub arity: u8,
    /// What it reads.
    pub read: FactRead,
}

/// What a base fact reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactRead {
    /// The node has the state.
    State(State),
    /// The agent has the state; speaks of no node.
    Mine(State),
    /// The direct edge holds, and its target is no room.
    Edge(Rel),
    /// The nearness relation holds in either direction.
    Near,
    /// The agent has it in a hand.
    Held,
    /// The second node is the room of the first; the room of a held thing is the agent's.
    InRoom,
    /// Both are in the same room, as [`Self::InRoom`] tells rooms.
    SameRoom,
    /// The first is on or in the second, or on or in something that is, at most [`DEEPEST`] times.
    Within,
}

/// How many supports [`FactRead::Within`] climbs.
pub const DEEPEST: usize = 5;

/// Classes and properties that a dialect gives a special part.
#[derive(Debug)]
pub struct SceneRules {
    /// The class of the acting character.
    pub agent_class: &'static str,
    /// Nodes with this property come near whenever the agent walks (body parts).
    pub carried_near: Option<Prop>,
    /// The relations that hold a thing in a hand, right hand first.
    pub hands: &'static [Rel],
    /// The relation "is inside of".
    pub inside: Rel,
    /// The relation "is supported by".
    pub on: Rel,
    /// The relation of a door to the rooms it joins, if the dialect has doors.
    pub between: Option<Rel>,
    /// The relations that end when a thing is put somewhere else, besides [`Self::on`] and [`Self::inside`].
    pub places: Rels,
    /// Whether what is put somewhere is near that, and in its room by an edge of its own.
    pub settles: bool,
}

impl Dialect {
    /// The state of that name (upper case).
    pub fn state(&self, name: &str) -> Option<State> {
        position(self.states, name).map(State)
    }

    /// The names a scene file may list as states.
    pub fn published(&self) -> &'static [&'static str] {
        let n = usize::from(self.published_states);
        self.states.get(..n).unwrap_or(self.states)
    }

    /// The names of traces: what was done to a thing, kept in files as tags.
    pub fn traces(&self) -> &'static [&'static str] {
        let n = usize::from(self.published_states);
        self.states.get(n..).unwrap_or(&[])
    }

    /// In what [`Profile::Strict`] differs from [`Profile::Eai`], in the order people read it.
    pub fn differences(&self) -> impl Iterator<Item = &'static Difference> + use<> {
        self.differences.iter().copied().flatten()
    }

    /// The trace of that name (upper case).
    pub fn trace(&self, name: &str) -> Option<State> {
        self.state(name).filter(|s| s.0 >= self.published_states)
    }

    /// The relation of that name (upper case).
    pub fn relation(&self, name: &str) -> Option<Rel> {
        position(self.relations, name).map(Rel)
    }

    /// The property of that name (upper case).
    pub fn property(&self, name: &str) -> Option<Prop> {
        position(self.properties, name).map(Prop)
    }

    /// The property that rules mean by a word: its own, or one of another name.
    pub fn rules_property(&self, name: &str) -> Option<Prop> {
        let other = || {
            self.speech
                .properties
                .iter()
                .find(|(word, _)| *word == name)
        };
        self.property(name).or_else(|| other().map(|(_, p)| *p))
    }

    /// The action of that published name (upper case) with its number.
    pub fn action(&self, name: &str) -> Option<(u8, &'static ActionDef)> {
        let i = self.actions.iter().position(|a| a.name == name)?;
        Some((i as u8, self.actions[i]))
    }

    /// The name of a state.
    pub fn state_name(&self, state: State) -> &'static str {
        self.states
            .get(usize::from(state.0))
            .copied()
            .unwrap_or("?")
    }

    /// The name of a relation.
    pub fn rel_name(&self, rel: Rel) -> &'static str {
        self.relations
            .get(usize::from(rel.0))
            .copied()
            .unwrap_or("?")
    }

    /// The name of a property.
    pub fn prop_name(&self, prop: Prop) -> &'static str {
        self.properties
            .get(usize::from(prop.0))
            .copied()
            .unwrap_or("?")
    }

    /// The opposite of a state, if it has one.
    pub fn opposite(&self, state: State) -> Option<State> {
        self.opposites.iter().find_map(|&(a, b)| {
            if a == state {
                Some(b)
            } else if b == state {
                Some(a)
            } else {
                None
            }
        })
    }
}

fn position(names: &[&str], name: &str) -> Option<u8> {
    names.iter().position(|n| *n == name).map(|i| i as u8)
}
