//! Putting a held thing on top of another, or on a floor (Evolving Graph for BEHAVIOR, §4 `PLACE_ONTOP`).

use crate::sim::behavior::actions::{action, but};
use crate::sim::behavior::facts::{self, in_hand, is_floor, need_load, need_object, need_reach};
use crate::sim::behavior::words::rel;
use crate::sim::behavior::{forest, plain};
use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Put what the right hand holds on top of a thing.
pub(super) const RIGHT: ActionDef = action(
    "RIGHT_PLACE_ONTOP",
    1,
    "Put what the right hand holds on top of a thing.",
    check::<{ facts::RIGHT }>,
    effects::<{ facts::RIGHT }>,
);
/// Put what the left hand holds on top of a thing.
pub(super) const LEFT: ActionDef = action(
    "LEFT_PLACE_ONTOP",
    1,
    "Put what the left hand holds on top of a thing.",
    check::<{ facts::LEFT }>,
    effects::<{ facts::LEFT }>,
);

fn check<const HAND: usize>(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_object(c, x)?;
    let load = need_load(c, HAND, x)?;
    need_reach(c, x)?;
    if is_floor(c.graph, x) {
        return Ok(Pass::YES);
    }
    Ok(but(forest::obstacle(c.graph, load, Some(x))))
}

fn effects<const HAND: usize>(tx: &mut Tx<'_>, me: Ix, x: Ix, _: Ix) {
    let Some(load) = in_hand(tx.graph(), me, HAND) else {
        return;
    };
    if is_floor(tx.graph(), x) {
        plain::write(tx, load, rel::ONFLOOR, x);
    } else if !forest::shift(tx, load, Some((rel::ONTOP, x))) {
        return;
    }
    tx.remove(me, facts::hand(HAND), load);
}
