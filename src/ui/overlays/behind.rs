//! The runs behind a row of a report.

use crate::app::layer::Overlaid as _;
use crate::app::overlays::behind::Behind;
use crate::app::role::Role;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{Pane, panes};

/// Draws the list.
pub(super) fn draw(behind: &Behind, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let title = format!("{}  {}", behind.heading(), behind.runs.len());
    let frame = Pane::new(canvas.area(), title, true);
    let list = ListView {
        name: "behind",
        cursor: behind.list.cursor,
        len: behind.runs.len(),
        focused: true,
    };
    let inner = frame.inner();
    let seen = list.seen(view, inner.height);
    panes(canvas, &[frame.corner(seen.corner())]);
    let tasks = behind.runs.iter().map(|one| text::width(&one.task));
    let task = tasks.max().unwrap_or(0).min(24) + 2;
    list.draw(canvas, inner, seen, |at| {
        let Some(one) = behind.runs.get(at) else {
            return Vec::new();
        };
        let role = match (one.succeeds, one.safe) {
            (true, true) => Role::Good,
            (true, false) => Role::Armed,
            _ => Role::Refused,
        };
        let mut spans = vec![
            Span::plain(text::pad(&one.task, task)),
            Span::new(text::pad(one.standing(), 17), role),
            Span::plain(text::pad(&format!("{} deeds", one.deeds), 10)),
            Span::plain(text::pad(&one.end, 16)),
        ];
        for rule in &one.broken {
            spans.push(Span::new(format!("✗{rule}"), Role::Bad));
            spans.push(Span::plain(" "));
        }
        spans
    });
}
