//! Taking a thing into a hand (Evolving Graph for BEHAVIOR, §4 GRASP).

use crate::sim::behavior::actions::{action, but};
use crate::sim::behavior::facts::{
    self, in_hand, is_floor, need_object, need_reach, refuse, volume,
};
use crate::sim::behavior::words::rel;
use crate::sim::behavior::{forest, plain, strict};
use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Take a thing into the right hand.
pub(super) const RIGHT: ActionDef = action(
    "RIGHT_GRASP",
    1,
    "Take a thing into the right hand.",
    check::<{ facts::RIGHT }>,
    effects::<{ facts::RIGHT }>,
);
/// Take a thing into the left hand.
pub(super) const LEFT: ActionDef = action(
    "LEFT_GRASP",
    1,
    "Take a thing into the left hand.",
    check::<{ facts::LEFT }>,
    effects::<{ facts::LEFT }>,
);

/// The largest thing a hand takes, in cubic metres.
const LARGEST: f64 = 1.5;

/// What rides on a grasped thing falls off when it is this many times as large.
const TOO_LARGE_TO_RIDE: f64 = 5.0;

fn allowed<const HAND: usize>(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    let g = c.graph;
    if is_floor(g, x) {
        return Err(refuse(
            Kind::Affordance,
            Pre::Fit(x),
            "Cannot grasp floor (GRASP)",
            x,
        ));
    }
    if volume(g, x) > LARGEST {
        return Err(refuse(
            Kind::Affordance,
            Pre::Size(x),
            "Object too big to grasp (GRASP)",
            x,
        ));
    }
    let load = in_hand(g, c.me, HAND);
    if load == Some(x) {
        return Err(refuse(
            Kind::AlreadySo,
            Pre::NotWithYou(x),
            "Object already in hand (GRASP)",
            x,
        ));
    }
    if in_hand(g, c.me, 1 - HAND) == Some(x) {
        return Err(refuse(
            Kind::AlreadySo,
            Pre::NotWithYou(x),
            "Object already in other hand (GRASP)",
            x,
        ));
    }
    if load.is_some() {
        return Err(refuse(
            Kind::MissingStep,
            Pre::FreeHand,
            "Release first before grasp (GRASP)",
            x,
        ));
    }
    need_reach(c, x)
}

fn check<const HAND: usize>(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_object(c, x)?;
    allowed::<HAND>(c, x).map_err(|r| r.checked_again(|c, x, _| allowed::<HAND>(c, x).is_ok()))?;
    Ok(but(forest::obstacle(c.graph, x, None)))
}

fn effects<const HAND: usize>(tx: &mut Tx<'_>, me: Ix, x: Ix, _: Ix) {
    tx.clear_all(x, plain::LABELS);
    leave_room(tx, x);
    tx.add(me, facts::hand(HAND), x);
    if !forest::shift(tx, x, None) {
        return;
    }
    let g = tx.graph();
    let limit = TOO_LARGE_TO_RIDE * volume(g, x);
    let falling: Vec<Ix> = forest::children(g, x)
        .filter(|&child| volume(g, child) > limit)
        .collect();
    for child in falling {
        if strict::on(tx.graph()) {
            strict::fall(tx, child);
        } else {
            forest::shift(tx, child, None);
        }
    }
}

/// The room a scene names for a thing that is nowhere else; the published graph has no rooms.
fn leave_room(tx: &mut Tx<'_>, x: Ix) {
    let g = tx.graph();
    let room = g.targets(x, rel::INSIDE).find(|&up| g.hot(up).room);
    if let Some(room) = room {
        tx.remove(x, rel::INSIDE, room);
    }
}
