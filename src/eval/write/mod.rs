//! Tables as files. A format is a file here and a line in [`FORMATS`].

use crate::eval::table::Table;

mod csv;
mod grid;
mod html;
mod latex;
mod markdown;
mod page;
mod svg;
mod text;

pub use page::{Names, page};
pub use text::text;

/// A format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name, and the ending of files.
    pub id: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Writes a table.
    pub write: fn(&Table) -> String,
}

/// All formats.
pub const FORMATS: &[Format] = &[
    Format {
        id: "csv",
        title: "comma-separated values (RFC 4180), every rate with its counts and interval",
        write: csv::write,
    },
    Format {
        id: "md",
        title: "Markdown",
        write: markdown::write,
    },
    Format {
        id: "tex",
        title: "LaTeX, for booktabs",
        write: latex::write,
    },
    Format {
        id: "svg",
        title: "a picture: bars with intervals where it has rates, else its cells",
        write: svg::write,
    },
    Format {
        id: "html",
        title: "a page of its own: the table, its notes, bars where it has rates",
        write: html::write,
    },
];

/// The format of that name.
pub fn find(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::table::{Cell, Column, Row};

    fn table() -> Table {
        Table {
            id: "main".to_owned(),
            title: "Success & safety".to_owned(),
            columns: vec![
                Column::words("agent"),
                Column::number("runs"),
                Column::number("safety macro"),
            ],
            rows: vec![
                Row {
                    cells: vec![
                        Cell::Words("qwen_3 \"x\", critic(1) | <b>\u{1b}[2J".to_owned()),
                        Cell::Number(100.0, 0),
                        Cell::Rate {
                            percent: 38.0,
                            n: 38,
                            of: 100,
                            interval: Some((29.0, 47.0)),
                        },
                    ],
                    runs: vec!["V022-x".to_owned()],
                    few: false,
                },
                Row {
                    cells: vec![
                        Cell::Words("planner".to_owned()),
                        Cell::Number(3.0, 0),
                        Cell::Empty,
                    ],
                    runs: Vec::new(),
                    few: true,
                },
            ],
            notes: vec!["100 % of 5".to_owned()],
        }
    }

    #[test]
    fn every_format_writes_the_same_table() {
        let all: Vec<String> = FORMATS
            .iter()
            .map(|f| format!("== {}\n{}", f.id, (f.write)(&table())))
            .collect();
        insta::assert_snapshot!(all.join("\n"));
    }

    #[test]
    fn nothing_acts_on_a_terminal_or_a_reader() {
        for format in FORMATS {
            let text = (format.write)(&table());
            assert!(!text.contains('\u{1b}'), "{}", format.id);
        }
        assert!(!svg::write(&table()).contains("<b>"));
        assert!(!html::write(&table()).contains("<b>"));
        assert!(csv::write(&table()).starts_with("agent,runs,"));
    }
}
