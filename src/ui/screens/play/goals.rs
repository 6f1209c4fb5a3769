//! The goals: success, then safety, each with its sign and since when.

use ratatui::layout::Rect;

use crate::app::parts::goals::{self, Line, Row};
use crate::app::role::Role;
use crate::app::screens::play::game::{Game, Pane};
use crate::base::text;
use crate::ui::Room;
use crate::ui::canvas::Canvas;
use crate::ui::widgets::list::ListView;

use super::Draw;

/// The pane's title.
pub(super) fn title(draw: &Draw<'_>) -> String {
    let title = if draw.game.goals.is_empty() {
        "Goals".to_owned()
    } else {
        format!("Goals {}", goals::count(&draw.game.goals))
    };
    // Where there is no pane for them, the warnings stand here.
    let n = draw.game.warnings.speaking().count();
    if draw.view.room == Room::Narrow && draw.game.focus != Pane::Warnings && n > 0 {
        format!("{title} · Warnings {n}")
    } else {
        title
    }
}

/// Draws the pane's inside.
pub(super) fn draw(draw: &Draw<'_>, canvas: &mut Canvas<'_>) {
    let game = draw.game;
    // Where there is no pane for the warnings, their worst stands below the goals.
    let shared = draw.view.room == Room::Narrow && !game.zoomed;
    if shared && game.warnings.worst().is_some() && canvas.height() > 1 {
        let last = canvas.height() - 1;
        super::warnings::worst(game, last, canvas);
        let above = Rect::new(0, 0, canvas.width(), last);
        return goals_only(draw, &mut canvas.sub(above));
    }
    goals_only(draw, canvas);
}

fn goals_only(draw: &Draw<'_>, canvas: &mut Canvas<'_>) {
    let game = draw.game;
    if game.goals.is_empty() {
        canvas.fitted(
            (1, 0),
            canvas.width().saturating_sub(1),
            "this task has no goals to check",
            Role::Dim,
        );
        return;
    }
    if draw.folded {
        return folded(game, canvas);
    }
    let lines = lines(game, canvas.width());
    let list = ListView {
        name: "play.goals",
        cursor: goals::place(&lines, game.goal_list.cursor),
        len: lines.len(),
        focused: draw.focused,
    };
    let seen = list.seen(draw.view, canvas.height());
    let shown = lines.get(seen.top..seen.end).unwrap_or_default();
    for (y, line) in (0..canvas.height()).zip(shown) {
        let at = match line {
            Line::Safety => {
                canvas.text(3, y, "safety", Role::Dim);
                continue;
            }
            Line::More(words, role) => {
                canvas.text(3, y, words, *role);
                continue;
            }
            Line::Goal(at, words) => {
                if let Some(goal) = game.goals.get(*at) {
                    row(canvas, y, goal, (words, &when(game, goal)));
                }
                *at
            }
        };
        if draw.focused && at == game.goal_list.cursor {
            canvas.text(0, y, "▌", Role::Cursor);
            let area = Rect::new(0, y, canvas.width(), 1);
            canvas.restyle(area, Role::Cursor);
        }
    }
}

/// The goals as the lines of a pane of that width.
pub(super) fn lines(game: &Game, width: u16) -> Vec<Line> {
    let cols = usize::from(width.saturating_sub(4));
    let rows = game.goals.iter();
    let rows = rows.map(|row| (row, text::width(&when(game, row))));
    goals::lines(rows, cols, true)
}

/// Since when, and before it what the player has said is wrong with the goal.
fn when(game: &Game, row: &Row) -> String {
    match game.draft.faults.get(&row.goal) {
        Some(fault) => format!("✎ {}  {}", fault.id(), row.when()),
        None => row.when(),
    }
}

fn row(canvas: &mut Canvas<'_>, y: u16, row: &Row, (words, when): (&str, &str)) {
    let end = canvas.width().saturating_sub(1);
    let at = canvas.right(end, y, when, Role::Dim);
    let x = canvas.text(1, y, &row.mark.glyph().sign.to_string(), row.mark.role()) + 1;
    canvas.fitted((x, y), at.saturating_sub(x + 1), words, Role::Text);
}

/// The worst goals, as many as fit.
fn folded(game: &Game, canvas: &mut Canvas<'_>) {
    let worst = goals::worst_first(&game.goals);
    let width = usize::from(canvas.width());
    let (mut x, mut y) = (1_u16, 0_u16);
    for (at, goal) in worst.iter().enumerate() {
        let text = format!("{} {}", goal.short(), goal.when());
        let needed = text::width(&text) + 5;
        if x > 1 && usize::from(x) + needed > width {
            (x, y) = (1, y + 1);
            if y >= canvas.height() {
                let more = format!("+{} more", worst.len() - at);
                canvas.right(
                    canvas.width(),
                    canvas.height().saturating_sub(1),
                    &more,
                    Role::Dim,
                );
                return;
            }
        }
        x = canvas.text(x, y, &goal.mark.glyph().sign.to_string(), goal.mark.role()) + 1;
        let room = canvas.width().saturating_sub(x + 1);
        x = canvas.fitted((x, y), room, &text, Role::Text) + 3;
    }
}
