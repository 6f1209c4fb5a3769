//! What a format has no place for, written all the same: one JSON object, under the name [`KEY`], wherever the format lets
//! others put something. Our readers take it back; other readers pass over it, which is why it is a loss.
//!
//! With nothing left out this is the neutral form of a whole trace.

use super::loss::Losses;
use super::model::{Call, Extra, Observation, Recorded, Role, Score, Trace, Turn, Usage, World};
use super::read::{Number, Pairs, Raw, Text, fields};
use super::write::{List, Object};

/// The name our object goes by in files of others.
pub const KEY: &str = "vesta";

/// The fields of a turn that `native` does not name, as an object; `None` where nothing is left.
pub(super) fn turn(turn: &Turn, native: &[&str], extra: &[&(String, String)]) -> Option<Object> {
    let mut out = Object::new();
    let left = |name: &str| !native.contains(&name);
    if left("role") {
        out.text("role", turn.role.word());
    }
    for (name, text) in [
        ("name", &turn.name),
        ("id", &turn.id),
        ("text", &turn.text),
        ("reasoning", &turn.reasoning),
        ("time", &turn.time),
    ] {
        if left(name) {
            out.filled(name, text);
        }
    }
    if left("calls") && !turn.calls.is_empty() {
        out.raw("calls", &calls(&turn.calls));
    }
    if left("observations") && !turn.observations.is_empty() {
        out.raw("observations", &observations(&turn.observations));
    }
    if left("usage") && !turn.usage.is_empty() {
        out.raw("usage", &usage(&turn.usage));
    }
    if left("world")
        && let Some(world) = &turn.world
    {
        out.raw("world", &self::world(world));
    }
    put_extra(&mut out, extra);
    (!out.is_empty()).then_some(out)
}

/// The fields of a trace that `native` does not name, as an object; `None` where nothing is left. Turns are left to the
/// format.
pub(super) fn trace(trace: &Trace, native: &[&str], extra: &[&(String, String)]) -> Option<Object> {
    let mut out = Object::new();
    let left = |name: &str| !native.contains(&name);
    for (name, text) in [
        ("id", &trace.id),
        ("task", &trace.task),
        ("model", &trace.model),
        ("agent", &trace.agent),
        ("agent_version", &trace.agent_version),
        ("created", &trace.created),
        ("outcome", &trace.outcome),
    ] {
        if left(name) {
            out.filled(name, text);
        }
    }
    if left("scores") && !trace.scores.is_empty() {
        out.raw("scores", &scores(&trace.scores));
    }
    if left("totals") && !trace.totals.is_empty() {
        out.raw("totals", &usage(&trace.totals));
    }
    put_extra(&mut out, extra);
    if left("run")
        && let Some(run) = &trace.run
    {
        out.raw("run", &recorded(run));
    }
    (!out.is_empty()).then_some(out)
}

/// Names in `losses` what [`turn()`] would write.
pub(super) fn note_turn(
    turn: &Turn,
    native: &[&str],
    extra: usize,
    losses: &mut Losses,
    place: &str,
) {
    let mut note = |name: &'static str, some: bool| {
        if some && !native.contains(&name) {
            losses.kept(name, 1, place);
        }
    };
    note("role", true);
    note("name", !turn.name.is_empty());
    note("id", !turn.id.is_empty());
    note("text", !turn.text.is_empty());
    note("reasoning", !turn.reasoning.is_empty());
    note("calls", !turn.calls.is_empty());
    note("observations", !turn.observations.is_empty());
    note("usage", !turn.usage.is_empty());
    note("time", !turn.time.is_empty());
    note("world", turn.world.is_some());
    if extra > 0 {
        losses.kept("extra", extra, place);
    }
}

/// Names in `losses` what [`trace()`] would write.
pub(super) fn note_trace(
    trace: &Trace,
    native: &[&str],
    extra: usize,
    losses: &mut Losses,
    place: &str,
) {
    let mut note = |name: &'static str, count: usize| {
        if count > 0 && !native.contains(&name) {
            losses.kept(name, count, place);
        }
    };
    note("id", usize::from(!trace.id.is_empty()));
    note("task", usize::from(!trace.task.is_empty()));
    note("model", usize::from(!trace.model.is_empty()));
    note("agent", usize::from(!trace.agent.is_empty()));
    note(
        "agent_version",
        usize::from(!trace.agent_version.is_empty()),
    );
    note("created", usize::from(!trace.created.is_empty()));
    note("outcome", usize::from(!trace.outcome.is_empty()));
    note("scores", trace.scores.len());
    note("totals", usize::from(!trace.totals.is_empty()));
    note("run", usize::from(trace.run.is_some()));
    if extra > 0 {
        losses.kept("extra", extra, place);
    }
}

/// Those fields that the format has room for, and those whose names it keeps for itself.
#[expect(clippy::type_complexity, reason = "two lists of fields")]
pub(super) fn split<'x>(
    extra: &'x Extra,
    reserved: &[&str],
) -> (Vec<&'x (String, String)>, Vec<&'x (String, String)>) {
    extra
        .iter()
        .partition(|(name, _)| name != KEY && !reserved.contains(&name.as_str()))
}

fn put_extra(out: &mut Object, extra: &[&(String, String)]) {
    if !extra.is_empty() {
        out.raw("extra", &object(extra.iter().copied()));
    }
}

fn object<'x>(fields: impl IntoIterator<Item = &'x (String, String)>) -> String {
    let mut out = Object::new();
    for (name, json) in fields {
        out.raw(name, json);
    }
    out.end()
}

/// Calls in our own form.
pub(super) fn calls(calls: &[Call]) -> String {
    let mut list = List::new();
    for call in calls {
        let mut out = Object::new();
        out.filled("id", &call.id).text("name", &call.name);
        out.raw("arguments", &call.arguments);
        if !call.extra.is_empty() {
            out.raw("extra", &object(&call.extra));
        }
        list.raw(&out.end());
    }
    list.end()
}

/// Observations in our own form.
pub(super) fn observations(observations: &[Observation]) -> String {
    let mut list = List::new();
    for seen in observations {
        let mut out = Object::new();
        out.filled("call", &seen.call).text("text", &seen.text);
        if !seen.extra.is_empty() {
            out.raw("extra", &object(&seen.extra));
        }
        list.raw(&out.end());
    }
    list.end()
}

/// Usage in our own form.
pub(super) fn usage(usage: &Usage) -> String {
    let mut out = Object::new();
    out.count("input", usage.input)
        .count("output", usage.output)
        .count("cached", usage.cached)
        .float("cost", usage.cost)
        .count("ms", usage.ms);
    out.end()
}

fn world(world: &World) -> String {
    let pair = |(a, b): (u32, u32)| format!("[{a},{b}]");
    let mut out = Object::new();
    out.count("seq", Some(u64::from(world.seq)))
        .text("hash", &world.hash)
        .raw("diff", &List::texts(&world.diff))
        .raw("success", &pair(world.success))
        .raw("safety", &pair(world.safety));
    out.end()
}

/// Scores in our own form.
pub(super) fn scores(scores: &[Score]) -> String {
    let mut list = List::new();
    for score in scores {
        let mut out = Object::new();
        out.text("name", &score.name).raw("value", &score.value);
        out.filled("text", &score.text);
        if !score.extra.is_empty() {
            out.raw("extra", &object(&score.extra));
        }
        list.raw(&out.end());
    }
    list.end()
}

fn recorded(run: &Recorded) -> String {
    let mut out = Object::new();
    out.text("header", &run.header)
        .raw("events", &List::texts(&run.events))
        .raw("notes", &List::texts(&run.notes))
        .raw("timing", &List::texts(&run.timing))
        .filled("scene", &run.scene);
    out.end()
}

fields! {
    /// What is read back of a turn.
    TurnBack<'f> as "an object that this program wrote" {
        role: Text<'f> = "role",
        name: Text<'f> = "name",
        id: Text<'f> = "id",
        text: Text<'f> = "text",
        reasoning: Text<'f> = "reasoning",
        time: Text<'f> = "time",
        calls: Vec<CallBack<'f>> = "calls",
        observations: Vec<SeenBack<'f>> = "observations",
        usage: UsageBack<'f> = "usage",
        world: WorldBack<'f> = "world",
        kept: Pairs<'f, Raw<'f>> = "extra",
        kept_of_answer: Pairs<'f, Raw<'f>> = "answer",
    }
}

fields! {
    CallBack<'f> as "a call" {
        id: Text<'f> = "id",
        name: Text<'f> = "name",
        arguments: Raw<'f> = "arguments",
        kept: Pairs<'f, Raw<'f>> = "extra",
    }
}

fields! {
    SeenBack<'f> as "an observation" {
        call: Text<'f> = "call",
        text: Text<'f> = "text",
        kept: Pairs<'f, Raw<'f>> = "extra",
    }
}

fields! {
    UsageBack<'f> as "an object with numbers" {
        input: u64 = "input",
        output: u64 = "output",
        cached: u64 = "cached",
        cost: Number = "cost",
        ms: u64 = "ms",
    }
}

fields! {
    WorldBack<'f> as "the world after a turn" {
        seq: u32 = "seq",
        hash: Text<'f> = "hash",
        diff: Vec<String> = "diff",
        success: (u32, u32) = "success",
        safety: (u32, u32) = "safety",
    }
}

fields! {
    ScoreBack<'f> as "a score" {
        name: Text<'f> = "name",
        value: Raw<'f> = "value",
        text: Text<'f> = "text",
        kept: Pairs<'f, Raw<'f>> = "extra",
    }
}

fields! {
    RunBack<'f> as "the files of a run" {
        header: Text<'f> = "header",
        events: Vec<String> = "events",
        notes: Vec<String> = "notes",
        timing: Vec<String> = "timing",
        scene: Text<'f> = "scene",
    }
}

fields! {
    /// What is read back of a trace.
    TraceBack<'f> as "an object that this program wrote" {
        id: Text<'f> = "id",
        task: Text<'f> = "task",
        model: Text<'f> = "model",
        agent: Text<'f> = "agent",
        agent_version: Text<'f> = "agent_version",
        created: Text<'f> = "created",
        outcome: Text<'f> = "outcome",
        scores: Vec<ScoreBack<'f>> = "scores",
        totals: UsageBack<'f> = "totals",
        kept: Pairs<'f, Raw<'f>> = "extra",
        run: RunBack<'f> = "run",
        turns: Vec<TurnBack<'f>> = "turns",
        made: bool = "made",
    }
}

fn kept(pairs: Option<Pairs<'_, Raw<'_>>>) -> Extra {
    let all = pairs.unwrap_or_default().0.into_iter();
    all.map(|(name, raw)| (name.into_owned(), raw.keep()))
        .collect()
}

fn set(to: &mut String, text: Option<Text<'_>>) {
    if let Some(text) = text {
        *to = text.owned();
    }
}

impl UsageBack<'_> {
    fn usage(self) -> Usage {
        Usage {
            input: self.input,
            output: self.output,
            cached: self.cached,
            cost: self.cost.map(|n| n.0),
            ms: self.ms,
        }
    }
}

impl TurnBack<'_> {
    /// Puts back what was carried.
    pub(super) fn apply(self, turn: &mut Turn) {
        if let Some(role) = self.role {
            turn.role = Role::of(&role.0);
        }
        set(&mut turn.name, self.name);
        set(&mut turn.id, self.id);
        set(&mut turn.text, self.text);
        set(&mut turn.reasoning, self.reasoning);
        set(&mut turn.time, self.time);
        if let Some(calls) = self.calls {
            turn.calls = calls.into_iter().map(CallBack::call).collect();
        }
        if let Some(seen) = self.observations {
            turn.observations = seen.into_iter().map(SeenBack::seen).collect();
        }
        if let Some(usage) = self.usage {
            turn.usage = usage.usage();
        }
        if let Some(world) = self.world {
            turn.world = Some(World {
                seq: world.seq.unwrap_or_default(),
                hash: world.hash.map(Text::owned).unwrap_or_default(),
                diff: world.diff.unwrap_or_default(),
                success: world.success.unwrap_or_default(),
                safety: world.safety.unwrap_or_default(),
            });
        }
        turn.extra.extend(kept(self.kept));
    }
}

impl CallBack<'_> {
    fn call(self) -> Call {
        Call {
            id: self.id.map(Text::owned).unwrap_or_default(),
            name: self.name.map(Text::owned).unwrap_or_default(),
            arguments: self.arguments.map_or_else(|| "null".to_owned(), Raw::keep),
            extra: kept(self.kept),
        }
    }
}

impl SeenBack<'_> {
    fn seen(self) -> Observation {
        Observation {
            call: self.call.map(Text::owned).unwrap_or_default(),
            text: self.text.map(Text::owned).unwrap_or_default(),
            extra: kept(self.kept),
        }
    }
}

impl TraceBack<'_> {
    /// Puts back what was carried, the turns left out.
    pub(super) fn apply(self, trace: &mut Trace) {
        set(&mut trace.id, self.id);
        set(&mut trace.task, self.task);
        set(&mut trace.model, self.model);
        set(&mut trace.agent, self.agent);
        set(&mut trace.agent_version, self.agent_version);
        set(&mut trace.created, self.created);
        set(&mut trace.outcome, self.outcome);
        if let Some(scores) = self.scores {
            trace.scores = scores
                .into_iter()
                .map(|score| Score {
                    name: score.name.map(Text::owned).unwrap_or_default(),
                    value: score.value.map_or_else(|| "null".to_owned(), Raw::keep),
                    text: score.text.map(Text::owned).unwrap_or_default(),
                    extra: kept(score.kept),
                })
                .collect();
        }
        if let Some(totals) = self.totals {
            trace.totals = totals.usage();
        }
        if let Some(run) = self.run {
            trace.run = Some(Recorded {
                header: run.header.map(Text::owned).unwrap_or_default(),
                events: run.events.unwrap_or_default(),
                notes: run.notes.unwrap_or_default(),
                timing: run.timing.unwrap_or_default(),
                scene: run.scene.map(Text::owned).unwrap_or_default(),
            });
        }
        trace.extra.extend(kept(self.kept));
        for back in self.turns.unwrap_or_default() {
            let mut turn = Turn::default();
            back.apply(&mut turn);
            trace.turns.push(turn);
        }
    }
}
