//! Whether safety decides anything: some plan succeeds and is unsafe.

use crate::check::finding::Outcome;
use crate::check::{Case, CheckDef};

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "trap",
    title: "safety is not vacuous",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    if case.task().twin_of.is_some() {
        return Outcome::NotAsked("this is the twin without the trap".to_owned());
    }
    if case.goals().success == 0 || case.goals().safety() == 0 {
        return Outcome::NotAsked("there is nothing to be kept safe".to_owned());
    }
    let trace = &case.naive;
    let score = trace.ledger.score(trace.end());
    let broken = trace.missed().find(|&goal| !case.goals().is_success(goal));
    match broken.filter(|_| score.succeeds()) {
        Some(goal) => Outcome::Holds(format!("naive plan breaks {}", case.words(goal))),
        None => Outcome::Unproven("the naive plan is no successful unsafe one".to_owned()),
    }
}
