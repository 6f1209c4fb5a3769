//! A table before it is written in any format.

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// A short name for files: `main`, `risk`.
    pub id: String,
    /// What it shows, as a caption.
    pub title: String,
    /// The heads of the columns.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Row>,
    /// What must be known to read it, one sentence each.
    pub notes: Vec<String>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The head.
    pub head: String,
    /// Whether it holds numbers.
    pub numeric: bool,
}

impl Column {
    /// A column of words.
    pub fn words(head: &str) -> Self {
        Self {
            head: head.to_owned(),
            numeric: false,
        }
    }

    /// A column of numbers.
    pub fn number(head: &str) -> Self {
        Self {
            head: head.to_owned(),
            numeric: true,
        }
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<Cell>,
    /// The runs behind it, by id.
    pub runs: Vec<String>,
    /// Whether too few runs stand behind it to mean much.
    pub few: bool,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Words(String),
    /// A number, with how many digits follow the point.
    Number(f64, usize),
    /// A rate in per cent, with what it counts and, where it was asked for, its interval.
    Rate {
        /// Per cent.
        percent: f64,
        /// How many.
        n: usize,
        /// Of how many.
        of: usize,
        /// The ends of the interval, in per cent.
        interval: Option<(f64, f64)>,
    },
    /// Nothing to count.
    Empty,
}

impl Cell {
    /// As short text: `38.00`, an en dash for nothing.
    pub fn text(&self) -> String {
        match self {
            Self::Words(words) => words.clone(),
            Self::Number(x, digits) => format!("{x:.digits$}"),
            Self::Rate { percent, .. } => format!("{percent:.2}"),
            Self::Empty => "–".to_owned(),
        }
    }
}
