//! A whole plan with branches in one reply, for whoever plays it elsewhere: an arena.

use crate::agent::chat::Message;
use crate::agent::reply::{self, Expect};
use crate::agent::session::Terms;
use crate::plan::branching::{Branching, Step, read};
use crate::task::episode::Episode;

use super::talk::Talk;
use super::{Ctx, Settings};

/// The prompt file.
const FILE: &str = "arena-blue";

/// What is said to a model that is to write a plan with branches: the standing orders and the task.
pub fn ask_plan(episode: &Episode, settings: &Settings) -> Vec<Message> {
    let ctx = Ctx {
        episode,
        settings,
        left: Terms::default().steps,
    };
    let mut talk = Talk::default();
    talk.begin(&ctx, FILE, "");
    talk.messages
}

/// The plan of a reply: a step a line, as [`crate::plan::branching`] writes it, or a list of commands as players write
/// it. Marks of lists and fences around the plan, and `Done` at its end, are no steps.
///
/// # Errors
/// The first thing that is wrong with it, with line and column of the plan; or that nothing is in it.
pub fn read_plan(episode: &Episode, text: &str) -> Result<Branching, String> {
    let text = reply::without_thoughts(text);
    let lines: Vec<String> = text.lines().map(bare).collect();
    let setup = episode.setup();
    let found = match read(&setup.scene, &setup.book, &lines.join("\n")) {
        Ok(plan) => Ok(plan),
        // Models that know the other form may use it all the same.
        Err(wrong) => commands(episode, &text).ok_or_else(|| wrong.to_string()),
    };
    let mut plan = found?;
    // It ends there anyway.
    while plan.steps.last() == Some(&Step::Stop) {
        plan.steps.pop();
    }
    if plan.steps.is_empty() {
        return Err("the reply has no plan in it; write a step a line".to_owned());
    }
    Ok(plan)
}

/// A list of commands, where all of it can be read.
fn commands(episode: &Episode, text: &str) -> Option<Branching> {
    let read = reply::read(text, episode.timeline().world(), Expect::Plan);
    if read.problem.is_some() || !text.contains('{') {
        return None;
    }
    let steps = read.deeds.into_iter().map(|deed| match deed {
        reply::Deed::Act { action, .. } => Step::Act(action),
        reply::Deed::Avoid { reason } => Step::Avoid(reason),
        reply::Deed::Done => Step::Stop,
    });
    Some(Branching {
        steps: steps.collect(),
    })
}

/// A line without what lists and fences put before it; empty where it is no step.
fn bare(line: &str) -> String {
    let mut text = line.trim();
    if text.starts_with("```") {
        return String::new();
    }
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < text.len() {
        text = digits.strip_prefix(['.', ')']).unwrap_or(text).trim_start();
    }
    for mark in ["- ", "* ", "• "] {
        text = text.strip_prefix(mark).unwrap_or(text).trim_start();
    }
    let said = text.trim_end_matches('.').trim_matches(['[', ']']);
    if said.eq_ignore_ascii_case("done") {
        return "stop".to_owned();
    }
    text.to_owned()
}
