//! A formula bound to a dialect: names are numbers, derived facts are written out. What evaluators work on.

use crate::sim::vocab::FactRead;

/// A variable of a formula: a slot in the tuple of nodes it is evaluated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u8);

/// How many variables may be bound at once, outer and inner together.
pub const MAX_SLOTS: usize = 12;

/// What stands where a node is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// The agent.
    Me,
    /// The node a variable stands for.
    Var(Slot),
}

/// A set of nodes fixed for a scene, by number in [`super::book::Book::guards`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GuardId(pub u16);

/// A tracked fact, by number in [`super::book::Book::tracked`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrackedId(pub u8);

/// The alternatives of a guard: words that each are a tag, a class, a property (upper case) or `room`; `any` is every node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guard(pub Vec<String>);

/// A variable with the nodes it ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binder {
    /// The variable.
    pub slot: Slot,
    /// Its range.
    pub guard: GuardId,
}

/// A formula over numbered things. Implication is written out as `!f | g`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// Always true.
    True,
    /// Position 0.
    Start,
    /// The last position of a finished run.
    End,
    /// Two terms mean the same node.
    Same(Term, Term),
    /// The node is in a set fixed for the scene.
    Is(GuardId, Term),
    /// A base fact; unused places hold [`Term::Me`].
    Base(FactRead, [Term; 2]),
    /// A tracked fact; unused places hold [`Term::Me`].
    Tracked(TrackedId, [Term; 2]),
    /// The step that led here: one bit a verb of the dialect; `None` matches any argument.
    Act(u64, [Option<Term>; 2]),
    /// Not.
    Not(Box<Self>),
    /// All of them.
    And(Vec<Self>),
    /// Any of them.
    Or(Vec<Self>),
    /// One position earlier; false at 0.
    Prev(Box<Self>),
    /// At some position up to now.
    Once(Box<Self>),
    /// At every position up to now.
    Hist(Box<Self>),
    /// The second at some position, and the first ever since.
    Since(Box<Self>, Box<Self>),
    /// The formula held at no more than this many consecutive positions ending now.
    Run(Box<Self>, u32),
    /// For every tuple.
    All(Vec<Binder>, Box<Self>),
    /// For some tuple.
    Some(Vec<Binder>, Box<Self>),
}

/// A rule's body bound to a dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The outer variables: one instance for every tuple.
    pub outer: Vec<Binder>,
    /// What must hold at every position.
    pub body: Formula,
}

impl Formula {
    /// The formulas it is made of.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::True
            | Self::Start
            | Self::End
            | Self::Same(..)
            | Self::Is(..)
            | Self::Base(..)
            | Self::Tracked(..)
            | Self::Act(..) => Vec::new(),
            Self::Not(f)
            | Self::Prev(f)
            | Self::Once(f)
            | Self::Hist(f)
            | Self::Run(f, _)
            | Self::All(_, f)
            | Self::Some(_, f) => vec![f],
            Self::And(all) | Self::Or(all) => all.iter().collect(),
            Self::Since(a, b) => vec![a, b],
        }
    }

    /// Adds the tracked facts it reads, each as often as it is read.
    pub fn tracked(&self, into: &mut Vec<TrackedId>) {
        if let Self::Tracked(id, _) = self {
            into.push(*id);
        }
        for part in self.parts() {
            part.tracked(into);
        }
    }
}
