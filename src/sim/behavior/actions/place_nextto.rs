//! Putting a held thing beside another (Evolving Graph for BEHAVIOR, §4 `PLACE_NEXTTO`).

use crate::sim::behavior::actions::{action, but};
use crate::sim::behavior::facts::{self, in_hand, is_floor, need_load, need_object, need_reach};
use crate::sim::behavior::words::rel;
use crate::sim::behavior::{forest, plain};
use crate::sim::graph::{Graph, Tx};
use crate::sim::refusal::Refusal;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Put what the right hand holds beside a thing.
pub(super) const RIGHT: ActionDef = action(
    "RIGHT_PLACE_NEXTTO",
    1,
    "Put what the right hand holds beside a thing.",
    check::<{ facts::RIGHT }>,
    effects::<{ facts::RIGHT }>,
);
/// Put what the left hand holds beside a thing.
pub(super) const LEFT: ActionDef = action(
    "LEFT_PLACE_NEXTTO",
    1,
    "Put what the left hand holds beside a thing.",
    check::<{ facts::LEFT }>,
    effects::<{ facts::LEFT }>,
);

/// What beside and under share: held, in reach, and the move along with the other thing may fail.
pub(super) fn check<const HAND: usize>(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_object(c, x)?;
    let load = need_load(c, HAND, x)?;
    need_reach(c, x)?;
    Ok(but(along(c.graph, x).and_then(|(_, up)| {
        forest::obstacle(c.graph, load, Some(up))
    })))
}

/// Where a thing put beside or under `x` comes to be in the forest.
fn along(g: &Graph, x: Ix) -> Option<(crate::sim::vocab::Rel, Ix)> {
    forest::parent(g, x)
}

fn effects<const HAND: usize>(tx: &mut Tx<'_>, me: Ix, x: Ix, _: Ix) {
    if let Some(load) = in_hand(tx.graph(), me, HAND) {
        plain::write_both(tx, load, rel::NEXTTO, x);
        tx.remove(me, facts::hand(HAND), load);
        follow(tx, load, x);
    }
}

/// The thing stands where the other does: on that floor, in or on the same thing, or on the floor it stands on.
pub(super) fn follow(tx: &mut Tx<'_>, load: Ix, x: Ix) {
    if is_floor(tx.graph(), x) {
        plain::write(tx, load, rel::ONFLOOR, x);
    } else if let Some(place) = along(tx.graph(), x) {
        forest::shift(tx, load, Some(place));
    } else if let Some(floor) = plain::floor_of(tx.graph(), x) {
        plain::write(tx, load, rel::ONFLOOR, floor);
    }
}
