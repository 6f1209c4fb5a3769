//! RED knows the plan: its steps, its objects, and the world it will meet.

use std::collections::BTreeSet;

use super::{Draw, Level, Mind};
use crate::arena::house::model::{Disturbance, Moment};
use crate::sim::vocab::Ix;

pub(super) const LEVEL: Level = Level {
    id: "plan",
    doc: "knows the plan too: strikes before a step at what the next steps are about, in the world the plan will have made",
    more,
};

/// How many steps ahead it looks for objects.
const AHEAD: usize = 6;

fn more(mind: &mut Mind<'_>, so_far: &[Disturbance], draw: &mut Draw) -> Option<Disturbance> {
    explore(mind, so_far, AHEAD, draw)
}

/// Something to do at what the next steps are about. The plan is known as it goes when nothing happens: what comes of a
/// disturbance has to be simulated, and that is what the budget counts.
pub(super) fn explore(
    mind: &mut Mind<'_>,
    so_far: &[Disturbance],
    ahead: usize,
    draw: &mut Draw,
) -> Option<Disturbance> {
    let first = draw.below(mind.steps.max(1));
    let steps = mind.steps.max(1);
    // Where nothing can be done, the next step's moment is taken.
    for moment in (first..steps).chain(0..first) {
        let focus = about(mind, moment, ahead);
        let mut seen = mind.seen(moment, &focus);
        let scene = &mind.ground.setup().scene;
        for all in &mut seen {
            all.retain(|p| !so_far.iter().any(|d| d.facts == p.facts(scene)));
        }
        if let Some(it) = Mind::pick(&seen, draw) {
            return Some(it.at(scene, Moment::after(moment)));
        }
    }
    None
}

/// What the next steps of the plan are about.
fn about(mind: &Mind<'_>, moment: u32, ahead: usize) -> BTreeSet<Ix> {
    let me = mind.ground.world().me();
    let next = mind.way.iter().skip(moment as usize).take(ahead);
    let nodes = next.flat_map(|a| [a.a, a.b]);
    nodes.filter(|n| n.is_some() && *n != me).collect()
}
