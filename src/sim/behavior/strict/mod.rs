//! Profile `strict`: the holes of the published graph that matter for safety, closed. What each of them is, is told by
//! [`DIFFERENCES`]; here are the facts of nature that the published code leaves out.

use crate::sim::behavior::facts::{has_key, in_hand, is_floor, refuse};
use crate::sim::behavior::forest::{self, above};
use crate::sim::behavior::plain;
use crate::sim::behavior::words::{prop, rel, state};
use crate::sim::graph::{Graph, Tx};
use crate::sim::reading;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::{Ix, Profile, Rel};
use crate::sim::world::Ctx;

mod differences;

pub use differences::DIFFERENCES;

/// Whether the holes are closed.
pub fn on(g: &Graph) -> bool {
    g.base().profile == Profile::Strict
}

/// What heats what is on or in it.
const HEAT: &[&str] = &[
    "stove",
    "oven",
    "microwave",
    "burner",
    "grill",
    "hot_plate",
    "toaster",
];

/// What heats only what stands on it in a vessel.
const FLAMES: &[&str] = &["stove", "burner", "hot_plate"];

/// What keeps things below freezing.
const COLD: &[&str] = &["fridge", "refrigerator", "freezer"];

fn is_one(g: &Graph, x: Ix, classes: &[&str]) -> bool {
    let class = g.class(x);
    classes.iter().any(|word| class.contains(word))
}

/// Whether a machine heats what is on or in it.
pub fn heats(g: &Graph, x: Ix) -> bool {
    is_one(g, x, HEAT)
}

/// Whether it heats only what stands on it in a vessel.
pub fn is_flame(g: &Graph, x: Ix) -> bool {
    is_one(g, x, FLAMES)
}

/// What food is cooked in.
pub fn is_cookware(g: &Graph, x: Ix) -> bool {
    is_one(
        g,
        x,
        &["pan", "pot", "casserole", "kettle", "skillet", "wok"],
    )
}

/// Whether a thing stands where this machine heats it once it is on.
pub fn would_heat(g: &Graph, x: Ix, machine: Ix) -> bool {
    above(g, x)
        .position(|(_, up)| up == machine)
        .is_some_and(|height| height > 0 || !is_flame(g, machine))
}

/// Whether heat reaches a thing: from a machine that is on, through a vessel where there is a flame.
pub fn is_heated(g: &Graph, x: Ix) -> bool {
    let runs = |n: Ix| g.states(n).has(state::TOGGLED_ON) || !has_key(g, n, state::TOGGLED_ON);
    above(g, x).enumerate().any(|(height, (_, up))| {
        is_one(g, up, HEAT) && runs(up) && (height > 0 || !is_one(g, up, FLAMES))
    })
}

/// Whether a thing is kept cold.
pub fn is_cooled(g: &Graph, x: Ix) -> bool {
    above(g, x).any(|(kind, up)| kind == rel::INSIDE && is_one(g, up, COLD))
}

/// Whether this is a part of a thing that nobody has cut up yet.
pub fn is_uncut(g: &Graph, x: Ix) -> bool {
    g.hot(x).props.has(prop::PART)
        && g.targets(x, rel::PART_OF)
            .any(|whole| !g.states(whole).has(state::SLICED))
}

/// A part is there once the thing is cut up; a thing that was is gone.
pub fn need_there(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    if c.profile == Profile::Eai || !is_uncut(c.graph, x) {
        return Ok(());
    }
    let whole = c.graph.first_target(x, rel::PART_OF).unwrap_or(x);
    Err(refuse(
        Kind::MissingStep,
        Pre::State(whole, state::SLICED),
        "{0} is still whole",
        whole,
    ))
}

/// The floor under the agent: that of its room, else the first of the scene.
pub fn floor(g: &Graph) -> Option<Ix> {
    let here = g.base().agent.and_then(|me| reading::room(g, me));
    let floors = || g.scene().indices().filter(|&ix| is_floor(g, ix));
    floors()
        .find(|&f| here.is_some() && reading::room(g, f) == here)
        .or_else(|| floors().next())
}

/// Something falls to the floor.
pub fn fall(tx: &mut Tx<'_>, x: Ix) {
    forest::shift(tx, x, None);
    if let Some(floor) = floor(tx.graph()) {
        plain::write(tx, x, rel::ONFLOOR, floor);
    }
}

/// Puts a thing on or into another, or onto a floor.
pub fn put(tx: &mut Tx<'_>, x: Ix, (kind, to): (Rel, Ix)) {
    if is_floor(tx.graph(), to) {
        forest::shift(tx, x, None);
        plain::write(tx, x, rel::ONFLOOR, to);
    } else {
        forest::shift(tx, x, Some((kind, to)));
    }
}

/// A floor has no inside.
pub fn need_inside(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    if !is_floor(c.graph, x) {
        return Ok(());
    }
    Err(refuse(
        Kind::Affordance,
        Pre::Fit(x),
        "{0} has no inside",
        x,
    ))
}

/// What is to be cut lies somewhere: nobody cuts in the hand.
pub fn need_laid(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    let held = [0, 1]
        .into_iter()
        .any(|hand| in_hand(c.graph, c.me, hand) == Some(x));
    if !held {
        return Ok(());
    }
    Err(refuse(
        Kind::MissingStep,
        Pre::NotWithYou(x),
        "{0} is in the hand",
        x,
    ))
}
