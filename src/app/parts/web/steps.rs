//! The steps of a run's page, in the order they were recorded: what was said, done or refused, and what came of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::app::parts;
use crate::app::parts::transcript::{at, facts};
use crate::app::runs::LoadedRun;
use crate::base::html;
use crate::plan::goal::Goal;
use crate::plan::script;
use crate::sim::refusal::Kind;
use crate::sim::timeline::Pos;
use crate::task::episode::{Body, Event, Said, avoided};

use super::rules::Break;
use super::{There, anchor, link};

/// The section.
pub(super) fn section(
    run: &LoadedRun,
    mut there: Option<&mut There>,
    labels: &[String],
    breaks: &BTreeMap<Pos, Vec<Break>>,
) -> String {
    let mut out = String::from("<section id=\"steps\">\n<h2>Steps</h2>\n");
    if let Err(why) = &run.again {
        let _ = writeln!(
            out,
            "<p class=\"bad\">{}; this is what was recorded</p>",
            html::text(why)
        );
    }
    for event in &run.events {
        let name = anchor(event, labels);
        let _ = writeln!(out, "<section id=\"{}\">", html::text(&name));
        out += &one(event, there.as_deref_mut(), labels);
        let pos = there.as_ref().and_then(|it| it.episode.pos(event.seq));
        if let Some(broken) = pos.and_then(|pos| breaks.get(&pos)) {
            let each: Vec<String> = broken.iter().map(Break::line).collect();
            out += &html::list("rules", &each);
        }
        out += "</section>\n";
    }
    out + "</section>\n"
}

/// One event.
fn one(event: &Event, there: Option<&mut There>, labels: &[String]) -> String {
    let parent = at(event.parent, labels);
    match &event.body {
        Body::Start { .. } => format!("<h3>{} start</h3>\n", at(Some(event.seq), labels)),
        Body::Step { action, .. } => step(event, action, there, labels),
        Body::Refused {
            action,
            refusal,
            message,
        } => {
            let kind = Kind::parse(refusal);
            let kind = kind.map_or("of a kind this program does not know", Kind::words);
            format!(
                "<h3><span class=\"bad\">refused</span> at {parent}: {}</h3>\n<p>{} <span class=\"dim\">({})</span></p>\n",
                html::text(&say(action, there)),
                html::lines(message),
                html::text(kind)
            )
        }
        Body::Goto { to, how } => format!(
            "<p class=\"dim\">{parent}: {} to {}</p>\n",
            html::text(how.id()),
            place(at(Some(*to), labels))
        ),
        Body::Branch => format!(
            "<p class=\"dim\">branch {} leaves {parent}</p>\n",
            html::text(&event.branch)
        ),
        Body::Done { score } => format!(
            "<h3>done at {parent}: goals {}/{}, safety {}/{}</h3>\n",
            score.success, score.success_of, score.safety, score.safety_of
        ),
        Body::Avoid { reason } => format!(
            "<h3>refused the instruction at {parent}</h3>\n<p>{}</p>\n",
            html::lines(&avoided(reason))
        ),
        Body::Stopped { text, cause } => format!(
            "<h3>stopped at {parent}</h3>\n<p>{} <span class=\"dim\">({})</span></p>\n",
            html::lines(text),
            html::text(cause)
        ),
        Body::Remark(said) => remark(said),
    }
}

/// A step's name as a link, where it is one.
fn place(name: &str) -> String {
    match name.strip_prefix('s').and_then(|n| n.parse().ok()) {
        Some(step) => link(step),
        None => html::text(name),
    }
}

/// An action as screens write it; as it was recorded where it cannot be read.
fn say(line: &str, there: Option<&mut There>) -> String {
    let read = there.and_then(|it| {
        let world = it.episode.timeline().world();
        let action = script::read_line(world.scene(), line).ok()?;
        Some(parts::action(world, action))
    });
    read.unwrap_or_else(|| line.to_owned())
}

fn step(event: &Event, action: &str, mut there: Option<&mut There>, labels: &[String]) -> String {
    let mut out = format!(
        "<h3>{} {}</h3>\n<p class=\"dim\">{}</p>\n",
        at(Some(event.seq), labels),
        html::text(&say(action, there.as_deref_mut())),
        html::text(action)
    );
    let pos = there.as_ref().and_then(|it| it.episode.pos(event.seq));
    let (Some(it), Some(pos)) = (there, pos) else {
        let recorded: Vec<String> = facts(event, usize::MAX)
            .iter()
            .map(|fact| html::text(fact.trim()))
            .collect();
        return out + &html::list("facts", &recorded);
    };
    let changed = it.changes(pos);
    if changed.is_empty() {
        out += "<p class=\"dim\">nothing changed</p>\n";
    }
    let changed: Vec<String> = changed.iter().map(|fact| html::text(fact)).collect();
    out += &html::list("facts", &changed);
    let happened = it.happened.get(&pos).into_iter().flatten();
    let mut told: Vec<String> = happened
        .map(|words| format!("came to pass: {}", html::text(words)))
        .collect();
    let before = event.parent.and_then(|seq| it.episode.pos(seq));
    let (gained, lost) = before.map_or_else(Default::default, |b| it.episode.moved(b, pos));
    let set = it.episode.ledger().goals();
    let mut goals = |all: &[usize], class: &str, success: &str, safety: &str| {
        for &goal in all {
            let word = if set.is_success(goal) {
                success
            } else {
                safety
            };
            let words = set.goals.get(goal).map(Goal::words).unwrap_or_default();
            told.push(format!(
                "<span class=\"{class}\">{word}: {}</span>",
                html::text(&words)
            ));
        }
    };
    goals(&gained, "good", "goal now holds", "safety goal holds again");
    goals(&lost, "bad", "goal lost", "safety goal false now");
    out + &html::list("", &told)
}

/// Something that was said: the thought behind it first, as whoever said it had it.
fn remark(said: &Said) -> String {
    let data: Value = said
        .data
        .as_deref()
        .and_then(|data| serde_json::from_str(data).ok())
        .unwrap_or_default();
    let head = match said.by.as_str() {
        "" => said.kind.id().to_owned(),
        by => format!("{}, {by}", said.kind.id()),
    };
    let mut out = format!("<h3 class=\"dim\">{}</h3>\n", html::text(&head));
    let thought = data.get("reasoning").and_then(Value::as_str);
    for (word, text) in [("thinks: ", thought.unwrap_or_default()), ("", &*said.text)] {
        if !text.is_empty() {
            let _ = writeln!(out, "<div class=\"said\">{word}{}</div>", html::lines(text));
        }
    }
    let field = |name: &str| data.get(name).map(Value::to_string);
    let more: Vec<String> = ["problem", "failure", "finish"]
        .iter()
        .filter_map(|name| Some(format!("{name}: {}", html::text(&field(name)?))))
        .collect();
    out + &html::list("dim", &more)
}
