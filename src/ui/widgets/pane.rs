//! A pane: its border, title, and what its corner says.
//!
//! Panes of one screen are drawn together by [`panes`]: they may share border lines (let the areas
//! overlap by one row or column), the focused one is drawn last and its title stands in brackets.

use ratatui::layout::Rect;

use crate::app::filter_line::FilterLine;
use crate::app::role::Role;
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};

/// A pane's frame.
#[derive(Debug, Clone, Default)]
pub struct Pane {
    /// Where it lies, border included.
    pub area: Rect,
    /// Its title: name, `shown of all`, sticky filter.
    pub title: Vec<Span>,
    /// What stands at the right of the title row: the scroll position.
    pub corner: String,
    /// Whether it has the keys.
    pub focused: bool,
}

impl Pane {
    /// A pane with a title.
    pub fn new(area: Rect, title: impl Into<String>, focused: bool) -> Self {
        Self {
            area,
            title: vec![Span::new(title, Role::Title)],
            corner: String::new(),
            focused,
        }
    }

    /// The same pane with something in its corner.
    #[must_use]
    pub fn corner(self, corner: impl Into<String>) -> Self {
        Self {
            corner: corner.into(),
            ..self
        }
    }

    /// The same pane with its filter behind the title: `/word`, with the caret while it is typed.
    #[must_use]
    pub fn filtered(mut self, filter: &FilterLine) -> Self {
        if filter.editing || !filter.is_empty() {
            let (before, after) = filter.edit.halves();
            let caret = if filter.editing { "▏" } else { "" };
            self.title.push(Span::new("  /", Role::Key));
            self.title.push(Span::plain(before));
            self.title.push(Span::new(caret, Role::Title));
            self.title.push(Span::plain(after));
        }
        self
    }

    /// The area inside the border.
    pub const fn inner(&self) -> Rect {
        inner(self.area)
    }
}

/// The area inside the border of an area.
pub const fn inner(area: Rect) -> Rect {
    if area.width < 2 || area.height < 2 {
        return Rect::new(area.x, area.y, 0, 0);
    }
    Rect::new(area.x + 1, area.y + 1, area.width - 2, area.height - 2)
}

/// Draws the frames: all borders first, so that shared lines join, then the titles.
pub fn panes(canvas: &mut Canvas<'_>, panes: &[Pane]) {
    for pane in panes.iter().filter(|pane| !pane.focused) {
        canvas.border(pane.area, Role::Border);
    }
    for pane in panes.iter().filter(|pane| pane.focused) {
        canvas.border(pane.area, Role::BorderFocus);
    }
    for pane in panes {
        title(canvas, pane);
    }
}

fn title(canvas: &mut Canvas<'_>, pane: &Pane) {
    let Rect { x, y, width, .. } = pane.area;
    if width < 6 {
        return;
    }
    let (open, close) = if pane.focused { ("[", "]") } else { (" ", " ") };
    let role = if pane.focused {
        Role::BorderFocus
    } else {
        Role::Border
    };
    let corner = u16::try_from(text::width(&pane.corner)).unwrap_or(u16::MAX);
    // The corner gives way to the title, never the other way round.
    let wanted: usize = pane.title.iter().map(|span| text::width(&span.text)).sum();
    let has_corner = corner > 0 && wanted + usize::from(corner) + 6 <= usize::from(width);
    let room = width - 4 - if has_corner { corner + 2 } else { 0 };
    let at = canvas.text(x + 1, y, open, role);
    let at = canvas.spans((at, y), room, &pane.title);
    canvas.text(at, y, close, role);
    if has_corner {
        let at = canvas.right(x + width - 2, y, &pane.corner, Role::Dim);
        canvas.text(at - 1, y, " ", role);
        canvas.text(x + width - 2, y, " ", role);
    }
}
