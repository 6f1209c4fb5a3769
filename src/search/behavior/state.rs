//! Needs that are no single fact: hands, tools, heat and cold. Each is asked of the simulator's own helpers.

use crate::search::need::Need;
use crate::search::table::View;
use crate::sim::behavior::facts::{
    has_key, held, in_hand, is_floor, is_full, is_named, is_shut, is_under, volume,
};
use crate::sim::behavior::forest::{above, children, is_lost, parent};
use crate::sim::behavior::words::{prop, rel, state};
use crate::sim::behavior::{plain, strict};
use crate::sim::graph::Graph;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $n:expr;)*) => {
        $($(#[$doc])* pub(super) const $name: u8 = $n;)*
    };
}

kinds! {
    /// The node is in neither hand.
    UNHELD = 0;
    /// A hand is empty.
    HAND = 1;
    /// The right hand is empty.
    RIGHT_FREE = 2;
    /// The left hand is empty.
    LEFT_FREE = 3;
    /// The node is not shut in, and it is there.
    REACHABLE = 4;
    /// A thing that cuts is held.
    KNIFE = 5;
    /// The node is where, or a tool is held with which, dust comes off.
    DUSTING = 6;
    /// The node is where, or a tool is held with which, stains come off.
    WASHING = 7;
    /// The node is where it gets wet.
    WATER = 8;
    /// The node is where it cooks.
    HEAT = 9;
    /// The node is where it freezes.
    COLD = 10;
    /// The node is where it thaws.
    WARM = 11;
    /// The right hand holds something that can be put there.
    RIGHT_LOADED = 12;
    /// The left hand holds something that can be put there.
    LEFT_LOADED = 13;
    /// Something is on or in what the right hand holds, and all of it fits into the node.
    RIGHT_LADEN = 14;
    /// Something is on or in what the left hand holds, and all of it fits into the node.
    LEFT_LADEN = 15;
    /// The right hand holds something that fits into the node.
    RIGHT_FITS = 16;
    /// The left hand holds something that fits into the node.
    LEFT_FITS = 17;
}

/// How many kinds there are.
#[cfg(test)]
pub(super) const KINDS: u8 = 18;

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
    match kind {
        UNHELD => held(g, me).all(|x| x != n),
        HAND => !is_full(g, me),
        RIGHT_FREE => in_hand(g, me, 0).is_none(),
        LEFT_FREE => in_hand(g, me, 1).is_none(),
        REACHABLE => is_reachable(g, n),
        KNIFE => held(g, me).any(|x| g.hot(x).props.has(prop::SLICER)),
        DUSTING => {
            held(g, me).any(|x| g.hot(x).props.has(prop::CLEANING_TOOL))
                || is_under(g, n, &["dishwasher", "sink"], |up| runs(g, up))
        }
        WASHING => held(g, me).any(|x| washes(g, x)) || is_under(g, n, &["sink"], |up| runs(g, up)),
        WATER => is_under(g, n, &["sink", "teapot"], |up| {
            runs(g, up) || !has_key(g, up, state::TOGGLED_ON)
        }),
        HEAT if strict::on(g) => strict::is_heated(g, n),
        HEAT => is_under(g, n, &["saucepan"], |_| true),
        COLD => !strict::on(g) || strict::is_cooled(g, n),
        WARM => !strict::on(g) || !strict::is_cooled(g, n),
        RIGHT_LOADED => in_hand(g, me, 0).is_some_and(|x| x != n),
        LEFT_LOADED => in_hand(g, me, 1).is_some_and(|x| x != n),
        RIGHT_FITS => in_hand(g, me, 0).is_some_and(|x| x != n && volume(g, x) <= volume(g, n)),
        LEFT_FITS => in_hand(g, me, 1).is_some_and(|x| x != n && volume(g, x) <= volume(g, n)),
        RIGHT_LADEN => in_hand(g, me, 0).is_some_and(|x| x != n && pours(g, x, n)),
        LEFT_LADEN => in_hand(g, me, 1).is_some_and(|x| x != n && pours(g, x, n)),
        _ => false,
    }
}

/// Whether a vessel has something in or on it that fits into another.
fn pours(g: &Graph, holder: Ix, n: Ix) -> bool {
    let mut load = children(g, holder).peekable();
    load.peek().is_some() && load.all(|x| volume(g, x) <= volume(g, n))
}

fn runs(g: &Graph, n: Ix) -> bool {
    g.states(n).has(state::TOGGLED_ON)
}

/// Whether stains come off with a held thing.
pub(super) fn washes(g: &Graph, tool: Ix) -> bool {
    let wet = g.hot(tool).props.has(prop::CLEANING_TOOL) && g.states(tool).has(state::SOAKED);
    wet || is_named(g, tool, "detergent")
}

/// The closed thing to open before the node can be reached.
pub(super) fn shut(g: &Graph, n: Ix) -> Option<Ix> {
    above(g, n)
        .find(|&(kind, up)| kind == rel::INSIDE && is_shut(g, up))
        .map(|(_, up)| up)
}

/// The simulator's *Reach*.
fn is_reachable(g: &Graph, n: Ix) -> bool {
    if is_floor(g, n) {
        return true;
    }
    let gone = g.states(n).has(state::SLICED) && !is_named(g, n, "part");
    shut(g, n).is_none() && !gone && !(strict::on(g) && strict::is_uncut(g, n))
}

/// How far away a node is: held, at hand, shut in, lost.
pub(super) fn rank(world: &World, n: Ix) -> u8 {
    let (g, me) = (world.graph(), world.me());
    if n == me || g.hot(n).room {
        return 5;
    }
    if held(g, me).any(|x| x == n) {
        0
    } else if is_lost(g, n) {
        4
    } else if shut(g, n).is_some() {
        3
    } else {
        1
    }
}

/// Nothing lets time pass without doing something.
pub(super) const fn wait(_: &World) -> Option<Action> {
    None
}

/// What holds the node, what it is on, what is in or on it, beside it, and its parts.
pub(super) fn around(world: &World, n: Ix, out: &mut Vec<Ix>) {
    let g = world.graph();
    if let Some((_, up)) = parent(g, n) {
        out.push(up);
    }
    out.extend(children(g, n));
    out.extend(plain::floor_of(g, n));
    out.extend(g.sources(n, rel::PART_OF));
    out.extend(g.targets(n, rel::PART_OF));
}
