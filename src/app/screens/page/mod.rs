//! File: a text shown with line numbers, coloured by what its words are, searched, opened at a line. Only a window of it
//! is in memory; readers and painters are jobs, and until they answer the plain text is shown.

use std::sync::Arc;

use crate::app::commands::{Availability, Command};
use crate::app::filter_line::FilterLine;
use crate::app::glyph;
use crate::app::jobs::Job;
use crate::app::layer::Act;
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::pages::{Ask, Opened, PageJob, around};
use crate::app::screens::{Screen, ScreenDesc};
use crate::formats::page::{Index, Window};
use crate::formats::syntax::{self, LONGEST, Piece};

mod layer;
#[cfg(test)]
mod tests;

/// Commands of the screen alone.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "find-next",
        "next match",
        "Go to the next line with the words.",
    ),
    Command::new(
        "find-previous",
        "match before",
        "Go to the line with the words before this one.",
    ),
    Command::new("line", "line", "Go to a line by its number.").with("NUMBER"),
    Command::new("scroll-left", "left", "Show what is cut off on the left."),
    Command::new(
        "scroll-right",
        "right",
        "Show what is cut off on the right.",
    ),
];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new(
        "file",
        "file",
        "Show a file: a path, or that of a task, its scene, a run.",
    )
    .with("PATH[:LINE] | task ID | scene ID | run ID [events|header|notes|scene]"),
    open: |args, _| Ask::parse(args).map(|ask| Screen::Page(Box::new(Page::asked(ask)))),
    contexts: &[&["page", "pane", "list"], &["filter", "input"]],
    glyphs: &[glyph::CURSOR, glyph::FALSE],
    fields: &[],
    example: "/ looks for words, n goes on to the next line that has them, :line 14 to a line.",
};

/// The screen.
#[derive(Debug, Clone)]
pub struct Page {
    /// What was asked for.
    pub ask: Ask,
    /// How far it is.
    pub stage: Stage,
}

/// How far opening is.
#[derive(Debug, Clone)]
pub enum Stage {
    /// Not asked for yet, or being read.
    Opening,
    /// It cannot be shown: why.
    Failed(String),
    /// It is shown.
    Open(Box<Text>),
}

/// A text that is shown.
#[derive(Debug, Clone)]
pub struct Text {
    /// What was found, with the lines that are in memory.
    pub opened: Opened,
    /// The pieces of those lines, once they are painted.
    pub painted: Option<Arc<Vec<Vec<Piece>>>>,
    /// How many lines there are, once they are counted.
    pub index: Option<Arc<Index>>,
    /// The line under the cursor, from 0.
    pub cursor: u64,
    /// Columns cut off on the left.
    pub left: usize,
    /// What is looked for.
    pub find: FilterLine,
    /// The line the search began at.
    from: u64,
    /// Whether the words are nowhere in the text.
    pub missing: bool,
}

/// Columns a horizontal move goes.
const ACROSS: usize = 8;

/// Columns that can be reached at most; no line is kept further.
const FARTHEST: usize = 16 << 10;

/// Lines before the end of the window at which the next is asked for.
const NEAR: u64 = 150;

/// The slots of the jobs.
const OPEN: &str = "open";
const READ: &str = "read";
const INDEX: &str = "index";
const FIND: &str = "find";
const PAINT: &str = "paint";

impl Page {
    /// A text to be opened.
    pub const fn asked(ask: Ask) -> Self {
        Self {
            ask,
            stage: Stage::Opening,
        }
    }

    /// The text, once it is open.
    pub const fn text(&self) -> Option<&Text> {
        match &self.stage {
            Stage::Open(text) => Some(text),
            _ => None,
        }
    }

    const fn text_mut(&mut self) -> Option<&mut Text> {
        match &mut self.stage {
            Stage::Open(text) => Some(text),
            _ => None,
        }
    }
}

impl Text {
    /// A text as it was found, and what is to be done about it.
    fn new(opened: Opened) -> (Self, Vec<Act>) {
        let text = Self {
            cursor: opened.line,
            from: opened.line,
            opened,
            painted: None,
            index: None,
            left: 0,
            find: FilterLine::default(),
            missing: false,
        };
        let mut acts: Vec<Act> = text.paint().into_iter().collect();
        acts.push(Act::Job(
            INDEX,
            Job::Page(PageJob::Index(text.opened.body.clone())),
        ));
        let fault = text.opened.fault.clone();
        acts.extend(fault.map(|fault| Act::Notice(Notice::warn(fault))));
        (text, acts)
    }

    /// The lines in memory.
    pub fn window(&self) -> &Window {
        &self.opened.window
    }

    /// The language the text is painted by.
    pub fn language(&self) -> Option<&'static str> {
        syntax::language(&self.opened.name)
    }

    /// Why not every line has colours, if that is so for good.
    pub fn plain_for(&self) -> Option<&'static str> {
        let long = |row: &crate::formats::page::Row| row.cut || row.text.len() > LONGEST;
        match self.language() {
            None => Some("no colours for this kind"),
            Some(_) if self.window().rows.iter().any(long) => Some("long lines plain"),
            Some(_) => None,
        }
    }

    /// How many lines there are, as far as that is known.
    pub fn lines(&self) -> Option<u64> {
        let counted = self.index.as_ref().map(|index| index.lines);
        counted.or_else(|| self.window().ends.then(|| self.window().end()))
    }

    fn paint(&self) -> Option<Act> {
        let job = PageJob::Paint {
            language: self.language()?,
            window: Arc::clone(&self.opened.window),
        };
        Some(Act::Job(PAINT, Job::Page(job)))
    }

    /// Lines have been read: they are the ones in memory now.
    fn read(&mut self, window: Arc<Window>) -> Vec<Act> {
        self.opened.window = window;
        self.painted = None;
        self.cursor = self.cursor.min(self.last());
        self.paint().into_iter().collect()
    }

    /// The last line that is known of.
    fn last(&self) -> u64 {
        let known = self.lines().unwrap_or_else(|| self.window().end());
        known.saturating_sub(1)
    }

    /// Puts the cursor on a line and asks for the lines around it if they are not in memory.
    fn go(&mut self, line: u64) -> Vec<Act> {
        self.cursor = line.min(self.last());
        let window = self.window();
        let above = window.first > 0 && self.cursor < window.first + NEAR;
        let below = !window.ends && self.cursor + NEAR >= window.end();
        if !above && !below {
            return Vec::new();
        }
        let job = PageJob::Read {
            body: self.opened.body.clone(),
            index: self.index.clone(),
            first: around(self.cursor),
        };
        vec![Act::Job(READ, Job::Page(job))]
    }

    /// Runs a command of a list on the lines; `None` if it is none.
    fn move_cursor(&mut self, command: &str, page: usize) -> Option<Vec<Act>> {
        let as_len = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let mut list = List {
            cursor: as_len(self.cursor),
        };
        let len = as_len(self.last().saturating_add(1));
        list.run(command, len, page)
            .then(|| self.go(list.cursor as u64))
    }

    /// Looks for the words from a line on.
    fn look_for(&self, from: u64, forward: bool) -> Vec<Act> {
        let words = self.find.edit.text();
        if words.is_empty() {
            return Vec::new();
        }
        let job = PageJob::Find {
            body: self.opened.body.clone(),
            words,
            from,
            forward,
        };
        vec![Act::Job(FIND, Job::Page(job))]
    }

    /// The words were found, or not.
    fn found(&mut self, line: Option<u64>) -> Vec<Act> {
        self.missing = line.is_none();
        match line {
            Some(line) => {
                // Found in what was read by others: there is at least this line.
                self.cursor = line;
                self.go_known(line)
            }
            None => Vec::new(),
        }
    }

    /// As [`Self::go`], for a line that exists although it may not be counted yet.
    fn go_known(&mut self, line: u64) -> Vec<Act> {
        if self.window().place(line).is_some() {
            return self.go(line);
        }
        let job = PageJob::Read {
            body: self.opened.body.clone(),
            index: self.index.clone(),
            first: around(line),
        };
        self.cursor = line;
        vec![Act::Job(READ, Job::Page(job))]
    }

    fn scroll(&mut self, right: bool) {
        self.left = if right {
            (self.left + ACROSS).min(FARTHEST)
        } else {
            self.left.saturating_sub(ACROSS)
        };
    }

    fn when_find(&self) -> Availability {
        Availability::when(!self.find.is_empty(), "nothing is looked for: / looks")
    }
}
