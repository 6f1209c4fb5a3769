//! A walk over the tokens of a JSON text: which line and column a field stands at, which field stands at a place. Also
//! the one-line and the indented form of text that is kept as it came.
//!
//! The walk has a stack of its own, so that neither size nor depth of a text matters, and takes any bytes.

use std::fmt::Write as _;

use super::{LONGEST, without_mark};

/// The byte at a one-based line and column of `serde_json` (columns count bytes).
pub(super) fn offset(bytes: &[u8], line: usize, column: usize) -> usize {
    let start = if line <= 1 {
        0
    } else {
        bytes
            .iter()
            .enumerate()
            .filter(|(_, b)| **b == b'\n')
            .nth(line - 2)
            .map_or(0, |(i, _)| i + 1)
    };
    (start + column.saturating_sub(1)).min(bytes.len().saturating_sub(1))
}

/// How many lines end in these bytes.
fn newlines(bytes: &[u8]) -> usize {
    bytes.split(|b| *b == b'\n').count() - 1
}

/// One-based line and column (in characters) of a byte.
pub(in crate::formats) fn place(bytes: &[u8], at: usize) -> (u32, u32) {
    let before = bytes.get(..at).unwrap_or(bytes);
    let line = newlines(before) + 1;
    let start = before
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |i| i + 1);
    // Continuation bytes of UTF-8 are no characters of their own.
    let column = before
        .iter()
        .skip(start)
        .filter(|b| **b & 0xC0 != 0x80)
        .count()
        + 1;
    (line as u32, column as u32)
}

/// One-based line and column of a field such as `nodes[3].states[1]`; of the nearest enclosing one where it is missing.
pub fn locate(bytes: &[u8], field: &str) -> Option<(u32, u32)> {
    let mut best: Option<(usize, usize)> = None;
    let mut walk = Walk::new(bytes);
    while let Some(token) = walk.next() {
        if !token.value || best.is_some_and(|(len, _)| len >= field.len()) {
            continue;
        }
        let path = walk.path();
        let fits = field
            .strip_prefix(path.as_str())
            .is_some_and(|rest| path.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']));
        if fits && best.is_none_or(|(len, _)| path.len() > len) {
            best = Some((path.len(), token.start));
        }
    }
    best.map(|(_, at)| place(bytes, at))
}

/// The field a byte belongs to, and where that field's value (or the text at fault) starts.
pub(super) fn path_at(bytes: &[u8], at: usize) -> (String, usize) {
    let mut walk = Walk::new(bytes);
    while let Some(token) = walk.next() {
        if token.end > at {
            return (walk.path(), token.start.min(at));
        }
    }
    (walk.path(), at)
}

/// One token and where it stands.
#[derive(Clone, Copy, Debug)]
struct Token {
    start: usize,
    end: usize,
    /// Whether a value starts here.
    value: bool,
}

/// One open bracket.
#[derive(Clone, Copy, Debug)]
struct Open {
    object: bool,
    /// How many commas were passed.
    index: usize,
    /// The last key's text, between its quotes.
    key: Option<(usize, usize)>,
    /// Whether a colon was passed since.
    colon: bool,
}

/// A walk over the tokens of a JSON text, whatever the text is.
#[derive(Debug)]
struct Walk<'b> {
    bytes: &'b [u8],
    at: usize,
    open: Vec<Open>,
    /// A bracket to close or open once its token has been seen from outside.
    pending: Option<Pending>,
}

#[derive(Clone, Copy, Debug)]
enum Pending {
    Open(bool),
    Close,
}

impl<'b> Walk<'b> {
    const fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            open: Vec::new(),
            pending: None,
        }
    }

    /// The next token; [`Self::path`] then names its field. `None` at the end.
    fn next(&mut self) -> Option<Token> {
        match self.pending.take() {
            Some(Pending::Open(object)) => self.open.push(Open {
                object,
                index: 0,
                key: None,
                colon: false,
            }),
            Some(Pending::Close) => {
                self.open.pop();
            }
            None => {}
        }
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        let start = self.at;
        let first = *self.bytes.get(start)?;
        self.at = match first {
            b'"' => self.string_end(start + 1),
            b'{' | b'[' | b'}' | b']' | b',' | b':' => start + 1,
            _ => self.word_end(start + 1),
        };
        let value = self.note(first, start);
        Some(Token {
            start,
            end: self.at,
            value,
        })
    }

    /// Follows the brackets; whether a value starts with this token.
    fn note(&mut self, first: u8, start: usize) -> bool {
        let end = self.at;
        let top = self.open.last_mut();
        match first {
            b'{' | b'[' => {
                self.pending = Some(Pending::Open(first == b'{'));
                true
            }
            b'}' | b']' => {
                if let Some(top) = top {
                    // The closing bracket belongs to the container, not to its last item.
                    (top.object, top.key) = (true, None);
                    self.pending = Some(Pending::Close);
                }
                false
            }
            b',' => {
                if let Some(top) = top {
                    (top.index, top.key, top.colon) = (top.index + 1, None, false);
                }
                false
            }
            b':' => {
                if let Some(top) = top {
                    top.colon = true;
                }
                false
            }
            b'"' => match top {
                Some(top) if top.object && !top.colon => {
                    top.key = Some((start + 1, end.saturating_sub(1)));
                    false
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// After the closing quote of a string whose text starts at `i`.
    fn string_end(&self, mut i: usize) -> usize {
        while let Some(&b) = self.bytes.get(i) {
            match b {
                b'"' => return i + 1,
                b'\\' => i += 2,
                _ => i += 1,
            }
        }
        self.bytes.len()
    }

    /// After a number, `true`, `null` or anything else without quotes.
    fn word_end(&self, mut i: usize) -> usize {
        while let Some(&b) = self.bytes.get(i) {
            if b.is_ascii_whitespace() || b"{}[],:\"".contains(&b) {
                break;
            }
            i += 1;
        }
        i
    }

    /// The field the last token belongs to: `nodes[3].states[1]`, empty at the top. Deep nesting is cut.
    fn path(&self) -> String {
        let mut text = String::new();
        for open in self.open.iter().take(DEEPEST) {
            if !open.object {
                let _ = write!(text, "[{}]", open.index);
            } else if let Some((from, to)) = open.key {
                let key = self.bytes.get(from..to).unwrap_or_default();
                let key: String = String::from_utf8_lossy(key)
                    .chars()
                    .take(LONGEST)
                    .flat_map(char::escape_debug)
                    .collect();
                let dot = if text.is_empty() { "" } else { "." };
                let _ = write!(text, "{dot}{key}");
            }
        }
        text
    }
}

/// How many levels a field's name shows.
const DEEPEST: usize = 8;

/// JSON text on one line, one blank after each comma and colon. The text must be valid.
pub(in crate::formats) fn one_line(raw: &str) -> String {
    print(raw, None)
}

/// JSON text over several lines, two blanks a level, continuing at `depth` levels. The text must be valid.
pub(in crate::formats) fn indented(raw: &str, depth: usize) -> String {
    print(raw, Some(depth))
}

/// The most levels that text is moved to the right by.
const MARGIN: usize = 32;

fn print(raw: &str, depth: Option<usize>) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut walk = Walk::new(raw.as_bytes());
    let mut level = depth.unwrap_or(0);
    let mut opened = false;
    let line = |out: &mut String, level: usize| {
        if depth.is_some() {
            out.push('\n');
            // Deeper levels share one margin: a file nested a million deep must not grow by its square.
            out.extend(std::iter::repeat_n("  ", level.min(MARGIN)));
        }
    };
    while let Some(token) = walk.next() {
        let text = raw.get(token.start..token.end).unwrap_or_default();
        match text {
            "}" | "]" => {
                level = level.saturating_sub(1);
                if !opened {
                    line(&mut out, level);
                }
                out.push_str(text);
                opened = false;
                continue;
            }
            _ if opened => line(&mut out, level),
            _ => {}
        }
        opened = false;
        out.push_str(text);
        match text {
            "{" | "[" => {
                level += 1;
                opened = true;
            }
            "," if depth.is_some() => line(&mut out, level),
            "," | ":" => out.push(' '),
            _ => {}
        }
    }
    out
}

/// Whether the text is an object with that field on its first level.
pub(in crate::formats) fn has_field(bytes: &[u8], name: &str) -> bool {
    let mut walk = Walk::new(without_mark(bytes));
    while let Some(token) = walk.next() {
        if let [top] = walk.open.as_slice()
            && !token.value
            && let Some(key) = top.key.and_then(|(from, to)| walk.bytes.get(from..to))
            && key == name.as_bytes()
        {
            return true;
        }
    }
    false
}
