//! Turning (Evolving Graph §4 TURNTO): to anything, anywhere.

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::strict::reach::need_same_room;
use crate::sim::virtualhome::words::rel;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Turn to a thing.
pub(super) const TURNTO: ActionDef = ActionDef {
    name: "TURNTO",
    arity: 1,
    doc: "Turn to a thing.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects,
    },
};

#[expect(clippy::unnecessary_wraps, reason = "every action has this signature")]
fn check(_: &Ctx<'_>, _: Ix, _: Ix) -> Result<Pass, Refusal> {
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    tx.clear_out(me, rel::FACING);
    tx.add(me, rel::FACING, n);
}

/// In the same room, or near.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_same_room(c, n)?;
    Ok(Pass::YES)
}
