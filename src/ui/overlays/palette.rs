//! The palette: what is typed in the title row, the matches below it.

use crate::app::overlays::palette::{Item, Palette};
use crate::app::role::Role;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::line::edit_line;
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{Pane, panes};

/// Draws the palette.
pub(super) fn draw(palette: &Palette, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let rows: Vec<&Item> = palette.rows().collect();
    let count = format!("{} of {}", rows.len(), palette.len());
    let frame = Pane::new(canvas.area(), "Ctrl-P  palette  ", true);
    let list = ListView {
        name: "palette",
        cursor: palette.list.cursor,
        len: rows.len(),
        focused: true,
    };
    let inner = frame.inner();
    let seen = list.seen(view, inner.height);
    panes(canvas, &[frame.corner(count)]);
    let x = edit_line(
        canvas,
        (19, 0),
        canvas.width().saturating_sub(36),
        &palette.edit,
    );
    canvas.text(x, 0, "]", Role::BorderFocus);
    if rows.is_empty() {
        canvas
            .sub(inner)
            .text(1, 0, "nothing matches: Ctrl-U starts again", Role::Dim);
        return;
    }
    let name = rows
        .iter()
        .map(|item| text::width(&item.name))
        .max()
        .unwrap_or(0)
        .min(24);
    let width = usize::from(inner.width);
    list.draw(canvas, inner, seen, |index| {
        rows.get(index)
            .map_or_else(Vec::new, |item| spans(item, name, width))
    });
}

fn spans(item: &Item, name: usize, width: usize) -> Vec<Span> {
    let (sign, role, words) = match item.available.reason() {
        None => (" ", Role::Text, item.text.as_str()),
        Some(why) => ("✗", Role::Dim, why),
    };
    let room = width.saturating_sub(name + 6 + text::width(&item.keys));
    vec![
        Span::new(sign, Role::Refused),
        Span::new(text::pad(&item.name, name), role),
        Span::plain("  "),
        Span::new(text::pad(words, room), role),
        Span::plain(" "),
        Span::new(item.keys.clone(), Role::Key),
    ]
}
