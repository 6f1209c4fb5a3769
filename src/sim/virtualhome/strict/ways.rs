//! Ways between rooms. A closed door blocks, but only where the scene says how the rooms are joined: between rooms that
//! no chain of doors joins (scenes without doors, open plans) one may walk freely.

use crate::sim::graph::{Graph, Passage};
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::strict::reach::{here, nowhere, place, state_record};
use crate::sim::virtualhome::words::state;
use crate::sim::vocab::Ix;
use crate::sim::world::Ctx;

/// The room in which a walk to `n` ends. A door is reached from either side; any side with a free way will do.
///
/// # Errors
/// The node is in no room, or a closed door is in the way.
pub fn end_of_walk(c: &Ctx<'_>, n: Ix) -> Result<Ix, Refusal> {
    let g = c.graph;
    let here = here(c)?;
    let blocked = |door: Ix| {
        let text = "the closed {1} is in the way to {0}";
        Refusal::new(Kind::MissingStep, Pre::PathOpen(n, door), text, [n, door])
            .recording(state_record(door, state::OPEN, false))
    };
    if let Some(door) = g.base().passages.iter().find(|p| p.door == n) {
        let [a, b] = door.rooms;
        return match (in_the_way(g, here, a), in_the_way(g, here, b)) {
            // The near side first: nobody goes through a door to stand before it.
            (None, _) if here == a => Ok(a),
            (_, None) if here == b => Ok(b),
            (None, _) => Ok(a),
            (_, None) => Ok(b),
            (Some(door), _) => Err(blocked(door)),
        };
    }
    let there = place(g, n).ok_or_else(|| nowhere(n))?;
    match in_the_way(g, here, there) {
        None => Ok(there),
        Some(door) => Err(blocked(door)),
    }
}

/// The closed door to open first on the way with the fewest closed doors; `None` where a way is free, or where the
/// scene does not say how the rooms are joined.
fn in_the_way(g: &Graph, from: Ix, to: Ix) -> Option<Ix> {
    if from == to {
        return None;
    }
    let doors = &g.base().passages;
    let open = |p: &Passage| !g.states(p.door).has(state::CLOSED);
    let mut near_side = vec![from];
    spread(doors, &mut near_side, open);
    if near_side.contains(&to) {
        return None;
    }
    let mut far_side = vec![to];
    loop {
        spread(doors, &mut far_side, open);
        let between = |p: &&Passage| {
            let [a, b] = p.rooms;
            near_side.contains(&a) && far_side.contains(&b)
                || near_side.contains(&b) && far_side.contains(&a)
        };
        if let Some(door) = doors.iter().find(between) {
            return Some(door.door);
        }
        let before = far_side.len();
        let edge = far_side.clone();
        for p in doors {
            let [a, b] = p.rooms;
            for (x, y) in [(a, b), (b, a)] {
                if edge.contains(&x) && !far_side.contains(&y) {
                    far_side.push(y);
                }
            }
        }
        if far_side.len() == before {
            return None;
        }
    }
}

/// Adds every room that passable doors lead to.
fn spread(doors: &[Passage], rooms: &mut Vec<Ix>, passable: impl Fn(&Passage) -> bool) {
    loop {
        let before = rooms.len();
        for p in doors.iter().filter(|p| passable(p)) {
            let [a, b] = p.rooms;
            match (rooms.contains(&a), rooms.contains(&b)) {
                (true, false) => rooms.push(b),
                (false, true) => rooms.push(a),
                _ => {}
            }
        }
        if rooms.len() == before {
            return;
        }
    }
}
