//! A line of text being edited, with its caret kept in sight.

use crate::app::edit::LineEdit;
use crate::app::role::Role;
use crate::base::text;
use crate::ui::canvas::Canvas;

/// Draws the line from `(x, y)` in at most `cols` columns: the end of what stands before the caret, the
/// caret, the beginning of what stands after it.
pub fn edit_line(canvas: &mut Canvas<'_>, (x, y): (u16, u16), cols: u16, line: &LineEdit) -> u16 {
    let (before, after) = line.halves();
    let room = usize::from(cols.saturating_sub(1));
    let mut shown = text::clean(&before).into_owned();
    while text::width(&shown) > room {
        shown.remove(0);
    }
    let x = canvas.text(x, y, &shown, Role::Text);
    let x = canvas.text(x, y, "▏", Role::Title);
    let left = room.saturating_sub(text::width(&shown));
    canvas.fitted(
        (x, y),
        u16::try_from(left).unwrap_or(u16::MAX),
        &after,
        Role::Text,
    )
}
