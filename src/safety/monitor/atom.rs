//! The parts formulas are taken apart into: atoms, literals, conjunctions, and the steps that look for their tuples.

use crate::sim::vocab::{Ix, Rels, State};

/// A set of nodes fixed for the scene, by number in [`super::dom::Doms`].
pub(super) type DomId = u16;
/// A cell family, by number; cells are computed in this order.
pub(super) type FamIx = u16;

/// How many variables one conjunction may bind.
pub(super) const MAX_VARS: usize = 24;

/// What the variables stand for.
pub(super) type Binding = [Ix; MAX_VARS];

/// What stands where a node is meant. A variable is a unique number while formulas are normalised, then a place in
/// the [`Binding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Arg {
    Me,
    Var(u16),
}

/// What can be true of a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Atom {
    Start,
    End,
    Same(Arg, Arg),
    Is(DomId, Arg),
    State(State, Arg),
    /// One of the relations, and the target is no room.
    Rel(Rels, Arg, Arg),
    Near(Arg, Arg),
    Held(Arg),
    InRoom(Arg, Arg),
    SameRoom(Arg, Arg),
    Within(Arg, Arg),
    Act(u64, [Option<Arg>; 2]),
    /// The cell of a family: kept from step to step.
    Cell(FamIx, Vec<Arg>),
}

impl Atom {
    /// Its arguments in order.
    pub(super) fn args(&self) -> Vec<Arg> {
        match self {
            Self::Start | Self::End => Vec::new(),
            Self::Is(_, a) | Self::State(_, a) | Self::Held(a) => vec![*a],
            Self::Same(a, b)
            | Self::Rel(_, a, b)
            | Self::Near(a, b)
            | Self::InRoom(a, b)
            | Self::SameRoom(a, b)
            | Self::Within(a, b) => vec![*a, *b],
            Self::Act(_, args) => args.iter().filter_map(|a| *a).collect(),
            Self::Cell(_, args) => args.clone(),
        }
    }

    /// The same atom over other arguments.
    pub(super) fn map(&self, f: &mut impl FnMut(Arg) -> Arg) -> Self {
        match self {
            Self::Start => Self::Start,
            Self::End => Self::End,
            Self::Same(a, b) => Self::Same(f(*a), f(*b)),
            Self::Is(d, a) => Self::Is(*d, f(*a)),
            Self::State(s, a) => Self::State(*s, f(*a)),
            Self::Rel(r, a, b) => Self::Rel(*r, f(*a), f(*b)),
            Self::Near(a, b) => Self::Near(f(*a), f(*b)),
            Self::Held(a) => Self::Held(f(*a)),
            Self::InRoom(a, b) => Self::InRoom(f(*a), f(*b)),
            Self::SameRoom(a, b) => Self::SameRoom(f(*a), f(*b)),
            Self::Within(a, b) => Self::Within(f(*a), f(*b)),
            Self::Act(m, args) => Self::Act(*m, args.map(|a| a.map(&mut *f))),
            Self::Cell(c, args) => Self::Cell(*c, args.iter().map(|a| f(*a)).collect()),
        }
    }

    /// Whether it says the same at every position.
    pub(super) const fn is_static(&self) -> bool {
        matches!(self, Self::Same(..) | Self::Is(..))
    }
}

/// An atom or its contrary, now or one position earlier. Where nothing came before, an atom asked for the earlier
/// position is false.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Lit {
    pub(super) atom: Atom,
    pub(super) neg: bool,
    pub(super) prev: bool,
}

/// A part of a conjunction.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Lit(Lit),
    /// One of these holds for some values of its own variables; or, negated, none does.
    Sub {
        neg: bool,
        conjs: Vec<Conj>,
    },
}

/// When a conjunction can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// At any position.
    Any,
    /// Right after an action it names: nothing else can make it true.
    Act,
    /// At the start of a run.
    Start,
    /// At its end.
    End,
}

/// Parts that hold together for some values of its own variables.
#[derive(Clone, Debug)]
pub(super) struct Conj {
    /// The range of every variable in scope.
    pub(super) doms: Vec<DomId>,
    /// Variables below this are bound outside.
    pub(super) base: usize,
    pub(super) parts: Vec<Part>,
    /// How to look for values of the own variables.
    pub(super) full: Vec<Op>,
    /// How to look for values of all variables.
    pub(super) scan: Vec<Op>,
    /// Families of which some cell must hold, now or (`true`) a position earlier.
    pub(super) needs: Vec<(FamIx, bool)>,
    /// When it can hold at all.
    pub(super) when: When,
    /// Asks anywhere whether the run ends.
    pub(super) ends: bool,
    /// Reads no cell of the position itself, so that it can be asked before any is settled.
    pub(super) settled: bool,
    /// Up to this position it may begin or cease to hold although nothing it reads changed: it reads the position
    /// before, or whether this is the start.
    pub(super) early: u32,
}

/// One step of looking for tuples.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// The part must hold.
    Check(u16),
    /// The variable takes each of these values.
    Bind { var: u8, from: Gen, any: bool },
    /// The unbound arguments of a positive cell literal take the values of each cell that holds, or held a position
    /// earlier.
    Cells { part: u16, bound: u32, any: bool },
}

/// Where values come from.
#[derive(Clone, Debug)]
pub(super) enum Gen {
    /// Its whole range.
    Dom,
    /// The nodes of its range that have a state now, or those that may have had it a position earlier.
    Alpha(u16, bool),
    /// What the argument is related to.
    Out(Rels, Arg, bool),
    /// What is related to the argument.
    In(Rels, Arg, bool),
    /// What is near.
    Near(Arg, bool),
    /// What it is on or in, at any depth.
    Up(Arg),
    /// What is on or in it, at any depth.
    Down(Arg),
    /// What the agent holds.
    Held(bool),
    /// Its room.
    Room(Arg, bool),
    /// The nodes of its range in the room of the argument.
    Peers(u16, Arg, bool),
    /// The nodes of its range in that room.
    Lodgers(u16, Arg, bool),
    /// Itself.
    Same(Arg),
    /// What an action of these verbs was done to: its first or (`true`) second target; now or a position earlier.
    Act(u64, bool, bool),
}

/// Tuples as numbers: as many bits a node as the scene needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pack {
    bits: u32,
}

impl Pack {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            bits: (usize::BITS - nodes.leading_zeros()).max(1),
        }
    }

    /// How many nodes fit into one key.
    pub(super) const fn room(self) -> usize {
        (u128::BITS / self.bits) as usize
    }

    #[inline]
    pub(super) fn key(self, nodes: &[Ix]) -> u128 {
        nodes
            .iter()
            .rev()
            .fold(0, |key, n| key << self.bits | u128::from(n.0))
    }

    #[inline]
    pub(super) const fn node(self, key: u128, i: usize) -> Ix {
        Ix((key >> (self.bits as usize * i)) as u32 & ((1 << self.bits) - 1))
    }
}
