//! The log: one line a report, the newest last.

use ratatui::layout::Rect;

use crate::app::notice::Level;
use crate::app::overlays::log::Log;
use crate::app::role::Role;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{self, Pane, panes};
use crate::ui::widgets::paragraph::paragraph;

/// Draws the log.
pub(super) fn draw(log: &Log, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let lines: Vec<_> = view.shared.notices.lines().collect();
    let area = canvas.area();
    // The line under the cursor is told whole below the list, where there is room for both.
    let below = if area.height >= 12 { 5 } else { 0 };
    let list_area = Rect::new(0, 0, area.width, area.height - below);
    let frame = Pane::new(list_area, format!("Log {}", lines.len()), true);
    let list = ListView {
        name: "log",
        cursor: log.list.cursor,
        len: lines.len(),
        focused: true,
    };
    let inner = frame.inner();
    let seen = list.seen(view, inner.height);
    let whole = Rect::new(0, list_area.height.saturating_sub(1), area.width, below + 1);
    let mut frames = vec![frame.corner(seen.corner())];
    if below > 0 {
        frames.push(Pane::new(whole, "Whole line", false));
    }
    panes(canvas, &frames);
    if below > 0
        && let Some(line) = lines.get(log.list.cursor)
    {
        paragraph(canvas, pane::inner(whole), 0, &line.text, Role::Text);
    }
    if lines.is_empty() {
        canvas
            .sub(inner)
            .text(1, 0, "nothing was reported", Role::Dim);
        return;
    }
    list.draw(canvas, inner, seen, |index| {
        let Some(line) = lines.get(index) else {
            return Vec::new();
        };
        let role = match line.level {
            Level::Info => Role::Text,
            Level::Warn => Role::Armed,
            Level::Error => Role::Error,
        };
        vec![
            Span::new(text::pad(line.level.word(), 9), role),
            Span::plain(line.text.clone()),
        ]
    });
}
