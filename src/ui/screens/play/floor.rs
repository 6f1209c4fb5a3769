//! The map of Play, with the detail of the thing under its cursor beside it where there is room.

use ratatui::layout::Rect;

use crate::app::screens::play::floor::Floor;
use crate::app::screens::play::game::Game;
use crate::app::screens::play::sheets::{Lines, Sheet};
use crate::ui::canvas::Canvas;
use crate::ui::parts::map;
use crate::ui::widgets::pane::{Pane, panes};
use crate::ui::{Room, View};

use super::sheets;

/// Draws the map of Play, and what lies over it.
pub(super) fn draw(game: &Game, floor: &Floor, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let over = match game.sheets.last() {
        None => Over::Nothing,
        Some(Sheet::Lines(lines)) => Over::Lines(lines),
        Some(_) => Over::Other,
    };
    plan(floor, (over, game.zoomed), view, canvas);
    if let (Over::Other, Some(sheet)) = (over, game.sheets.last()) {
        sheets::draw(game, sheet, view, canvas);
    }
}

/// What lies over a map.
#[derive(Clone, Copy)]
pub(in crate::ui::screens) enum Over<'a> {
    /// Nothing: the map has the keys.
    Nothing,
    /// Facts in lines: they take the place of the detail.
    Lines(&'a Lines),
    /// Something that is drawn over it by whoever knows it.
    Other,
}

/// Draws a map with its detail, or with the facts that lie over it.
pub(in crate::ui::screens) fn plan(
    floor: &Floor,
    (over, zoomed): (Over<'_>, bool),
    view: &View<'_>,
    canvas: &mut Canvas<'_>,
) {
    let top = view.focused && matches!(over, Over::Nothing);
    let beside = view.room == Room::Wide && !zoomed;
    let (plan, detail) = areas(canvas.area(), beside);
    let frame = Pane::new(plan, floor.view.title(), top);
    let inner = frame.inner();
    panes(canvas, &[frame]);
    map::draw(&floor.view, top, &mut canvas.sub(inner));
    match (over, detail) {
        (Over::Lines(lines), Some(area)) => {
            sheets::lines_pane(lines, view.focused, area, view, canvas);
        }
        (Over::Lines(lines), None) => sheets::lines(lines, view, canvas),
        (_, Some(area)) => {
            if let Some(lines) = &floor.detail {
                sheets::lines_pane(lines, false, area, view, canvas);
            }
        }
        (_, None) => {}
    }
}

/// The map and the detail beside it.
fn areas(body: Rect, beside: bool) -> (Rect, Option<Rect>) {
    if !beside {
        return (body, None);
    }
    let right = (body.width * 2 / 5).min(64);
    let left = body.width - right;
    let detail = Rect::new(left, 0, right, body.height);
    (Rect::new(0, 0, left, body.height), Some(detail))
}
