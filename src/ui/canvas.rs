//! The only place that writes ratatui cells.
//!
//! Every text passes the sanitiser of [`crate::base::text`] here, so nothing foreign can act on the
//! terminal whatever a view does. Writing is clipped to the canvas, wide characters are never torn, and
//! an area of 0x0 is fine. Coordinates are the canvas' own: (0, 0) is its upper left cell.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use crate::app::glyph;
use crate::app::role::Role;
use crate::app::state::Symbols;
use crate::base::text;
use crate::ui::theme::Theme;

/// A part of the screen that can be written on.
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
    theme: &'a Theme,
    symbols: Symbols,
    /// Where the canvas lies on the screen; always inside the buffer.
    at: Rect,
}

/// A piece of text with its role.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Span {
    /// The words.
    pub text: String,
    /// What they are.
    pub role: Role,
}

impl Span {
    /// A text of that role.
    pub fn new(text: impl Into<String>, role: Role) -> Self {
        Self {
            text: text.into(),
            role,
        }
    }

    /// Ordinary text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(text, Role::Text)
    }
}

impl<'a> Canvas<'a> {
    /// A canvas over the whole buffer.
    pub const fn new(buffer: &'a mut Buffer, theme: &'a Theme, symbols: Symbols) -> Self {
        let at = buffer.area;
        Self {
            buffer,
            theme,
            symbols,
            at,
        }
    }

    /// The canvas' own area; its corner is (0, 0).
    pub const fn area(&self) -> Rect {
        Rect::new(0, 0, self.at.width, self.at.height)
    }

    /// Columns.
    pub const fn width(&self) -> u16 {
        self.at.width
    }

    /// Rows.
    pub const fn height(&self) -> u16 {
        self.at.height
    }

    /// The signs the terminal can show.
    pub const fn symbols(&self) -> Symbols {
        self.symbols
    }

    /// A part of this canvas, cut to it.
    pub fn sub(&mut self, area: Rect) -> Canvas<'_> {
        let moved = Rect {
            x: self.at.x.saturating_add(area.x),
            y: self.at.y.saturating_add(area.y),
            ..area
        };
        let at = self.at.intersection(moved);
        // An empty intersection may lie outside; writing to it is a no-op because it has no cells.
        Canvas {
            buffer: self.buffer,
            theme: self.theme,
            symbols: self.symbols,
            at,
        }
    }

    /// One row of this canvas.
    pub fn row(&mut self, y: u16) -> Canvas<'_> {
        let area = Rect::new(0, y, self.at.width, 1);
        self.sub(area)
    }

    /// Writes a text; the column after its last cell. What does not fit is left out.
    pub fn text(&mut self, x: u16, y: u16, words: &str, role: Role) -> u16 {
        let style = self.theme.style(role);
        let width = self.at.width;
        if y >= self.at.height {
            return x;
        }
        let mut x = x;
        text::each_cell(words, |symbol, w| {
            if u32::from(x) + u32::from(w) > u32::from(width) {
                return false;
            }
            self.put((x, y), symbol, w, style);
            x += u16::from(w);
            true
        });
        x
    }

    /// Writes a text in at most `cols` columns, cut with `…`; the column after its last cell.
    pub fn fitted(&mut self, (x, y): (u16, u16), cols: u16, words: &str, role: Role) -> u16 {
        let cols = cols.min(self.at.width.saturating_sub(x));
        let cut = text::fit(words, usize::from(cols));
        self.text(x, y, &cut, role)
    }

    /// Writes texts one after the other in at most `cols` columns, the last one that fits cut with `…`.
    pub fn spans(&mut self, (x, y): (u16, u16), cols: u16, spans: &[Span]) -> u16 {
        let end = x.saturating_add(cols).min(self.at.width);
        let mut x = x;
        for span in spans {
            if x >= end {
                break;
            }
            x = self.fitted((x, y), end - x, &span.text, span.role);
        }
        x
    }

    /// Writes a text so that it ends before column `end`; the column of its first cell.
    pub fn right(&mut self, end: u16, y: u16, words: &str, role: Role) -> u16 {
        let w = u16::try_from(text::width(words)).unwrap_or(u16::MAX);
        let x = end.min(self.at.width).saturating_sub(w);
        self.text(x, y, words, role);
        x
    }

    /// Clears a part of the canvas.
    pub fn clear(&mut self, area: Rect) {
        let at = self.sub(area).at;
        for y in at.top()..at.bottom() {
            // A wide character that lies over an edge goes with the half that is cleared.
            for edge in [at.left(), at.right().saturating_sub(1)] {
                self.untear(edge, y);
            }
            for x in at.left()..at.right() {
                self.blank(x, y);
            }
        }
    }

    /// Lays a role over what is written in a part of the canvas: the cursor row.
    pub fn restyle(&mut self, area: Rect, role: Role) {
        let style = self.theme.style(role);
        let at = self.sub(area).at;
        for y in at.top()..at.bottom() {
            for x in at.left()..at.right() {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    cell.set_style(style);
                }
            }
        }
    }

    /// Draws the border of an area. Where it meets a border already drawn the lines are joined.
    pub fn border(&mut self, area: Rect, role: Role) {
        let area = area.intersection(self.area());
        if area.width < 2 || area.height < 2 {
            return;
        }
        let (l, r, t, b) = (area.x, area.right() - 1, area.y, area.bottom() - 1);
        for x in l..=r {
            let sides = if x > l { LEFT } else { 0 } | if x < r { RIGHT } else { 0 };
            let ends = x == l || x == r;
            self.line(x, t, sides | if ends { DOWN } else { 0 }, role);
            self.line(x, b, sides | if ends { UP } else { 0 }, role);
        }
        for y in t + 1..b {
            self.line(l, y, UP | DOWN, role);
            self.line(r, y, UP | DOWN, role);
        }
    }

    /// Adds line pieces to a cell.
    fn line(&mut self, x: u16, y: u16, sides: u8, role: Role) {
        let style = self.theme.style(role);
        let (x, y) = (self.at.x + x, self.at.y + y);
        let Some(cell) = self.buffer.cell_mut((x, y)) else {
            return;
        };
        let old = LINES
            .iter()
            .find(|(_, sign)| cell.symbol() == *sign)
            .map_or(0, |(sides, _)| *sides);
        let sides = sides | old;
        let sign = LINES
            .iter()
            .find(|(s, _)| *s == sides)
            .map_or("─", |(_, sign)| *sign);
        cell.set_symbol(sign);
        paint(cell, style);
    }

    /// Turns drawn lines into their ASCII form; called once, when everything is drawn.
    pub fn finish(&mut self) {
        if self.symbols == Symbols::Unicode {
            return;
        }
        for y in self.at.top()..self.at.bottom() {
            for x in self.at.left()..self.at.right() {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    let ascii = match cell.symbol() {
                        "─" => "-",
                        "│" => "|",
                        sign if !sign.is_ascii() => "+",
                        _ => continue,
                    };
                    cell.set_symbol(ascii);
                }
            }
        }
    }

    /// Writes one cell of sanitised text. A wide character half hidden by this one is blanked whole.
    fn put(&mut self, (x, y): (u16, u16), symbol: &str, w: u8, style: Style) {
        let (x, y) = (self.at.x + x, self.at.y + y);
        self.untear(x, y);
        if w == 2 {
            self.untear(x + 1, y);
            self.blank(x + 1, y);
            if let Some(cell) = self.buffer.cell_mut((x + 1, y)) {
                // An empty symbol marks the right half: painters and dumps skip it.
                cell.set_symbol("");
                paint(cell, style);
            }
        }
        let Some(cell) = self.buffer.cell_mut((x, y)) else {
            return;
        };
        match self.symbols {
            Symbols::Unicode => cell.set_symbol(symbol),
            Symbols::Ascii => cell.set_char(stand_in(symbol)),
        };
        paint(cell, style);
        if self.symbols == Symbols::Ascii
            && w == 2
            && let Some(cell) = self.buffer.cell_mut((x + 1, y))
        {
            cell.set_symbol("?");
        }
    }

    /// Blanks both halves of a wide character of which one is about to be overwritten.
    fn untear(&mut self, x: u16, y: u16) {
        let half =
            |buffer: &Buffer, x: u16| buffer.cell((x, y)).is_some_and(|c| c.symbol().is_empty());
        if half(self.buffer, x) && x > 0 {
            self.blank(x - 1, y);
            self.blank(x, y);
        }
        if half(self.buffer, x.saturating_add(1)) {
            self.blank(x + 1, y);
        }
    }

    fn blank(&mut self, x: u16, y: u16) {
        if let Some(cell) = self.buffer.cell_mut((x, y)) {
            cell.reset();
        }
    }
}

/// The ASCII stand-in of a cell; a letter with marks has none.
fn stand_in(symbol: &str) -> char {
    let mut chars = symbol.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => glyph::ascii(c),
        (None, _) => ' ',
        _ => '?',
    }
}

/// Sets a cell's style whole, so that nothing of what was there before shines through.
fn paint(cell: &mut Cell, style: Style) {
    cell.fg = style.fg.unwrap_or(Color::Reset);
    cell.bg = style.bg.unwrap_or(Color::Reset);
    cell.modifier = style.add_modifier;
}

const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

/// Line signs by the sides they reach.
const LINES: &[(u8, &str)] = &[
    (LEFT | RIGHT, "─"),
    (UP | DOWN, "│"),
    (DOWN | RIGHT, "┌"),
    (DOWN | LEFT, "┐"),
    (UP | RIGHT, "└"),
    (UP | LEFT, "┘"),
    (UP | DOWN | RIGHT, "├"),
    (UP | DOWN | LEFT, "┤"),
    (DOWN | LEFT | RIGHT, "┬"),
    (UP | LEFT | RIGHT, "┴"),
    (UP | DOWN | LEFT | RIGHT, "┼"),
];
