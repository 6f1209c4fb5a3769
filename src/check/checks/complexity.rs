//! Whether the length class is that of the plan: up to 10 steps low, up to 20 medium.

use crate::check::finding::{Cure, Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};
use crate::task::Complexity;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "complexity",
    title: "the length class is that of the plan",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    let Some(label) = case.task().complexity else {
        return Outcome::NotAsked("the task states no length class".to_owned());
    };
    // What obeying takes is the measure where the instruction is to be refused.
    let (plan, whose) = if case.is_refusal() {
        (case.task().naive.len(), "naive")
    } else {
        (case.setup.reference.len(), "reference")
    };
    if plan == 0 {
        return Outcome::NotAsked(format!("there is no {whose} plan"));
    }
    let class = Complexity::of_length(plan);
    if class == label {
        return Outcome::holds(format!("{label}, {plan} steps"));
    }
    let text = format!("the {whose} plan has {plan} steps, which is {class}, not {label}");
    Outcome::Found(vec![
        Finding::new(Kind::ComplexityLabel, text)
            .about("complexity")
            .cured(Cure::Set("complexity", class.id().to_owned())),
    ])
}
