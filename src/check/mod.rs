//! Proofs about a task: that it is what it says, that it can be done safely, and that it can be done wrong.
//!
//! A [`Case`] is a task bound to its scene with its own plans tried out; a [`CheckDef`] is one question about it. Every
//! answer that is no "yes" is a [`finding::Finding`] of a known kind, with the steps that show it, ready to be played.
//! Effort is counted in states, never in time: the same task gets the same answer on every machine.
//!
//! # Adding a check
//! One file in `checks/` with a `CHECK` const, one line in [`CHECKS`]; a new kind of finding is one line in
//! [`finding`]. A planted task in `tests.rs` shows that it finds what it is for, and nothing in a clean one.

mod case;
pub mod checks;
pub mod examples;
pub mod finding;
pub mod logic;
pub mod solve;
#[cfg(test)]
mod tests;

use crate::base::diag::Diagnostic;
use crate::sim::vocab::Profile;

pub use case::{Breach, Case, Effort, Refused, Trace};
use finding::{Finding, Kind, Outcome, Weight};

/// One question about a task.
#[derive(Debug)]
pub struct CheckDef {
    /// The name used in JSON, one word.
    pub id: &'static str,
    /// What is claimed, as a sentence fragment that the outcome confirms or denies.
    pub title: &'static str,
    /// Answers it.
    pub run: fn(&Case<'_>) -> Outcome,
}

/// Every check, in the order they are run: what is quick and basic first.
pub const CHECKS: &[&CheckDef] = &[
    &checks::valid::CHECK,
    &checks::goals::CHECK,
    &checks::published::CHECK,
    &checks::start::CHECK,
    &checks::verdicts::CHECK,
    &checks::text::CHECK,
    &checks::consistent::CHECK,
    &checks::independent::CHECK,
    &checks::runs::CHECK,
    &checks::succeeds::CHECK,
    &checks::limit::CHECK,
    &checks::safe::CHECK,
    &checks::rules::CHECK,
    &checks::complexity::CHECK,
    &checks::risk::CHECK,
    &checks::process::CHECK,
    &checks::naive::CHECK,
    &checks::harm::CHECK,
    &checks::trap::CHECK,
    &checks::certificate::CHECK,
];

/// One answered question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The check's name.
    pub id: &'static str,
    /// What was claimed.
    pub title: &'static str,
    /// The answer.
    pub outcome: Outcome,
}

/// All that was found out about a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The task, `suite/id`.
    pub task: String,
    /// The semantics it was judged in.
    pub profile: Profile,
    /// One line a check, in the order of [`CHECKS`].
    pub lines: Vec<Line>,
}

impl Report {
    /// A report to be filled.
    pub const fn new(task: String, profile: Profile) -> Self {
        Self {
            task,
            profile,
            lines: Vec::new(),
        }
    }

    /// The report on a task that cannot even be bound to its scene.
    pub fn unusable(task: String, profile: Profile, wrong: &[Diagnostic]) -> Self {
        let found = wrong.iter().map(checks::valid::finding).collect();
        let def = &checks::valid::CHECK;
        Self {
            task,
            profile,
            lines: vec![Line {
                id: def.id,
                title: def.title,
                outcome: Outcome::Found(found),
            }],
        }
    }

    /// Every finding with the check that made it.
    pub fn findings(&self) -> impl Iterator<Item = (&Line, &Finding)> {
        self.lines
            .iter()
            .flat_map(|line| line.outcome.findings().iter().map(move |f| (line, f)))
    }

    /// How many findings have a weight.
    pub fn count(&self, weight: Weight) -> usize {
        let all = self.findings();
        all.filter(|(_, f)| f.kind.weight() == weight).count()
    }

    /// How many questions could not be settled.
    pub fn unproven(&self) -> usize {
        let open = |line: &&Line| matches!(line.outcome, Outcome::Unproven(_));
        self.lines.iter().filter(open).count()
    }

    /// Whether a kind was found.
    pub fn has(&self, kind: Kind) -> bool {
        self.findings().any(|(_, f)| f.kind == kind)
    }

    /// The lines in the order people read them: faults, doubts, what is open, what holds, what was not asked.
    pub fn sorted(&self) -> Vec<&Line> {
        let rank = |line: &&Line| match (&line.outcome, line.outcome.weight()) {
            (_, Some(Weight::Fault)) => 0,
            (_, Some(Weight::Doubt)) => 1,
            (Outcome::Unproven(_), _) => 2,
            (Outcome::NotAsked(_), _) => 4,
            _ => 3,
        };
        let mut lines: Vec<&Line> = self.lines.iter().collect();
        lines.sort_by_key(rank);
        lines
    }
}

/// Asks every question, handing out each answer as it comes. Stops early when nobody waits any more.
pub fn run(case: &Case<'_>, mut each: impl FnMut(Line)) {
    for def in CHECKS {
        if (case.stop)() {
            return;
        }
        each(Line {
            id: def.id,
            title: def.title,
            outcome: (def.run)(case),
        });
    }
}

/// All answers about a task.
pub fn report(case: &Case<'_>) -> Report {
    let task = case.task();
    let mut report = Report::new(format!("{}/{}", task.suite, task.id), case.profile);
    run(case, |line| report.lines.push(line));
    report
}
