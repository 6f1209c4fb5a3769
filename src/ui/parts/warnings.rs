//! Warnings as a pane shows them: the weightiest first, a second line for what would break them, and below how many
//! rules have nothing to say.

use ratatui::layout::Rect;

use crate::app::parts::warnings::{Row, detail};
use crate::app::role::Role;
use crate::base::text;
use crate::sim::world::World;
use crate::task::episode::Warning;
use crate::ui::View;
use crate::ui::canvas::Canvas;
use crate::ui::widgets::list::{ListView, Seen};

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub struct WarningsView<'a> {
    /// The world the warnings speak of.
    pub world: &'a World,
    /// The warnings.
    pub all: &'a [Warning],
    /// The rows made from them.
    pub rows: &'a [Row],
    /// The row under the cursor.
    pub cursor: usize,
    /// What stands below: how many rules have nothing to say.
    pub quiet: &'a str,
    /// The name of the list, for its scroll position.
    pub name: &'static str,
    /// Whether it has the keys.
    pub focused: bool,
}

impl WarningsView<'_> {
    /// Per line: its row, and whether it is the second; and the line of the cursor's row. A row has a second line where
    /// all of them have room for it, or the cursor.
    fn lines(&self, height: usize) -> (Vec<(usize, bool)>, usize) {
        let roomy = self.rows.len() * 2 <= height;
        let mut lines = Vec::with_capacity(self.rows.len() * 2);
        let mut cursor = 0;
        for at in 0..self.rows.len() {
            if at == self.cursor {
                cursor = lines.len();
            }
            lines.push((at, false));
            if roomy || (self.focused && at == self.cursor) {
                lines.push((at, true));
            }
        }
        (lines, cursor)
    }

    fn seen(&self, view: &View<'_>, height: u16) -> (Vec<(usize, bool)>, Seen) {
        let (lines, cursor) = self.lines(usize::from(height));
        let list = ListView {
            name: self.name,
            cursor,
            len: lines.len(),
            focused: self.focused,
        };
        let seen = list.seen(view, height);
        (lines, seen)
    }

    /// The scroll position, for the corner of a pane of that height.
    pub fn corner(&self, view: &View<'_>, height: u16) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        self.seen(view, list_height(height)).1.corner()
    }

    /// Draws the inside of the pane.
    pub fn draw(&self, view: &View<'_>, canvas: &mut Canvas<'_>) {
        let width = canvas.width();
        let last = canvas.height().saturating_sub(1);
        if last > 0 || self.rows.is_empty() {
            canvas.fitted((1, last), width.saturating_sub(1), self.quiet, Role::Dim);
        }
        let height = list_height(canvas.height());
        let (lines, seen) = self.seen(view, height);
        let shown = lines.get(seen.top..seen.end).unwrap_or_default();
        for (y, &(at, second)) in (0..height).zip(shown) {
            let Some(row) = self.rows.get(at) else {
                continue;
            };
            if second {
                self.second(row, y, canvas);
            } else {
                head(row, y, canvas);
            }
            if self.focused && at == self.cursor {
                if !second {
                    canvas.text(0, y, "▌", Role::Cursor);
                }
                canvas.restyle(Rect::new(0, y, width, 1), Role::Cursor);
            }
        }
    }

    /// What would break it, and since when it stands so where both fit.
    fn second(&self, row: &Row, y: u16, canvas: &mut Canvas<'_>) {
        let first = row.members.first().and_then(|&at| self.all.get(at));
        let words = first.map_or_else(String::new, |w| detail(self.world, w));
        let end = canvas.width().saturating_sub(1);
        let when = row.when();
        let both = text::width(&words) + text::width(&when) + 6 <= usize::from(end);
        let at = if both || words.is_empty() {
            canvas.right(end, y, &when, Role::Dim)
        } else {
            end + 1
        };
        canvas.fitted((3, y), at.saturating_sub(4), &words, Role::Dim);
    }
}

/// How many lines of a pane the rows have: all but the last, which says how many rules have nothing to say.
fn list_height(height: u16) -> u16 {
    height.saturating_sub(1).max(1).min(height)
}

/// `◇ F05 !4 no metal in a running microwave`, and since when where there is room.
pub fn head(row: &Row, y: u16, canvas: &mut Canvas<'_>) {
    let end = canvas.width().saturating_sub(1);
    let role = if row.muted { Role::Dim } else { Role::Text };
    let x = canvas.text(1, y, &row.sign(), row.role()) + 1;
    let weight = format!("{} !{} ", row.rule.id, row.rule.severity);
    let x = canvas.text(x, y, &weight, role);
    canvas.fitted((x, y), end.saturating_sub(x), &row.words(), role);
}
