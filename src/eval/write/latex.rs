//! LaTeX: a table for the package booktabs.

use std::fmt::Write as _;

use crate::base::text::clean;
use crate::eval::table::{Cell, Table};

/// A table as LaTeX.
pub(super) fn write(table: &Table) -> String {
    let kinds: String = table
        .columns
        .iter()
        .map(|c| if c.numeric { 'r' } else { 'l' })
        .collect();
    let line = |cells: Vec<String>| cells.join(" & ") + " \\\\\n";
    let mut out = String::from("\\begin{table}\n\\centering\n");
    let _ = writeln!(out, "\\begin{{tabular}}{{{kinds}}}\n\\toprule");
    out += &line(table.columns.iter().map(|c| safe(&c.head)).collect());
    out += "\\midrule\n";
    for row in &table.rows {
        let cells = row.cells.iter().map(|cell| match cell {
            Cell::Empty => "--".to_owned(),
            other => safe(&other.text()),
        });
        let mut cells: Vec<String> = cells.collect();
        if let Some(first) = cells.first_mut().filter(|_| row.few) {
            first.push_str("$^{*}$");
        }
        out += &line(cells);
    }
    out += "\\bottomrule\n\\end{tabular}\n";
    let mut caption = format!("{}.", safe(&table.title));
    for note in &table.notes {
        let _ = write!(caption, " {}.", safe(note));
    }
    if table.rows.iter().any(|row| row.few) {
        caption += " $^{*}$ Fewer than 20 runs.";
    }
    let _ = writeln!(out, "\\caption{{{caption}}}\n\\label{{tab:{}}}", table.id);
    out += "\\end{table}\n";
    out
}

fn safe(text: &str) -> String {
    let mut out = String::new();
    for c in clean(text).chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '<' => out += "\\textless{}",
            '>' => out += "\\textgreater{}",
            '|' => out += "\\textbar{}",
            other => out.push(other),
        }
    }
    out
}
