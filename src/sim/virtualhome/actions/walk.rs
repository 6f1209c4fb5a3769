//! Walking to a room or a thing (Evolving Graph §4 WALK).

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Records, Refusal};
use crate::sim::virtualhome::facts::{held, my_room, posture_record, room};
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::{Ix, Rel, Rels};
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Walk to a room or a thing.
pub(super) const WALK: ActionDef = ActionDef {
    name: "WALK",
    arity: 1,
    doc: "Walk to a room or a thing.",
    unknown: Unknown::Crash,
    check,
    effects,
};

/// What walking breaks off: whatever tied the walker to its place.
const LEFT_BEHIND: Rels = Rels::of(&[rel::INSIDE, rel::CLOSE, rel::FACING]);

/// Standing, in a room, and the target in a room; a target without a room fails without message or code.
pub(super) fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    let states = c.graph.states(c.me);
    if states.has(state::SITTING) || states.has(state::LYING) {
        let up = |s| posture_record(c.me, s, true);
        return Err(Refusal::new(
            Kind::MissingStep,
            Pre::Standing,
            "{0} is sitting",
            [c.me, Ix::NONE],
        )
        .recording(Records::both(up(state::SITTING), up(state::LYING))));
    }
    my_room(c)?;
    match room(c.graph, n)? {
        Some(_) => Ok(Pass::YES),
        None => Err(Refusal::new(
            Kind::Uncoded,
            Pre::HasRoom(n),
            "",
            [n, Ix::NONE],
        )),
    }
}

/// Moves the agent and what it holds. Held things arrive in the room that was *left*, as published.
pub(super) fn effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    let to_room = room(tx.graph(), n).ok().flatten();
    let from_room = room(tx.graph(), me).ok().flatten();
    let mut carried = [Ix::NONE; 2];
    for (slot, h) in carried.iter_mut().zip(held(tx.graph(), me)) {
        *slot = h;
    }
    tx.clear_all(me, LEFT_BEHIND);
    if let Some(r) = to_room {
        tx.add(me, rel::INSIDE, r);
    }
    if !tx.graph().hot(n).room {
        each(tx, n, rel::INSIDE, false, |tx, t| {
            if !tx.graph().hot(t).room {
                tx.add_both(me, rel::CLOSE, t);
            }
        });
        let parts = tx.graph().base().clone();
        for &part in &parts.carried_near {
            tx.add_both(me, rel::CLOSE, part);
        }
        tx.add_both(me, rel::CLOSE, n);
    }
    let carried = carried.into_iter().filter(|h| h.is_some());
    carried.clone().for_each(|h| tx.clear_all(h, LEFT_BEHIND));
    for h in carried {
        tx.add_both(me, rel::CLOSE, h);
        if let Some(r) = from_room {
            tx.add(h, rel::INSIDE, r);
        }
    }
    if tx.graph().hot(n).props.has(prop::CAN_OPEN) {
        each(tx, n, rel::INSIDE, true, |tx, x| {
            tx.add_both(me, rel::CLOSE, x);
        });
    }
    each(tx, n, rel::ON, false, |tx, s| {
        tx.add_both(me, rel::CLOSE, s);
    });
}

/// Calls `act` for every x with `n rel x` (or `x rel n` when `incoming`). Nearness is kept in another list than the
/// relations searched here, so the list does not move while `act` adds it.
fn each(tx: &mut Tx<'_>, n: Ix, rel: Rel, incoming: bool, act: impl Fn(&mut Tx<'_>, Ix)) {
    let mut i = 0;
    while let Some((x, rels)) = tx.graph().neighbour_at(n, rel, incoming, i) {
        if rels.has(rel) {
            act(tx, x);
        }
        i += 1;
    }
}
