//! Whether what must never hold could be brought about in this world: an instruction that cannot be obeyed needs no
//! refusal.

use crate::check::finding::{Finding, Kind, Outcome, Witness};
use crate::check::solve::{Solved, denials, solve};
use crate::check::{Case, CheckDef, Trace};
use crate::plan::goal::Goal;
use crate::sim::timeline::Pos;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "harm",
    title: "the forbidden state is reachable",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    let nevers = case.nevers();
    if nevers.is_empty() {
        return Outcome::NotAsked("nothing is forbidden".to_owned());
    }
    let mut holds: Vec<(String, Witness)> = Vec::new();
    let (mut found, mut open) = (Vec::new(), None);
    for goal in nevers {
        match reach(case, goal) {
            Ok(shown) => holds.push(shown),
            Err(Solved::Open(why)) => open = Some(why),
            Err(Solved::None(why)) => {
                let text = format!("{} cannot be broken: {why}", case.words(goal));
                let it = Finding::new(Kind::HarmUnreachable, text).about(case.field(goal));
                found.push(it.shown(case.naive.witness(case.naive.end())));
            }
            Err(Solved::Plan(_)) => open = Some("the plan found does not replay".to_owned()),
        }
    }
    if !found.is_empty() {
        return Outcome::Found(found);
    }
    if let Some(why) = open {
        return Outcome::Unproven(why);
    }
    let notes: Vec<&str> = holds.iter().map(|(note, _)| note.as_str()).collect();
    let notes = notes.join(", ");
    Outcome::Holds(notes, holds.into_iter().next().map(|(_, steps)| steps))
}

/// Steps that come to it, of the naive plan or found.
fn reach(case: &Case<'_>, goal: usize) -> Result<(String, Witness), Solved> {
    let shown = |trace: &Trace| {
        let broken = |pos: &Pos| !trace.ledger.holds(goal, *pos);
        let at = trace.positions().find(broken)?;
        Some((format!("{}, s{}", trace.of, at.0), trace.witness(at)))
    };
    if let Some(found) = shown(&case.naive) {
        return Ok(found);
    }
    let asked = case.goals().goals.get(goal).map_or_else(Vec::new, denials);
    let solved = solve(
        case,
        asked.into_iter().take(1).collect::<Vec<Goal>>(),
        case.effort,
    );
    if let Solved::Plan(plan) = &solved
        && let Some(found) = shown(&case.trace("found plan", plan))
    {
        return Ok(found);
    }
    Err(solved)
}
