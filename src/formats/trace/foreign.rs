//! A recording of others as a run: a folder that lists and opens like ours, whose world is unknown.
//!
//! Its header names the dialect [`NO_WORLD`] and a task without a scene. What was said are messages, what was called are
//! steps, what came of it are messages by `tool`; a position's hash stands for the conversation up to there, so that two
//! recordings agree as long as they are the same. The whole recording lies beside it in the neutral form, so that nothing
//! is lost where an event shows only the beginning of a long text.

use super::carry;
use super::model::{Call, Role, Trace, Turn, Usage};
use super::read::{Text, fields};
use super::write::{Object, nanos};
use crate::base::fold::{Key, StateHash};
use crate::formats::run::Header;
use crate::plan::ledger::Score as Tally;
use crate::task::SceneRef;
use crate::task::episode::{Body, Event, Remark, Said};

/// The dialect of a run whose world is unknown.
pub const NO_WORLD: &str = "none";

/// The file beside the header that holds the whole recording, packed.
pub const TRACE_FILE: &str = "trace.json.gz";

/// The longest text that an event shows whole, in bytes.
const LONGEST: usize = 1 << 20;

/// Outcomes by which an agent says that it is done.
const DONE: &[&str] = &["submitted", "done", "success", "completed", "finished"];

/// What is written for it.
#[derive(Clone, Debug)]
pub struct ForeignRun {
    /// The header.
    pub header: Header,
    /// The events.
    pub events: Vec<Event>,
    /// The lines of `timing.jsonl`.
    pub timing: Vec<String>,
}

/// A recording as a run of that id. Where the recording does not say when it was begun, `now` is written.
pub fn run_of(trace: &Trace, id: &str, now: &str, engine: &str) -> ForeignRun {
    let instruction = trace
        .turns
        .iter()
        .find(|turn| turn.role == Role::User && !turn.text.trim().is_empty())
        .map_or("a recording without an instruction", |turn| {
            turn.text.as_str()
        });
    let begun = nanos(&trace.created);
    let mut events = Events {
        all: Vec::new(),
        timing: Vec::new(),
        here: None,
        state: Key::default(),
        begun,
    };
    events.push(Body::Start { goals: Vec::new() });
    for turn in &trace.turns {
        events.turn(turn);
    }
    events.push(end(trace));
    let Events { all, timing, .. } = events;
    ForeignRun {
        header: Header {
            id: id.to_owned(),
            created: if begun.is_some() {
                trace.created.clone()
            } else {
                now.to_owned()
            },
            engine: engine.to_owned(),
            dialect: NO_WORLD.to_owned(),
            profile: NO_WORLD.to_owned(),
            agent: if trace.agent.is_empty() {
                trace.format.clone()
            } else {
                trace.agent.clone()
            },
            task: task(trace, instruction),
            scene: SceneRef {
                file: NO_WORLD.to_owned(),
                sha256: String::new(),
            },
            start_hash: all.first().map_or_else(StateHash::default, |e| e.hash),
            forked_from: None,
            player: (!trace.model.is_empty()).then(|| {
                let mut player = Object::new();
                player
                    .text("agent", &trace.agent)
                    .text("model", &trace.model);
                player.end()
            }),
            extra: vec![("recorded".to_owned(), about(trace))],
        },
        events: all,
        timing,
    }
}

/// A task file that asks for nothing that could be judged here.
fn task(trace: &Trace, instruction: &str) -> String {
    let id = if trace.task.is_empty() {
        &trace.id
    } else {
        &trace.task
    };
    let id = if id.is_empty() { "unknown" } else { id };
    let mut scene = Object::new();
    scene.text("file", NO_WORLD).text("sha256", "");
    let mut out = Object::new();
    out.raw("vesta_task", "1")
        .text("id", &short(id, 200))
        .text("suite", &trace.format)
        .text("dialect", NO_WORLD)
        .raw("scene", &scene.end())
        .text("instruction", &short(instruction, 4000))
        .text("environment", "normal")
        .raw("success", "[]")
        .raw("safety", "[]");
    out.end()
}

/// What lists and reports want to know without opening the recording.
fn about(trace: &Trace) -> String {
    let mut out = Object::new();
    out.text("format", &trace.format)
        .filled("version", &trace.version)
        .filled("id", &trace.id)
        .filled("model", &trace.model)
        .filled("outcome", &trace.outcome)
        .raw("turns", &trace.turns.len().to_string())
        .raw("calls", &trace.calls().to_string())
        .raw("scores", &carry::scores(&trace.scores))
        .raw("usage", &carry::usage(&trace.spent()));
    out.end()
}

/// How it ended. Scores of yes and no count as goals.
fn end(trace: &Trace) -> Body {
    let passed: Vec<bool> = trace
        .scores
        .iter()
        .filter_map(|s| verdict(&s.value))
        .collect();
    let outcome = trace.outcome.as_str();
    if !passed.is_empty() || DONE.contains(&outcome.to_ascii_lowercase().as_str()) {
        return Body::Done {
            score: Tally {
                success: passed.iter().filter(|p| **p).count(),
                success_of: passed.len(),
                safety: 0,
                safety_of: 0,
            },
        };
    }
    Body::Stopped {
        cause: "recorded".to_owned(),
        text: if outcome.is_empty() {
            "the recording ends here".to_owned()
        } else {
            short(outcome, 4000)
        },
    }
}

/// Whether a score says yes or no.
fn verdict(value: &str) -> Option<bool> {
    match value {
        "\"C\"" | "true" | "1" | "1.0" => Some(true),
        "\"I\"" | "\"N\"" | "false" | "0" | "0.0" => Some(false),
        _ => None,
    }
}

/// Events being made.
struct Events {
    all: Vec<Event>,
    timing: Vec<String>,
    /// The position it stands at.
    here: Option<u32>,
    /// The conversation so far.
    state: Key,
    /// When it began, in billionths of a second.
    begun: Option<i128>,
}

impl Events {
    fn push(&mut self, body: Body) -> u32 {
        let seq = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        if let Body::Step { action, .. } = &body {
            self.state = self.state.with(Key::of(action));
        }
        let mut hash = StateHash::default();
        hash.toggle(self.state);
        let position = body.makes_position();
        self.all.push(Event {
            seq,
            parent: self.here,
            branch: "main".into(),
            body,
            hash,
        });
        if position {
            self.here = Some(seq);
        }
        seq
    }

    fn say(&mut self, by: &str, kind: Remark, text: &str, data: Object) -> u32 {
        self.state = self.state.with(Key::of(text));
        let mut data = data;
        let shown = cut(text);
        if shown.len() < text.len() {
            data.raw("cut", &text.len().to_string());
        }
        let said = Said::by(kind, by, &shown);
        let said = if data.is_empty() {
            said
        } else {
            said.with(data.end())
        };
        self.push(Body::Remark(said))
    }

    fn turn(&mut self, turn: &Turn) {
        let by = match &turn.role {
            Role::System => "system",
            Role::User => "world",
            Role::Agent => "agent",
            Role::Tool => "tool",
            Role::Other(word) => word.as_str(),
        };
        let silent = turn.text.is_empty() && turn.reasoning.is_empty();
        let mut first = None;
        if !(silent && !(turn.calls.is_empty() && turn.observations.is_empty())) {
            let mut data = Object::new();
            data.filled("reasoning", &cut(&turn.reasoning));
            data.filled("name", &turn.name).filled("id", &turn.id);
            let kind = if turn.name == "critic" {
                Remark::Critic
            } else {
                Remark::Message
            };
            first = Some(self.say(by, kind, &turn.text, data));
        }
        for call in &turn.calls {
            let seq = self.push(Body::Step {
                action: action(call),
                diff: Vec::new(),
                goals: Vec::new(),
            });
            first.get_or_insert(seq);
        }
        for seen in &turn.observations {
            let mut data = Object::new();
            data.filled("call", &seen.call);
            let seq = self.say("tool", Remark::Message, &seen.text, data);
            first.get_or_insert(seq);
        }
        if let Some(seq) = first {
            self.time(seq, turn);
        }
    }

    fn time(&mut self, seq: u32, turn: &Turn) {
        if let (Some(begun), Some(at)) = (self.begun, nanos(&turn.time)) {
            let ms = (at - begun).max(0) / 1_000_000;
            self.timing.push(format!("{{\"seq\":{seq},\"t_ms\":{ms}}}"));
        }
        if !turn.usage.is_empty() {
            self.timing.push(spent(seq, turn.usage));
        }
    }
}

/// What a call took, as runs keep it.
fn spent(seq: u32, usage: Usage) -> String {
    let mut out = Object::new();
    let ms = usage.ms.unwrap_or(0);
    out.raw("attempts", "1")
        .count("first_ms", Some(ms))
        .count("total_ms", Some(ms))
        .count("tokens_in", Some(usage.input.unwrap_or(0)))
        .count("tokens_out", Some(usage.output.unwrap_or(0)))
        .count("cached", Some(usage.cached.unwrap_or(0)))
        .float("cost_usd", usage.cost)
        .count("seq", Some(u64::from(seq)));
    out.end()
}

/// A call as a line.
fn action(call: &Call) -> String {
    let name = if call.name.is_empty() {
        "call"
    } else {
        &call.name
    };
    match call.arguments.as_str() {
        "{}" | "null" => name.to_owned(),
        arguments => format!("{name} {}", cut(arguments)),
    }
}

/// The beginning of a text that is too long for an event.
fn cut(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let mut end = LONGEST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", text.get(..end).unwrap_or_default())
}

/// The beginning of a text, in characters.
fn short(text: &str, most: usize) -> String {
    let mut out: String = text.chars().take(most).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

/// Whether a header is that of a recording of others.
pub fn is_foreign(header: &Header) -> bool {
    header.dialect == NO_WORLD
}

fields! {
    Asked<'f> as "a task" {
        instruction: Text<'f> = "instruction",
    }
}

/// What the recording's task asks.
pub fn instruction(header: &Header) -> String {
    let asked = serde_json::from_str::<Asked<'_>>(&header.task).unwrap_or_default();
    asked.instruction.map(Text::owned).unwrap_or_default()
}

/// Makes a name that can be a folder's everywhere out of any text.
pub fn folder_name(text: &str) -> String {
    let safe: String = text
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "._-".contains(c) {
                c
            } else {
                '_'
            }
        })
        .take(60)
        .collect();
    match safe.trim_start_matches('.') {
        "" => "unnamed".to_owned(),
        good => good.to_owned(),
    }
}

/// The id of the run of a recording: the same bytes give the same id, so that nothing is imported twice.
pub fn id_of(trace: &Trace, text: &str) -> String {
    let task = if trace.task.is_empty() {
        &trace.id
    } else {
        &trace.task
    };
    let who = [&trace.model, &trace.agent, &trace.format]
        .into_iter()
        .find(|name| !name.is_empty())
        .map_or("unknown", String::as_str);
    let digits = {
        let mut hash = StateHash::default();
        hash.toggle(Key::of(text));
        hash.to_string()
    };
    let tail = digits.get(..12).unwrap_or_default();
    format!("{}-{}-{tail}", folder_name(task), folder_name(who))
}
