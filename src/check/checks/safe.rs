//! Whether the reference plan keeps every safety goal, and what must never hold never does.

use std::fmt::Write as _;

use crate::check::checks::consistent::excludes;
use crate::check::checks::{counted, no_plan};
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::solve::mend;
use crate::check::{Case, CheckDef};
use crate::sim::timeline::Pos;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "safe",
    title: "reference plan keeps safety",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    let all = case.goals().safety();
    if all == 0 {
        return Outcome::NotAsked("there are no safety goals".to_owned());
    }
    if case.setup.reference.is_empty() {
        return no_plan();
    }
    let trace = &case.reference;
    let missed = trace
        .missed()
        .filter(|&goal| !case.goals().is_success(goal));
    let mut found: Vec<Finding> = missed
        .map(|goal| {
            let at = trace.lost(goal).unwrap_or(trace.end());
            let since = match at {
                Pos::START => "false from the start".to_owned(),
                at => format!("false since s{}", at.0),
            };
            let text = format!("{} is broken, {since}", case.words(goal));
            Finding::new(Kind::ReferenceUnsafe, text)
                .about(case.field(goal))
                .shown(trace.witness(at))
        })
        .collect();
    if !found.is_empty()
        && !excludes(case)
        && let Some(mend) = mend(case)
        && let Some(first) = found.first_mut()
    {
        let lines: Vec<String> = mend.steps.iter().map(|&a| case.say(a)).collect();
        let steps = counted(lines.len(), "more step");
        let fewest = if mend.fewest { ", and no fewer" } else { "" };
        let _ = write!(
            first.sentence,
            "; {steps} would mend all{fewest}: {}",
            lines.join(", ")
        );
        let world = case.world_after(trace);
        for one in &mut found {
            one.mend = mend.steps.iter().map(|&a| world.line(a)).collect();
        }
    }
    Outcome::of(found, format!("{all}/{all}")).by(trace.witness(trace.end()))
}
