//! A table without rates as a picture: its cells in columns as wide as they need, long ones on several lines.

use std::fmt::Write as _;

use crate::base::html::text as safe;
use crate::base::text::{clean, width, wrap};
use crate::eval::table::Table;

/// Pixels of a column of the font, and of a line.
const CHAR: usize = 7;
const LINE: usize = 16;
/// Columns after which a cell goes on below.
const WIDEST: usize = 56;
/// Columns between two cells.
const GAP: usize = 2;
const LEFT: usize = 8;
const TOP: usize = 44;

/// The picture.
pub(super) fn write(table: &Table) -> String {
    let heads: Vec<Vec<String>> = table.columns.iter().map(|c| split(&c.head)).collect();
    let rows: Vec<Vec<Vec<String>>> = table
        .rows
        .iter()
        .map(|row| row.cells.iter().map(|cell| split(&cell.text())).collect())
        .collect();
    let mut widths: Vec<usize> = vec![1; table.columns.len()];
    for row in std::iter::once(&heads).chain(&rows) {
        for (cell, widest) in row.iter().zip(&mut widths) {
            let lines = cell.iter().map(|line| width(line));
            *widest = (*widest).max(lines.max().unwrap_or(0));
        }
    }
    let mut body = String::new();
    let mut y = TOP;
    put(&mut body, (table, &widths), &heads, &mut y);
    let across: usize = widths.iter().map(|w| (w + GAP) * CHAR).sum();
    for row in &rows {
        let line = y - LINE + 4;
        let _ = writeln!(
            body,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{line}\" y2=\"{line}\" stroke=\"#cccccc\"/>",
            LEFT + across
        );
        put(&mut body, (table, &widths), row, &mut y);
    }
    for note in table.notes.iter().flat_map(|note| wrap(&clean(note), 100)) {
        let _ = writeln!(body, "<text x=\"{LEFT}\" y=\"{y}\">{}</text>", safe(&note));
        y += LINE;
    }
    let (across, down) = ((LEFT + across).max(400) + LEFT, y + 4);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{across}\" height=\"{down}\" viewBox=\"0 0 {across} {down}\" \
         font-family=\"monospace\" font-size=\"11.6\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{}</text>\n{body}</svg>\n",
        safe(&table.title)
    )
}

/// A text as lines no wider than a cell may be.
fn split(text: &str) -> Vec<String> {
    wrap(&clean(text), WIDEST)
}

/// Writes a row, as high as its highest cell.
fn put(body: &mut String, (table, widths): (&Table, &[usize]), row: &[Vec<String>], y: &mut usize) {
    let mut x = LEFT;
    let style = if *y == TOP {
        " font-weight=\"bold\""
    } else {
        ""
    };
    for ((cell, wide), column) in row.iter().zip(widths).zip(&table.columns) {
        let (at, anchor) = if column.numeric {
            (x + wide * CHAR, " text-anchor=\"end\"")
        } else {
            (x, "")
        };
        for (n, line) in cell.iter().enumerate() {
            let _ = writeln!(
                body,
                "<text x=\"{at}\" y=\"{}\"{anchor}{style}>{}</text>",
                *y + n * LINE,
                safe(line)
            );
        }
        x += (wide + GAP) * CHAR;
    }
    let high = row.iter().map(Vec::len).max().unwrap_or(0);
    *y += high.max(1) * LINE;
}
