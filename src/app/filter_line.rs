//! The filter of a pane: opened with `/`, narrows while typed, sticks after `Enter`, cleared by `Esc`.
//!
//! A layer that has one puts [`FilterLine::contexts`] before its own while it is typed into, passes on
//! text and commands, and asks [`FilterLine::filter`] about its rows. Its view shows it in the pane's
//! title with `ui::widgets::pane::Pane::filtered`.

use crate::app::edit::LineEdit;
use crate::app::fuzzy::Filter;

/// What was typed, and whether it still is being typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilterLine {
    /// The text.
    pub edit: LineEdit,
    /// Whether keys go into it.
    pub editing: bool,
}

/// What a command did to a filter line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The rows may be others now: rank them anew, put the cursor first.
    Rows,
    /// Only how it looks.
    Looks,
}

impl FilterLine {
    /// A filter holding this text, as if it had been typed and kept.
    pub fn new(text: &str) -> Self {
        Self {
            edit: LineEdit::new(text),
            editing: false,
        }
    }

    /// The contexts while it is typed into.
    pub const fn contexts() -> [&'static str; 2] {
        ["filter", "input"]
    }

    /// Whether it narrows anything.
    pub fn is_empty(&self) -> bool {
        self.edit.is_empty()
    }

    /// The filter to ask about rows.
    pub fn filter(&self) -> Filter {
        Filter::new(&self.edit.text())
    }

    /// Types a text.
    pub fn insert(&mut self, text: &str) {
        self.edit.insert(text);
    }

    /// Runs `filter`, a command of the `filter` context, or one of `input` while it is typed into.
    /// `None` if it was none of these.
    pub fn run(&mut self, command: &str) -> Option<Change> {
        match command {
            "filter" => self.editing = true,
            "filter-keep" => self.editing = false,
            "filter-clear" => {
                *self = Self::default();
                return Some(Change::Rows);
            }
            _ if self.editing && self.edit.run(command) => return Some(Change::Rows),
            _ => return None,
        }
        Some(Change::Looks)
    }
}
