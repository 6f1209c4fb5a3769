//! What people would think of an action: whether a refusal is worth telling, whether it is final, what is odd.

use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::timeline::Timeline;
use crate::sim::virtualhome::words::prop;
use crate::sim::vocab::{Ix, Prop, Props};
use crate::sim::world::{Action, World};

use super::scope::targets;

/// Whether a refusal deserves a row although nobody asked about the thing. What never fits or is so already does not,
/// nor what is out of reach; what only lacks that the thing is in hand, worn or faced does where the action was named.
pub(super) fn is_worth_telling(refusal: &Refusal, within: bool, named: bool) -> bool {
    let trivial = matches!(
        refusal.pre,
        Pre::Holding(_)
            | Pre::HoldingAny
            | Pre::HoldingKnife
            | Pre::Worn(_)
            | Pre::Facing(_)
            | Pre::Resting
    );
    within && !is_hopeless(refusal) && (named || !trivial)
}

/// Whether no step now would make it possible.
pub(super) const fn is_hopeless(refusal: &Refusal) -> bool {
    matches!(
        refusal.kind,
        Kind::Affordance | Kind::AlreadySo | Kind::Crash | Kind::Hang | Kind::Uncoded
    )
}

/// Whether an action that is refused for distance would fit the thing at all: asked again after a walk there.
pub(super) fn fits_from_near(timeline: &mut Timeline, action: Action, refusal: &Refusal) -> bool {
    let Pre::Close(there) = refusal.pre else {
        return true;
    };
    let world = timeline.world_mut();
    let Some((verb, _)) = world.dialect().action("WALK") else {
        return true;
    };
    let walk = Action {
        verb,
        a: there,
        b: Ix::NONE,
    };
    let again = world.preview(walk, |world, _| world.check(action).err());
    !matches!(again, Ok(Some(r)) if is_hopeless(&r))
}

/// What carries a thing, and what holds one.
const CARRIES: [Prop; 4] = [
    prop::SURFACES,
    prop::SITTABLE,
    prop::LIEABLE,
    prop::CONTAINERS,
];
const HOLDS: [Prop; 3] = [prop::CONTAINERS, prop::CAN_OPEN, prop::RECIPIENT];

/// Categories of what a house is made of.
const BUILDING: [&str; 5] = ["Floors", "Floor", "Walls", "Ceiling", "Windows"];

/// Whether people would hardly think of it although the published code allows it: walking to a wall, putting a thing
/// onto what carries nothing.
pub(super) fn is_odd(world: &World, action: Action) -> bool {
    let props = |ix: Ix| world.graph().hot(ix).props;
    let fits = |any: &[Prop]| any.iter().any(|&p| props(action.b).has(p));
    match world.def(action).name {
        "PUTBACK" => !fits(&CARRIES),
        "PUTIN" => !fits(&HOLDS),
        _ => targets(action).any(|t| {
            let building = |c: &str| BUILDING.contains(&c);
            let plain = props(t) == Props::EMPTY && !world.graph().hot(t).room;
            plain
                || world
                    .scene()
                    .node(t)
                    .category
                    .as_deref()
                    .is_some_and(building)
        }),
    }
}
