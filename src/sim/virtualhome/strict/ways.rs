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
    let mut blocked = None;
    for side in sides(g, n, here)? {
        if g.is_free_way(here, side) {
            return Ok(side);
        }
        blocked = blocked.or(Some(side));
    }
    let door = blocked.and_then(|side| in_the_way(g, here, side));
    let door = door.unwrap_or(n);
    let text = "the closed {1} is in the way to {0}";
    Err(
        Refusal::new(Kind::MissingStep, Pre::PathOpen(n, door), text, [n, door])
            .recording(state_record(door, state::OPEN, false)),
    )
}

/// The rooms from which a node can be touched; of a door's two sides first the one where the agent is: nobody goes
/// through a door to stand before it.
fn sides(g: &Graph, n: Ix, here: Ix) -> Result<impl Iterator<Item = Ix>, Refusal> {
    let doors = &g.base().passages;
    let door = g.hot(n).door.then(|| doors.iter().find(|p| p.door == n));
    let mut rooms = match door.flatten() {
        Some(door) => door.rooms,
        None => [place(g, n).ok_or_else(|| nowhere(n))?; 2],
    };
    if rooms[1] == here {
        rooms.swap(0, 1);
    }
    let both = if rooms[0] == rooms[1] { 1 } else { 2 };
    Ok(rooms.into_iter().take(both))
}

/// The closed door to open first on the way with the fewest closed doors, where no way is free.
fn in_the_way(g: &Graph, from: Ix, to: Ix) -> Option<Ix> {
    let doors = &g.base().passages;
    let open = |p: &Passage| !g.states(p.door).has(state::CLOSED);
    let mut near_side = vec![from];
    spread(doors, &mut near_side, open);
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
