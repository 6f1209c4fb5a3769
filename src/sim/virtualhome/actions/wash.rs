//! Washing (Evolving Graph §4 WASH): anything near, without water, as published.

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::need_close;
use crate::sim::virtualhome::strict::reach::need_reach;
use crate::sim::virtualhome::words::state;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Wash a near thing.
pub(super) const WASH: ActionDef = ActionDef {
    name: "WASH",
    arity: 1,
    doc: "Wash a near thing.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects,
    },
};

/// Near.
pub(super) fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_close(c, n)?;
    Ok(Pass::YES)
}

/// Dirty becomes clean.
pub(super) fn effects(tx: &mut Tx<'_>, _: Ix, n: Ix, _: Ix) {
    tx.set(n, state::DIRTY, false);
    tx.set(n, state::CLEAN, true);
}

/// In reach.
pub(super) fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_reach(c, n)?;
    Ok(Pass::YES)
}
