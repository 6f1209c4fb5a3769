//! What something is made of.

use crate::app::layer::Overlaid as _;
use crate::app::overlays::computed::Computed;
use crate::app::role::Role;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::Canvas;
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{Pane, panes};

/// Columns a label may take.
const LABEL: usize = 24;

/// Draws the list.
pub(super) fn draw(computed: &Computed, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let frame = Pane::new(canvas.area(), computed.heading(), true);
    let list = ListView {
        name: "computed",
        cursor: computed.list.cursor,
        len: computed.rows.len(),
        focused: true,
    };
    let inner = frame.inner();
    let seen = list.seen(view, inner.height);
    panes(canvas, &[frame.corner(seen.corner())]);
    let labels = computed.rows.iter().map(|row| text::width(&row.label));
    let label = match labels.max().unwrap_or(0).min(LABEL) {
        0 => 0,
        n => n + 2,
    };
    let width = usize::from(inner.width.saturating_sub(2));
    list.draw(canvas, inner, seen, |at| {
        let Some(row) = computed.rows.get(at) else {
            return Vec::new();
        };
        row_spans(row, label, width)
    });
}

/// A row: label, fact, and at the right end its figure, which keeps its room.
pub(in crate::ui) fn row_spans(
    row: &crate::app::overlays::computed::Row,
    label: usize,
    width: usize,
) -> Vec<crate::ui::canvas::Span> {
    use crate::ui::canvas::Span;
    let note = text::width(&row.note);
    let gap = usize::from(note > 0);
    let room = width.saturating_sub(label + note + gap);
    let fact = text::pad(&text::fit(&row.text, room), room);
    let role = match row.role {
        Role::Text if row.run.is_some() => Role::Link,
        role => role,
    };
    let shown = fact.trim_end().to_owned();
    let blank = " ".repeat(room.saturating_sub(text::width(&shown)) + gap);
    vec![
        Span::new(
            text::pad(&text::fit(&row.label, label.saturating_sub(1)), label),
            Role::Dim,
        ),
        Span::new(shown, role),
        Span::plain(blank),
        Span::plain(row.note.clone()),
    ]
}
