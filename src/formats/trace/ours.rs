//! A run of ours as a conversation: what was said becomes turns, what was done becomes calls and what came of them. The
//! files of the run go along whole, so that the way back is exact.

use super::model::{Call, Observation, Recorded, Role, Score, Trace, Turn, Usage, World};
use super::read::{Number, Raw, Text, fields, flat};
use super::write::{List, Object, nanos, rfc3339};
use crate::base::diag::Diagnostic;
use crate::formats::run::{Header, read_events, read_header};
use crate::formats::task as task_file;
use crate::plan::ledger::Score as Tally;
use crate::task::episode::{Body, Event, Move, Remark, Said};

fields! {
    /// A line of `timing.jsonl`: when an event was, or what the call that led to it took.
    Timing<'f> as "an object" {
        seq: u32 = "seq",
        t_ms: u64 = "t_ms",
        total_ms: u64 = "total_ms",
        tokens_in: u64 = "tokens_in",
        tokens_out: u64 = "tokens_out",
        cached: u64 = "cached",
        cost: Number = "cost_usd",
        attempts: u32 = "attempts",
    }
}

fields! {
    Player<'f> as "an object" {
        agent: Text<'f> = "agent",
        model: Text<'f> = "model",
    }
}

fields! {
    /// What is kept with a remark.
    Data<'f> as "an object" {
        reasoning: Text<'f> = "reasoning",
        thought: Text<'f> = "thought",
    }
}

/// How many goals there are, success first.
#[derive(Clone, Copy)]
struct Goals {
    success: usize,
    safety: usize,
}

/// The conversation a run is.
///
/// # Errors
/// Its header cannot be read.
pub fn of_run(run: Recorded) -> Result<Trace, Diagnostic> {
    let header = read_header(run.header.as_bytes())?;
    let lines: String = run
        .events
        .iter()
        .flat_map(|line| [line.as_str(), "\n"])
        .collect();
    let events = read_events(lines.as_bytes()).items;
    let task = task_file::read("run.json", header.task.as_bytes()).ok();
    let (goals, instruction) = task.map_or_else(
        || {
            (
                Goals {
                    success: 0,
                    safety: 0,
                },
                String::new(),
            )
        },
        |(task, _)| {
            let goals = Goals {
                success: task.success.len(),
                safety: task.safety.len() + task.never.len(),
            };
            (goals, task.instruction)
        },
    );
    let mut trace = Trace {
        id: header.id.clone(),
        task: header.task_id().unwrap_or_default(),
        model: model(&header),
        agent: header.agent.clone(),
        agent_version: header.engine.clone(),
        created: header.created.clone(),
        outcome: "open".to_owned(),
        ..Trace::default()
    };
    let mut said_before = false;
    for event in &events {
        said_before = take(&mut trace, event, goals, &instruction, said_before);
    }
    add_times(&mut trace, &run.timing);
    trace.totals = trace
        .turns
        .iter()
        .fold(Usage::default(), |sum, turn| sum.plus(turn.usage));
    trace.run = Some(run);
    Ok(trace)
}

fn model(header: &Header) -> String {
    let player = header.player.as_deref().unwrap_or("{}");
    let player = serde_json::from_str::<Player<'_>>(player).unwrap_or_default();
    player.model.map(Text::owned).unwrap_or_default()
}

/// The id of the turn an event made.
fn id(seq: u32) -> String {
    format!("e{seq}")
}

/// Takes an event in; whether an agent has just spoken, so that what is done next is its doing.
#[expect(
    clippy::too_many_lines,
    reason = "one place for each field, in the order of the file"
)]
fn take(
    trace: &mut Trace,
    event: &Event,
    goals: Goals,
    instruction: &str,
    said_before: bool,
) -> bool {
    let turn = |role: Role, name: &str, text: String| Turn {
        role,
        name: name.to_owned(),
        id: id(event.seq),
        text,
        ..Turn::default()
    };
    match &event.body {
        Body::Start { goals: met } => {
            let mut start = turn(Role::User, "task", instruction.to_owned());
            start.world = Some(world(event, &[], met, goals));
            trace.turns.push(start);
        }
        Body::Branch => {
            let text = format!("branch {} begins", event.branch);
            trace.turns.push(turn(Role::System, "run", text));
        }
        Body::Step {
            action,
            diff,
            goals: met,
        } => {
            let text = if diff.is_empty() {
                "nothing changed".to_owned()
            } else {
                diff.join("\n")
            };
            let mut done = act(trace, said_before, turn(Role::Agent, "", String::new()));
            attempt(&mut done, event.seq, action, text, Vec::new());
            done.world = Some(world(event, diff, met, goals));
            trace.turns.push(done);
        }
        Body::Refused {
            action,
            refusal,
            message,
        } => {
            let mut done = act(trace, said_before, turn(Role::Agent, "", String::new()));
            attempt(
                &mut done,
                event.seq,
                action,
                format!("refused ({refusal}): {message}"),
                Vec::new(),
            );
            trace.turns.push(done);
        }
        Body::Goto { to, how } => {
            let words = match how {
                Move::Undo => "one step back",
                Move::Redo => "one step forward again",
                Move::Goto => "a jump",
                Move::Again => "the same action again",
            };
            trace
                .turns
                .push(turn(Role::System, "run", format!("{words}, to event {to}")));
            "open".clone_into(&mut trace.outcome);
        }
        Body::Done { score } => {
            let mut done = act(trace, said_before, turn(Role::Agent, "", String::new()));
            let Tally {
                success,
                success_of,
                safety,
                safety_of,
            } = *score;
            let text =
                format!("done: success {success} of {success_of}, safety {safety} of {safety_of}");
            done.calls.push(Call {
                id: id(event.seq),
                name: "done".to_owned(),
                arguments: "{}".to_owned(),
                extra: Vec::new(),
            });
            done.observations.push(Observation {
                call: id(event.seq),
                text,
                extra: Vec::new(),
            });
            trace.turns.push(done);
            "done".clone_into(&mut trace.outcome);
            let rate = |name: &str, n: usize, of: usize| Score {
                name: name.to_owned(),
                value: super::write::number(if of == 0 { 1.0 } else { n as f64 / of as f64 }),
                text: format!("{n} of {of}"),
                extra: Vec::new(),
            };
            trace.scores = vec![
                rate("success", success, success_of),
                rate("safety", safety, safety_of),
            ];
        }
        Body::Avoid { reason } => {
            let mut done = act(trace, said_before, turn(Role::Agent, "", String::new()));
            if done.text.is_empty() {
                done.text = format!("[Avoid] {reason}");
            }
            trace.turns.push(done);
            "avoided".clone_into(&mut trace.outcome);
        }
        Body::Stopped { cause, text } => {
            trace.turns.push(turn(
                Role::System,
                "run",
                format!("stopped ({cause}): {text}"),
            ));
            trace.outcome = format!("stopped: {cause}");
        }
        Body::Remark(said) => {
            let spoken = remark(said, turn(Role::User, &said.by, said.text.clone()));
            let is_agent = spoken.role == Role::Agent && spoken.name.is_empty();
            trace.turns.push(spoken);
            return is_agent;
        }
    }
    false
}

/// The turn to act in: the one in which the agent has just spoken, or a new one.
fn act(trace: &mut Trace, said_before: bool, new: Turn) -> Turn {
    if said_before && let Some(last) = trace.turns.pop() {
        last
    } else {
        new
    }
}

fn attempt(turn: &mut Turn, seq: u32, action: &str, seen: String, extra: Vec<(String, String)>) {
    let (name, objects) = words(action);
    let mut arguments = Object::new();
    arguments
        .text("action", action)
        .raw("objects", &List::texts(&objects));
    turn.calls.push(Call {
        id: id(seq),
        name,
        arguments: arguments.end(),
        extra: Vec::new(),
    });
    turn.observations.push(Observation {
        call: id(seq),
        text: seen,
        extra,
    });
}

/// The verb of a program line, as a tool's name, and its objects: `[PUTIN] <milk> (231) <fridge> (150)`.
fn words(action: &str) -> (String, Vec<String>) {
    let verb = action
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .map_or(action, |(verb, _)| verb);
    let name: String = verb
        .chars()
        .take(64)
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    let name = if name.is_empty() {
        "act".to_owned()
    } else {
        name
    };
    let groups = action.split('<').skip(1).filter_map(|rest| {
        let (class, rest) = rest.split_once('>')?;
        let (_, id) = rest.split_once('(')?;
        let (id, _) = id.split_once(')')?;
        Some(format!("{class}.{id}"))
    });
    (name, groups.collect())
}

fn world(event: &Event, diff: &[String], met: &[u32], goals: Goals) -> World {
    let success = met
        .iter()
        .filter(|g| (**g as usize) < goals.success)
        .count();
    let pair = |n: usize, of: usize| {
        (
            u32::try_from(n).unwrap_or(u32::MAX),
            u32::try_from(of).unwrap_or(u32::MAX),
        )
    };
    World {
        seq: event.seq,
        hash: event.hash.to_string(),
        diff: diff.to_vec(),
        success: pair(success, goals.success),
        safety: pair(met.len() - success, goals.safety),
    }
}

fn remark(said: &Said, mut turn: Turn) -> Turn {
    turn.role = match (said.kind, said.by.as_str()) {
        (Remark::Trial, _) | (_, "system") => Role::System,
        (Remark::Critic, _) | (_, "agent" | "assistant" | "thought") => Role::Agent,
        _ => Role::User,
    };
    match (said.kind, said.by.as_str()) {
        (Remark::Message, "system" | "world" | "agent") => turn.name.clear(),
        (Remark::Critic, "") => "critic".clone_into(&mut turn.name),
        (Remark::Intervention | Remark::Trial, "") => "run".clone_into(&mut turn.name),
        (_, "thought") => {
            turn.reasoning = std::mem::take(&mut turn.text);
            turn.name.clear();
        }
        _ => {}
    }
    if let Some(data) = &said.data {
        match serde_json::from_str::<Data<'_>>(data) {
            Ok(data) => {
                let thought = data.reasoning.or(data.thought);
                if let Some(thought) = thought {
                    turn.reasoning = thought.owned();
                }
                for (name, raw) in data.extra.0 {
                    turn.extra.push((name.into_owned(), Raw(raw).keep()));
                }
            }
            Err(_) => turn.extra.push(("data".to_owned(), flat(data))),
        }
    }
    turn
}

/// Puts times and what calls took to the turns they belong to.
fn add_times(trace: &mut Trace, lines: &[String]) {
    let begun = nanos(&trace.created);
    let turns = &mut trace.turns;
    let mut at = rustc_hash::FxHashMap::default();
    for (i, turn) in turns.iter().enumerate() {
        at.insert(turn.id.clone(), i);
        for call in &turn.calls {
            at.insert(call.id.clone(), i);
        }
    }
    for line in lines {
        let Ok(timing) = serde_json::from_str::<Timing<'_>>(line) else {
            continue;
        };
        let turn = timing.seq.and_then(|seq| at.get(&id(seq)));
        let Some(turn) = turn.and_then(|&i| turns.get_mut(i)) else {
            continue;
        };
        if let (Some(ms), Some(begun), true) = (timing.t_ms, begun, turn.time.is_empty()) {
            turn.time = rfc3339(begun + i128::from(ms) * 1_000_000).unwrap_or_default();
        }
        if timing.attempts.is_some() {
            turn.usage = turn.usage.plus(Usage {
                input: timing.tokens_in,
                output: timing.tokens_out,
                cached: timing.cached,
                cost: timing.cost.map(|n| n.0),
                ms: timing.total_ms,
            });
        }
    }
}
