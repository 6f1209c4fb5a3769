//! Switching on (Evolving Graph for BEHAVIOR, §4 `TOGGLE_ON`).

use crate::sim::behavior::actions::action;
use crate::sim::behavior::facts::{is_named, need_change, need_object, need_reach, refuse};
use crate::sim::behavior::words::state;
use crate::sim::behavior::{forest, strict};
use crate::sim::graph::{Graph, Tx};
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Switch a thing on.
pub(super) const TOGGLE_ON: ActionDef =
    action("TOGGLE_ON", 1, "Switch a thing on.", check, effects);

fn allowed(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    need_change(c, x, state::TOGGLED_ON, true)?;
    need_reach(c, x)?;
    if c.graph.states(x).has(state::OPEN) {
        return Err(refuse(
            Kind::MissingStep,
            Pre::NotState(x, state::OPEN),
            "Object is open, close first to toggle on (TOGGLE_ON)",
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
    tx.set(x, state::TOGGLED_ON, true);
    if is_named(tx.graph(), x, "dishwasher") {
        let load = load(tx.graph(), x);
        for dish in load {
            tx.set(dish, state::DUSTY, false);
            tx.set(dish, state::STAINED, false);
        }
    }
}

/// What gets clean in a dishwasher: as published what is directly in it.
fn load(g: &Graph, x: Ix) -> Vec<Ix> {
    if !strict::on(g) {
        return forest::children(g, x).collect();
    }
    let inside = |&n: &Ix| forest::above(g, n).any(|(_, up)| up == x);
    g.scene().indices().filter(inside).collect()
}
