//! Opening (Evolving Graph for BEHAVIOR, §4 OPEN).

use crate::sim::behavior::actions::action;
use crate::sim::behavior::facts::{need_change, need_object, need_reach, refuse};
use crate::sim::behavior::words::state;
use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Open a thing.
pub(super) const OPEN: ActionDef = action("OPEN", 1, "Open a thing.", check, effects);

fn allowed(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    need_change(c, x, state::OPEN, true)?;
    need_reach(c, x)?;
    if c.graph.states(x).has(state::TOGGLED_ON) {
        return Err(refuse(
            Kind::MissingStep,
            Pre::NotState(x, state::TOGGLED_ON),
            "Object is toggled on, cannot open (OPEN)",
            x,
        ));
    }
    Ok(())
}

fn check(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_object(c, x)?;
    allowed(c, x).map_err(|r| r.checked_again(|c, x, _| allowed(c, x).is_ok()))?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, _: Ix, x: Ix, _: Ix) {
    tx.set(x, state::OPEN, true);
}
