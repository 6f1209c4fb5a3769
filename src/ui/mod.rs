//! What the state looks like: reads [`crate::app::state::State`], writes cells, never changes state.
//!
//! Entry point: [`draw`]. Everything is written through [`canvas::Canvas`], the only place that touches
//! ratatui cells and therefore the only place where foreign text is made safe. No ratatui widget is
//! used: those that exist let bidirectional and zero-width characters through.
//!
//! A screen's view is one function `draw(&TheScreen, &View, &mut Canvas)` in `ui/screens`; it is given
//! the body only. Title bar, bottom row, notices and overlays are drawn by [`frame`].

pub mod canvas;
pub mod cast;
pub mod dump;
pub mod frame;
pub mod overlays;
pub mod paint;
pub mod parts;
pub mod picture;
pub mod screens;
pub mod theme;
pub mod widgets;

use std::cell::RefCell;
use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::msg::Size;
use crate::app::state::{Shared, State};

/// How much room a screen has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Room {
    /// Below 80x24: the focused pane alone, without decoration.
    Single,
    /// Below 100 columns: panes above each other, the unfocused ones folded to a line or two.
    Narrow,
    /// Panes beside each other.
    Wide,
}

impl Room {
    /// The room a terminal of this size gives.
    pub const fn of(size: Size) -> Self {
        if size.w < 80 || size.h < 24 {
            Self::Single
        } else if size.w < 100 {
            Self::Narrow
        } else {
            Self::Wide
        }
    }
}

/// Scroll positions: where each list's window stood when it was last drawn. Not state: never compared,
/// never saved, and a lost one only means the window is placed anew.
#[derive(Debug, Clone, Default)]
pub struct ViewCache {
    tops: RefCell<BTreeMap<(u64, &'static str), usize>>,
}

/// Rows kept visible above and below the cursor.
const CONTEXT: usize = 3;

impl ViewCache {
    /// The first row to show of the list `name` at a place: moved as little as possible so that the cursor
    /// stands inside the window with a few rows around it.
    pub fn top(&self, place: u64, name: &'static str, window: Window) -> usize {
        let Window {
            cursor,
            len,
            height,
        } = window;
        let mut tops = self.tops.borrow_mut();
        let top = tops.entry((place, name)).or_insert(0);
        let around = CONTEXT.min(height.saturating_sub(1) / 2);
        let cursor = cursor.min(len.saturating_sub(1));
        *top = (*top)
            .min(cursor.saturating_sub(around))
            .max((cursor + around + 1).saturating_sub(height))
            .min(len.saturating_sub(height));
        *top
    }
}

/// What a list's window needs to know.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// The row under the cursor.
    pub cursor: usize,
    /// Rows in all.
    pub len: usize,
    /// Rows that fit.
    pub height: usize,
}

/// What a view is given beside its screen.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// What every layer may read.
    pub shared: &'a Shared,
    /// Scroll positions.
    pub cache: &'a ViewCache,
    /// The number of the place, for scroll positions.
    pub place: u64,
    /// How much room there is.
    pub room: Room,
    /// Whether the screen has the keys, or an overlay has.
    pub focused: bool,
}

/// Draws the whole screen. The buffer is made as large as the state says the terminal is.
pub fn draw(state: &State, theme: &theme::Theme, cache: &ViewCache, buffer: &mut Buffer) {
    let size = state.shared.size;
    buffer.resize(Rect::new(0, 0, size.w, size.h));
    buffer.reset();
    let mut canvas = canvas::Canvas::new(buffer, theme, state.shared.look.symbols);
    frame::draw(state, cache, &mut canvas);
}

/// Draws into a new buffer: for tests, `--plain --size` and exports.
pub fn render(state: &State) -> Buffer {
    let mut buffer = Buffer::default();
    let theme = theme::Theme::shipped(state.shared.look.colours);
    draw(state, &theme, &ViewCache::default(), &mut buffer);
    buffer
}

#[cfg(test)]
mod tests;
