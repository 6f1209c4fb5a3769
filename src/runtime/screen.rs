//! The painter: keeps what the terminal shows, writes only what differs, in one write a frame.

use std::io;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::state::{Colours, State};
use crate::runtime::terminal;
use crate::ui::theme::Theme;
use crate::ui::{self, ViewCache, paint};

/// What the terminal shows, and what it is to show next.
pub struct Painter {
    colours: Colours,
    theme: Theme,
    cache: ViewCache,
    shown: Buffer,
    next: Buffer,
    bytes: Vec<u8>,
}

impl Painter {
    /// A painter that knows nothing of the terminal yet.
    pub fn new(colours: Colours) -> Self {
        Self {
            colours,
            theme: Theme::shipped(colours),
            cache: ViewCache::default(),
            shown: Buffer::empty(Rect::ZERO),
            next: Buffer::empty(Rect::ZERO),
            bytes: Vec::with_capacity(16 * 1024),
        }
    }

    /// Forgets what the terminal shows: the next frame clears it and draws everything.
    pub fn forget(&mut self) {
        self.shown = Buffer::empty(Rect::ZERO);
    }

    /// Draws the state. Writes nothing if nothing looks different.
    pub fn paint(&mut self, state: &State) -> io::Result<()> {
        let colours = state.shared.look.colours;
        if colours != self.colours {
            (self.colours, self.theme) = (colours, Theme::shipped(colours));
        }
        ui::draw(state, &self.theme, &self.cache, &mut self.next);
        self.bytes.clear();
        paint::encode(&self.shown, &self.next, &mut self.bytes);
        std::mem::swap(&mut self.shown, &mut self.next);
        if self.bytes.is_empty() {
            Ok(())
        } else {
            terminal::write(&self.bytes)
        }
    }
}
