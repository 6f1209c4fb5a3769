//! Markdown: a pipe table, its notes below.

use std::fmt::Write as _;

use crate::base::text::clean;
use crate::eval::table::{Cell, Table};

/// A table as Markdown.
pub(super) fn write(table: &Table) -> String {
    let mut out = format!("### {}\n\n", safe(&table.title));
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    out += &line(table.columns.iter().map(|c| safe(&c.head)).collect());
    let rule = table
        .columns
        .iter()
        .map(|c| if c.numeric { "---:" } else { "---" });
    out += &line(rule.map(str::to_owned).collect());
    for row in &table.rows {
        let cells = row.cells.iter().map(|cell| match cell {
            Cell::Rate {
                n, of, interval, ..
            } => {
                let ends = interval.map_or_else(String::new, |(a, b)| format!(" [{a:.0}, {b:.0}]"));
                format!("{} ({n}/{of}){ends}", cell.text())
            }
            other => safe(&other.text()),
        });
        let mut cells: Vec<String> = cells.collect();
        if let Some(first) = cells.first_mut().filter(|_| row.few) {
            first.push_str(" \\*");
        }
        out += &line(cells);
    }
    out.push('\n');
    if table.rows.iter().any(|row| row.few) {
        out += "\\* fewer than 20 runs\n\n";
    }
    for note in &table.notes {
        let _ = writeln!(out, "- {}", safe(note));
    }
    out
}

fn safe(text: &str) -> String {
    let mut out = String::new();
    for c in clean(text).chars() {
        if matches!(
            c,
            '|' | '<' | '>' | '*' | '_' | '`' | '[' | ']' | '\\' | '#'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
