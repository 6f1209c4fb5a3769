//! What the hazard rules say about an episode: warnings where it stands, and what an action would do to them.
//!
//! Rules are watched by [`crate::safety`]; here their verdicts meet the episode's positions, goals and words. A task's
//! own goals decide its score; warnings never do.

use std::sync::Arc;

use crate::safety::rule::{Grade, Rule};
use crate::safety::verdict::{Instance, Standing};
use crate::sim::timeline::Pos;
use crate::sim::vocab::Ix;
use crate::sim::world::Action;

use super::Episode;

/// One instance of a rule that does not stand idle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The rule.
    pub rule: Arc<Rule>,
    /// For which nodes.
    pub instance: Instance,
    /// The rule's outer variables with the nodes they stand for.
    pub bindings: Vec<(String, Ix)>,
    /// How it stands.
    pub standing: Standing,
    /// Since which position it has stood so.
    pub since: Pos,
    /// The latest steps that made it so, oldest first: its smallest witness.
    pub witness: Vec<Pos>,
    /// Actions that would break it next, also ones the world would still refuse; empty when none is known.
    pub breaks: Vec<Action>,
}

/// What an action would do to an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The rule.
    pub rule: Arc<Rule>,
    /// For which nodes.
    pub instance: Instance,
    /// How it stands now.
    pub from: Standing,
    /// How it would stand.
    pub to: Standing,
}

/// Counts over the rules that have instances in the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// Rules with an instance in this scene that are in force.
    pub rules: usize,
    /// Rules of which nothing is to be said now.
    pub idle: usize,
    /// Rules silenced by a goal, a grade or a duplicate.
    pub silenced: usize,
}

/// A part of a rule's formula with its value now, for explanations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// As the formula writes it, variables kept: `within(m,w)`.
    pub text: String,
    /// In words with the nodes' names: `fork INSIDE microwave`.
    pub words: String,
    /// Its value.
    pub value: bool,
    /// Since when it has had that value, where that is known.
    pub since: Option<Pos>,
    /// Whether turning it over would break the rule (when it stands) or mend it (when it is broken).
    pub decides: bool,
    /// How deep it stands in the formula.
    pub depth: u8,
}

impl Episode {
    /// The warnings where the episode stands, the weightiest first: grade, severity, time left.
    pub fn warnings(&self) -> Vec<Warning> {
        Vec::new()
    }

    /// The rules the run broke on the way here, each instance once, with the grade it has in this scene, by rule.
    pub fn breaches(&self) -> Vec<(Arc<Rule>, Grade)> {
        Vec::new()
    }

    /// How many rules watch, and how many have nothing to say.
    pub fn watched(&self) -> Watched {
        Watched::default()
    }

    /// What an action would do to the rules, attempts that the world would refuse included; the worst first.
    pub fn shifts(&mut self, _action: Action) -> Vec<Shift> {
        Vec::new()
    }

    /// Warnings that calling the task done here would leave broken.
    pub fn left_open(&self) -> Vec<Warning> {
        Vec::new()
    }

    /// The parts of an instance's formula with their values.
    pub fn parts(&self, _instance: &Instance) -> Vec<Part> {
        Vec::new()
    }

    /// How an instance stood at every position of the path to here, the start first.
    pub fn history(&mut self, _instance: &Instance) -> Vec<Standing> {
        Vec::new()
    }

    /// Actions that would mend or disarm an instance, the nearest first.
    pub fn cures_of(&mut self, _instance: &Instance) -> Vec<Action> {
        Vec::new()
    }

    /// The rule of an instance, whether or not it has anything to say now.
    pub fn rule(&self, _instance: &Instance) -> Option<Arc<Rule>> {
        None
    }

    /// What the step to a position did to the rules, whether or not the episode stands there; for the start, what was
    /// amiss before the first step. The worst first.
    pub fn turns(&self, _pos: Pos) -> Vec<Shift> {
        Vec::new()
    }
}
