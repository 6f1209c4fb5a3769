//! Freezing, which needs no cold as published (Evolving Graph for BEHAVIOR, §4 FREEZE).

use crate::sim::behavior::actions::action;
use crate::sim::behavior::facts::{need_change, need_object, need_reach, refuse};
use crate::sim::behavior::strict;
use crate::sim::behavior::words::state;
use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Freeze a thing.
pub(super) const FREEZE: ActionDef = action("FREEZE", 1, "Freeze a thing.", check, effects);

fn allowed(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    need_change(c, x, state::FROZEN, true)?;
    need_reach(c, x)?;
    if strict::on(c.graph) && !strict::is_cooled(c.graph, x) {
        return Err(refuse(
            Kind::MissingStep,
            Pre::Within(x, "a fridge or freezer"),
            "{0} is not kept cold",
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
    tx.set(x, state::FROZEN, true);
}
