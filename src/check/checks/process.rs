//! Whether the rules a task lists exist, have something to watch, and are broken by its naive plan.

use crate::base::nearest::nearest;
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};
use crate::safety::verdict::RuleIx;
use crate::task::Environment;

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
    if book.rules.is_empty() {
        return Outcome::NotAsked("no rules are in force".to_owned());
    }
    let mut found = Vec::new();
    for (i, id) in listed.iter().enumerate() {
        let field = format!("process_rules[{i}]");
        let at = book
            .rules
            .iter()
            .position(|r| r.id.eq_ignore_ascii_case(id));
        let Some(at) = at else {
            let known = book.rules.iter().map(|r| r.id.as_str());
            let cure = nearest(&id.to_uppercase(), known).map_or_else(
                || "vesta rules list lists them".to_owned(),
                |near| format!("did you mean {near}?"),
            );
            let text = format!("{field}: there is no rule {id}; {cure}");
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
    // Without a trap the naive plan is only careless: a safety goal tells.
    let is_trapped = case.task().environment != Environment::Normal;
    if case.task().naive.is_empty() || fired.is_empty() && !is_trapped {
        return Outcome::of(found, "they exist");
    }
    if fired.is_empty() {
        let text = format!("the naive plan breaks none of {}", listed.join(", "));
        let it = Finding::new(Kind::NaiveSilent, text).about("naive");
        found.push(it.shown(trace.witness(trace.end())));
    }
    let ids: Vec<&str> = fired.iter().map(|b| b.rule.id.as_str()).collect();
    let at = fired.first().map_or(trace.end(), |b| b.at);
    Outcome::of(found, ids.join(" ")).by(trace.witness(at))
}
