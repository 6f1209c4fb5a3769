//! The fields of a task file whose text must be one of some, or of some form.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use super::RISKS;
use crate::base::diag::Diagnostic;
use crate::formats::{DIALECTS, dialect, json};
use crate::plan::names::nearest;
use crate::sim::vocab::Profile;
use crate::task::{Complexity, Environment};

/// A word that may become part of a file name.
pub(in crate::formats) fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 80
        && !text.starts_with('.')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

/// What is wrong with a text, and the cure.
type Fault = (String, String);

/// Reads a text and checks it while the parser still stands on it, so that messages point there.
fn checked<'de, D: Deserializer<'de>, T>(
    de: D,
    check: impl FnOnce(&str) -> Result<T, Fault>,
) -> Result<T, D::Error> {
    struct Check<F>(F);
    impl<T, F: FnOnce(&str) -> Result<T, Fault>> Visitor<'_> for Check<F> {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text in quotes")
        }
        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            (self.0)(text).map_err(|(message, cure)| json::wrong(message, &cure))
        }
    }
    de.deserialize_str(Check(check))
}

pub(super) fn word<'de, D: Deserializer<'de>>(de: D) -> Result<String, D::Error> {
    checked(de, |text| {
        if is_word(text) {
            return Ok(text.to_owned());
        }
        Err((
            format!("{} cannot name a task or suite", json::quote(text)),
            "use 1 to 80 letters, digits, _, - and dots, the first no dot".to_owned(),
        ))
    })
}

pub(super) fn filled<'de, D: Deserializer<'de>>(de: D) -> Result<String, D::Error> {
    checked(de, |text| {
        if text.trim().is_empty() {
            let cure = "say what the agent is asked to do".to_owned();
            return Err(("the text is empty".to_owned(), cure));
        }
        Ok(text.to_owned())
    })
}

pub(super) fn known_dialect<'de, D: Deserializer<'de>>(de: D) -> Result<String, D::Error> {
    checked(de, |text| {
        let known = || DIALECTS.iter().map(|d| d.id);
        let found = dialect(text).ok_or_else(|| unknown("dialect", text, known()))?;
        Ok(found.id.to_owned())
    })
}

pub(super) fn scene_file<'de, D: Deserializer<'de>>(de: D) -> Result<String, D::Error> {
    checked(de, |text| {
        let inside = !text.contains(['\\', '\0'])
            && text.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if inside {
            return Ok(text.to_owned());
        }
        Err((
            format!(
                "{} is no file name inside a scene folder",
                json::quote(text)
            ),
            "write the bare name, such as \"flat.json\"".to_owned(),
        ))
    })
}

pub(super) fn sha256<'de, D: Deserializer<'de>>(de: D) -> Result<String, D::Error> {
    checked(de, |text| {
        let digest = text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
        if text.is_empty() || digest {
            return Ok(text.to_ascii_lowercase());
        }
        Err((
            format!("{} is no SHA-256", json::quote(text)),
            "write 64 hex digits, or \"\" to accept any content".to_owned(),
        ))
    })
}

/// The kinds of trap there are; see the schema.
const ENV_KINDS: &[&str] = &[
    "none", "adj", "on", "loc", "wet", "pet", "occ", "dead", "open", "decoy", "dirty", "instr",
];

/// A kind of trap that is none of those there are. It is kept: nothing depends on it.
pub(super) fn env_kind(text: &str) -> Option<Diagnostic> {
    let known = || ENV_KINDS.iter().copied();
    if known().any(|k| k == text) {
        return None;
    }
    let (message, cure) = unknown("env_kind", text, known());
    Some(Diagnostic::warning("env_kind", message).help(cure))
}

pub(super) fn environment<'de, D: Deserializer<'de>>(de: D) -> Result<Environment, D::Error> {
    checked(de, |text| {
        let known = || Environment::ALL.iter().map(|e| e.id());
        Environment::parse(text).ok_or_else(|| unknown("environment", text, known()))
    })
}

/// A length class.
pub(super) struct Size(pub(super) Complexity);

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        checked(de, |text| {
            let known = || Complexity::ALL.iter().map(|c| c.id());
            let found = Complexity::parse(text);
            found
                .map(Self)
                .ok_or_else(|| unknown("complexity", text, known()))
        })
    }
}

/// A profile.
pub(super) struct Semantics(pub(super) Profile);

impl<'de> Deserialize<'de> for Semantics {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        checked(de, |text| {
            let known = || Profile::ALL.iter().map(|p| p.id());
            let found = Profile::parse(text);
            found
                .map(Self)
                .ok_or_else(|| unknown("profile", text, known()))
        })
    }
}

/// One of [`RISKS`].
pub(super) struct Risk(pub(super) &'static str);

impl<'de> Deserialize<'de> for Risk {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        checked(de, |text| {
            let found = RISKS.iter().find(|r| **r == text);
            found
                .map(|r| Self(r))
                .ok_or_else(|| unknown("risk", text, RISKS.iter().copied()))
        })
    }
}

fn unknown<'k>(what: &str, text: &str, known: impl Iterator<Item = &'k str> + Clone) -> Fault {
    let short: String = text.chars().take(64).collect();
    let cure = nearest(&short.to_lowercase(), known.clone()).map_or_else(
        || format!("known are {}", known.collect::<Vec<_>>().join(", ")),
        |n| format!("did you mean {n}?"),
    );
    (format!("unknown {what} {}", json::quote(text)), cure)
}
