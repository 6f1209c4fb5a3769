//! Switching on (Evolving Graph §4 SWITCHON); an open device may be switched on.

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::facts::{need_close, need_prop, need_state};
use crate::sim::virtualhome::words::{prop, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Switch a device on.
pub(super) const SWITCHON: ActionDef = ActionDef {
    name: "SWITCHON",
    arity: 1,
    doc: "Switch a device on.",
    unknown: Unknown::Coded,
    check,
    effects,
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_prop(c, n, prop::HAS_SWITCH, "{0} does not have a switch")?;
    need_close(c, n)?;
    need_state(c, n, state::OFF, "{0} is not off")?;
    if c.graph.states(n).has(state::PLUGGED_OUT) {
        let pre = Pre::NotState(n, state::PLUGGED_OUT);
        return Err(Refusal::new(
            Kind::AlreadySo,
            pre,
            "{0} is unplugged",
            [n, Ix::NONE],
        ));
    }
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, _: Ix, n: Ix, _: Ix) {
    tx.set(n, state::OFF, false);
    tx.set(n, state::ON, true);
}
