//! Needs that are no single fact: nearness, hands, posture. Each is asked of the simulator's own helpers.

use super::verbs as v;
use crate::search::need::Need;
use crate::search::table::View;
use crate::sim::refusal::Pre;
use crate::sim::virtualhome::actions::cut::is_blade;
use crate::sim::virtualhome::facts::{
    free_hand, held, is_close, is_facing, is_holding, room_or_none, shut_in,
};
use crate::sim::virtualhome::strict::{reach, ways};
use crate::sim::virtualhome::words::{rel, state};
use crate::sim::vocab::{Ix, Profile};
use crate::sim::world::{Action, World};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $n:expr;)*) => {
        $($(#[$doc])* pub(super) const $name: u8 = $n;)*
    };
}

kinds! {
    /// The node is near.
    NEAR = 0;
    /// The node is in a hand.
    HELD = 1;
    /// The node is in no hand.
    UNHELD = 2;
    /// A hand is empty.
    HAND = 3;
    /// The right hand is empty.
    RIGHT = 4;
    /// The next thing taken comes into the left hand: the right one holds something else than the node.
    LEFT_NEXT = 5;
    /// The agent stands.
    STANDING = 6;
    /// The agent sits or lies.
    RESTING = 7;
    /// The node is faced, perhaps by way of another.
    FACED = 8;
    /// The node is not shut in.
    REACHABLE = 9;
    /// The agent is in the room of the node.
    WITH = 10;
    /// The agent is not in this room.
    AWAY = 11;
    /// Something else than the node is held.
    LOADED = 12;
    /// A knife is held.
    KNIFE = 13;
    /// The agent is up on nothing else than this.
    OFF_SEAT = 16;
    /// No closed door is in the way.
    PATH = 17;
    /// The node is not with the agent: neither held nor worn.
    APART = 18;
    /// A place to sit on it is free.
    SEAT = 14;
    /// A place to lie on it is free.
    BED = 15;
}

/// A need about a node.
pub(super) const fn own(kind: u8, n: Ix) -> Need {
    Need::Own(kind, n)
}

/// A need about the agent alone.
pub(super) const fn mine(kind: u8) -> Need {
    Need::Own(kind, Ix::NONE)
}

/// Whether a need of these kinds holds.
pub(super) fn holds(view: &View<'_>, kind: u8, n: Ix) -> bool {
    let world = view.world;
    let (g, me) = (world.graph(), world.me());
    let resting = || g.states(me).has(state::SITTING) || g.states(me).has(state::LYING);
    match kind {
        NEAR if strict(world) => reach::is_near(g, me, n),
        NEAR => is_close(&world.ctx(), n),
        HELD => is_holding(g, me, n),
        UNHELD => !is_holding(g, me, n),
        HAND => free_hand(g, me).is_some(),
        RIGHT => g.targets(me, rel::HOLDS_RH).next().is_none(),
        LEFT_NEXT => {
            g.targets(me, rel::HOLDS_RH).any(|h| h != n)
                && g.targets(me, rel::HOLDS_LH).next().is_none()
        }
        STANDING => !resting(),
        RESTING => resting(),
        FACED if strict(world) => g.has(me, rel::FACING, n),
        FACED => is_facing(&world.ctx(), n),
        REACHABLE => shut(world, n).is_none(),
        WITH => with(world, n),
        AWAY => room_of(world, me).is_some_and(|r| r != n),
        LOADED => held(g, me).any(|h| h != n),
        KNIFE => held(g, me).any(|h| is_knife(world, h)),
        OFF_SEAT => g.targets(me, rel::ON).all(|x| x == n),
        PATH => ways::end_of_walk(&world.ctx(), n).is_ok(),
        APART => !reach::is_with(g, me, n),
        SEAT => has_place(world, v::SIT, n),
        BED => has_place(world, v::LIE, n),
        _ => false,
    }
}

/// Whether the world follows the strict semantics.
pub(super) fn strict(world: &World) -> bool {
    world.profile() == Profile::Strict
}

/// The room of a node.
pub(super) fn room_of(world: &World, n: Ix) -> Option<Ix> {
    if strict(world) {
        reach::place(world.graph(), n)
    } else {
        room_or_none(world.graph(), n)
    }
}

/// The closed thing to open before the node can be reached.
pub(super) fn shut(world: &World, n: Ix) -> Option<Ix> {
    if strict(world) {
        reach::shut_in(world.graph(), n)
    } else {
        shut_in(world.graph(), n)
    }
}

/// Whether the agent is in the room of a node; in `strict` near will do.
fn with(world: &World, n: Ix) -> bool {
    let here = room_of(world, world.me());
    let same = here.is_some() && here == room_of(world, n);
    same || strict(world) && reach::is_near(world.graph(), world.me(), n)
}

/// Whether a held thing cuts.
pub(super) fn is_knife(world: &World, n: Ix) -> bool {
    let class = world.graph().class(n);
    if strict(world) {
        is_blade(class)
    } else {
        class.contains("knife")
    }
}

/// Whether the simulator would not say that all places are taken. It tells only once one is near and fit to ask.
fn has_place(world: &World, verb: u8, n: Ix) -> bool {
    let action = Action {
        verb,
        a: n,
        b: Ix::NONE,
    };
    !matches!(world.check(action), Err(r) if r.pre == Pre::Room(n))
}

/// How far away a node is: held, near, in the same room, in another room, nowhere;
/// rooms last.
pub(super) fn rank(world: &World, n: Ix) -> u8 {
    let (g, me) = (world.graph(), world.me());
    if g.hot(n).room {
        return 6;
    }
    if is_holding(g, me, n) {
        return 0;
    }
    let Some(room) = room_of(world, n) else {
        return 5;
    };
    if g.has(me, rel::CLOSE, n) {
        1
    } else if shut(world, n).is_some() {
        4
    } else if Some(room) == room_of(world, me) {
        2
    } else {
        3
    }
}

/// Walking about in the room one is in.
pub(super) fn wait(world: &World) -> Option<Action> {
    let room = room_of(world, world.me())?;
    Some(Action {
        verb: v::WALK,
        a: room,
        b: Ix::NONE,
    })
}

/// What is held.
pub(super) fn firsts(world: &World, out: &mut Vec<Ix>) {
    out.extend(held(world.graph(), world.me()));
}

/// What holds the node, what it is on, and what is in or on it and its support.
pub(super) fn around(world: &World, n: Ix, out: &mut Vec<Ix>) {
    let g = world.graph();
    for r in [rel::ON, rel::INSIDE] {
        for up in g.targets(n, r).filter(|&t| !g.hot(t).room) {
            out.push(up);
            out.extend(g.sources(up, rel::ON));
            out.extend(g.sources(up, rel::INSIDE));
        }
        if !g.hot(n).room {
            out.extend(g.sources(n, r));
        }
    }
    out.extend(room_of(world, n));
}
