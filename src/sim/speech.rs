//! How a dialect says what hazard rules speak of where its own words differ: facts made of others, actions under the
//! names rules use, properties by another name.

use crate::sim::vocab::{FactRead, Prop, Rel};

/// What a dialect says in other words.
#[derive(Debug)]
pub struct Speech {
    /// Facts rules read that this graph does not keep as such.
    pub facts: &'static [Saying],
    /// Actions rules name that are done here by others.
    pub deeds: &'static [Deed],
    /// Properties rules ask for that have another name here.
    pub properties: &'static [(&'static str, Prop)],
    /// What one does to have a thing in a hand, as sentences say it.
    pub take: &'static str,
}

/// Nothing to translate.
pub const PLAIN: Speech = Speech {
    facts: &[],
    deeds: &[],
    properties: &[],
    take: "grab",
};

/// A fact in terms of others about the same nodes.
#[derive(Debug)]
pub struct Saying {
    /// The word rules use.
    pub name: &'static str,
    /// How many nodes it speaks of: 1 or 2.
    pub arity: u8,
    /// What it means here.
    pub means: Means,
}

/// A meaning made of facts about the same nodes.
#[derive(Clone, Copy, Debug)]
pub enum Means {
    /// A base fact.
    Read(FactRead),
    /// The first node has the property.
    Has(Prop),
    /// It is not so.
    Not(&'static Self),
    /// All of them.
    All(&'static [Self]),
    /// Any of them.
    Any(&'static [Self]),
}

/// An action under the name rules use.
#[derive(Debug)]
pub struct Deed {
    /// The name.
    pub word: &'static str,
    /// The actions here, any of which it is.
    pub verbs: &'static [&'static str],
    /// What its targets are.
    pub told: Told,
}

/// What the targets of a deed are in terms of an action of one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The same.
    Same,
    /// The first is what was held before and is now in this relation to the second, the action's own target.
    Placed(Rel),
    /// The first is what has just come into this relation to the second, the action's own target.
    Poured(Rel),
}

impl Means {
    /// The properties it asks for.
    pub fn properties(&self, into: &mut Vec<Prop>) {
        match self {
            Self::Read(_) => {}
            Self::Has(p) => into.push(*p),
            Self::Not(m) => m.properties(into),
            Self::All(all) | Self::Any(all) => all.iter().for_each(|m| m.properties(into)),
        }
    }
}
