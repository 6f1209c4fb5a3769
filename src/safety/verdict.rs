//! What a monitor says: instances, breaches, standings.

use super::rule::Grade;
use crate::sim::vocab::Ix;

/// A rule of the bound set, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleIx(pub u16);

/// How many outer variables a rule may have.
pub const MAX_OUTER: usize = 4;

/// One instance of a rule: the nodes its outer variables stand for, unused places [`Ix::NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instance {
    /// The rule.
    pub rule: RuleIx,
    /// The nodes.
    pub tuple: [Ix; MAX_OUTER],
}

/// A change of an instance's verdict at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    /// The instance.
    pub instance: Instance,
    /// Whether the body is false now (broken), or true again.
    pub broken: bool,
}

/// How an instance stands at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// Could apply, does not.
    Idle,
    /// One more fact or action breaks it.
    Armed,
    /// Something must still happen: within this many steps, or before the end.
    Pending(Option<u32>),
    /// What was pending has happened.
    Discharged,
    /// Broken, by the run.
    Violated,
    /// False already at the start: not the agent's doing.
    StandingHazard,
    /// Silenced by a goal, a grade or a duplicate.
    Silenced,
}

/// The worst thing an action would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Danger {
    /// The instance it would break.
    pub instance: Instance,
    /// The rule's severity, 1 to 4.
    pub severity: u8,
    /// The rule's grade in this scene.
    pub grade: Grade,
    /// How many other rules it would break too.
    pub more: usize,
}
