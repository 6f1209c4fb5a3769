//! Comma-separated values: one header line, fields quoted where they must be, rates with counts and interval in columns
//! of their own. A field that a spreadsheet would take for a formula is begun with an apostrophe.

use crate::base::text::clean;
use crate::eval::table::{Cell, Table};

/// A table as CSV.
pub(super) fn write(table: &Table) -> String {
    let rated: Vec<bool> = (0..table.columns.len())
        .map(|i| {
            let mut cells = table.rows.iter().filter_map(|row| row.cells.get(i));
            cells.any(|cell| matches!(cell, Cell::Rate { .. }))
        })
        .collect();
    let mut head = Vec::new();
    for (column, rated) in table.columns.iter().zip(&rated) {
        head.push(field(&column.head));
        if *rated {
            head.extend(
                ["n", "of", "low", "high"].map(|part| field(&format!("{} {part}", column.head))),
            );
        }
    }
    let mut out = head.join(",") + "\r\n";
    for row in &table.rows {
        let mut fields = Vec::new();
        for (cell, rated) in row.cells.iter().zip(&rated) {
            fields.push(match cell {
                Cell::Words(words) => field(words),
                Cell::Empty => String::new(),
                other => other.text(),
            });
            if !rated {
                continue;
            }
            match cell {
                Cell::Rate {
                    n, of, interval, ..
                } => {
                    let end = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:.2}"));
                    fields.extend([n.to_string(), of.to_string()]);
                    fields.extend([end(interval.map(|i| i.0)), end(interval.map(|i| i.1))]);
                }
                _ => fields.extend(std::iter::repeat_n(String::new(), 4)),
            }
        }
        out += &(fields.join(",") + "\r\n");
    }
    out
}

fn field(text: &str) -> String {
    let text = clean(text);
    let formula = text.starts_with(['=', '+', '-', '@']);
    let guard = if formula { "'" } else { "" };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{guard}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{guard}{text}")
    }
}
