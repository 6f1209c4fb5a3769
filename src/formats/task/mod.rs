//! Our own task files, version 1 (schema: `assets/schemas/task.schema.json`).
//!
//! An unknown version is refused; an unknown field is kept and, where it looks like a slip, named. Names of nodes are
//! not looked at here: [`crate::task::setup::prepare`] reads them against the scene. Start with [`read`] and [`write()`].

use std::fmt::Write as _;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::base::diag::Diagnostic;
use crate::formats::{Document, Format, Read, json, scripted};
use crate::plan::names::nearest;
use crate::sim::vocab::Profile;
use crate::task::{Complexity, Environment, SceneRef, Task};

mod checks;
pub mod patch;

pub(super) use checks::is_word;
use checks::{Risk, Semantics, Size, environment, filled, known_dialect, scene_file, sha256, word};

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
    "events",
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
    "profile",
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
    #[serde(default)]
    events: Vec<scripted::Raw>,
    #[serde(deserialize_with = "filled")]
    instruction: String,
    #[serde(deserialize_with = "environment")]
    environment: Environment,
    #[serde(default = "no_kind")]
    env_kind: String,
    #[serde(default)]
    risk: Vec<Risk>,
    #[serde(default)]
    complexity: Option<Size>,
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
    #[serde(default)]
    profile: Option<Semantics>,
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
    if bytes.trim_ascii_start().starts_with(b"[") {
        let d = Diagnostic::error("", "this is a list; a task is an object");
        let d = d.help("write one file a task, each with the field vesta_task");
        return Err(d.in_file(name));
    }
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
    if raw.twin_of.as_deref() == Some(raw.id.as_str()) {
        let d = Diagnostic::error("twin_of", "a task is not its own twin")
            .help("name the task without the trap, or write null");
        return Err(placed(bytes, d).in_file(name));
    }
    let json::Fields(all) = serde_json::from_slice(bytes).map_err(|e| fault(&e))?;
    let mut notes: Vec<Diagnostic> = checks::env_kind(&raw.env_kind)
        .map(|d| placed(bytes, d).in_file(name))
        .into_iter()
        .collect();
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
            events: self.events.into_iter().map(Into::into).collect(),
            instruction: self.instruction,
            environment: self.environment,
            env_kind: self.env_kind,
            risk: self.risk.into_iter().map(|r| r.0.to_owned()).collect(),
            complexity: self.complexity.map(|size| size.0),
            success: self.success,
            safety: self.safety,
            never: self.never,
            process_rules: self.process_rules,
            reference: self.reference,
            naive: self.naive,
            twin_of: self.twin_of,
            needs: self.profile.map(|p| p.0),
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
        scripted::write(&task.events),
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
        optional(task.needs.map(Profile::id)),
        task.provenance.clone(),
    ];
    let mut out = String::from("{");
    for (name, value) in FIELDS.iter().zip(&values) {
        let unsaid = match *name {
            "events" => task.events.is_empty(),
            "profile" => task.needs.is_none(),
            _ => false,
        };
        if unsaid {
            continue;
        }
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

/// Longest list of the provenance told in one line, in bytes; a longer one has a line an item.
const SHORT: usize = 48;

/// The provenance in words, a line a field, `source: EAI`; of a long list a line an item. Empty where nothing is told.
pub fn provenance_words(json: &str) -> Vec<String> {
    let word = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let words = |value: &serde_json::Value| -> Vec<String> {
        let serde_json::Value::Array(all) = value else {
            return vec![word(value)];
        };
        let items: Vec<String> = all.iter().map(word).collect();
        let joined = items.join(", ");
        if joined.len() <= SHORT {
            vec![joined]
        } else {
            items
        }
    };
    match serde_json::from_str(json) {
        Ok(serde_json::Value::Null) | Err(_) => Vec::new(),
        Ok(serde_json::Value::Object(fields)) => {
            let named = fields.iter().flat_map(|(name, value)| {
                let all = words(value).into_iter();
                all.map(move |item| format!("{name}: {item}"))
            });
            named.collect()
        }
        Ok(value) => words(&value),
    }
}

#[cfg(test)]
mod tests;
