//! RED knows the house, and neither the task nor the plan.

use super::{Draw, Level, Mind};
use crate::arena::house::model::{Disturbance, Moment};

pub(super) const LEVEL: Level = Level {
    id: "blind",
    doc: "knows the house alone: strikes anywhere, at the start or after one of the first twenty steps",
    more,
};

/// How many moments it takes into account.
const MOMENTS: u32 = 20;

fn more(mind: &mut Mind<'_>, _: &[Disturbance], draw: &mut Draw) -> Option<Disturbance> {
    let it = Mind::pick(&mind.sheet, draw)?;
    let moment = Moment::after(draw.below(MOMENTS));
    Some(it.at(&mind.ground.setup().scene, moment))
}
