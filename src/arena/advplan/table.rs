//! Tables as the published code writes them: comma-separated, CRLF, numbers in Python's way (§1).

use std::borrow::Cow;

use crate::arena::advplan::python::{Num, repr};

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Words(Cow<'static, str>),
    /// A number.
    Number(Num),
    /// Yes or no.
    Truth(bool),
}

impl From<f64> for Cell {
    fn from(x: f64) -> Self {
        Self::Number(Num::Float(x))
    }
}

impl From<Num> for Cell {
    fn from(x: Num) -> Self {
        Self::Number(x)
    }
}

impl From<usize> for Cell {
    fn from(n: usize) -> Self {
        Self::Number(Num::Int(i64::try_from(n).unwrap_or(i64::MAX)))
    }
}

impl From<u32> for Cell {
    fn from(n: u32) -> Self {
        Self::Number(Num::Int(i64::from(n)))
    }
}

impl From<u64> for Cell {
    fn from(n: u64) -> Self {
        Self::Number(Num::Int(i64::try_from(n).unwrap_or(i64::MAX)))
    }
}

impl From<bool> for Cell {
    fn from(b: bool) -> Self {
        Self::Truth(b)
    }
}

impl From<&'static str> for Cell {
    fn from(words: &'static str) -> Self {
        Self::Words(Cow::Borrowed(words))
    }
}

impl From<String> for Cell {
    fn from(words: String) -> Self {
        Self::Words(Cow::Owned(words))
    }
}

impl Cell {
    /// As text, not yet quoted.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Words(words) => Cow::Borrowed(words),
            Self::Number(Num::Float(x)) => Cow::Owned(repr(*x)),
            Self::Number(n) => Cow::Owned(n.repr()),
            Self::Truth(true) => Cow::Borrowed("True"),
            Self::Truth(false) => Cow::Borrowed("False"),
        }
    }

    /// As a number; yes counts 1, words count 0.
    pub fn number(&self) -> Num {
        match self {
            Self::Words(_) => Num::Int(0),
            Self::Number(n) => *n,
            Self::Truth(b) => Num::Int(i64::from(*b)),
        }
    }
}

/// A row with the names of its columns.
pub type Row = Vec<(&'static str, Cell)>;

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The file it goes to.
    pub file: &'static str,
    /// The heads.
    pub columns: Vec<&'static str>,
    /// The cells of every row.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table of rows that all name the same columns.
    pub fn new(file: &'static str, rows: impl IntoIterator<Item = Row>) -> Self {
        let mut table = Self {
            file,
            ..Self::default()
        };
        for row in rows {
            if table.columns.is_empty() {
                table.columns = row.iter().map(|(name, _)| *name).collect();
            }
            table
                .rows
                .push(row.into_iter().map(|(_, cell)| cell).collect());
        }
        table
    }

    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| *c == name)
    }

    /// The numbers of a column; none where there is no such column.
    pub fn numbers(&self, name: &str) -> Vec<Num> {
        let Some(at) = self.column(name) else {
            return Vec::new();
        };
        let cells = self.rows.iter().filter_map(|row| row.get(at));
        cells.map(Cell::number).collect()
    }

    /// As CSV.
    pub fn csv(&self) -> String {
        let mut out = self.columns.join(",") + "\r\n";
        for row in &self.rows {
            for (i, cell) in row.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                out.push_str(&quoted(&cell.text()));
            }
            out.push_str("\r\n");
        }
        out
    }
}

/// A field with quotes where it must have them.
fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\r', '\n']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}
