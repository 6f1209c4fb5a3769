//! Pouring what is in or on a held thing onto another (Evolving Graph for BEHAVIOR, §4 `TRANSFER_CONTENTS_ONTOP`).

use crate::sim::behavior::actions::{action, but, differing, transfer_inside};
use crate::sim::behavior::facts::{self, in_hand, need_load, need_object, need_reach, refuse};
use crate::sim::behavior::forest;
use crate::sim::behavior::words::rel;
use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Pour what is in or on the thing in the right hand onto another.
pub(super) const RIGHT: ActionDef = differing(
    action(
        "RIGHT_TRANSFER_CONTENTS_ONTOP",
        1,
        "Pour what is in or on the thing in the right hand onto another.",
        check::<{ facts::RIGHT }>,
        effects::<{ facts::RIGHT }>,
    ),
    strict::<{ facts::RIGHT }>,
    strict_effects::<{ facts::RIGHT }>,
);
/// Pour what is in or on the thing in the left hand onto another.
pub(super) const LEFT: ActionDef = differing(
    action(
        "LEFT_TRANSFER_CONTENTS_ONTOP",
        1,
        "Pour what is in or on the thing in the left hand onto another.",
        check::<{ facts::LEFT }>,
        effects::<{ facts::LEFT }>,
    ),
    strict::<{ facts::LEFT }>,
    strict_effects::<{ facts::LEFT }>,
);

const NOTHING: [&str; 2] = [
    "Only holding one obj in right_hand, nothing to pour",
    "Only holding one obj in left_hand, nothing to pour",
];

fn check<const HAND: usize>(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    let g = c.graph;
    need_object(c, x)?;
    if let Some(holder) = in_hand(g, c.me, HAND)
        && forest::first_child(g, holder).is_none()
    {
        return Err(refuse(Kind::Affordance, Pre::Laden, NOTHING[HAND], holder));
    }
    let holder = need_load(c, HAND, x)?;
    need_reach(c, x)?;
    Ok(but(transfer_inside::failure(g, holder, x)))
}

fn effects<const HAND: usize>(tx: &mut Tx<'_>, me: Ix, x: Ix, _: Ix) {
    transfer_inside::pour(tx, me, HAND, (rel::ONTOP, x));
}

fn strict<const HAND: usize>(c: &Ctx<'_>, x: Ix, y: Ix) -> Result<Pass, Refusal> {
    check::<HAND>(c, x, y)?;
    Ok(Pass::YES)
}

fn strict_effects<const HAND: usize>(tx: &mut Tx<'_>, me: Ix, x: Ix, _: Ix) {
    transfer_inside::pour_all(tx, me, HAND, (rel::ONTOP, x));
}
