//! ITF, the traces of model checkers (Apalache, ADR 015), for whoever looks at states with their tools: a state a turn that
//! left one, with the action, the state hash, how many goals hold, and the facts that change in the run.
//!
//! Facts that never change are in no difference and hence in no state: a [`Loss`](super::Loss). The conversation whole
//! stands in `#meta`.

use std::collections::BTreeSet;

use super::loss::Losses;
use super::model::{Role, Trace, Turn};
use super::peek::{Peek, Shape};
use super::read::{self, Pairs, Raw, fields};
use super::write::{List, Object, pretty};
use super::{Format, KEY, Subject, Written, neutral};
use crate::base::diag::Diagnostic;
use crate::formats::Read;

/// ITF among the formats.
pub const FORMAT: Format = Format {
    id: "itf",
    title: "ITF trace of states (Apalache, Quint, TLA+)",
    version: "ADR 015",
    extension: "itf.json",
    sniff,
    read: Some(read),
    write: Some(write),
    keeps: "states: action, hash, goals, facts that change",
    loses: "facts that never change; what was said: kept in #meta.vesta",
};

fields! {
    File<'f> as "an object with the fields vars and states" {
        meta: Meta<'f> = "#meta",
        states: Vec<Pairs<'f, Raw<'f>>> = "states",
    }
}

fields! {
    Meta<'f> as "an object" {
        whole: Raw<'f> = "vesta",
    }
}

fn sniff(bytes: &[u8]) -> u8 {
    let peek = Peek::of(bytes);
    let fits = peek.shape == Shape::Object && peek.top("states") && peek.top("vars");
    if fits || (peek.shape == Shape::Object && peek.says("\"ITF\"")) {
        90
    } else {
        0
    }
}

fn read(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let (mut mended, mut notes) = (String::new(), Vec::new());
    let file: File<'_> = read::parse(name, bytes, &mut mended, &mut notes)?;
    if let Some(whole) = file.meta.as_ref().and_then(|meta| meta.whole) {
        let (mut traces, more) = neutral::read(name, whole.0.get().as_bytes())?;
        notes.extend(more);
        for trace in &mut traces {
            FORMAT.id.clone_into(&mut trace.format);
        }
        return Ok((traces, notes));
    }
    let Some(states) = file.states else {
        return Err(read::missing(name, "states", "give the states as a list"));
    };
    let turn = |(i, Pairs(vars)): (usize, Pairs<'_, Raw<'_>>)| {
        let vars = vars.into_iter().filter(|(name, _)| name != "#meta");
        let extra: Vec<(String, String)> = vars
            .map(|(name, raw)| (name.into_owned(), raw.keep()))
            .collect();
        let lines: Vec<String> = extra
            .iter()
            .map(|(name, json)| format!("{name} = {json}"))
            .collect();
        Turn {
            role: Role::Other("state".to_owned()),
            id: i.to_string(),
            text: lines.join("\n"),
            extra,
            ..Turn::default()
        }
    };
    let trace = Trace {
        format: FORMAT.id.to_owned(),
        turns: states.into_iter().enumerate().map(turn).collect(),
        extra: file.extra.keep(),
        ..Trace::default()
    };
    Ok((vec![trace], notes))
}

/// The variables of a state.
const VARS: &[&str] = &["action", "hash", "success", "safety", "facts"];

#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature that all writers share"
)]
fn write(subject: &Subject<'_>) -> Result<Written, Diagnostic> {
    let trace = subject.trace;
    let mut losses = Losses::default();
    let mut facts = at_start(trace);
    let mut states = List::new();
    let mut n = 0_u64;
    for turn in &trace.turns {
        let Some(world) = &turn.world else {
            losses.kept("turn", 1, "#meta.vesta");
            continue;
        };
        for change in &world.diff {
            match change.split_at_checked(1) {
                Some(("+", fact)) => {
                    facts.insert(fact);
                }
                Some(("-", fact)) => {
                    facts.remove(fact);
                }
                _ => {}
            }
        }
        let mut meta = Object::new();
        meta.count("index", Some(n));
        n += 1;
        let mut set = List::new();
        for fact in &facts {
            set.raw(&crate::formats::json::string(fact));
        }
        let mut all = Object::new();
        all.raw("#set", &set.end());
        let pair = |(a, b): (u32, u32)| {
            let mut out = Object::new();
            out.raw("#tup", &format!("[{a},{b}]"));
            out.end()
        };
        let action = turn.calls.first().map_or_else(String::new, |call| {
            format!("{} {}", call.name, call.arguments)
        });
        let mut state = Object::new();
        state
            .raw("#meta", &meta.end())
            .text("action", &action)
            .text("hash", &world.hash)
            .raw("success", &pair(world.success))
            .raw("safety", &pair(world.safety))
            .raw("facts", &all.end());
        states.raw(&state.end());
    }
    losses.gone("facts that never change", usize::from(n > 0));
    let mut meta = Object::new();
    meta.text("format", "ITF")
        .text("source", &trace.id)
        .text(
            "description",
            &format!("a run of Vesta; facts that never change are left out; {n} states"),
        )
        .raw(KEY, &neutral::text(trace));
    let mut out = Object::new();
    out.raw("#meta", &meta.end())
        .raw("vars", &List::texts(VARS))
        .raw("states", &states.end());
    Ok(Written::one(
        FORMAT.extension,
        pretty(&out.end()),
        losses.list(),
    ))
}

/// The facts among those that change that hold at the start: those whose first change is that they cease.
fn at_start(trace: &Trace) -> BTreeSet<&str> {
    let (mut met, mut start) = (BTreeSet::new(), BTreeSet::new());
    let worlds = trace.turns.iter().filter_map(|turn| turn.world.as_ref());
    for change in worlds.flat_map(|world| &world.diff) {
        if let Some((sign, fact)) = change.split_at_checked(1)
            && met.insert(fact)
            && sign == "-"
        {
            start.insert(fact);
        }
    }
    start
}
