//! ATIF, the Agent Trajectory Interchange Format of Harbor (RFC 0001, `docs/rfcs/0001-trajectory-format.md` there):
//! written in version 1.7, read from 1.0 on.
//!
//! A step holds what was said, what was called and what came of it. Only `extra` of the trajectory and of a step is open to
//! others; what an agent alone may have (calls, metrics, reasoning) stands at its steps only.

use super::carry::{self, KEY, TraceBack, TurnBack};
use super::loss::Losses;
use super::model::{Call, Extra, Observation, Role, Trace, Turn, Usage};
use super::peek::{Peek, Shape};
use super::read::{self, Content, Number, Raw, RawUsage, Text, fields};
use super::write::{List, Object, nanos, pretty};
use super::{Format, Subject, Written};
use crate::base::diag::Diagnostic;
use crate::formats::Read;

/// ATIF among the formats.
pub const FORMAT: Format = Format {
    id: "atif",
    title: "ATIF trajectory (Harbor)",
    version: "ATIF-v1.7",
    extension: "json",
    sniff,
    read: Some(read),
    write: Some(write),
    keeps: "messages, reasoning, calls, observations, tokens and cost, times; world states in extra",
    loses: "scores, outcome, latency, names: kept in extra.vesta",
};

/// What every version begins with.
const VERSIONS: &str = "ATIF-v1.";

/// The newest minor version whose fields are known.
const NEWEST: u32 = 7;

fields! {
    File<'f> as "a trajectory: an object with the fields schema_version, agent and steps" {
        schema_version: Text<'f> = "schema_version",
        session_id: Text<'f> = "session_id",
        agent: Agent<'f> = "agent",
        steps: Vec<Step<'f>> = "steps",
        final_metrics: RawUsage<'f> = "final_metrics",
        open: Open<'f> = "extra",
    }
}

fields! {
    Agent<'f> as "an agent: an object with the fields name and version" {
        name: Text<'f> = "name",
        version: Text<'f> = "version",
        model_name: Text<'f> = "model_name",
    }
}

fields! {
    Open<'f> as "an object" {
        back: TraceBack<'f> = "vesta",
    }
}

fields! {
    OpenStep<'f> as "an object" {
        back: TurnBack<'f> = "vesta",
    }
}

fields! {
    #[expect(clippy::struct_field_names, reason = "fields go by the names of the file")]
    Step<'f> as "a step: an object with the fields step_id, source and message" {
        step_id: Number = "step_id",
        timestamp: Text<'f> = "timestamp",
        source: Text<'f> = "source",
        message: Content<'f> = "message",
        reasoning: Text<'f> = "reasoning_content",
        tool_calls: Vec<ToolCall<'f>> = "tool_calls",
        observation: Results<'f> = "observation",
        metrics: RawUsage<'f> = "metrics",
        open: OpenStep<'f> = "extra",
    }
}

fields! {
    ToolCall<'f> as "a call: an object with the fields tool_call_id, function_name and arguments" {
        id: Text<'f> = "tool_call_id",
        name: Text<'f> = "function_name",
        arguments: Raw<'f> = "arguments",
    }
}

fields! {
    Results<'f> as "an observation: an object with the field results" {
        results: Vec<Found<'f>> = "results",
    }
}

fields! {
    Found<'f> as "a result: an object with the field content" {
        call: Text<'f> = "source_call_id",
        content: Content<'f> = "content",
    }
}

fn sniff(bytes: &[u8]) -> u8 {
    let peek = Peek::of(bytes);
    if peek.shape == Shape::Object && peek.says("\"ATIF-v") {
        95
    } else {
        0
    }
}

fn read(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let (mut mended, mut notes) = (String::new(), Vec::new());
    let file: File<'_> = read::parse(name, bytes, &mut mended, &mut notes)?;
    let version = file.schema_version.map(Text::owned).unwrap_or_default();
    let minor = version
        .strip_prefix(VERSIONS)
        .and_then(|n| n.parse::<u32>().ok());
    match minor {
        None => {
            let message = format!("{version:?} is no version of ATIF that is known");
            return Err(Diagnostic::error("schema_version", message)
                .help(format!("give a file of {VERSIONS}0 to {VERSIONS}{NEWEST}"))
                .in_file(name));
        }
        Some(n) if n > NEWEST => notes.push(
            Diagnostic::warning(
                "schema_version",
                format!("{version} is newer than {VERSIONS}{NEWEST}"),
            )
            .help("fields that are not known are kept")
            .in_file(name),
        ),
        Some(_) => {}
    }
    let Some(steps) = file.steps else {
        return Err(read::missing(name, "steps", "give the steps as a list"));
    };
    let (totals, more_totals) = file.final_metrics.unwrap_or_default().keep();
    let agent = file.agent.unwrap_or_default();
    let mut trace = Trace {
        format: FORMAT.id.to_owned(),
        version,
        id: file.session_id.map(Text::owned).unwrap_or_default(),
        model: agent.model_name.map(Text::owned).unwrap_or_default(),
        agent: agent.name.map(Text::owned).unwrap_or_default(),
        agent_version: agent.version.map(Text::owned).unwrap_or_default(),
        totals,
        extra: file.extra.keep(),
        ..Trace::default()
    };
    rest(&mut trace.extra, "agent", agent.extra.keep());
    let mut more_totals = more_totals;
    // It is counted when it is written.
    more_totals.retain(|(name, _)| name != "total_steps");
    rest(&mut trace.extra, "final_metrics", more_totals);
    for (i, step) in steps.into_iter().enumerate() {
        if step.step_id.is_some_and(|n| n.count() != i as u64 + 1) {
            notes.push(
                Diagnostic::warning(format!("steps[{i}].step_id"), format!("is not {}", i + 1))
                    .help("steps are taken in the order of the file")
                    .in_file(name),
            );
        }
        trace.turns.push(turn(step));
    }
    if let Some(open) = file.open {
        rest(&mut trace.extra, "extra", open.extra.keep());
        if let Some(back) = open.back {
            back.apply(&mut trace);
        }
    }
    Ok((vec![trace], notes))
}

/// Keeps what is left of an inner object under the object's name.
#[expect(clippy::needless_pass_by_value, reason = "what is left is given away")]
pub(super) fn rest(extra: &mut Extra, name: &str, fields: Extra) {
    if fields.is_empty() {
        return;
    }
    let mut out = Object::new();
    for (name, json) in &fields {
        out.raw(name, json);
    }
    extra.push((name.to_owned(), out.end()));
}

fn turn(step: Step<'_>) -> Turn {
    let said = step.message.map(Content::said).unwrap_or_default();
    let (usage, more) = step.metrics.unwrap_or_default().keep();
    let role = match step.source.as_ref().map_or("", |source| &source.0) {
        "agent" => Role::Agent,
        other => Role::of(other),
    };
    let mut turn = Turn {
        role,
        text: said.text,
        reasoning: step.reasoning.map(Text::owned).unwrap_or_default(),
        time: step.timestamp.map(Text::owned).unwrap_or_default(),
        usage,
        extra: step.extra.keep(),
        ..Turn::default()
    };
    if let Some(raw) = said.raw {
        turn.extra.push(("message".to_owned(), raw));
    }
    rest(&mut turn.extra, "metrics", more);
    for call in step.tool_calls.unwrap_or_default() {
        turn.calls.push(Call {
            id: call.id.map(Text::owned).unwrap_or_default(),
            name: call.name.map(Text::owned).unwrap_or_default(),
            arguments: call.arguments.map_or_else(|| "{}".to_owned(), Raw::keep),
            extra: call.extra.keep(),
        });
    }
    if let Some(observation) = step.observation {
        rest(&mut turn.extra, "observation", observation.extra.keep());
        for found in observation.results.unwrap_or_default() {
            let said = found.content.map(Content::said).unwrap_or_default();
            let mut extra = found.extra.keep();
            if let Some(raw) = said.raw {
                extra.push(("content".to_owned(), raw));
            }
            turn.observations.push(Observation {
                call: found.call.map(Text::owned).unwrap_or_default(),
                text: said.text,
                extra,
            });
        }
    }
    if let Some(open) = step.open {
        rest(&mut turn.extra, "extra", open.extra.keep());
        if let Some(back) = open.back {
            back.apply(&mut turn);
        }
    }
    turn
}

/// Fields of a trajectory that we have no use for, and pass on.
const TOP: &[&str] = &[
    "notes",
    "continued_trajectory_ref",
    "trajectory_id",
    "subagent_trajectories",
];

/// The same of a step.
const OF_STEP: &[&str] = &[
    "model_name",
    "reasoning_effort",
    "is_copied_context",
    "llm_call_count",
];

/// What of a trace has a place.
const NATIVE: &[&str] = &["id", "model", "agent", "agent_version", "totals"];

#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature that all writers share"
)]
fn write(subject: &Subject<'_>) -> Result<Written, Diagnostic> {
    let trace = subject.trace;
    let own = trace.format == FORMAT.id;
    let mut losses = Losses::default();
    let mut out = Object::new();
    out.text("schema_version", FORMAT.version);
    out.text("session_id", or(&trace.id, "unnamed"));
    let mut agent = Object::new();
    agent
        .text("name", or(&trace.agent, "unknown"))
        .text("version", or(&trace.agent_version, "unknown"))
        .filled("model_name", &trace.model);
    let mut native = NATIVE.to_vec();
    // What must be there and is not known is written as a word, and taken back.
    let unknown = [
        ("id", trace.id.is_empty()),
        ("agent", trace.agent.is_empty()),
        ("agent_version", trace.agent_version.is_empty()),
    ];
    let mut open = Object::new();
    let mut left: Vec<&(String, String)> = Vec::new();
    let mut top: Vec<&(String, String)> = Vec::new();
    let mut metrics = Object::new();
    for field in &trace.extra {
        match field.0.as_str() {
            "agent" if own && add(&mut agent, &field.1, &["name", "version", "model_name"]) => {}
            "final_metrics" if own && add(&mut metrics, &field.1, TOTALS) => {}
            "extra" if own && add(&mut open, &field.1, &[KEY]) => {}
            name if own && TOP.contains(&name) => top.push(field),
            _ => left.push(field),
        }
    }
    out.raw("agent", &agent.end());
    let mut steps = List::new();
    for (i, turn) in trace.turns.iter().enumerate() {
        steps.raw(&step(i, turn, own, &mut losses));
    }
    out.raw("steps", &steps.end());
    let totals = trace.totals;
    if totals.ms.is_some() {
        native.retain(|n| *n != "totals");
    }
    if !totals.is_empty() || !metrics.is_empty() {
        let mut all = Object::new();
        all.count("total_prompt_tokens", totals.input)
            .count("total_completion_tokens", totals.output)
            .count("total_cached_tokens", totals.cached)
            .float("total_cost_usd", totals.cost)
            .count("total_steps", Some(trace.turns.len() as u64));
        add(&mut all, &metrics.end(), TOTALS);
        out.raw("final_metrics", &all.end());
    }
    for (name, json) in top {
        out.raw(name, json);
    }
    carry::note_trace(trace, &native, left.len(), &mut losses, "extra.vesta");
    let mut back = carry::trace(trace, &native, &left);
    for (name, is) in unknown {
        if is {
            back.get_or_insert_with(Object::new).text(name, "");
        }
    }
    if let Some(back) = back {
        open.raw(KEY, &back.end());
    }
    if !open.is_empty() {
        out.raw("extra", &open.end());
    }
    Ok(Written::one(
        FORMAT.extension,
        pretty(&out.end()),
        losses.list(),
    ))
}

/// Names of totals.
const TOTALS: &[&str] = &[
    "total_prompt_tokens",
    "total_completion_tokens",
    "total_cached_tokens",
    "total_cost_usd",
    "total_steps",
    "prompt_tokens",
    "completion_tokens",
    "cached_tokens",
    "cost_usd",
];

/// The text, or a word where it is empty.
fn or<'t>(text: &'t str, word: &'t str) -> &'t str {
    if text.is_empty() { word } else { text }
}

/// Adds the fields of an object, unless it is none or has a name that is taken.
pub(super) fn add(out: &mut Object, json: &str, taken: &[&str]) -> bool {
    let Ok(read::Pairs(fields)) = serde_json::from_str::<read::Pairs<'_, Raw<'_>>>(json) else {
        return false;
    };
    if fields.iter().any(|(name, _)| taken.contains(&&**name)) {
        return false;
    }
    for (name, raw) in fields {
        out.raw(&name, &raw.keep());
    }
    true
}

#[expect(
    clippy::cognitive_complexity,
    reason = "one place for each field, in the order of the file"
)]
fn step(i: usize, turn: &Turn, own: bool, losses: &mut Losses) -> String {
    let mut native = vec!["text"];
    let is_agent = turn.role == Role::Agent;
    let source = match turn.role {
        Role::Agent => "agent",
        Role::User => "user",
        Role::System | Role::Tool | Role::Other(_) => "system",
    };
    if matches!(turn.role, Role::Agent | Role::User | Role::System) {
        native.push("role");
    }
    let mut out = Object::new();
    out.count("step_id", Some(i as u64 + 1));
    if nanos(&turn.time).is_some() {
        native.push("time");
        out.text("timestamp", &turn.time);
    }
    out.text("source", source);
    let mut open = Object::new();
    let mut metrics = Object::new();
    let mut seen_more = Object::new();
    let mut message = None;
    let (mut left, mut placed) = (Vec::new(), Vec::new());
    for field in &turn.extra {
        match field.0.as_str() {
            "metrics" if own && is_agent && add(&mut metrics, &field.1, TOTALS) => {}
            "observation"
                if own
                    && !turn.observations.is_empty()
                    && add(&mut seen_more, &field.1, &["results"]) => {}
            "extra" if own && add(&mut open, &field.1, &[KEY]) => {}
            "message" if own && says(&field.1, &turn.text) => message = Some(&field.1),
            name if own && OF_STEP.contains(&name) && (is_agent || name == "is_copied_context") => {
                placed.push(field);
            }
            _ => left.push(field),
        }
    }
    match message {
        Some(raw) => out.raw("message", raw),
        None => out.text("message", &turn.text),
    };
    for (name, json) in placed {
        out.raw(name, json);
    }
    if is_agent {
        native.push("reasoning");
        out.filled("reasoning_content", &turn.reasoning);
        if put_calls(&mut out, turn, own) {
            native.push("calls");
        }
    }
    if put_seen(&mut out, turn, own, seen_more) {
        native.push("observations");
    }
    let usage = turn.usage;
    if is_agent {
        if usage.ms.is_none() {
            native.push("usage");
        }
        put_usage(&mut out, usage, metrics);
    }
    carry::note_turn(turn, &native, left.len(), losses, "steps[].extra.vesta");
    if let Some(back) = carry::turn(turn, &native, &left) {
        open.raw(KEY, &back.end());
    }
    if !open.is_empty() {
        out.raw("extra", &open.end());
    }
    out.end()
}

/// Whether a content that is more than text still says this.
fn says(raw: &str, text: &str) -> bool {
    let said = serde_json::from_str::<Content<'_>>(raw).map(Content::said);
    said.is_ok_and(|said| said.text == text && said.raw.as_deref() == Some(raw))
}

/// Writes the calls; whether that says all about them.
fn put_calls(out: &mut Object, turn: &Turn, own: bool) -> bool {
    let mut whole = true;
    let mut list = List::new();
    for (n, call) in turn.calls.iter().enumerate() {
        let mut one = Object::new();
        let id = if call.id.is_empty() {
            format!("call_{}", n + 1)
        } else {
            call.id.clone()
        };
        whole &= id == call.id;
        one.text("tool_call_id", &id)
            .text("function_name", &call.name);
        if call.arguments.starts_with('{') {
            one.raw("arguments", &call.arguments);
        } else {
            whole = false;
            let mut wrapped = Object::new();
            wrapped.raw("value", &call.arguments);
            one.raw("arguments", &wrapped.end());
        }
        for (name, json) in &call.extra {
            if own && !["tool_call_id", "function_name", "arguments"].contains(&name.as_str()) {
                one.raw(name, json);
            } else {
                whole = false;
            }
        }
        list.raw(&one.end());
    }
    if !list.is_empty() {
        out.raw("tool_calls", &list.end());
    }
    whole
}

/// Writes the observations; whether that says all about them.
fn put_seen(out: &mut Object, turn: &Turn, own: bool, more: Object) -> bool {
    let mut whole = true;
    let mut list = List::new();
    for seen in &turn.observations {
        let mut one = Object::new();
        if turn.role == Role::Agent
            && turn
                .calls
                .iter()
                .any(|call| call.id == seen.call && !call.id.is_empty())
        {
            one.text("source_call_id", &seen.call);
        } else {
            whole &= seen.call.is_empty();
        }
        let raw = seen.extra.iter().find(|(name, _)| name == "content");
        match raw.filter(|(_, raw)| own && says(raw, &seen.text)) {
            Some((_, raw)) => one.raw("content", raw),
            None => one.text("content", &seen.text),
        };
        for (name, json) in &seen.extra {
            match name.as_str() {
                "content" => whole &= own && says(json, &seen.text),
                "source_call_id" => whole = false,
                _ if own => {
                    one.raw(name, json);
                }
                _ => whole = false,
            }
        }
        list.raw(&one.end());
    }
    if !list.is_empty() {
        let mut all = Object::new();
        all.raw("results", &list.end());
        add(&mut all, &more.end(), &[]);
        out.raw("observation", &all.end());
    }
    whole
}

fn put_usage(out: &mut Object, usage: Usage, more: Object) {
    let mut all = Object::new();
    all.count("prompt_tokens", usage.input)
        .count("completion_tokens", usage.output)
        .count("cached_tokens", usage.cached)
        .float("cost_usd", usage.cost);
    add(&mut all, &more.end(), TOTALS);
    if !all.is_empty() {
        out.raw("metrics", &all.end());
    }
}
