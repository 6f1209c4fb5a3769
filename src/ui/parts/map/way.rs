//! The way the agent took, as cells: through doors where there are some, else straight.

use super::grid::{Grid, Wall};

/// A cell.
pub(super) type Cell = (u16, u16);

/// A door between rooms of the grid.
#[derive(Clone, Debug)]
pub(super) struct Passage {
    /// The rooms it leads to, by their place in the grid, each with the cell in that room's wall.
    pub(super) ends: Vec<(usize, Cell)>,
    /// The direction of its wall.
    pub(super) wall: Wall,
}

/// A point of the way; a door is gone through at a right angle to its wall.
#[derive(Clone, Copy, Debug)]
struct Point {
    cell: Cell,
    wall: Option<Wall>,
}

/// The cells from one stop to the next, both left out.
pub(super) fn cells(
    grid: &Grid<'_>,
    passages: &[Passage],
    from: (Cell, Option<usize>),
    to: (Cell, Option<usize>),
) -> Vec<Cell> {
    let mut points = vec![Point {
        cell: from.0,
        wall: None,
    }];
    if let (Some(start), Some(goal)) = (from.1, to.1) {
        for (at, passage) in route(grid.rooms.len(), passages, start, goal) {
            let cells = passage.ends.iter();
            let mut cells: Vec<Cell> = cells.map(|(_, cell)| *cell).collect();
            let entered = passage
                .ends
                .iter()
                .find(|(room, _)| *room == at)
                .map(|(_, c)| *c);
            // Where two rooms have walls of their own the one that is left comes first.
            cells.sort_by_key(|cell| Some(*cell) != entered);
            cells.dedup();
            points.extend(cells.into_iter().map(|cell| Point {
                cell,
                wall: Some(passage.wall),
            }));
        }
    }
    points.push(Point {
        cell: to.0,
        wall: None,
    });
    let mut way = Vec::new();
    for pair in points.windows(2) {
        if let [a, b] = pair {
            way.extend(bent(*a, *b));
            way.push(b.cell);
        }
    }
    way.retain(|cell| *cell != from.0 && *cell != to.0);
    way
}

/// The doors to go through, each with the room it is left from: the fewest.
fn route(rooms: usize, passages: &[Passage], start: usize, goal: usize) -> Vec<(usize, &Passage)> {
    let mut came: Vec<Option<(usize, usize)>> = vec![None; rooms];
    let mut queue = std::collections::VecDeque::from([start]);
    let mut seen = vec![false; rooms];
    if let Some(first) = seen.get_mut(start) {
        *first = true;
    }
    while let Some(room) = queue.pop_front() {
        if room == goal {
            break;
        }
        for (at, passage) in passages.iter().enumerate() {
            if !passage.ends.iter().any(|(end, _)| *end == room) {
                continue;
            }
            for (next, _) in &passage.ends {
                if seen.get(*next) == Some(&false) {
                    seen[*next] = true;
                    came[*next] = Some((room, at));
                    queue.push_back(*next);
                }
            }
        }
    }
    let mut way = Vec::new();
    let mut at = goal;
    while at != start {
        let Some((room, passage)) = came.get(at).copied().flatten() else {
            return Vec::new();
        };
        way.extend(passages.get(passage).map(|p| (room, p)));
        at = room;
    }
    way.reverse();
    way
}

/// The cells between two points, at right angles: a door's wall is left and reached straight.
fn bent(a: Point, b: Point) -> Vec<Cell> {
    let ((ax, ay), (bx, by)) = (a.cell, b.cell);
    let middle = (u16::midpoint(ax, bx), u16::midpoint(ay, by));
    let corners: Vec<Cell> = match (a.wall, b.wall) {
        (Some(Wall::Upright), Some(Wall::Upright)) => vec![(middle.0, ay), (middle.0, by)],
        (Some(Wall::Across), Some(Wall::Across)) => vec![(ax, middle.1), (bx, middle.1)],
        (Some(Wall::Across), _) | (None, Some(Wall::Upright)) => vec![(ax, by)],
        _ => vec![(bx, ay)],
    };
    let mut cells = Vec::new();
    let mut at = a.cell;
    for to in corners.into_iter().chain([b.cell]) {
        // Each leg is straight: one of the two is equal already.
        while at.0 != to.0 {
            at.0 = towards(at.0, to.0);
            cells.push(at);
        }
        while at.1 != to.1 {
            at.1 = towards(at.1, to.1);
            cells.push(at);
        }
    }
    cells
}

fn towards(from: u16, to: u16) -> u16 {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => from + 1,
        std::cmp::Ordering::Equal => from,
        std::cmp::Ordering::Greater => from - 1,
    }
}
