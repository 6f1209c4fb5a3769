//! Reading JSON of others: objects with fields that are not known, texts that may be lists of parts, numbers of any kind.
//!
//! A file is parsed once, straight into the structures its reader wants; what it does not know is kept as text.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::model::{Extra, Usage};
use super::write::{List, Object};
use crate::base::diag::Diagnostic;
use crate::formats::json;

/// A structure with the named fields, all of which may be missing or `null`, and `extra` for every other. A field that
/// stands twice is an error: it cannot be told which is meant.
macro_rules! fields {
    ($(#[$meta:meta])* $name:ident<$l:lifetime> as $what:literal { $($field:ident: $kind:ty = $key:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Default)]
        pub(super) struct $name<$l> {
            $(pub(super) $field: Option<$kind>,)*
            pub(super) extra: crate::formats::trace::read::More<$l>,
        }

        impl<$l> serde::de::Deserialize<$l> for $name<$l> {
            fn deserialize<D: serde::de::Deserializer<$l>>(de: D) -> Result<Self, D::Error> {
                struct Object;
                impl<$l> serde::de::Visitor<$l> for Object {
                    type Value = $name<$l>;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($what)
                    }
                    fn visit_map<A: serde::de::MapAccess<$l>>(self, mut map: A) -> Result<$name<$l>, A::Error> {
                        let mut out = $name::default();
                        while let Some(key) = map.next_key::<crate::formats::trace::read::Text<$l>>()? {
                            match &*key.0 {
                                $($key => {
                                    if out.$field.is_some() {
                                        return Err(serde::de::Error::duplicate_field($key));
                                    }
                                    out.$field = map.next_value::<Option<$kind>>()?;
                                })*
                                _ => out.extra.0.push((key.0, map.next_value()?)),
                            }
                        }
                        out.extra.check()?;
                        Ok(out)
                    }
                }
                de.deserialize_map(Object)
            }
        }
    };
}
pub(super) use fields;

/// A text, borrowed where it has no escapes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Text<'f>(pub(super) Cow<'f, str>);

impl Text<'_> {
    pub(super) fn owned(self) -> String {
        self.0.into_owned()
    }
}

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text in quotes")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
            fn visit_string<E>(self, text: String) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text)))
            }
        }
        de.deserialize_str(Any)
    }
}

/// Fields nobody knows.
#[derive(Debug, Default)]
pub(super) struct More<'f>(pub(super) Vec<(Cow<'f, str>, &'f RawValue)>);

impl More<'_> {
    /// Whether every name stands once.
    pub(super) fn check<E: serde::de::Error>(&self) -> Result<(), E> {
        // Most objects have none or one; a set costs more than reading them.
        if self.0.len() < 2 {
            return Ok(());
        }
        let mut seen = BTreeSet::new();
        match self.0.iter().find(|(name, _)| !seen.insert(name)) {
            None => Ok(()),
            Some((name, _)) => Err(E::custom(format!("duplicate field `{name}`"))),
        }
    }

    /// As kept with a trace.
    pub(super) fn keep(self) -> Extra {
        let kept = self.0.into_iter();
        kept.map(|(name, raw)| (name.into_owned(), flat(raw.get())))
            .collect()
    }
}

/// JSON text without blanks between its tokens: the same value always gives the same text, which can stand in a line.
pub(super) fn flat(raw: &str) -> String {
    let bytes = raw.as_bytes();
    let mut out = String::with_capacity(raw.len());
    let (mut from, mut i) = (0, 0);
    while let Some(&b) = bytes.get(i) {
        match b {
            b'"' => {
                i = raw
                    .get(i..)
                    .map_or(bytes.len(), |rest| i + string_end(rest));
            }
            b' ' | b'\n' | b'\t' | b'\r' => {
                out.push_str(raw.get(from..i).unwrap_or_default());
                while bytes.get(i).is_some_and(u8::is_ascii_whitespace) {
                    i += 1;
                }
                from = i;
            }
            _ => i += 1,
        }
    }
    out.push_str(raw.get(from..).unwrap_or_default());
    out
}

/// Any JSON value, as it stands there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw<'f>(pub(super) &'f RawValue);

impl Raw<'_> {
    pub(super) fn keep(self) -> String {
        flat(self.0.get())
    }
}

impl<'de> Deserialize<'de> for Raw<'de> {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        <&'de RawValue>::deserialize(de).map(Self)
    }
}

/// A number of any kind, also one written as text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Number(pub(super) f64);

impl Number {
    /// As a count; what is negative or no number counts nothing.
    pub(super) fn count(self) -> u64 {
        // A cast of a float keeps to the range of its target.
        #[expect(clippy::cast_sign_loss, reason = "the cast keeps to the range")]
        let count = self.0 as u64;
        count
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }
            fn visit_u64<E>(self, n: u64) -> Result<Number, E> {
                Ok(Number(n as f64))
            }
            fn visit_i64<E>(self, n: i64) -> Result<Number, E> {
                Ok(Number(n as f64))
            }
            fn visit_f64<E>(self, n: f64) -> Result<Number, E> {
                Ok(Number(n))
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Number, E> {
                text.parse()
                    .map(Number)
                    .map_err(|_| E::custom(format!("{} is no number", json::quote(text))))
            }
        }
        de.deserialize_any(Any)
    }
}

/// A text, or a list of parts some of which are text.
#[derive(Debug)]
pub(super) enum Content<'f> {
    Text(Text<'f>),
    /// The parts as they stand there.
    Parts(Vec<&'f RawValue>),
    /// Something else, as JSON text.
    Other(String),
}

fields! {
    /// A part of a content, as far as most formats agree on it.
    Part<'f> as "a part: an object with the field type" {
        kind: Text<'f> = "type",
        text: Text<'f> = "text",
        reasoning: Text<'f> = "reasoning",
    }
}

/// What a content says.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) reasoning: String,
    /// The whole content as JSON text where it is more than a text.
    pub(super) raw: Option<String>,
}

impl<'de> Deserialize<'de> for Content<'de> {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Content<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of parts")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Content<'de>, E> {
                Ok(Content::Text(Text(Cow::Borrowed(text))))
            }
            fn visit_str<E>(self, text: &str) -> Result<Content<'de>, E> {
                Ok(Content::Text(Text(Cow::Owned(text.to_owned()))))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Content<'de>, A::Error> {
                let mut parts = Vec::new();
                while let Some(part) = seq.next_element()? {
                    parts.push(part);
                }
                Ok(Content::Parts(parts))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Content<'de>, A::Error> {
                let mut object = Object::new();
                while let Some((key, raw)) = map.next_entry::<Text<'de>, &'de RawValue>()? {
                    object.raw(&key.0, &flat(raw.get()));
                }
                Ok(Content::Other(object.end()))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Content<'de>, E> {
                Ok(Content::Other(value.to_string()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Content<'de>, E> {
                Ok(Content::Other(value.to_string()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Content<'de>, E> {
                Ok(Content::Other(value.to_string()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Content<'de>, E> {
                Ok(Content::Other(super::write::number(value)))
            }
        }
        de.deserialize_any(Any)
    }
}

impl Content<'_> {
    pub(super) fn said(self) -> Said {
        let parts = match self {
            Self::Text(text) => {
                return Said {
                    text: text.owned(),
                    ..Said::default()
                };
            }
            Self::Other(raw) => {
                return Said {
                    raw: Some(raw),
                    ..Said::default()
                };
            }
            Self::Parts(parts) => parts,
        };
        let mut said = Said::default();
        let mut list = List::new();
        for part in parts {
            list.raw(&flat(part.get()));
            // A part of another shape is kept, and says nothing.
            let Ok(part) = serde_json::from_str::<Part<'_>>(part.get()) else {
                continue;
            };
            let join = |to: &mut String, more: Option<Text<'_>>| {
                if let Some(more) = more {
                    if !to.is_empty() {
                        to.push('\n');
                    }
                    to.push_str(&more.0);
                }
            };
            join(&mut said.text, part.text);
            join(&mut said.reasoning, part.reasoning);
        }
        said.raw = Some(list.end());
        said
    }
}

fields! {
    /// Tokens and cost, by the names that formats give them.
    RawUsage<'f> as "an object with numbers of tokens" {
        input_tokens: Number = "input_tokens",
        output_tokens: Number = "output_tokens",
        prompt_tokens: Number = "prompt_tokens",
        completion_tokens: Number = "completion_tokens",
        cached_tokens: Number = "cached_tokens",
        input_tokens_cache_read: Number = "input_tokens_cache_read",
        cost_usd: Number = "cost_usd",
        total_cost: Number = "total_cost",
        total_cost_usd: Number = "total_cost_usd",
        total_prompt_tokens: Number = "total_prompt_tokens",
        total_completion_tokens: Number = "total_completion_tokens",
        total_cached_tokens: Number = "total_cached_tokens",
        latency_ms: Number = "latency_ms",
    }
}

impl RawUsage<'_> {
    /// The numbers.
    pub(super) fn usage(&self) -> Usage {
        let count = |all: [Option<Number>; 3]| all.into_iter().flatten().next().map(Number::count);
        Usage {
            input: count([
                self.input_tokens,
                self.prompt_tokens,
                self.total_prompt_tokens,
            ]),
            output: count([
                self.output_tokens,
                self.completion_tokens,
                self.total_completion_tokens,
            ]),
            cached: count([
                self.cached_tokens,
                self.input_tokens_cache_read,
                self.total_cached_tokens,
            ]),
            cost: self
                .cost_usd
                .or(self.total_cost)
                .or(self.total_cost_usd)
                .map(|n| n.0),
            ms: self.latency_ms.map(Number::count),
        }
    }

    /// The numbers, and what else there is.
    pub(super) fn keep(self) -> (Usage, Extra) {
        (self.usage(), self.extra.keep())
    }
}

/// An object's fields in order, each with its value.
#[derive(Debug)]
pub(super) struct Pairs<'f, T>(pub(super) Vec<(Cow<'f, str>, T)>);

impl<T> Default for Pairs<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<'de, T> {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        struct Object<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
            type Value = Pairs<'de, T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<'de, T>, A::Error> {
                let mut pairs = Vec::new();
                while let Some((key, value)) = map.next_entry::<Text<'de>, T>()? {
                    pairs.push((key.0, value));
                }
                Ok(Pairs(pairs))
            }
        }
        de.deserialize_map(Object(std::marker::PhantomData))
    }
}

/// Reads a whole file. Numbers that JSON does not know (`NaN`, `Infinity`), which Python writes all the same, are read as
/// `null` and named.
///
/// # Errors
/// What is wrong with it, with its place.
pub(super) fn parse<'f, T: Deserialize<'f>>(
    name: &str,
    bytes: &'f [u8],
    mended: &'f mut String,
    notes: &mut Vec<Diagnostic>,
) -> Result<T, Diagnostic> {
    let bytes = json::without_mark(bytes);
    let text = json::text(bytes).map_err(|d| d.in_file(name))?;
    if holds_no_number(text) && serde_json::from_str::<IgnoredAny>(text).is_err() {
        let (count, first) = mend(text, mended);
        if count > 0 {
            let (line, column) = first;
            notes.push(
                Diagnostic::warning(
                    "",
                    format!("{count} numbers are NaN or infinite, which JSON does not know"),
                )
                .help("they are read as null")
                .at(line, Some(column))
                .in_file(name),
            );
            return serde_json::from_str(mended)
                .map_err(|e| json::explain(mended.as_bytes(), &e).in_file(name));
        }
    }
    serde_json::from_str(text).map_err(|e| json::explain(bytes, &e).in_file(name))
}

/// Whether the text may hold a word that is no number.
fn holds_no_number(text: &str) -> bool {
    text.contains("NaN") || text.contains("Infinity")
}

/// The text with such words as `null`: how many, and the line and column of the first.
fn mend(text: &str, out: &mut String) -> (usize, (u32, u32)) {
    let (mut count, mut first) = (0, (1, 1));
    out.clear();
    out.reserve(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', 'N', 'I', '-']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        if after.starts_with('"') {
            let end = string_end(after);
            let (string, next) = after.split_at(end);
            out.push_str(string);
            rest = next;
            continue;
        }
        let word = ["-Infinity", "Infinity", "NaN"]
            .into_iter()
            .find(|word| after.starts_with(word));
        if let Some(word) = word {
            if count == 0 {
                first = json::place(text.as_bytes(), text.len() - after.len());
            }
            count += 1;
            out.push_str("null");
            rest = after.get(word.len()..).unwrap_or_default();
        } else {
            let mut chars = after.chars();
            out.extend(chars.next());
            rest = chars.as_str();
        }
    }
    out.push_str(rest);
    (count, first)
}

/// The end of a text in quotes that begins here.
fn string_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut i = 1;
    while let Some(&b) = bytes.get(i) {
        match b {
            b'"' => return i + 1,
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
    bytes.len()
}

/// The finding that a field is missing.
pub(super) fn missing(name: &str, field: &str, help: &str) -> Diagnostic {
    Diagnostic::error(field, "is missing")
        .help(help)
        .in_file(name)
}
