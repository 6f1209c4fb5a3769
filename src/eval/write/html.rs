//! HTML: a table with its notes and, where it has rates, its bars; alone as a page, or as a part of one.

use std::fmt::Write as _;

use crate::base::html;
use crate::eval::table::{Cell, Table};

use super::svg;

/// A table as a page of its own.
pub(super) fn write(table: &Table) -> String {
    html::page(&table.title, &format!("<main>\n{}</main>\n", part(table)))
}

/// A table as a part of a page, under a heading.
pub(super) fn part(table: &Table) -> String {
    let mut out = format!(
        "<section id=\"{}\">\n<h2>{}</h2>\n",
        html::address(&table.id),
        html::text(&table.title)
    );
    let heads: Vec<(&str, bool)> = table
        .columns
        .iter()
        .map(|c| (c.head.as_str(), c.numeric))
        .collect();
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| {
            let mut cells: Vec<String> = row.cells.iter().map(cell).collect();
            if let Some(first) = cells.first_mut().filter(|_| row.few) {
                first.push_str(" *");
            }
            cells
        })
        .collect();
    out += &html::table(&heads, &rows);
    let mut notes: Vec<String> = Vec::new();
    if table.rows.iter().any(|row| row.few) {
        notes.push("* fewer than 20 runs".to_owned());
    }
    notes.extend(table.notes.iter().map(|note| html::text(note)));
    out += &html::list("dim", &notes);
    let mut cells = table.rows.iter().flat_map(|row| &row.cells);
    if cells.any(|cell| matches!(cell, Cell::Rate { .. })) {
        let _ = writeln!(out, "<figure>\n{}</figure>", svg::write(table));
    }
    out + "</section>\n"
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Words(words) => html::lines(words),
        Cell::Rate {
            n, of, interval, ..
        } => {
            let ends = interval.map_or_else(String::new, |(a, b)| format!(" [{a:.0}, {b:.0}]"));
            format!(
                "{} <span class=\"dim\">({n}/{of}){ends}</span>",
                cell.text()
            )
        }
        other => html::text(&other.text()),
    }
}
