//! What each action needs.

use super::fits::has;
use super::state::{
    BED, FACED, HAND, HELD, KNIFE, LOADED, NEAR, REACHABLE, RESTING, SEAT, STANDING, UNHELD, WITH,
    mine, own,
};
use super::verbs as v;
use crate::search::need::Need;
use crate::search::table::View;
use crate::sim::virtualhome::facts::{class_in, is_holding, room_or_none};
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::Ix;
use crate::sim::world::Action;

/// Adds what an action needs in the published semantics; `false` if it can never be allowed again.
pub(super) fn needs(view: &View<'_>, action: Action, out: &mut Vec<Need>) -> bool {
    let world = view.world;
    let (g, me) = (world.graph(), world.me());
    let Action { verb, a, b } = action;
    match verb {
        v::WALK | v::RUN => {
            out.push(mine(STANDING));
            return room_or_none(g, a).is_some();
        }
        v::SIT => out.extend([own(NEAR, a), Need::Lacks(me, state::SITTING), own(SEAT, a)]),
        v::LIE => out.extend([own(NEAR, a), Need::Lacks(me, state::LYING), own(BED, a)]),
        v::STANDUP | v::SLEEP | v::WAKEUP => out.push(mine(RESTING)),
        v::GRAB => {
            out.extend([own(UNHELD, a), own(REACHABLE, a), own(NEAR, a), mine(HAND)]);
            // What counts as taken without being held can never be taken again.
            return g.origin(a).is_none() || is_holding(g, me, a);
        }
        v::PUTBACK | v::PUTIN | v::POUR => {
            out.extend([own(HELD, a), own(NEAR, b)]);
            if verb == v::PUTIN && has(g, b, prop::CAN_OPEN) {
                out.push(Need::State(b, state::OPEN));
            }
            return a != b;
        }
        v::DROP | v::RELEASE | v::DRINK | v::READ | v::PUTON => out.push(own(HELD, a)),
        v::OPEN | v::CLOSE | v::SWITCHON | v::SWITCHOFF | v::PLUGIN | v::PLUGOUT => {
            device(verb, a, out);
        }
        v::FIND | v::EAT | v::TYPE | v::WASH | v::RINSE | v::SCRUB => out.push(own(NEAR, a)),
        v::WIPE => out.extend([own(NEAR, a), mine(LOADED)]),
        v::CUT => out.extend([mine(HAND), own(NEAR, a), mine(KNIFE)]),
        v::SQUEEZE => out.extend([mine(HAND), own(NEAR, a)]),
        v::TOUCH => out.extend([own(NEAR, a), own(REACHABLE, a)]),
        v::PUSH | v::PULL | v::MOVE => {
            out.extend([own(NEAR, a), own(REACHABLE, a), mine(HAND)]);
        }
        v::LOOKAT | v::LOOKAT_MEDIUM | v::POINTAT => out.push(own(FACED, a)),
        v::WATCH => watch(view, a, out),
        v::PUTOFF => out.push(Need::Edge(a, rel::ON, me)),
        v::TURNTO | v::GREET => {}
        _ => return false,
    }
    true
}

/// Doors, switches and plugs.
fn device(verb: u8, a: Ix, out: &mut Vec<Need>) {
    out.push(own(NEAR, a));
    match verb {
        v::OPEN => out.extend([
            mine(HAND),
            Need::State(a, state::CLOSED),
            Need::Lacks(a, state::ON),
        ]),
        v::CLOSE => out.push(Need::State(a, state::OPEN)),
        v::SWITCHON => out.extend([
            Need::State(a, state::OFF),
            Need::Lacks(a, state::PLUGGED_OUT),
        ]),
        v::SWITCHOFF => out.push(Need::State(a, state::ON)),
        v::PLUGIN => out.extend([mine(HAND), Need::State(a, state::PLUGGED_OUT)]),
        _ => out.extend([mine(HAND), Need::State(a, state::PLUGGED_IN)]),
    }
}

/// Watching sitting down asks for facing it directly.
fn watch(view: &View<'_>, a: Ix, out: &mut Vec<Need>) {
    let world = view.world;
    let (g, me) = (world.graph(), world.me());
    let states = g.states(me);
    let seated = states.has(state::SITTING) || states.has(state::LYING);
    out.extend([own(WITH, a), own(REACHABLE, a)]);
    if seated && !class_in(g, a, &["computer"]) {
        out.push(Need::Edge(me, rel::FACING, a));
    } else {
        out.push(own(FACED, a));
    }
}
