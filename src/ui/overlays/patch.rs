//! A change to a task file: what goes, what comes, and a few lines around.

use crate::app::layer::Overlaid as _;
use crate::app::overlays::patch::{Patch, Stage};
use crate::app::role::Role;
use crate::formats::task::patch::DiffLine;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{Pane, panes};

/// Draws the change.
pub(super) fn draw(patch: &Patch, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let frame = Pane::new(canvas.area(), patch.heading(), true);
    let list = ListView {
        name: "patch",
        cursor: patch.list.cursor,
        len: patch.lines.len(),
        focused: true,
    };
    let inner = frame.inner();
    let seen = list.seen(view, inner.height);
    panes(canvas, &[frame.corner(seen.corner())]);
    if patch.lines.is_empty() {
        let words = match &patch.stage {
            Stage::Failed(reason) => reason.as_str(),
            _ => "reading the file …",
        };
        let room = inner.width.saturating_sub(2);
        canvas.sub(inner).fitted((1, 0), room, words, Role::Dim);
        return;
    }
    list.draw(canvas, inner, seen, |at| {
        patch.lines.get(at).map_or_else(Vec::new, |line| {
            let role = match line {
                DiffLine::Place(_) => Role::Dim,
                DiffLine::Same(_) => Role::Text,
                DiffLine::Old(_) => Role::Del,
                DiffLine::New(_) => Role::Add,
            };
            vec![Span::new(line.text(), role)]
        })
    });
}
