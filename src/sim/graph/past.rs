//! Whether a fact ever held, read from the log without moving the graph.

use super::Graph;
use super::item::{Item, KIND_PAIR, KIND_STATE};
use super::pair::{direction, pair_key};
use crate::sim::refusal::Record;

impl Graph {
    /// Whether a record holds now or did before any of these steps, whose items come newest first. `None` for a record
    /// without a target, whose pairs are not known.
    pub fn held_once<'a>(
        &self,
        record: Record,
        steps: impl Iterator<Item = &'a [Item]>,
    ) -> Option<bool> {
        match record {
            Record::Edge { to, .. } if !to.is_some() => None,
            Record::Edge {
                from,
                rels,
                to,
                negate,
            } => {
                let (key, flipped) = pair_key(from, to);
                // What was never related is related at no position.
                let Some(p) = self.find(key) else {
                    return Some(negate);
                };
                let fits = |bits| (direction(bits, flipped).0 & rels.0 != 0) != negate;
                let now = self.pairs[p].bits;
                Some(once((KIND_PAIR, p), now, fits, steps))
            }
            Record::State {
                node,
                state,
                negate,
            } => {
                let fits = |bits: u16| (bits & (1 << state.0) != 0) != negate;
                let now = self.states(node).0;
                Some(once((KIND_STATE, node.at()), now, fits, steps))
            }
        }
    }
}

/// Follows one word of the graph back through the steps until it fits.
fn once<'a>(
    (kind, index): (u64, usize),
    mut bits: u16,
    fits: impl Fn(u16) -> bool,
    steps: impl Iterator<Item = &'a [Item]>,
) -> bool {
    if fits(bits) {
        return true;
    }
    for items in steps {
        let before = bits;
        for item in items {
            if item.index() == index && item.kind() == kind {
                bits ^= item.payload() as u16;
            }
        }
        if bits != before && fits(bits) {
            return true;
        }
    }
    false
}
