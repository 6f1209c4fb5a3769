//! Texts of any size, a window of lines at a time: what the reader of files hands to the screens.

use std::path::PathBuf;
use std::sync::Arc;

/// Where a text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// In a file.
    File(PathBuf),
    /// In memory: it came out of an archive, or is part of the program.
    Bytes(Arc<[u8]>),
}

/// The beginning of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Its number, from 0.
    pub line: u64,
    /// Its first byte.
    pub offset: u64,
}

/// How many lines there are, and where some of them begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// Lines in all.
    pub lines: u64,
    /// Beginnings of lines, in order, the first line's always among them.
    pub marks: Vec<Mark>,
}

impl Index {
    /// The last known beginning at or before a line.
    pub fn before(&self, line: u64) -> Mark {
        let at = self.marks.partition_point(|mark| mark.line <= line);
        let mark = at.checked_sub(1).and_then(|at| self.marks.get(at));
        mark.copied().unwrap_or_default()
    }
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its text, or as much of it as is kept.
    pub text: String,
    /// Whether there is more of it than is kept.
    pub cut: bool,
}

/// Some lines of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The number of the first, from 0.
    pub first: u64,
    /// The lines.
    pub rows: Vec<Row>,
    /// Whether the text ends with the last of them.
    pub ends: bool,
}

impl Window {
    /// The number of the line after the last.
    pub const fn end(&self) -> u64 {
        self.first + self.rows.len() as u64
    }

    /// A line by its number.
    pub fn row(&self, line: u64) -> Option<&Row> {
        self.rows.get(self.place(line)?)
    }

    /// A line's place in the window.
    pub fn place(&self, line: u64) -> Option<usize> {
        let at = usize::try_from(line.checked_sub(self.first)?).ok()?;
        (at < self.rows.len()).then_some(at)
    }
}

/// Where the words stand in a line, as byte positions: as they are where they have a capital, else whatever the case.
pub fn matches<'a>(line: &'a str, words: &'a str) -> impl Iterator<Item = usize> + 'a {
    let exact = words.chars().any(char::is_uppercase);
    let starts = line.char_indices().map(|(at, _)| at);
    let found = move |at: &usize| {
        let rest = line.get(*at..).unwrap_or_default();
        if exact {
            rest.starts_with(words)
        } else {
            rest.get(..words.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(words))
        }
    };
    let mut next = 0;
    starts
        .filter(found)
        .filter(move |at| {
            let is_apart = *at >= next;
            if is_apart {
                next = at + words.len();
            }
            is_apart
        })
        .take(if words.is_empty() { 0 } else { usize::MAX })
}
