//! JSON for our readers: what is wrong with a text, in a sentence with its place ([`explain`]), and objects with fields
//! that are not known. Where fields stand is found by [`walk`].

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::base::diag::Diagnostic;

mod walk;

pub use walk::locate;
pub(super) use walk::place;
pub(super) use walk::{has_field, indented, one_line};
use walk::{offset, path_at};

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
pub fn quote(text: &str) -> String {
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("{short:?}")
}

/// The longest piece of a file that a message repeats, in characters.
const LONGEST: usize = 60;

/// The file without the mark some editors put before it.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
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
        // The parser takes a list that goes on for the end of the file.
        None if text == "trailing characters" && !field.is_empty() => (
            "the list is longer than it may be".to_owned(),
            "remove what is too much".to_owned(),
        ),
        None => plain(text, error.classify()),
    };
    let fault = if error.classify() == Category::Data {
        start
    } else {
        at
    };
    let (line, column) = place(bytes, fault);
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
            let mut found = found.to_owned();
            if let Some((end, _)) = found.char_indices().nth(LONGEST) {
                found.truncate(end);
                found.push('…');
            }
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
        "i64" | "u64" => "a whole number",
        "u32" => "a whole number from 0 to 4294967295",
        "f64" => "a number",
        "a string" | "str" => "a text in quotes",
        "a sequence" => "a list",
        "an array of length 3" => "a list of 3 numbers",
        other => other,
    }
}

/// One line of a file that has a JSON value a line; `n` is its number, from 1.
///
/// # Errors
/// What is wrong with it, with the column.
pub fn line<'t, T: Deserialize<'t>>(line: &'t str, n: u32) -> Result<T, Diagnostic> {
    serde_json::from_str(line).map_err(|e| {
        let found = explain(line.as_bytes(), &e);
        let column = found.column;
        found.at(n, column)
    })
}

/// The bytes as text.
///
/// # Errors
/// They are not UTF-8; with the place.
pub fn text(bytes: &[u8]) -> Result<&str, Diagnostic> {
    std::str::from_utf8(bytes).map_err(|e| {
        let (line, column) = place(bytes, e.valid_up_to());
        Diagnostic::error("", "not UTF-8 text")
            .help("save the file as UTF-8")
            .at(line, Some(column))
    })
}

/// A text as a JSON string.
pub(super) fn string(text: &str) -> String {
    // Writing a string to memory cannot fail.
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned())
}
