//! Putting a held thing under another (Evolving Graph for BEHAVIOR, §4 `PLACE_UNDER`).

use crate::sim::behavior::actions::{action, place_nextto};
use crate::sim::behavior::facts::{self, in_hand};
use crate::sim::behavior::plain;
use crate::sim::behavior::words::rel;
use crate::sim::graph::Tx;
use crate::sim::vocab::Ix;
use crate::sim::world::ActionDef;

/// Put what the right hand holds under a thing.
pub(super) const RIGHT: ActionDef = action(
    "RIGHT_PLACE_UNDER",
    1,
    "Put what the right hand holds under a thing.",
    place_nextto::check::<{ facts::RIGHT }>,
    effects::<{ facts::RIGHT }>,
);
/// Put what the left hand holds under a thing.
pub(super) const LEFT: ActionDef = action(
    "LEFT_PLACE_UNDER",
    1,
    "Put what the left hand holds under a thing.",
    place_nextto::check::<{ facts::LEFT }>,
    effects::<{ facts::LEFT }>,
);

fn effects<const HAND: usize>(tx: &mut Tx<'_>, me: Ix, x: Ix, _: Ix) {
    if let Some(load) = in_hand(tx.graph(), me, HAND) {
        plain::write(tx, load, rel::UNDER, x);
        tx.remove(me, facts::hand(HAND), load);
        place_nextto::follow(tx, load, x);
    }
}
