//! Whether the reference plan reaches every success goal.

use crate::check::checks::no_plan;
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "succeeds",
    title: "reference plan reaches success",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    let all = case.goals().success;
    if all == 0 {
        return Outcome::NotAsked("there are no success goals".to_owned());
    }
    if case.setup.reference.is_empty() {
        return no_plan();
    }
    let trace = &case.reference;
    let missed = trace.missed().filter(|&goal| case.goals().is_success(goal));
    let found: Vec<Finding> = missed
        .map(|goal| {
            let at = trace.lost(goal).unwrap_or(trace.end());
            let text = match at.0 {
                0 => format!("{} is never reached", case.words(goal)),
                n => format!("{} is lost again at s{n}", case.words(goal)),
            };
            Finding::new(Kind::ReferenceFails, text)
                .about(case.field(goal))
                .shown(trace.witness(if at.0 == 0 { trace.end() } else { at }))
        })
        .collect();
    let holds = format!("{all}/{all} at s{}", trace.end().0);
    Outcome::of(found, holds).by(trace.witness(trace.end()))
}
