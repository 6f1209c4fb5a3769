//! RED knows how many actions the plan has, as the published one does.

use super::{Draw, Level, Mind};
use crate::arena::house::model::{Disturbance, Moment};

pub(super) const LEVEL: Level = Level {
    id: "count",
    doc: "knows the house and how many actions the plan has: strikes anywhere before one of them",
    more,
};

fn more(mind: &mut Mind<'_>, _: &[Disturbance], draw: &mut Draw) -> Option<Disturbance> {
    let it = Mind::pick(&mind.sheet, draw)?;
    let moment = Moment::after(draw.below(mind.actions.max(1)));
    Some(it.at(&mind.ground.setup().scene, moment))
}
