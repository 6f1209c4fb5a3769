//! `OpenTelemetry` spans of agents in OTLP JSON, after the `GenAI` semantic conventions 1.38 (`docs/gen-ai/` there; still in
//! development, hence pinned): a span `invoke_agent` around all, a span `chat` a turn of the agent, a span `execute_tool` a
//! call that was answered.
//!
//! Spans have no place for much of a conversation, so the whole of it stands in an attribute of the first span as well.

use super::loss::Losses;
use super::model::{Call, Extra, Observation, Role, Trace, Turn, Usage};
use super::peek::{Peek, Shape};
use super::read::{self, Number, Raw, Text, fields, flat};
use super::write::{List, Object, nanos, pretty, rfc3339};
use super::{Format, Subject, Written, neutral};
use crate::base::diag::Diagnostic;
use crate::base::fold::{Key, StateHash};
use crate::formats::{Read, json};

/// `OTel` among the formats.
pub const FORMAT: Format = Format {
    id: "otel",
    title: "OpenTelemetry GenAI spans, OTLP JSON",
    version: "semconv 1.38",
    extension: "otlp.json",
    sniff,
    read: Some(read),
    write: Some(write),
    keeps: "messages, reasoning, calls and results, tokens, model, agent, times",
    loses: "cost, scores, world states, further fields: kept in the attribute vesta.trace",
};

/// The attribute that holds the conversation whole.
const WHOLE: &str = "vesta.trace";

fields! {
    File<'f> as "an object with the field resourceSpans" {
        resources: Vec<Resource<'f>> = "resourceSpans",
    }
}

fields! {
    Resource<'f> as "an object with the field scopeSpans" {
        scopes: Vec<Scope<'f>> = "scopeSpans",
    }
}

fields! {
    Scope<'f> as "an object with the field spans" {
        spans: Vec<Span<'f>> = "spans",
    }
}

fields! {
    Span<'f> as "a span" {
        trace: Text<'f> = "traceId",
        name: Text<'f> = "name",
        start: Number = "startTimeUnixNano",
        end: Number = "endTimeUnixNano",
        attributes: Vec<Attribute<'f>> = "attributes",
    }
}

fields! {
    Attribute<'f> as "an attribute: an object with the fields key and value" {
        key: Text<'f> = "key",
        value: Value<'f> = "value",
    }
}

fields! {
    Value<'f> as "a value, such as {\"stringValue\": \"x\"}" {
        text: Text<'f> = "stringValue",
        int: Number = "intValue",
        double: Number = "doubleValue",
    }
}

fields! {
    Message<'f> as "a message" {
        role: Text<'f> = "role",
        parts: Vec<Part<'f>> = "parts",
    }
}

fields! {
    Part<'f> as "a part" {
        kind: Text<'f> = "type",
        content: Text<'f> = "content",
        id: Text<'f> = "id",
        name: Text<'f> = "name",
        arguments: Raw<'f> = "arguments",
        response: Raw<'f> = "response",
        result: Raw<'f> = "result",
    }
}

fn sniff(bytes: &[u8]) -> u8 {
    let peek = Peek::of(bytes);
    if peek.shape == Shape::Object && peek.top("resourceSpans") {
        if peek.says("gen_ai.") || peek.says(WHOLE) {
            95
        } else {
            40
        }
    } else {
        0
    }
}

/// The attributes of a span, by name.
struct Attributes<'f>(Vec<(String, Value<'f>)>);

impl Attributes<'_> {
    fn text(&mut self, name: &str) -> Option<String> {
        let at = self
            .0
            .iter()
            .position(|(n, v)| n == name && v.text.is_some())?;
        self.0.remove(at).1.text.map(Text::owned)
    }

    fn number(&mut self, name: &str) -> Option<f64> {
        let is = |v: &Value<'_>| v.int.is_some() || v.double.is_some();
        let at = self.0.iter().position(|(n, v)| n == name && is(v))?;
        let value = self.0.remove(at).1;
        value.int.or(value.double).map(|n| n.0)
    }

    fn rest(self) -> Extra {
        let keep = |(name, value): (String, Value<'_>)| {
            let json = match (value.text, value.int, value.double) {
                (Some(text), _, _) => json::string(&text.0),
                (_, Some(n), _) | (_, _, Some(n)) => super::write::number(n.0),
                _ => value
                    .extra
                    .keep()
                    .into_iter()
                    .next()
                    .map_or_else(|| "null".to_owned(), |(_, json)| json),
            };
            (name, json)
        };
        self.0.into_iter().map(keep).collect()
    }
}

fn read(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let (mut mended, mut notes) = (String::new(), Vec::new());
    let file: File<'_> = read::parse(name, bytes, &mut mended, &mut notes)?;
    let Some(resources) = file.resources else {
        return Err(read::missing(
            name,
            "resourceSpans",
            "give spans as OTLP JSON",
        ));
    };
    let scopes = resources
        .into_iter()
        .flat_map(|r| r.scopes.unwrap_or_default());
    let mut spans: Vec<Span<'_>> = scopes.flat_map(|s| s.spans.unwrap_or_default()).collect();
    // A sort that keeps the order of spans that began together.
    spans.sort_by(|a, b| {
        let start = |s: &Span<'_>| s.start.map_or(0.0, |n| n.0);
        start(a).total_cmp(&start(b))
    });
    let mut traces: Vec<(String, Trace)> = Vec::new();
    for span in spans {
        let id = span.trace.as_ref().map_or("", |t| &t.0).to_owned();
        let at = traces
            .iter()
            .position(|(known, _)| *known == id)
            .unwrap_or_else(|| {
                let trace = Trace {
                    format: FORMAT.id.to_owned(),
                    ..Trace::default()
                };
                traces.push((id.clone(), trace));
                traces.len() - 1
            });
        let Some((_, trace)) = traces.get_mut(at) else {
            continue;
        };
        // What we wrote ourselves was read whole.
        if !trace.version.is_empty() {
            continue;
        }
        take(name, trace, span, &mut notes);
    }
    let mut found = Vec::new();
    for (id, mut trace) in traces {
        let ours = trace.version == WHOLE;
        trace.version.clear();
        if !ours && trace.id.is_empty() {
            trace.id = id;
        }
        if ours || !trace.is_empty() {
            found.push(trace);
        }
    }
    if found.is_empty() {
        return Err(Diagnostic::error("", "no span tells of an agent")
            .help("record spans after the GenAI conventions, with their messages")
            .in_file(name));
    }
    Ok((found, notes))
}

#[expect(
    clippy::too_many_lines,
    reason = "one place for each field, in the order of the file"
)]
fn take(name: &str, trace: &mut Trace, span: Span<'_>, notes: &mut Vec<Diagnostic>) {
    let all = span.attributes.unwrap_or_default().into_iter();
    let all = all.filter_map(|a| Some((a.key?.owned(), a.value?)));
    let mut attributes = Attributes(all.collect());
    if let Some(whole) = attributes.text(WHOLE) {
        match neutral::read(name, whole.as_bytes()) {
            Ok((back, _)) => {
                *trace = back.into_iter().next().unwrap_or_default();
                FORMAT.id.clone_into(&mut trace.format);
                WHOLE.clone_into(&mut trace.version);
                return;
            }
            Err(wrong) => notes.push(
                Diagnostic::warning(WHOLE, wrong.message)
                    .help("the spans are read instead")
                    .in_file(name),
            ),
        }
    }
    let time = span
        .start
        .and_then(|n| rfc3339(n.0 as i128))
        .unwrap_or_default();
    let ms = match (span.start, span.end) {
        (Some(start), Some(end)) if end.0 >= start.0 => {
            Some(Number((end.0 - start.0) / 1e6).count())
        }
        _ => None,
    };
    let operation = attributes.text("gen_ai.operation.name").unwrap_or_default();
    let model = attributes
        .text("gen_ai.response.model")
        .into_iter()
        .chain(attributes.text("gen_ai.request.model"))
        .next();
    if trace.model.is_empty() {
        trace.model = model.unwrap_or_default();
    }
    let usage = Usage {
        input: attributes
            .number("gen_ai.usage.input_tokens")
            .map(|n| Number(n).count()),
        output: attributes
            .number("gen_ai.usage.output_tokens")
            .map(|n| Number(n).count()),
        ms,
        ..Usage::default()
    };
    match operation.as_str() {
        "invoke_agent" | "create_agent" => {
            if trace.agent.is_empty() {
                trace.agent = attributes.text("gen_ai.agent.name").unwrap_or_default();
            }
            if let Some(id) = attributes.text("gen_ai.conversation.id") {
                trace.id = id;
            }
            trace.created = time;
            trace.totals = usage;
            trace.extra.extend(attributes.rest());
        }
        "execute_tool" => {
            let call = attributes.text("gen_ai.tool.call.id").unwrap_or_default();
            let tool = attributes.text("gen_ai.tool.name").unwrap_or_default();
            let arguments = attributes.text("gen_ai.tool.call.arguments");
            let result = attributes.text("gen_ai.tool.call.result");
            let known = trace
                .turns
                .iter()
                .rev()
                .any(|t| t.calls.iter().any(|c| c.id == call && !call.is_empty()));
            let answered = trace.turns.iter().any(|t| {
                t.observations
                    .iter()
                    .any(|o| o.call == call && !call.is_empty())
            });
            if !known {
                let mut turn = Turn {
                    role: Role::Agent,
                    time,
                    ..Turn::default()
                };
                turn.calls.push(Call {
                    id: call.clone(),
                    name: tool,
                    arguments: arguments.map_or_else(|| "{}".to_owned(), |text| as_json(&text)),
                    extra: Vec::new(),
                });
                trace.turns.push(turn);
            }
            if !answered && let Some(turn) = trace.turns.last_mut() {
                turn.observations.push(Observation {
                    call,
                    text: result.unwrap_or_default(),
                    extra: attributes.rest(),
                });
            }
        }
        _ => {
            let input = attributes.text("gen_ai.input.messages");
            let output = attributes.text("gen_ai.output.messages");
            let rules = attributes.text("gen_ai.system_instructions");
            // Each call repeats the conversation so far: only what is new is taken.
            let before: usize = trace.turns.iter().map(said_in).sum();
            let rules = rules.filter(|_| trace.turns.is_empty());
            if let Some(rules) = rules {
                let parts: Vec<Part<'_>> = serde_json::from_str(&rules).unwrap_or_default();
                trace.turns.push(turn(Role::System, parts));
            }
            let input: Vec<Message<'_>> = input
                .as_deref()
                .and_then(|t| serde_json::from_str(t).ok())
                .unwrap_or_default();
            for message in input.into_iter().skip(before) {
                let role = Role::of(message.role.as_ref().map_or("user", |r| &r.0));
                put(trace, turn(role, message.parts.unwrap_or_default()));
            }
            let output: Vec<Message<'_>> = output
                .as_deref()
                .and_then(|t| serde_json::from_str(t).ok())
                .unwrap_or_default();
            let mut first = true;
            for message in output {
                let mut said = turn(Role::Agent, message.parts.unwrap_or_default());
                if std::mem::take(&mut first) {
                    said.time.clone_from(&time);
                    said.usage = usage;
                }
                trace.turns.push(said);
            }
            if let Some(last) = trace.turns.last_mut().filter(|_| !first) {
                last.extra.extend(attributes.rest());
            }
        }
    }
}

/// How many messages a turn is in a history: itself, and what was answered.
fn said_in(turn: &Turn) -> usize {
    usize::from(turn.role != Role::Tool) + usize::from(!turn.observations.is_empty())
}

/// Adds a turn; what a tool answered belongs to the turn that called.
fn put(trace: &mut Trace, turn: Turn) {
    match trace.turns.last_mut() {
        Some(last) if turn.role == Role::Tool => last.observations.extend(turn.observations),
        _ => trace.turns.push(turn),
    }
}

fn turn(role: Role, parts: Vec<Part<'_>>) -> Turn {
    let mut turn = Turn {
        role,
        ..Turn::default()
    };
    for part in parts {
        let kind = part.kind.as_ref().map_or("", |k| &k.0).to_owned();
        match kind.as_str() {
            "text" => join(&mut turn.text, part.content),
            "reasoning" => join(&mut turn.reasoning, part.content),
            "tool_call" => turn.calls.push(Call {
                id: part.id.map(Text::owned).unwrap_or_default(),
                name: part.name.map(Text::owned).unwrap_or_default(),
                arguments: part.arguments.map_or_else(|| "{}".to_owned(), Raw::keep),
                extra: part.extra.keep(),
            }),
            "tool_call_response" => {
                let kept = part
                    .response
                    .or(part.result)
                    .map(Raw::keep)
                    .unwrap_or_default();
                turn.observations.push(Observation {
                    call: part.id.map(Text::owned).unwrap_or_default(),
                    text: serde_json::from_str(&kept).unwrap_or(kept),
                    extra: part.extra.keep(),
                });
            }
            _ => turn.extra.push((format!("part.{kind}"), {
                let mut out = Object::new();
                for (name, json) in part.extra.keep() {
                    out.raw(&name, &json);
                }
                out.end()
            })),
        }
    }
    turn
}

fn join(to: &mut String, more: Option<Text<'_>>) {
    if let Some(more) = more {
        if !to.is_empty() {
            to.push('\n');
        }
        to.push_str(&more.0);
    }
}

/// A text that may be JSON, as JSON.
fn as_json(text: &str) -> String {
    match serde_json::from_str::<&serde_json::value::RawValue>(text) {
        Ok(raw) => flat(raw.get()),
        Err(_) => json::string(text),
    }
}

/// Spans being written.
struct Spans {
    list: List,
    trace: String,
    root: String,
    n: u64,
}

fn digits(text: &str) -> String {
    let mut hash = StateHash::default();
    hash.toggle(Key::of(text));
    hash.to_string()
}

impl Spans {
    #[expect(clippy::too_many_arguments, reason = "the parts of a span")]
    fn add(
        &mut self,
        name: &str,
        from: i128,
        to: i128,
        attributes: &[(String, String)],
        is_root: bool,
    ) {
        let id = if is_root {
            self.root.clone()
        } else {
            self.n += 1;
            digits(&format!("{} {}", self.trace, self.n))
                .get(..16)
                .unwrap_or_default()
                .to_owned()
        };
        let mut out = Object::new();
        out.text("traceId", &self.trace).text("spanId", &id);
        if !is_root {
            out.text("parentSpanId", &self.root);
        }
        let mut list = List::new();
        for (key, value) in attributes {
            let mut one = Object::new();
            one.text("key", key).raw("value", value);
            list.raw(&one.end());
        }
        out.text("name", name)
            .raw("kind", "1")
            .text("startTimeUnixNano", &from.max(0).to_string())
            .text("endTimeUnixNano", &to.max(from).max(0).to_string())
            .raw("attributes", &list.end());
        self.list.raw(&out.end());
    }
}

fn string(key: &str, text: &str) -> (String, String) {
    let mut out = Object::new();
    out.text("stringValue", text);
    (key.to_owned(), out.end())
}

fn int(key: &str, n: u64) -> (String, String) {
    let mut out = Object::new();
    // 64-bit numbers are texts in OTLP JSON.
    out.text("intValue", &n.to_string());
    (key.to_owned(), out.end())
}

fn counts(usage: Usage) -> Vec<(String, String)> {
    let one = |key: &str, n: Option<u64>| n.map(|n| int(key, n));
    [
        one("gen_ai.usage.input_tokens", usage.input),
        one("gen_ai.usage.output_tokens", usage.output),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn message(turn: &Turn) -> String {
    let mut parts = List::new();
    let mut part = |kind: &str, text: &str| {
        if !text.is_empty() {
            let mut out = Object::new();
            out.text("type", kind).text("content", text);
            parts.raw(&out.end());
        }
    };
    part("reasoning", &turn.reasoning);
    part("text", &turn.text);
    for call in &turn.calls {
        let mut out = Object::new();
        out.text("type", "tool_call")
            .text("id", &call.id)
            .text("name", &call.name)
            .raw("arguments", &call.arguments);
        parts.raw(&out.end());
    }
    let mut out = Object::new();
    out.text("role", turn.role.word())
        .raw("parts", &parts.end());
    out.end()
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature that all writers share"
)]
#[expect(
    clippy::too_many_lines,
    reason = "one place for each field, in the order of the file"
)]
fn write(subject: &Subject<'_>) -> Result<Written, Diagnostic> {
    let trace = subject.trace;
    let mut losses = Losses::default();
    let times = trace.turns.iter().filter_map(|t| nanos(&t.time));
    let begun = nanos(&trace.created)
        .or_else(|| times.clone().min())
        .unwrap_or(0);
    let ended = times.max().unwrap_or(begun).max(begun);
    let whole = digits(&neutral::text(trace));
    let mut spans = Spans {
        list: List::new(),
        root: digits(&whole).get(..16).unwrap_or_default().to_owned(),
        trace: whole,
        n: 0,
    };
    let agent = if trace.agent.is_empty() {
        "agent"
    } else {
        &trace.agent
    };
    let mut root = vec![
        string("gen_ai.operation.name", "invoke_agent"),
        string("gen_ai.agent.name", agent),
    ];
    if !trace.id.is_empty() {
        root.push(string("gen_ai.conversation.id", &trace.id));
    }
    if !trace.model.is_empty() {
        root.push(string("gen_ai.request.model", &trace.model));
    }
    root.extend(counts(trace.totals));
    root.push(string(WHOLE, &neutral::text(trace)));
    spans.add(&format!("invoke_agent {agent}"), begun, ended, &root, true);
    let mut waiting: Vec<&Turn> = Vec::new();
    let mut at = begun;
    for turn in &trace.turns {
        at = nanos(&turn.time).unwrap_or(at).max(at);
        count_lost(turn, &mut losses);
        if turn.role == Role::Agent {
            let mut attributes = vec![string("gen_ai.operation.name", "chat")];
            if !trace.model.is_empty() {
                attributes.push(string("gen_ai.request.model", &trace.model));
            }
            messages(&mut attributes, "gen_ai.input.messages", &waiting);
            messages(&mut attributes, "gen_ai.output.messages", &[turn]);
            waiting.clear();
            attributes.extend(counts(turn.usage));
            let end = at + i128::from(turn.usage.ms.unwrap_or(0)) * 1_000_000;
            spans.add(
                format!("chat {}", trace.model).trim(),
                at,
                end,
                &attributes,
                false,
            );
        } else {
            waiting.push(turn);
        }
        for seen in &turn.observations {
            let call = turn.calls.iter().find(|c| c.id == seen.call);
            let name = call.map_or("tool", |c| &c.name);
            let mut attributes = vec![
                string("gen_ai.operation.name", "execute_tool"),
                string("gen_ai.tool.name", name),
            ];
            if !seen.call.is_empty() {
                attributes.push(string("gen_ai.tool.call.id", &seen.call));
            }
            if let Some(call) = call {
                attributes.push(string("gen_ai.tool.call.arguments", &call.arguments));
            }
            attributes.push(string("gen_ai.tool.call.result", &seen.text));
            spans.add(&format!("execute_tool {name}"), at, at, &attributes, false);
        }
    }
    if !waiting.is_empty() {
        let mut attributes = vec![string("gen_ai.operation.name", "chat")];
        messages(&mut attributes, "gen_ai.input.messages", &waiting);
        spans.add("chat", at, at, &attributes, false);
    }
    for (field, count) in [
        ("scores", trace.scores.len()),
        ("run", usize::from(trace.run.is_some())),
        ("extra", trace.extra.len()),
        ("outcome", usize::from(!trace.outcome.is_empty())),
        ("task", usize::from(!trace.task.is_empty())),
        (
            "agent_version",
            usize::from(!trace.agent_version.is_empty()),
        ),
    ] {
        losses.kept(field, count, WHOLE);
    }
    let mut resource = Object::new();
    let mut list = List::new();
    let (key, value) = string("service.name", agent);
    let mut one = Object::new();
    one.text("key", &key).raw("value", &value);
    list.raw(&one.end());
    resource.raw("attributes", &list.end());
    let mut scope = Object::new();
    scope.text("name", "vesta");
    let mut of_scope = Object::new();
    of_scope
        .raw("scope", &scope.end())
        .raw("spans", &spans.list.end());
    let mut scopes = List::new();
    scopes.raw(&of_scope.end());
    let mut of_resource = Object::new();
    of_resource
        .raw("resource", &resource.end())
        .raw("scopeSpans", &scopes.end());
    let mut resources = List::new();
    resources.raw(&of_resource.end());
    let mut out = Object::new();
    out.raw("resourceSpans", &resources.end());
    Ok(Written::one(
        FORMAT.extension,
        pretty(&out.end()),
        losses.list(),
    ))
}

fn messages(attributes: &mut Vec<(String, String)>, key: &str, turns: &[&Turn]) {
    if turns.is_empty() {
        return;
    }
    let mut list = List::new();
    for turn in turns {
        list.raw(&message(turn));
    }
    attributes.push(string(key, &list.end()));
}

fn count_lost(turn: &Turn, losses: &mut Losses) {
    let more = turn.calls.iter().map(|c| c.extra.len()).sum::<usize>()
        + turn
            .observations
            .iter()
            .map(|o| o.extra.len())
            .sum::<usize>()
        + turn.extra.len();
    for (field, count) in [
        ("extra", more),
        ("world", usize::from(turn.world.is_some())),
        ("name", usize::from(!turn.name.is_empty())),
        ("id", usize::from(!turn.id.is_empty())),
        ("cost", usize::from(turn.usage.cost.is_some())),
    ] {
        losses.kept(field, count, WHOLE);
    }
}
