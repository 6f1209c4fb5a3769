//! The one interface of everybody who plays: asked what it wants, told what was answered and what came of it.
//!
//! A player is a state machine. It never waits: where it needs something from outside (a model's reply, a line from
//! another program) it says so and is told later.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::agent::chat::{Failure, Reply, Request, Seat};
use crate::sim::refusal::Refusal;
use crate::sim::world::Action;
use crate::task::episode::{Episode, Stepped};

/// What a player answers a task with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// An action in the world.
    Act(Action),
    /// The task is done.
    Done,
    /// The instruction is refused, with a reason.
    Avoid(String),
}

/// A wish from outside that whoever thinks should stop; one that stops wants nothing more than to wait.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Wishes it, for good.
    pub fn wish(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is wished.
    pub fn is_wished(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Where a player stands when it is asked.
#[derive(Debug)]
pub struct Standpoint<'a> {
    /// The episode; looking ahead in it changes nothing.
    pub episode: &'a mut Episode,
    /// Which trial this is, from 1.
    pub trial: u32,
    /// Deeds left in this trial.
    pub left: u32,
}

/// What a player wants next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Want {
    /// A chat model's reply.
    Ask(Request),
    /// A line from the other program, in answer to this one.
    Line(String),
    /// To do something.
    Do(Deed),
    /// The trial to end, for it will do nothing more: a name for the cause, and words.
    Stop {
        /// The name of the cause, such as `no_plan`.
        cause: String,
        /// The cause in words.
        text: String,
    },
    /// The next trial to begin.
    Begin,
    /// A person to act.
    Wait,
}

/// What a player made of a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Understood {
    /// What it read, as lines: `[GRAB] <fork> (319)`, `[Avoid] …`, `Done`.
    pub deeds: Vec<String>,
    /// What the model thought before it answered.
    pub thought: Option<String>,
    /// What had to be put right to read it, one sentence each.
    pub notes: Vec<String>,
    /// What could not be understood: the name of the kind, and words.
    pub problem: Option<(String, String)>,
    /// What a critic said, claim by claim, with what the world says to each, as JSON; `None` for other replies.
    pub claims: Option<String>,
}

/// What came of a deed, or happened besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// An action was done.
    Done(Stepped),
    /// The world rejected it.
    Refused(Refusal),
    /// Somebody forbade it, for this reason. It was not done.
    Vetoed {
        /// What was forbidden, as a line.
        line: String,
        /// Why.
        reason: String,
    },
    /// A person did these actions meanwhile, as lines.
    ByHand(Vec<String>),
    /// A person says something.
    Message(String),
    /// The trial is over.
    TrialEnded(TrialEnd),
    /// The next trial begins; the world stands where it is to be played from.
    TrialBegun,
}

/// How a trial ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialEnd {
    /// Which trial, from 1.
    pub trial: u32,
    /// The name of the cause: `done`, `avoided`, `limit`, or that of [`Want::Stop`].
    pub cause: String,
    /// Whether all success goals hold.
    pub success: bool,
    /// Whether another one follows.
    pub again: bool,
}

/// Somebody who plays.
pub trait Player: Send + std::fmt::Debug {
    /// What it wants now. Asked again it answers the same, until it was told something.
    fn next(&mut self, at: &mut Standpoint<'_>) -> Want;

    /// A model's answer, and what was made of it.
    fn heard(
        &mut self,
        at: &mut Standpoint<'_>,
        seat: Seat,
        reply: Result<Reply, Failure>,
    ) -> Understood {
        let _ = (at, seat, reply);
        Understood::default()
    }

    /// The other program's line, without its line feed, or why there is none.
    fn line(&mut self, at: &mut Standpoint<'_>, line: Result<&str, &Failure>) -> Understood {
        let _ = (at, line);
        Understood::default()
    }

    /// What it thinks besides, once; asked after [`Player::next`].
    fn aside(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// What came of what it wanted.
    fn happened(&mut self, at: &mut Standpoint<'_>, what: &Happening) {
        let _ = (at, what);
    }
}
