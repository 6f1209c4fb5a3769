//! Putting a held thing beside one and on top of another (Evolving Graph for BEHAVIOR, §4 `PLACE_NEXTTO_ONTOP`).

use crate::sim::behavior::actions::{action, but};
use crate::sim::behavior::facts::{self, in_hand, is_floor, need_load, need_object, need_reach};
use crate::sim::behavior::words::rel;
use crate::sim::behavior::{forest, plain};
use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Put what the right hand holds beside a thing and on top of another.
pub(super) const RIGHT: ActionDef = action(
    "RIGHT_PLACE_NEXTTO_ONTOP",
    2,
    "Put what the right hand holds beside a thing and on top of another.",
    check::<{ facts::RIGHT }>,
    effects::<{ facts::RIGHT }>,
);
/// Put what the left hand holds beside a thing and on top of another.
pub(super) const LEFT: ActionDef = action(
    "LEFT_PLACE_NEXTTO_ONTOP",
    2,
    "Put what the left hand holds beside a thing and on top of another.",
    check::<{ facts::LEFT }>,
    effects::<{ facts::LEFT }>,
);

fn check<const HAND: usize>(c: &Ctx<'_>, x: Ix, y: Ix) -> Result<Pass, Refusal> {
    need_object(c, x)?;
    need_object(c, y)?;
    need_load(c, HAND, x)?;
    need_reach(c, x)?;
    let load = need_load(c, HAND, y)?;
    need_reach(c, y)?;
    if is_floor(c.graph, y) {
        return Ok(Pass::YES);
    }
    Ok(but(forest::obstacle(c.graph, load, Some(y))))
}

fn effects<const HAND: usize>(tx: &mut Tx<'_>, me: Ix, x: Ix, y: Ix) {
    let Some(load) = in_hand(tx.graph(), me, HAND) else {
        return;
    };
    plain::write_both(tx, load, rel::NEXTTO, x);
    if is_floor(tx.graph(), y) {
        plain::write(tx, load, rel::ONFLOOR, y);
    } else if !forest::shift(tx, load, Some((rel::ONTOP, y))) {
        return;
    }
    tx.remove(me, facts::hand(HAND), load);
}
