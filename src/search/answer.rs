//! What a search answers.

use crate::base::fold::StateHash;
use crate::sim::vocab::Ix;
use crate::sim::world::Action;

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Actions tried: accepted or refused, new or known.
    pub tried: u64,
    /// Actions done on the working world; this is what "nodes a second" counts.
    pub generated: u64,
    /// States kept.
    pub kept: u64,
    /// States whose successors were looked at.
    pub expanded: u64,
}

impl Stats {
    /// Adds the figures of another search.
    pub(super) const fn add(&mut self, other: Self) {
        self.tried += other.tried;
        self.generated += other.generated;
        self.kept += other.kept;
        self.expanded += other.expanded;
    }
}

/// Which part of the staged search found, or gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Nothing had to be done.
    Start,
    /// Helpful actions alone.
    Helpful,
    /// All actions on the objects that matter.
    Relevant,
    /// The same with what lies around them.
    Near,
    /// The same with everything in the scene.
    All,
    /// Breadth-first, nothing left out.
    Exhaustive,
    /// Making a found plan shorter.
    Shorten,
}

impl Stage {
    /// The stage in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Helpful => "helpful actions",
            Self::Relevant => "relevant objects",
            Self::Near => "objects around them",
            Self::All => "all objects",
            Self::Exhaustive => "exhaustive",
            Self::Shorten => "shortening",
        }
    }
}

/// A plan that was found, and replayed once more from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The steps.
    pub actions: Vec<Action>,
    /// For each goal of the goal set, in its order, after how many steps it became true for good.
    pub since: Vec<usize>,
    /// The state hash at the end.
    pub hash: StateHash,
    /// Which stage found it.
    pub stage: Stage,
    /// How many steps the search's own plan had before it was shortened.
    pub before: usize,
}

/// How strong "there is none" is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Two goals can never hold together.
    Contradictory,
    /// Some goal cannot be reached even if no action ever undid anything.
    Relaxed,
    /// Every state that the objects and actions can reach was looked at.
    Exhausted,
}

/// That there is no plan, in a form that can be recomputed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How strong it is.
    pub strength: Strength,
    /// The objects whose actions were tried, ascending; empty where nothing had to be tried.
    pub objects: Vec<Ix>,
    /// Whether those are all nodes of the scene.
    pub whole: bool,
    /// How many states there are at each distance from the start.
    pub layers: Vec<u64>,
    /// The XOR of all their keys.
    pub hash: StateHash,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A plan.
    Plan(Plan),
    /// There is none.
    None(Proof),
    /// The budget was spent before either was found.
    Spent,
    /// Somebody asked to stop.
    Cancelled,
}

/// An answer with what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The answer.
    pub answer: Answer,
    /// What the search did.
    pub stats: Stats,
}

impl Found {
    /// The plan, if there is one.
    pub const fn plan(&self) -> Option<&Plan> {
        match &self.answer {
            Answer::Plan(plan) => Some(plan),
            _ => None,
        }
    }
}
