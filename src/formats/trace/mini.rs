//! Trajectories of mini-swe-agent, version 1.1 (its `docs/usage/output_files.md`), and the bare lists of messages that it
//! wrote before: chat messages, each with an `extra` in which it keeps actions, cost and time.

use super::atif::{add, rest};
use super::carry::{self, KEY, TraceBack, TurnBack};
use super::chat::{self, CONTENT, Message};
use super::loss::Losses;
use super::model::{Call, Observation, Role, Trace, Turn, Usage};
use super::peek::{Peek, Shape};
use super::read::{self, Number, Pairs, Raw, Text, fields};
use super::write::{List, Object, nanos, number, pretty, rfc3339};
use super::{Format, Subject, Written};
use crate::base::diag::Diagnostic;
use crate::formats::{Read, json};

/// mini-swe-agent among the formats.
pub const FORMAT: Format = Format {
    id: "mini-swe",
    title: "mini-swe-agent trajectory",
    version: "mini-swe-agent-1.1",
    extension: "traj.json",
    sniff,
    read: Some(read),
    write: Some(write),
    keeps: "messages, actions, outputs, cost, times, exit status, every further field",
    loses: "tokens of a turn, latency, world states, scores: kept in extra.vesta",
};

fields! {
    File<'f> as "a trajectory: an object with the field messages" {
        info: Info<'f> = "info",
        messages: Vec<Message<'f>> = "messages",
        version: Text<'f> = "trajectory_format",
    }
}

fields! {
    Info<'f> as "an object" {
        stats: Stats<'f> = "model_stats",
        exit_status: Text<'f> = "exit_status",
        mini_version: Text<'f> = "mini_version",
        config: Config<'f> = "config",
        back: TraceBack<'f> = "vesta",
    }
}

fields! {
    Stats<'f> as "an object" {
        cost: Number = "instance_cost",
    }
}

fields! {
    Config<'f> as "an object" {
        model: Model<'f> = "model",
    }
}

fields! {
    Model<'f> as "an object" {
        name: Text<'f> = "model_name",
    }
}

fields! {
    /// What is kept with a message.
    More<'f> as "an object" {
        actions: Vec<Raw<'f>> = "actions",
        cost: Number = "cost",
        timestamp: Number = "timestamp",
        back: TurnBack<'f> = "vesta",
    }
}

fields! {
    Action<'f> as "an action" {
        id: Text<'f> = "tool_call_id",
    }
}

/// The tool all actions are for.
const BASH: &str = "bash";

/// Who sets up an agent when the file does not say.
const AGENT: &str = "mini-swe-agent";

fn sniff(bytes: &[u8]) -> u8 {
    let peek = Peek::of(bytes);
    match peek.shape {
        Shape::Object if peek.says("\"mini-swe-agent-") => 95,
        Shape::Object if peek.top("messages") && peek.top("info") && peek.has("model_stats") => 85,
        Shape::List
            if peek.inner.iter().any(|k| k == "role")
                && peek.has("extra")
                && (peek.has("actions") || peek.has("returncode")) =>
        {
            80
        }
        _ => 0,
    }
}

fn read(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let (mut mended, mut notes) = (String::new(), Vec::new());
    let file = if json::without_mark(bytes)
        .trim_ascii_start()
        .starts_with(b"[")
    {
        File {
            messages: Some(read::parse(name, bytes, &mut mended, &mut notes)?),
            ..File::default()
        }
    } else {
        read::parse(name, bytes, &mut mended, &mut notes)?
    };
    let Some(messages) = file.messages else {
        return Err(read::missing(
            name,
            "messages",
            "give the conversation as a list of messages",
        ));
    };
    let info = file.info.unwrap_or_default();
    let stats = info.stats.unwrap_or_default();
    let mut trace = Trace {
        format: FORMAT.id.to_owned(),
        version: file.version.map(Text::owned).unwrap_or_default(),
        agent: AGENT.to_owned(),
        agent_version: info.mini_version.map(Text::owned).unwrap_or_default(),
        outcome: info.exit_status.map(Text::owned).unwrap_or_default(),
        totals: Usage {
            cost: stats.cost.map(|n| n.0),
            ..Usage::default()
        },
        extra: file.extra.keep(),
        ..Trace::default()
    };
    let mut more = info.extra.keep();
    rest(&mut more, "model_stats", stats.extra.keep());
    let config = info.config.unwrap_or_default();
    let mut of_config = config.extra.keep();
    let model = config.model.unwrap_or_default();
    trace.model = model.name.map(Text::owned).unwrap_or_default();
    rest(&mut of_config, "model", model.extra.keep());
    rest(&mut more, "config", of_config);
    rest(&mut trace.extra, "info", more);
    for message in messages {
        take(&mut trace.turns, message);
    }
    if let Some(back) = info.back {
        back.apply(&mut trace);
    }
    Ok((vec![trace], notes))
}

/// Takes a message in: the output of an action belongs to the turn that acted.
fn take(turns: &mut Vec<Turn>, message: Message<'_>) {
    let before = turns.len();
    chat::take(turns, message);
    if turns.len() == before {
        return;
    }
    let Some(mut turn) = turns.pop() else { return };
    let at = turn.extra.iter().position(|(name, _)| name == "extra");
    let Some(at) = at else {
        turns.push(turn);
        return;
    };
    let raw = turn.extra.remove(at).1;
    let Ok(more) = serde_json::from_str::<More<'_>>(&raw) else {
        turn.extra.push(("extra".to_owned(), raw));
        turns.push(turn);
        return;
    };
    let is_output = turn.role == Role::User
        && turns.last().is_some_and(|t| t.role == Role::Agent)
        && more.back.is_none()
        && more
            .extra
            .0
            .iter()
            .any(|(name, _)| name == "returncode" || name == "raw_output");
    if is_output && turn.calls.is_empty() && turn.name.is_empty() && turn.reasoning.is_empty() {
        let mut extra = turn.extra;
        extra.insert(0, ("role".to_owned(), "\"user\"".to_owned()));
        extra.push(("extra".to_owned(), raw.clone()));
        if let Some(last) = turns.last_mut() {
            last.observations.push(Observation {
                call: String::new(),
                text: turn.text,
                extra,
            });
        }
        return;
    }
    let mut kept = more.extra.keep();
    turn.usage.cost = more.cost.map(|n| n.0);
    if let Some(time) = more.timestamp.and_then(|n| from_seconds(n.0)) {
        turn.time = time;
    } else if let Some(n) = more.timestamp {
        kept.push(("timestamp".to_owned(), number(n.0)));
    }
    if let Some(actions) = more.actions {
        if turn.calls.is_empty() && turn.role == Role::Agent {
            turn.calls = actions.iter().map(call).collect();
        } else {
            let mut list = List::new();
            for action in actions {
                list.raw(&action.keep());
            }
            kept.push(("actions".to_owned(), list.end()));
        }
    }
    rest(&mut turn.extra, "extra", kept);
    if let Some(back) = more.back {
        back.apply(&mut turn);
    }
    turns.push(turn);
}

fn call(action: &Raw<'_>) -> Call {
    let kept = action.keep();
    let (id, arguments) = match serde_json::from_str::<Action<'_>>(&kept) {
        Ok(Action {
            id: Some(id),
            extra,
        }) => {
            let mut out = Object::new();
            for (name, json) in extra.keep() {
                out.raw(&name, &json);
            }
            (id.owned(), out.end())
        }
        _ => (String::new(), kept),
    };
    Call {
        id,
        name: BASH.to_owned(),
        arguments,
        extra: Vec::new(),
    }
}

/// The time so many seconds after 1970.
#[expect(
    clippy::float_cmp,
    reason = "only the very same number may stand for it"
)]
fn from_seconds(seconds: f64) -> Option<String> {
    let nanos = seconds * 1e9;
    // Fractions below what a float of this size tells are rounding.
    let micros = (seconds * 1e6).round();
    let exact = micros / 1e6 == seconds;
    let whole = if exact {
        micros as i128 * 1000
    } else {
        nanos.round() as i128
    };
    (to_seconds(&rfc3339(whole)?)? == seconds)
        .then(|| rfc3339(whole))
        .flatten()
}

/// The seconds after 1970 of a time.
fn to_seconds(time: &str) -> Option<f64> {
    let nanos = nanos(time)?;
    Some(if nanos % 1000 == 0 {
        (nanos / 1000) as f64 / 1e6
    } else {
        nanos as f64 / 1e9
    })
}

/// What of a trace has a place.
const NATIVE: &[&str] = &["model", "agent", "agent_version", "outcome", "totals"];

#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature that all writers share"
)]
fn write(subject: &Subject<'_>) -> Result<Written, Diagnostic> {
    let trace = subject.trace;
    let own = trace.format == FORMAT.id;
    let mut losses = Losses::default();
    let mut native = NATIVE.to_vec();
    if trace.agent != AGENT {
        native.retain(|n| *n != "agent");
    }
    let totals = trace.totals;
    if (Usage {
        cost: totals.cost,
        ..Usage::default()
    }) != totals
    {
        native.retain(|n| *n != "totals");
    }
    let mut info = Object::new();
    let (mut stats, mut config, mut model, mut more) =
        (Object::new(), Object::new(), Object::new(), Object::new());
    stats.float("instance_cost", totals.cost);
    model.filled("model_name", &trace.model);
    let (mut top, mut left) = (Vec::new(), Vec::new());
    for field in &trace.extra {
        match field.0.as_str() {
            "info" if own && inner(&field.1, [&mut stats, &mut config, &mut model, &mut more]) => {}
            name if own && !["messages", "trajectory_format", "info"].contains(&name) => {
                top.push(field);
            }
            _ => left.push(field),
        }
    }
    info.raw("model_stats", &stats.end());
    if !model.is_empty() {
        config.raw("model", &model.end());
    }
    info.raw("config", &config.end());
    info.filled("mini_version", &trace.agent_version);
    info.filled("exit_status", &trace.outcome);
    add(&mut info, &more.end(), &[]);
    let mut messages = List::new();
    for turn in &trace.turns {
        put(&mut messages, turn, own, &mut losses);
    }
    carry::note_trace(trace, &native, left.len(), &mut losses, "info.vesta");
    let mut back = carry::trace(trace, &native, &left);
    if trace.agent.is_empty() {
        back.get_or_insert_with(Object::new).text("agent", "");
    }
    if let Some(back) = back {
        info.raw(KEY, &back.end());
    }
    let mut out = Object::new();
    out.raw("info", &info.end())
        .raw("messages", &messages.end());
    for (name, json) in top {
        out.raw(name, json);
    }
    out.text("trajectory_format", FORMAT.version);
    Ok(Written::one(
        FORMAT.extension,
        pretty(&out.end()),
        losses.list(),
    ))
}

/// Shares out what was kept of `info`, unless it has something that stands elsewhere.
fn inner(raw: &str, [stats, config, model, more]: [&mut Object; 4]) -> bool {
    let object = |raw: &str| -> Option<Vec<(String, String)>> {
        let Pairs(fields) = serde_json::from_str::<Pairs<'_, Raw<'_>>>(raw).ok()?;
        let fields = fields.into_iter();
        Some(
            fields
                .map(|(name, raw)| (name.into_owned(), raw.keep()))
                .collect(),
        )
    };
    let mut found: [Vec<(String, String)>; 4] = [const { Vec::new() }; 4];
    let Some(fields) = object(raw) else {
        return false;
    };
    for (name, json) in fields {
        match name.as_str() {
            "model_stats" => match object(&json) {
                Some(fields) => found[0] = fields,
                None => return false,
            },
            "config" => match object(&json) {
                Some(fields) => found[1] = fields,
                None => return false,
            },
            _ => found[3].push((name, json)),
        }
    }
    if let Some(at) = found[1].iter().position(|(name, _)| name == "model") {
        let (_, json) = found[1].remove(at);
        match object(&json) {
            Some(fields) => found[2] = fields,
            None => return false,
        }
    }
    let has = |i: usize, taken: &[&str]| {
        found[i]
            .iter()
            .any(|(name, _)| taken.contains(&name.as_str()))
    };
    if has(0, &["instance_cost"])
        || has(2, &["model_name"])
        || has(3, &[KEY, "exit_status", "mini_version"])
    {
        return false;
    }
    for (to, fields) in [stats, config, model, more].into_iter().zip(&found) {
        for (name, json) in fields {
            to.raw(name, json);
        }
    }
    true
}

/// The messages of a turn: the chat's, with what this tool keeps in `extra`.
fn put(list: &mut List, turn: &Turn, own: bool, losses: &mut Losses) {
    let mut plain = turn.clone();
    let mut more = Object::new();
    let kept = plain.extra.iter().position(|(name, _)| name == "extra");
    // A turn that is only answers has no message of its own to keep them with.
    let has_message = turn.role != Role::Tool || turn.observations.is_empty();
    if has_message {
        let mut own_actions = false;
        if let Some((at, raw)) = kept
            .filter(|_| own)
            .and_then(|at| Some((at, &plain.extra.get(at)?.1)))
        {
            own_actions = Peek::of(raw.as_bytes()).top("actions");
            // Without calls they would be read as the calls.
            let taken: &[&str] =
                if own_actions && plain.calls.is_empty() && turn.role == Role::Agent {
                    &[KEY, "cost", "timestamp", "actions"]
                } else {
                    &[KEY, "cost", "timestamp"]
                };
            if add(&mut more, raw, taken) {
                plain.extra.remove(at);
            } else {
                own_actions = false;
            }
        }
        let actions = plain.calls.iter().map(action).collect::<Option<Vec<_>>>();
        if let Some(actions) =
            actions.filter(|a| !a.is_empty() && turn.role == Role::Agent && !own_actions)
        {
            let mut all = List::new();
            for action in actions {
                all.raw(&action);
            }
            more.raw("actions", &all.end());
            plain.calls.clear();
        }
        if let Some(cost) = plain.usage.cost.take() {
            more.float("cost", Some(cost));
        }
        if let Some(seconds) =
            to_seconds(&turn.time).filter(|s| from_seconds(*s).as_deref() == Some(&turn.time))
        {
            more.float("timestamp", Some(seconds));
            plain.time.clear();
        }
        if plain.usage != Usage::default() {
            plain.usage = turn.usage;
        }
    }
    if !has_message {
        chat::put(list, &plain, losses, own);
        return;
    }
    let outputs = std::mem::take(&mut plain.observations);
    chat::put_with(list, &plain, Some(("extra", more.end())), losses, own);
    for seen in outputs {
        let of_user = seen.call.is_empty()
            && own
            && turn.role == Role::Agent
            && seen
                .extra
                .first()
                .is_some_and(|(name, json)| name == "role" && json == "\"user\"");
        let mut message = Turn {
            role: Role::Tool,
            ..Turn::default()
        };
        if of_user {
            message.role = Role::User;
            message.text = seen.text;
            message.extra = seen
                .extra
                .into_iter()
                .skip(1)
                .filter(|(name, _)| name != CONTENT || own)
                .collect();
            chat::put(list, &message, losses, own);
        } else {
            message.observations.push(seen);
            chat::put_answers(list, &message, losses);
        }
    }
}

/// The action a call is; `None` where it is another tool's.
fn action(call: &Call) -> Option<String> {
    if call.name != BASH || !call.extra.is_empty() || !call.arguments.starts_with('{') {
        return None;
    }
    if call.id.is_empty() {
        return Some(call.arguments.clone());
    }
    let mut out = Object::new();
    add(&mut out, &call.arguments, &["tool_call_id"]).then_some(())?;
    out.text("tool_call_id", &call.id);
    Some(out.end())
}
