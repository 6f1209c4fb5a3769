//! What each action needs in the strict semantics.

use super::fits::has;
use super::state::{
    APART, BED, FACED, HAND, HELD, KNIFE, LOADED, NEAR, OFF_SEAT, PATH, REACHABLE, RESTING, SEAT,
    STANDING, UNHELD, WITH, mine, own,
};
use super::verbs as v;
use crate::search::need::Need;
use crate::search::table::View;
use crate::sim::graph::Graph;
use crate::sim::virtualhome::actions::open::INTERLOCKED;
use crate::sim::virtualhome::actions::pour::takes;
use crate::sim::virtualhome::facts::class_in;
use crate::sim::virtualhome::strict::hold::{contents, load};
use crate::sim::virtualhome::strict::reach::place;
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::Ix;
use crate::sim::world::Action;

/// Adds what an action needs; `false` if it can never be allowed again.
pub(super) fn needs(view: &View<'_>, action: Action, out: &mut Vec<Need>) -> bool {
    let world = view.world;
    let (g, me) = (world.graph(), world.me());
    let Action { verb, a, b } = action;
    match verb {
        v::WALK | v::RUN => {
            out.extend([mine(STANDING), own(APART, a), own(PATH, a)]);
            return is_somewhere(g, a);
        }
        v::FIND => out.push(own(NEAR, a)),
        v::SIT => seat(me, (a, state::SITTING, SEAT), out),
        v::LIE => seat(me, (a, state::LYING, BED), out),
        v::STANDUP | v::SLEEP | v::WAKEUP => out.push(mine(RESTING)),
        v::GRAB => {
            out.push(own(APART, a));
            reach(a, out);
            out.push(mine(HAND));
            return !load(g, a).contains(&me) && !g.hot(a).room;
        }
        v::PUTBACK | v::PUTIN => {
            out.push(own(HELD, a));
            put(g, (a, b), out);
            if verb == v::PUTIN {
                out.push(Need::Lacks(b, state::CLOSED));
            }
        }
        v::POUR => return pour(g, (a, b), out),
        v::DROP | v::RELEASE | v::READ | v::PUTON => out.push(own(HELD, a)),
        v::DRINK => return drink(g, a, out),
        v::OPEN | v::CLOSE | v::SWITCHON | v::SWITCHOFF | v::PLUGIN | v::PLUGOUT => {
            device(g, verb, a, out);
        }
        v::EAT => return eat(g, a, out),
        v::CUT => {
            out.push(Need::Lacks(a, state::CUT));
            reach(a, out);
            out.extend([mine(KNIFE), mine(HAND)]);
        }
        v::TYPE | v::WASH | v::RINSE | v::SCRUB | v::TOUCH => reach(a, out),
        v::WIPE => {
            reach(a, out);
            out.push(own(LOADED, a));
        }
        v::SQUEEZE | v::PUSH | v::PULL | v::MOVE => {
            reach(a, out);
            out.push(mine(HAND));
        }
        v::LOOKAT | v::LOOKAT_SHORT | v::LOOKAT_MEDIUM | v::LOOKAT_LONG | v::POINTAT => {
            out.extend([own(FACED, a), own(REACHABLE, a)]);
        }
        v::WATCH => out.extend([own(WITH, a), own(FACED, a), own(REACHABLE, a)]),
        v::PUTOFF => out.extend([Need::Edge(a, rel::ON, me), mine(HAND)]),
        v::TURNTO | v::GREET => out.push(own(WITH, a)),
        _ => return false,
    }
    !(is_touch(verb) && g.hot(a).room)
}

/// Whether an action handles its first target, which then must be a thing.
const fn is_touch(verb: u8) -> bool {
    matches!(
        verb,
        v::TYPE
            | v::WASH
            | v::RINSE
            | v::SCRUB
            | v::TOUCH
            | v::WIPE
            | v::SQUEEZE
            | v::PUSH
            | v::PULL
            | v::MOVE
            | v::CUT
    )
}

/// Whether the scene says where a node is; doors are between rooms.
fn is_somewhere(g: &Graph, n: Ix) -> bool {
    place(g, n).is_some() || g.base().passages.iter().any(|p| p.door == n)
}

/// Near, and in nothing closed.
fn reach(n: Ix, out: &mut Vec<Need>) {
    out.extend([own(REACHABLE, n), own(NEAR, n)]);
}

fn seat(me: Ix, (a, posture, free): (Ix, crate::sim::vocab::State, u8), out: &mut Vec<Need>) {
    out.extend([Need::Lacks(me, posture), own(UNHELD, a), own(OFF_SEAT, a)]);
    reach(a, out);
    out.push(own(free, a));
}

/// A destination in reach that is not part of what is put.
fn put(g: &Graph, (a, b): (Ix, Ix), out: &mut Vec<Need>) {
    if load(g, a).contains(&b) {
        for r in [rel::ON, rel::INSIDE] {
            let supports = g.targets(b, r).filter(|&s| !g.hot(s).room);
            out.extend(supports.map(|s| Need::Apart(b, r, s)));
        }
    }
    reach(b, out);
}

fn pour(g: &Graph, (a, b): (Ix, Ix), out: &mut Vec<Need>) -> bool {
    out.push(own(HELD, a));
    if has(g, a, prop::RECIPIENT) {
        if contents(g, a).is_empty() {
            return false;
        }
        out.push(Need::Lacks(a, state::CLOSED));
    }
    put(g, (a, b), out);
    if takes(g, b) {
        out.push(Need::Lacks(b, state::CLOSED));
    }
    !g.hot(b).room && a != b
}

/// Something is left to drink: water never runs out.
fn drink(g: &Graph, a: Ix, out: &mut Vec<Need>) -> bool {
    let left = |x: Ix| !g.states(x).has(state::DRUNK) || g.class(x) == "water";
    out.push(own(HELD, a));
    if has(g, a, prop::RECIPIENT) {
        out.push(Need::Lacks(a, state::CLOSED));
        return contents(g, a).into_iter().any(left);
    }
    left(a)
}

/// Something is left to eat: the thing itself, or what is served on or in it.
fn eat(g: &Graph, a: Ix, out: &mut Vec<Need>) -> bool {
    let food = |x: &Ix| has(g, *x, prop::EATABLE) && !g.states(*x).has(state::EATEN);
    if g.hot(a).room {
        return false;
    }
    reach(a, out);
    if has(g, a, prop::EATABLE) {
        return food(&a);
    }
    if !has(g, a, prop::GRABBABLE) {
        return false;
    }
    let served = g.sources(a, rel::ON).chain(g.sources(a, rel::INSIDE));
    let Some(next) = served.filter(food).min() else {
        return false;
    };
    out.push(own(REACHABLE, next));
    true
}

/// Doors, switches and plugs. A machine with an interlock runs only when shut, and opens only when off.
fn device(g: &Graph, verb: u8, a: Ix, out: &mut Vec<Need>) {
    let locked = class_in(g, a, INTERLOCKED);
    let so = match verb {
        v::OPEN => state::OPEN,
        v::CLOSE => state::CLOSED,
        v::SWITCHON => state::ON,
        v::SWITCHOFF => state::OFF,
        v::PLUGIN => state::PLUGGED_IN,
        _ => state::PLUGGED_OUT,
    };
    out.push(Need::Lacks(a, so));
    reach(a, out);
    match verb {
        v::OPEN => {
            out.push(mine(HAND));
            if locked {
                out.push(Need::Lacks(a, state::ON));
            }
        }
        v::SWITCHON => {
            out.push(Need::Lacks(a, state::PLUGGED_OUT));
            if locked {
                out.push(Need::Lacks(a, state::OPEN));
            }
        }
        v::PLUGIN | v::PLUGOUT => out.push(mine(HAND)),
        _ => {}
    }
}
