//! Pulling the plug (Evolving Graph §4 PLUGOUT); it succeeds on a running device with a code-4 note, as published.

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::facts::need_own_plug;
use crate::sim::virtualhome::strict::hold::need_plug;
use crate::sim::virtualhome::words::state;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Pull the plug of a device.
pub(super) const PLUGOUT: ActionDef = ActionDef {
    name: "PLUGOUT",
    arity: 1,
    doc: "Pull the plug of a device.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects,
    },
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_own_plug(c, n, state::PLUGGED_IN, "{0} is not plugged_in")?;
    let running = c.graph.states(n).has(state::ON);
    let note = || {
        Refusal::new(
            Kind::AlreadySo,
            Pre::NotState(n, state::ON),
            "{0} is still on",
            [n, Ix::NONE],
        )
    };
    Ok(Pass {
        note: running.then(note),
        idle: false,
    })
}

fn effects(tx: &mut Tx<'_>, _: Ix, n: Ix, _: Ix) {
    tx.set(n, state::PLUGGED_IN, false);
    tx.set(n, state::PLUGGED_OUT, true);
}

/// In reach, a hand free, and not plugged out already; that it runs stops nobody and is no fault of the step.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_plug(
        c,
        n,
        (state::PLUGGED_OUT, state::PLUGGED_IN),
        "{0} is not plugged_in",
    )?;
    Ok(Pass::YES)
}
