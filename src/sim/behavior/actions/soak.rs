//! Soaking in a sink or a teapot (Evolving Graph for BEHAVIOR, §4 SOAK).

use crate::sim::behavior::actions::action;
use crate::sim::behavior::facts::{
    has_key, is_under, need_change, need_object, need_reach, refuse,
};
use crate::sim::behavior::words::state;
use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Soak a thing.
pub(super) const SOAK: ActionDef = action("SOAK", 1, "Soak a thing.", check, effects);

fn allowed(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    need_change(c, x, state::SOAKED, true)?;
    need_reach(c, x)?;
    let g = c.graph;
    let runs = |n: Ix| g.states(n).has(state::TOGGLED_ON) || !has_key(g, n, state::TOGGLED_ON);
    if is_under(g, x, &["sink", "teapot"], runs) {
        return Ok(());
    }
    Err(refuse(
        Kind::MissingStep,
        Pre::Within(x, "a running sink or a teapot"),
        "Object not in toggled on sink or in a teapot(SOAK)",
        x,
    ))
}

fn check(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_object(c, x)?;
    allowed(c, x).map_err(|r| r.checked_again(|c, x, _| allowed(c, x).is_ok()))?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, _: Ix, x: Ix, _: Ix) {
    tx.set(x, state::SOAKED, true);
}
