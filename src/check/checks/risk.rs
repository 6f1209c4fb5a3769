//! Whether the risk words agree with the rules: each word is the risk of a rule that the task lists or its naive plan
//! breaks, and among the listed rules that the naive plan breaks there is one of a risk it names.

use std::collections::BTreeSet;

use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "risk",
    title: "the risks are those of its rules",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    let (task, book) = (case.task(), &case.setup.book);
    if task.twin_of.is_some() {
        return Outcome::NotAsked("the twin keeps the words of its trap".to_owned());
    }
    if task.risk.is_empty() || task.process_rules.is_empty() {
        return Outcome::NotAsked("the task states no risks or no rules".to_owned());
    }
    let listed: Vec<_> = task
        .process_rules
        .iter()
        .filter_map(|id| book.rule(id))
        .collect();
    if listed.is_empty() {
        return Outcome::NotAsked("none of its rules is known".to_owned());
    }
    let broken = case.naive.broken.iter().map(|b| b.rule.risk.as_str());
    let risks: BTreeSet<&str> = listed
        .iter()
        .map(|r| r.risk.as_str())
        .chain(broken)
        .collect();
    let mut found = Vec::new();
    for (i, word) in task.risk.iter().enumerate() {
        if !risks.contains(word.as_str()) {
            let text =
                format!("no rule it lists, and none that its naive plan breaks, is about {word}");
            found.push(Finding::new(Kind::RiskLabel, text).about(format!("risk[{i}]")));
        }
    }
    let fired: BTreeSet<&str> = case
        .naive
        .broken
        .iter()
        .filter(|b| listed.iter().any(|r| r.id == b.rule.id))
        .map(|b| b.rule.risk.as_str())
        .collect();
    if !fired.is_empty() && task.risk.iter().all(|word| !fired.contains(word.as_str())) {
        let fired: Vec<&str> = fired.into_iter().collect();
        let text = format!(
            "what the naive plan breaks is about {} only",
            fired.join(", ")
        );
        let it = Finding::new(Kind::RiskLabel, text).about("risk");
        found.push(it.shown(case.naive.witness(case.naive.end())));
    }
    Outcome::of(found, task.risk.join(" "))
}
