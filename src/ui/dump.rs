//! A drawn screen as text: for snapshots, `--plain --size` and exports.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// The rows as text, blanks at their ends cut.
pub fn text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for row in rows(buffer) {
        let line: String = row.iter().map(Cell::symbol).collect();
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The styles as runs of columns, one row a line: `3  0-11 bold  14-20 fg=cyan`. Unstyled cells are left out.
pub fn styles(buffer: &Buffer) -> String {
    let mut out = String::new();
    for (y, row) in rows(buffer).enumerate() {
        let mut runs: Vec<(usize, usize, String)> = Vec::new();
        for (x, cell) in row.iter().enumerate() {
            let style = style(cell);
            match runs.last_mut() {
                Some((_, end, same)) if *end + 1 == x && *same == style => *end = x,
                _ => runs.push((x, x, style)),
            }
        }
        runs.retain(|(_, _, style)| !style.is_empty());
        if !runs.is_empty() {
            let _ = write!(out, "{y:>2}");
            for (from, to, style) in runs {
                let _ = write!(out, "  {from}-{to} {style}");
            }
            out.push('\n');
        }
    }
    out
}

fn rows(buffer: &Buffer) -> impl Iterator<Item = &[Cell]> {
    buffer.content.chunks(usize::from(buffer.area.width).max(1))
}

fn style(cell: &Cell) -> String {
    let mut words = Vec::new();
    if cell.fg != Color::Reset {
        words.push(format!("fg={}", cell.fg));
    }
    if cell.bg != Color::Reset {
        words.push(format!("bg={}", cell.bg));
    }
    for (bit, word) in [
        (Modifier::BOLD, "bold"),
        (Modifier::DIM, "dim"),
        (Modifier::ITALIC, "italic"),
        (Modifier::UNDERLINED, "underline"),
        (Modifier::REVERSED, "reverse"),
    ] {
        if cell.modifier.contains(bit) {
            words.push(word.to_owned());
        }
    }
    words.join(",")
}
