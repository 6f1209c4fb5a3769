//! The check panel: one row an answer, and what the row under the cursor says in full below them.

use ratatui::layout::Rect;

use crate::app::layer::Overlaid as _;
use crate::app::overlays::check::{Check, Stage};
use crate::app::role::Role;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{self, Pane, panes};

/// Rows from which there is room for the words below the list.
const TALL: u16 = 9;

/// Rows of the words, their frame included.
const WORDS: u16 = 6;

/// Draws the panel.
pub(super) fn draw(check: &Check, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let area = canvas.area();
    let rows = check.rows();
    let below = if area.height >= TALL { WORDS - 1 } else { 0 };
    let list_area = Rect::new(0, 0, area.width, area.height - below);
    let frame = Pane::new(list_area, check.heading(), true);
    let list = ListView {
        name: "check",
        cursor: check.list.cursor,
        len: rows.len(),
        focused: true,
    };
    let inner = frame.inner();
    let seen = list.seen(view, inner.height);
    let told_area = Rect::new(0, list_area.height.saturating_sub(1), area.width, WORDS);
    let mut frames = vec![frame.corner(seen.corner())];
    if below > 0 {
        frames.push(Pane::new(told_area, "", false));
    }
    panes(canvas, &frames);
    if below > 0 {
        told(check, &mut canvas.sub(pane::inner(told_area)));
    }
    if rows.is_empty() {
        let words = match &check.stage {
            Stage::Failed(reason) => reason.as_str(),
            _ => "checking …",
        };
        let room = inner.width.saturating_sub(2);
        canvas.sub(inner).fitted((1, 0), room, words, Role::Dim);
        return;
    }
    let width = usize::from(inner.width);
    list.draw(canvas, inner, seen, |at| {
        let Some(row) = rows.get(at) else {
            return Vec::new();
        };
        let (sign, role) = row.sign;
        let words = if role == Role::Dim {
            Role::Dim
        } else {
            Role::Text
        };
        // The note ends at the right border; the claim keeps at least half of the row.
        let room = width.saturating_sub(5);
        let note = text::width(&row.note).min(room / 2);
        vec![
            Span::new(format!("{sign} "), role),
            Span::new(text::pad(row.title, room.saturating_sub(note)), words),
            Span::plain(" "),
            Span::new(text::pad(&row.note, note), Role::Dim),
        ]
    });
}

/// What the row under the cursor says in full, as far as there is room.
fn told(check: &Check, canvas: &mut Canvas<'_>) {
    let cols = usize::from(canvas.width().saturating_sub(2));
    let mut y = 0;
    for line in check.told() {
        for words in text::wrap(&line, cols) {
            if y < canvas.height() {
                canvas.text(1, y, &words, Role::Text);
                y += 1;
            }
        }
    }
}
