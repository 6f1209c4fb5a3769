//! A saved run as text: the header `run.json`, the events and the notes.
//!
//! A run is a folder; this module turns its files into values and back and knows nothing of folders. Files are
//! appended to, never edited, and every line carries its number and checksum, so a torn file is read up to the tear
//! and the reader is told. Fields this program does not know survive in headers and notes.

use std::fmt::Write as _;

use crate::base::diag::Diagnostic;
use crate::base::fold::StateHash;
use crate::task::SceneRef;

mod events;
mod label;
mod labels;
mod line;
mod notes;
pub mod survey;
#[cfg(test)]
mod tests;

pub use events::{EVENTS_FILE, EventReader, event_line, read_events};
pub use label::{Class, Label, class_id, parse_class};
pub use labels::{Labelled, read_labels, write_labels};
pub use line::{Lines, MAX_LINE};
pub use notes::{
    Fault, GoalFault, Judgement, NOTES_FILE, Note, NoteBody, Verdict, Witness, note_line,
    read_notes,
};

use crate::formats::json::string as text;
use line::{Fields, Wrong};

/// The header's name inside a run's folder.
pub const HEADER_FILE: &str = "run.json";

/// The version of the header.
pub const RUN_VERSION: u32 = 1;

/// The header of a run: everything that is fixed before its first step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The run's name: task, agent, time and six hex digits.
    pub id: String,
    /// When it was begun, RFC 3339 in UTC.
    pub created: String,
    /// The version of the program that recorded it.
    pub engine: String,
    /// The dialect of its world.
    pub dialect: String,
    /// The profile of its world.
    pub profile: String,
    /// Who acted, such as `human`.
    pub agent: String,
    /// The whole task, as the JSON text of a task file.
    pub task: String,
    /// The scene the task is set in, before the task's own changes; its bytes are kept beside the header.
    pub scene: SceneRef,
    /// The state hash at the start.
    pub start_hash: StateHash,
    /// The run and position this one was forked from.
    pub forked_from: Option<ForkedFrom>,
    /// How an agent was set up, as JSON text: see `agent::card`; `None` for a person who plays.
    pub player: Option<String>,
    /// Fields this program does not know, as JSON text by name.
    pub extra: Vec<(String, String)>,
}

/// Where a run was forked from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForkedFrom {
    /// The other run's id.
    pub run: String,
    /// The position there, by the `seq` of its event.
    pub at: u32,
}

impl Header {
    /// The id of the task, as far as it can be told.
    pub fn task_id(&self) -> Option<String> {
        Fields::read(&self.task).ok()?.want("id", "a text").ok()
    }
}

/// The header as `run.json`.
pub fn write_header(header: &Header) -> String {
    let mut out = format!("{{\n  \"vesta_run\": {RUN_VERSION}");
    let mut field = |name: &str, json: &str| {
        let _ = write!(out, ",\n  {}: {json}", text(name));
    };
    field("id", &text(&header.id));
    field("created", &text(&header.created));
    field("engine", &text(&header.engine));
    field("dialect", &text(&header.dialect));
    field("profile", &text(&header.profile));
    field("agent", &text(&header.agent));
    let (file, sha256) = (text(&header.scene.file), text(&header.scene.sha256));
    field(
        "scene",
        &format!("{{\"file\": {file}, \"sha256\": {sha256}}}"),
    );
    field("start_hash", &text(&header.start_hash.to_string()));
    if let Some(from) = &header.forked_from {
        let (run, at) = (text(&from.run), from.at);
        field("forked_from", &format!("{{\"run\": {run}, \"at\": {at}}}"));
    }
    if let Some(player) = &header.player {
        field("player", player);
    }
    for (name, json) in &header.extra {
        field(name, json);
    }
    field("task", header.task.trim());
    out.push_str("\n}\n");
    out
}

/// Reads `run.json`.
///
/// # Errors
/// One sentence about what makes the run unusable.
pub fn read_header(bytes: &[u8]) -> Result<Header, Diagnostic> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        Diagnostic::error("", format!("byte {} is not UTF-8", e.valid_up_to())).in_file(HEADER_FILE)
    })?;
    let fields = Fields::read(text).map_err(|e| {
        let (line, column) = (e.line() as u32, e.column() as u32);
        Diagnostic::error("", format!("not a JSON object: {e}"))
            .in_file(HEADER_FILE)
            .at(line, Some(column))
    })?;
    header(fields).map_err(|w| Diagnostic::error(w.field, w.message).in_file(HEADER_FILE))
}

fn header(mut fields: Fields) -> Result<Header, Wrong> {
    let version: u32 = fields.want("vesta_run", "the version, a whole number")?;
    if version != RUN_VERSION {
        let message = format!(
            "version {version} is unknown; this program reads version {RUN_VERSION}, use a newer one"
        );
        return Err(Wrong::new("vesta_run", message));
    }
    let start: String = fields.want("start_hash", "32 hex digits")?;
    let start_hash = StateHash::parse(&start).ok_or_else(|| {
        let message = format!("is {start:?}; it should be 32 hex digits");
        Wrong::new("start_hash", message)
    })?;
    let inner = |fields: &mut Fields, name: &str| -> Result<Option<Fields>, Wrong> {
        fields
            .take(name)
            .map(|raw| Fields::read(raw.get()).map_err(|e| Wrong::new(name, e.to_string())))
            .transpose()
    };
    let mut scene =
        inner(&mut fields, "scene")?.ok_or_else(|| Wrong::new("scene", "is missing"))?;
    let at = |outer: &str, w: Wrong| Wrong::new(&format!("{outer}.{}", w.field), w.message);
    let scene = SceneRef {
        file: scene.want("file", "a text").map_err(|w| at("scene", w))?,
        sha256: scene.want("sha256", "a text").map_err(|w| at("scene", w))?,
    };
    let forked_from = match inner(&mut fields, "forked_from")? {
        Some(mut from) => Some(ForkedFrom {
            run: from
                .want("run", "a text")
                .map_err(|w| at("forked_from", w))?,
            at: from
                .want("at", "the seq of a position")
                .map_err(|w| at("forked_from", w))?,
        }),
        None => None,
    };
    let task = fields
        .take("task")
        .filter(|raw| raw.get().starts_with('{'))
        .ok_or_else(|| Wrong::new("task", "is missing; it should be a task object"))?;
    Ok(Header {
        id: fields.want("id", "a text")?,
        created: fields.want("created", "a text")?,
        engine: fields.want("engine", "a text")?,
        dialect: fields.want("dialect", "a text")?,
        profile: fields.want("profile", "a text")?,
        agent: fields.want("agent", "a text")?,
        task: task.get().to_owned(),
        scene,
        start_hash,
        forked_from,
        player: fields.take("player").map(|raw| raw.get().to_owned()),
        extra: fields.rest(),
    })
}
