//! How this dialect's graph is read: see [`Reading`].

use crate::sim::reading::{End, Reading, Shut};
use crate::sim::virtualhome::explain::{aims, cures};
use crate::sim::virtualhome::facts::{all_close, room_or_none};
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::{Ix, Prop, Props, States};
use crate::sim::world::{Action, World};

/// The description.
pub(super) static READING: Reading = Reading {
    room: room_or_none,
    near: all_close,
    cures,
    aims,
    odd,
    posture,
    approach: Some("WALK"),
    undo: &[
        (state::CLOSED, "open it first"),
        (state::OPEN, "close it first"),
        (state::ON, "switch it off first"),
        (state::OFF, "switch it on first"),
        (state::PLUGGED_IN, "pull its plug first"),
        (state::PLUGGED_OUT, "plug it in first"),
    ],
    ends: &[
        End::out("inside", rel::INSIDE),
        End::out("on", rel::ON),
        End::into("contains", rel::INSIDE),
        End::into("carries", rel::ON),
        End::into("held by", rel::HOLDS_RH),
        End::into("held by", rel::HOLDS_LH),
        End::out("holds", rel::HOLDS_RH),
        End::out("holds", rel::HOLDS_LH),
    ],
    glances: &[rel::FACING],
    ordinary: States::of(&[state::CLEAN, state::PLUGGED_IN]),
    active: States::of(&[state::OPEN, state::ON]),
    shut: Shut::Has(state::CLOSED),
    carried: Some(prop::GRABBABLE),
    being: Some(prop::PERSON),
    view: None,
};

fn posture(world: &World) -> &'static str {
    if world.graph().states(world.me()).has(state::LYING) {
        "lying"
    } else {
        "sitting"
    }
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

/// Walking to a wall, putting a thing onto what carries nothing.
fn odd(world: &World, action: Action) -> bool {
    let props = |ix: Ix| world.graph().hot(ix).props;
    let fits = |any: &[Prop]| any.iter().any(|&p| props(action.b).has(p));
    match world.def(action).name {
        "PUTBACK" => !fits(&CARRIES),
        "PUTIN" => !fits(&HOLDS),
        _ => {
            let targets = [action.a, action.b].into_iter().filter(|t| t.is_some());
            targets.into_iter().any(|t| {
                let building = |c: &str| BUILDING.contains(&c);
                let plain = props(t) == Props::EMPTY && !world.graph().hot(t).room;
                let category = world.scene().node(t).category.as_deref();
                plain || category.is_some_and(building)
            })
        }
    }
}
