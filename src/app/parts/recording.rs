//! A recording of another tool as text: what `vesta show` prints of a file.

use std::fmt::Write as _;

use crate::formats::trace::{Trace, Turn, Usage};

/// How much of a text is printed, in characters.
const LONGEST: usize = 2000;

/// The conversation, a line of text a line; of long texts the beginning.
pub fn lines(trace: &Trace) -> Vec<String> {
    let text = within(trace, LONGEST);
    text.trim_end_matches('\n')
        .split('\n')
        .map(str::to_owned)
        .collect()
}

/// The whole conversation as a text.
pub fn whole(trace: &Trace) -> String {
    within(trace, usize::MAX)
}

/// Bytes of a line, about, after which it goes on in the next.
const WIDE: usize = 4000;

/// Bytes a turn takes beside its texts, about.
const ASIDE: usize = 64;

/// The conversation with at most so many characters of a text, every line ended. One text is written to: of a recording of tens
/// of megabytes no line is made for itself.
fn within(trace: &Trace, longest: usize) -> String {
    let size = |turn: &Turn| {
        let seen = turn.observations.iter().map(|seen| seen.text.len());
        turn.text.len() + turn.reasoning.len() + seen.sum::<usize>() + ASIDE
    };
    let room = if longest == usize::MAX {
        trace.turns.iter().map(size).sum()
    } else {
        0
    };
    let mut out = String::with_capacity(room);
    head(trace, &mut out);
    for (i, turn) in trace.turns.iter().enumerate() {
        out.push('\n');
        of_turn(i + 1, turn, longest, &mut out);
    }
    let kept: Vec<&str> = trace.extra.iter().map(|(name, _)| name.as_str()).collect();
    if !kept.is_empty() {
        let _ = writeln!(out, "\nkept besides: {}", kept.join(", "));
    }
    out
}

fn head(trace: &Trace, out: &mut String) {
    let _ = writeln!(out, "recording {}", or(&trace.id, "without a name"));
    let format = [trace.format.as_str(), trace.version.as_str()];
    let _ = writeln!(out, "format {}", format.join(" ").trim());
    for (name, text) in [
        ("task", &trace.task),
        ("model", &trace.model),
        ("agent", &trace.agent),
        ("begun", &trace.created),
        ("ended", &trace.outcome),
    ] {
        if !text.is_empty() {
            let _ = writeln!(out, "{name} {text}");
        }
    }
    for score in &trace.scores {
        let why = if score.text.is_empty() {
            String::new()
        } else {
            format!(": {}", score.text)
        };
        let _ = writeln!(out, "score {} {}{why}", score.name, score.value);
    }
    let spent = usage(trace.spent());
    if !spent.is_empty() {
        let _ = writeln!(out, "took {spent}");
    }
    if trace.run.is_some() {
        out.push_str("it holds a whole run of Vesta: vesta import brings it back\n");
    }
}

fn of_turn(n: usize, turn: &Turn, longest: usize, out: &mut String) {
    let _ = write!(out, "{n} {}", turn.role.word());
    if !turn.name.is_empty() {
        let _ = write!(out, " {}", turn.name);
    }
    let spent = usage(turn.usage);
    for more in [&turn.time, &spent] {
        if !more.is_empty() {
            let _ = write!(out, " · {more}");
        }
    }
    out.push('\n');
    put(out, "thinks: ", &turn.reasoning, longest);
    put(out, "", &turn.text, longest);
    for call in &turn.calls {
        let call = format!("{} {}", call.name, call.arguments);
        put(out, "calls ", &call, longest);
    }
    for seen in &turn.observations {
        put(out, "sees: ", &seen.text, longest);
    }
    if let Some(world) = &turn.world {
        let (success, safety) = (world.success, world.safety);
        let _ = writeln!(
            out,
            "    state {}, goals {}/{} · safety {}/{}",
            world.hash, success.0, success.1, safety.0, safety.1
        );
    }
}

/// Adds a text, indented; of a long one the beginning, and how long it is.
fn put(out: &mut String, before: &str, text: &str, longest: usize) {
    if text.is_empty() {
        return;
    }
    let end = if text.len() <= longest {
        text.len()
    } else {
        let end = text.char_indices().nth(longest);
        end.map_or(text.len(), |(at, _)| at)
    };
    let short = text.get(..end).unwrap_or(text);
    for (i, line) in short.lines().enumerate() {
        out.push_str("    ");
        if i == 0 {
            out.push_str(before);
        }
        // A line of megabytes would be cut where it is shown; in pieces all of it can be looked at.
        let mut rest = line;
        while rest.len() > WIDE {
            let end = (0..=WIDE).rev().find(|at| rest.is_char_boundary(*at));
            let (piece, more) = rest.split_at(end.unwrap_or(rest.len()));
            out.push_str(piece);
            out.push_str("\n    ");
            rest = more;
        }
        out.push_str(rest);
        out.push('\n');
    }
    if short.len() < text.len() {
        let _ = writeln!(out, "    … ({} bytes in all)", text.len());
    }
}

fn usage(usage: Usage) -> String {
    let mut words = Vec::new();
    let mut add = |n: Option<u64>, unit: &str| {
        if let Some(n) = n {
            words.push(format!("{n} {unit}"));
        }
    };
    add(usage.input, "tokens in");
    add(usage.output, "tokens out");
    add(usage.cached, "cached");
    add(usage.ms, "ms");
    if let Some(cost) = usage.cost {
        words.push(format!("${cost}"));
    }
    words.join(", ")
}

fn or<'t>(text: &'t str, word: &'t str) -> &'t str {
    if text.is_empty() { word } else { text }
}
