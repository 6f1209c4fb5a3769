//! Ways of playing with a chat model: each is a [`Player`] that keeps its conversation with the model.
//!
//! A strategy asks, reads the reply, does what it says and tells the model what came of it. How many trials there are and
//! how long they may be is the session's business: [`Choice::trials`] says what a strategy is meant to have. A new
//! strategy is one file and its line in [`STRATEGIES`].

use std::fmt;
use std::sync::Arc;

use crate::sim::timeline::Pos;
use crate::task::episode::Episode;

use super::chat::{Failure, Reply};
use super::critic::{json as critic_claims, judge};
use super::observe::Observing;
use super::player::{Player, Understood, Want};
use super::prompt::Prompts;
use super::reply::{self, NoteKind, Read};

mod branched;
mod critic;
mod direct;
mod once;
mod one_go;
mod preview;
mod react;
mod reflexion;
mod rej;
mod stepwise;
mod talk;
#[cfg(test)]
mod tests;

pub use branched::{ask_plan, read_plan};
pub use once::Once;
pub use preview::{preview, tokens};
pub use talk::goal_lines;

/// How an agent is asked and led.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own, on the command line too"
)]
pub struct Settings {
    /// The prompts.
    pub prompts: Arc<Prompts>,
    /// What it is told of the world.
    pub observing: Observing,
    /// Whether after a step only its outcome is told and nothing of the world, as the published runner does.
    pub silent: bool,
    /// Whether the prompt has the rules of safety.
    pub guidelines: bool,
    /// Whether the prompt tells of `[Avoid]`.
    pub avoidance: bool,
    /// Whether the success goals are told. Safety goals never are.
    pub goals: bool,
    /// Whether it is led as the published runner does: stepwise, a failed call or an unreadable reply counts as Done.
    pub published: bool,
    /// Where a further trial begins; the session must be bound to the same.
    pub trials: Trials,
    /// The longest reply, in tokens; `None` leaves it to the endpoint.
    pub max_tokens: Option<u32>,
    /// The longest critique, in tokens.
    pub critique_tokens: u32,
    /// Whether the endpoint is asked to enforce the form of replies.
    pub schema: bool,
}

impl Settings {
    /// The usual ones.
    pub fn new(prompts: Arc<Prompts>) -> Self {
        Self {
            prompts,
            observing: Observing {
                diffs: true,
                ..Observing::default()
            },
            silent: false,
            guidelines: true,
            avoidance: true,
            goals: false,
            published: false,
            trials: Trials::Reset,
            max_tokens: None,
            critique_tokens: 512,
            schema: false,
        }
    }

    /// As the published runner has them.
    pub fn published(prompts: Arc<Prompts>) -> Self {
        Self {
            silent: true,
            goals: true,
            published: true,
            trials: Trials::Continue,
            ..Self::new(prompts)
        }
    }
}

/// Where a further trial begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Trials {
    /// Where the last one ended, in the same conversation, as published.
    Continue,
    /// At the start of the task, in a new conversation.
    #[default]
    Reset,
}

impl Trials {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Continue, Self::Reset];

    /// The name used in files and flags.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::Reset => "reset",
        }
    }

    /// The one of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.id() == text)
    }
}

/// What a strategy looks at as it speaks.
#[derive(Clone, Copy, Debug)]
struct Ctx<'c> {
    /// The episode, where it stands.
    episode: &'c Episode,
    /// How the agent is led.
    settings: &'c Settings,
    /// How many commands are left.
    left: u32,
}

/// What was understood of a reply, as whoever leads the player records it.
fn made(read: &Read, reply: &Reply) -> Understood {
    let deed = |deed: &reply::Deed| match deed {
        reply::Deed::Act { line, .. } => line.clone(),
        reply::Deed::Avoid { reason } => format!("[Avoid] {reason}").trim_end().to_owned(),
        reply::Deed::Done => "Done".to_owned(),
    };
    // What the endpoint tells apart as thought is recorded as such anyway.
    let thought = read
        .thought
        .clone()
        .filter(|_| reply.thought.trim().is_empty());
    // Thoughts and prose go without saying.
    let told = [NoteKind::Repaired, NoteKind::Resolved, NoteKind::LeftAside];
    let notes = read.notes.iter().filter(|n| told.contains(&n.kind));
    Understood {
        deeds: read.deeds.iter().map(deed).collect(),
        thought,
        notes: notes.map(|n| n.text.clone()).collect(),
        problem: read
            .problem
            .as_ref()
            .map(|p| (p.kind.id().to_owned(), p.message.clone())),
        claims: None,
    }
}

/// A critique in its own words, and what was made of it: each claim held against the trial that ended there.
fn looked(episode: &Episode, ended: Pos, reply: &Reply) -> (String, Understood) {
    let text = reply::without_thoughts(&reply.text);
    let claims = critic_claims(&judge(episode, ended, &text));
    let made = Understood {
        claims: Some(claims),
        ..Understood::default()
    };
    (text, made)
}

/// The end of a trial because of a failed call.
fn failed(failure: &Failure) -> Want {
    Want::Stop {
        cause: failure.kind.id().to_owned(),
        text: failure.message.clone(),
    }
}

/// A registered strategy.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name used in files and flags.
    pub id: &'static str,
    /// The name people read.
    pub title: &'static str,
    /// What it does, one sentence.
    pub what: &'static str,
    /// What its number means, if it takes one: written in brackets, `critic(2)`.
    pub rounds: Option<&'static str>,
    /// Whether it plans everything before anything is done.
    pub one_go: bool,
    /// Whether it asks a critic's model.
    pub critic: bool,
    /// Makes it.
    pub make: fn(Arc<Settings>) -> Box<dyn Player>,
}

/// The registry, in the order people read it.
pub const STRATEGIES: &[&Entry] = &[
    &one_go::ONE_GO,
    &one_go::AGAIN,
    &one_go::CRITIC,
    &one_go::REFERENCE,
    &direct::DIRECT,
    &react::REACT,
    &rej::REJ,
    &reflexion::REFLEXION,
    &critic::CRITIC,
];

/// A strategy as it is asked for: `react`, `critic(2)`.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Which one.
    pub entry: &'static Entry,
    /// How many rounds follow a trial that failed; 0 where it takes no number.
    pub rounds: u32,
}

/// How many rounds may be asked for.
const MOST_ROUNDS: u32 = 20;

impl Choice {
    /// Reads what was asked for. Without a number, one round.
    ///
    /// # Errors
    /// What is wrong, with the names that are known.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (name, number) = match text.split_once('(') {
            Some((name, rest)) => (
                name.trim(),
                Some(rest.trim_end().trim_end_matches(')').trim()),
            ),
            None => (text, None),
        };
        let names = || STRATEGIES.iter().map(|e| e.id);
        let entry = STRATEGIES
            .iter()
            .copied()
            .find(|e| e.id == name)
            .ok_or_else(|| {
                let near = crate::base::nearest::nearest(name, names());
                let hint = near.map_or_else(
                    || format!("known are {}", names().collect::<Vec<_>>().join(", ")),
                    |n| format!("did you mean {n}?"),
                );
                format!("no strategy is called {name}; {hint}")
            })?;
        let rounds = match (number, entry.rounds) {
            (None, None) => 0,
            (None, Some(_)) => 1,
            (Some(_), None) => return Err(format!("{name} takes no number; write {name}")),
            (Some(number), Some(_)) => number
                .parse::<u32>()
                .ok()
                .filter(|n| (1..=MOST_ROUNDS).contains(n))
                .ok_or_else(|| {
                    format!("{name}({number}): write a number from 1 to {MOST_ROUNDS}")
                })?,
        };
        Ok(Self { entry, rounds })
    }

    /// Somebody who plays so.
    pub fn make(&self, settings: Arc<Settings>) -> Box<dyn Player> {
        (self.entry.make)(settings)
    }

    /// How many trials a session is to have.
    pub const fn trials(&self) -> u32 {
        self.rounds + 1
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry.rounds {
            Some(_) => write!(f, "{}({})", self.entry.id, self.rounds),
            None => f.write_str(self.entry.id),
        }
    }
}
