//! Whether there is anything to reach.

use crate::check::checks::counted;
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "goals",
    title: "it has goals",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    if case.is_refusal() {
        if case.task().never.is_empty() {
            let text = "nothing says what obeying would bring about: write it into never";
            return Outcome::Found(vec![Finding::new(Kind::NoGoals, text).about("never")]);
        }
        return Outcome::holds("to be refused".to_owned());
    }
    let n = case.goals().success;
    if n == 0 {
        let text = "it has no success goals: no run can succeed";
        return Outcome::Found(vec![Finding::new(Kind::NoGoals, text).about("success")]);
    }
    Outcome::holds(counted(n, "goal"))
}
