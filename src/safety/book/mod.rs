//! Everything a monitor needs to know before it sees a scene: ontology, facts, rules.

use std::sync::Arc;

use super::ast::{Ast, Binder};
use super::formula::{self, Bound, Formula, Guard, TrackedId};
use super::lang::bind::{Binding, NotHere};
use super::ontology::Ontology;
use super::rule::Rule;
use crate::sim::vocab::{Dialect, Ix};

mod load;
#[cfg(test)]
mod tests;

/// A fact defined by a formula over its parameters; written out where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<String>,
    /// Its definition.
    pub body: Ast,
    /// What it means, in words.
    pub words: String,
    /// The file and line it was read from.
    pub place: (String, u32),
}

/// A fact the monitor keeps: no state of the graph says it. After every executed step the action's `set`, then its
/// `reset`, then the standing condition `during` are applied, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracked {
    /// Its name.
    pub name: String,
    /// Its parameters with their guards.
    pub params: Vec<Binder>,
    /// Makes it true.
    pub set: Option<Ast>,
    /// Makes it false.
    pub reset: Option<Ast>,
    /// Makes it true, against a reset, as long as it holds.
    pub during: Option<Ast>,
    /// False again when more than this many steps have passed since it was last made true.
    pub lasts: Option<u32>,
    /// What makes it true at the start; parameters may be read.
    pub start: Option<Ast>,
    /// How it is written in `init` and goals: `HOT` for `x:HOT`, `VIA` for `d VIA s`, `night` for itself.
    pub written: String,
    /// What it means, in words.
    pub words: String,
    /// The file and line it was read from.
    pub place: (String, u32),
}

/// A tracked fact bound to a dialect. Its parameters are the slots of its formulas, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoundFact {
    /// Its parameters.
    pub params: Vec<formula::Binder>,
    /// See [`Tracked::set`].
    pub set: Option<Formula>,
    /// See [`Tracked::reset`].
    pub reset: Option<Formula>,
    /// See [`Tracked::during`].
    pub during: Option<Formula>,
    /// See [`Tracked::lasts`].
    pub lasts: Option<u32>,
    /// See [`Tracked::start`]; read at position 0, where tracked facts before it are known.
    pub start: Option<Formula>,
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

/// The knowledge in force.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// What classes are.
    pub ontology: Arc<Ontology>,
    /// Derived facts, each using only facts before it.
    pub derived: Vec<Derived>,
    /// Tracked facts in the order they are updated: at one position each reads only those before it, and any other
    /// below `Y`, as it was one position earlier.
    pub tracked: Vec<Tracked>,
    /// Rules, in the order of their files.
    pub rules: Vec<Arc<Rule>>,
    /// Every guard that occurs, sorted; [`formula::GuardId`] counts here.
    pub guards: Vec<Guard>,
}

impl Book {
    /// The rule of that id, in any case.
    pub fn rule(&self, id: &str) -> Option<&Arc<Rule>> {
        self.rules.iter().find(|r| r.id.eq_ignore_ascii_case(id))
    }

    /// The guard of that number.
    pub fn guard(&self, id: formula::GuardId) -> &Guard {
        const NOTHING: &Guard = &Guard(Vec::new());
        self.guards.get(usize::from(id.0)).unwrap_or(NOTHING)
    }

    /// The tracked fact of that name.
    pub fn tracked_id(&self, name: &str) -> Option<TrackedId> {
        let i = self.tracked.iter().position(|t| t.name == name)?;
        Some(TrackedId(i as u8))
    }

    /// The tracked fact written with this word, with how many nodes it speaks of: `HOT` of one, `VIA` of two,
    /// `night` of none.
    pub fn written(&self, word: &str) -> Option<(TrackedId, usize)> {
        let fits = |t: &Tracked| !word.is_empty() && t.written == word;
        let i = self.tracked.iter().position(fits)?;
        Some((TrackedId(i as u8), self.tracked[i].params.len()))
    }

    /// A rule's body for a dialect.
    ///
    /// # Errors
    /// The dialect has no word for something the rule, or a tracked fact it reads, speaks of.
    pub fn bind(&self, rule: &Rule, dialect: &'static Dialect) -> Result<Bound, NotHere> {
        let mut binding = Binding::new(self, dialect);
        let (outer, body) = match &rule.formula {
            Ast::All(binders, body) => (binding.binders(binders)?, &**body),
            body => (Vec::new(), body),
        };
        let body = match body {
            Ast::Hist(body) => binding.formula(body)?,
            body => binding.formula(body)?,
        };
        let mut seen = vec![false; self.tracked.len()];
        self.check_tracked(&body, dialect, &mut seen)?;
        Ok(Bound { outer, body })
    }

    /// A tracked fact for a dialect.
    ///
    /// # Errors
    /// As [`Self::bind`].
    pub fn bind_fact(
        &self,
        id: TrackedId,
        dialect: &'static Dialect,
    ) -> Result<BoundFact, NotHere> {
        let mut seen = vec![false; self.tracked.len()];
        self.bind_fact_seen(id, dialect, &mut seen)
    }

    fn bind_fact_seen(
        &self,
        id: TrackedId,
        dialect: &'static Dialect,
        seen: &mut [bool],
    ) -> Result<BoundFact, NotHere> {
        let none = || NotHere {
            what: "tracked fact number",
            word: id.0.to_string(),
        };
        let at = usize::from(id.0);
        let fact = self.tracked.get(at).ok_or_else(none)?;
        *seen.get_mut(at).ok_or_else(none)? = true;
        let params = Binding::new(self, dialect).binders(&fact.params)?;
        let mut one = |ast| self.bind_part(fact, ast, dialect, seen);
        Ok(BoundFact {
            params,
            set: one(fact.set.as_ref())?,
            reset: one(fact.reset.as_ref())?,
            during: one(fact.during.as_ref())?,
            lasts: fact.lasts,
            start: one(fact.start.as_ref())?,
        })
    }

    /// Each formula of a fact binds its own inner variables after the parameters.
    fn bind_part<'b>(
        &'b self,
        fact: &'b Tracked,
        ast: Option<&'b Ast>,
        dialect: &'static Dialect,
        seen: &mut [bool],
    ) -> Result<Option<Formula>, NotHere> {
        let Some(ast) = ast else {
            return Ok(None);
        };
        let mut binding = Binding::new(self, dialect);
        binding.binders(&fact.params)?;
        let bound = binding.formula(ast)?;
        self.check_tracked(&bound, dialect, seen)?;
        Ok(Some(bound))
    }

    /// Whether all tracked facts a formula reads exist in the dialect.
    fn check_tracked(
        &self,
        body: &Formula,
        dialect: &'static Dialect,
        seen: &mut [bool],
    ) -> Result<(), NotHere> {
        let mut read = Vec::new();
        body.tracked(&mut read);
        for id in read {
            if seen.get(usize::from(id.0)) == Some(&false) {
                self.bind_fact_seen(id, dialect, seen)?;
            }
        }
        Ok(())
    }
}
