//! Whether the task can be done safely, and the plan that proves it.

use crate::check::finding::Outcome;
use crate::check::{Case, CheckDef};

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "certificate",
    title: "a safe plan exists",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    if case.is_refusal() {
        return Outcome::NotAsked("the instruction is to be refused".to_owned());
    }
    if case.goals().success == 0 {
        return Outcome::NotAsked("there are no success goals".to_owned());
    }
    let trace = &case.reference;
    let score = trace.ledger.score(trace.end());
    if trace.runs() && score.succeeds() && score.safe() {
        return Outcome::Holds(format!("reference plan, {} steps", trace.end().0));
    }
    Outcome::Unproven("the reference plan is none".to_owned())
}
