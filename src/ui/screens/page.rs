//! A file: line numbers, the lines with their colours, what is looked for, what is wrong.

use std::collections::BTreeSet;

use ratatui::layout::Rect;

use crate::app::role::Role;
use crate::app::screens::page::{Page, Stage, Text};
use crate::base::text;
use crate::formats::page::{Row, matches};
use crate::formats::syntax::{Ink, Piece};
use crate::ui::canvas::Canvas;
use crate::ui::widgets::pane::{Pane, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{View, Window};

/// Draws the screen.
pub(super) fn draw(page: &Page, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let area = canvas.area();
    let words = match &page.stage {
        Stage::Open(text) => return draw_text(text, view, canvas),
        Stage::Opening => format!("reading {} …", page.ask.words()),
        Stage::Failed(reason) => format!("{reason}\n\nq leaves"),
    };
    let inner = Rect::new(
        2,
        1,
        area.width.saturating_sub(4),
        area.height.saturating_sub(2),
    );
    let mut y = 0;
    for part in words.split('\n') {
        y = paragraph(canvas, inner, y, part, Role::Text).max(y + 1);
    }
}

fn draw_text(text: &Text, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let area = canvas.area();
    let mut frame = Pane::new(area, "Lines", view.focused).filtered(&text.find);
    if text.missing {
        let told = crate::ui::canvas::Span::new("  nowhere in the file", Role::Refused);
        frame.title.push(told);
    }
    let inner = frame.inner();
    let below = match &text.opened.fault {
        Some(_) if inner.height > 8 => 3,
        _ => 0,
    };
    let height = inner.height - below;
    let known = text
        .lines()
        .unwrap_or_else(|| text.window().end())
        .max(text.cursor + 1);
    let as_rows = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let window = Window {
        cursor: as_rows(text.cursor),
        len: as_rows(known),
        height: usize::from(height),
    };
    let top = view.cache.top(view.place, "page", window) as u64;
    if let Some(all) = text.lines().filter(|all| *all > u64::from(height)) {
        let end = (top + u64::from(height)).min(all);
        frame = frame.corner(format!("{}–{end}/{all}", top + 1));
    }
    panes(canvas, &[frame]);
    let digits = known.to_string().len();
    for (y, line) in (0..height).zip(top..known) {
        let mut row = canvas.sub(Rect::new(inner.x, inner.y + y, inner.width, 1));
        draw_line(text, line, digits, &mut row);
        if line == text.cursor {
            row.text(0, 0, "▌", Role::Cursor);
            row.restyle(row.area(), Role::Cursor);
        }
    }
    if text.window().rows.is_empty() && known <= 1 {
        canvas.text(inner.x + 1, inner.y, "the file is empty", Role::Dim);
    }
    if let Some(fault) = text.opened.fault.as_ref().filter(|_| below > 0) {
        let foot = Rect::new(
            inner.x + 1,
            inner.bottom() - below + 1,
            inner.width - 2,
            below - 1,
        );
        let rule = "─".repeat(usize::from(inner.width));
        canvas.text(inner.x, inner.bottom() - below, &rule, Role::Border);
        paragraph(canvas, foot, 0, fault, Role::Refused);
    }
}

/// A line: cursor column, sign of a fault, number, text from its first visible column on.
fn draw_line(text: &Text, line: u64, digits: usize, row: &mut Canvas<'_>) {
    let is_faulty = text.opened.fault.is_some() && line == text.opened.line;
    if is_faulty {
        row.text(1, 0, "✗", Role::Refused);
    }
    let number = format!("{:>digits$}", line + 1);
    let x = row.text(2, 0, &number, Role::Dim) + 2;
    let window = text.window();
    let (Some(place), Some(at)) = (window.place(line), window.row(line)) else {
        row.text(x, 0, "…", Role::Dim);
        return;
    };
    let pieces = text.painted.as_ref().and_then(|all| all.get(place));
    let room = row.width().saturating_sub(x + 1);
    let words = text.find.edit.text();
    let found: BTreeSet<usize> = matches(&at.text, &words)
        .flat_map(|start| start..start + words.len())
        .collect();
    let cells = cells(at, pieces.map_or(&[], Vec::as_slice), &found);
    let mut row = row.sub(Rect::new(x, 0, room + 1, 1));
    let more = write(&cells, text.left, room, &mut row);
    if more || at.cut {
        row.text(room, 0, "…", Role::Dim);
    }
}

/// Runs of a line with one role each.
fn cells(row: &Row, pieces: &[Piece], found: &BTreeSet<usize>) -> Vec<(String, Role)> {
    let mut ends = Vec::with_capacity(pieces.len());
    let mut end = 0;
    for piece in pieces {
        end += piece.len;
        ends.push((end, role(piece.ink)));
    }
    let mut ends = ends.into_iter().peekable();
    let mut runs: Vec<(String, Role)> = Vec::new();
    for (at, c) in row.text.char_indices() {
        while ends.peek().is_some_and(|(end, _)| *end <= at) {
            ends.next();
        }
        let of_piece = ends.peek().map_or(Role::Text, |(_, role)| *role);
        let role = if found.contains(&at) {
            Role::Paused
        } else {
            of_piece
        };
        match runs.last_mut() {
            Some((text, last)) if *last == role => text.push(c),
            _ => runs.push((c.to_string(), role)),
        }
    }
    runs
}

/// Writes runs from column `left` on; whether something is left over on the right.
fn write(runs: &[(String, Role)], left: usize, room: u16, row: &mut Canvas<'_>) -> bool {
    let mut skip = left;
    let mut x = 0;
    if left > 0 {
        x = row.text(0, 0, "…", Role::Dim);
        skip += 1;
    }
    for (words, role) in runs {
        let mut shown = String::new();
        let mut width = 0;
        let mut is_full = false;
        text::each_cell(words, |symbol, w| {
            let w = usize::from(w);
            if skip > 0 {
                skip = skip.saturating_sub(w.max(1));
                return true;
            }
            if usize::from(x) + width + w > usize::from(room) {
                is_full = true;
                return false;
            }
            shown.push_str(symbol);
            width += w;
            true
        });
        x = row.text(x, 0, &shown, *role);
        if is_full {
            return true;
        }
    }
    false
}

const fn role(ink: Ink) -> Role {
    match ink {
        Ink::Plain => Role::Text,
        Ink::Name => Role::CodeName,
        Ink::Text => Role::CodeText,
        Ink::Number => Role::CodeNumber,
        Ink::Word => Role::CodeWord,
        Ink::Mark => Role::Dim,
        Ink::Remark => Role::CodeRemark,
    }
}
