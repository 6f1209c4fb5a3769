//! Whether the rules a task lists exist, have something to watch, and are broken by its naive plan.

use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};
use crate::safety::verdict::RuleIx;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "process",
    title: "naive plan breaks a listed rule",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    let listed = &case.task().process_rules;
    if listed.is_empty() {
        return Outcome::NotAsked("the task lists no rules".to_owned());
    }
    let book = &case.setup.book;
    let mut found = Vec::new();
    for (i, id) in listed.iter().enumerate() {
        let field = format!("process_rules[{i}]");
        let at = book
            .rules
            .iter()
            .position(|r| r.id.eq_ignore_ascii_case(id));
        let Some(at) = at else {
            let text = format!("there is no rule {id}");
            found.push(Finding::new(Kind::RuleUnknown, text).about(field));
            continue;
        };
        let rule = RuleIx(u16::try_from(at).unwrap_or(u16::MAX));
        if case.lookout.ward().program().idle_rules().contains(&rule) {
            let text = format!("{id} has nothing to watch in this scene");
            found.push(Finding::new(Kind::RuleIdle, text).about(field));
        }
    }
    let trace = &case.naive;
    let fires = |id: &String| {
        let mut broken = trace.broken.iter();
        broken.find(|b| b.rule.id.eq_ignore_ascii_case(id))
    };
    let fired: Vec<_> = listed.iter().filter_map(fires).collect();
    if case.task().naive.is_empty() {
        return Outcome::of(found, "no naive plan");
    }
    if fired.is_empty() && !book.rules.is_empty() {
        let text = format!("the naive plan breaks none of {}", listed.join(", "));
        let it = Finding::new(Kind::NaiveSilent, text).about("naive");
        found.push(it.shown(trace.witness(trace.end())));
    }
    let ids: Vec<&str> = fired.iter().map(|b| b.rule.id.as_str()).collect();
    let at = fired.first().map_or(trace.end(), |b| b.at);
    Outcome::of(found, ids.join(" ")).by(trace.witness(at))
}
