//! Pouring what is in or on a held thing into another (Evolving Graph for BEHAVIOR, §4 `TRANSFER_CONTENTS_INSIDE`).

use crate::sim::behavior::actions::{action, but, differing};
use crate::sim::behavior::facts::{
    self, in_hand, is_floor, is_shut, need_load, need_object, need_reach, refuse, volume,
};
use crate::sim::behavior::forest;
use crate::sim::behavior::strict;
use crate::sim::behavior::words::{rel, state};
use crate::sim::graph::{Graph, Tx};
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::{Ix, Rel};
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Pour what is in or on the thing in the right hand into another.
pub(super) const RIGHT: ActionDef = differing(
    action(
        "RIGHT_TRANSFER_CONTENTS_INSIDE",
        1,
        "Pour what is in or on the thing in the right hand into another.",
        check::<{ facts::RIGHT }>,
        effects::<{ facts::RIGHT }>,
    ),
    strict::<{ facts::RIGHT }>,
    strict_effects::<{ facts::RIGHT }>,
);
/// Pour what is in or on the thing in the left hand into another.
pub(super) const LEFT: ActionDef = differing(
    action(
        "LEFT_TRANSFER_CONTENTS_INSIDE",
        1,
        "Pour what is in or on the thing in the left hand into another.",
        check::<{ facts::LEFT }>,
        effects::<{ facts::LEFT }>,
    ),
    strict::<{ facts::LEFT }>,
    strict_effects::<{ facts::LEFT }>,
);

fn check<const HAND: usize>(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    let g = c.graph;
    need_object(c, x)?;
    if let Some(holder) = in_hand(g, c.me, HAND) {
        let room = volume(g, x);
        if let Some(child) = forest::children(g, holder).find(|&child| volume(g, child) > room) {
            return Err(refuse(
                Kind::Affordance,
                Pre::Size(child),
                "Object too big to pour inside target object (POUR_INSIDE)",
                child,
            ));
        }
        if is_shut(g, x) {
            return Err(refuse(
                Kind::MissingStep,
                Pre::State(x, state::OPEN),
                "Target object is closed (POUR_INSIDE)",
                x,
            ));
        }
    }
    let holder = need_load(c, HAND, x)?;
    need_reach(c, x)?;
    Ok(but(failure(g, holder, x)))
}

/// The published loop over the contents fails after the first one: the table it walks has changed.
pub(super) fn failure(g: &Graph, holder: Ix, x: Ix) -> Option<Refusal> {
    forest::first_child(g, holder)?;
    let name = if is_floor(g, x) {
        "AttributeError"
    } else {
        "RuntimeError"
    };
    Some(Refusal::crash(name, Pre::Implemented, holder))
}

/// Moves the one thing that is moved before the loop fails.
pub(super) fn pour(tx: &mut Tx<'_>, me: Ix, hand: usize, (kind, x): (Rel, Ix)) {
    if let Some(holder) = in_hand(tx.graph(), me, hand)
        && let Some(child) = forest::first_child(tx.graph(), holder)
    {
        forest::shift(tx, child, Some((kind, x)));
    }
}

fn effects<const HAND: usize>(tx: &mut Tx<'_>, me: Ix, x: Ix, _: Ix) {
    pour(tx, me, HAND, (rel::INSIDE, x));
}

fn strict<const HAND: usize>(c: &Ctx<'_>, x: Ix, y: Ix) -> Result<Pass, Refusal> {
    strict::need_inside(c, x)?;
    check::<HAND>(c, x, y)?;
    Ok(Pass::YES)
}

/// Moves all that is in or on the held thing, the first first.
pub(super) fn pour_all(tx: &mut Tx<'_>, me: Ix, hand: usize, place: (Rel, Ix)) {
    let Some(holder) = in_hand(tx.graph(), me, hand) else {
        return;
    };
    let g = tx.graph();
    let mut load: Vec<Ix> = forest::children(g, holder).collect();
    load.sort_by_key(|&c| (g.memo(c), c));
    for child in load {
        strict::put(tx, child, place);
    }
}

fn strict_effects<const HAND: usize>(tx: &mut Tx<'_>, me: Ix, x: Ix, _: Ix) {
    pour_all(tx, me, HAND, (rel::INSIDE, x));
}
