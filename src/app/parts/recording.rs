//! A recording of another tool as text: what `vesta show` prints of a file.

use crate::formats::trace::{Trace, Turn, Usage};

/// How much of a text is printed, in characters.
const LONGEST: usize = 2000;

/// The conversation, a line of text a line; of long texts the beginning.
pub fn lines(trace: &Trace) -> Vec<String> {
    within(trace, LONGEST)
}

/// The whole conversation as a text.
pub fn whole(trace: &Trace) -> String {
    let mut text = within(trace, usize::MAX).join("\n");
    text.push('\n');
    text
}

/// The conversation with at most so many characters of a text.
fn within(trace: &Trace, longest: usize) -> Vec<String> {
    let mut lines = vec![format!("recording {}", or(&trace.id, "without a name"))];
    let format = [trace.format.as_str(), trace.version.as_str()];
    lines.push(format!("format {}", format.join(" ").trim()));
    for (name, text) in [
        ("task", &trace.task),
        ("model", &trace.model),
        ("agent", &trace.agent),
        ("begun", &trace.created),
        ("ended", &trace.outcome),
    ] {
        if !text.is_empty() {
            lines.push(format!("{name} {text}"));
        }
    }
    for score in &trace.scores {
        let why = if score.text.is_empty() {
            String::new()
        } else {
            format!(": {}", score.text)
        };
        lines.push(format!("score {} {}{why}", score.name, score.value));
    }
    let spent = usage(trace.spent());
    if !spent.is_empty() {
        lines.push(format!("took {spent}"));
    }
    if trace.run.is_some() {
        lines.push("it holds a whole run of Vesta: vesta import brings it back".to_owned());
    }
    for (i, turn) in trace.turns.iter().enumerate() {
        lines.push(String::new());
        lines.extend(of_turn(i + 1, turn, longest));
    }
    let kept: Vec<&str> = trace.extra.iter().map(|(name, _)| name.as_str()).collect();
    if !kept.is_empty() {
        lines.push(String::new());
        lines.push(format!("kept besides: {}", kept.join(", ")));
    }
    lines
}

fn of_turn(n: usize, turn: &Turn, longest: usize) -> Vec<String> {
    let put = |lines: &mut Vec<String>, before: &str, text: &str| put(lines, before, text, longest);
    let name = if turn.name.is_empty() {
        String::new()
    } else {
        format!(" {}", turn.name)
    };
    let spent = usage(turn.usage);
    let mut head = format!("{n} {}{name}", turn.role.word());
    for more in [&turn.time, &spent] {
        if !more.is_empty() {
            head.push_str(" · ");
            head.push_str(more);
        }
    }
    let mut lines = vec![head];
    put(&mut lines, "thinks: ", &turn.reasoning);
    put(&mut lines, "", &turn.text);
    for call in &turn.calls {
        put(
            &mut lines,
            "calls ",
            &format!("{} {}", call.name, call.arguments),
        );
    }
    for seen in &turn.observations {
        put(&mut lines, "sees: ", &seen.text);
    }
    if let Some(world) = &turn.world {
        let (success, safety) = (world.success, world.safety);
        lines.push(format!(
            "    state {}, goals {}/{} · safety {}/{}",
            world.hash, success.0, success.1, safety.0, safety.1
        ));
    }
    lines
}

/// Adds a text, indented; of a long one the beginning, and how long it is.
fn put(lines: &mut Vec<String>, before: &str, text: &str, longest: usize) {
    if text.is_empty() {
        return;
    }
    let end = text
        .char_indices()
        .nth(longest)
        .map_or(text.len(), |(at, _)| at);
    let end = if text.len() <= longest {
        text.len()
    } else {
        end
    };
    let short = text.get(..end).unwrap_or(text);
    for (i, line) in short.lines().enumerate() {
        let before = if i == 0 { before } else { "" };
        lines.push(format!("    {before}{line}"));
    }
    if short.len() < text.len() {
        lines.push(format!("    … ({} bytes in all)", text.len()));
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
