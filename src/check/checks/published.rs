//! Whether the published evaluator of imported tasks can ever score one.

use crate::check::checks::counted;
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};
use crate::plan::fact::Body;
use crate::plan::goal::{Ask, Goal};

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "published",
    title: "the published evaluator can score it",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    if case.task().suite != "eai" {
        return Outcome::NotAsked("the task is not of that collection".to_owned());
    }
    let is_edge =
        |goal: &Goal| matches!(&goal.ask, Ask::Fact(fact) if matches!(fact.body, Body::Edge(..)));
    let edges: Vec<usize> = (0..case.goals().goals.len())
        .filter(|&i| case.goals().goals.get(i).is_some_and(is_edge))
        .collect();
    if edges.len() < 2 {
        return Outcome::holds(counted(edges.len(), "relation goal"));
    }
    let mut found = Finding::new(
        Kind::UnscorablePublished,
        format!(
            "the published evaluator counts one relation goal at most, and this task has {}",
            edges.len()
        ),
    );
    let end = case.reference.end();
    let reached = case.reference.missed().next().is_none();
    if case.reference.runs() && reached {
        found = found.shown(case.reference.witness(end));
    }
    found.fields = edges.into_iter().map(|goal| case.field(goal)).collect();
    Outcome::Found(vec![found])
}
