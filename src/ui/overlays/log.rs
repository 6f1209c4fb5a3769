//! The log: one line a report, the newest last.

use crate::app::notice::Level;
use crate::app::overlays::log::Log;
use crate::app::role::Role;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{Pane, panes};

/// Draws the log.
pub(super) fn draw(log: &Log, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let lines: Vec<_> = view.shared.notices.lines().collect();
    let frame = Pane::new(canvas.area(), format!("Log {}", lines.len()), true);
    let list = ListView {
        name: "log",
        cursor: log.list.cursor,
        len: lines.len(),
        focused: true,
    };
    let inner = frame.inner();
    let seen = list.seen(view, inner.height);
    panes(canvas, &[frame.corner(seen.corner())]);
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
