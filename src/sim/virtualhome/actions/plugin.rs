//! Plugging in (Evolving Graph §4 PLUGIN).

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::{need_close, need_hand, need_prop, need_state};
use crate::sim::virtualhome::words::{prop, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Plug a device in.
pub(super) const PLUGIN: ActionDef = ActionDef {
    name: "PLUGIN",
    arity: 1,
    doc: "Plug a device in.",
    unknown: Unknown::Coded,
    check,
    effects,
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_prop(c, n, prop::HAS_PLUG, "{0} does not have a plug")?;
    need_close(c, n)?;
    need_hand(c)?;
    need_state(c, n, state::PLUGGED_OUT, "{0} is not plugged_out")?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, _: Ix, n: Ix, _: Ix) {
    tx.set(n, state::PLUGGED_OUT, false);
    tx.set(n, state::PLUGGED_IN, true);
}
