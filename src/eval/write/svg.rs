//! A picture of a table: for every row its rates as bars with their intervals, printed figures as a mark.

use std::fmt::Write as _;

use crate::base::html::text as safe;
use crate::eval::table::{Cell, Table};

use super::grid;

const LEFT: f64 = 260.0;
const WIDTH: f64 = 400.0;
const BAR: f64 = 14.0;
const GAP: f64 = 10.0;

/// Fills that differ without colour too, from dark to light.
const FILLS: [&str; 6] = [
    "#1b4f72", "#2e86c1", "#85c1e9", "#7d6608", "#d4ac0d", "#bbbbbb",
];

/// A table as SVG: bars where it has rates, else its cells in columns.
pub(super) fn write(table: &Table) -> String {
    let mut cells = table.rows.iter().flat_map(|row| &row.cells);
    if !table.rows.is_empty() && !cells.any(|cell| matches!(cell, Cell::Rate { .. })) {
        return grid::write(table);
    }
    bars(table)
}

/// The bars of a table.
fn bars(table: &Table) -> String {
    let mut body = String::new();
    let mut y = 40.0;
    for row in &table.rows {
        let words: Vec<String> = row
            .cells
            .iter()
            .filter_map(|cell| match cell {
                Cell::Words(words) => Some(safe(words)),
                _ => None,
            })
            .collect();
        let label = words.join(" · ");
        let top = y;
        let mut shade = 0;
        for (column, cell) in table.columns.iter().zip(&row.cells) {
            let Cell::Rate {
                percent,
                n,
                of,
                interval,
            } = cell
            else {
                continue;
            };
            let fill = FILLS.get(shade % FILLS.len()).copied().unwrap_or("#888888");
            shade += 1;
            let width = percent / 100.0 * WIDTH;
            let middle = y + BAR / 2.0;
            let _ = writeln!(
                body,
                "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"{fill}\"><title>{}: {n} of {of}</title></rect>",
                safe(&column.head)
            );
            if let Some((low, high)) = interval {
                let (a, b) = (LEFT + low / 100.0 * WIDTH, LEFT + high / 100.0 * WIDTH);
                let _ = writeln!(
                    body,
                    "<line x1=\"{a:.1}\" x2=\"{b:.1}\" y1=\"{middle}\" y2=\"{middle}\" stroke=\"#000000\"/>"
                );
            }
            let end = LEFT + WIDTH + 8.0;
            let _ = writeln!(
                body,
                "<text x=\"{end}\" y=\"{}\">{percent:.1} {}</text>",
                y + BAR - 3.0,
                safe(&column.head)
            );
            y += BAR + 2.0;
        }
        let few = if row.few { " *" } else { "" };
        let _ = writeln!(
            body,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{label}{few}</text>",
            LEFT - 8.0,
            top + BAR - 3.0
        );
        y = y.max(top + BAR) + GAP;
    }
    let height = y + 20.0;
    let width = LEFT + WIDTH + 180.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <text x=\"8\" y=\"20\" font-size=\"14\">{}</text>\n{body}</svg>\n",
        safe(&table.title)
    )
}
