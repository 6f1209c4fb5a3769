//! Helper predicates and the checks that many actions share (Evolving Graph §3).

use crate::sim::graph::Graph;
use crate::sim::refusal::{Kind, Pre, Record, Records, Refusal};
use crate::sim::virtualhome::strict::reach::all_near;
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::{Ix, Profile, Prop, Rel, Rels, State};
use crate::sim::world::Ctx;

/// Both hands, as a mask.
pub const HANDS: Rels = Rels::of(&[rel::HOLDS_RH, rel::HOLDS_LH]);

/// The room a node is in: itself if it is one, else its INSIDE target(s).
///
/// With several targets the lowest-id room among them counts and nothing above is asked; with one the chain of
/// containers is climbed. `Ok(None)` when the climb ends outside.
///
/// # Errors
/// A cycle of containers, which hangs the published code.
pub fn room(g: &Graph, n: Ix) -> Result<Option<Ix>, Refusal> {
    if g.hot(n).room {
        return Ok(Some(n));
    }
    let mut inside = g.targets(n, rel::INSIDE);
    let Some(first) = inside.next() else {
        return Ok(None);
    };
    if let Some(second) = inside.next() {
        let all = [first, second].into_iter().chain(inside);
        return Ok(all.filter(|&t| g.hot(t).room).min());
    }
    let mut at = first;
    for _ in 0..=g.scene().len() {
        if g.hot(at).room {
            return Ok(Some(at));
        }
        match g.first_target(at, rel::INSIDE) {
            Some(up) => at = up,
            None => return Ok(None),
        }
    }
    Err(Refusal::new(Kind::Hang, Pre::HasRoom(n), "", [n, Ix::NONE]))
}

/// The room a node is in, for display: cycles and strays give nothing.
pub fn room_or_none(g: &Graph, n: Ix) -> Option<Ix> {
    room(g, n).ok().flatten()
}

/// The agent's room.
///
/// # Errors
/// The assertion of the published code, or its endless loop.
pub fn my_room(c: &Ctx<'_>) -> Result<Ix, Refusal> {
    room(c.graph, c.me)?.ok_or_else(|| Refusal::crash("AssertionError", Pre::HasRoom(c.me), c.me))
}

/// Near: directly, or by one thing that is near the agent and near it or under it. The reverse edge does not count.
pub fn is_close(c: &Ctx<'_>, n: Ix) -> bool {
    // Asked from the node: what is near the agent is known at once, and around a node there is less than around it.
    let g = c.graph;
    let near = |x| g.has(c.me, rel::CLOSE, x);
    near(n) || g.targets(n, rel::ON).any(near) || g.sources(n, rel::CLOSE).any(near)
}

/// For every node whether it is near under the profile in force; under `eai` as [`is_close`] says, in time proportional
/// to what is around the agent.
pub fn all_close(c: &Ctx<'_>) -> Vec<bool> {
    if c.profile == Profile::Strict {
        return all_near(c);
    }
    let g = c.graph;
    let mut near = vec![false; g.scene().len()];
    for x in g.targets(c.me, rel::CLOSE) {
        near[x.at()] = true;
        for n in g.targets(x, rel::CLOSE).chain(g.sources(x, rel::ON)) {
            near[n.at()] = true;
        }
    }
    near
}

/// Faced: directly, or by one thing that the agent faces and that faces it.
pub fn is_facing(c: &Ctx<'_>, n: Ix) -> bool {
    let g = c.graph;
    g.targets(c.me, rel::FACING)
        .any(|f| f == n || g.has(f, rel::FACING, n))
}

/// The closed container (no room) that directly holds a node: the lowest id.
pub fn shut_in(g: &Graph, n: Ix) -> Option<Ix> {
    g.targets(n, rel::INSIDE)
        .filter(|&t| g.states(t).has(state::CLOSED) && !g.hot(t).room)
        .min()
}

/// The first empty hand, right before left.
pub fn free_hand(g: &Graph, me: Ix) -> Option<Rel> {
    [rel::HOLDS_RH, rel::HOLDS_LH]
        .into_iter()
        .find(|&h| g.targets(me, h).next().is_none())
}

/// Whether the agent holds a node.
pub fn is_holding(g: &Graph, me: Ix, n: Ix) -> bool {
    g.rels(me, n).0 & HANDS.0 != 0
}

/// Everything in the agent's hands, right before left.
pub fn held(g: &Graph, me: Ix) -> impl Iterator<Item = Ix> + '_ {
    g.targets(me, rel::HOLDS_RH)
        .chain(g.targets(me, rel::HOLDS_LH))
}

/// Whether a node's class is one of these.
pub fn class_in(g: &Graph, n: Ix, classes: &[&str]) -> bool {
    classes.contains(&g.class(n))
}

/// The record "agent CLOSE n".
pub fn close_record(me: Ix, n: Ix) -> Records {
    Records::one(Record::Edge {
        from: me,
        rels: Rels::of(&[rel::CLOSE]),
        to: n,
        negate: false,
    })
}

/// Code 1 unless near.
pub fn need_close(c: &Ctx<'_>, n: Ix) -> Result<(), Refusal> {
    if is_close(c, n) {
        return Ok(());
    }
    Err(Refusal::new(
        Kind::MissingStep,
        Pre::Close(n),
        "{0} is not close to {1}",
        [c.me, n],
    )
    .recording(close_record(c.me, n)))
}

/// Code 1 unless held.
pub fn need_held(c: &Ctx<'_>, n: Ix) -> Result<(), Refusal> {
    if is_holding(c.graph, c.me, n) {
        return Ok(());
    }
    let record = Record::Edge {
        from: c.me,
        rels: HANDS,
        to: n,
        negate: false,
    };
    Err(Refusal::new(
        Kind::MissingStep,
        Pre::Holding(n),
        "{0} is not holding {1}",
        [c.me, n],
    )
    .recording(Records::one(record)))
}

/// Code 1 unless a hand is empty.
pub fn need_hand(c: &Ctx<'_>) -> Result<Rel, Refusal> {
    free_hand(c.graph, c.me).ok_or_else(|| {
        let record = Record::Edge {
            from: c.me,
            rels: HANDS,
            to: Ix::NONE,
            negate: true,
        };
        Refusal::new(
            Kind::MissingStep,
            Pre::FreeHand,
            "{0} does not have a free hand",
            [c.me, Ix::NONE],
        )
        .recording(Records::one(record))
    })
}

/// Code 1 unless faced.
pub fn need_facing(c: &Ctx<'_>, n: Ix) -> Result<(), Refusal> {
    if is_facing(c, n) {
        return Ok(());
    }
    Err(Refusal::new(
        Kind::MissingStep,
        Pre::Facing(n),
        "{0} does not face {1}",
        [c.me, n],
    )
    .recording(facing_record(c.me, n)))
}

/// The record "agent FACING n".
pub fn facing_record(me: Ix, n: Ix) -> Records {
    Records::one(Record::Edge {
        from: me,
        rels: Rels::of(&[rel::FACING]),
        to: n,
        negate: false,
    })
}

/// Code 1 when directly inside a closed thing. The published record names the object itself, not its container.
pub fn need_reachable(c: &Ctx<'_>, n: Ix) -> Result<(), Refusal> {
    let Some(container) = shut_in(c.graph, n) else {
        return Ok(());
    };
    let record = Record::State {
        node: n,
        state: state::OPEN,
        negate: false,
    };
    Err(Refusal::new(
        Kind::MissingStep,
        Pre::NotShutIn(n, container),
        "{0} is inside other closed thing",
        [n, Ix::NONE],
    )
    .recording(Records::one(record)))
}

/// Code 2 unless the node has the property.
pub fn need_prop(c: &Ctx<'_>, n: Ix, prop: Prop, template: &'static str) -> Result<(), Refusal> {
    need_fit(c.graph.hot(n).props.has(prop), n, template)
}

/// Code 2 unless `fits`.
pub fn need_fit(fits: bool, n: Ix, template: &'static str) -> Result<(), Refusal> {
    if fits {
        return Ok(());
    }
    Err(Refusal::new(
        Kind::Affordance,
        Pre::Fit(n),
        template,
        [n, Ix::NONE],
    ))
}

/// Code 4 unless the node has the state: a missing fact counts as "already satisfied" in the published code.
pub fn need_state(
    c: &Ctx<'_>,
    n: Ix,
    wanted: State,
    template: &'static str,
) -> Result<(), Refusal> {
    if c.graph.states(n).has(wanted) {
        return Ok(());
    }
    Err(Refusal::new(
        Kind::AlreadySo,
        Pre::State(n, wanted),
        template,
        [n, Ix::NONE],
    ))
}

/// The record of a state of the agent.
pub fn posture_record(me: Ix, state: State, negate: bool) -> Record {
    Record::State {
        node: me,
        state,
        negate,
    }
}

/// Whether a node is made of cloth and can be worn.
pub fn is_clothes(g: &Graph, n: Ix) -> bool {
    g.hot(n).props.has(prop::CLOTHES)
}

/// Code 4 when the agent is already in the posture.
pub fn need_not_in(c: &Ctx<'_>, posture: State, template: &'static str) -> Result<(), Refusal> {
    if !c.graph.states(c.me).has(posture) {
        return Ok(());
    }
    Err(Refusal::new(
        Kind::AlreadySo,
        Pre::NotYet(posture),
        template,
        [c.me, Ix::NONE],
    ))
}

/// Code 1 when so many things are on it that no place is left; the agent counts as a thing.
pub fn need_free_place(c: &Ctx<'_>, n: Ix, places: usize) -> Result<(), Refusal> {
    if c.graph.sources(n, rel::ON).count() < places {
        return Ok(());
    }
    Err(too_many(n))
}

/// "Too many things on": code 1, and nothing recorded.
pub const fn too_many(n: Ix) -> Refusal {
    Refusal::new(
        Kind::MissingStep,
        Pre::Room(n),
        "Too many things on {0}",
        [n, Ix::NONE],
    )
}

/// What pulling and pushing in a plug needs: a plug, near, a hand free, and the state it is to leave.
pub fn need_own_plug(
    c: &Ctx<'_>,
    n: Ix,
    wanted: State,
    template: &'static str,
) -> Result<(), Refusal> {
    need_prop(c, n, prop::HAS_PLUG, "{0} does not have a plug")?;
    need_close(c, n)?;
    need_hand(c)?;
    need_state(c, n, wanted, template)
}
