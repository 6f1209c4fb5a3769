//! A windowed list: only the rows that are seen are made and drawn.

use ratatui::layout::Rect;

use crate::app::role::Role;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::{View, Window};

/// What a list needs to be drawn.
#[derive(Debug, Clone, Copy)]
pub struct ListView {
    /// Its name, for its scroll position: `tasks.list`.
    pub name: &'static str,
    /// The row under the cursor.
    pub cursor: usize,
    /// Rows in all.
    pub len: usize,
    /// Whether the cursor is shown.
    pub focused: bool,
}

/// The part of a list that is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// The first row.
    pub top: usize,
    /// The row after the last.
    pub end: usize,
    /// Rows in all.
    pub len: usize,
}

impl Seen {
    /// `12–30/161` if something is hidden, otherwise nothing.
    pub fn corner(self) -> String {
        if self.end.saturating_sub(self.top) >= self.len || self.end <= self.top {
            return String::new();
        }
        format!("{}–{}/{}", self.top + 1, self.end, self.len)
    }
}

impl ListView {
    /// The rows seen in a window of that height.
    pub fn seen(&self, view: &View<'_>, height: u16) -> Seen {
        let height = usize::from(height);
        let window = Window {
            cursor: self.cursor,
            len: self.len,
            height,
        };
        let top = view.cache.top(view.place, self.name, window);
        Seen {
            top,
            end: (top + height).min(self.len),
            len: self.len,
        }
    }

    /// Draws the rows `seen`, each made by `row` from its index. The first column is the cursor's own.
    pub fn draw(
        &self,
        canvas: &mut Canvas<'_>,
        area: Rect,
        seen: Seen,
        mut row: impl FnMut(usize) -> Vec<Span>,
    ) {
        let mut canvas = canvas.sub(area);
        let width = canvas.width();
        for (y, index) in (0..canvas.height()).zip(seen.top..seen.end) {
            canvas.spans((1, y), width.saturating_sub(1), &row(index));
            if self.focused && index == self.cursor {
                canvas.text(0, y, "▌", Role::Cursor);
                canvas.restyle(Rect::new(0, y, width, 1), Role::Cursor);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Seen;

    #[test]
    fn a_corner_names_only_what_is_seen() {
        let corner = |top, end, len| Seen { top, end, len }.corner();
        assert_eq!(corner(11, 30, 161), "12–30/161");
        assert_eq!(corner(2, 3, 6), "3–3/6");
        assert_eq!(corner(0, 6, 6), "");
        // No height at all shows nothing: no range, and none that runs backwards.
        assert_eq!(corner(3, 3, 6), "");
        assert_eq!(corner(3, 2, 6), "");
        assert_eq!(corner(0, 0, 0), "");
    }
}
