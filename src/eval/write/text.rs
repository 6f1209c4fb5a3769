//! A table as columns of text, for a terminal.

use crate::base::text::{pad, width};
use crate::eval::table::{Cell, Table};

/// A table as lines: its title, its heads, its rows, its notes. Rows of few runs are marked.
pub fn text(table: &Table) -> Vec<String> {
    let cell = |cell: &Cell| match cell {
        Cell::Rate { n, of, .. } => format!("{} {n}/{of}", cell.text()),
        other => other.text(),
    };
    let mut rows: Vec<Vec<String>> = vec![table.columns.iter().map(|c| c.head.clone()).collect()];
    rows.extend(table.rows.iter().map(|row| {
        let mut cells: Vec<String> = row.cells.iter().map(cell).collect();
        if let Some(first) = cells.first_mut().filter(|_| row.few) {
            first.push_str(" *");
        }
        cells
    }));
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|i| {
            let cells = rows.iter().filter_map(|row| row.get(i));
            cells.map(|c| width(c)).max().unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .zip(&widths)
            .zip(&table.columns)
            .map(|((cell, wide), column)| {
                if column.numeric {
                    let room = wide.saturating_sub(width(cell));
                    format!("{}{cell}", " ".repeat(room))
                } else {
                    pad(cell, *wide)
                }
            });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![table.title.clone()];
    lines.extend(rows.iter().map(line));
    if table.rows.iter().any(|row| row.few) {
        lines.push("* fewer than 20 runs".to_owned());
    }
    lines.extend(table.notes.iter().map(|note| format!("- {note}")));
    lines
}
