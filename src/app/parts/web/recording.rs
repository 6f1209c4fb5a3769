//! A recording of another tool as a page: who spoke, thought, called and saw, turn by turn.

use std::fmt::Write as _;

use crate::base::html;
use crate::formats::trace::{Trace, Turn};

/// The page of recordings, one after the other.
pub fn page(all: &[Trace]) -> String {
    let title = match all {
        [one] if !one.id.is_empty() => one.id.as_str(),
        [_] => "a recording",
        _ => "recordings",
    };
    let each: String = all
        .iter()
        .enumerate()
        .map(|(i, t)| part(i + 1, t))
        .collect();
    html::page(title, &format!("<main>\n{each}</main>\n"))
}

fn part(n: usize, trace: &Trace) -> String {
    let id = if trace.id.is_empty() {
        "without a name"
    } else {
        &trace.id
    };
    let format = format!("{} {}", trace.format, trace.version);
    let facts = [
        ("format", format.trim()),
        ("task", &trace.task),
        ("model", &trace.model),
        ("agent", &trace.agent),
        ("begun", &trace.created),
        ("ended", &trace.outcome),
    ];
    let facts: Vec<(&str, String)> = facts
        .into_iter()
        .map(|(name, text)| (name, html::lines(text)))
        .collect();
    let scores: Vec<String> = trace
        .scores
        .iter()
        .map(|s| html::text(&format!("score {} {} {}", s.name, s.value, s.text)))
        .collect();
    let mut out = format!(
        "<article id=\"r{n}\">\n<h1>Recording {}</h1>\n{}{}",
        html::text(id),
        html::facts(&facts),
        html::list("", &scores)
    );
    for (i, turn) in trace.turns.iter().enumerate() {
        out += &one(&format!("r{n}t{}", i + 1), i + 1, turn);
    }
    out + "</article>\n"
}

fn one(anchor: &str, n: usize, turn: &Turn) -> String {
    let mut head = format!("{n} {}", turn.role.word());
    for more in [&turn.name, &turn.time] {
        if !more.is_empty() {
            head = format!("{head}, {more}");
        }
    }
    let mut out = format!(
        "<section id=\"{anchor}\">\n<h3>{}</h3>\n",
        html::text(&head)
    );
    let mut put = |before: &str, text: &str| {
        if !text.is_empty() {
            let _ = writeln!(
                out,
                "<div class=\"said\">{before}{}</div>",
                html::lines(text)
            );
        }
    };
    put("thinks: ", &turn.reasoning);
    put("", &turn.text);
    for call in &turn.calls {
        put("calls ", &format!("{} {}", call.name, call.arguments));
    }
    for seen in &turn.observations {
        put("sees: ", &seen.text);
    }
    out + "</section>\n"
}
