//! The map of Play, with the detail of the thing under its cursor beside it where there is room.

use ratatui::layout::Rect;

use crate::app::screens::play::floor::Floor;
use crate::app::screens::play::game::Game;
use crate::app::screens::play::sheets::Sheet;
use crate::ui::canvas::Canvas;
use crate::ui::parts::map;
use crate::ui::widgets::pane::{Pane, panes};
use crate::ui::{Room, View};

use super::sheets;

/// Draws the map, and what lies over it.
pub(super) fn draw(game: &Game, floor: &Floor, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let top = view.focused && game.sheets.is_empty();
    let beside = view.room == Room::Wide && !game.zoomed;
    let (plan, detail) = areas(canvas.area(), beside);
    let frame = Pane::new(plan, floor.view.title(), top);
    let inner = frame.inner();
    panes(canvas, &[frame]);
    map::draw(&floor.view, top, &mut canvas.sub(inner));
    match (game.sheets.last(), detail) {
        (Some(Sheet::Lines(lines)), Some(area)) => {
            sheets::lines_pane(lines, view.focused, area, view, canvas);
        }
        (sheet, area) => {
            if let (Some(area), Some(lines)) = (area, &floor.detail) {
                sheets::lines_pane(lines, false, area, view, canvas);
            }
            if let Some(sheet) = sheet {
                sheets::draw(game, sheet, view, canvas);
            }
        }
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
