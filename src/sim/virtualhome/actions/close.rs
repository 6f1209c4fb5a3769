//! Closing (Evolving Graph §4 CLOSE).

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::open::openable;
use crate::sim::virtualhome::facts::{need_close, need_fit, need_state};
use crate::sim::virtualhome::strict::reach::{need_not_yet, need_reach};
use crate::sim::virtualhome::words::state;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Close an open thing.
pub(super) const CLOSE: ActionDef = ActionDef {
    name: "CLOSE",
    arity: 1,
    doc: "Close an open thing.",
    unknown: Unknown::Crash,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects,
    },
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_fit(openable(c, n), n, "{0} can not be opened")?;
    need_close(c, n)?;
    need_state(c, n, state::OPEN, "{0} is not open")?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, _: Ix, n: Ix, _: Ix) {
    tx.set(n, state::OPEN, false);
    tx.set(n, state::CLOSED, true);
}

/// In reach, and not closed already.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_fit(openable(c, n), n, "{0} can not be opened")?;
    need_not_yet(c, n, (state::CLOSED, state::OPEN), "{0} is not open")?;
    need_reach(c, n)?;
    Ok(Pass::YES)
}
