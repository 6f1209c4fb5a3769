//! Play: scene, actions, goals, "if you do this", and what lies over them.

use ratatui::layout::Rect;

use crate::app::role::Role;
use crate::app::screens::play::game::{Game, Pane};
use crate::app::screens::play::{Play, Stage};
use crate::ui::canvas::Canvas;
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

mod actions;
mod ahead;
pub(super) mod floor;
mod goals;
mod layout;
mod scene;
pub(super) mod sheets;
mod warnings;

/// Draws the screen.
pub(super) fn draw(play: &Play, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let words = match &play.stage {
        Stage::Playing(game) => return draw_game(game, view, canvas),
        Stage::Failed(reason) => format!("{reason}\n\nq leaves"),
        Stage::New | Stage::Opening | Stage::Ready(_) => format!("reading {} …", play.name),
    };
    let area = canvas.area();
    let inner = Rect::new(
        2,
        1,
        area.width.saturating_sub(4),
        area.height.saturating_sub(2),
    );
    let mut y = 0;
    for part in words.split('\n') {
        y = paragraph(canvas, inner, y, part, Role::Text).max(y + 1);
    }
}

/// What the pane views need beside the game.
struct Draw<'a> {
    game: &'a Game,
    view: &'a View<'a>,
    /// Whether the pane has the keys.
    focused: bool,
    /// Whether the pane shows its most important facts only.
    folded: bool,
}

fn draw_game(game: &Game, view: &View<'_>, canvas: &mut Canvas<'_>) {
    if let Some(floor) = &game.map {
        return floor::draw(game, floor, view, canvas);
    }
    let top = view.focused && game.sheets.is_empty();
    let areas = layout::areas(canvas.area(), view.room, game);
    let mut frames = Vec::new();
    let mut seen = Vec::new();
    for &(pane, area) in &areas {
        let draw = Draw {
            game,
            view,
            focused: top && game.focus == pane,
            folded: view.room == Room::Narrow && game.focus != pane && !game.zoomed,
        };
        let frame = frame(&draw, pane, area);
        seen.push(draw);
        frames.push(frame);
    }
    panes(canvas, &frames);
    for ((&(pane, _), frame), draw) in areas.iter().zip(&frames).zip(&seen) {
        let mut inner = canvas.sub(frame.inner());
        match pane {
            Pane::Scene => scene::draw(draw, &mut inner),
            Pane::Actions => actions::draw(draw, &mut inner),
            Pane::Goals => goals::draw(draw, &mut inner),
            Pane::Warnings => warnings::draw(draw, &mut inner),
            Pane::Ahead => ahead::draw(draw, &mut inner),
        }
    }
    if let Some(sheet) = game.sheets.last() {
        sheets::draw(game, sheet, view, canvas);
    }
}

fn frame(draw: &Draw<'_>, pane: Pane, area: Rect) -> pane::Pane {
    let height = pane::inner(area).height;
    match pane {
        Pane::Scene => pane::Pane::new(area, scene::title(draw), draw.focused)
            .filtered(&draw.game.scene_filter)
            .corner(scene::corner(draw, height)),
        Pane::Actions => pane::Pane::new(area, actions::title(draw), draw.focused)
            .filtered(&draw.game.actions.filter)
            .corner(actions::corner(draw, height)),
        Pane::Goals => pane::Pane::new(area, goals::title(draw), draw.focused),
        Pane::Warnings => pane::Pane::new(area, warnings::title(draw), draw.focused)
            .corner(warnings::corner(draw, height)),
        Pane::Ahead => pane::Pane::new(area, "If you do this", draw.focused),
    }
}
