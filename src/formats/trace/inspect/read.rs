//! Reading logs.

use std::collections::BTreeMap;

use super::{FORMAT, JSON, LOG, SAMPLE};
use crate::base::diag::Diagnostic;
use crate::formats::Read;
use crate::formats::trace::atif::rest;
use crate::formats::trace::carry::{TraceBack, TurnBack};
use crate::formats::trace::model::{Call, Extra, Observation, Role, Score, Trace, Turn, Usage};
use crate::formats::trace::packed::Packed;
use crate::formats::trace::read::{self, Content, Number, Pairs, Raw, RawUsage, Text, fields};
use crate::formats::trace::write::{List, Object};

fields! {
    /// A log; of an archive, its header.
    Log<'f> as "a log: an object with the fields version, status and eval" {
        status: Text<'f> = "status",
        eval: Eval<'f> = "eval",
        samples: Vec<Sample<'f>> = "samples",
    }
}

fields! {
    Eval<'f> as "an object with the fields task and model" {
        task: Text<'f> = "task",
        model: Text<'f> = "model",
        created: Text<'f> = "created",
    }
}

fields! {
    Sample<'f> as "a sample: an object with the fields id, epoch and messages" {
        id: Raw<'f> = "id",
        epoch: Number = "epoch",
        messages: Vec<Message<'f>> = "messages",
        scores: Pairs<'f, Value<'f>> = "scores",
        metadata: Meta<'f> = "metadata",
    }
}

fields! {
    Meta<'f> as "an object" {
        back: TraceBack<'f> = "vesta",
    }
}

fields! {
    MessageMeta<'f> as "an object" {
        back: TurnBack<'f> = "vesta",
    }
}

fields! {
    #[expect(clippy::struct_field_names, reason = "fields go by the names of the file")]
    Value<'f> as "a score: an object with the field value" {
        value: Raw<'f> = "value",
        explanation: Text<'f> = "explanation",
    }
}

fields! {
    Message<'f> as "a message: an object with the fields role and content" {
        id: Text<'f> = "id",
        role: Text<'f> = "role",
        content: Content<'f> = "content",
        tool_calls: Vec<ToolCall<'f>> = "tool_calls",
        tool_call_id: Text<'f> = "tool_call_id",
        metadata: MessageMeta<'f> = "metadata",
    }
}

fields! {
    ToolCall<'f> as "a call: an object with the fields id, function and arguments" {
        id: Text<'f> = "id",
        function: Text<'f> = "function",
        arguments: Raw<'f> = "arguments",
    }
}

fields! {
    #[expect(clippy::struct_field_names, reason = "fields go by the names of the file")]
    Event<'f> as "an event" {
        event: Text<'f> = "event",
        timestamp: Text<'f> = "timestamp",
        working_time: Number = "working_time",
        input: Vec<Raw<'f>> = "input",
        input_refs: Vec<(usize, usize)> = "input_refs",
        output: Output<'f> = "output",
    }
}

fields! {
    Output<'f> as "an output" {
        choices: Vec<Choice<'f>> = "choices",
        usage: RawUsage<'f> = "usage",
    }
}

fields! {
    Choice<'f> as "a choice" {
        message: Raw<'f> = "message",
    }
}

fields! {
    Pool<'f> as "an object" {
        messages: Vec<Raw<'f>> = "messages",
    }
}

fields! {
    Named<'f> as "an object" {
        id: Text<'f> = "id",
    }
}

fields! {
    /// What of a sample is looked at once more.
    Sums<'f> as "an object" {
        usage: Pairs<'f, RawUsage<'f>> = "model_usage",
        total_time: Number = "total_time",
        error: Raw<'f> = "error",
        limit: Limit<'f> = "limit",
        events: Vec<Event<'f>> = "events",
        events_data: Pool<'f> = "events_data",
        message_refs: Vec<(usize, usize)> = "message_refs",
        attachments: Attachments<'f> = "attachments",
    }
}

fields! {
    Limit<'f> as "an object" {
        kind: Text<'f> = "type",
    }
}

/// Texts by digest, or by their number.
#[derive(Debug, Default)]
pub(super) struct Attachments<'f>(BTreeMap<String, std::borrow::Cow<'f, str>>);

impl<'de> serde::de::Deserialize<'de> for Attachments<'de> {
    fn deserialize<D: serde::de::Deserializer<'de>>(de: D) -> Result<Self, D::Error> {
        let Pairs(pairs) = Pairs::<Text<'de>>::deserialize(de)?;
        let pairs = pairs.into_iter();
        Ok(Self(
            pairs
                .map(|(name, text)| (name.into_owned(), text.0))
                .collect(),
        ))
    }
}

/// The single file.
pub(super) fn json(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let (mut mended, mut notes) = (String::new(), Vec::new());
    let mut log: Log<'_> = read::parse(name, bytes, &mut mended, &mut notes)?;
    let samples = log.samples.take().unwrap_or_default();
    let head = Head::of(log);
    let mut traces = Vec::new();
    for sample in samples {
        traces.push(head.trace(sample, JSON.id));
    }
    if traces.is_empty() {
        return Err(empty(name));
    }
    Ok((traces, notes))
}

fn empty(name: &str) -> Diagnostic {
    Diagnostic::error("samples", "the log holds no sample")
        .help("read it with its samples, not its header alone")
        .in_file(name)
}

/// The archive.
pub(super) fn packed(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let mut archive = Packed::open(name, bytes)?;
    let mut notes = Vec::new();
    let (mut of, mut head) = ("header.json", archive.read("header.json")?);
    if head.is_none() {
        (of, head) = ("_journal/start.json", archive.read("_journal/start.json")?);
        notes.push(
            Diagnostic::warning("", "the log was not finished: header.json is missing")
                .help("what its journal tells is used")
                .in_file(name),
        );
    }
    let Some(head) = head else {
        return Err(
            Diagnostic::error("", "neither header.json nor _journal/start.json is in it")
                .help("this is no log of Inspect")
                .in_file(name),
        );
    };
    let mut mended = String::new();
    let log: Log<'_> = read::parse(&format!("{name}/{of}"), &head, &mut mended, &mut notes)?;
    let head = Head::of(log);
    let names = archive.names();
    let mut traces = Vec::new();
    for member in &names {
        let Some(rest) = member.strip_prefix("samples/") else {
            continue;
        };
        let whole = rest
            .strip_suffix(".json")
            .is_some_and(|id| !id.contains('/'));
        let shell = rest
            .strip_suffix("/sample.json")
            .filter(|id| !id.contains('/'));
        if !whole && shell.is_none() {
            continue;
        }
        let Some(bytes) = archive.read(member)? else {
            continue;
        };
        let place = format!("{name}/{member}");
        let bytes = match shell {
            None => bytes,
            Some(id) => together(&mut archive, &names, id, &place, &bytes, &mut notes)?,
        };
        let mut mended = String::new();
        let sample: Sample<'_> = read::parse(&place, &bytes, &mut mended, &mut notes)?;
        traces.push(head.trace(sample, FORMAT.id));
    }
    if traces.is_empty() {
        return Err(empty(name));
    }
    Ok((traces, notes))
}

/// A sample that is kept in pieces: its shell with messages, events and attachments, each in parts named by the number
/// of their first item.
#[expect(clippy::too_many_arguments, reason = "each is a thing of its own")]
fn together(
    archive: &mut Packed<'_>,
    names: &[String],
    id: &str,
    place: &str,
    shell: &[u8],
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<u8>, Diagnostic> {
    let mut out = Object::new();
    let mut mended = String::new();
    let Pairs(fields): Pairs<'_, Raw<'_>> = read::parse(place, shell, &mut mended, notes)?;
    for (name, raw) in fields {
        out.raw(&name, &raw.keep());
    }
    for sequence in ["messages", "events", "attachments"] {
        let prefix = format!("samples/{id}/{sequence}/");
        let mut parts: Vec<(u64, &String)> = names
            .iter()
            .filter_map(|name| {
                let number = name.strip_prefix(&prefix)?.strip_suffix(".json")?;
                Some((number.parse().ok()?, name))
            })
            .collect();
        parts.sort_unstable();
        let (mut list, mut map, mut n) = (List::new(), Object::new(), 0_usize);
        for (_, part) in parts {
            let bytes = archive.read(part)?.unwrap_or_default();
            let mut mended = String::new();
            let items: Vec<Raw<'_>> =
                read::parse(&format!("{place}: {part}"), &bytes, &mut mended, notes)?;
            for item in items {
                let kept = item.keep();
                map.raw(&n.to_string(), &kept);
                list.raw(&kept);
                n += 1;
            }
        }
        match sequence {
            "messages" => {
                let mut pool = Object::new();
                pool.raw("messages", &list.end());
                out.raw("events_data", &pool.end());
            }
            "events" => {
                out.raw("events", &list.end());
            }
            _ => {
                out.raw("attachments", &map.end());
            }
        }
    }
    if let Some(bytes) = archive.read(&format!("samples/{id}/metadata.json"))? {
        let mut mended = String::new();
        let metadata: Raw<'_> = read::parse(
            &format!("{place}: metadata.json"),
            &bytes,
            &mut mended,
            notes,
        )?;
        out.raw("metadata", &metadata.keep());
    }
    Ok(out.end().into_bytes())
}

/// What the log says about all samples.
struct Head {
    status: String,
    task: String,
    model: String,
    created: String,
    agent: String,
    version: String,
    /// Everything else, as an object.
    log: Option<String>,
}

fields! {
    Solver<'f> as "an object" {
        solver: Text<'f> = "solver",
    }
}

impl Head {
    fn of(log: Log<'_>) -> Self {
        let eval = log.eval.unwrap_or_default();
        let mut more = log.extra.keep();
        let version = more
            .iter()
            .find(|(name, _)| name == "version")
            .map_or_else(String::new, |(_, json)| json.clone());
        let status = log.status.map(Text::owned).unwrap_or_default();
        let mut of_eval = Vec::new();
        rest(&mut of_eval, "eval", eval.extra.keep());
        let agent = of_eval
            .first()
            .and_then(|(_, json)| serde_json::from_str::<Solver<'_>>(json).ok()?.solver)
            .map(Text::owned)
            .unwrap_or_default();
        more.append(&mut of_eval);
        let mut kept = Vec::new();
        rest(&mut kept, LOG, more);
        Self {
            status,
            task: eval.task.map(Text::owned).unwrap_or_default(),
            model: eval.model.map(Text::owned).unwrap_or_default(),
            created: eval.created.map(Text::owned).unwrap_or_default(),
            agent,
            version,
            log: kept.pop().map(|(_, json)| json),
        }
    }

    fn trace(&self, sample: Sample<'_>, format: &str) -> Trace {
        let kept_id = sample.id.map(Raw::keep).unwrap_or_default();
        let is_text = serde_json::from_str::<String>(&kept_id);
        let mut trace = Trace {
            format: format.to_owned(),
            version: self.version.clone(),
            id: is_text
                .as_ref()
                .map_or_else(|_| kept_id.clone(), Clone::clone),
            task: self.task.clone(),
            model: self.model.clone(),
            agent: self.agent.clone(),
            created: self.created.clone(),
            outcome: self.status.clone(),
            ..Trace::default()
        };
        for (name, value) in sample.scores.unwrap_or_default().0 {
            trace.scores.push(Score {
                name: name.into_owned(),
                value: value.value.map_or_else(|| "null".to_owned(), Raw::keep),
                text: value.explanation.map(Text::owned).unwrap_or_default(),
                extra: value.extra.keep(),
            });
        }
        let metadata = sample.metadata.unwrap_or_default();
        let mut more: Extra = sample.extra.keep();
        rest(&mut more, "metadata", metadata.extra.keep());
        if is_text.is_err() && !kept_id.is_empty() {
            more.push(("id".to_owned(), kept_id));
        }
        let epoch = sample.epoch.map_or(1, Number::count);
        if epoch != 1 {
            more.push(("epoch".to_owned(), epoch.to_string()));
        }
        let mut kept = Vec::new();
        rest(&mut kept, SAMPLE, more);
        let json = kept.first().map_or("{}", |(_, json)| json.as_str());
        // Only what others wrote in another form fails here, and it is kept all the same.
        let sums = serde_json::from_str::<Sums<'_>>(json).unwrap_or_default();
        for message in sample.messages.unwrap_or_default() {
            take(&mut trace.turns, message);
        }
        let empty = trace.turns.is_empty();
        Self::sum_up(&mut trace, &sums, empty);
        let kept = kept.into_iter();
        let made = metadata
            .back
            .as_ref()
            .is_some_and(|back| back.made == Some(true));
        if made {
            // All about it was ours, and was carried whole.
            trace = Trace {
                format: trace.format,
                version: trace.version,
                turns: trace.turns,
                ..Trace::default()
            };
        } else {
            trace.extra.extend(kept);
            trace
                .extra
                .extend(self.log.iter().map(|json| (LOG.to_owned(), json.clone())));
        }
        if let Some(back) = metadata.back {
            back.apply(&mut trace);
        }
        trace
    }

    fn sum_up(trace: &mut Trace, sums: &Sums<'_>, empty: bool) {
        if sums.error.is_some() {
            "error".clone_into(&mut trace.outcome);
        } else if let Some(kind) = sums.limit.as_ref().and_then(|limit| limit.kind.as_ref()) {
            trace.outcome = format!("limit: {}", kind.0);
        }
        if let Some(Pairs(models)) = &sums.usage {
            let all = models.iter().map(|(_, usage)| usage.usage());
            trace.totals = all.fold(Usage::default(), Usage::plus);
        }
        trace.totals.ms = sums.total_time.map(|n| Number(n.0 * 1000.0).count());
        let pool = sums
            .events_data
            .as_ref()
            .and_then(|data| data.messages.as_deref())
            .unwrap_or_default();
        if empty {
            let mut all: Vec<Raw<'_>> = Vec::new();
            if let Some(refs) = &sums.message_refs {
                all = ranges(refs, pool);
            } else if let Some(last) = sums.events.iter().flatten().rev().find(|e| is_model(e)) {
                all = match (&last.input_refs, &last.input) {
                    (Some(refs), _) => ranges(refs, pool),
                    (None, Some(input)) => input.clone(),
                    (None, None) => Vec::new(),
                };
                let output = last
                    .output
                    .as_ref()
                    .and_then(|o| o.choices.as_deref()?.first());
                all.extend(output.and_then(|choice| choice.message));
            }
            for raw in all {
                if let Ok(message) = serde_json::from_str::<Message<'_>>(raw.0.get()) {
                    take(&mut trace.turns, message);
                }
            }
        }
        let texts = sums.attachments.as_ref().map(|all| &all.0);
        if let Some(texts) = texts.filter(|texts| !texts.is_empty()) {
            for turn in &mut trace.turns {
                resolve(&mut turn.text, texts);
                for seen in &mut turn.observations {
                    resolve(&mut seen.text, texts);
                }
            }
        }
        for event in sums.events.iter().flatten().filter(|e| is_model(e)) {
            let output = event.output.as_ref();
            let message = output.and_then(|o| o.choices.as_deref()?.first()?.message);
            let named = message.and_then(|raw| serde_json::from_str::<Named<'_>>(raw.0.get()).ok());
            let Some(id) = named.and_then(|named| named.id) else {
                continue;
            };
            let Some(turn) = trace.turns.iter_mut().find(|turn| turn.id == id.0) else {
                continue;
            };
            if let Some(usage) = output.and_then(|o| o.usage.as_ref()) {
                turn.usage = usage.usage();
            }
            turn.usage.ms = event.working_time.map(|n| Number(n.0 * 1000.0).count());
            if let Some(time) = &event.timestamp {
                turn.time = time.0.clone().into_owned();
            }
        }
    }
}

fn is_model(event: &Event<'_>) -> bool {
    event.event.as_ref().is_some_and(|kind| kind.0 == "model")
}

/// The items of ranges `[from, to)` of a pool; what lies beyond its end is left out.
fn ranges<'f>(refs: &[(usize, usize)], pool: &[Raw<'f>]) -> Vec<Raw<'f>> {
    let mut all = Vec::new();
    for &(from, to) in refs {
        all.extend_from_slice(pool.get(from..to.min(pool.len())).unwrap_or_default());
        if all.len() > pool.len().saturating_mul(2).max(1 << 16) {
            break;
        }
    }
    all
}

/// Puts an attached text in the place of its name.
fn resolve(text: &mut String, texts: &BTreeMap<String, std::borrow::Cow<'_, str>>) {
    if let Some(found) = text
        .strip_prefix("attachment://")
        .and_then(|key| texts.get(key))
    {
        *text = found.clone().into_owned();
    }
}

/// The content that thoughts and text are written as.
pub(super) fn thoughts(reasoning: &str, text: &str) -> String {
    let mut list = List::new();
    let mut part = Object::new();
    part.text("type", "reasoning").text("reasoning", reasoning);
    list.raw(&part.end());
    let mut part = Object::new();
    part.text("type", "text").text("text", text);
    list.raw(&part.end());
    list.end()
}

fn take(turns: &mut Vec<Turn>, message: Message<'_>) {
    let role = Role::of(message.role.as_ref().map_or("", |role| &role.0));
    let said = message.content.map(Content::said).unwrap_or_default();
    let raw = said
        .raw
        .filter(|raw| *raw != thoughts(&said.reasoning, &said.text));
    let meta = message.metadata.unwrap_or_default();
    let mut extra: Extra = raw
        .into_iter()
        .map(|raw| ("content".to_owned(), raw))
        .collect();
    extra.append(&mut message.extra.keep());
    rest(&mut extra, "metadata", meta.extra.keep());
    let mut back = meta.back.unwrap_or_default();
    let id = message.id.map(Text::owned).unwrap_or_default();
    if role == Role::Tool {
        if !id.is_empty() {
            extra.push(("id".to_owned(), crate::formats::json::string(&id)));
        }
        if let Some(Pairs(more)) = back.kept_of_answer.take() {
            extra.extend(
                more.into_iter()
                    .map(|(name, raw)| (name.into_owned(), raw.keep())),
            );
        }
        let begins = back.role.is_some() || turns.is_empty();
        if begins {
            let mut turn = Turn {
                role,
                ..Turn::default()
            };
            back.apply(&mut turn);
            turns.push(turn);
        }
        if let Some(turn) = turns.last_mut() {
            turn.observations.push(Observation {
                call: message.tool_call_id.map(Text::owned).unwrap_or_default(),
                text: said.text,
                extra,
            });
        }
        return;
    }
    let calls = message
        .tool_calls
        .unwrap_or_default()
        .into_iter()
        .map(|call| {
            let mut extra = call.extra.keep();
            extra.retain(|(name, json)| !(name == "type" && json == "\"function\""));
            Call {
                id: call.id.map(Text::owned).unwrap_or_default(),
                name: call.function.map(Text::owned).unwrap_or_default(),
                arguments: call.arguments.map_or_else(|| "{}".to_owned(), Raw::keep),
                extra,
            }
        });
    let mut turn = Turn {
        role,
        id,
        text: said.text,
        reasoning: said.reasoning,
        calls: calls.collect(),
        extra,
        ..Turn::default()
    };
    back.apply(&mut turn);
    turns.push(turn);
}
