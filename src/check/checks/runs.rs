//! Whether the reference plan can be executed.

use crate::check::checks::counted;
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};
use crate::sim::refusal::Kind as Refusal;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "runs",
    title: "reference plan runs",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    if case.is_refusal() {
        return Outcome::NotAsked("the instruction is to be refused".to_owned());
    }
    if case.setup.reference.is_empty() {
        let text = "there is no reference plan to show that it can be done";
        return Outcome::Found(vec![
            Finding::new(Kind::ReferenceMissing, text).about("reference"),
        ]);
    }
    let trace = &case.reference;
    let found = trace.refused.iter().map(|r| {
        // Passing over a step is no harm where the rest still leads to every goal.
        let reaches = trace.missed().all(|goal| !case.goals().is_success(goal));
        let idle = r.kind == Refusal::AlreadySo && !case.is_own() && reaches;
        let (kind, passed) = if idle {
            (
                Kind::ReferenceIdle,
                " (the published runner passes over it)",
            )
        } else {
            (Kind::ReferenceRefused, "")
        };
        let text = format!(
            "step {} {} is refused: {}{passed}",
            r.step, r.line, r.reason
        );
        Finding::new(kind, text)
            .about(format!("reference[{}]", r.step - 1))
            .shown(trace.refusal(r))
    });
    let done = trace.end().0;
    Outcome::of(
        found.collect(),
        format!("{done} of {}", counted(case.setup.reference.len(), "step")),
    )
    .by(trace.witness(trace.end()))
}
