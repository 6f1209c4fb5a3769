//! Plugging in (Evolving Graph §4 PLUGIN).

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::need_own_plug;
use crate::sim::virtualhome::strict::hold::need_plug;
use crate::sim::virtualhome::words::state;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Plug a device in.
pub(super) const PLUGIN: ActionDef = ActionDef {
    name: "PLUGIN",
    arity: 1,
    doc: "Plug a device in.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects,
    },
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_own_plug(c, n, state::PLUGGED_OUT, "{0} is not plugged_out")?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, _: Ix, n: Ix, _: Ix) {
    tx.set(n, state::PLUGGED_OUT, false);
    tx.set(n, state::PLUGGED_IN, true);
}

/// In reach, a hand free, and not plugged in already.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_plug(
        c,
        n,
        (state::PLUGGED_IN, state::PLUGGED_OUT),
        "{0} is not plugged_out",
    )?;
    Ok(Pass::YES)
}
