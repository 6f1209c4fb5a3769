//! Which actions make a need true.

use super::fits::graspable;
use super::state::{
    APART, AWAY, BED, FACED, HAND, HELD, KNIFE, LEFT_NEXT, LOADED, NEAR, OFF_SEAT, PATH, REACHABLE,
    RESTING, RIGHT, SEAT, STANDING, UNHELD, WITH, is_knife, mine, own, shut, strict,
};
use super::verbs as v;
use crate::search::need::Need;
use crate::search::table::{View, Way};
use crate::sim::refusal::{Pre, Refusal};
use crate::sim::virtualhome::facts::held;
use crate::sim::virtualhome::strict::hold::flows;
use crate::sim::virtualhome::strict::reach::is_with;
use crate::sim::virtualhome::strict::ways::end_of_walk;
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
        Need::Held(n) => own_kind(view, HELD, n, out),
        Need::Kept(..) => {}
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
        state::CUT => v::CUT,
        state::EATEN => v::EAT,
        state::DRUNK => v::DRINK,
        state::SITTING | state::LYING if n == view.world.me() => return rest(view, wanted, out),
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
        rel::INSIDE if a == me && !g.hot(b).room => {}
        rel::INSIDE if a == me => out.push(Way::by(one(v::WALK, b))),
        rel::INSIDE if g.hot(b).room => out.extend([
            Way::when(one(v::DROP, a), own(WITH, b)),
            Way::when(one(v::GRAB, a), own(WITH, b)),
        ]),
        rel::INSIDE => {
            out.extend([Way::by(two(v::PUTIN, a, b)), Way::by(two(v::POUR, a, b))]);
            if strict(world) {
                // What flows is poured from the vessel it is in.
                let vessels = g.targets(a, rel::INSIDE);
                let vessels = vessels.filter(|&x| x != b && flows(g, a) && graspable(g, x));
                out.extend(vessels.take(FEW).map(|x| Way::by(two(v::POUR, x, b))));
            }
        }
        // Nobody comes near to himself.
        rel::CLOSE if a == me && b == me => {}
        rel::CLOSE if a == me => come_near(view, b, out),
        rel::CLOSE if b == me => come_near(view, a, out),
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
fn come_near(view: &View<'_>, n: Ix, out: &mut Vec<Way>) {
    if view.world.graph().hot(n).room {
        return;
    }
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
        rel::ON if a == me && strict(world) => {
            out.push(Way::by(one(v::STANDUP, Ix::NONE)));
            leave(view, Ix::NONE, None, out);
        }
        rel::INSIDE if a == me => leave(view, b, None, out),
        rel::INSIDE if g.hot(b).room => {
            // A held thing goes where its holder goes; as published it is always one room behind.
            let behind = (!strict(world)).then_some(own(AWAY, b));
            leave(view, b, Some([Some(own(HELD, a)), behind]), out);
        }
        rel::CLOSE if a == me || b == me => {
            let other = if a == me { b } else { a };
            if !is_with(g, me, other) {
                leave(view, Ix::NONE, None, out);
            }
        }
        rel::ON | rel::INSIDE => out.push(Way::by(one(v::GRAB, a))),
        rel::CLOSE => out.extend([Way::by(one(v::GRAB, a)), Way::by(one(v::GRAB, b))]),
        rel::FACING if a == me => leave(view, Ix::NONE, None, out),
        rel::HOLDS_RH | rel::HOLDS_LH if a == me => let_go(view, b, out),
        _ => {}
    }
}

/// Walking to some room, another one than `from`, when these hold.
fn leave(view: &View<'_>, from: Ix, when: Option<[Option<Need>; 2]>, out: &mut Vec<Way>) {
    let world = view.world;
    let rooms = world
        .scene()
        .indices()
        .filter(|&n| n != from && world.graph().hot(n).room);
    let also = when.unwrap_or([None; 2]);
    out.extend(rooms.take(2).map(|r| Way {
        action: one(v::WALK, r),
        also,
    }));
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
        HELD if strict(world) && g.has(n, rel::ON, me) => out.push(Way::by(one(v::PUTOFF, n))),
        HELD => out.push(Way::by(one(v::GRAB, n))),
        APART if g.has(n, rel::ON, me) => out.push(Way::by(one(v::PUTOFF, n))),
        UNHELD | APART => let_go(view, n, out),
        HAND => held(g, me).for_each(|h| let_go(view, h, out)),
        RIGHT => g
            .targets(me, rel::HOLDS_RH)
            .for_each(|h| let_go(view, h, out)),
        LEFT_NEXT => left_next(view, n, out),
        STANDING | OFF_SEAT => out.push(Way::by(one(v::STANDUP, Ix::NONE))),
        RESTING => {
            rest(view, state::SITTING, out);
            rest(view, state::LYING, out);
        }
        FACED => out.push(Way::by(one(v::TURNTO, n))),
        REACHABLE => out.extend(shut(world, n).map(|c| Way::by(one(v::OPEN, c)))),
        PATH => path(view, n, out),
        AWAY => leave(view, n, None, out),
        LOADED => grabs(view, |x| x != n, out),
        KNIFE => {
            let knives = world
                .scene()
                .indices()
                .filter(|&k| is_knife(world, k) && graspable(g, k));
            out.extend(knives.take(FEW).map(|k| Way::by(one(v::GRAB, k))));
        }
        SEAT | BED => {
            let things = g.sources(n, rel::ON).filter(|&x| graspable(g, x));
            out.extend(things.take(FEW).map(|x| Way::by(one(v::GRAB, x))));
        }
        _ => {}
    }
}

/// Opening the door that is in the way.
fn path(view: &View<'_>, n: Ix, out: &mut Vec<Way>) {
    if let Err(Refusal {
        pre: Pre::PathOpen(_, door),
        ..
    }) = end_of_walk(&view.world.ctx(), n)
    {
        out.push(Way::by(one(v::OPEN, door)));
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
