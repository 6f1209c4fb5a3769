//! Facts in lines: a label, the fact, a note at the right end.

use ratatui::layout::Rect;

use crate::app::parts::node::sign_of;
use crate::app::parts::why::{Follow, Line};
use crate::app::role::Role;
use crate::base::text;
use crate::ui::canvas::Canvas;
use crate::ui::widgets::list::{ListView, Seen};

/// Columns of the label.
const LABEL: u16 = 10;

/// Draws the lines that are seen.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect, lines: &[Line], list: &ListView, seen: Seen) {
    // Where no line has a label their column is not kept free.
    let left = if lines.iter().any(|line| !line.label.is_empty()) {
        LABEL + 1
    } else {
        1
    };
    let mut canvas = canvas.sub(area);
    let end = canvas.width().saturating_sub(1);
    let shown = lines.get(seen.top..seen.end).unwrap_or_default();
    for (y, (line, at)) in (0..canvas.height()).zip(shown.iter().zip(seen.top..)) {
        canvas.fitted((1, y), LABEL - 1, line.label, Role::Dim);
        let (text, note) = cut(line, usize::from(end.saturating_sub(left)));
        canvas.text(left, y, &text, role(line));
        canvas.right(end, y, &note, Role::Dim);
        if list.focused && at == list.cursor {
            canvas.text(0, y, "▌", Role::Cursor);
            let row = Rect::new(0, y, canvas.width(), 1);
            canvas.restyle(row, Role::Cursor);
        }
    }
}

/// Fact and note cut to the room there is: the fact keeps at least half of it.
fn cut(line: &Line, room: usize) -> (String, String) {
    let (wide, note) = (text::width(&line.text), text::width(&line.note));
    if note == 0 {
        return (text::fit(&line.text, room).into_owned(), String::new());
    }
    if wide + note + 2 <= room {
        return (line.text.clone(), line.note.clone());
    }
    let fact = wide.min((room / 2).max(room.saturating_sub(note + 2)));
    let left = room.saturating_sub(fact + 2);
    (
        text::fit(&line.text, fact).into_owned(),
        text::fit(&line.note, left).into_owned(),
    )
}

fn role(line: &Line) -> Role {
    if let Some(sign) = sign_of(&line.text) {
        return sign.role();
    }
    match line.follow {
        Some(Follow::Do(_)) => Role::Good,
        Some(Follow::Refused(_)) | None => Role::Text,
        Some(
            Follow::Node(_) | Follow::Step(_) | Follow::Goal(_) | Follow::Rule(_) | Follow::Finish,
        ) => Role::Link,
    }
}
