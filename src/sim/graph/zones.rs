//! Which rooms one can walk between: rooms joined by doors that are not shut are one zone. Kept as doors move, because
//! every walk asks and doors move rarely.

use super::{Base, Graph, Passage};
use crate::sim::reading::is_shut;
use crate::sim::vocab::Ix;

#[cfg(test)]
mod tests;

/// Stands for a node that no door leads to.
const APART: u16 = u16::MAX;

/// The rooms that doors join, numbered.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Per node: its number among them, or [`APART`].
    number: Vec<u16>,
    /// Per room: the lowest number that a chain of doors, shut or not, leads to.
    joined: Vec<u16>,
}

impl Plan {
    /// Numbers the rooms on both sides of these doors, in a scene of so many nodes.
    pub(super) fn new(passages: &[Passage], nodes: usize) -> Self {
        let mut plan = Self {
            number: vec![APART; nodes],
            joined: Vec::new(),
        };
        for room in passages.iter().flat_map(|p| p.rooms) {
            let number = &mut plan.number[room.at()];
            if *number == APART && plan.joined.len() < usize::from(APART) {
                *number = plan.joined.len() as u16;
                plan.joined.push(*number);
            }
        }
        let mut joined = std::mem::take(&mut plan.joined);
        plan.spread(&mut joined, passages, |_| true);
        plan.joined = joined;
        plan
    }

    fn number(&self, room: Ix) -> Option<usize> {
        let number = self.number.get(room.at()).copied()?;
        (number != APART).then_some(usize::from(number))
    }

    /// Gives every room the lowest number that open doors lead to.
    fn spread(&self, zones: &mut [u16], doors: &[Passage], open: impl Fn(&Passage) -> bool) {
        for (i, zone) in zones.iter_mut().enumerate() {
            *zone = i as u16;
        }
        let mut moved = true;
        while moved {
            moved = false;
            for door in doors.iter().filter(|p| open(p)) {
                let [Some(a), Some(b)] = door.rooms.map(|room| self.number(room)) else {
                    continue;
                };
                let low = zones[a].min(zones[b]);
                moved |= zones[a] != low || zones[b] != low;
                (zones[a], zones[b]) = (low, low);
            }
        }
    }
}

impl Graph {
    /// Whether no shut door is in the way from one room to another. Between rooms that no chain of doors joins (scenes
    /// without doors, open plans) none is.
    #[inline]
    pub fn is_free_way(&self, from: Ix, to: Ix) -> bool {
        let plan = &self.base.plan;
        match (plan.number(from), plan.number(to)) {
            (Some(a), Some(b)) => {
                self.zones[a] == self.zones[b] || plan.joined[a] != plan.joined[b]
            }
            _ => true,
        }
    }

    /// Finds the zones anew, after a door moved.
    #[cold]
    pub(super) fn rezone(&mut self) {
        let mut zones = std::mem::take(&mut self.zones);
        let base: &Base = &self.base;
        zones.resize(base.plan.joined.len(), 0);
        let open = |p: &Passage| !is_shut(self, p.door);
        base.plan.spread(&mut zones, &base.passages, open);
        self.zones = zones;
    }
}
