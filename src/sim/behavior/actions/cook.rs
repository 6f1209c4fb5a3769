//! Cooking in a pan, which needs no heat as published (Evolving Graph for BEHAVIOR, §4 COOK).

use crate::sim::behavior::actions::action;
use crate::sim::behavior::facts::{is_under, need_change, need_object, need_reach, refuse};
use crate::sim::behavior::strict;
use crate::sim::behavior::words::state;
use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Cook a thing.
pub(super) const COOK: ActionDef = action("COOK", 1, "Cook a thing.", check, effects);

fn allowed(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    need_change(c, x, state::COOKED, true)?;
    // The door of the oven it cooks in is shut, and stays so.
    let cooks = strict::on(c.graph) && strict::is_heated(c.graph, x);
    if !cooks {
        need_reach(c, x)?;
    }
    if strict::on(c.graph) {
        if strict::is_heated(c.graph, x) {
            return Ok(());
        }
        return Err(refuse(
            Kind::MissingStep,
            Pre::Within(x, "something hot"),
            "{0} is not heated",
            x,
        ));
    }
    if is_under(c.graph, x, &["saucepan"], |_| true) {
        return Ok(());
    }
    Err(refuse(
        Kind::MissingStep,
        Pre::Within(x, "a saucepan"),
        "Object not in a cooker (COOK)",
        x,
    ))
}

fn check(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_object(c, x)?;
    allowed(c, x).map_err(|r| r.checked_again(|c, x, _| allowed(c, x).is_ok()))?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, _: Ix, x: Ix, _: Ix) {
    tx.set(x, state::COOKED, true);
}
