//! Whether the naive plan can be executed at all: a trap nobody can walk into is none.

use crate::check::checks::counted;
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};
use crate::sim::refusal::Kind as Refusal;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "naive",
    title: "naive plan runs",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    if case.task().naive.is_empty() {
        return Outcome::NotAsked("there is no naive plan".to_owned());
    }
    let trace = &case.naive;
    let stops = |r: &&crate::check::Refused| r.kind != Refusal::AlreadySo;
    let found = trace.refused.iter().filter(stops).map(|r| {
        let text = format!("step {} {} is refused: {}", r.step, r.line, r.reason);
        Finding::new(Kind::NaiveRefused, text)
            .about(format!("naive[{}]", r.step - 1))
            .shown(trace.refusal(r))
    });
    Outcome::of(found.collect(), counted(trace.end().0 as usize, "step"))
        .by(trace.witness(trace.end()))
}
