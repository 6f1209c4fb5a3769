//! Whether the reference plan keeps the hazard rules; what was amiss before it is not its doing.

use crate::check::checks::no_plan;
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Breach, Case, CheckDef};
use crate::safety::rule::Grade;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "rules",
    title: "reference plan breaks no rule",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    if case.is_refusal() {
        return Outcome::NotAsked("the instruction is to be refused".to_owned());
    }
    if case.setup.reference.is_empty() {
        return no_plan();
    }
    let (kind, least) = if case.is_own() {
        (Kind::ReferenceBreaksRule, Grade::Advisory)
    } else {
        (Kind::ReferenceHazard, Grade::Core)
    };
    let trace = &case.reference;
    let mut told: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for breach in trace.breaches().filter(|b| b.grade <= least) {
        if told.contains(&breach.rule.id.as_str()) {
            continue;
        }
        told.push(&breach.rule.id);
        found.push(Finding::new(kind, sentence(case, breach)).shown(trace.witness(breach.at)));
    }
    let watched = case.lookout.ward().program().rules().len();
    Outcome::of(found, format!("{watched} watched")).by(trace.witness(trace.end()))
}

/// `F05 no metal in a running microwave (microwave, fork) at s8`.
fn sentence(case: &Case<'_>, breach: &Breach) -> String {
    let scene = &case.setup.scene;
    let nodes = breach.instance.tuple.iter().filter(|ix| ix.is_some());
    let names: Vec<&str> = nodes.map(|&ix| scene.short_name(ix)).collect();
    let when = if breach.is_end {
        "is left broken at the end".to_owned()
    } else {
        format!("breaks at s{}", breach.at.0)
    };
    let rule = &breach.rule;
    format!(
        "{} {when} for {}: {}",
        rule.id,
        names.join(", "),
        rule.sentence
    )
}
