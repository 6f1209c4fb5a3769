//! What can be done with what at all, whatever is done before.

use super::verbs as v;
use crate::sim::behavior::facts::{has_key, is_floor, volume};
use crate::sim::behavior::words::{DIALECT, prop, state};
use crate::sim::graph::Graph;
use crate::sim::vocab::{Ix, State};
use crate::sim::world::{Action, World};

/// Whether the targets have what the action asks of them. A missing second target is left out of account.
pub(super) fn fits(world: &World, action: Action) -> bool {
    let g = world.graph();
    let Action { verb, a, b } = action;
    let object = |n: Ix| n.is_some() && n != world.me() && !g.hot(n).room;
    if !object(a) || (b.is_some() && !object(b)) {
        return false;
    }
    match verb {
        v::RIGHT_GRASP | v::LEFT_GRASP | v::RIGHT_RELEASE | v::LEFT_RELEASE => graspable(g, a),
        v::RIGHT_PLACE_INSIDE | v::LEFT_PLACE_INSIDE => {
            !is_floor(g, a) && !g.hot(a).props.has(prop::PART)
        }
        v::CLEAN => has_key(g, a, state::DUSTY) || has_key(g, a, state::STAINED),
        _ => changes(verb).is_none_or(|(s, _)| has_key(g, a, s)),
    }
}

/// Whether a thing can be taken in a hand at all.
pub(super) fn graspable(g: &Graph, n: Ix) -> bool {
    /// The largest thing a hand takes (Evolving Graph for BEHAVIOR, §4 GRASP), in cubic metres.
    const LARGEST: f64 = 1.5;
    !is_floor(g, n) && volume(g, n) <= LARGEST
}

/// The state an action gives or takes away.
pub(super) fn changes(verb: u8) -> Option<(State, bool)> {
    Some(match verb {
        v::OPEN => (state::OPEN, true),
        v::CLOSE => (state::OPEN, false),
        v::COOK => (state::COOKED, true),
        v::FREEZE => (state::FROZEN, true),
        v::UNFREEZE => (state::FROZEN, false),
        v::SLICE => (state::SLICED, true),
        v::SOAK => (state::SOAKED, true),
        v::DRY => (state::SOAKED, false),
        v::TOGGLE_ON => (state::TOGGLED_ON, true),
        v::TOGGLE_OFF => (state::TOGGLED_ON, false),
        _ => return None,
    })
}

/// The action that gives a node a state or takes it away.
pub(super) fn changer(wanted: State, on: bool) -> Option<u8> {
    (0..DIALECT.actions.len() as u8).find(|&verb| changes(verb) == Some((wanted, on)))
}
