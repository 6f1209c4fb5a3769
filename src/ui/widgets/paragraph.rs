//! Running text, wrapped at spaces.

use ratatui::layout::Rect;

use crate::app::role::Role;
use crate::base::text;
use crate::ui::canvas::Canvas;

/// Writes the text into the area from its row `y` on, wrapped; the row after its last line. Lines that do
/// not fit are left out; the last that does then ends with `…`.
pub fn paragraph(canvas: &mut Canvas<'_>, area: Rect, y: u16, words: &str, role: Role) -> u16 {
    let mut canvas = canvas.sub(area);
    let lines = text::wrap(words, usize::from(canvas.width()));
    let room = usize::from(canvas.height().saturating_sub(y));
    let cut = lines.len() > room;
    let mut y = y;
    for (i, line) in lines.iter().take(room).enumerate() {
        if cut && i + 1 == room {
            let more = text::fit(line, usize::from(canvas.width().saturating_sub(1))).into_owned();
            canvas.text(0, y, &format!("{}…", more.trim_end_matches('…')), role);
        } else {
            canvas.text(0, y, line, role);
        }
        y += 1;
    }
    y
}
