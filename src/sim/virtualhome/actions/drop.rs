//! Letting a thing fall (Evolving Graph §4 DROP).

use crate::sim::graph::{Graph, Tx};
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::{my_room, need_held, room};
use crate::sim::virtualhome::strict::hold::{bring, contents, flows, lift, need_in_hand, put};
use crate::sim::virtualhome::strict::reach::{here, place};
use crate::sim::virtualhome::words::{rel, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Let go of a held thing.
pub(super) const DROP: ActionDef = ActionDef {
    name: "DROP",
    arity: 1,
    doc: "Let go of a held thing.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects: strict_effects,
    },
};

/// Held, and the agent in a room.
pub(super) fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_held(c, n)?;
    my_room(c)?;
    Ok(Pass::YES)
}

/// Leaves the hand into the agent's room; an older room edge stays, as published.
pub(super) fn effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    let here = room(tx.graph(), me).ok().flatten();
    tx.remove(me, rel::HOLDS_RH, n);
    tx.remove(me, rel::HOLDS_LH, n);
    if let Some(here) = here {
        tx.add(n, rel::INSIDE, here);
    }
    tx.remember(n, None);
}

/// Held, and the agent in a room.
pub(super) fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_in_hand(c, n)?;
    here(c)?;
    Ok(Pass::YES)
}

/// Lands on the floor with its load; what flows out of it, or is loose itself, is spilled.
pub(super) fn strict_effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    let Some(here) = place(tx.graph(), me) else {
        return;
    };
    let floor = floor_of(tx.graph(), here);
    let loose = !tx.graph().states(n).has(state::CLOSED);
    fall(tx, me, n, (floor, here));
    if loose && flows(tx.graph(), n) {
        tx.set(n, state::SPILLED, true);
    } else if loose {
        for x in contents(tx.graph(), n) {
            fall(tx, me, x, (floor, here));
            tx.set(x, state::SPILLED, true);
        }
    }
}

/// Ends on the floor, or merely in the room where the scene has none.
fn fall(tx: &mut Tx<'_>, me: Ix, n: Ix, (floor, here): (Option<Ix>, Ix)) {
    if let Some(floor) = floor {
        put(tx, me, n, (rel::ON, floor));
    } else {
        lift(tx, me, n);
        bring(tx, me, n, Some(here));
        tx.remember(n, None);
    }
}

/// The floor of a room: the lowest there is.
fn floor_of(g: &Graph, room: Ix) -> Option<Ix> {
    g.sources(room, rel::INSIDE)
        .filter(|&x| g.class(x) == "floor")
        .min()
}
