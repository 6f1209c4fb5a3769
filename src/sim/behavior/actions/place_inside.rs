//! Putting a held thing inside another (Evolving Graph for BEHAVIOR, §4 `PLACE_INSIDE`).

use crate::sim::behavior::actions::{action, but};
use crate::sim::behavior::facts::{
    self, in_hand, is_shut, need_load, need_object, need_reach, refuse, volume,
};
use crate::sim::behavior::forest;
use crate::sim::behavior::strict;
use crate::sim::behavior::words::{rel, state};
use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Put what the right hand holds inside a thing.
pub(super) const RIGHT: ActionDef = action(
    "RIGHT_PLACE_INSIDE",
    1,
    "Put what the right hand holds inside a thing.",
    check::<{ facts::RIGHT }>,
    effects::<{ facts::RIGHT }>,
);
/// Put what the left hand holds inside a thing.
pub(super) const LEFT: ActionDef = action(
    "LEFT_PLACE_INSIDE",
    1,
    "Put what the left hand holds inside a thing.",
    check::<{ facts::LEFT }>,
    effects::<{ facts::LEFT }>,
);

fn check<const HAND: usize>(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    let g = c.graph;
    need_object(c, x)?;
    if strict::on(g) {
        strict::need_inside(c, x)?;
    }
    if let Some(load) = in_hand(g, c.me, HAND) {
        if volume(g, load) > volume(g, x) {
            return Err(refuse(
                Kind::Affordance,
                Pre::Size(load),
                "Object too big to place inside target object (PLACE_INSIDE)",
                load,
            ));
        }
        if is_shut(g, x) {
            return Err(refuse(
                Kind::MissingStep,
                Pre::State(x, state::OPEN),
                "Target object is closed (PLACE_INSIDE)",
                x,
            ));
        }
    }
    let load = need_load(c, HAND, x)?;
    need_reach(c, x)?;
    Ok(but(forest::obstacle(g, load, Some(x))))
}

fn effects<const HAND: usize>(tx: &mut Tx<'_>, me: Ix, x: Ix, _: Ix) {
    if let Some(load) = in_hand(tx.graph(), me, HAND)
        && forest::shift(tx, load, Some((rel::INSIDE, x)))
    {
        tx.remove(me, facts::hand(HAND), load);
    }
}
