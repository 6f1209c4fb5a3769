//! How a search is bounded, watched and stopped.

use crate::search::answer::{Stage, Stats};

/// How much a search may do. Expansions and states, never time: the same input gives the same answer everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States that may be kept at once; 64 bytes each, with what finds them 80.
    pub nodes: usize,
    /// Expansions with helpful actions alone.
    pub helpful: u64,
    /// Steps done on the working world with all actions on the objects that matter; the wider stages and the
    /// exhaustive ones get as many each. A step takes about a microsecond.
    pub steps: u64,
    /// Decides between equals; 0 takes the older one.
    pub seed: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            nodes: 2_000_000,
            helpful: 1_000,
            steps: 50_000,
            seed: 0,
        }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The stage it is in.
    pub stage: Stage,
    /// What it did.
    pub stats: Stats,
    /// The smallest estimate so far, in steps; in the exhaustive stage the distance from the start.
    pub best: u32,
}

/// Who is told, and who may stop it.
pub struct Control<'c> {
    /// After how many expansions it asks.
    pub every: u64,
    /// Told how far it is; `false` stops it.
    pub tell: &'c mut dyn FnMut(Progress) -> bool,
}

impl Control<'_> {
    pub(super) fn go_on(&mut self, progress: Progress) -> bool {
        (self.tell)(progress)
    }
}

/// After how many expansions a search usually asks: about every millisecond.
pub const EVERY: u64 = 256;
