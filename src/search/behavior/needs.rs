//! What each action needs.

use super::fits::{changes, fits};
use super::state::{
    COLD, DUSTING, HAND, HEAT, KNIFE, LEFT_FITS, LEFT_FREE, LEFT_LADEN, LEFT_LOADED, REACHABLE,
    RIGHT_FITS, RIGHT_FREE, RIGHT_LADEN, RIGHT_LOADED, UNHELD, WARM, WASHING, WATER, mine, own,
};
use super::verbs as v;
use crate::search::need::Need;
use crate::search::table::View;
use crate::sim::behavior::facts::{hand, has_key, is_floor};
use crate::sim::behavior::forest::{is_lost, obstacle, rides};
use crate::sim::behavior::strict;
use crate::sim::behavior::words::state;
use crate::sim::vocab::{Ix, State};
use crate::sim::world::Action;

/// Adds what an action needs; `false` if it can never be allowed again.
pub(super) fn needs(view: &View<'_>, action: Action, out: &mut Vec<Need>) -> bool {
    let world = view.world;
    if !fits(world, action) {
        return false;
    }
    let (g, me) = (world.graph(), world.me());
    let Action { verb, a, b } = action;
    if let Some(change) = changes(verb) {
        change_needs(view, action, change, out);
        return true;
    }
    let Some(number) = v::hand(verb) else {
        // Cleaning: one kind of dirt that comes off is enough.
        out.push(own(REACHABLE, a));
        if g.states(a).has(state::STAINED) {
            out.push(own(WASHING, a));
        } else {
            out.push(own(DUSTING, a));
        }
        return g.states(a).has(state::STAINED) || g.states(a).has(state::DUSTY);
    };
    out.push(own(REACHABLE, a));
    match verb {
        v::RIGHT_GRASP | v::LEFT_GRASP => {
            out.push(own(UNHELD, a));
            out.push(mine([RIGHT_FREE, LEFT_FREE][number]));
            !is_lost(g, a)
        }
        v::RIGHT_RELEASE | v::LEFT_RELEASE => {
            out.push(Need::Edge(me, hand(number), a));
            true
        }
        v::RIGHT_TRANSFER_CONTENTS_INSIDE
        | v::LEFT_TRANSFER_CONTENTS_INSIDE
        | v::RIGHT_TRANSFER_CONTENTS_ONTOP
        | v::LEFT_TRANSFER_CONTENTS_ONTOP => {
            out.push(own([RIGHT_LADEN, LEFT_LADEN][number], a));
            let inside = v::POUR_INSIDE.contains(&verb);
            if inside && has_key(g, a, state::OPEN) {
                out.push(Need::State(a, state::OPEN));
            }
            // As published it breaks off after the first thing.
            strict::on(g) && !(inside && is_floor(g, a)) && lands(view, number, a)
        }
        _ => {
            let inside = v::INSIDE.contains(&verb);
            let kinds = if inside {
                [RIGHT_FITS, LEFT_FITS]
            } else {
                [RIGHT_LOADED, LEFT_LOADED]
            };
            out.push(own(kinds[number], a));
            if b.is_some() {
                out.push(own(REACHABLE, b));
            }
            if inside && has_key(g, a, state::OPEN) {
                out.push(Need::State(a, state::OPEN));
            }
            lands(view, number, a) && (!b.is_some() || lands(view, number, b))
        }
    }
}

/// Whether what the hand holds now could come to be there.
fn lands(view: &View<'_>, number: usize, to: Ix) -> bool {
    let (g, me) = (view.world.graph(), view.world.me());
    g.targets(me, hand(number))
        .all(|load| is_floor(g, to) || !rides(g, to, load) && obstacle(g, load, Some(to)).is_none())
}

/// What an action needs that gives or takes a state.
fn change_needs(view: &View<'_>, action: Action, (wanted, on): (State, bool), out: &mut Vec<Need>) {
    let g = view.world.graph();
    let Action { verb, a, .. } = action;
    out.push(mine(HAND));
    out.push(if on {
        Need::Lacks(a, wanted)
    } else {
        Need::State(a, wanted)
    });
    // What cooks behind a shut door need not be reached.
    if !(verb == v::COOK && strict::on(g) && strict::is_heated(g, a)) {
        out.push(own(REACHABLE, a));
    }
    match verb {
        v::OPEN => out.push(Need::Lacks(a, state::TOGGLED_ON)),
        v::TOGGLE_ON => out.push(Need::Lacks(a, state::OPEN)),
        v::COOK => out.push(own(HEAT, a)),
        v::SOAK => out.push(own(WATER, a)),
        v::FREEZE => out.push(own(COLD, a)),
        v::UNFREEZE => out.push(own(WARM, a)),
        v::SLICE => {
            out.push(mine(KNIFE));
            if strict::on(g) {
                out.push(own(UNHELD, a));
            }
        }
        _ => {}
    }
}
