//! Writing logs: one sample a log. A sample that was read from a log is put back into it as it was.

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::read::thoughts;
use super::{FORMAT, JSON, LOG, SAMPLE};
use crate::base::diag::Diagnostic;
use crate::formats::json as text;
use crate::formats::trace::carry::{self, KEY};
use crate::formats::trace::loss::Losses;
use crate::formats::trace::model::{Observation, Role, Trace, Turn};
use crate::formats::trace::read::{Content, Pairs, Raw, flat};
use crate::formats::trace::write::{List, Object, nanos, pretty};
use crate::formats::trace::{Subject, Written};

/// The parts of a log.
struct Log {
    /// `version`, `status`, `eval`, `plan`, …
    head: Vec<(String, String)>,
    sample: String,
    summary: String,
    /// The name of the sample's member.
    member: String,
    losses: Losses,
}

/// The single file.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature that all writers share"
)]
pub(super) fn json(subject: &Subject<'_>) -> Result<Written, Diagnostic> {
    let log = log(subject.trace);
    let mut out = Object::new();
    for (name, json) in &log.head {
        out.raw(name, json);
    }
    let mut samples = List::new();
    samples.raw(&log.sample);
    out.raw("samples", &samples.end());
    Ok(Written::one(
        JSON.extension,
        pretty(&out.end()),
        log.losses.list(),
    ))
}

/// The archive.
pub(super) fn packed(subject: &Subject<'_>) -> Result<Written, Diagnostic> {
    let log = log(subject.trace);
    let object = |names: Option<&[&str]>| {
        let mut out = Object::new();
        for (name, json) in &log.head {
            if names.is_none_or(|names| names.contains(&name.as_str())) {
                out.raw(name, json);
            }
        }
        out.end()
    };
    let mut summaries = List::new();
    summaries.raw(&log.summary);
    let summaries = summaries.end();
    let members = [
        (
            "_journal/start.json",
            object(Some(&["version", "eval", "plan"])),
        ),
        (log.member.as_str(), log.sample.clone()),
        ("_journal/summaries/1.json", summaries.clone()),
        ("summaries.json", summaries),
        ("header.json", object(None)),
    ];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let fault = |e: String| Diagnostic::error("", format!("the archive cannot be made: {e}"));
    for (name, json) in members {
        // No time of day: the same log gives the same bytes.
        let options = SimpleFileOptions::default().large_file(json.len() > (1 << 30));
        zip.start_file(name, options)
            .map_err(|e| fault(e.to_string()))?;
        zip.write_all(json.as_bytes())
            .map_err(|e| fault(e.to_string()))?;
    }
    let bytes = zip.finish().map_err(|e| fault(e.to_string()))?.into_inner();
    Ok(Written::one(FORMAT.extension, bytes, log.losses.list()))
}

/// An object as its fields.
fn object(json: &str) -> Option<Vec<(String, String)>> {
    let Pairs(fields) = serde_json::from_str::<Pairs<'_, Raw<'_>>>(json).ok()?;
    let fields = fields.into_iter();
    Some(
        fields
            .map(|(name, raw)| (name.into_owned(), raw.keep()))
            .collect(),
    )
}

/// What was kept of the log and of the sample, if the trace was read from a log.
struct Kept {
    log: Vec<(String, String)>,
    eval: Vec<(String, String)>,
    sample: Vec<(String, String)>,
    metadata: Vec<(String, String)>,
}

fn kept(trace: &Trace) -> Option<Kept> {
    if ![FORMAT.id, JSON.id].contains(&trace.format.as_str()) {
        return None;
    }
    let of = |name: &str| {
        trace
            .extra
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, json)| json.as_str())
    };
    let mut log = object(of(LOG)?)?;
    let mut sample = object(of(SAMPLE)?)?;
    let inner = |from: &mut Vec<(String, String)>, name: &str| -> Option<Vec<(String, String)>> {
        match from.iter().position(|(n, _)| n == name) {
            Some(at) => object(&from.remove(at).1),
            None => Some(Vec::new()),
        }
    };
    let eval = inner(&mut log, "eval")?;
    let metadata = inner(&mut sample, "metadata")?;
    let taken = |fields: &[(String, String)], names: &[&str]| {
        fields.iter().any(|(n, _)| names.contains(&n.as_str()))
    };
    let odd = taken(&log, &["status", "samples"])
        || taken(&eval, &["task", "model", "created"])
        || taken(&sample, &["messages", "scores"])
        || taken(&metadata, &[KEY])
        || !taken(&eval, &["dataset"])
        || !taken(&log, &["version"]);
    (!odd).then_some(Kept {
        log,
        eval,
        sample,
        metadata,
    })
}

fn log(trace: &Trace) -> Log {
    let mut losses = Losses::default();
    let kept = kept(trace);
    let own = kept.is_some();
    let mut messages = List::new();
    for turn in &trace.turns {
        put(&mut messages, turn, own, &mut losses);
    }
    let messages = messages.end();
    match kept {
        Some(kept) => again(trace, kept, &messages, losses),
        None => anew(trace, &messages, losses),
    }
}

/// A sample that was read from a log.
fn again(trace: &Trace, kept: Kept, messages: &str, mut losses: Losses) -> Log {
    let left: Vec<&(String, String)> = trace
        .extra
        .iter()
        .filter(|(n, _)| n != LOG && n != SAMPLE)
        .collect();
    // What is told elsewhere in the log is read from there again.
    let mut native = vec![
        "id", "task", "model", "agent", "created", "outcome", "totals",
    ];
    let scores = scores(trace);
    if scores.is_some() {
        native.push("scores");
    }
    carry::note_trace(trace, &native, left.len(), &mut losses, "metadata.vesta");
    let back = carry::trace(trace, &native, &left);
    let of = |name: &str| {
        kept.sample
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, json)| json.clone())
    };
    let id = of("id").unwrap_or_else(|| text::string(&trace.id));
    let epoch = of("epoch").unwrap_or_else(|| "1".to_owned());
    let mut sample = Object::new();
    sample.raw("id", &id).raw("epoch", &epoch);
    for (name, json) in &kept.sample {
        if !["id", "epoch"].contains(&name.as_str()) {
            sample.raw(name, json);
        }
    }
    sample.raw("messages", messages);
    if let Some(scores) = &scores {
        sample.raw("scores", scores);
    }
    let mut metadata = Object::new();
    for (name, json) in &kept.metadata {
        metadata.raw(name, json);
    }
    if let Some(back) = back {
        metadata.raw(KEY, &back.end());
    }
    if !metadata.is_empty() {
        sample.raw("metadata", &metadata.end());
    }
    let mut eval = Object::new();
    eval.text("task", &trace.task)
        .text("model", &trace.model)
        .text("created", &trace.created);
    for (name, json) in &kept.eval {
        eval.raw(name, json);
    }
    let status = match trace.outcome.as_str() {
        outcome @ ("success" | "error" | "cancelled" | "started") => outcome,
        _ => "success",
    };
    let mut head: Vec<(String, String)> = Vec::new();
    let mut more = kept.log;
    if let Some(at) = more.iter().position(|(name, _)| name == "version") {
        head.push(more.remove(at));
    }
    head.push(("status".to_owned(), text::string(status)));
    head.push(("eval".to_owned(), eval.end()));
    head.append(&mut more);
    let summary = summary(&id, &epoch, of("input"), of("target"), scores.as_deref());
    Log {
        head,
        sample: sample.end(),
        summary,
        member: member(&id, &epoch),
        losses,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "both are made for it")]
fn summary(
    id: &str,
    epoch: &str,
    input: Option<String>,
    target: Option<String>,
    scores: Option<&str>,
) -> String {
    let mut out = Object::new();
    out.raw("id", id)
        .raw("epoch", epoch)
        .raw("input", input.as_deref().unwrap_or("\"\""))
        .raw("target", target.as_deref().unwrap_or("\"\""));
    if let Some(scores) = scores {
        out.raw("scores", scores);
    }
    out.raw("completed", "true");
    out.end()
}

/// The member of a sample; its id is a name, whatever it says.
fn member(id: &str, epoch: &str) -> String {
    let plain = serde_json::from_str::<String>(id).unwrap_or_else(|_| id.to_owned());
    let safe: String = plain
        .chars()
        .map(|c| {
            if c.is_control() || "/\\:".contains(c) {
                '_'
            } else {
                c
            }
        })
        .collect();
    let safe = if safe == ".." { "__".to_owned() } else { safe };
    format!("samples/{safe}_epoch_{epoch}.json")
}

/// A log around a conversation of others.
#[expect(
    clippy::too_many_lines,
    reason = "one place for each field, in the order of the file"
)]
fn anew(trace: &Trace, messages: &str, mut losses: Losses) -> Log {
    let created = if nanos(&trace.created).is_some() {
        trace.created.as_str()
    } else {
        "1970-01-01T00:00:00+00:00"
    };
    let or = |text: &str, word: &str| {
        if text.is_empty() {
            word.to_owned()
        } else {
            text.to_owned()
        }
    };
    let id = text::string(&or(&trace.id, "unnamed"));
    let task = or(&trace.task, "unnamed");
    let model = or(&trace.model, &or(&trace.agent, "unknown"));
    let mut eval = Object::new();
    eval.text("created", created)
        .text("task", &task)
        .text("task_id", &task)
        .text("eval_id", &or(&trace.id, "unnamed"))
        .text("run_id", &or(&trace.id, "unnamed"))
        .filled("solver", &trace.agent)
        .raw("dataset", &{
            let mut dataset = Object::new();
            dataset.text("name", &task).raw("samples", "1");
            dataset.end()
        })
        .text("model", &model)
        .raw("config", "{}");
    let input = trace.turns.iter().find(|turn| turn.role == Role::User);
    let input = text::string(input.map_or("", |turn| &turn.text));
    let scores = scores(trace).filter(|_| !trace.scores.is_empty());
    let mut native = vec!["id", "task", "model", "agent", "created"];
    if scores.is_some() {
        native.push("scores");
    }
    if trace.totals.cost.is_none() {
        native.push("totals");
    }
    carry::note_trace(
        trace,
        &native,
        trace.extra.len(),
        &mut losses,
        "metadata.vesta",
    );
    let extra: Vec<_> = trace.extra.iter().collect();
    let mut back = carry::trace(trace, &[], &extra).unwrap_or_else(Object::new);
    back.raw("made", "true");
    let mut metadata = Object::new();
    metadata.raw(KEY, &back.end());
    let mut sample = Object::new();
    sample
        .raw("id", &id)
        .raw("epoch", "1")
        .raw("input", &input)
        .text("target", "")
        .raw("messages", messages);
    if let Some(scores) = &scores {
        sample.raw("scores", scores);
    }
    sample.raw("metadata", &metadata.end());
    if trace.totals != crate::formats::trace::Usage::default() {
        let (input, output) = (
            trace.totals.input.unwrap_or(0),
            trace.totals.output.unwrap_or(0),
        );
        let mut usage = Object::new();
        usage
            .count("input_tokens", Some(input))
            .count("output_tokens", Some(output))
            .count("total_tokens", Some(input.saturating_add(output)))
            .count("input_tokens_cache_read", trace.totals.cached);
        let mut all = Object::new();
        all.raw(&model, &usage.end());
        sample.raw("model_usage", &all.end());
        sample.float("total_time", trace.totals.ms.map(|ms| ms as f64 / 1000.0));
    }
    let head = vec![
        ("version".to_owned(), FORMAT.version.to_owned()),
        ("status".to_owned(), "\"success\"".to_owned()),
        ("eval".to_owned(), eval.end()),
    ];
    let summary = summary(&id, "1", Some(input), None, scores.as_deref());
    Log {
        head,
        sample: sample.end(),
        summary,
        member: member(&id, "1"),
        losses,
    }
}

/// The scores; `None` where one has something a score there cannot have.
fn scores(trace: &Trace) -> Option<String> {
    let mut out = Object::new();
    let mut names = std::collections::BTreeSet::new();
    for score in &trace.scores {
        let odd = score
            .extra
            .iter()
            .any(|(name, _)| !["answer", "metadata", "history"].contains(&name.as_str()));
        if score.value == "null" || odd || !names.insert(&score.name) {
            return None;
        }
        let mut one = Object::new();
        one.raw("value", &score.value)
            .filled("explanation", &score.text);
        for (name, json) in &score.extra {
            one.raw(name, json);
        }
        out.raw(&score.name, &one.end());
    }
    Some(out.end())
}

/// Names that messages keep for themselves.
const RESERVED: &[&str] = &[
    "id",
    "role",
    "content",
    "tool_calls",
    "tool_call_id",
    "metadata",
];

/// Further fields that a message there may have.
const OPEN: &[&str] = &["source", "model", "function", "error", "internal"];

#[expect(
    clippy::cognitive_complexity,
    reason = "one place for each field, in the order of the file"
)]
fn put(list: &mut List, turn: &Turn, own: bool, losses: &mut Losses) {
    let is_answer = turn.role == Role::Tool && !turn.observations.is_empty();
    let word = match turn.role {
        Role::System => "system",
        Role::Agent => "assistant",
        _ => "user",
    };
    let mut native = vec!["observations"];
    if !is_answer {
        native.push("text");
        native.push("id");
        if turn.role.word() == word {
            native.push("role");
        }
    }
    let is_agent = turn.role == Role::Agent;
    let (calls, whole) = if is_agent {
        calls(turn)
    } else {
        (List::new().end(), turn.calls.is_empty())
    };
    if whole {
        native.push("calls");
    }
    let mut parts = None;
    let (mut placed, mut left, mut metadata) = (Vec::new(), Vec::new(), Object::new());
    for field in &turn.extra {
        match field.0.as_str() {
            "content" if own && !is_answer && says(&field.1, turn) => parts = Some(&field.1),
            "metadata" if own && !is_answer && put_all(&mut metadata, &field.1) => {}
            name if own && !is_answer && !RESERVED.contains(&name) && OPEN.contains(&name) => {
                placed.push(field);
            }
            _ => left.push(field),
        }
    }
    if !is_answer && (is_agent || parts.is_some() || turn.reasoning.is_empty()) {
        native.push("reasoning");
    }
    carry::note_turn(
        turn,
        &native,
        left.len(),
        losses,
        "messages[].metadata.vesta",
    );
    let back = carry::turn(turn, &native, &left);
    if is_answer {
        answers(list, turn, back, own, losses);
        return;
    }
    let mut out = Object::new();
    out.filled("id", &turn.id).text("role", word);
    match parts {
        Some(raw) => out.raw("content", raw),
        None if is_agent && !turn.reasoning.is_empty() => {
            out.raw("content", &thoughts(&turn.reasoning, &turn.text))
        }
        None => out.text("content", &turn.text),
    };
    if calls != "[]" {
        out.raw("tool_calls", &calls);
    }
    for (name, json) in placed {
        out.raw(name, json);
    }
    if let Some(back) = back {
        metadata.raw(KEY, &back.end());
    }
    if !metadata.is_empty() {
        out.raw("metadata", &metadata.end());
    }
    list.raw(&out.end());
    answers(list, turn, None, own, losses);
}

fn put_all(out: &mut Object, json: &str) -> bool {
    crate::formats::trace::atif::add(out, json, &[KEY])
}

/// Whether a content that is more than text still says what the turn says.
fn says(raw: &str, turn: &Turn) -> bool {
    let said = serde_json::from_str::<Content<'_>>(raw).map(Content::said);
    said.is_ok_and(|said| {
        said.text == turn.text
            && said.reasoning == turn.reasoning
            && said.raw.as_deref() == Some(raw)
    }) && flat(raw) == raw
        && raw != thoughts(&turn.reasoning, &turn.text)
}

/// The calls, and whether that says all about them.
fn calls(turn: &Turn) -> (String, bool) {
    let (mut list, mut whole) = (List::new(), true);
    for (n, call) in turn.calls.iter().enumerate() {
        let mut out = Object::new();
        let made = format!("call_{}", n + 1);
        let id = if call.id.is_empty() { &made } else { &call.id };
        whole &= *id == call.id;
        out.text("id", id).text("function", &call.name);
        if call.arguments.starts_with('{') {
            out.raw("arguments", &call.arguments);
        } else {
            whole = false;
            let mut wrapped = Object::new();
            wrapped.raw("value", &call.arguments);
            out.raw("arguments", &wrapped.end());
        }
        out.text("type", "function");
        for (name, json) in &call.extra {
            // An error is a text, a view an object; what is neither is not theirs.
            let fits = (name == "parse_error" && json.starts_with('"'))
                || (name == "view" && json.starts_with('{'));
            if fits {
                out.raw(name, json);
            } else {
                whole = false;
            }
        }
        list.raw(&out.end());
    }
    (list.end(), whole)
}

/// What a tool answered, a message each.
fn answers(
    list: &mut List,
    turn: &Turn,
    mut about: Option<Object>,
    own: bool,
    losses: &mut Losses,
) {
    for seen in &turn.observations {
        list.raw(&answer(seen, about.take(), own, losses));
    }
}

fn answer(seen: &Observation, about: Option<Object>, own: bool, losses: &mut Losses) -> String {
    let mut out = Object::new();
    let (mut left, mut metadata, mut parts) = (Vec::new(), Object::new(), None);
    let mut placed = Vec::new();
    for field in &seen.extra {
        let (name, json) = (field.0.as_str(), field.1.as_str());
        match name {
            "id" if own && json.starts_with('"') && json != "\"\"" => placed.push(field),
            "content" if own => {
                let of = Turn {
                    text: seen.text.clone(),
                    ..Turn::default()
                };
                if says(json, &of) {
                    parts = Some(json);
                } else {
                    left.push(field);
                }
            }
            "metadata" if own && put_all(&mut metadata, json) => {}
            name if own && !RESERVED.contains(&name) && OPEN.contains(&name) => placed.push(field),
            _ => left.push(field),
        }
    }
    for (name, json) in placed {
        out.raw(name, json);
    }
    out.text("role", "tool");
    match parts {
        Some(raw) => out.raw("content", raw),
        None => out.text("content", &seen.text),
    };
    out.filled("tool_call_id", &seen.call);
    let mut back = about;
    if !left.is_empty() {
        losses.kept("extra", left.len(), "messages[].metadata.vesta");
        let mut more = Object::new();
        for (name, json) in left {
            more.raw(name, json);
        }
        back.get_or_insert_with(Object::new)
            .raw("answer", &more.end());
    }
    if let Some(back) = back {
        metadata.raw(KEY, &back.end());
    }
    if !metadata.is_empty() {
        out.raw("metadata", &metadata.end());
    }
    out.end()
}
