//! Where the panes of Play lie.

use ratatui::layout::Rect;

use crate::app::screens::play::game::{Game, PANES, Pane};
use crate::ui::Room;

/// The panes with their areas, in the order they are drawn.
pub(super) fn areas(body: Rect, room: Room, game: &Game) -> Vec<(Pane, Rect)> {
    if game.zoomed || room == Room::Single {
        return vec![(game.focus, body)];
    }
    match room {
        Room::Wide => wide(body),
        Room::Narrow | Room::Single => narrow(body, game.focus),
    }
}

/// Scene, actions and goals beside each other; what would change below the first two.
fn wide(body: Rect) -> Vec<(Pane, Rect)> {
    let Rect { width, height, .. } = body;
    let share = |of: u16| u16::try_from(u32::from(width) * u32::from(of) / 120).unwrap_or(width);
    let right = share(38);
    let left = width - right;
    let scene = share(34);
    let ahead = (height / 5).clamp(4, 12).min(height);
    let upper = height - ahead + 1;
    vec![
        (Pane::Scene, Rect::new(0, 0, scene, upper)),
        (Pane::Actions, Rect::new(scene, 0, left - scene, upper)),
        (Pane::Goals, Rect::new(left, 0, right, height)),
        (Pane::Ahead, Rect::new(0, height - ahead, left, ahead)),
    ]
}

/// From top to bottom in narrow rooms.
const DOWN: [Pane; PANES.len()] = [Pane::Scene, Pane::Actions, Pane::Ahead, Pane::Goals];

/// Above each other; all but the focused one folded to their most important lines.
fn narrow(body: Rect, focus: Pane) -> Vec<(Pane, Rect)> {
    let folded = |pane: Pane| if pane == Pane::Actions { 4 } else { 2 };
    let others: u16 = DOWN
        .into_iter()
        .filter(|p| *p != focus)
        .map(|p| folded(p) + 1)
        .sum();
    let open = body.height.saturating_sub(others + 2);
    let mut y = body.y;
    DOWN.into_iter()
        .map(|pane| {
            let lines = if pane == focus { open } else { folded(pane) };
            // Neighbours share a border line.
            let area = Rect::new(body.x, y, body.width, lines + 2);
            y += lines + 1;
            (pane, area)
        })
        .collect()
}
