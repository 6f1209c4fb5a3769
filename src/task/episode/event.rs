//! What a run records: one event for everything that happened, in the order it happened.

use std::sync::Arc;

use crate::base::fold::StateHash;
use crate::plan::ledger::Score;
use crate::sim::graph::Change;
use crate::sim::scene::Scene;

/// One recorded event. Nothing in it depends on the wall clock, so the same inputs give the same events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number in the run, from 0 without gaps.
    pub seq: u32,
    /// The position it happened at, named by the `seq` of its start or step event; `None` for the start itself.
    pub parent: Option<u32>,
    /// The branch the run stands on after it.
    pub branch: Arc<str>,
    /// What happened.
    pub body: Body,
    /// The state hash after it.
    pub hash: StateHash,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// The run began.
    Start {
        /// Which goals hold, by index: success first, then safety.
        goals: Vec<u32>,
    },
    /// An action was done and made a new position.
    Step {
        /// The action as a published program line.
        action: String,
        /// What it changed, as [`facts`] writes it; for readers without a simulator and to explain drift.
        diff: Vec<String>,
        /// Which goals hold after it, as at the start.
        goals: Vec<u32>,
    },
    /// An action was attempted and rejected; the position stays.
    Refused {
        /// The action as typed.
        action: String,
        /// The name of the refusal's kind, see [`crate::sim::refusal::Kind::name`].
        refusal: String,
        /// The reason in words.
        message: String,
    },
    /// The run moved to a position that already existed.
    Goto {
        /// That position.
        to: u32,
        /// By which means.
        how: Move,
    },
    /// A new branch opened at the parent; its first step follows.
    Branch,
    /// The player called the task done.
    Done {
        /// How the goals stood.
        score: Score,
    },
    /// The player refused the instruction.
    Avoid {
        /// Why.
        reason: String,
    },
    /// The run stopped without either: out of steps, out of replies, or called off.
    Stopped {
        /// The name of the cause, such as `limit`.
        cause: String,
        /// The cause in words.
        text: String,
    },
    /// Something said about the run while it went on.
    Remark(Said),
}

/// Something said about a run while it went on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// What kind of thing.
    pub kind: Remark,
    /// By whom, such as `agent` or `person`; empty where that does not matter.
    pub by: String,
    /// What was said.
    pub text: String,
    /// More about it for whoever knows the kind: a JSON object as text.
    pub data: Option<String>,
}

impl Said {
    /// Something said by nobody in particular.
    pub fn new(kind: Remark, text: &str) -> Self {
        Self::by(kind, "", text)
    }

    /// Something said by somebody.
    pub fn by(kind: Remark, by: &str, text: &str) -> Self {
        Self {
            kind,
            by: by.to_owned(),
            text: text.to_owned(),
            data: None,
        }
    }

    /// The same with more about it, a JSON object as text.
    #[must_use]
    pub fn with(self, data: String) -> Self {
        Self {
            data: Some(data),
            ..self
        }
    }
}

impl Body {
    /// The name of the kind used in files.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Step { .. } => "step",
            Self::Refused { .. } => "refused",
            Self::Goto { .. } => "goto",
            Self::Branch => "branch",
            Self::Done { .. } => "done",
            Self::Avoid { .. } => "avoid",
            Self::Stopped { .. } => "stopped",
            Self::Remark(said) => said.kind.id(),
        }
    }

    /// The goals that hold at the position the event made, if it made one.
    pub fn goals(&self) -> Option<&[u32]> {
        match self {
            Self::Start { goals } | Self::Step { goals, .. } => Some(goals),
            _ => None,
        }
    }

    /// Whether the event made a position.
    pub const fn makes_position(&self) -> bool {
        matches!(self, Self::Start { .. } | Self::Step { .. })
    }
}

/// By which means a run moved to an earlier or later position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// One step back.
    Undo,
    /// One step forward again.
    Redo,
    /// A jump.
    Goto,
    /// The same action done again from the same position.
    Again,
}

impl Move {
    /// All moves.
    pub const ALL: [Self; 4] = [Self::Undo, Self::Redo, Self::Goto, Self::Again];

    /// The name used in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Goto => "goto",
            Self::Again => "again",
        }
    }

    /// The move of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.id() == text)
    }
}

/// What kind of thing was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Remark {
    /// A person stepped in.
    Intervention,
    /// The agent or the person said something.
    Message,
    /// A critic said something.
    Critic,
    /// Another trial begins.
    Trial,
}

impl Remark {
    /// All remarks.
    pub const ALL: [Self; 4] = [Self::Intervention, Self::Message, Self::Critic, Self::Trial];

    /// The name used in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Intervention => "intervention",
            Self::Message => "message",
            Self::Critic => "critic",
            Self::Trial => "trial",
        }
    }

    /// The remark of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.id() == text)
    }
}

/// Changes as text: `+microwave.31:OPEN`, `-character.1 HOLDS_RH bowl.203`.
pub fn facts(scene: &Scene, changes: &[Change]) -> Vec<String> {
    let dialect = scene.dialect();
    let sign = |on: bool| if on { '+' } else { '-' };
    changes
        .iter()
        .map(|change| match *change {
            Change::State(node, state, on) => format!(
                "{}{}:{}",
                sign(on),
                scene.node(node).name(),
                dialect.state_name(state)
            ),
            Change::Edge(from, rel, to, on) => format!(
                "{}{} {} {}",
                sign(on),
                scene.node(from).name(),
                dialect.rel_name(rel),
                scene.node(to).name()
            ),
        })
        .collect()
}
