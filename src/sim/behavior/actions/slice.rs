//! Cutting into two parts (Evolving Graph for BEHAVIOR, §4 SLICE).

use crate::sim::behavior::actions::{action, but};
use crate::sim::behavior::facts::{has_key, held, need_change, need_object, need_reach, refuse};
use crate::sim::behavior::forest;
use crate::sim::behavior::plain;
use crate::sim::behavior::strict;
use crate::sim::behavior::words::{DIALECT, prop, rel, state};
use crate::sim::graph::{Graph, Tx};
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::{Ix, Rel, State};
use crate::sim::world::{ActionDef, Ctx, Pass};

/// Cut a thing into its parts.
pub(super) const SLICE: ActionDef =
    action("SLICE", 1, "Cut a thing into its parts.", check, effects);

/// The parts of a thing, in the order of the scene.
pub fn parts(g: &Graph, x: Ix) -> Vec<Ix> {
    let mut all: Vec<Ix> = g.sources(x, rel::PART_OF).collect();
    all.sort_unstable();
    all
}

fn allowed(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    let g = c.graph;
    if !held(g, c.me).any(|tool| g.hot(tool).props.has(prop::SLICER)) {
        return Err(refuse(
            Kind::MissingStep,
            Pre::Tool("knife"),
            "No slicer in inventory (SLICE)",
            x,
        ));
    }
    need_change(c, x, state::SLICED, true)?;
    need_reach(c, x)?;
    if strict::on(g) {
        strict::need_laid(c, x)?;
    }
    Ok(())
}

fn check(c: &Ctx<'_>, x: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_object(c, x)?;
    allowed(c, x).map_err(|r| r.checked_again(|c, x, _| allowed(c, x).is_ok()))?;
    Ok(but(failure(c.graph, x)))
}

/// What goes wrong when the parts take the place of the whole.
fn failure(g: &Graph, x: Ix) -> Option<Refusal> {
    let (_, up) = forest::parent(g, x)?;
    let parts = parts(g, x);
    if parts.is_empty() {
        return None;
    }
    let lost = parts.iter().chain([&x]).find(|&&n| forest::is_lost(g, n));
    if let Some(&lost) = lost {
        return Some(Refusal::crash("KeyError", Pre::Implemented, lost));
    }
    let circle = |&part: &Ix| up == part || forest::above(g, up).any(|(_, n)| n == part);
    parts.iter().any(circle).then(|| forest::circle(x))
}

fn effects(tx: &mut Tx<'_>, _: Ix, x: Ix, _: Ix) {
    tx.set(x, state::SLICED, true);
    let parts = parts(tx.graph(), x);
    if parts.is_empty() {
        return;
    }
    let states = tx.graph().states(x);
    for &part in &parts {
        for s in (0..DIALECT.published_states).map(State) {
            if has_key(tx.graph(), x, s) {
                tx.set(part, s, states.has(s));
            }
        }
    }
    hand_over(tx, x, &parts);
    let place = forest::parent(tx.graph(), x);
    if strict::on(tx.graph()) {
        spill(tx, x, place);
    }
    let Some(place) = place else {
        return;
    };
    for &part in &parts {
        if !forest::shift(tx, part, Some(place)) {
            return;
        }
    }
    forest::shift(tx, x, None);
}

/// The plain edges of the whole become those of each part.
fn hand_over(tx: &mut Tx<'_>, x: Ix, parts: &[Ix]) {
    let g = tx.graph();
    let edges = |outgoing: bool| -> Vec<(Rel, Ix)> {
        let one = |l: Rel| -> Vec<Ix> {
            if outgoing {
                g.targets(x, l).collect()
            } else {
                g.sources(x, l).collect()
            }
        };
        plain::LABELS
            .iter()
            .flat_map(|l| one(l).into_iter().map(move |n| (l, n)))
            .collect()
    };
    let (out, into) = (edges(true), edges(false));
    tx.clear_all(x, plain::LABELS);
    for &part in parts {
        for &(label, to) in &out {
            plain::write(tx, part, label, to);
        }
        for &(label, from) in &into {
            plain::write(tx, from, label, part);
        }
    }
}

/// What was on or in the whole stays where that was.
fn spill(tx: &mut Tx<'_>, x: Ix, place: Option<(Rel, Ix)>) {
    let load: Vec<Ix> = forest::children(tx.graph(), x).collect();
    for thing in load {
        match place {
            Some(place) => strict::put(tx, thing, place),
            None => strict::fall(tx, thing),
        }
    }
}
