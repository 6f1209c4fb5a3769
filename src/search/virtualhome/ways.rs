//! Which actions make a need true.

use super::fits::graspable;
use super::state::{
    AWAY, BED, FACED, HAND, HELD, KNIFE, LEFT_NEXT, LOADED, NEAR, REACHABLE, RESTING, RIGHT, SEAT,
    STANDING, UNHELD, WITH, mine, own,
};
use super::verbs as v;
use crate::search::need::Need;
use crate::search::table::{View, Way};
use crate::sim::virtualhome::facts::{held, shut_in};
use crate::sim::virtualhome::words::{rel, state};
use crate::sim::vocab::{Ix, Rel, State};
use crate::sim::world::Action;

/// The first of a row's ways: how many seats, knives and other things in the way are looked at.
const FEW: usize = 3;

/// Adds the actions that make a need true.
pub(super) fn ways(view: &View<'_>, need: Need, out: &mut Vec<Way>) {
    match need {
        Need::State(n, s) => states(view, n, s, out),
        Need::Lacks(n, s) => lacks(view, n, s, out),
        Need::Edge(a, r, b) => edge(view, (a, r, b), out),
        Need::Apart(a, r, b) => apart(view, (a, r, b), out),
        Need::Own(kind, n) => own_kind(view, kind, n, out),
        Need::Done(act) => out.extend(view.aims.done_by(act).iter().map(|&a| Way::by(a))),
    }
}

const fn one(verb: u8, a: Ix) -> Action {
    Action {
        verb,
        a,
        b: Ix::NONE,
    }
}

const fn two(verb: u8, a: Ix, b: Ix) -> Action {
    Action { verb, a, b }
}

fn states(view: &View<'_>, n: Ix, wanted: State, out: &mut Vec<Way>) {
    let verb = match wanted {
        state::OPEN => v::OPEN,
        state::CLOSED => v::CLOSE,
        state::ON => v::SWITCHON,
        state::OFF => v::SWITCHOFF,
        state::PLUGGED_IN => v::PLUGIN,
        state::PLUGGED_OUT => v::PLUGOUT,
        state::CLEAN => v::WASH,
        state::SITTING | state::LYING => return rest(view, wanted, out),
        _ => return,
    };
    out.push(Way::by(one(verb, n)));
}

/// Sitting or lying down on whatever would do.
fn rest(view: &View<'_>, wanted: State, out: &mut Vec<Way>) {
    let verb = if wanted == state::SITTING {
        v::SIT
    } else {
        v::LIE
    };
    let pool = view.aims.pool(view.world, verb);
    out.extend(pool.iter().take(FEW).map(|&n| Way::by(one(verb, n))));
}

fn lacks(view: &View<'_>, n: Ix, s: State, out: &mut Vec<Way>) {
    let world = view.world;
    if n == world.me() && (s == state::SITTING || s == state::LYING) {
        out.push(Way::by(one(v::STANDUP, Ix::NONE)));
    } else if let Some(other) = world.dialect().opposite(s) {
        states(view, n, other, out);
    }
}

fn edge(view: &View<'_>, (a, r, b): (Ix, Rel, Ix), out: &mut Vec<Way>) {
    let world = view.world;
    let (g, me) = (world.graph(), world.me());
    match r {
        rel::ON if a == me => out.extend([Way::by(one(v::SIT, b)), Way::by(one(v::LIE, b))]),
        rel::ON if b == me => out.push(Way::by(one(v::PUTON, a))),
        rel::ON => out.push(Way::by(two(v::PUTBACK, a, b))),
        rel::INSIDE if a == me => out.push(Way::by(one(v::WALK, b))),
        rel::INSIDE if g.hot(b).room => out.extend([
            Way::when(one(v::DROP, a), own(WITH, b)),
            Way::when(one(v::GRAB, a), own(WITH, b)),
        ]),
        rel::INSIDE => out.extend([Way::by(two(v::PUTIN, a, b)), Way::by(two(v::POUR, a, b))]),
        rel::CLOSE if a == me => come_near(b, out),
        rel::CLOSE if b == me => come_near(a, out),
        rel::CLOSE => out.extend([
            Way::by(two(v::PUTBACK, a, b)),
            Way::by(two(v::PUTBACK, b, a)),
            Way::by(two(v::PUTIN, a, b)),
            Way::by(two(v::PUTIN, b, a)),
        ]),
        rel::FACING if a == me => {
            out.push(Way::by(one(v::TURNTO, b)));
            let seats = view.aims.pool(world, v::SIT);
            let facing = seats.iter().filter(|&&s| g.has(s, rel::FACING, b));
            out.extend(facing.map(|&s| Way::by(one(v::SIT, s))));
        }
        rel::HOLDS_RH if a == me => out.push(Way::when(one(v::GRAB, b), mine(RIGHT))),
        rel::HOLDS_LH if a == me => out.push(Way::when(one(v::GRAB, b), own(LEFT_NEXT, b))),
        _ => {}
    }
}

/// Direct nearness: walking there, or naming what is near already.
fn come_near(n: Ix, out: &mut Vec<Way>) {
    out.extend([
        Way::when(one(v::FIND, n), own(NEAR, n)),
        Way::by(one(v::WALK, n)),
        Way::by(one(v::GRAB, n)),
    ]);
}

fn apart(view: &View<'_>, (a, r, b): (Ix, Rel, Ix), out: &mut Vec<Way>) {
    let world = view.world;
    let (g, me) = (world.graph(), world.me());
    match r {
        rel::ON if b == me => out.extend([Way::by(one(v::PUTOFF, a)), Way::by(one(v::GRAB, a))]),
        rel::ON | rel::INSIDE | rel::CLOSE if a != me && b != me => {
            out.push(Way::by(one(v::GRAB, a)));
            if r == rel::CLOSE {
                out.push(Way::by(one(v::GRAB, b)));
            } else if g.hot(b).room {
                // A held thing is where its holder was before.
                out.push(Way::when(one(v::DROP, a), own(AWAY, b)));
            }
        }
        rel::INSIDE if a == me => leave(view, b, out),
        rel::CLOSE => leave(view, if a == me { b } else { a }, out),
        rel::FACING if a == me => leave(view, Ix::NONE, out),
        rel::HOLDS_RH | rel::HOLDS_LH if a == me => let_go(view, b, out),
        _ => {}
    }
}

/// Walking to some room, another one than `from`.
fn leave(view: &View<'_>, from: Ix, out: &mut Vec<Way>) {
    let world = view.world;
    let rooms = world
        .scene()
        .indices()
        .filter(|&n| n != from && world.graph().hot(n).room);
    out.extend(rooms.take(2).map(|r| Way::by(one(v::WALK, r))));
}

/// Putting a held thing where a goal wants it, or letting it go.
fn let_go(view: &View<'_>, thing: Ix, out: &mut Vec<Way>) {
    for (r, to) in view.aims.spots(thing).take(FEW) {
        match r {
            rel::ON if to == view.world.me() => out.push(Way::by(one(v::PUTON, thing))),
            rel::ON => out.push(Way::by(two(v::PUTBACK, thing, to))),
            rel::INSIDE if !view.world.graph().hot(to).room => {
                out.push(Way::by(two(v::PUTIN, thing, to)));
            }
            _ => {}
        }
    }
    out.push(Way::by(one(v::DROP, thing)));
}

fn own_kind(view: &View<'_>, kind: u8, n: Ix, out: &mut Vec<Way>) {
    let world = view.world;
    let (g, me) = (world.graph(), world.me());
    match kind {
        // Walking to a room brings nothing near, least of all the room.
        NEAR if g.hot(n).room => {}
        NEAR | WITH => out.push(Way::by(one(v::WALK, n))),
        HELD => out.push(Way::by(one(v::GRAB, n))),
        UNHELD => let_go(view, n, out),
        HAND => held(g, me).for_each(|h| let_go(view, h, out)),
        RIGHT => g
            .targets(me, rel::HOLDS_RH)
            .for_each(|h| let_go(view, h, out)),
        LEFT_NEXT => left_next(view, n, out),
        STANDING => out.push(Way::by(one(v::STANDUP, Ix::NONE))),
        RESTING => {
            rest(view, state::SITTING, out);
            rest(view, state::LYING, out);
        }
        FACED => out.push(Way::by(one(v::TURNTO, n))),
        REACHABLE => out.extend(shut_in(g, n).map(|c| Way::by(one(v::OPEN, c)))),
        AWAY => leave(view, n, out),
        LOADED => grabs(view, |_| true, out),
        KNIFE => {
            let knives = world
                .scene()
                .indices()
                .filter(|&k| g.class(k).contains("knife") && graspable(g, k));
            out.extend(knives.take(FEW).map(|k| Way::by(one(v::GRAB, k))));
        }
        SEAT | BED => {
            let things = g.sources(n, rel::ON).filter(|&x| graspable(g, x));
            out.extend(things.take(FEW).map(|x| Way::by(one(v::GRAB, x))));
        }
        _ => {}
    }
}

/// Taking something that a goal names, or whatever is nearest.
fn grabs(view: &View<'_>, fit: impl Fn(Ix) -> bool, out: &mut Vec<Way>) {
    let before = out.len();
    let pool = view.aims.pool(view.world, v::GRAB).iter().copied();
    out.extend(
        pool.filter(|&x| fit(x))
            .take(FEW)
            .map(|x| Way::by(one(v::GRAB, x))),
    );
    if out.len() == before {
        let all = view.aims.nearest(view.world, v::GRAB);
        out.extend(
            all.filter(|&x| fit(x))
                .take(FEW)
                .map(|x| Way::by(one(v::GRAB, x))),
        );
    }
}

/// Making the left hand the next one: it is empty, and the right one holds another thing.
fn left_next(view: &View<'_>, n: Ix, out: &mut Vec<Way>) {
    let (g, me) = (view.world.graph(), view.world.me());
    if let Some(h) = g.targets(me, rel::HOLDS_LH).next() {
        return let_go(view, h, out);
    }
    match g.targets(me, rel::HOLDS_RH).next() {
        Some(h) => let_go(view, h, out),
        None => grabs(view, |x| x != n, out),
    }
}
