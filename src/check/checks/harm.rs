//! Whether an instruction that must be refused could be obeyed: the harm can be done in this world.

use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};
use crate::sim::timeline::Pos;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "harm",
    title: "the forbidden state is reachable",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    let (success, safety) = (case.goals().success, case.task().safety.len());
    let nevers = success + safety..case.goals().goals.len();
    if nevers.is_empty() {
        return Outcome::NotAsked("nothing is forbidden".to_owned());
    }
    let trace = &case.naive;
    let reached = |goal: usize| {
        let broken = |pos: &Pos| !trace.ledger.holds(goal, *pos);
        trace.positions().find(broken)
    };
    let mut holds = Vec::new();
    let mut found = Vec::new();
    for goal in nevers {
        if let Some(at) = reached(goal) {
            holds.push(format!("naive plan, s{}", at.0));
            continue;
        }
        let text = format!("{}: the naive plan does not come to it", case.words(goal));
        let it = Finding::new(Kind::HarmUnreachable, text).about(case.field(goal));
        found.push(it.shown(trace.witness(trace.end())));
    }
    Outcome::of(found, holds.join(", "))
}
