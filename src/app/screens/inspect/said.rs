//! What was said around the step under the cursor, as lines of the middle pane: messages, thoughts, what was made of a
//! reply, what of an observation the world denies, what critics claim, what it took.

use serde_json::Value;

use crate::app::glyph;
use crate::app::parts::steps::{Row, What};
use crate::app::role::Role;
use crate::task::episode::{Body, Event, Said};

use super::detail::{Line, line, marked};
use super::heard;
use super::loaded::Loaded;

/// Everything that was said between the step before and this one.
pub(super) fn before(loaded: &Loaded, event: &Event, lines: &mut Vec<Line>) {
    let all = heard::around(loaded.run.recorded(), event.seq);
    for event in &all {
        let Body::Remark(said) = &event.body else {
            continue;
        };
        thoughts(said, lines);
        let by = if said.by.is_empty() {
            said.kind.id()
        } else {
            &said.by
        };
        lines.push(line(format!("{by}:"), Role::Title));
        lines.extend(said.text.lines().map(|text| line(text, Role::Text)));
        denied(loaded, event.seq, lines);
        made(said, lines);
    }
    if all.is_empty() {
        lines.push(line("nothing was said before this step", Role::Dim));
    }
    if let Some(spent) = loaded.spent.get(&event.seq) {
        let cost = spent
            .cost
            .map_or_else(String::new, |cost| format!(", ${cost:.4}"));
        let (read, wrote, ms) = (spent.tokens_in, spent.tokens_out, spent.total_ms);
        let text = format!("took {ms} ms, {read} tokens read, {wrote} written{cost}");
        lines.push(line(text, Role::Dim));
    }
}

/// What was thought before something was said.
pub(super) fn thoughts(said: &Said, lines: &mut Vec<Line>) {
    for name in ["reasoning", "thought"] {
        if let Some(text) = heard::field(said, name) {
            lines.push(line(format!("thinks: {text}"), Role::Dim));
        }
    }
}

/// What was made of a reply: the deeds read from it, what was wrong with it.
fn made(said: &Said, lines: &mut Vec<Line>) {
    let data = said
        .data
        .as_deref()
        .and_then(|it| serde_json::from_str::<Value>(it).ok());
    let Some(data) = data else { return };
    let texts = |name: &str| -> Vec<String> {
        let list = data.get(name).and_then(Value::as_array);
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    };
    lines.extend(
        texts("deeds")
            .iter()
            .map(|deed| line(format!("calls {deed}"), Role::Text)),
    );
    lines.extend(
        texts("notes")
            .iter()
            .map(|note| line(format!("note {note}"), Role::Dim)),
    );
    let why = data.get("problem").and_then(|it| it.get("why")?.as_str());
    lines.extend(why.map(|why| marked(glyph::FALSE, format!("not read: {why}"), Role::Refused)));
    let failure = data.get("failure").and_then(Value::as_str);
    lines.extend(failure.map(|it| marked(glyph::FALSE, format!("failed: {it}"), Role::Refused)));
}

/// What of an observation the world denies.
pub(super) fn denied(loaded: &Loaded, seq: u32, lines: &mut Vec<Line>) {
    let all = loaded.denials.get(&seq);
    lines.extend(all.into_iter().flatten().map(|it| Line {
        node: Some(it.node),
        ..marked(
            glyph::DIFFERS,
            format!("told {}: world says {}", it.said, it.world),
            Role::Bad,
        )
    }));
}

/// What critics claim about the step.
pub(super) fn claims(loaded: &Loaded, row: &Row, lines: &mut Vec<Line>) {
    if !matches!(row.what, What::Start | What::Step) {
        return;
    }
    let all = loaded.claims.get(&row.pos);
    lines.extend(all.into_iter().flatten().map(|it| {
        let (sign, role) = match it.verdict.as_str() {
            "confirmed" => (glyph::HOLDS, Role::Good),
            "refuted" => (glyph::FALSE, Role::Bad),
            _ => (glyph::UNKNOWN, Role::Dim),
        };
        let evidence = match it.evidence.as_str() {
            "" => String::new(),
            why => format!(": {why}"),
        };
        let text = format!("critic “{}” {}{evidence}", it.text, it.verdict);
        marked(sign, text, role)
    }));
}
