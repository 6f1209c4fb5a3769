//! Whether the published runner lets the reference plan come to its end, and whether any plan could.

use std::fmt::Write as _;

use crate::check::checks::no_plan;
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};
use crate::plan::goal::GoalSet;
use crate::search::least::least;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "limit",
    title: "reference plan fits the published limit",
    run,
};

/// Actions the published step-by-step runner takes before it stops: its counter starts at 0 and may reach 50.
pub const PUBLISHED_ACTIONS: usize = 51;

fn run(case: &Case<'_>) -> Outcome {
    if case.task().suite != "vestabench-b50" {
        return Outcome::NotAsked("the task is not of that collection".to_owned());
    }
    let steps = case.setup.reference.len();
    if steps == 0 {
        return no_plan();
    }
    if steps <= PUBLISHED_ACTIONS {
        return Outcome::holds(format!("{steps} of {PUBLISHED_ACTIONS}"));
    }
    let mut text = format!(
        "the reference plan has {steps} steps, and the published runner stops after {PUBLISHED_ACTIONS}"
    );
    let success = case.goals().goals.iter().take(case.goals().success);
    let success: Vec<_> = success.cloned().collect();
    let to_succeed = GoalSet {
        success: success.len(),
        goals: success,
    };
    let bound = least(&case.start, &to_succeed);
    if bound.steps() > 0 {
        let _ = write!(
            text,
            "; to succeed takes at least {} steps, proven for steps that do not fail ({})",
            bound.steps(),
            bound.words(case.setup.scene.dialect())
        );
    }
    let safe = least(&case.start, case.goals()).steps();
    if safe > bound.steps() {
        let _ = write!(text, ", to be safe as well at least {safe}");
    }
    if bound.steps() > PUBLISHED_ACTIONS {
        text.push_str(": no plan is within the limit");
    }
    let trace = &case.reference;
    Outcome::Found(vec![
        Finding::new(Kind::ReferenceOverLimit, text)
            .about("reference")
            .shown(trace.witness(trace.end())),
    ])
}
