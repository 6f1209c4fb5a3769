//! HTML: a page with the table, or the table alone for a page with several.

use std::fmt::Write as _;

use crate::base::html::{escape, page};
use crate::eval::table::{Cell, Table};

/// A page with one table.
pub(super) fn write(table: &Table) -> String {
    page(&table.title, &body(table))
}

/// The table and its notes.
pub fn body(table: &Table) -> String {
    let mut out = "<table>\n<thead><tr>".to_owned();
    for column in &table.columns {
        let class = if column.numeric { " class=\"n\"" } else { "" };
        let _ = write!(out, "<th{class}>{}</th>", escape(&column.head));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (at, (cell, column)) in row.cells.iter().zip(&table.columns).enumerate() {
            let class = if column.numeric { " class=\"n\"" } else { "" };
            let _ = write!(out, "<td{class}>{}", escape(&cell.text()));
            if let Cell::Rate {
                n, of, interval, ..
            } = cell
            {
                let _ = write!(out, " <span class=\"dim\">{n}/{of}");
                if let Some((low, high)) = interval {
                    let _ = write!(out, " [{low:.0}, {high:.0}]");
                }
                out.push_str("</span>");
            }
            if at == 0 && row.few {
                out.push_str(" <span class=\"warn\">*</span>");
            }
            out.push_str("</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
    if table.rows.iter().any(|row| row.few) {
        out.push_str("<p class=\"dim\">* fewer than 20 runs</p>\n");
    }
    if !table.notes.is_empty() {
        out.push_str("<ul class=\"dim\">\n");
        for note in &table.notes {
            let _ = writeln!(out, "<li>{}</li>", escape(note));
        }
        out.push_str("</ul>\n");
    }
    out
}
