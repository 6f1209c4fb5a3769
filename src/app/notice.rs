//! Notices (one line above the bottom row) and the log that keeps them all.

use std::collections::VecDeque;

use crate::app::msg::Millis;

/// How long a notice stays, in milliseconds; errors stay until the log is opened.
pub const SHOWN_FOR: Millis = 6_000;

/// Lines the log keeps; older ones go.
const LOG_LINES: usize = 500;

/// Notices that may wait; when more come, the oldest goes (the log still has it).
const WAITING: usize = 20;

/// How serious a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Good to know.
    Info,
    /// Something was lost or left out.
    Warn,
    /// Something did not work.
    Error,
}

impl Level {
    /// The word in the log and in `--plain`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Info => "note",
            Self::Warn => "warning",
            Self::Error => "error",
        }
    }
}

/// One sentence to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// How serious it is.
    pub level: Level,
    /// What happened and what to do.
    pub text: String,
    /// The file it speaks of and the line, `PATH:LINE`, where it can be looked at.
    pub at: Option<String>,
}

impl Notice {
    /// A sentence of that level that speaks of no file.
    pub fn new(level: Level, text: impl Into<String>) -> Self {
        Self {
            level,
            text: text.into(),
            at: None,
        }
    }

    /// The same about a place in a file, `PATH:LINE`.
    #[must_use]
    pub fn about(self, at: Option<String>) -> Self {
        Self { at, ..self }
    }

    /// Good to know.
    pub fn info(text: impl Into<String>) -> Self {
        Self::new(Level::Info, text)
    }

    /// Something was lost or left out.
    pub fn warn(text: impl Into<String>) -> Self {
        Self::new(Level::Warn, text)
    }

    /// Something did not work.
    pub fn error(text: impl Into<String>) -> Self {
        Self::new(Level::Error, text)
    }
}

/// The notices that wait to be read, the log, and since when the front one is shown.
#[derive(Debug, Clone, Default)]
pub struct Notices {
    waiting: VecDeque<Notice>,
    since: Millis,
    log: VecDeque<Notice>,
}

impl Notices {
    /// Shows a notice at once and adds it to the log. What is no error and came earlier is out of date now and goes;
    /// errors wait behind it until the log is opened.
    pub fn push(&mut self, notice: Notice, now: Millis) {
        self.log(notice.clone());
        let earlier = self.since < now;
        self.waiting
            .retain(|n| n.text != notice.text && (n.level == Level::Error || !earlier));
        self.since = now;
        self.waiting.truncate(WAITING - 1);
        // What is told at one time is read in its order.
        if earlier {
            self.waiting.push_front(notice);
        } else {
            self.waiting.push_back(notice);
        }
    }

    /// Takes away what was told earlier and is no error: its cause is gone.
    pub fn outdate(&mut self, now: Millis) {
        if self.since < now {
            self.waiting.retain(|n| n.level == Level::Error);
            self.since = now;
        }
    }

    /// Adds a line to the log only.
    pub fn log(&mut self, line: Notice) {
        if self.log.len() >= LOG_LINES {
            self.log.pop_front();
        }
        self.log.push_back(line);
    }

    /// The notice on screen and how many there are with those that wait.
    pub fn front(&self) -> Option<(&Notice, usize)> {
        self.waiting
            .front()
            .map(|notice| (notice, self.waiting.len()))
    }

    /// When the front notice goes, if it goes by itself.
    pub fn deadline(&self) -> Option<Millis> {
        let front = self.waiting.front()?;
        (front.level != Level::Error).then_some(self.since + SHOWN_FOR)
    }

    /// Lets go what has been shown long enough. Whether anything changed.
    pub fn expire(&mut self, now: Millis) -> bool {
        let due = self.deadline().is_some_and(|at| at <= now);
        if due {
            self.waiting.pop_front();
            self.since = now;
        }
        due
    }

    /// Takes every waiting notice away: the log was opened.
    pub fn clear(&mut self) {
        self.waiting.clear();
    }

    /// The file the front notice speaks of and the line, else that of the newest line of the log that speaks of one.
    pub fn place(&self) -> Option<&str> {
        let front = self.waiting.front().and_then(|n| n.at.as_deref());
        let logged = || self.log.iter().rev().find_map(|n| n.at.as_deref());
        front.or_else(logged)
    }

    /// The log, oldest line first.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = &Notice> + DoubleEndedIterator {
        self.log.iter()
    }
}
