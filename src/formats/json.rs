//! JSON with places: which line and column a field stands at, which field stands at a place, and what is wrong there
//! in a sentence. Also the one-line and the indented form of JSON text that is kept as it came.
//!
//! Works on tokens, with a stack of its own, so that neither size nor depth of a file matters.

use std::fmt::{self, Write as _};

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::base::diag::Diagnostic;

/// Separates the message from its cure inside the errors of our own readers.
const CURE: char = '\u{1f}';

/// An error for a reader of ours to raise: what is wrong, and the cure.
pub(super) fn wrong<E: serde::de::Error>(message: impl std::fmt::Display, cure: &str) -> E {
    E::custom(format!("{message}{CURE}{cure}"))
}

/// A JSON object as its fields in file order, values as they stand there.
pub(super) struct Fields<'f>(pub(super) Vec<(String, &'f RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        de.deserialize_map(Object)
    }
}

/// Text for a message: quoted, escaped, and cut when long.
pub(super) fn quote(text: &str) -> String {
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("{short:?}")
}

/// The longest piece of a file that a message repeats, in characters.
const LONGEST: usize = 60;

/// The file without the mark some editors put before it.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The diagnostic of a file that `serde_json` could not read.
pub(super) fn explain(bytes: &[u8], error: &serde_json::Error) -> Diagnostic {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Diagnostic::error("", "the file is empty")
            .help("give a file that was written completely");
    }
    let text = error.to_string();
    let text = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(message, _)| message);
    let at = offset(bytes, error.line(), error.column());
    let (field, start) = path_at(bytes, at);
    let (message, cure) = match text.split_once(CURE) {
        Some((message, cure)) => (message.to_owned(), cure.to_owned()),
        None => plain(text, error.classify()),
    };
    let place = if error.classify() == Category::Data {
        start
    } else {
        at
    };
    let (line, column) = line_column(bytes, place);
    Diagnostic::error(field, message)
        .help(cure)
        .at(line, Some(column))
}

/// The parser's words in ours, with a cure.
fn plain(text: &str, category: Category) -> (String, String) {
    let (message, cure) = match category {
        Category::Eof => (
            "the file ends too early".to_owned(),
            "it seems cut off: write or download it again",
        ),
        Category::Io => (text.to_owned(), ""),
        Category::Syntax if text == "trailing characters" => (
            "something follows the end of the JSON value".to_owned(),
            "keep one value a file",
        ),
        Category::Syntax if text.starts_with("recursion limit") => (
            "brackets are nested too deeply".to_owned(),
            "no field here needs more than a few levels",
        ),
        Category::Syntax => (
            format!("not valid JSON: {text}"),
            "correct the text there; commas, quotes and brackets are the usual suspects",
        ),
        Category::Data => return data(text),
    };
    (message, cure.to_owned())
}

/// Wrong types and missing fields.
fn data(text: &str) -> (String, String) {
    for start in ["invalid type: ", "invalid value: "] {
        if let Some((found, wanted)) = text
            .strip_prefix(start)
            .and_then(|rest| rest.rsplit_once(", expected "))
        {
            let found = if found == "sequence" { "list" } else { found };
            let found: String = found.chars().take(LONGEST).collect();
            return (
                format!("found {found}, expected {}", kind(wanted)),
                String::new(),
            );
        }
    }
    if let Some((found, wanted)) = text
        .strip_prefix("invalid length ")
        .and_then(|rest| rest.split_once(", expected "))
    {
        let message = format!("found a list of {found}, expected {}", kind(wanted));
        return (message, String::new());
    }
    let ticked = |start: &str| {
        text.strip_prefix(start)
            .and_then(|t| t.strip_suffix('`'))
            .map(str::to_owned)
    };
    if let Some(name) = ticked("missing field `") {
        return (format!("the field {name} is missing"), "add it".to_owned());
    }
    if let Some(name) = ticked("duplicate field `") {
        return (
            format!("the field {name} stands here twice"),
            "remove one of them".to_owned(),
        );
    }
    (text.chars().take(4 * LONGEST).collect(), String::new())
}

/// What was expected, in words.
fn kind(wanted: &str) -> &str {
    match wanted {
        "i64" | "u64" | "u32" => "a whole number",
        "f64" => "a number",
        "a string" | "str" => "a text in quotes",
        "a sequence" => "a list",
        "an array of length 3" => "a list of 3 numbers",
        other => other,
    }
}

/// The byte at a one-based line and column of `serde_json` (columns count bytes).
fn offset(bytes: &[u8], line: usize, column: usize) -> usize {
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
pub(super) fn newlines(bytes: &[u8]) -> usize {
    bytes.split(|b| *b == b'\n').count() - 1
}

/// One-based line and column (in characters) of a byte.
fn line_column(bytes: &[u8], at: usize) -> (u32, u32) {
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
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
        if fits && best.is_none_or(|(len, _)| path.len() > len) {
            best = Some((path.len(), token.start));
        }
    }
    best.map(|(_, at)| line_column(bytes, at))
}

/// The field a byte belongs to, and where that field's value (or the text at fault) starts.
fn path_at(bytes: &[u8], at: usize) -> (String, usize) {
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
pub(super) fn one_line(raw: &str) -> String {
    print(raw, None)
}

/// JSON text over several lines, two blanks a level, continuing at `depth` levels. The text must be valid.
pub(super) fn indented(raw: &str, depth: usize) -> String {
    print(raw, Some(depth))
}

fn print(raw: &str, depth: Option<usize>) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut walk = Walk::new(raw.as_bytes());
    let mut level = depth.unwrap_or(0);
    let mut opened = false;
    let line = |out: &mut String, level: usize| {
        if depth.is_some() {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", level));
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

/// A text as a JSON string.
pub(super) fn string(text: &str) -> String {
    // Writing a string to memory cannot fail.
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned())
}

/// Whether the text is an object with that field on its first level.
pub(super) fn has_field(bytes: &[u8], name: &str) -> bool {
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
