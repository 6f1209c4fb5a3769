//! Where the panes of Play lie.

use ratatui::layout::Rect;

use crate::app::screens::play::game::{Game, Pane};
use crate::ui::Room;

/// The panes with their areas, in the order they are drawn.
pub(super) fn areas(body: Rect, room: Room, game: &Game) -> Vec<(Pane, Rect)> {
    if game.zoomed || room == Room::Single {
        return vec![(game.focus, body)];
    }
    match room {
        Room::Wide => wide(body, game),
        Room::Narrow | Room::Single => narrow(body, game.focus),
    }
}

/// Scene, actions and goals beside each other; what would change below the first two, warnings below the goals.
fn wide(body: Rect, game: &Game) -> Vec<(Pane, Rect)> {
    let Rect { width, height, .. } = body;
    let share = |of: u16| u16::try_from(u32::from(width) * u32::from(of) / 120).unwrap_or(width);
    let right = share(38);
    let left = width - right;
    let scene = share(34);
    let ahead = (height / 5).clamp(4, 12).min(height);
    let upper = height - ahead + 1;
    // The goals take what they need, up to half of the column.
    let goals = super::goals::lines(game, right.saturating_sub(2))
        .len()
        .max(1);
    let goals = u16::try_from(goals + 2).unwrap_or(u16::MAX);
    let goals = goals.clamp(4, (height / 2).max(4)).min(height);
    vec![
        (Pane::Scene, Rect::new(0, 0, scene, upper)),
        (Pane::Actions, Rect::new(scene, 0, left - scene, upper)),
        (Pane::Goals, Rect::new(left, 0, right, goals)),
        (
            Pane::Warnings,
            Rect::new(left, goals - 1, right, height - goals + 1),
        ),
        (Pane::Ahead, Rect::new(0, height - ahead, left, ahead)),
    ]
}

/// Above each other; all but the focused one folded to their most important lines. Goals and warnings share a place.
fn narrow(body: Rect, focus: Pane) -> Vec<(Pane, Rect)> {
    let last = if focus == Pane::Warnings {
        Pane::Warnings
    } else {
        Pane::Goals
    };
    let down = [Pane::Scene, Pane::Actions, Pane::Ahead, last];
    let folded = |pane: Pane| match pane {
        Pane::Actions => 4,
        Pane::Ahead => 3,
        _ => 2,
    };
    let others: u16 = down
        .into_iter()
        .filter(|p| *p != focus)
        .map(|p| folded(p) + 1)
        .sum();
    let open = body.height.saturating_sub(others + 2);
    let mut y = body.y;
    down.into_iter()
        .map(|pane| {
            let lines = if pane == focus { open } else { folded(pane) };
            // Neighbours share a border line.
            let area = Rect::new(body.x, y, body.width, lines + 2);
            y += lines + 1;
            (pane, area)
        })
        .collect()
}
