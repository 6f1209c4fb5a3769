//! A need: one thing that must hold before an action is allowed or a goal is met.

use crate::safety::formula::TrackedId;
use crate::sim::graph::Graph;
use crate::sim::reading;
use crate::sim::vocab::{Ix, Rel, State};

/// One thing that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Need {
    /// The node has the state.
    State(Ix, State),
    /// The node lacks the state.
    Lacks(Ix, State),
    /// The first node is in the relation to the second.
    Edge(Ix, Rel, Ix),
    /// The first node is not in the relation to the second.
    Apart(Ix, Rel, Ix),
    /// Something the dialect's table names by a number of its own, about one node or none.
    Own(u8, Ix),
    /// The action goal of that number has been done.
    Done(u8),
    /// The node is in a hand.
    Held(Ix),
    /// The tracked fact of that number holds (or not) of the node, or of nothing.
    Kept(bool, u8, Ix),
}

/// What rules still want: any of some lists of needs, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Want {
    /// The lists.
    pub cures: Vec<Vec<Need>>,
    /// How many steps are left for it; `None` if it may wait until the end.
    pub left: Option<u32>,
}

impl Need {
    /// That a tracked fact holds (or not) of each of these nodes; nothing where it is about two.
    pub(super) fn kept(negated: bool, fact: TrackedId, (of, to): (&[Ix], &[Ix])) -> Vec<Self> {
        let one = |&n: &Ix| Self::Kept(!negated, fact.0, n);
        match (of, to) {
            ([], []) => vec![one(&Ix::NONE)],
            (of, []) => of.iter().map(one).collect(),
            _ => Vec::new(),
        }
    }

    /// A number that tells needs apart. Node indices fit into 28 bits ([`crate::sim::scene::MAX_NODES`]), words into 5.
    #[inline]
    pub(super) const fn key(self) -> u64 {
        const NODE: u64 = (1 << 28) - 1;
        let (kind, word, a, b) = match self {
            Self::State(n, s) => (0, s.0, n, Ix::NONE),
            Self::Lacks(n, s) => (1, s.0, n, Ix::NONE),
            Self::Edge(a, r, b) => (2, r.0, a, b),
            Self::Apart(a, r, b) => (3, r.0, a, b),
            Self::Own(kind, n) => (4, kind, n, Ix::NONE),
            Self::Done(k) => return 5 << 61 | k as u64,
            Self::Held(n) => (6, 0, n, Ix::NONE),
            Self::Kept(want, fact, n) => {
                return 7 << 61 | (want as u64) << 60 | (fact as u64) << 32 | n.0 as u64;
            }
        };
        kind << 61 | (word as u64 & 31) << 56 | (a.0 as u64 & NODE) << 28 | b.0 as u64 & NODE
    }

    /// Whether a need about facts holds; `None` where the table or the progress must be asked.
    #[inline]
    pub(super) fn holds(self, graph: &Graph) -> Option<bool> {
        match self {
            Self::State(n, s) => Some(reading::has_state(graph, n, s)),
            Self::Lacks(n, s) => Some(!reading::has_state(graph, n, s)),
            Self::Edge(a, r, b) => Some(reading::has_edge(graph, a, r, b)),
            Self::Apart(a, r, b) => Some(!reading::has_edge(graph, a, r, b)),
            Self::Own(..) | Self::Done(_) | Self::Held(_) | Self::Kept(..) => None,
        }
    }

    /// The nodes it speaks of.
    pub fn nodes(self) -> impl Iterator<Item = Ix> {
        let (a, b) = match self {
            Self::State(n, _)
            | Self::Lacks(n, _)
            | Self::Own(_, n)
            | Self::Held(n)
            | Self::Kept(_, _, n) => (n, Ix::NONE),
            Self::Edge(a, _, b) | Self::Apart(a, _, b) => (a, b),
            Self::Done(_) => (Ix::NONE, Ix::NONE),
        };
        [a, b].into_iter().filter(|n| n.is_some())
    }
}
