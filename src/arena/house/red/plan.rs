//! RED knows the plan: its steps, its objects, and the world it will meet.

use std::collections::BTreeSet;

use super::{Draw, Level, Mind, sheet};
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
    let moment = draw.below(mind.steps.max(1));
    let bound = mind.bound(so_far)?;
    let (half, program) = (mind.settings.half, mind.program);
    let focus = ahead(mind, so_far, moment)?;
    let setup = mind.ground.setup().clone();
    let sheet = mind.ground.at(program, &bound, moment, |at| {
        sheet(&setup.book, at, half, Some(&focus))
    })?;
    let it = Mind::pick(&sheet, draw)?;
    Some(it.at(&setup.scene, Moment::after(moment)))
}

/// What the next steps of the plan are about.
pub(super) fn ahead(
    mind: &mut Mind<'_>,
    so_far: &[Disturbance],
    moment: u32,
) -> Option<BTreeSet<Ix>> {
    let bound = mind.bound(so_far)?;
    let done = mind.ground.done(mind.program, &bound);
    let me = mind.ground.world().me();
    let next = done.iter().skip(moment as usize).take(AHEAD);
    let nodes = next.flat_map(|a| [a.a, a.b]);
    Some(nodes.filter(|n| n.is_some() && *n != me).collect())
}
