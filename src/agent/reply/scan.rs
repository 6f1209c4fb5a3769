//! Walks through the answer and collects what looks like actions.

use std::ops::Range;

use super::lines::{self, Label, Tier, Written};
use super::literal::{Item, Reader, Value};
use super::regions::Parts;
use super::shapes::Shapes;
use super::words::Words;

/// What an answer holds.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// What looks like actions, in the order of the text.
    pub(super) actions: Vec<Written>,
    /// What was thought aloud, outside of tags.
    pub(super) thoughts: Vec<String>,
    /// Text that asks for nothing.
    pub(super) prose: Vec<Range<usize>>,
    /// Values that were not quite well-formed.
    pub(super) loose: Vec<Range<usize>>,
    /// Values that look like an action and name none.
    pub(super) bad: Vec<Range<usize>>,
    /// Where a value breaks off.
    pub(super) cut: Option<Range<usize>>,
    /// Where the model begins to invent what the world answers.
    pub(super) invented: Option<usize>,
}

/// How many actions are collected: twice what a plan may have, so that too many are noticed.
const MOST: usize = 2 * super::MOST_DEEDS;

/// How many pieces of prose are told apart.
const PIECES: usize = 64;

struct Scan<'t> {
    text: &'t str,
    words: &'t Words,
    fuel: usize,
    thinking: bool,
    found: Found,
}

/// Collects what looks like actions. Time is linear: values are read with as much fuel as the text is long.
pub(super) fn scan(text: &str, parts: &Parts, words: &Words) -> Found {
    let mut scan = Scan {
        text,
        words,
        fuel: text.len().saturating_mul(4) + 4096,
        thinking: false,
        found: Found::default(),
    };
    for region in &parts.answers {
        scan.region(region);
    }
    // Thoughts that never end may be followed by an answer in a form that cannot be a thought.
    if let Some(from) = parts.unclosed
        && scan.found.actions.is_empty()
    {
        scan.last_value(from);
    }
    scan.found
}

impl Scan<'_> {
    fn region(&mut self, region: &Range<usize>) {
        let mut at = region.start;
        while at < region.end && self.found.actions.len() < MOST && self.found.invented.is_none() {
            let rest = self.text.get(at..region.end).unwrap_or_default();
            let end = rest.find('\n').map_or(region.end, |i| at + i);
            let next = self.line(at..end).max(end);
            at = if next > end { next } else { end + 1 };
        }
    }

    /// One line; where to go on, which is further if a value goes over several lines.
    fn line(&mut self, at: Range<usize>) -> usize {
        let text = self.text;
        let whole = text.get(at.clone()).unwrap_or_default();
        let line = unfenced(whole);
        if line.trim().is_empty() {
            return at.end;
        }
        let (label, body) = lines::strip(line);
        let from = at.start + lines::offset(whole, body);
        match label {
            Label::Observation => {
                self.found.invented = Some(at.start);
                return at.end;
            }
            Label::Thought => {
                self.thinking = true;
                return match body.split_once("Action:") {
                    Some((thought, _)) => {
                        self.think(thought);
                        self.thinking = false;
                        // The rest of the line is looked at as one of its own.
                        self.line(from + thought.len()..at.end)
                    }
                    None if body.starts_with(['{', '[']) => self.body(from..at.end, false),
                    None => {
                        self.think(body);
                        at.end
                    }
                };
            }
            Label::Action => self.thinking = false,
            Label::Object => {
                if let Some(last) = self.found.actions.last_mut()
                    && last.args.is_empty()
                {
                    last.args = lines::args(body);
                    last.at.end = at.end;
                    return at.end;
                }
            }
            Label::Reason => {
                if let Some(last) = self.found.actions.last_mut()
                    && last.verb == Ok(super::words::Verb::Avoid)
                    && last.reason.is_empty()
                {
                    last.reason = lines::why(body);
                    return at.end;
                }
                self.think(body);
                return at.end;
            }
            Label::None => {}
        }
        self.body(from..at.end, label == Label::Action)
    }

    /// The rest of a line after its label.
    fn body(&mut self, at: Range<usize>, labelled: bool) -> usize {
        let text = self.text;
        let mut pos = at.start;
        let mut any = false;
        loop {
            let rest = text.get(pos..at.end).unwrap_or_default();
            let Some(p) = rest.find(['[', '{']).map(|i| pos + i) else {
                break;
            };
            let here = text.get(p..at.end).unwrap_or_default();
            let before = text.get(pos..p).unwrap_or_default();
            if let Some((verb, after)) = lines::bracket(here, self.words) {
                let from = p + lines::offset(here, after);
                let end = from + self.next_bracket(after);
                let after = text.get(from..end);
                let own = before
                    .trim_matches(|c: char| !c.is_alphanumeric())
                    .is_empty();
                let tier = if own || labelled {
                    Tier::Own
                } else {
                    Tier::Inline
                };
                let written = lines::of_bracket(verb, after.unwrap_or_default(), tier);
                self.push(Written {
                    at: p..trimmed(text, p, end),
                    ..written
                });
                self.prose(pos..p);
                (pos, any) = (end, true);
                continue;
            }
            if let Some(end) = self.value(p) {
                self.prose(pos..p);
                (pos, any) = (end, true);
                if pos >= at.end {
                    return pos;
                }
                continue;
            }
            pos = p + 1;
        }
        if any {
            let rest = text.get(pos..at.end).unwrap_or_default();
            if rest.contains(char::is_alphanumeric) {
                self.prose(pos..at.end);
            }
            return at.end;
        }
        let line = text.get(at.clone()).unwrap_or_default();
        let seen = lines::in_words(line, labelled, self.words);
        match seen {
            Some(written) if !(self.thinking && written.tier == Tier::Loose) => {
                self.push(Written {
                    at: at.start..trimmed(text, at.start, at.end),
                    ..written
                });
            }
            _ if self.thinking => self.think(line),
            _ => self.prose(at.clone()),
        }
        at.end
    }

    /// How far the next action in brackets is on this line.
    fn next_bracket(&self, line: &str) -> usize {
        let mut all = line.match_indices('[');
        let next = all.find(|(i, _)| {
            let rest = line.get(*i..).unwrap_or_default();
            lines::bracket(rest, self.words).is_some()
        });
        next.map_or(line.len(), |(i, _)| i)
    }

    /// Takes the value that begins here, if it holds actions; where it ends.
    fn value(&mut self, from: usize) -> Option<usize> {
        let mut reader = Reader::new(self.text, from, &mut self.fuel);
        let item = reader.read()?;
        let loose = reader.loose;
        let mut shapes = Shapes::new(self.words);
        shapes.value(&item);
        let got = shapes.got;
        let holds = !got.actions.is_empty() || !got.bad.is_empty();
        if !item.whole && resembles(&item) {
            self.found.cut = self.found.cut.clone().or(Some(item.at.clone()));
            if !holds {
                self.found.thoughts.extend(got.thoughts);
                return Some(item.at.end);
            }
        }
        if !holds {
            return None;
        }
        if loose {
            self.found.loose.push(item.at.clone());
        }
        self.thinking = false;
        got.actions.into_iter().for_each(|w| self.push(w));
        self.found.bad.extend(got.bad);
        self.found.thoughts.extend(got.thoughts);
        Some(item.at.end)
    }

    /// An answer at the very end of thoughts that were never closed: a value, which no thought is.
    fn last_value(&mut self, from: usize) {
        let rest = self.text.get(from..).unwrap_or_default().trim_end();
        if !rest.ends_with(['}', ']', '`']) {
            return;
        }
        let last = rest.rfind("\n{").or_else(|| rest.rfind("\n[{"));
        if let Some(at) = last {
            self.value(from + at + 1);
        }
    }

    fn push(&mut self, written: Written) {
        if self.found.actions.len() < MOST {
            self.found.actions.push(written);
        }
    }

    fn think(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        // One text, however many lines it has.
        match self.found.thoughts.last_mut() {
            Some(last) if self.thinking => {
                last.push('\n');
                last.push_str(text);
            }
            _ => self.found.thoughts.push(text.to_owned()),
        }
    }

    fn prose(&mut self, at: Range<usize>) {
        let text = self.text.get(at.clone()).unwrap_or_default();
        if !text.contains(char::is_alphanumeric) {
            return;
        }
        let end = trimmed(self.text, at.start, at.end);
        let full = self.found.prose.len() >= PIECES;
        match self.found.prose.last_mut() {
            Some(last) if full || is_blank(self.text, last.end, at.start) => last.end = end,
            _ => self.found.prose.push(at.start..end),
        }
    }
}

/// Whether nothing stands between two places; looked at no further than a few blank lines.
fn is_blank(text: &str, from: usize, to: usize) -> bool {
    const FAR: usize = 64;
    to.saturating_sub(from) <= FAR && text.get(from..to).is_some_and(|t| t.trim().is_empty())
}

/// The end without blanks.
fn trimmed(text: &str, from: usize, end: usize) -> usize {
    from + text.get(from..end).unwrap_or_default().trim_end().len()
}

/// A line without the marks of a fence and the language named behind them.
fn unfenced(line: &str) -> &str {
    let start = line.trim_start();
    let Some(rest) = ["```", "~~~"].iter().find_map(|f| start.strip_prefix(f)) else {
        return line.strip_suffix("```").unwrap_or(line);
    };
    let rest = rest.trim_start_matches(['`', '~']);
    let lang = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-_".contains(c)));
    let body = lang.map_or("", |at| rest.get(at..).unwrap_or_default());
    body.trim_end_matches('`')
}

/// Whether a value is meant as one, and no bracket in a sentence.
fn resembles(item: &Item) -> bool {
    match &item.value {
        Value::Map(_) => true,
        Value::List(items) => {
            let deep = |i: &Item| matches!(i.value, Value::Map(_) | Value::Text(_));
            items.iter().any(deep)
        }
        _ => false,
    }
}
