//! From two screens to the bytes that turn one into the other.
//!
//! Emits only: cursor position (`CSI y ; x H`, `CSI n C`), colours and attributes (`CSI … m`) and cell text, framed
//! by synchronized-update marks (`CSI ? 2026 h/l`). Nothing at all when the screens are equal. After a
//! cell whose width terminals disagree about the cursor is placed anew, so a row can never drift.

use std::io::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// What the terminal's pen is set to.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pen {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

impl Pen {
    const fn of(cell: &Cell) -> Self {
        Self {
            fg: cell.fg,
            bg: cell.bg,
            modifier: cell.modifier,
        }
    }
}

const PLAIN: Pen = Pen {
    fg: Color::Reset,
    bg: Color::Reset,
    modifier: Modifier::empty(),
};

/// Appends the bytes that turn a terminal showing `old` into one showing `new`. Buffers of different size
/// have nothing in common: the terminal is cleared first.
pub fn encode(old: &Buffer, new: &Buffer, out: &mut Vec<u8>) {
    let fresh = old.area != new.area;
    let width = usize::from(new.area.width);
    if width == 0 {
        return;
    }
    let begin = out.len();
    let mut pen = PLAIN;
    if fresh {
        out.extend_from_slice(b"\x1b[?2026h\x1b[m\x1b[2J");
    }
    let blank = vec![Cell::EMPTY; width];
    for (y, row) in new.content.chunks(width).enumerate() {
        let before = if fresh {
            blank.as_slice()
        } else {
            old.content.get(y * width..).unwrap_or(&blank)
        };
        if row.iter().zip(before).all(|(a, b)| same(a, b)) {
            continue;
        }
        if out.len() == begin {
            out.extend_from_slice(b"\x1b[?2026h\x1b[m");
        }
        encode_row(y, before, row, &mut pen, out);
    }
    if out.len() > begin {
        if pen != PLAIN {
            out.extend_from_slice(b"\x1b[m");
        }
        out.extend_from_slice(b"\x1b[?2026l");
    }
}

fn encode_row(y: usize, before: &[Cell], row: &[Cell], pen: &mut Pen, out: &mut Vec<u8>) {
    // The column the cursor stands at, if it is on this row and known.
    let mut cursor = None;
    let mut forced = false;
    for (x, (cell, old)) in row.iter().zip(before).enumerate() {
        let symbol = cell.symbol();
        let same = same(cell, old) && !forced;
        // What stood right of a wide character that is gone must be written whatever the buffers say.
        forced = !same && is_wide(before, x) && !is_wide(row, x);
        if same || symbol.is_empty() {
            continue;
        }
        match cursor {
            Some(at) if at == x => {}
            Some(at) if at < x => forward(row.get(at..x).unwrap_or_default(), *pen, out),
            _ => _ = write!(out, "\x1b[{};{}H", y + 1, x + 1),
        }
        set_pen(pen, cell, out);
        out.extend_from_slice(symbol.as_bytes());
        cursor = is_certain(symbol).then_some(x + 1);
    }
}

/// Moves the cursor over cells that need not be written: by writing them if that is shorter.
fn forward(over: &[Cell], pen: Pen, out: &mut Vec<u8>) {
    let is_cheap = |cell: &Cell| cell.symbol().len() == 1 && Pen::of(cell) == pen;
    if over.len() <= 4 && over.iter().all(is_cheap) {
        out.extend(over.iter().flat_map(|cell| cell.symbol().bytes()));
    } else {
        let _ = write!(out, "\x1b[{}C", over.len());
    }
}

/// Whether two cells look the same. Asked for every cell of every frame, hence the order: most cells are
/// one byte long and differ, if at all, in it.
fn same(a: &Cell, b: &Cell) -> bool {
    let (left, right) = (a.symbol().as_bytes(), b.symbol().as_bytes());
    let text = match (left, right) {
        ([x], [y]) => x == y,
        _ => left == right,
    };
    text && a.fg == b.fg && a.bg == b.bg && a.modifier == b.modifier
}

/// Whether the cell is the left half of a wide character.
fn is_wide(row: &[Cell], x: usize) -> bool {
    row.get(x + 1)
        .is_some_and(|right| right.symbol().is_empty())
}

/// Whether every terminal gives this text one column: ASCII, Latin and lines.
fn is_certain(symbol: &str) -> bool {
    let mut chars = symbol.chars();
    matches!((chars.next(), chars.next()), (Some(c), None)
        if c < '\u{300}' || ('\u{2500}'..'\u{2580}').contains(&c))
}

fn set_pen(pen: &mut Pen, cell: &Cell, out: &mut Vec<u8>) {
    let next = Pen::of(cell);
    if *pen == next {
        return;
    }
    out.extend_from_slice(b"\x1b[");
    let mut first = true;
    let mut code = |n: u8, out: &mut Vec<u8>| {
        if !std::mem::take(&mut first) {
            out.push(b';');
        }
        let _ = write!(out, "{n}");
    };
    // Attributes cannot be taken away one by one on every terminal: start again if any goes.
    let keep = next.modifier.contains(pen.modifier)
        && (next.fg != Color::Reset || pen.fg == Color::Reset)
        && (next.bg != Color::Reset || pen.bg == Color::Reset);
    if !keep {
        code(0, out);
        *pen = PLAIN;
    }
    for (bit, n) in [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
    ] {
        if next.modifier.contains(bit) && !pen.modifier.contains(bit) {
            code(n, out);
        }
    }
    if next.fg != pen.fg {
        code(foreground(next.fg), out);
    }
    if next.bg != pen.bg {
        code(foreground(next.bg) + 10, out);
    }
    out.push(b'm');
    *pen = next;
}

/// The code of one of the sixteen colours; themes have no others.
const fn foreground(colour: Color) -> u8 {
    match colour {
        Color::Black => 30,
        Color::Red => 31,
        Color::Green => 32,
        Color::Yellow => 33,
        Color::Blue => 34,
        Color::Magenta => 35,
        Color::Cyan => 36,
        Color::Gray => 37,
        Color::DarkGray => 90,
        Color::LightRed => 91,
        Color::LightGreen => 92,
        Color::LightYellow => 93,
        Color::LightBlue => 94,
        Color::LightMagenta => 95,
        Color::LightCyan => 96,
        Color::White => 97,
        Color::Reset | Color::Rgb(..) | Color::Indexed(_) => 39,
    }
}
