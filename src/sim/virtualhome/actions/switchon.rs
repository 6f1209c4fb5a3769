//! Switching on (Evolving Graph §4 SWITCHON); an open device may be switched on.

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::actions::open::INTERLOCKED;
use crate::sim::virtualhome::facts::{class_in, need_close, need_prop, need_state};
use crate::sim::virtualhome::strict::reach::{need_not_yet, need_reach, need_without};
use crate::sim::virtualhome::words::{prop, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Switch a device on.
pub(super) const SWITCHON: ActionDef = ActionDef {
    name: "SWITCHON",
    arity: 1,
    doc: "Switch a device on.",
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

/// In reach, not on already, under current, and closed if it has an interlock.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_prop(c, n, prop::HAS_SWITCH, "{0} does not have a switch")?;
    need_not_yet(c, n, (state::ON, state::OFF), "{0} is not off")?;
    need_reach(c, n)?;
    need_without(c, n, state::PLUGGED_OUT, "{0} is unplugged")?;
    if class_in(c.graph, n, INTERLOCKED) {
        need_without(c, n, state::OPEN, "{0} is still open")?;
    }
    Ok(Pass::YES)
}
