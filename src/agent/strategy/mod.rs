//! Ways of playing: state machines that are asked what they want next and told what came of it.
//!
//! Whoever drives a [`Strategy`] calls [`Strategy::next`] until it wants something, does that, and tells it: a call of a
//! model ([`Strategy::heard`]), an action ([`Strategy::happened`]), the end of a trial ([`Strategy::trial_ended`]). Nothing
//! here calls anybody or changes the world. A new strategy is one file and its line in [`STRATEGIES`].

use std::fmt;
use std::sync::Arc;

use crate::sim::world::Action;
use crate::task::episode::Episode;

use super::chat::{Failure, Reply, Request, Seat};
use super::critic::Claim;
use super::feedback::Feedback;
use super::observe::Observing;
use super::prompt::Prompts;
use super::reply::{Problem, Read};

mod critic;
mod direct;
mod one_go;
mod preview;
mod react;
mod reflexion;
mod rej;
mod stepwise;
mod talk;
#[cfg(test)]
mod tests;

pub use preview::{preview, tokens};

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
    /// Whether it is led as the published runner does: a failed call or an unreadable reply counts as Done, and one more
    /// action than the limit is done.
    pub published: bool,
    /// How many commands a trial may have; a reply that cannot be read counts as one.
    pub limit: u32,
    /// Where a further trial begins.
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
            limit: 50,
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

/// What a strategy may look at.
#[derive(Clone, Copy, Debug)]
pub struct Ctx<'c> {
    /// The episode, where it stands.
    pub episode: &'c Episode,
    /// How the agent is led.
    pub settings: &'c Settings,
    /// Which trial this is, from 0.
    pub trial: u32,
}

impl Ctx<'_> {
    /// How many commands a trial may have, the published one more included.
    pub const fn limit(&self) -> u32 {
        self.settings
            .limit
            .saturating_add(self.settings.published as u32)
    }
}

/// What a strategy wants next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Want {
    /// A call of a model; answered by [`Strategy::heard`].
    Ask(Request),
    /// An action; answered by [`Strategy::happened`].
    Do {
        /// The action.
        action: Action,
        /// As a program line.
        line: String,
    },
    /// The trial is over; answered by [`Strategy::trial_ended`].
    EndTrial(Why),
    /// What it waits for has not come yet.
    Wait,
}

/// Why a trial ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The agent calls the task done.
    Done,
    /// It refuses the instruction.
    Avoided {
        /// Why; may be empty.
        reason: String,
    },
    /// The commands of the trial are spent.
    Limit,
    /// A plan came to its end without calling the task done.
    PlanEnd,
    /// A step of a plan could not be done.
    Stopped {
        /// The step, as a program line.
        line: String,
        /// What was told of it.
        reason: String,
    },
    /// A reply could not be read, where that ends it.
    Unread(Problem),
    /// A call of the model failed.
    Failed(Failure),
    /// Nothing more can be done, and why: a planner that knows no way, a script at its end.
    GivenUp(String),
}

impl Why {
    /// The name used in files.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Avoided { .. } => "avoided",
            Self::Limit => "limit",
            Self::PlanEnd => "plan_end",
            Self::Stopped { .. } => "stopped",
            Self::Unread(_) => "unread",
            Self::Failed(_) => "failed",
            Self::GivenUp(_) => "given_up",
        }
    }

    /// Whether the agent itself called the task done, or the published runner would count it so.
    pub const fn counts_as_done(&self, published: bool) -> bool {
        match self {
            Self::Done => true,
            Self::Unread(_) | Self::Failed(_) => published,
            _ => false,
        }
    }
}

/// How a trial ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialEnd {
    /// Why.
    pub why: Why,
    /// Whether the instruction was answered as it should be; safety does not count here.
    pub success: bool,
}

/// What follows a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The episode is over.
    Over,
    /// Another trial; where it begins tells [`Settings::trials`], and whoever drives puts the world there first.
    Again,
}

/// What there is to show and to record about a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// What the model thought.
    Thought(String),
    /// How its reply was understood.
    Understood(Read),
    /// What was said about a trial that failed.
    Critique {
        /// Who said it.
        seat: Seat,
        /// What.
        text: String,
        /// Its claims, each held against the record.
        claims: Vec<Claim>,
    },
    /// The call failed.
    Failed(Failure),
}

/// A way of playing.
pub trait Strategy: fmt::Debug + Send {
    /// What it wants next.
    fn next(&mut self, ctx: &Ctx<'_>) -> Want;

    /// A model answered, or did not; yields what there is to show.
    fn heard(&mut self, ctx: &Ctx<'_>, reply: Result<Reply, Failure>) -> Vec<Said>;

    /// What became of an action; or a person said or did something, which may come at any time.
    fn happened(&mut self, ctx: &Ctx<'_>, feedback: &Feedback);

    /// A trial ended; whether another one follows.
    fn trial_ended(&mut self, ctx: &Ctx<'_>, end: &TrialEnd) -> After;

    /// What there is to show that nobody asked for, once; asked after [`Strategy::next`].
    fn aside(&mut self) -> Vec<Said> {
        Vec::new()
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
    /// Makes it, given how many rounds follow a trial that failed.
    pub make: fn(u32) -> Box<dyn Strategy>,
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

    /// The strategy itself.
    pub fn make(&self) -> Box<dyn Strategy> {
        (self.entry.make)(self.rounds)
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
