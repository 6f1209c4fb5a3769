//! The Warnings pane of Play.

use ratatui::layout::Rect;

use crate::app::parts::warnings::detail;
use crate::app::role::Role;
use crate::app::screens::play::game::Game;
use crate::base::text;
use crate::ui::canvas::Canvas;
use crate::ui::parts::warnings::{WarningsView, head};

use super::{Draw, goals};

/// The title; in narrow rooms the goals share the place and stand in it, too.
pub(super) fn title(draw: &Draw<'_>) -> String {
    let title = draw.game.warnings.title();
    if draw.view.room == crate::ui::Room::Wide {
        title
    } else {
        format!("{title} · {}", goals::title(draw))
    }
}

/// The scroll position.
pub(super) fn corner(draw: &Draw<'_>, height: u16) -> String {
    let quiet = quiet(draw.game);
    view(draw, &quiet).corner(draw.view, height)
}

/// Draws the pane's inside.
pub(super) fn draw(draw: &Draw<'_>, canvas: &mut Canvas<'_>) {
    let quiet = quiet(draw.game);
    view(draw, &quiet).draw(draw.view, canvas);
}

fn quiet(game: &Game) -> String {
    if game.warnings.watched.rules == 0 {
        "no rule speaks of this scene".to_owned()
    } else {
        game.warnings.quiet()
    }
}

fn view<'a>(draw: &Draw<'a>, quiet: &'a str) -> WarningsView<'a> {
    let game = draw.game;
    WarningsView {
        world: game.episode.timeline().world(),
        all: &game.warnings.all,
        rows: &game.warnings.rows,
        cursor: game.warnings.list.cursor,
        quiet,
        name: "play.warnings",
        focused: draw.focused,
    }
}

/// The weightiest warning on one line, with what would break it or since when at the right end.
pub(super) fn worst(game: &Game, y: u16, canvas: &mut Canvas<'_>) {
    let Some(row) = game.warnings.worst() else {
        return;
    };
    let world = game.episode.timeline().world();
    let end = canvas.width().saturating_sub(1);
    let note = match game.warnings.first(row) {
        Some(w) if !w.breaks.is_empty() => {
            detail(world, w).replacen("would break at", "breaks at", 1)
        }
        _ => row.when(),
    };
    let room = usize::from(end / 2);
    let at = canvas.right(end, y, &text::fit(&note, room), Role::Dim);
    head(row, y, &mut canvas.sub(Rect::new(0, 0, at, y + 1)));
}
