//! The command line, on the bottom row: what is typed, then what it could become.

use crate::app::overlays::prompt::Prompt;
use crate::app::role::Role;
use crate::ui::canvas::Canvas;
use crate::ui::widgets::line::edit_line;

/// Draws the command line.
pub(super) fn draw(prompt: &Prompt, canvas: &mut Canvas<'_>) {
    let x = canvas.text(0, 0, ":", Role::Key);
    let half = canvas.width() / 2;
    let x = edit_line(canvas, (x, 0), half, &prompt.edit) + 2;
    let room = canvas.width().saturating_sub(x + 1);
    let matches = prompt.matches();
    let words = match matches.as_slice() {
        [(id, doc)] => format!("{id}: {doc}"),
        several => several
            .iter()
            .map(|(id, _)| id.as_str())
            .collect::<Vec<_>>()
            .join("  "),
    };
    canvas.fitted((x, 0), room, &words, Role::Dim);
}
