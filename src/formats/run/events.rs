//! `events.jsonl`: what happened in a run, one event a line.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::base::fold::StateHash;
use crate::plan::ledger::Score;
use crate::task::episode::{Body, Event, Move, Remark, Said};

use super::line::{After, Fields, Line, Lines, Wrong, read_lines_after};

/// The file's name inside a run's folder.
pub const EVENTS_FILE: &str = "events.jsonl";

/// An event as a line, the line feed included.
pub fn event_line(event: &Event) -> String {
    let mut line = Line::new(event.seq, event.body.kind());
    let parent = event.parent.map_or("null".to_owned(), |p| p.to_string());
    line.raw("parent", &parent).text("branch", &event.branch);
    match &event.body {
        Body::Branch => {}
        Body::Start { goals } => {
            line.raw("goals", &list(goals));
        }
        Body::Step {
            action,
            diff,
            goals,
        } => {
            line.text("action", action)
                .raw("diff", &list(diff))
                .raw("goals", &list(goals));
        }
        Body::Refused {
            action,
            refusal,
            message,
        } => {
            line.text("action", action)
                .text("refusal", refusal)
                .text("message", message);
        }
        Body::Goto { to, how } => {
            line.raw("to", &to.to_string()).text("how", how.id());
        }
        Body::Done { score } => {
            line.raw(
                "success",
                &format!("[{},{}]", score.success, score.success_of),
            )
            .raw("safety", &format!("[{},{}]", score.safety, score.safety_of));
        }
        Body::Avoid { reason } => {
            line.text("reason", reason);
        }
        Body::Stopped { cause, text } => {
            line.text("cause", cause).text("text", text);
        }
        Body::Remark(said) => {
            if !said.by.is_empty() {
                line.text("by", &said.by);
            }
            line.text("text", &said.text);
            if let Some(data) = &said.data {
                line.raw("data", data);
            }
        }
    }
    line.text("hash", &event.hash.to_string());
    line.seal()
}

fn list<T: Clone + Into<serde_json::Value>>(items: &[T]) -> String {
    serde_json::Value::from(items).to_string()
}

/// Reads `events.jsonl`. Events are used up to the first line that is cut off, damaged or out of place; the finding
/// says which. What is used is sound: numbered without gaps, begun by one start, every position named before.
pub fn read_events(bytes: &[u8]) -> Lines<Event> {
    EventReader::default().more(bytes)
}

/// Reads events as they are appended. It remembers what the next ones are held to, not the events themselves.
#[derive(Clone, Debug, Default)]
pub struct EventReader {
    before: Before,
    branches: VecDeque<Arc<str>>,
    lean: bool,
}

/// What is known of the events that were read.
#[derive(Clone, Debug, Default)]
struct Before {
    /// Of each event from `from` on, whether it made a position.
    positions: VecDeque<bool>,
    from: usize,
}

/// Events that a lean reader remembers.
const RECENT: usize = 4_096;

/// Names of branches that a lean reader remembers, so that events share them.
const BRANCHES: usize = 64;

impl EventReader {
    /// One that needs the same room however many events it reads. It believes an event that names one of long before.
    pub fn lean() -> Self {
        Self {
            lean: true,
            ..Self::default()
        }
    }

    /// A lean one for what follows so many events that it has not seen.
    pub fn after(events: u32) -> Self {
        Self {
            before: Before {
                from: events as usize,
                ..Before::default()
            },
            ..Self::lean()
        }
    }

    /// As [`read_events`], for what follows the bytes that were read before. The lines of findings count from the first
    /// of these bytes.
    pub fn more(&mut self, bytes: &[u8]) -> Lines<Event> {
        let names = (EVENTS_FILE, "event");
        let Self {
            before,
            branches,
            lean,
        } = self;
        read_lines_after(before.count(), bytes, names, After::Stop, |fields| {
            let event = event(fields, branches)?;
            in_place(before, &event)?;
            before.positions.push_back(event.body.makes_position());
            if *lean && before.positions.len() > RECENT {
                before.positions.pop_front();
                before.from += 1;
            }
            if *lean && branches.len() > BRANCHES {
                branches.pop_front();
            }
            Ok(event)
        })
    }
}

impl Before {
    fn count(&self) -> usize {
        self.from + self.positions.len()
    }

    /// Whether an event made a position, as far as that is remembered.
    fn is_position(&self, seq: u32) -> bool {
        let at = (seq as usize).checked_sub(self.from);
        at.is_none_or(|at| self.positions.get(at) == Some(&true))
    }
}

fn event(mut fields: Fields, branches: &mut VecDeque<Arc<str>>) -> Result<Event, Wrong> {
    let seq = fields.want("seq", WHOLE)?;
    let kind: String = fields.want("kind", "a text")?;
    let parent = fields.want::<Option<u32>>("parent", "the seq of a position or null")?;
    let branch: String = fields.want("branch", "a text")?;
    let hash: String = fields.want("hash", HASH)?;
    let hash = StateHash::parse(&hash)
        .ok_or_else(|| Wrong::new("hash", format!("is {hash:?}; it should be {HASH}")))?;
    let body = body(&kind, &mut fields)?;
    let branch = if let Some(known) = branches.iter().find(|b| ***b == *branch) {
        known.clone()
    } else {
        branches.push_back(branch.into());
        branches.back().cloned().unwrap_or_default()
    };
    Ok(Event {
        seq,
        parent,
        branch,
        body,
        hash,
    })
}

const WHOLE: &str = "a whole number from 0";
const HASH: &str = "32 hex digits";
const GOALS: &str = "a list of goal numbers";

fn body(kind: &str, fields: &mut Fields) -> Result<Body, Wrong> {
    Ok(match kind {
        "start" => Body::Start {
            goals: fields.want("goals", GOALS)?,
        },
        "branch" => Body::Branch,
        "step" => Body::Step {
            action: fields.want("action", "a text")?,
            diff: fields.may("diff", "a list of texts")?.unwrap_or_default(),
            goals: fields.want("goals", GOALS)?,
        },
        "refused" => Body::Refused {
            action: fields.want("action", "a text")?,
            refusal: fields.want("refusal", "a text")?,
            message: fields.want("message", "a text")?,
        },
        "goto" => {
            let to = fields.want("to", WHOLE)?;
            let how: String = fields.want("how", "undo, redo, goto or again")?;
            let how = Move::parse(&how).ok_or_else(|| {
                let message = format!("is {how:?}; it should be undo, redo, goto or again");
                Wrong::new("how", message)
            })?;
            Body::Goto { to, how }
        }
        "done" => {
            let (success, success_of) = fields.want("success", "two whole numbers")?;
            let (safety, safety_of) = fields.want("safety", "two whole numbers")?;
            Body::Done {
                score: Score {
                    success,
                    success_of,
                    safety,
                    safety_of,
                },
            }
        }
        "avoid" => Body::Avoid {
            reason: fields.want("reason", "a text")?,
        },
        "stopped" => Body::Stopped {
            cause: fields.want("cause", "a text")?,
            text: fields.want("text", "a text")?,
        },
        other => {
            let kind = Remark::parse(other)
                .ok_or_else(|| Wrong::new("kind", format!("{other:?} is no kind of event")))?;
            Body::Remark(Said {
                kind,
                by: fields.may("by", "a text")?.unwrap_or_default(),
                text: fields.want("text", "a text")?,
                data: fields.take("data").map(|raw| raw.get().to_owned()),
            })
        }
    })
}

/// Whether an event may follow those before it, of which is known whether they made positions.
fn in_place(before: &Before, event: &Event) -> Result<(), Wrong> {
    let due = before.count();
    if event.seq as usize != due {
        return Err(Wrong::new(
            "seq",
            format!("is {} where {due} is due", event.seq),
        ));
    }
    let is_position = |seq: u32| before.is_position(seq);
    match (&event.body, event.parent) {
        (Body::Start { .. }, None) if due == 0 => return Ok(()),
        (Body::Start { .. }, _) => {
            return Err(Wrong::new("kind", "a start that is not the first event"));
        }
        _ if due == 0 => return Err(Wrong::new("kind", "the first event must be a start")),
        (_, Some(parent)) if is_position(parent) => {}
        (_, Some(parent)) => {
            return Err(Wrong::new(
                "parent",
                format!("event {parent} made no position"),
            ));
        }
        (_, None) => return Err(Wrong::new("parent", "only the start has none")),
    }
    match event.body {
        Body::Goto { to, .. } if !is_position(to) => {
            Err(Wrong::new("to", format!("event {to} made no position")))
        }
        _ => Ok(()),
    }
}
