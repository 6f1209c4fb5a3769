//! How this dialect's graph is read: see [`Reading`].

use crate::sim::behavior::explain::{aims, cures};
use crate::sim::behavior::words::{prop, rel, state};
use crate::sim::behavior::{forest, plain, view};
use crate::sim::graph::Graph;
use crate::sim::reading::{End, Reading, Shut, View, held};
use crate::sim::vocab::{Ix, States};
use crate::sim::world::{Action, World};

/// The description.
pub(super) static READING: Reading = Reading {
    room,
    near: |c| vec![true; c.graph.scene().len()],
    cures,
    aims,
    odd,
    posture: |_| "standing",
    approach: None,
    undo: &[
        (state::OPEN, "close it first"),
        (state::TOGGLED_ON, "switch it off first"),
        (state::FROZEN, "thaw it first"),
        (state::SOAKED, "dry it first"),
        (state::DUSTY, "clean it first"),
        (state::STAINED, "clean it first"),
    ],
    ends: &[
        End::out("inside", rel::INSIDE),
        End::out("on", rel::ONTOP),
        End::out("on floor", rel::ONFLOOR),
        End::out("under", rel::UNDER),
        End::into("contains", rel::INSIDE),
        End::into("carries", rel::ONTOP),
        End::into("stand on it", rel::ONFLOOR),
        End::into("over", rel::UNDER),
        End::into("held by", rel::HOLDS_RH),
        End::into("held by", rel::HOLDS_LH),
        End::out("holds", rel::HOLDS_RH),
        End::out("holds", rel::HOLDS_LH),
        End::out("part of", rel::PART_OF),
        End::into("parts", rel::PART_OF),
    ],
    glances: &[],
    ordinary: States::EMPTY,
    active: States::of(&[state::OPEN, state::TOGGLED_ON]),
    shut: Shut::Lacks(prop::OPENABLE, state::OPEN),
    carried: None,
    being: None,
    view: Some(View {
        state: view::has_state,
        edge: view::holds,
    }),
};

/// How far up a thing is followed to its room.
const HIGHEST: usize = 16;

/// The room of the floor a thing stands on, at any height; of a held thing the agent's; else the one the scene names.
fn room(g: &Graph, n: Ix) -> Option<Ix> {
    let mut at = n;
    for _ in 0..HIGHEST {
        if g.hot(at).room {
            return Some(at);
        }
        if let Some(me) = g.base().agent
            && held(g, me).any(|x| x == at)
        {
            at = me;
        }
        at = match (forest::parent(g, at), plain::floor_of(g, at)) {
            (Some((_, up)), _) => up,
            (None, Some(floor)) => floor,
            (None, None) => g.targets(at, rel::INSIDE).find(|&up| g.hot(up).room)?,
        };
    }
    None
}

/// What rests on a part of a thing that is still whole, or puts a thing beside itself.
fn odd(world: &World, action: Action) -> bool {
    let g = world.graph();
    let whole = |part: Ix| {
        g.targets(part, rel::PART_OF)
            .any(|x| !g.states(x).has(state::SLICED))
    };
    [action.a, action.b]
        .into_iter()
        .filter(|t| t.is_some())
        .any(|t| g.hot(t).props.has(prop::PART) && whole(t))
}
