//! Conversations in the form of OpenAI: a list of messages, alone or as `messages` of an object; one file each, or one a line
//! as fine-tuning takes them.

use super::carry::{self, KEY, TraceBack};
use super::chat::{self, Message};
use super::loss::{Loss, Losses};
use super::model::Trace;
use super::peek::{Peek, Shape};
use super::read::{self, Text, fields};
use super::write::{List, Object};
use super::{Format, Subject, Written};
use crate::base::diag::Diagnostic;
use crate::formats::{Read, json};

/// One conversation a file.
pub const FORMAT: Format = Format {
    id: "openai",
    title: "OpenAI chat messages",
    version: "chat completions",
    extension: "json",
    sniff,
    read: Some(read),
    write: Some(write),
    keeps: "messages, tool calls and answers, reasoning_content, every further field",
    loses: "times, tokens and cost, world states, scores: kept under \"vesta\"",
};

/// One conversation a line.
pub const LINES: Format = Format {
    id: "openai-jsonl",
    title: "OpenAI chat messages, one conversation a line",
    version: "fine-tuning, chat",
    extension: "jsonl",
    sniff: sniff_lines,
    read: Some(read_lines),
    write: Some(write_line),
    ..FORMAT
};

fields! {
    /// The object around the messages.
    File<'f> as "an object with the field messages" {
        messages: Vec<Message<'f>> = "messages",
        model: Text<'f> = "model",
        id: Text<'f> = "id",
        back: TraceBack<'f> = "vesta",
    }
}

/// Names the object keeps for itself.
const RESERVED: &[&str] = &["messages", "model", "id"];

/// What of a trace has a place in it.
const NATIVE: &[&str] = &["id", "model"];

fn sniff(bytes: &[u8]) -> u8 {
    let peek = Peek::of(bytes);
    let messages = |keys: &[String]| keys.iter().any(|k| k == "role");
    match peek.shape {
        Shape::List if messages(&peek.inner) && peek.has("content") => 70,
        Shape::Object if peek.keys.iter().any(|k| k == "messages") && peek.has("role") => 60,
        _ => 0,
    }
}

fn sniff_lines(bytes: &[u8]) -> u8 {
    let mut lines = bytes
        .split(|&b| b == b'\n')
        .filter(|line| !line.trim_ascii().is_empty());
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else {
        return 0;
    };
    let object =
        |line: &[u8]| line.trim_ascii().starts_with(b"{") && line.trim_ascii().ends_with(b"}");
    if !object(first) || !(object(second) || second.trim_ascii().starts_with(b"{")) {
        return 0;
    }
    let peek = Peek::of(first);
    let known = |name: &str| peek.keys.iter().any(|k| k == name);
    if known("messages") || (known("role") && known("content")) {
        80
    } else {
        0
    }
}

fn read(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let (mut mended, mut notes) = (String::new(), Vec::new());
    let is_list = json::without_mark(bytes)
        .trim_ascii_start()
        .starts_with(b"[");
    let trace = if is_list {
        let messages: Vec<Message<'_>> = read::parse(name, bytes, &mut mended, &mut notes)?;
        trace(File {
            messages: Some(messages),
            ..File::default()
        })
    } else {
        let file: File<'_> = read::parse(name, bytes, &mut mended, &mut notes)?;
        if file.messages.is_none() {
            return Err(read::missing(
                name,
                "messages",
                "give the conversation as a list of messages",
            ));
        }
        trace(file)
    };
    Ok((vec![trace], notes))
}

fn trace(file: File<'_>) -> Trace {
    let mut trace = Trace {
        format: FORMAT.id.to_owned(),
        id: file.id.map(Text::owned).unwrap_or_default(),
        model: file.model.map(Text::owned).unwrap_or_default(),
        extra: file.extra.keep(),
        ..Trace::default()
    };
    for message in file.messages.unwrap_or_default() {
        chat::take(&mut trace.turns, message);
    }
    if let Some(back) = file.back {
        back.apply(&mut trace);
    }
    trace
}

fn read_lines(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let bytes = json::without_mark(bytes);
    let (mut traces, mut notes, mut single) = (Vec::new(), Vec::new(), Trace::default());
    for (n, line) in bytes.split(|&b| b == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let (n, mut mended) = (u32::try_from(n + 1).unwrap_or(u32::MAX), String::new());
        let mut said = Vec::new();
        let file: Result<File<'_>, _> = read::parse(name, line, &mut mended, &mut said);
        notes.extend(said.into_iter().map(|d| {
            let column = d.column;
            d.at(n, column)
        }));
        match file {
            Ok(file) if file.messages.is_some() => {
                let mut trace = trace(file);
                LINES.id.clone_into(&mut trace.format);
                traces.push(trace);
            }
            // One message a line: all of them are one conversation.
            Ok(file) if file.extra.0.iter().any(|(name, _)| name == "role") => {
                if let Ok(message) = serde_json::from_slice::<Message<'_>>(line) {
                    chat::take(&mut single.turns, message);
                }
            }
            Ok(_) => notes.push(
                Diagnostic::warning("messages", "is missing")
                    .help("the line is skipped; give a conversation or a message a line")
                    .at(n, None)
                    .in_file(name),
            ),
            Err(wrong) => {
                let column = wrong.column;
                let mut wrong = wrong.at(n, column);
                wrong.severity = crate::base::diag::Severity::Warning;
                wrong.help = format!("the line is skipped; {}", wrong.help);
                notes.push(wrong);
            }
        }
    }
    if !single.turns.is_empty() {
        LINES.id.clone_into(&mut single.format);
        traces.push(single);
    }
    if traces.is_empty() {
        let none = Diagnostic::error("", "no line holds a conversation");
        let first = notes.into_iter().next().unwrap_or(none);
        return Err(Diagnostic {
            severity: crate::base::diag::Severity::Error,
            help: "give an object with the field messages a line".to_owned(),
            ..first
        }
        .in_file(name));
    }
    Ok((traces, notes))
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature that all writers share"
)]
fn write(subject: &Subject<'_>) -> Result<Written, Diagnostic> {
    let (text, losses) = text(subject.trace);
    Ok(Written::one(
        FORMAT.extension,
        super::write::pretty(&text),
        losses,
    ))
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature that all writers share"
)]
fn write_line(subject: &Subject<'_>) -> Result<Written, Diagnostic> {
    let (mut text, losses) = text(subject.trace);
    text.push('\n');
    Ok(Written::one(LINES.extension, text.into_bytes(), losses))
}

fn text(trace: &Trace) -> (String, Vec<Loss>) {
    let mut losses = Losses::default();
    let own = [FORMAT.id, LINES.id].contains(&trace.format.as_str());
    let mut out = Object::new();
    out.filled("id", &trace.id).filled("model", &trace.model);
    let mut messages = List::new();
    for turn in &trace.turns {
        chat::put(&mut messages, turn, &mut losses, own);
    }
    out.raw("messages", &messages.end());
    let (placed, left) = carry::split(&trace.extra, RESERVED);
    for (name, json) in placed {
        out.raw(name, json);
    }
    carry::note_trace(trace, NATIVE, left.len(), &mut losses, KEY);
    if let Some(back) = carry::trace(trace, NATIVE, &left) {
        out.raw(KEY, &back.end());
    }
    (out.end(), losses.list())
}
