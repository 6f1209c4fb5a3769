//! Where things are and what can be touched: the room of a node, nearness of one hop, closed things at any depth.

use crate::sim::graph::Graph;
use crate::sim::refusal::{Kind, Pre, Record, Records, Refusal};
use crate::sim::virtualhome::facts::{close_record, is_holding, need_fit};
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::{Ix, State};
use crate::sim::world::Ctx;

/// How deep containers and supports may nest before a climb ends; no household comes near it, and cycles end.
const DEPTH: usize = 32;

/// What directly carries or contains a node, rooms left out.
pub fn supports(g: &Graph, n: Ix) -> impl Iterator<Item = Ix> + '_ {
    g.targets(n, rel::ON)
        .chain(g.targets(n, rel::INSIDE))
        .filter(move |&t| !g.hot(t).room)
}

/// The room a node is in: itself, the lowest room it is directly inside of, else that of what carries or contains it.
pub fn place(g: &Graph, n: Ix) -> Option<Ix> {
    let mut at = n;
    for _ in 0..DEPTH {
        if g.hot(at).room {
            return Some(at);
        }
        let rooms = g.targets(at, rel::INSIDE).filter(|&t| g.hot(t).room);
        if let Some(room) = rooms.min() {
            return Some(room);
        }
        at = supports(g, at).min()?;
    }
    None
}

/// The agent's room.
///
/// # Errors
/// It is in none: the scene does not say where it stands.
pub fn here(c: &Ctx<'_>) -> Result<Ix, Refusal> {
    place(c.graph, c.me).ok_or_else(|| nowhere(c.me))
}

/// A node that is in no room.
pub const fn nowhere(n: Ix) -> Refusal {
    let text = "{0} is in no room";
    Refusal::new(Kind::Affordance, Pre::HasRoom(n), text, [n, Ix::NONE])
}

/// Whether this is a floor: too large for what lies on it to be near each other.
pub fn is_floor(g: &Graph, n: Ix) -> bool {
    g.class(n) == "floor"
}

/// Held, worn, a part of the agent or the agent itself.
pub fn is_with(g: &Graph, me: Ix, n: Ix) -> bool {
    n == me || is_holding(g, me, n) || g.has(n, rel::ON, me) || g.hot(n).props.has(prop::BODY_PART)
}

/// Near: directly, or on or in something that is and is no floor. The floor one stands on and one's own body always are.
pub fn is_near(g: &Graph, me: Ix, n: Ix) -> bool {
    g.has(me, rel::CLOSE, n)
        || supports(g, n).any(|x| g.has(me, rel::CLOSE, x) && !is_floor(g, x))
        || is_with(g, me, n)
        || is_floor(g, n) && place(g, n) == place(g, me)
}

/// For every node whether it is near, as [`is_near`] says.
pub fn all_near(c: &Ctx<'_>) -> Vec<bool> {
    let (g, me) = (c.graph, c.me);
    g.scene().indices().map(|n| is_near(g, me, n)).collect()
}

/// Whether a node is `outer`, or on or in it at any depth.
pub fn is_within(g: &Graph, n: Ix, outer: Ix) -> bool {
    fn climb(g: &Graph, n: Ix, outer: Ix, depth: usize) -> bool {
        n == outer || depth > 0 && supports(g, n).any(|s| climb(g, s, outer, depth - 1))
    }
    climb(g, n, outer, DEPTH)
}

/// The outermost closed thing around a node, at any depth: the one to open first.
pub fn shut_in(g: &Graph, n: Ix) -> Option<Ix> {
    climb(g, n, DEPTH)
}

fn climb(g: &Graph, n: Ix, depth: usize) -> Option<Ix> {
    let depth = depth.checked_sub(1)?;
    let outer = supports(g, n).find_map(|t| climb(g, t, depth));
    outer.or_else(|| crate::sim::virtualhome::facts::shut_in(g, n))
}

/// Code 1 unless the node stands in no closed thing; the record names the thing to open.
///
/// # Errors
/// The refusal.
pub fn need_unshut(c: &Ctx<'_>, n: Ix) -> Result<(), Refusal> {
    let Some(container) = shut_in(c.graph, n) else {
        return Ok(());
    };
    Err(Refusal::new(
        Kind::MissingStep,
        Pre::NotShutIn(n, container),
        "{0} is inside the closed {1}",
        [n, container],
    )
    .recording(state_record(container, state::OPEN, false)))
}

/// What every manipulation needs: a thing, near, and in nothing closed.
///
/// # Errors
/// Code 2 for a room, else code 1.
pub fn need_reach(c: &Ctx<'_>, n: Ix) -> Result<(), Refusal> {
    let g = c.graph;
    need_fit(!g.hot(n).room, n, "{0} is a room")?;
    if !is_near(g, c.me, n) {
        let text = "{0} is not close to {1}";
        return Err(
            Refusal::new(Kind::MissingStep, Pre::Close(n), text, [c.me, n])
                .recording(close_record(c.me, n)),
        );
    }
    need_unshut(c, n)
}

/// Code 1 unless the node is in the agent's room, or near as a door to it is.
///
/// # Errors
/// The refusal.
pub fn need_same_room(c: &Ctx<'_>, n: Ix) -> Result<(), Refusal> {
    let here = here(c)?;
    if place(c.graph, n) == Some(here) || is_near(c.graph, c.me, n) {
        return Ok(());
    }
    let text = "{0} is not in the room of {1}";
    Err(Refusal::new(
        Kind::MissingStep,
        Pre::SameRoom(n),
        text,
        [n, c.me],
    ))
}

/// Code 1 unless the agent looks straight at the node.
///
/// # Errors
/// The refusal.
pub fn need_sight(c: &Ctx<'_>, n: Ix) -> Result<(), Refusal> {
    if !c.graph.has(c.me, rel::FACING, n) {
        return Err(Refusal::new(
            Kind::MissingStep,
            Pre::Facing(n),
            "{0} does not face {1}",
            [c.me, n],
        )
        .recording(crate::sim::virtualhome::facts::facing_record(c.me, n)));
    }
    need_unshut(c, n)
}

/// The record of one state of one node.
pub const fn state_record(node: Ix, state: State, negate: bool) -> Records {
    Records::one(Record::State {
        node,
        state,
        negate,
    })
}

/// Code 1 unless the node lacks the state; the step that ends the state is missing.
///
/// # Errors
/// The refusal.
pub fn need_without(
    c: &Ctx<'_>,
    n: Ix,
    state: State,
    template: &'static str,
) -> Result<(), Refusal> {
    if !c.graph.states(n).has(state) {
        return Ok(());
    }
    let pre = Pre::NotState(n, state);
    Err(
        Refusal::new(Kind::MissingStep, pre, template, [n, Ix::NONE])
            .recording(state_record(n, state, true)),
    )
}

/// Code 4 when the node is already `so`; a node that says nothing about it is not. `from` is the state it comes from.
///
/// # Errors
/// The refusal.
pub fn need_not_yet(
    c: &Ctx<'_>,
    n: Ix,
    (so, from): (State, State),
    template: &'static str,
) -> Result<(), Refusal> {
    if !c.graph.states(n).has(so) {
        return Ok(());
    }
    let pre = Pre::State(n, from);
    Err(Refusal::new(Kind::AlreadySo, pre, template, [n, Ix::NONE]))
}

/// Code 4 when the node carries the trace already.
///
/// # Errors
/// The refusal.
pub fn need_untraced(c: &Ctx<'_>, n: Ix, trace: State) -> Result<(), Refusal> {
    if !c.graph.states(n).has(trace) {
        return Ok(());
    }
    let pre = Pre::NotState(n, trace);
    Err(Refusal::new(
        Kind::AlreadySo,
        pre,
        "that was done with {0} already",
        [n, Ix::NONE],
    ))
}
