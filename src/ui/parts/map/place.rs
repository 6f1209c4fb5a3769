//! Finding room for labels: the important ones first, each as near to its thing as possible, none over another.

use ratatui::layout::Rect;

use super::way::Cell;

/// Which cells are taken.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    width: u16,
    cells: Vec<Use>,
}

/// What a cell is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Use {
    #[default]
    Free,
    /// The way: covered only where there is no other place.
    Way,
    Label,
}

/// How far a label may stand from its thing, in columns and rows.
const AWAY: (i32, i32) = (9, 2);

impl Taken {
    pub(super) fn new(width: u16, height: u16) -> Self {
        let cells = vec![Use::Free; usize::from(width) * usize::from(height)];
        Self { width, cells }
    }

    fn at(&mut self, (x, y): Cell) -> Option<&mut Use> {
        if x >= self.width {
            return None;
        }
        let at = usize::from(y) * usize::from(self.width) + usize::from(x);
        self.cells.get_mut(at)
    }

    pub(super) fn way(&mut self, cell: Cell) {
        if let Some(free) = self.at(cell).filter(|used| **used == Use::Free) {
            *free = Use::Way;
        }
    }

    pub(super) fn label(&mut self, (x, y): Cell, width: u16) {
        for x in x..x.saturating_add(width) {
            if let Some(used) = self.at((x, y)) {
                *used = Use::Label;
            }
        }
    }

    /// Whether so many cells are free, with one to either side that is no label's.
    fn fits(&mut self, (x, y): Cell, width: u16, over_way: bool) -> bool {
        let sides = [x.checked_sub(1), x.checked_add(width)];
        let beside = sides
            .into_iter()
            .flatten()
            .all(|x| self.at((x, y)).is_none_or(|used| *used != Use::Label));
        beside
            && (x..x.saturating_add(width)).all(|x| {
                self.at((x, y)).is_some_and(|used| match used {
                    Use::Free => true,
                    Use::Way => over_way,
                    Use::Label => false,
                })
            })
    }

    /// A place for a label of that width near a cell, inside an area; it is taken.
    pub(super) fn place(&mut self, near: Cell, width: u16, inside: Rect) -> Option<Cell> {
        let (x, y) = (i32::from(near.0), i32::from(near.1));
        let mut offsets: Vec<(i32, i32)> = (-AWAY.1..=AWAY.1)
            .flat_map(|down| (-AWAY.0..=AWAY.0).map(move |along| (along, down)))
            .collect();
        offsets.sort_by_key(|(along, down)| (along.abs() + 3 * down.abs(), *along, *down));
        for over_way in [false, true] {
            for (along, down) in &offsets {
                let cell = (u16::try_from(x + along), u16::try_from(y + down));
                let (Ok(x), Ok(y)) = cell else { continue };
                let holds = x >= inside.left()
                    && u32::from(x) + u32::from(width) <= u32::from(inside.right())
                    && y >= inside.top()
                    && y < inside.bottom();
                if holds && self.fits((x, y), width, over_way) {
                    self.label((x, y), width);
                    return Some((x, y));
                }
            }
        }
        None
    }

    /// Makes a label wider if the cells behind it are free. Whether they were.
    pub(super) fn widen(&mut self, (x, y): Cell, width: u16, more: u16, inside: Rect) -> bool {
        let from = x + width;
        let ends = u32::from(from) + u32::from(more) <= u32::from(inside.right());
        let free = ends
            && (from..from + more).all(|x| self.at((x, y)).is_some_and(|used| *used == Use::Free))
            && self
                .at((from + more, y))
                .is_none_or(|used| *used != Use::Label);
        if free {
            self.label((from, y), more);
        }
        free
    }
}
