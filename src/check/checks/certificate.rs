//! Whether the task can be done safely, and the plan that proves it.

use crate::check::checks::consistent::{EXCLUDED, excludes};
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::solve::{Solved, solve, solve_safely};
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
    if case.is_safe_success(trace) {
        let note = format!("reference plan, {} steps", trace.end().0);
        return Outcome::proven(note, trace.certificate());
    }
    if excludes(case) {
        return Outcome::NotAsked(EXCLUDED.to_owned());
    }
    // Tasks that were published elsewhere never promised to keep our rules.
    let solved = if case.is_own() {
        solve_safely(case)
    } else {
        solve(case, case.goals().goals.clone(), case.effort)
    };
    match solved {
        Solved::Plan(plan) => found(case, &plan),
        Solved::None(why) => {
            let rules = if case.is_own() {
                " and keeps every rule"
            } else {
                ""
            };
            let text = format!("no plan reaches every goal{rules}: {why}");
            Outcome::Found(vec![Finding::new(Kind::NoSafePlan, text)])
        }
        Solved::Open(why) => Outcome::Unproven(why),
    }
}

/// A plan that was found is believed only after it was played.
fn found(case: &Case<'_>, plan: &[crate::sim::world::Action]) -> Outcome {
    let trace = case.trace("found plan", plan);
    if case.is_safe_success(&trace) {
        let note = format!("found plan, {} steps", trace.end().0);
        return Outcome::proven(note, trace.certificate());
    }
    Outcome::Unproven("the plans found reach the goals and break a rule".to_owned())
}
