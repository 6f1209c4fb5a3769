//! Chat messages as most tools keep them: `{"role", "content", "tool_calls", "tool_call_id"}`, after the chat completions
//! interface of OpenAI (its API reference, "Create chat completion").
//!
//! What a tool answers stands in messages of its own; in a trace it belongs to the turn that called.

use super::carry::{self, KEY, TurnBack};
use super::loss::Losses;
use super::model::{Call, Observation, Role, Turn};
use super::read::{Content, Pairs, Raw, Text, fields};
use super::write::{List, Object};
use crate::formats::json;

fields! {
    /// A message.
    Message<'f> as "a message: an object with the fields role and content" {
        role: Text<'f> = "role",
        content: Content<'f> = "content",
        name: Text<'f> = "name",
        reasoning: Text<'f> = "reasoning_content",
        tool_calls: Vec<ToolCall<'f>> = "tool_calls",
        tool_call_id: Text<'f> = "tool_call_id",
        back: TurnBack<'f> = "vesta",
    }
}

fields! {
    /// A call.
    ToolCall<'f> as "a call: an object with the fields id and function" {
        id: Text<'f> = "id",
        function: Function<'f> = "function",
    }
}

fields! {
    /// What is called.
    Function<'f> as "an object with the fields name and arguments" {
        name: Text<'f> = "name",
        arguments: Raw<'f> = "arguments",
    }
}

/// Names that messages keep for themselves.
const RESERVED: &[&str] = &[
    "role",
    "content",
    "name",
    "reasoning_content",
    "tool_calls",
    "tool_call_id",
];

/// The same of an answer.
const OF_ANSWER: &[&str] = &[
    "role",
    "content",
    "tool_call_id",
    "tool_calls",
    "reasoning_content",
];

/// Roles the interface knows.
const ROLES: &[&str] = &["system", "developer", "user", "assistant"];

/// What of a turn has a place in a message.
const NATIVE: &[&str] = &["role", "name", "text", "reasoning", "calls", "observations"];

/// A content that is more than its text is kept under this name.
pub(super) const CONTENT: &str = "content";

/// Takes a message in.
pub(super) fn take(turns: &mut Vec<Turn>, message: Message<'_>) {
    let role = Role::of(message.role.as_ref().map_or("", |role| &role.0));
    let said = message.content.map(Content::said).unwrap_or_default();
    let mut extra = message.extra.keep();
    let starts = message
        .back
        .as_ref()
        .is_some_and(|back| back.role.is_some());
    if role == Role::Tool {
        let mut seen = Observation {
            call: message.tool_call_id.map(Text::owned).unwrap_or_default(),
            text: said.text,
            extra: Vec::new(),
        };
        if let Some(raw) = said.raw {
            seen.extra.push((CONTENT.to_owned(), raw));
        }
        if let Some(name) = message.name {
            seen.extra.push(("name".to_owned(), json::string(&name.0)));
        }
        seen.extra.append(&mut extra);
        let calls: Vec<Call> = calls(message.tool_calls);
        let begins = starts || turns.is_empty() || !calls.is_empty();
        let mut back = message.back.unwrap_or_default();
        if let Some(Pairs(more)) = back.kept_of_answer.take() {
            let more = more.into_iter();
            seen.extra
                .extend(more.map(|(name, raw)| (name.into_owned(), raw.keep())));
        }
        if begins {
            turns.push(Turn {
                role: Role::Tool,
                calls,
                ..Turn::default()
            });
        }
        if let Some(turn) = turns.last_mut() {
            if begins {
                back.apply(turn);
            }
            turn.observations.push(seen);
        }
        return;
    }
    let mut turn = Turn {
        role,
        name: message.name.map(Text::owned).unwrap_or_default(),
        text: said.text,
        reasoning: message.reasoning.map_or(said.reasoning, Text::owned),
        calls: calls(message.tool_calls),
        ..Turn::default()
    };
    if let Some(raw) = said.raw {
        turn.extra.push((CONTENT.to_owned(), raw));
    }
    if let Some(id) = message.tool_call_id {
        turn.extra
            .push(("tool_call_id".to_owned(), json::string(&id.0)));
    }
    turn.extra.append(&mut extra);
    if let Some(back) = message.back {
        back.apply(&mut turn);
    }
    turns.push(turn);
}

fn calls(raw: Option<Vec<ToolCall<'_>>>) -> Vec<Call> {
    let call = |raw: ToolCall<'_>| {
        let function = raw.function.unwrap_or_default();
        let mut extra = raw.extra.keep();
        // What nearly all say is not repeated.
        extra.retain(|(name, json)| !(name == "type" && json == "\"function\""));
        extra.extend(
            function
                .extra
                .keep()
                .into_iter()
                .map(|(name, json)| (format!("function.{name}"), json)),
        );
        Call {
            id: raw.id.map(Text::owned).unwrap_or_default(),
            name: function.name.map(Text::owned).unwrap_or_default(),
            arguments: function
                .arguments
                .map_or_else(|| "null".to_owned(), |raw| inner(&raw)),
            extra,
        }
    };
    raw.unwrap_or_default().into_iter().map(call).collect()
}

/// Arguments are JSON inside a text; some write the JSON itself, and models write what is none.
fn inner(raw: &Raw<'_>) -> String {
    let kept = raw.keep();
    match serde_json::from_str::<String>(&kept) {
        // As it was written, but on one line.
        Ok(text) if is_json(&text) && text.contains(['\n', '\r']) => super::read::flat(&text),
        Ok(text) if is_json(&text) => text,
        _ => kept,
    }
}

/// Whether a text is JSON, and no text in quotes.
fn is_json(text: &str) -> bool {
    !text.trim_start().starts_with('"')
        && serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok()
}

/// How arguments are written: as a text; `None` where reading them would give something else.
fn outer(arguments: &str) -> Option<String> {
    if !arguments.starts_with('"') {
        return Some(json::string(arguments));
    }
    let text: String = serde_json::from_str(arguments).ok()?;
    (!is_json(&text)).then(|| arguments.to_owned())
}

/// The messages of a turn.
pub(super) fn put(list: &mut List, turn: &Turn, losses: &mut Losses, own: bool) {
    put_with(list, turn, None, losses, own);
}

/// The messages of a turn, the first with a field of the format's own.
pub(super) fn put_with(
    list: &mut List,
    turn: &Turn,
    field: Option<(&str, String)>,
    losses: &mut Losses,
    own: bool,
) {
    let mut native = NATIVE.to_vec();
    let drop = |native: &mut Vec<&str>, name: &str| native.retain(|n| *n != name);
    let calls =
        call_list(&turn.calls).filter(|_| turn.role == Role::Agent || turn.calls.is_empty());
    if calls.is_none() {
        drop(&mut native, "calls");
    }
    let is_answer = turn.role == Role::Tool && !turn.observations.is_empty();
    let word = match turn.role.word() {
        word if ROLES.contains(&word) => word,
        _ => "user",
    };
    if is_answer || word != turn.role.word() {
        drop(&mut native, "role");
    }
    if is_answer {
        for name in ["name", "text", "reasoning"] {
            drop(&mut native, name);
        }
    }
    let reserved: Vec<&str> = RESERVED
        .iter()
        .copied()
        .chain(field.as_ref().map(|(name, _)| *name))
        .collect();
    let (placed, mut left) = carry::split(&turn.extra, &reserved);
    let parts = parts(turn).filter(|_| own && !is_answer);
    if parts.is_some() {
        left.retain(|(name, _)| name != CONTENT);
    }
    let left: Vec<&(String, String)> = if is_answer {
        turn.extra.iter().collect()
    } else {
        left
    };
    carry::note_turn(turn, &native, left.len(), losses, "messages[].vesta");
    let back = carry::turn(turn, &native, &left);
    if is_answer {
        answers(list, turn, back, losses);
        return;
    }
    let mut out = Object::new();
    out.text("role", word).filled("name", &turn.name);
    match parts {
        Some(raw) => out.raw(CONTENT, raw),
        None if turn.text.is_empty() && calls.as_ref().is_some_and(|calls| calls != "[]") => {
            out.raw(CONTENT, "null")
        }
        None => out.text(CONTENT, &turn.text),
    };
    if !(own && parts.is_some()) || said_reasoning(parts) != turn.reasoning {
        out.filled("reasoning_content", &turn.reasoning);
    }
    if let Some(calls) = calls.filter(|calls| calls != "[]") {
        out.raw("tool_calls", &calls);
    }
    for (name, json) in placed {
        out.raw(name, json);
    }
    if let Some((name, json)) = field.filter(|(_, json)| json != "{}") {
        out.raw(name, &json);
    }
    if let Some(back) = back {
        out.raw(KEY, &back.end());
    }
    list.raw(&out.end());
    answers(list, turn, None, losses);
}

fn said_reasoning(parts: Option<&String>) -> String {
    let said = parts.and_then(|raw| serde_json::from_str::<Content<'_>>(raw).ok());
    said.map(Content::said).unwrap_or_default().reasoning
}

/// The content as it stood in the file, where it still says what the turn says.
fn parts(turn: &Turn) -> Option<&String> {
    let (_, raw) = turn.extra.iter().find(|(name, _)| name == CONTENT)?;
    let said = serde_json::from_str::<Content<'_>>(raw).ok()?.said();
    (said.text == turn.text && said.raw.as_ref() == Some(raw)).then_some(raw)
}

/// What a tool answered, a message each, for a turn whose own message is written already.
pub(super) fn put_answers(list: &mut List, turn: &Turn, losses: &mut Losses) {
    answers(list, turn, None, losses);
}

/// What a tool answered, a message each. The first carries what there is about the turn where it has no message.
fn answers(list: &mut List, turn: &Turn, mut about: Option<Object>, losses: &mut Losses) {
    for seen in &turn.observations {
        let (mut placed, mut left) = carry::split(&seen.extra, OF_ANSWER);
        // A name is a text; what is not cannot stand there.
        let odd = |field: &&(String, String)| field.0 == "name" && !field.1.starts_with('"');
        left.extend(placed.iter().copied().filter(odd));
        placed.retain(|field| !odd(field));
        let mut out = Object::new();
        out.text("role", "tool")
            .filled("tool_call_id", &seen.call)
            .text(CONTENT, &seen.text);
        for (name, json) in placed {
            out.raw(name, json);
        }
        let mut back = about.take();
        if !left.is_empty() {
            losses.kept("extra", left.len(), "messages[].vesta");
            let mut more = Object::new();
            for (name, json) in left {
                more.raw(name, json);
            }
            back.get_or_insert_with(Object::new)
                .raw("answer", &more.end());
        }
        if let Some(back) = back {
            out.raw(KEY, &back.end());
        }
        list.raw(&out.end());
    }
}

/// The calls; `None` where they have something without a place.
pub(super) fn call_list(calls: &[Call]) -> Option<String> {
    let mut list = List::new();
    for call in calls {
        let mut out = Object::new();
        out.filled("id", &call.id).text("type", "function");
        let mut function = Object::new();
        function
            .text("name", &call.name)
            .raw("arguments", &outer(&call.arguments)?);
        let kind = call.extra.iter().find(|(name, _)| name == "type");
        let clash = |name: &str| {
            name == "id" || name == "function" || name == KEY || name.starts_with("function.")
        };
        if kind.is_some() || call.extra.iter().any(|(name, _)| clash(name)) {
            return None;
        }
        out.raw("function", &function.end());
        for (name, json) in &call.extra {
            out.raw(name, json);
        }
        list.raw(&out.end());
    }
    Some(list.end())
}
