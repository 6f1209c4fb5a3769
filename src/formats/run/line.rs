//! The line discipline of `events.jsonl` and `notes.jsonl`: one JSON object a line, ending in a checksum of the line
//! before it, and reading that trusts nothing.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use serde::de::{DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::base::diag::Diagnostic;
use crate::formats::json::{quote, string as text};

/// The longest line that is written and read, in bytes. An event holds one action with its changes, or one message of a
/// model.
pub const MAX_LINE: usize = 16 << 20;

/// The version of both line formats.
const VERSION: u32 = 1;

const SEAL: &str = ",\"crc\":\"";

/// A line being written: a JSON object that still lacks its end.
#[derive(Debug)]
pub(super) struct Line(String);

impl Line {
    /// `{"v":1,"seq":N,"kind":"…"`.
    pub(super) fn new(seq: u32, kind: &str) -> Self {
        Self(format!(
            "{{\"v\":{VERSION},\"seq\":{seq},\"kind\":{}",
            text(kind)
        ))
    }

    /// A field whose value is JSON already.
    pub(super) fn raw(&mut self, name: &str, json: &str) -> &mut Self {
        self.0.push(',');
        self.0.push_str(&text(name));
        self.0.push(':');
        self.0.push_str(json);
        self
    }

    /// A text field.
    pub(super) fn text(&mut self, name: &str, value: &str) -> &mut Self {
        self.raw(name, &text(value))
    }

    /// The finished line with its checksum and a line feed.
    pub(super) fn seal(mut self) -> String {
        let crc = crc32fast::hash(self.0.as_bytes());
        let _ = writeln!(self.0, "{SEAL}{crc:08x}\"}}");
        self.0
    }
}

/// The fields of one JSON object in order, unparsed. Duplicate names are an error, not a merge.
pub(super) struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    /// Reads an object.
    pub(super) fn read(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// Takes a field out.
    pub(super) fn take(&mut self, name: &str) -> Option<Box<RawValue>> {
        let at = self.0.iter().position(|(n, _)| n == name)?;
        Some(self.0.remove(at).1)
    }

    /// Takes a field out and reads it; `what` says what it should be.
    pub(super) fn want<T: DeserializeOwned>(&mut self, name: &str, what: &str) -> Result<T, Wrong> {
        let raw = self
            .take(name)
            .ok_or_else(|| Wrong::new(name, format!("is missing; it should be {what}")))?;
        as_type(name, &raw, what)
    }

    /// As [`Self::want`], but the field may be absent.
    pub(super) fn may<T: DeserializeOwned>(
        &mut self,
        name: &str,
        what: &str,
    ) -> Result<Option<T>, Wrong> {
        self.take(name)
            .map(|raw| as_type(name, &raw, what))
            .transpose()
    }

    /// What nobody took, as JSON text by name.
    pub(super) fn rest(self) -> Vec<(String, String)> {
        self.0
            .into_iter()
            .map(|(name, raw)| (name, raw.get().to_owned()))
            .collect()
    }
}

/// The longest value that a sentence repeats, in characters.
const LONGEST: usize = 40;

fn as_type<T: DeserializeOwned>(name: &str, raw: &RawValue, what: &str) -> Result<T, Wrong> {
    serde_json::from_str(raw.get()).map_err(|_| {
        let found: String = match raw.get().chars().nth(LONGEST) {
            None => raw.get().to_owned(),
            Some(_) => raw.get().chars().take(LONGEST).chain(['…']).collect(),
        };
        Wrong::new(name, format!("is {found}; it should be {what}"))
    })
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let (mut fields, mut seen) = (Vec::new(), BTreeSet::new());
                while let Some((name, raw)) = map.next_entry::<String, Box<RawValue>>()? {
                    if !seen.insert(name.clone()) {
                        return Err(A::Error::custom(format!(
                            "the field {} stands twice",
                            quote(&name)
                        )));
                    }
                    fields.push((name, raw));
                }
                Ok(Fields(fields))
            }
        }
        from.deserialize_map(Object)
    }
}

/// What is wrong with a field.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) field: String,
    pub(super) message: String,
}

impl Wrong {
    pub(super) fn new(field: &str, message: impl Into<String>) -> Self {
        Self {
            field: field.to_owned(),
            message: message.into(),
        }
    }
}

/// What a file of lines held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines<T> {
    /// The items, in file order.
    pub items: Vec<T>,
    /// How many bytes from the start of the file are whole; what follows was cut.
    pub good: usize,
    /// Whether the last whole line lacks its line feed, which an appending writer must add.
    pub open_end: bool,
    /// Whether the only fault is an end that was not written whole, so that a writer may cut it off and go on: an unfinished
    /// last line or, where later lines depend on each, lines without a right checksum and none with one after them, as a
    /// loss of power leaves them.
    pub torn: bool,
    /// What was cut or skipped, one sentence each.
    pub findings: Vec<Diagnostic>,
}

/// What to do after a line that cannot be used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// Later lines depend on it: stop.
    Stop,
    /// Lines are independent: go on with the next.
    Skip,
}

/// Reads a file of lines. `file` and `noun` are for the sentences; `read` gets the fields of a line whose checksum and
/// version are right.
pub(super) fn read_lines<T>(
    bytes: &[u8],
    names: (&str, &str),
    after: After,
    read: impl FnMut(Fields) -> Result<T, Wrong>,
) -> Lines<T> {
    read_lines_after(0, bytes, names, after, read)
}

/// As [`read_lines`], for what follows so many lines that were read before.
pub(super) fn read_lines_after<T>(
    before: usize,
    bytes: &[u8],
    (file, noun): (&str, &str),
    after: After,
    mut read: impl FnMut(Fields) -> Result<T, Wrong>,
) -> Lines<T> {
    let mut lines = Lines {
        items: Vec::new(),
        good: 0,
        open_end: false,
        torn: false,
        findings: Vec::new(),
    };
    let mut at = 0;
    for (i, chunk) in bytes.split_inclusive(|&b| b == b'\n').enumerate() {
        at += chunk.len();
        let (line, ended) = match chunk.strip_suffix(b"\n") {
            Some(line) => (line, true),
            None => (chunk, false),
        };
        match unseal(line).and_then(&mut read) {
            Ok(item) => {
                lines.items.push(item);
                lines.good = at;
                lines.open_end = !ended;
            }
            Err(wrong) => {
                let n = before + lines.items.len();
                let used = match (after, n) {
                    (After::Stop, 0) => format!("no {noun} can be used"),
                    (After::Stop, 1) => format!("only the first {noun} is used"),
                    (After::Stop, _) => format!("the first {n} {noun}s are used"),
                    (After::Skip, _) => "the line is skipped".to_owned(),
                };
                let unfinished = !ended && at == bytes.len();
                let wrong = if unfinished {
                    Wrong::new("", "cut off")
                } else {
                    wrong
                };
                let torn =
                    unfinished || (after == After::Stop && is_broken_end(line, &bytes[at..]));
                lines.torn = torn && lines.findings.is_empty();
                lines.findings.push(
                    Diagnostic::warning(wrong.field, wrong.message)
                        .help(used)
                        .in_file(file)
                        .at(u32::try_from(i + 1).unwrap_or(u32::MAX), None),
                );
                if after == After::Stop {
                    break;
                }
            }
        }
    }
    lines
}

/// Whether neither a line nor any after it has a right checksum.
fn is_broken_end(line: &[u8], rest: &[u8]) -> bool {
    std::iter::once(line)
        .chain(rest.split(|&b| b == b'\n'))
        .all(|line| sealed(line).is_err())
}

/// Checks length, checksum and version of a line, and yields its other fields.
fn unseal(line: &[u8]) -> Result<Fields, Wrong> {
    let text = sealed(line)?;
    let mut fields =
        Fields::read(text).map_err(|e| Wrong::new("", format!("the line is not JSON: {e}")))?;
    fields.take("crc");
    let version: u32 = fields.want("v", "a whole number")?;
    if version != VERSION {
        return Err(Wrong::new(
            "v",
            format!("version {version} is unknown; this program reads version {VERSION}"),
        ));
    }
    Ok(fields)
}

/// The text of a line whose length and checksum are right.
fn sealed(line: &[u8]) -> Result<&str, Wrong> {
    if line.len() > MAX_LINE {
        return Err(Wrong::new(
            "",
            format!(
                "{} bytes are too long for a line; the limit is {MAX_LINE}",
                line.len()
            ),
        ));
    }
    let no_seal = || Wrong::new("crc", "the line does not end in a checksum");
    let text = std::str::from_utf8(line).map_err(|_| Wrong::new("", "the line is not UTF-8"))?;
    let (before, seal) = text.rsplit_once(SEAL).ok_or_else(no_seal)?;
    let digits = seal.strip_suffix("\"}").ok_or_else(no_seal)?;
    let found = format!("{:08x}", crc32fast::hash(before.as_bytes()));
    if digits.len() != found.len() {
        return Err(no_seal());
    }
    if digits != found {
        let message = format!("the checksum is {digits}, the line gives {found}");
        return Err(Wrong::new("crc", message));
    }
    Ok(text)
}
