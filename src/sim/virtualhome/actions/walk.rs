//! Walking to a room or a thing (Evolving Graph §4 WALK).

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Records, Refusal};
use crate::sim::virtualhome::facts::{held, my_room, posture_record, room};
use crate::sim::virtualhome::strict::hold::{bring, need_apart};
use crate::sim::virtualhome::strict::reach::is_floor;
use crate::sim::virtualhome::strict::ways::end_of_walk;
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::{Ix, Profile, Rel, Rels};
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Walk to a room or a thing.
pub(super) const WALK: ActionDef = ActionDef {
    name: "WALK",
    arity: 1,
    doc: "Walk to a room or a thing.",
    unknown: Unknown::Crash,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects: strict_effects,
    },
};

/// What walking breaks off: whatever tied the walker to its place.
const LEFT_BEHIND: Rels = Rels::of(&[rel::INSIDE, rel::CLOSE, rel::FACING]);

/// Standing, in a room, and the target in a room; a target without a room fails without message or code.
pub(super) fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_standing(c)?;
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

/// Code 1 while sitting or lying.
fn need_standing(c: &Ctx<'_>) -> Result<(), Refusal> {
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
    Ok(())
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

/// Standing, not walking to what one carries, and no closed door in the way.
pub(super) fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_standing(c)?;
    need_apart(c, n)?;
    end_of_walk(c, n)?;
    Ok(Pass::YES)
}

/// Moves the agent with what it holds and wears, and their loads. Near is then the target, and what carries or contains
/// it, but for the floor.
pub(super) fn strict_effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    let g = tx.graph();
    let c = Ctx {
        graph: g,
        me,
        profile: Profile::Strict,
    };
    let Ok(room) = end_of_walk(&c, n) else {
        return;
    };
    let mut carried = [Ix::NONE; 2];
    for (slot, h) in carried.iter_mut().zip(held(g, me)) {
        *slot = h;
    }
    tx.clear_all(me, LEFT_BEHIND);
    tx.clear_out(me, rel::ON);
    tx.add(me, rel::INSIDE, room);
    for h in carried.into_iter().filter(|h| h.is_some()) {
        bring(tx, me, h, Some(room));
    }
    // What is brought keeps its place on who wears it, so that list does not move.
    each(tx, me, rel::ON, true, |tx, x| bring(tx, me, x, Some(room)));
    let mut parts = 0;
    while let Some(&part) = tx.graph().base().carried_near.get(parts) {
        bring(tx, me, part, Some(room));
        parts += 1;
    }
    if tx.graph().hot(n).room {
        return;
    }
    tx.add_both(me, rel::CLOSE, n);
    for rel in [rel::ON, rel::INSIDE] {
        each(tx, n, rel, false, |tx, s| {
            if !tx.graph().hot(s).room && !is_floor(tx.graph(), s) {
                tx.add_both(me, rel::CLOSE, s);
            }
        });
    }
}
