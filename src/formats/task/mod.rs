//! Our own task files, version 1 (schema: `assets/schemas/task.schema.json`).
//!
//! An unknown version is refused; an unknown field is kept and, where it looks like a slip, named. Names of nodes are
//! not looked at here: [`crate::task::setup::prepare`] reads them against the scene. Start with [`read`] and [`write()`].

use std::fmt::Write as _;

use serde::de::{Deserializer, IgnoredAny};
use serde::{Deserialize, de};
use serde_json::value::RawValue;

use crate::base::diag::Diagnostic;
use crate::formats::{DIALECTS, Document, Format, Read, dialect, json};
use crate::plan::names::nearest;
use crate::task::{Complexity, Environment, SceneRef, Task};

/// Task files among the kinds of file.
pub const FORMAT: Format = Format {
    id: "task",
    title: "Vesta task",
    extensions: &["json"],
    sniff: |bytes| json::has_field(bytes, "vesta_task"),
    read: |name, bytes| {
        let (task, notes) = read(name, bytes)?;
        Ok((Document::Task(Box::new(task)), notes))
    },
};

/// The version this program reads and writes.
pub const VERSION: u64 = 1;

/// The risk categories a task may name.
pub const RISKS: &[&str] = &[
    "physical",
    "electrical",
    "health",
    "fire",
    "water",
    "security",
];

/// All fields of a task file, in the order they are written.
pub const FIELDS: &[&str] = &[
    "vesta_task",
    "id",
    "suite",
    "dialect",
    "scene",
    "init",
    "instruction",
    "environment",
    "env_kind",
    "risk",
    "complexity",
    "success",
    "safety",
    "never",
    "process_rules",
    "reference",
    "naive",
    "twin_of",
    "provenance",
];

#[derive(Deserialize)]
#[serde(expecting = "a task: an object with the field vesta_task")]
struct Version {
    vesta_task: u64,
}

#[derive(Deserialize)]
#[serde(expecting = "a task: an object with the field vesta_task")]
struct Raw<'f> {
    #[serde(rename = "vesta_task")]
    _version: IgnoredAny,
    #[serde(deserialize_with = "word")]
    id: String,
    #[serde(deserialize_with = "word")]
    suite: String,
    #[serde(deserialize_with = "known_dialect")]
    dialect: String,
    scene: RawScene,
    #[serde(default)]
    init: Vec<String>,
    #[serde(deserialize_with = "filled")]
    instruction: String,
    #[serde(deserialize_with = "environment")]
    environment: Environment,
    #[serde(default = "no_kind")]
    env_kind: String,
    #[serde(default)]
    risk: Vec<Risk>,
    #[serde(default, deserialize_with = "complexity")]
    complexity: Option<Complexity>,
    success: Vec<String>,
    safety: Vec<String>,
    #[serde(default)]
    never: Vec<String>,
    #[serde(default)]
    process_rules: Vec<String>,
    #[serde(default)]
    reference: Vec<String>,
    #[serde(default)]
    naive: Vec<String>,
    #[serde(default)]
    twin_of: Option<String>,
    #[serde(default, borrow)]
    provenance: Option<&'f RawValue>,
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the fields file and sha256"
)]
struct RawScene {
    #[serde(deserialize_with = "scene_file")]
    file: String,
    #[serde(default, deserialize_with = "sha256")]
    sha256: String,
}

/// Reads a task; `name` is the file's, for messages.
///
/// # Errors
/// One sentence: file, line, field, what is wrong, what to do.
pub fn read(name: &str, bytes: &[u8]) -> Result<Read<Task>, Diagnostic> {
    let bytes = json::without_mark(bytes);
    let fault = |e: &serde_json::Error| json::explain(bytes, e).in_file(name);
    let version: Version = serde_json::from_slice(bytes).map_err(|e| fault(&e))?;
    if version.vesta_task != VERSION {
        let d = Diagnostic::error(
            "vesta_task",
            format!("version {} is not known", version.vesta_task),
        )
        .help(format!(
            "this program reads version {VERSION}; a newer one may read this file"
        ));
        return Err(placed(bytes, d).in_file(name));
    }
    let raw: Raw<'_> = serde_json::from_slice(bytes).map_err(|e| fault(&e))?;
    let json::Fields(all) = serde_json::from_slice(bytes).map_err(|e| fault(&e))?;
    let mut notes = Vec::new();
    let mut extra = Vec::new();
    for (field, raw) in all {
        if FIELDS.contains(&&*field) {
            continue;
        }
        if let Some(meant) = nearest(&field, FIELDS.iter().copied()) {
            let d = Diagnostic::warning(&*field, "this field is not known and only kept")
                .help(format!("did you mean {meant}?"));
            notes.push(placed(bytes, d).in_file(name));
        }
        extra.push((field, json::one_line(raw.get())));
    }
    Ok((raw.task(extra), notes))
}

impl Raw<'_> {
    fn task(self, extra: Vec<(String, String)>) -> Task {
        Task {
            id: self.id,
            suite: self.suite,
            dialect: self.dialect,
            scene: SceneRef {
                file: self.scene.file,
                sha256: self.scene.sha256,
            },
            init: self.init,
            instruction: self.instruction,
            environment: self.environment,
            env_kind: self.env_kind,
            risk: self.risk.into_iter().map(|r| r.0.to_owned()).collect(),
            complexity: self.complexity,
            success: self.success,
            safety: self.safety,
            never: self.never,
            process_rules: self.process_rules,
            reference: self.reference,
            naive: self.naive,
            twin_of: self.twin_of,
            provenance: self
                .provenance
                .map_or_else(|| "null".to_owned(), |raw| json::one_line(raw.get())),
            extra,
        }
    }
}

/// The diagnostic with the line and column of its field, where the file has it.
pub fn placed(bytes: &[u8], d: Diagnostic) -> Diagnostic {
    if d.line.is_some() {
        return d;
    }
    match json::locate(bytes, &d.field) {
        Some((line, column)) => d.at(line, Some(column)),
        None => d,
    }
}

/// Writes a task file: two blanks a level, fields always in the same order.
pub fn write(task: &Task) -> String {
    let text = json::string;
    let scene = format!(
        "{{\"file\": {}, \"sha256\": {}}}",
        text(&task.scene.file),
        text(&task.scene.sha256)
    );
    let optional = |word: Option<&str>| word.map_or_else(|| "null".to_owned(), json::string);
    let values = [
        VERSION.to_string(),
        text(&task.id),
        text(&task.suite),
        text(&task.dialect),
        scene,
        list(&task.init),
        text(&task.instruction),
        text(task.environment.id()),
        text(&task.env_kind),
        list(&task.risk),
        optional(task.complexity.map(Complexity::id)),
        list(&task.success),
        list(&task.safety),
        list(&task.never),
        list(&task.process_rules),
        list(&task.reference),
        list(&task.naive),
        optional(task.twin_of.as_deref()),
        task.provenance.clone(),
    ];
    let mut out = String::from("{");
    for (name, value) in FIELDS.iter().zip(&values) {
        let comma = if out.len() > 1 { "," } else { "" };
        let _ = write!(out, "{comma}\"{name}\":{value}");
    }
    for (name, raw) in &task.extra {
        let _ = write!(out, ",{}:{raw}", text(name));
    }
    out.push('}');
    let mut out = json::indented(&out, 0);
    out.push('\n');
    out
}

fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|i| json::string(i)).collect();
    format!("[{}]", items.join(","))
}

fn no_kind() -> String {
    "none".to_owned()
}

/// A word that may become part of a file name.
pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 80
        && !text.starts_with('.')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

fn word<'de, D: Deserializer<'de>>(de: D) -> Result<String, D::Error> {
    let text = String::deserialize(de)?;
    if is_word(&text) {
        Ok(text)
    } else {
        Err(json::wrong(
            format!("{} cannot name a task or suite", json::quote(&text)),
            "use 1 to 80 letters, digits, _, - and dots, the first no dot",
        ))
    }
}

fn filled<'de, D: Deserializer<'de>>(de: D) -> Result<String, D::Error> {
    let text = String::deserialize(de)?;
    if text.trim().is_empty() {
        return Err(json::wrong(
            "the text is empty",
            "say what the agent is asked to do",
        ));
    }
    Ok(text)
}

fn known_dialect<'de, D: Deserializer<'de>>(de: D) -> Result<String, D::Error> {
    let text = String::deserialize(de)?;
    if dialect(&text).is_some() {
        Ok(text)
    } else {
        Err(unknown("dialect", &text, DIALECTS.iter().map(|d| d.id)))
    }
}

fn scene_file<'de, D: Deserializer<'de>>(de: D) -> Result<String, D::Error> {
    let text = String::deserialize(de)?;
    let inside = !text.is_empty()
        && !text.contains(['\\', '\0'])
        && text.split('/').all(|part| !matches!(part, "" | "." | ".."));
    if inside {
        Ok(text)
    } else {
        Err(json::wrong(
            format!(
                "{} is no file name inside a scene folder",
                json::quote(&text)
            ),
            "write the bare name, such as \"flat.json\"",
        ))
    }
}

fn sha256<'de, D: Deserializer<'de>>(de: D) -> Result<String, D::Error> {
    let text = String::deserialize(de)?;
    if text.is_empty() || text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit()) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err(json::wrong(
            format!("{} is no SHA-256", json::quote(&text)),
            "write 64 hex digits, or \"\" to accept any content",
        ))
    }
}

fn environment<'de, D: Deserializer<'de>>(de: D) -> Result<Environment, D::Error> {
    let text = String::deserialize(de)?;
    Environment::parse(&text).ok_or_else(|| {
        unknown(
            "environment",
            &text,
            Environment::ALL.iter().map(|e| e.id()),
        )
    })
}

fn complexity<'de, D: Deserializer<'de>>(de: D) -> Result<Option<Complexity>, D::Error> {
    let Some(text) = Option::<String>::deserialize(de)? else {
        return Ok(None);
    };
    match Complexity::parse(&text) {
        Some(known) => Ok(Some(known)),
        None => Err(unknown(
            "complexity",
            &text,
            Complexity::ALL.iter().map(|c| c.id()),
        )),
    }
}

struct Risk(&'static str);

impl<'de> Deserialize<'de> for Risk {
    fn deserialize<D: Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        let text = String::deserialize(de)?;
        RISKS
            .iter()
            .find(|r| **r == text)
            .map(|r| Self(r))
            .ok_or_else(|| unknown("risk", &text, RISKS.iter().copied()))
    }
}

fn unknown<'k, E: de::Error>(
    what: &str,
    text: &str,
    known: impl Iterator<Item = &'k str> + Clone,
) -> E {
    let short: String = text.chars().take(64).collect();
    let cure = nearest(&short.to_lowercase(), known.clone()).map_or_else(
        || format!("known are {}", known.collect::<Vec<_>>().join(", ")),
        |n| format!("did you mean {n}?"),
    );
    json::wrong(format!("unknown {what} {}", json::quote(text)), &cure)
}

/// A task's provenance in words: `source: original · note: …`; empty where the task states none.
pub fn provenance_words(json: &str) -> String {
    let word = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let words = |value: &serde_json::Value| match value {
        serde_json::Value::Array(all) => all.iter().map(word).collect::<Vec<_>>().join(", "),
        other => word(other),
    };
    match serde_json::from_str(json) {
        Ok(serde_json::Value::Null) | Err(_) => String::new(),
        Ok(serde_json::Value::Object(fields)) => {
            let parts: Vec<String> = fields
                .iter()
                .map(|(name, value)| format!("{name}: {}", words(value)))
                .collect();
            parts.join(" · ")
        }
        Ok(value) => words(&value),
    }
}

#[cfg(test)]
mod tests;
