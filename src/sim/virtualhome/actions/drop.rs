//! Letting a thing fall (Evolving Graph §4 DROP).

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::{my_room, need_held, room};
use crate::sim::virtualhome::words::rel;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Let go of a held thing.
pub(super) const DROP: ActionDef = ActionDef {
    name: "DROP",
    arity: 1,
    doc: "Let go of a held thing.",
    unknown: Unknown::Coded,
    check,
    effects,
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
