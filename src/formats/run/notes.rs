//! `notes.jsonl`: what people say about a run afterwards. Notes never change events; a later note about the same thing
//! replaces an earlier one for the reader, and both stay in the file.

use super::label::{self, Label};
use super::line::{After, Fields, Line, Lines, Wrong, read_lines};

/// The file's name inside a run's folder.
pub const NOTES_FILE: &str = "notes.jsonl";

/// One note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its number in the file.
    pub seq: u32,
    /// When it was written, RFC 3339 in UTC; empty when unknown.
    pub created: String,
    /// What it says.
    pub body: NoteBody,
    /// Fields this program does not know, as JSON text by name.
    pub extra: Vec<(String, String)>,
}

/// What a note says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteBody {
    /// A judgement about the task.
    Verdict(Verdict),
    /// A remark about the run or one of its positions.
    Comment {
        /// The position, by the `seq` of its event.
        at: Option<u32>,
        /// The text.
        text: String,
    },
    /// What went wrong in the run, as one reviewer sees it.
    Label(Label),
    /// A kind this program does not know; its fields are in [`Note::extra`].
    Other(String),
}

/// A judgement about a task's annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The judgement.
    pub verdict: Judgement,
    /// Why.
    pub reason: String,
    /// The goals meant, and what is wrong with each.
    pub goals: Vec<GoalFault>,
    /// The branch that shows it.
    pub witness: Option<Witness>,
}

/// A goal and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalFault {
    /// Where the goal stands in the task file, such as `safety[1]`.
    pub goal: String,
    /// The goal as the task file writes it.
    pub text: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// The branch and position that show what a verdict says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The branch.
    pub branch: String,
    /// The position, by the `seq` of its event.
    pub at: u32,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $item:ident = $word:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* $item),* }

        impl $name {
            /// All of them, in the order screens list them.
            pub const ALL: &'static [Self] = &[$(Self::$item),*];

            /// The name used in files.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$item => $word),* }
            }

            /// The one of that name.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|x| x.id() == text)
            }
        }
    };
}

words! {
    /// What a person thinks of a task.
    Judgement {
        /// It is right.
        Accept = "accept",
        /// It is worth keeping once mended.
        Fix = "fix",
        /// It is beyond mending.
        Reject = "reject",
    }
}

words! {
    /// What is wrong with a goal.
    Fault {
        /// It asks for the wrong thing.
        Wrong = "wrong",
        /// A goal that should be there is not.
        Missing = "missing",
        /// It can be read in several ways.
        Ambiguous = "ambiguous",
        /// No plan reaches it.
        Unreachable = "unreachable",
        /// Nothing.
        Ok = "ok",
    }
}

/// A note as a line, the line feed included.
pub fn note_line(note: &Note) -> String {
    let kind = match &note.body {
        NoteBody::Verdict(_) => "verdict",
        NoteBody::Comment { .. } => "comment",
        NoteBody::Label(_) => "label",
        NoteBody::Other(kind) => kind,
    };
    let mut line = Line::new(note.seq, kind);
    if !note.created.is_empty() {
        line.text("created", &note.created);
    }
    match &note.body {
        NoteBody::Verdict(v) => {
            line.text("verdict", v.verdict.id())
                .text("reason", &v.reason);
            let goals: Vec<serde_json::Value> = v
                .goals
                .iter()
                .map(|g| serde_json::json!({"goal": g.goal, "text": g.text, "fault": g.fault.id()}))
                .collect();
            line.raw("goals", &serde_json::Value::from(goals).to_string());
            let witness = v.witness.as_ref().map_or(
                serde_json::Value::Null,
                |w| serde_json::json!({"branch": w.branch, "at": w.at}),
            );
            line.raw("witness", &witness.to_string());
        }
        NoteBody::Comment { at, text } => {
            let at = at.map_or("null".to_owned(), |p| p.to_string());
            line.raw("at", &at).text("text", text);
        }
        NoteBody::Label(label) => label::write(label, &mut line),
        NoteBody::Other(_) => {}
    }
    for (name, json) in &note.extra {
        line.raw(name, json);
    }
    line.seal()
}

/// Reads `notes.jsonl`. Notes stand for themselves, so a damaged one is skipped and named, and the rest is used.
pub fn read_notes(bytes: &[u8]) -> Lines<Note> {
    read_lines(bytes, (NOTES_FILE, "note"), After::Skip, note)
}

fn note(mut fields: Fields) -> Result<Note, Wrong> {
    let seq = fields.want("seq", "a whole number from 0")?;
    let kind: String = fields.want("kind", "a text")?;
    let created = fields.may("created", "a text")?.unwrap_or_default();
    let body = match &*kind {
        "verdict" => NoteBody::Verdict(Verdict {
            verdict: word(
                &mut fields,
                "verdict",
                Judgement::ALL,
                Judgement::parse,
                Judgement::id,
            )?,
            reason: fields.may("reason", "a text")?.unwrap_or_default(),
            goals: goals(&mut fields)?,
            witness: witness(&mut fields)?,
        }),
        "comment" => NoteBody::Comment {
            at: fields
                .may::<Option<u32>>("at", "the seq of a position or null")?
                .flatten(),
            text: fields.want("text", "a text")?,
        },
        "label" => NoteBody::Label(label::read(&mut fields)?),
        _ => NoteBody::Other(kind),
    };
    Ok(Note {
        seq,
        created,
        body,
        extra: fields.rest(),
    })
}

fn word<T: Copy>(
    fields: &mut Fields,
    name: &str,
    all: &[T],
    parse: fn(&str) -> Option<T>,
    id: fn(T) -> &'static str,
) -> Result<T, Wrong> {
    let known: Vec<&str> = all.iter().map(|&t| id(t)).collect();
    let what = format!("one of {}", known.join(", "));
    let found: String = fields.want(name, &what)?;
    parse(&found).ok_or_else(|| Wrong::new(name, format!("is {found:?}; it should be {what}")))
}

fn goals(fields: &mut Fields) -> Result<Vec<GoalFault>, Wrong> {
    let list: Vec<Box<serde_json::value::RawValue>> = fields
        .may("goals", "a list of objects")?
        .unwrap_or_default();
    list.iter()
        .enumerate()
        .map(|(i, raw)| {
            let inside = |w: Wrong| Wrong::new(&format!("goals[{i}].{}", w.field), w.message);
            let mut goal = Fields::read(raw.get())
                .map_err(|e| Wrong::new(&format!("goals[{i}]"), e.to_string()))?;
            Ok(GoalFault {
                goal: goal.want("goal", "a text").map_err(inside)?,
                text: goal
                    .may("text", "a text")
                    .map_err(inside)?
                    .unwrap_or_default(),
                fault: word(&mut goal, "fault", Fault::ALL, Fault::parse, Fault::id)
                    .map_err(inside)?,
            })
        })
        .collect()
}

fn witness(fields: &mut Fields) -> Result<Option<Witness>, Wrong> {
    let Some(raw) = fields.take("witness").filter(|r| r.get() != "null") else {
        return Ok(None);
    };
    let inside = |w: Wrong| Wrong::new(&format!("witness.{}", w.field), w.message);
    let mut inner = Fields::read(raw.get()).map_err(|e| Wrong::new("witness", e.to_string()))?;
    Ok(Some(Witness {
        branch: inner.want("branch", "a text").map_err(inside)?,
        at: inner.want("at", "the seq of a position").map_err(inside)?,
    }))
}
