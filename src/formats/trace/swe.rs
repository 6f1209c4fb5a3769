//! Trajectories of SWE-agent (`.traj`, its `docs/usage/trajectories.md`): read only. A step there has a response, a thought in
//! it, an action, and what was observed; the instructions stand in `history`.

use super::Format;
use super::atif::rest;
use super::model::{Call, Observation, Role, Trace, Turn, Usage};
use super::peek::{Peek, Shape};
use super::read::{self, Content, Number, Text, fields};
use super::write::Object;
use crate::base::diag::Diagnostic;
use crate::formats::Read;

/// SWE-agent among the formats.
pub const FORMAT: Format = Format {
    id: "swe-agent",
    title: "SWE-agent trajectory",
    version: "1.1",
    extension: "traj",
    sniff,
    read: Some(read),
    write: None,
    keeps: "thoughts, actions, observations, cost and tokens, every further field",
    loses: "nothing; it is only read",
};

fields! {
    File<'f> as "a trajectory: an object with the field trajectory" {
        steps: Vec<Step<'f>> = "trajectory",
        history: Vec<Said<'f>> = "history",
        info: Info<'f> = "info",
    }
}

fields! {
    Step<'f> as "a step: an object with the fields action and observation" {
        response: Text<'f> = "response",
        thought: Text<'f> = "thought",
        action: Text<'f> = "action",
        observation: Content<'f> = "observation",
        execution_time: Number = "execution_time",
    }
}

fields! {
    Said<'f> as "a message" {
        role: Text<'f> = "role",
        content: Content<'f> = "content",
    }
}

fields! {
    Info<'f> as "an object" {
        exit_status: Text<'f> = "exit_status",
        stats: Stats<'f> = "model_stats",
        version: Text<'f> = "swe_agent_version",
    }
}

fields! {
    Stats<'f> as "an object" {
        cost: Number = "instance_cost",
        sent: Number = "tokens_sent",
        received: Number = "tokens_received",
    }
}

fn sniff(bytes: &[u8]) -> u8 {
    let peek = Peek::of(bytes);
    let fits = peek.shape == Shape::Object
        && peek.top("trajectory")
        && peek.has("action")
        && peek.has("observation");
    if fits { 90 } else { 0 }
}

fn read(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let (mut mended, mut notes) = (String::new(), Vec::new());
    let file: File<'_> = read::parse(name, bytes, &mut mended, &mut notes)?;
    let Some(steps) = file.steps else {
        return Err(read::missing(
            name,
            "trajectory",
            "give the steps as a list",
        ));
    };
    let info = file.info.unwrap_or_default();
    let stats = info.stats.unwrap_or_default();
    let mut trace = Trace {
        format: FORMAT.id.to_owned(),
        agent: "SWE-agent".to_owned(),
        agent_version: info.version.map(Text::owned).unwrap_or_default(),
        outcome: info.exit_status.map(Text::owned).unwrap_or_default(),
        totals: Usage {
            input: stats.sent.map(Number::count),
            output: stats.received.map(Number::count),
            cost: stats.cost.map(|n| n.0),
            ..Usage::default()
        },
        extra: file.extra.keep(),
        ..Trace::default()
    };
    let mut more = info.extra.keep();
    rest(&mut more, "model_stats", stats.extra.keep());
    rest(&mut trace.extra, "info", more);
    // What was said before the agent began; the rest of the history repeats the steps.
    for said in file.history.unwrap_or_default() {
        let role = Role::of(said.role.as_ref().map_or("", |role| &role.0));
        if !matches!(role, Role::System | Role::User) {
            break;
        }
        let content = said.content.map(Content::said).unwrap_or_default();
        let mut extra = said.extra.keep();
        extra.extend(content.raw.map(|raw| ("content".to_owned(), raw)));
        trace.turns.push(Turn {
            role,
            text: content.text,
            extra,
            ..Turn::default()
        });
    }
    trace.turns.extend(steps.into_iter().map(turn));
    Ok((vec![trace], notes))
}

fn turn(step: Step<'_>) -> Turn {
    let mut turn = Turn {
        role: Role::Agent,
        text: step.response.map(Text::owned).unwrap_or_default(),
        reasoning: step.thought.map(Text::owned).unwrap_or_default(),
        usage: Usage {
            ms: step.execution_time.map(|n| Number(n.0 * 1000.0).count()),
            ..Usage::default()
        },
        extra: step.extra.keep(),
        ..Turn::default()
    };
    if let Some(action) = step.action.filter(|action| !action.0.is_empty()) {
        let mut arguments = Object::new();
        arguments.text("command", &action.0);
        turn.calls.push(Call {
            name: "action".to_owned(),
            arguments: arguments.end(),
            ..Call::default()
        });
    }
    if let Some(seen) = step.observation {
        let said = seen.said();
        turn.observations.push(Observation {
            text: said.text,
            extra: said
                .raw
                .map(|raw| ("content".to_owned(), raw))
                .into_iter()
                .collect(),
            ..Observation::default()
        });
    }
    turn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_instructions_are_read() {
        let text = r#"{"environment":"e","trajectory":[{"action":"ls\n","observation":"a b","response":"I look.\nls","thought":"I look.","state":"{}","execution_time":0.25}],
"history":[{"role":"system","content":"rules","agent":"main"},{"role":"assistant","content":"x"}],
"info":{"exit_status":"submitted","model_stats":{"instance_cost":0.5,"tokens_sent":10,"tokens_received":2,"api_calls":1}}}"#;
        let (traces, notes) = read("a.traj", text.as_bytes()).unwrap();
        assert_eq!(notes, []);
        let trace = traces.first().unwrap();
        assert_eq!(sniff(text.as_bytes()), 90);
        assert_eq!(trace.outcome, "submitted");
        assert_eq!(trace.turns.len(), 2);
        let last = trace.turns.last().unwrap();
        assert_eq!(
            (last.usage.ms, last.reasoning.as_str()),
            (Some(250), "I look.")
        );
        assert_eq!(last.extra, [("state".to_owned(), "\"{}\"".to_owned())]);
        assert_eq!(
            last.calls.first().unwrap().arguments,
            r#"{"command":"ls\n"}"#
        );
    }
}
