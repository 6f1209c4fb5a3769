//! Closing (Evolving Graph for BEHAVIOR, §4 CLOSE).

use crate::sim::behavior::actions::action;
use crate::sim::behavior::facts::{need_change, need_object, need_reach};
use crate::sim::behavior::words::state;
use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Close a thing.
pub(super) const CLOSE: ActionDef = action("CLOSE", 1, "Close a thing.", check, effects);

fn allowed(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    need_change(c, x, state::OPEN, false)?;
    need_reach(c, x)
}

fn check(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_object(c, x)?;
    allowed(c, x).map_err(|r| r.checked_again(|c, x, _| allowed(c, x).is_ok()))?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, _: Ix, x: Ix, _: Ix) {
    tx.set(x, state::OPEN, false);
}
