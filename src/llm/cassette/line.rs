//! The lines of a recording.
//!
//! ```text
//! {"vesta_recording":2}
//! {"message":"NAME","role":"user","text":"…"}
//! {"call":"HASH","seat":"actor","kind":"openai","model":"…","temperature":0.0,"seed":null,"max_tokens":512,
//!  "structured":true,"schema":null,"messages":["NAME",…],"pieces":[["text","…"],["thought","…"]],
//!  "finish":"stop","usage":{"input":1,"output":2,"cached":0},"failure":null,
//!  "turn":{"task":"V022","n":3}}
//! {"dropped":0}
//! ```
//!
//! A message is named by the beginning of its SHA-256, a call likewise by everything that shapes its reply: the same
//! call has the same hash wherever it is made. A call that failed has `failure` in place of `finish` and `usage`.
//! `turn` tells to which turn of which task's run it belongs; version 1 has none.
//! `dropped` counts calls from 0: that failure was followed by another attempt when the run was resumed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::agent::chat::{
    Failure, FailureKind, Finish, Message, Piece, Reply, Role, Schema, Seat, Turn, Usage,
};
use crate::base::diag::Diagnostic;
use crate::llm::cassette::{Asked, Taken};

/// The version written, and the last of those that are read.
const VERSION: u32 = 2;

/// What a line says.
pub(super) enum Line {
    /// The first line.
    Head,
    /// A message and its name.
    Message(String, Message),
    /// A call.
    Call(Box<Asked>, Taken),
    /// A call, counted from 0, that does not count any more.
    Dropped(usize),
}

#[derive(Serialize, Deserialize)]
struct Head {
    vesta_recording: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageLine {
    message: String,
    role: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CallLine {
    call: String,
    seat: String,
    kind: String,
    model: String,
    temperature: Option<f64>,
    seed: Option<u64>,
    max_tokens: Option<u32>,
    structured: bool,
    schema: Option<SchemaPart>,
    messages: Vec<String>,
    pieces: Vec<(PieceKind, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    finish: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    usage: Option<UsagePart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<FailurePart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<TurnPart>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnPart {
    task: String,
    n: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SchemaPart {
    name: String,
    json: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PieceKind {
    Text,
    Thought,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UsagePart {
    input: u64,
    output: u64,
    cached: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FailurePart {
    kind: String,
    message: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DroppedLine {
    dropped: usize,
}

/// The line of a call that does not count any more.
pub(super) fn dropped(at: usize) -> String {
    json(&DroppedLine { dropped: at })
}

/// The first line of a file.
pub(super) fn head() -> String {
    json(&Head {
        vesta_recording: VERSION,
    })
}

/// The hash of a call.
pub(super) fn hash(asked: &Asked) -> String {
    let names = asked.messages.iter().map(name).collect();
    short(&json(&call(String::new(), asked, names)))
}

/// The name of a message.
fn name(message: &Message) -> String {
    short(&format!("{}\n{}", message.role.id(), message.text))
}

/// The beginning of a digest in hexadecimal: long enough that no two texts meet.
fn short(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let mut out = String::with_capacity(32);
    for byte in digest.iter().take(16) {
        // A string takes whatever is written.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// A value as a line. Structs of ours can always be written.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

fn call(hash: String, asked: &Asked, messages: Vec<String>) -> CallLine {
    CallLine {
        call: hash,
        seat: seat_id(asked.seat).to_owned(),
        kind: asked.kind.clone(),
        model: asked.model.clone(),
        temperature: asked.temperature,
        seed: asked.seed,
        max_tokens: asked.max_tokens,
        structured: asked.structured,
        schema: asked.schema.as_ref().map(|schema| SchemaPart {
            name: schema.name.clone(),
            json: schema.json.clone(),
        }),
        messages,
        pieces: Vec::new(),
        finish: None,
        usage: None,
        failure: None,
        turn: None,
    }
}

/// The lines of a call: its messages that are not `known` yet, and itself; and those messages by their names.
pub(super) fn write(
    asked: &Asked,
    taken: &Taken,
    known: &BTreeMap<String, Message>,
) -> (String, BTreeMap<String, Message>) {
    let mut text = String::new();
    let mut new = BTreeMap::new();
    let mut names = Vec::new();
    for message in &asked.messages {
        let name = name(message);
        if !known.contains_key(&name) && new.insert(name.clone(), message.clone()).is_none() {
            text += &json(&MessageLine {
                message: name.clone(),
                role: message.role.id().to_owned(),
                text: message.text.clone(),
            });
        }
        names.push(name);
    }
    let mut line = call(hash(asked), asked, names);
    line.turn = asked.turn.as_ref().map(|turn| TurnPart {
        task: turn.task.clone(),
        n: turn.n,
    });
    line.pieces = taken
        .pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Text(text) => Some((PieceKind::Text, text.clone())),
            Piece::Thought(text) => Some((PieceKind::Thought, text.clone())),
            Piece::Again { .. } => None,
        })
        .collect();
    match &taken.outcome {
        Ok(reply) => {
            line.finish = Some(finish_id(&reply.finish).to_owned());
            line.usage = reply.usage.map(|usage| UsagePart {
                input: usage.input,
                output: usage.output,
                cached: usage.cached,
            });
        }
        Err(failure) => {
            line.failure = Some(FailurePart {
                kind: failure.kind.id().to_owned(),
                message: failure.message.clone(),
            });
        }
    }
    (text + &json(&line), new)
}

/// Reads a line; `first` is whether it is the first of its file, `known` the messages before it.
pub(super) fn read(
    text: &str,
    first: bool,
    known: &BTreeMap<String, Message>,
) -> Result<Line, Diagnostic> {
    if first {
        let head: Head = serde_json::from_str(text)
            .map_err(|_| Diagnostic::error("vesta_recording", "this is no recording of calls"))?;
        if !(1..=VERSION).contains(&head.vesta_recording) {
            let version = head.vesta_recording;
            let fault =
                Diagnostic::error("vesta_recording", format!("version {version} is not known"));
            return Err(fault.help(format!(
                "record again; this program reads versions 1 to {VERSION}"
            )));
        }
        return Ok(Line::Head);
    }
    let unread =
        |err: serde_json::Error| Diagnostic::error("", format!("no line of a recording: {err}"));
    if text.starts_with("{\"message\":") {
        let line: MessageLine = serde_json::from_str(text).map_err(unread)?;
        let role = Role::parse(&line.role)
            .ok_or_else(|| Diagnostic::error("role", format!("\"{}\" is no role", line.role)))?;
        let message = Message {
            role,
            text: line.text,
        };
        if name(&message) != line.message {
            return Err(
                Diagnostic::error("message", "the text does not fit its name")
                    .help("the file was changed; record again"),
            );
        }
        return Ok(Line::Message(line.message, message));
    }
    if text.starts_with("{\"dropped\":") {
        let line: DroppedLine = serde_json::from_str(text).map_err(unread)?;
        return Ok(Line::Dropped(line.dropped));
    }
    read_call(serde_json::from_str(text).map_err(unread)?, known)
}

fn read_call(line: CallLine, known: &BTreeMap<String, Message>) -> Result<Line, Diagnostic> {
    let seat = [Seat::Actor, Seat::Critic]
        .into_iter()
        .find(|seat| seat_id(*seat) == line.seat)
        .ok_or_else(|| Diagnostic::error("seat", format!("\"{}\" is no seat", line.seat)))?;
    let messages = line
        .messages
        .iter()
        .map(|name| {
            known.get(name).cloned().ok_or_else(|| {
                Diagnostic::error("messages", format!("no line before has the message {name}"))
            })
        })
        .collect::<Result<_, _>>()?;
    let asked = Asked {
        seat,
        kind: line.kind,
        model: line.model,
        temperature: line.temperature,
        seed: line.seed,
        max_tokens: line.max_tokens,
        structured: line.structured,
        schema: line.schema.map(|schema| Schema {
            name: schema.name,
            json: schema.json,
        }),
        messages,
        turn: line.turn.map(|turn| Turn {
            task: turn.task,
            n: turn.n,
        }),
    };
    if hash(&asked) != line.call {
        return Err(Diagnostic::error("call", "the call does not fit its hash")
            .help("the file was changed; record again"));
    }
    let outcome = match (line.failure, line.finish) {
        (Some(failure), _) => Err(Failure {
            kind: FailureKind::parse(&failure.kind).ok_or_else(|| {
                Diagnostic::error(
                    "failure.kind",
                    format!("\"{}\" is no kind of failure", failure.kind),
                )
            })?,
            message: failure.message,
        }),
        (None, Some(finish)) => {
            let all = |wanted: fn(&PieceKind) -> bool| {
                line.pieces
                    .iter()
                    .filter(|(kind, _)| wanted(kind))
                    .map(|(_, text)| text.as_str())
                    .collect()
            };
            Ok(Reply {
                text: all(|kind| matches!(kind, PieceKind::Text)),
                thought: all(|kind| matches!(kind, PieceKind::Thought)),
                finish: finish_of(finish),
                usage: line.usage.map(|usage| Usage {
                    input: usage.input,
                    output: usage.output,
                    cached: usage.cached,
                }),
            })
        }
        (None, None) => {
            return Err(Diagnostic::error(
                "finish",
                "the call has neither an end nor a failure",
            ));
        }
    };
    let pieces = line
        .pieces
        .into_iter()
        .map(|(kind, text)| match kind {
            PieceKind::Text => Piece::Text(text),
            PieceKind::Thought => Piece::Thought(text),
        })
        .collect();
    Ok(Line::Call(Box::new(asked), Taken { pieces, outcome }))
}

/// The name of a seat.
pub(super) const fn seat_id(seat: Seat) -> &'static str {
    match seat {
        Seat::Actor => "actor",
        Seat::Critic => "critic",
    }
}

fn finish_id(finish: &Finish) -> &str {
    match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
        Finish::Filtered => "filtered",
        Finish::Other(name) => name,
    }
}

fn finish_of(name: String) -> Finish {
    match name.as_str() {
        "stop" => Finish::Stop,
        "length" => Finish::Length,
        "filtered" => Finish::Filtered,
        _ => Finish::Other(name),
    }
}
