//! A drawn screen as a picture: one SVG without scripts, links or fonts of its own, its text still text.

use std::fmt::Write as _;
use std::path::Path;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr as _;

use crate::ui::dump;

/// Width and height of a cell, and where in it letters stand, in pixels.
const CELL: (f64, f64) = (8.4, 17.0);
const BASELINE: f64 = 13.0;

/// Ground and letters where a cell has no colour of its own: dark, then light.
const GROUND: [(&str, &str); 2] = [("#1d1f21", "#d4d6d4"), ("#fdfdfb", "#24292f")];

/// The sixteen colours, dark ground then light: told apart with any kind of colour vision by their lightness, too.
const COLOURS: [(Color, [&str; 2]); 16] = [
    (Color::Black, ["#1d1f21", "#24292f"]),
    (Color::Red, ["#e06c60", "#b3261e"]),
    (Color::Green, ["#98c379", "#1f7a35"]),
    (Color::Yellow, ["#e5c07b", "#8a6100"]),
    (Color::Blue, ["#61afef", "#0b57d0"]),
    (Color::Magenta, ["#c678dd", "#8430ce"]),
    (Color::Cyan, ["#56b6c2", "#0a6c75"]),
    (Color::Gray, ["#c5c8c6", "#4b5157"]),
    (Color::DarkGray, ["#8b9198", "#6a737b"]),
    (Color::LightRed, ["#ff8f80", "#d0342c"]),
    (Color::LightGreen, ["#b5e08f", "#2a9a45"]),
    (Color::LightYellow, ["#ffe08a", "#a67500"]),
    (Color::LightBlue, ["#8cc8ff", "#2f74e8"]),
    (Color::LightMagenta, ["#e0a3f0", "#a04be0"]),
    (Color::LightCyan, ["#83dbe6", "#118a95"]),
    (Color::White, ["#ffffff", "#101418"]),
];

/// On which ground a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ground {
    /// Light letters on dark.
    #[default]
    Dark,
    /// Dark letters on light.
    Light,
}

fn colour(colour: Color, ground: Ground) -> Option<&'static str> {
    let found = COLOURS.iter().find(|(known, _)| *known == colour)?;
    found.1.get(ground as usize).copied()
}

/// How a cell looks: letters, ground, attributes.
type Look = (&'static str, Option<&'static str>, Modifier);

fn look(cell: &Cell, ground: Ground) -> Look {
    let (below, letters) = GROUND[ground as usize];
    let fg = colour(cell.fg, ground).unwrap_or(letters);
    let bg = colour(cell.bg, ground);
    let rest =
        cell.modifier & (Modifier::BOLD | Modifier::ITALIC | Modifier::UNDERLINED | Modifier::DIM);
    if cell.modifier.contains(Modifier::REVERSED) {
        (bg.unwrap_or(below), Some(fg), rest)
    } else {
        (fg, bg, rest)
    }
}

/// The four arms of a line that joins cells, of those this program draws: up, right, down, left.
fn arms(symbol: &str) -> Option<[bool; 4]> {
    Some(match symbol {
        "─" => [false, true, false, true],
        "│" => [true, false, true, false],
        "┌" => [false, true, true, false],
        "┐" => [false, false, true, true],
        "└" => [true, true, false, false],
        "┘" => [true, false, false, true],
        "├" => [true, true, true, false],
        "┤" => [true, false, true, true],
        "┬" => [false, true, true, true],
        "┴" => [true, true, false, true],
        "┼" => [true; 4],
        _ => return None,
    })
}

/// A screen for a file of that name: as text where it ends in `.txt`, else as a picture.
pub fn of(buffer: &Buffer, path: &Path) -> String {
    if path.extension().is_some_and(|ending| ending == "txt") {
        dump::text(buffer)
    } else {
        svg(buffer, Ground::default())
    }
}

/// The picture.
pub fn svg(buffer: &Buffer, ground: Ground) -> String {
    let (w, h) = (buffer.area.width, buffer.area.height);
    let (width, height) = (f64::from(w) * CELL.0, f64::from(h) * CELL.1);
    let (below, letters) = GROUND[ground as usize];
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace\" \
         font-size=\"14\" fill=\"{letters}\">\n<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{below}\"/>"
    );
    for (y, row) in buffer.content.chunks(usize::from(w).max(1)).enumerate() {
        let top = y as f64 * CELL.1;
        let mut x = 0;
        while let Some(cell) = row.get(x) {
            let look = look(cell, ground);
            let is_line = arms(cell.symbol()).is_some();
            let mut text = String::new();
            let from = x;
            while let Some(next) = row.get(x) {
                if self::look(next, ground) != look || arms(next.symbol()).is_some() != is_line {
                    break;
                }
                // A wide character covers the cell behind it.
                let symbol = next.symbol();
                text.push_str(symbol);
                x += symbol.width().max(1);
            }
            let place = (from as f64 * CELL.0, top, (x - from) as f64 * CELL.0);
            ground_of(&mut out, place, look);
            if is_line {
                lines(&mut out, place, &text, look.0);
            } else {
                self::letters(&mut out, place, &text, look);
            }
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Where a run of cells begins, and how wide it is: left, top, width.
type Place = (f64, f64, f64);

/// What lies under a run of cells that look alike.
fn ground_of(out: &mut String, (left, top, width): Place, (_, bg, _): Look) {
    if let Some(bg) = bg {
        let height = CELL.1;
        let _ = writeln!(
            out,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{bg}\"/>"
        );
    }
}

/// The letters of a run of cells that look alike.
fn letters(out: &mut String, (left, top, width): Place, text: &str, (fg, _, modifier): Look) {
    if text.trim().is_empty() {
        return;
    }
    let mut style = String::new();
    for (bit, words) in [
        (Modifier::BOLD, " font-weight=\"bold\""),
        (Modifier::ITALIC, " font-style=\"italic\""),
        (Modifier::UNDERLINED, " text-decoration=\"underline\""),
        (Modifier::DIM, " opacity=\"0.7\""),
    ] {
        if modifier.contains(bit) {
            style.push_str(words);
        }
    }
    let y = top + BASELINE;
    let _ = writeln!(
        out,
        "<text x=\"{left:.1}\" y=\"{y:.1}\" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
         xml:space=\"preserve\" fill=\"{fg}\"{style}>{}</text>",
        escaped(text)
    );
}

fn lines(out: &mut String, (left, top, _): Place, text: &str, fg: &str) {
    let mut path = String::new();
    for (at, c) in text.chars().enumerate() {
        let Some([up, right, down, leftward]) = arms(c.encode_utf8(&mut [0; 4])) else {
            continue;
        };
        let (x, y) = (left + (at as f64 + 0.5) * CELL.0, top + CELL.1 / 2.0);
        for (has, dx, dy) in [
            (up, 0.0, -CELL.1 / 2.0),
            (right, CELL.0 / 2.0, 0.0),
            (down, 0.0, CELL.1 / 2.0),
            (leftward, -CELL.0 / 2.0, 0.0),
        ] {
            if has {
                let _ = write!(path, "M{x:.1} {y:.1}l{dx:.1} {dy:.1}");
            }
        }
    }
    let _ = writeln!(out, "<path d=\"{path}\" stroke=\"{fg}\" fill=\"none\"/>");
}

/// Text as it may stand between tags; what XML cannot hold is left out.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn a_screen_is_one_safe_picture() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 2));
        buffer.set_string(0, 0, "┌─<a>&日", Style::new());
        buffer.set_string(
            0,
            1,
            "│ok",
            Style::new().fg(Color::Red).add_modifier(Modifier::REVERSED),
        );
        let text = svg(&buffer, Ground::Dark);
        assert!(text.starts_with("<svg xmlns") && text.ends_with("</svg>\n"));
        assert!(text.contains(">&lt;a&gt;&amp;日</text>"), "{text}");
        // A wide character takes two cells.
        assert!(
            text.contains("x=\"16.8\" y=\"13.0\" textLength=\"50.4\""),
            "{text}"
        );
        assert!(text.contains("fill=\"#e06c60\"/>"), "{text}");
        assert_eq!(text.matches("<path").count(), 2);
        assert!(svg(&buffer, Ground::Light).contains("#b3261e"));
    }
}
