//! Report: what the runs in any folders come to, as the paper's tables, with the printed figures beside ours; as numbers
//! or as bars, each row with the runs behind it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::commands::Command;
use crate::app::glyph;
use crate::app::list::List;
use crate::app::reports::Reported;
use crate::app::screens::{Screen, ScreenDesc};
use crate::eval::table::{Cell, Column, Row, Table};

mod layer;
#[cfg(test)]
mod tests;

/// Commands of Report alone.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "report-runs",
        "runs",
        "List the runs behind the row; Enter there opens one in Inspect.",
    ),
    Command::new(
        "report-next",
        "next table",
        "Show the next table; what is missing comes last.",
    ),
    Command::new("report-previous", "table before", "Show the table before."),
    Command::new(
        "report-plot",
        "bars",
        "Show the column as bars with their intervals, or the numbers again.",
    ),
    Command::new("report-right", "column", "Go one column right."),
    Command::new("report-left", "column left", "Go one column left."),
    Command::new(
        "report-export",
        "export",
        "Ask for a name: a folder for every table, or FILE.html for all of it as one page.",
    ),
    Command::new(
        "report-save",
        "save",
        "Write every table as csv, md, tex, svg and html into a folder; or all of it as one page, FILE.html.",
    )
    .with("FOLDER|FILE.html"),
    Command::new(
        "report-why",
        "why",
        "Show how the number in the column comes about, and which runs count.",
    ),
    Command::new(
        "report-new",
        "new runs",
        "Start the runs that a suite misses, told what they may cost; or a new run.",
    ),
    Command::new("report-again", "read again", "Read the folders anew."),
];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new(
        "report",
        "report",
        "Show what the runs in some folders come to, as tables and bars.",
    )
    .with("[FOLDER…]"),
    open: |args, _| Ok(Screen::Report(Box::new(Report::of(folders(args)?)))),
    contexts: &[&["report", "pane", "list"]],
    glyphs: &[glyph::CURSOR],
    fields: &[],
    example: "] goes to the next table, p shows bars, Enter lists the runs behind a row, E writes the files.",
};

/// How far the report is.
#[derive(Clone, Debug, Default)]
pub enum Stage {
    /// Being read: so many runs of so many.
    #[default]
    Reading,
    /// So many runs of so many are read.
    Partly(u64, u64),
    /// It is there.
    Done(Arc<Reported>),
    /// It cannot be read: why.
    Failed(String),
}

/// The screen.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The folders asked for; the folder of runs where there are none.
    folders: Vec<PathBuf>,
    /// How far it is.
    pub stage: Stage,
    /// Which table is shown; the one after the last tells what is missing.
    pub table: usize,
    /// The row under the cursor.
    pub list: List,
    /// The column under the cursor, among all columns of the table.
    pub column: usize,
    /// Whether the column is shown as bars.
    pub plots: bool,
    /// Whether the table has the whole body.
    pub zoomed: bool,
}

/// Folders as they are typed: words, or what stands between double quotes.
fn folders(args: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for (at, part) in args.split('"').enumerate() {
        if at % 2 == 1 {
            found.push(PathBuf::from(part));
        } else {
            found.extend(part.split_whitespace().map(PathBuf::from));
        }
    }
    if args.matches('"').count() % 2 == 1 {
        return Err("report: a quotation mark is not closed".to_owned());
    }
    Ok(found)
}

impl Report {
    /// The report of these folders, or of the folder of runs where there are none.
    pub fn of(folders: Vec<PathBuf>) -> Self {
        Self {
            folders,
            ..Self::default()
        }
    }

    /// The report, once it is read.
    pub const fn done(&self) -> Option<&Arc<Reported>> {
        match &self.stage {
            Stage::Done(reported) => Some(reported),
            _ => None,
        }
    }

    /// The tables that have rows.
    pub fn tables(&self) -> Vec<&Table> {
        let all = self.done().map(|it| it.told.report.tables.as_slice());
        let all = all.unwrap_or_default();
        all.iter().filter(|table| !table.rows.is_empty()).collect()
    }

    /// The table that is shown; none while the notes are.
    pub fn shown(&self) -> Option<&Table> {
        self.tables().get(self.table).copied()
    }

    /// What is missing or was left out.
    pub fn notes(&self) -> Vec<&str> {
        self.done()
            .map_or_else(Vec::new, |it| it.told.notes().collect())
    }

    /// How many pages there are: the tables, and the notes where there are any.
    pub fn pages(&self) -> usize {
        self.tables().len() + usize::from(!self.notes().is_empty())
    }

    /// The row under the cursor.
    pub fn row(&self) -> Option<&Row> {
        self.shown()?.rows.get(self.list.cursor)
    }

    /// Rows that the cursor may stand on.
    fn rows(&self) -> usize {
        self.shown()
            .map_or_else(|| self.notes().len(), |table| table.rows.len())
    }

    /// The columns bars can be made of: rates.
    pub fn rates(&self) -> Vec<usize> {
        let Some(table) = self.shown() else {
            return Vec::new();
        };
        let is_rate = |at: &usize| {
            let mut cells = table.rows.iter().filter_map(|row| row.cells.get(*at));
            cells.any(|cell| matches!(cell, Cell::Rate { .. }))
        };
        (0..table.columns.len()).filter(is_rate).collect()
    }

    /// The column with the printed figures for a column of ours.
    pub fn printed(&self, column: usize) -> Option<usize> {
        let columns = &self.shown()?.columns;
        let head = &columns.get(column)?.head;
        let wanted = match head.strip_suffix(" macro") {
            Some(what) => format!("paper {what}"),
            None => format!("paper {head}"),
        };
        columns.iter().position(|c| c.head == wanted)
    }

    /// Whether the column has the printed figures of another one.
    pub fn is_printed(&self, column: usize) -> bool {
        let columns = self.shown().map_or(0, |table| table.columns.len());
        (0..columns).any(|ours| self.printed(ours) == Some(column))
    }

    /// Goes to another page and puts the cursor at its beginning.
    fn turn(&mut self, by: isize) {
        let pages = isize::try_from(self.pages()).unwrap_or(1).max(1);
        let at = isize::try_from(self.table).unwrap_or(0);
        self.table = usize::try_from((at + by).rem_euclid(pages)).unwrap_or(0);
        self.list = List::default();
        self.column = self.first_column();
        if self.rates().is_empty() {
            self.plots = false;
        }
    }

    /// The first column of numbers, or of rates while bars are shown.
    fn first_column(&self) -> usize {
        if self.plots
            && let Some(first) = self.rates().first()
        {
            return *first;
        }
        let columns = self.shown().map(|table| table.columns.as_slice());
        let first = columns.and_then(|all| all.iter().position(|c| c.numeric));
        first.unwrap_or(0)
    }

    /// Moves among the columns of numbers, or among the rates while bars are shown.
    fn move_column(&mut self, right: bool) {
        let stops = if self.plots {
            self.rates()
        } else {
            let columns = self.shown().map(|table| table.columns.as_slice());
            let numeric = columns.unwrap_or_default().iter().enumerate();
            numeric
                .filter(|(_, c): &(usize, &Column)| c.numeric)
                .map(|(at, _)| at)
                .collect()
        };
        let now = self.column;
        let to = if right {
            stops.into_iter().find(|at| *at > now)
        } else {
            stops.into_iter().rev().find(|at| *at < now)
        };
        self.column = to.unwrap_or(now);
    }
}
