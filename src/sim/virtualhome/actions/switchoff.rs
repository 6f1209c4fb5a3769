//! Switching off (Evolving Graph §4 SWITCHOFF).

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::{need_close, need_prop, need_state};
use crate::sim::virtualhome::strict::reach::{need_not_yet, need_reach};
use crate::sim::virtualhome::words::{prop, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Switch a device off.
pub(super) const SWITCHOFF: ActionDef = ActionDef {
    name: "SWITCHOFF",
    arity: 1,
    doc: "Switch a device off.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects,
    },
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_prop(c, n, prop::HAS_SWITCH, "{0} does not have a switch")?;
    need_close(c, n)?;
    need_state(c, n, state::ON, "{0} is not on")?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, _: Ix, n: Ix, _: Ix) {
    tx.set(n, state::ON, false);
    tx.set(n, state::OFF, true);
}

/// In reach, and not off already.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_prop(c, n, prop::HAS_SWITCH, "{0} does not have a switch")?;
    need_not_yet(c, n, (state::OFF, state::ON), "{0} is not on")?;
    need_reach(c, n)?;
    Ok(Pass::YES)
}
