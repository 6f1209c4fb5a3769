//! What a step changed: packed words for the log, and the same as facts.

use crate::sim::vocab::{Ix, Rel, Rels, State, States};

/// One changed word, as the XOR of before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Item(u64);

const PAYLOAD_BITS: u32 = 32;
const KIND_SHIFT: u32 = 62;
pub(super) const KIND_PAIR: u64 = 0;
pub(super) const KIND_STATE: u64 = 1;
pub(super) const KIND_MEMORY: u64 = 2;
/// How far a happening has come.
pub(super) const KIND_CLOCK: u64 = 3;

impl Item {
    pub(super) const fn new(kind: u64, index: u32, payload: u32) -> Self {
        Self((kind << KIND_SHIFT) | ((index as u64) << PAYLOAD_BITS) | payload as u64)
    }

    pub(super) const fn kind(self) -> u64 {
        self.0 >> KIND_SHIFT
    }

    pub(super) const fn index(self) -> usize {
        ((self.0 >> PAYLOAD_BITS) & 0x3fff_ffff) as usize
    }

    pub(super) const fn payload(self) -> u32 {
        self.0 as u32
    }
}

/// One fact that a step changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// A node gained (`true`) or lost a state.
    State(Ix, State, bool),
    /// A relation began (`true`) or ended.
    Edge(Ix, Rel, Ix, bool),
}

/// What one item changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// States a node gained or lost.
    Node(Ix, States),
    /// Relations that began or ended from the first node to the second, and back.
    Pair(Ix, Ix, Rels, Rels),
}

/// Where the character took a thing from: used by actions that put it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The thing it was on, in or near.
    pub at: Ix,
    /// How.
    pub rel: Rel,
}
