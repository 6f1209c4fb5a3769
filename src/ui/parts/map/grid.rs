//! From metres to cells: where rooms, doors, things and the way lie on a canvas of a given size.

use ratatui::layout::Rect;

use crate::app::parts::map::{RoomBox, Spot};

/// The narrowest and lowest room worth drawing, walls included.
const SMALLEST: (u16, u16) = (6, 3);

/// Columns a metre for every row a metre: cells are about twice as high as wide; beyond these it looks wrong.
const SHAPE: (f64, f64) = (1.2, 4.5);

/// The scale and the corner of a plan.
#[derive(Clone, Copy, Debug)]
struct Scale {
    x0: f64,
    z0: f64,
    columns: f64,
    rows: f64,
}

/// A room's box in cells, walls included.
#[derive(Clone, Debug)]
pub(super) struct Cells<'a> {
    /// The room.
    pub(super) room: &'a RoomBox,
    /// Its box.
    pub(super) area: Rect,
}

impl Cells<'_> {
    /// Inside its walls.
    pub(super) const fn inner(&self) -> Rect {
        crate::ui::widgets::pane::inner(self.area)
    }
}

/// A plan laid on a canvas.
#[derive(Clone, Debug)]
pub(super) struct Grid<'a> {
    scale: Scale,
    /// The rooms that are drawn.
    pub(super) rooms: Vec<Cells<'a>>,
}

/// A wall's direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wall {
    /// Left to right.
    Across,
    /// Top to bottom.
    Upright,
}

impl<'a> Grid<'a> {
    /// Lays rooms on an area; `None` if some would be too small to be drawn.
    pub(super) fn fit(rooms: &[&'a RoomBox], width: u16, height: u16) -> Option<Self> {
        let low = |pick: fn(&RoomBox) -> f64| rooms.iter().map(|r| pick(r)).reduce(f64::min);
        let high = |pick: fn(&RoomBox) -> f64| rooms.iter().map(|r| pick(r)).reduce(f64::max);
        let (x0, x1) = (low(|r| r.x.0)?, high(|r| r.x.1)?);
        let (z0, z1) = (low(|r| r.z.0)?, high(|r| r.z.1)?);
        let room = |cells: u16, metres: f64| f64::from(cells.saturating_sub(1)) / metres.max(0.1);
        let (mut columns, mut down) = (room(width, x1 - x0), room(height, z1 - z0));
        columns = columns.min(down * SHAPE.1);
        down = down.min(columns / SHAPE.0);
        let scale = Scale {
            x0,
            z0,
            columns,
            rows: down,
        };
        let rooms: Vec<Cells<'a>> = rooms
            .iter()
            .map(|room| {
                let (left, top) = scale.cell(room.x.0, room.z.0);
                let (right, bottom) = scale.cell(room.x.1, room.z.1);
                let area = Rect::new(left, top, right - left + 1, bottom - top + 1);
                Cells { room, area }
            })
            .collect();
        let all_fit = rooms
            .iter()
            .all(|r| r.area.width >= SMALLEST.0 && r.area.height >= SMALLEST.1);
        all_fit.then_some(Self { scale, rooms })
    }

    /// The cell of a spot.
    pub(super) fn cell(&self, spot: Spot) -> (u16, u16) {
        self.scale.cell(spot.x, spot.z)
    }

    /// The room a spot is drawn in: the one it is said to be in, else the one around it.
    pub(super) fn room(
        &self,
        said: Option<crate::sim::vocab::Ix>,
        spot: Spot,
    ) -> Option<&Cells<'a>> {
        let named = said.and_then(|ix| self.rooms.iter().find(|cells| cells.room.node == ix));
        named.or_else(|| {
            let at = self.cell(spot);
            self.rooms.iter().find(|cells| {
                let inner = cells.area;
                (inner.left()..inner.right()).contains(&at.0)
                    && (inner.top()..inner.bottom()).contains(&at.1)
            })
        })
    }

    /// The cells of a door, one for each room whose wall it is in: the room, the cell, the wall's direction.
    pub(super) fn door(&self, spot: Spot) -> Vec<(usize, (u16, u16), Wall)> {
        let mut found = Vec::new();
        for (at, cells) in self.rooms.iter().enumerate() {
            let room = cells.room;
            let within = |(from, to): (f64, f64), v: f64| v >= from - NEAR && v <= to + NEAR;
            if !(within(room.x, spot.x) && within(room.z, spot.z)) {
                continue;
            }
            let edges = [
                ((spot.x - room.x.0).abs(), Wall::Upright, cells.area.left()),
                (
                    (spot.x - room.x.1).abs(),
                    Wall::Upright,
                    cells.area.right() - 1,
                ),
                ((spot.z - room.z.0).abs(), Wall::Across, cells.area.top()),
                (
                    (spot.z - room.z.1).abs(),
                    Wall::Across,
                    cells.area.bottom() - 1,
                ),
            ];
            let nearest = edges.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, wall, line)) = nearest.filter(|(far, ..)| *far <= NEAR) else {
                continue;
            };
            let inner = cells.inner();
            let (x, y) = self.cell(spot);
            let cell = match wall {
                Wall::Upright => (line, clamp(y, inner.top(), inner.bottom())),
                Wall::Across => (clamp(x, inner.left(), inner.right()), line),
            };
            found.push((at, cell, wall));
        }
        found
    }
}

/// How far from a wall a door in it may stand, in metres.
const NEAR: f64 = 0.4;

impl Scale {
    fn cell(self, x: f64, z: f64) -> (u16, u16) {
        #[expect(clippy::cast_sign_loss, reason = "clamped to what is no less than 0")]
        let to = |v: f64| v.round().clamp(0.0, 4000.0) as u16;
        (
            to((x - self.x0) * self.columns),
            to((z - self.z0) * self.rows),
        )
    }
}

/// A value kept in `from..to`.
pub(super) fn clamp(value: u16, from: u16, to: u16) -> u16 {
    value.min(to.saturating_sub(1)).max(from)
}
