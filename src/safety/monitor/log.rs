//! What a step changed in a monitor: enough to take it back and to do it again.

use crate::safety::verdict::Turn;
use crate::sim::vocab::{Ix, State};
use crate::sim::world::Action;

use super::atom::FamIx;

/// A cell before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellChange {
    pub(super) fam: FamIx,
    pub(super) key: u128,
    pub(super) old: u32,
    pub(super) new: u32,
}

/// What has to be looked at in the next step whatever changes in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Next {
    /// Readers of the earlier position, with the nodes that changed.
    pub(super) work: Vec<(u32, u128)>,
    /// Families whose cells must be looked at again.
    pub(super) stale: Vec<FamIx>,
    /// Cells that may begin to hold.
    pub(super) again: Vec<(FamIx, u128)>,
}

impl Next {
    pub(super) fn clear(&mut self) {
        self.work.clear();
        self.stale.clear();
        self.again.clear();
    }

    /// Copies without giving up room already there.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.clear();
        self.work.extend_from_slice(&other.work);
        self.stale.extend_from_slice(&other.stale);
        self.again.extend_from_slice(&other.again);
    }
}

/// The record of one step. Reused by previews, so that looking ahead allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct StepLog {
    pub(super) action: Option<Action>,
    pub(super) action_before: Option<Action>,
    /// Nodes whose room changed, with the rooms.
    pub(super) rooms: Vec<(Ix, u32, u32)>,
    /// States that a list speaks of, gained (`true`) or lost.
    pub(super) states: Vec<(Ix, State, bool)>,
    pub(super) cells: Vec<CellChange>,
    pub(super) before: Next,
    pub(super) after: Next,
    pub(super) turns: Vec<Turn>,
}

impl StepLog {
    pub(super) fn clear(&mut self) {
        self.rooms.clear();
        self.states.clear();
        self.cells.clear();
        self.before.clear();
        self.after.clear();
        self.turns.clear();
    }

    /// The verdicts that changed, by rule, then by nodes.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The instances that broke.
    pub fn breaches(&self) -> impl Iterator<Item = crate::safety::verdict::Instance> + '_ {
        self.turns.iter().filter(|t| t.broken).map(|t| t.instance)
    }
}
