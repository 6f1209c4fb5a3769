//! What people would think of an action: whether a refusal is worth telling, whether it is final.

use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::timeline::Timeline;
use crate::sim::vocab::Ix;
use crate::sim::world::Action;

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
    let dialect = world.dialect();
    let Some((verb, _)) = dialect
        .reading
        .approach
        .and_then(|name| dialect.action(name))
    else {
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
