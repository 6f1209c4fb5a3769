//! Letting go: the thing is then nowhere (Evolving Graph for BEHAVIOR, §4 RELEASE).

use crate::sim::behavior::actions::{action, differing};
use crate::sim::behavior::facts::{self, in_hand, need_object, need_reach, refuse};
use crate::sim::behavior::plain;
use crate::sim::behavior::strict::{fall, floor};
use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Let go of what the right hand holds.
pub(super) const RIGHT: ActionDef = differing(
    action(
        "RIGHT_RELEASE",
        1,
        "Let go of what the right hand holds.",
        check::<{ facts::RIGHT }>,
        effects::<{ facts::RIGHT }>,
    ),
    strict::<{ facts::RIGHT }>,
    strict_effects::<{ facts::RIGHT }>,
);
/// Let go of what the left hand holds.
pub(super) const LEFT: ActionDef = differing(
    action(
        "LEFT_RELEASE",
        1,
        "Let go of what the left hand holds.",
        check::<{ facts::LEFT }>,
        effects::<{ facts::LEFT }>,
    ),
    strict::<{ facts::LEFT }>,
    strict_effects::<{ facts::LEFT }>,
);

fn allowed<const HAND: usize>(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    let Some(load) = in_hand(c.graph, c.me, HAND) else {
        // The published code takes any plain edge for a sign that the thing still lies somewhere.
        let kind = if plain::has_any(c.graph, x) {
            Kind::MissingStep
        } else {
            Kind::AlreadySo
        };
        return Err(refuse(
            kind,
            Pre::Holding(x),
            "Robot is not holding anything (RELEASE)",
            x,
        ));
    };
    if load != x {
        return Err(refuse(
            Kind::MissingStep,
            Pre::Holding(x),
            "Robot is not holding target object (RELEASE)",
            x,
        ));
    }
    need_reach(c, x)
}

fn check<const HAND: usize>(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_object(c, x)?;
    allowed::<HAND>(c, x).map_err(|r| r.checked_again(|c, x, _| allowed::<HAND>(c, x).is_ok()))?;
    Ok(Pass::YES)
}

fn effects<const HAND: usize>(tx: &mut Tx<'_>, me: Ix, x: Ix, _: Ix) {
    tx.remove(me, facts::hand(HAND), x);
}

/// What hangs in the air needs a floor to fall to; nothing held is a missing step, wherever the thing lies.
fn strict<const HAND: usize>(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_object(c, x)?;
    let missing = |pre, reason| Err(refuse(Kind::MissingStep, pre, reason, x));
    match in_hand(c.graph, c.me, HAND) {
        None => missing(Pre::Holding(x), "Robot is not holding anything (RELEASE)"),
        Some(load) if load != x => missing(
            Pre::Holding(x),
            "Robot is not holding target object (RELEASE)",
        ),
        Some(_) if floor(c.graph).is_none() => {
            missing(Pre::Room(x), "No floor is there to fall to")
        }
        Some(_) => Ok(Pass::YES),
    }
}

fn strict_effects<const HAND: usize>(tx: &mut Tx<'_>, me: Ix, x: Ix, _: Ix) {
    tx.remove(me, facts::hand(HAND), x);
    fall(tx, x);
}
