//! A recording for asciinema, version 3 of asciicast: a header line, then a line an event, each with the seconds since the one
//! before. Markers stand where a player's `]` goes to. Only bytes of our own painter are in it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::json;

use crate::app::msg::Size;
use crate::ui::paint;

/// A recording that grows.
#[derive(Debug)]
pub struct Cast {
    lines: String,
    shown: Buffer,
    /// Seconds that nothing was shown, not yet written.
    waited: f64,
}

impl Cast {
    /// An empty recording of a terminal of that size.
    pub fn new(size: Size, title: &str) -> Self {
        let header = json!({
            "version": 3, "term": {"cols": size.w, "rows": size.h, "type": "xterm-256color"},
            "title": title, "command": "vesta",
        });
        let mut cast = Self {
            lines: format!("{header}\n"),
            shown: Buffer::empty(Rect::ZERO),
            waited: 0.0,
        };
        // The cursor is of no use in a picture.
        cast.event("o", "\u{1b}[?25l");
        cast
    }

    fn event(&mut self, code: &str, data: &str) {
        let wait = (self.waited * 1000.0).round() / 1000.0;
        self.waited = 0.0;
        self.lines.push_str(&json!([wait, code, data]).to_string());
        self.lines.push('\n');
    }

    /// Lets time pass.
    pub fn wait(&mut self, seconds: f64) {
        self.waited += seconds;
    }

    /// Sets a marker.
    pub fn mark(&mut self, label: &str) {
        let label: String = label.chars().filter(|c| !c.is_control()).collect();
        self.event("m", &label);
    }

    /// Shows a screen; nothing where it looks as before.
    pub fn show(&mut self, screen: &Buffer) {
        let mut bytes = Vec::new();
        paint::encode(&self.shown, screen, &mut bytes);
        self.shown.clone_from(screen);
        if !bytes.is_empty() {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            self.event("o", &text);
        }
    }

    /// The whole recording, ended in order.
    pub fn end(mut self) -> String {
        self.event("o", "\u{1b}[?25h");
        self.event("x", "0");
        self.lines
    }
}
