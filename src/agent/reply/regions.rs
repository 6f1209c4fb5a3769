//! Thoughts and answer: which parts of a reply are which.

use std::ops::Range;

/// The parts of a reply.
pub(super) struct Parts {
    /// Where it thinks, tags left out.
    pub(super) thoughts: Vec<Range<usize>>,
    /// Where it answers.
    pub(super) answers: Vec<Range<usize>>,
    /// Whether it never ends to think: where that begins.
    pub(super) unclosed: Option<usize>,
}

/// Tags around thoughts.
const THOUGHTS: [&str; 8] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "scratchpad",
    "reflection",
    "analysis",
];

/// Tags around the answer.
const ANSWERS: [&str; 6] = [
    "answer",
    "final_answer",
    "final",
    "output",
    "response",
    "action",
];

/// A tag.
struct Tag<'t> {
    name: &'t str,
    closes: bool,
    at: Range<usize>,
}

/// Parts thoughts from answers. A closing tag alone ends thoughts that began with the reply.
pub(super) fn part(text: &str) -> Parts {
    let mut parts = Parts {
        thoughts: Vec::new(),
        answers: Vec::new(),
        unclosed: None,
    };
    let (mut depth, mut from) = (0_usize, 0);
    for tag in tags(text, &THOUGHTS) {
        match (tag.closes, depth) {
            (false, 0) => {
                parts.answers.push(from..tag.at.start);
                from = tag.at.end;
                depth = 1;
            }
            (false, _) => depth += 1,
            (true, 0) => {
                // It thought from the beginning, without saying so; what seemed to be an answer was none.
                let first = parts.answers.first().map_or(from, |r| r.start);
                if parts.thoughts.is_empty() {
                    parts.answers.clear();
                    parts.thoughts.push(first..tag.at.start);
                } else {
                    parts.thoughts.push(from..tag.at.start);
                }
                from = tag.at.end;
            }
            (true, 1) => {
                parts.thoughts.push(from..tag.at.start);
                from = tag.at.end;
                depth = 0;
            }
            (true, _) => depth -= 1,
        }
    }
    if depth > 0 {
        parts.unclosed = Some(from);
        parts.thoughts.push(from..text.len());
    } else {
        parts.answers.push(from..text.len());
    }
    parts
}

/// Keeps of the answers what stands in answer tags, where there are any.
pub(super) fn narrow(text: &str, parts: &mut Parts) {
    let mut inside: Vec<Range<usize>> = Vec::new();
    for region in &parts.answers {
        let part = text.get(region.clone()).unwrap_or_default();
        let mut open: Option<usize> = None;
        for tag in tags(part, &ANSWERS) {
            if tag.closes {
                if let Some(from) = open.take() {
                    inside.push(region.start + from..region.start + tag.at.start);
                }
            } else {
                open = open.or(Some(tag.at.end));
            }
        }
        if let Some(from) = open {
            inside.push(region.start + from..region.end);
        }
    }
    let says = |r: &Range<usize>| !text.get(r.clone()).unwrap_or_default().trim().is_empty();
    if inside.iter().any(says) {
        parts.answers = inside;
    }
}

/// The tags of these names, in order. `[THINK]` is one too.
fn tags<'t>(text: &'t str, names: &'static [&'static str]) -> impl Iterator<Item = Tag<'t>> {
    text.match_indices(['<', '['])
        .filter_map(move |(at, open)| {
            let rest = text.get(at + 1..)?;
            let (closes, rest) = rest.strip_prefix('/').map_or((false, rest), |r| (true, r));
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
            let name = rest.get(..end)?;
            let shut = if open == "<" { '>' } else { ']' };
            // Square brackets name actions too; only thoughts come in them, and in capitals.
            let fits = open == "<" || name == "THINK";
            let known = names.iter().find(|n| n.eq_ignore_ascii_case(name))?;
            (fits && rest.get(end..)?.starts_with(shut)).then_some(Tag {
                name: known,
                closes,
                at: at..at + 1 + usize::from(closes) + end + 1,
            })
        })
        .filter(|tag| !tag.name.is_empty())
}
