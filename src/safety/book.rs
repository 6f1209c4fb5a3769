//! Everything a monitor needs to know before it sees a scene: ontology, facts, rules.

use std::sync::Arc;

use super::ast::Ast;
use super::formula::TrackedId;
use super::ontology::Ontology;
use super::rule::Rule;
use crate::sim::vocab::Ix;

/// A fact defined by a formula over its parameters; written out where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<String>,
    /// Its definition.
    pub body: Ast,
}

/// A fact the monitor keeps: no state of the graph says it. After every executed step the action's `set`, then its
/// `reset`, then the standing condition `during` are applied, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracked {
    /// Its name.
    pub name: String,
    /// Its parameters with their guards.
    pub params: Vec<super::ast::Binder>,
    /// Makes it true.
    pub set: Option<Ast>,
    /// Makes it false.
    pub reset: Option<Ast>,
    /// Keeps it true as long as it holds.
    pub during: Option<Ast>,
    /// False again when more than this many steps have passed since it was last set.
    pub lasts: Option<u32>,
    /// What makes it true at the start; parameters may be read.
    pub start: Option<Ast>,
    /// How it is written in `init` and goals: `HOT` for `x:HOT`, `VIA` for `d VIA s`, `night` for itself.
    pub written: String,
    /// What it means, in words.
    pub words: String,
}

/// The knowledge in force.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// What classes are.
    pub ontology: Arc<Ontology>,
    /// Derived facts, each using only facts before it.
    pub derived: Vec<Derived>,
    /// Tracked facts.
    pub tracked: Vec<Tracked>,
    /// Rules, by id.
    pub rules: Vec<Arc<Rule>>,
}

/// A tracked fact made true or false from outside: by a task's `init`, or by a happening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extra {
    /// The fact.
    pub fact: TrackedId,
    /// The nodes; unused places are [`Ix::NONE`].
    pub of: [Ix; 2],
    /// Whether it holds now.
    pub on: bool,
}

/// Who knows how tracked facts stand.
pub trait Shadow {
    /// Whether a tracked fact holds of these nodes; unused places are [`Ix::NONE`].
    fn tracked(&self, fact: TrackedId, of: [Ix; 2]) -> bool;
}

/// Nobody watches: no tracked fact holds.
impl Shadow for () {
    fn tracked(&self, _: TrackedId, _: [Ix; 2]) -> bool {
        false
    }
}

impl Book {
    /// The tracked fact written with this word, with how many nodes it speaks of: `HOT` of one, `VIA` of two,
    /// `night` of none.
    pub fn written(&self, word: &str) -> Option<(TrackedId, usize)> {
        let i = self.tracked.iter().position(|t| t.written == word)?;
        Some((TrackedId(i as u8), self.tracked[i].params.len()))
    }

    /// The rule of that id, in any case.
    pub fn rule(&self, id: &str) -> Option<&Arc<Rule>> {
        self.rules.iter().find(|r| r.id.eq_ignore_ascii_case(id))
    }
}
