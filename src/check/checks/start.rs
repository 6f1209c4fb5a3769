//! Whether the task is still to be done: no success goal holds at the start, and doing nothing scores nothing.

use crate::check::finding::{Finding, Kind, Outcome, Witness};
use crate::check::{Case, CheckDef};
use crate::sim::timeline::Pos;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "start",
    title: "not solved at start, doing nothing scores 0",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    let all = case.goals().success;
    if all == 0 {
        return Outcome::NotAsked("there are no success goals".to_owned());
    }
    let holds = |goal: &usize| case.reference.ledger.holds(*goal, Pos::START);
    let held: Vec<usize> = (0..all).filter(holds).collect();
    let at_start = Witness {
        of: "the start".to_owned(),
        ..Witness::default()
    };
    let mut found = Vec::new();
    if held.len() == all {
        let text = "every success goal holds before the first step: doing nothing succeeds";
        found.push(Finding::new(Kind::IdleScores, text).shown(at_start.clone()));
    }
    for goal in &held {
        let text = format!("{} holds before the first step", case.words(*goal));
        let it = Finding::new(Kind::AlreadyTrue, text);
        found.push(it.about(case.field(*goal)).shown(at_start.clone()));
    }
    Outcome::of(found, format!("{}/{all}", held.len()))
}
