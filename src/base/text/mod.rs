//! Text that may come from anywhere, made fit for a terminal.
//!
//! Owns the one *sanitiser* (what a character may do on a screen), column widths and cutting. Everything
//! that reaches a terminal passes through [`each_cell`]: the canvas uses it for cells, [`print_safe`]
//! and [`clean`] use it for printed text. It must not know about colours or terminals.
//!
//! The model is one character a cell: a base character of width 1 or 2 with at most
//! [`MAX_MARKS`] combining marks. Whatever would act on the terminal, reorder the line or hide is
//! written out visibly instead: `ESC` as `␛`, a right-to-left override as `‹U+202E›`.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

/// Combining marks kept on one base character; more are counted and written as `‹+n›`.
pub const MAX_MARKS: usize = 4;

/// The mark that says text was cut.
pub const ELLIPSIS: &str = "…";

/// What one character may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Drawn as it is, this many columns wide.
    Shown(u8),
    /// Attaches to the base before it.
    Mark,
    /// A control character with a picture of its own.
    Control(char),
    /// Acts, reorders or hides: its code point is written out.
    Hidden,
}

/// Characters that must never reach a terminal as they are although they are not controls: format
/// characters, fillers, variation selectors, tags, separators, noncharacters (Unicode 16).
const HIDDEN: &[(u32, u32)] = &[
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFDD0, 0xFDEF),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0xFFFE, 0xFFFF),
    (0x1_3430, 0x1_343F),
    (0x1_BCA0, 0x1_BCA3),
    (0x1_D173, 0x1_D17A),
    (0x1_F3FB, 0x1_F3FF),
    (0xE_0000, 0xE_0FFF),
];

fn class(c: char) -> Class {
    let code = u32::from(c);
    if (0x20..0x7F).contains(&code) {
        return Class::Shown(1);
    }
    if code < 0x20 {
        return Class::Control(char::from_u32(0x2400 + code).unwrap_or('?'));
    }
    if code == 0x7F {
        return Class::Control('␡');
    }
    if code < 0xA0 || is_hidden(code) {
        return Class::Hidden;
    }
    // Half-width voiced sound marks: terminals give them a column of their own.
    if matches!(c, '\u{FF9E}' | '\u{FF9F}') {
        return Class::Shown(1);
    }
    match c.width() {
        Some(0) => Class::Mark,
        Some(1) => Class::Shown(1),
        Some(2) => Class::Shown(2),
        _ => Class::Hidden,
    }
}

fn is_hidden(code: u32) -> bool {
    let at = HIDDEN.partition_point(|&(_, last)| last < code);
    HIDDEN.get(at).is_some_and(|&(first, _)| first <= code)
        || (code & 0xFFFE == 0xFFFE && code > 0xFFFF)
}

/// Whether every byte is printable ASCII: such text needs no work at all.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|b| (0x20..0x7F).contains(&b))
}

/// Calls `put` with each cell of `text`: the characters to write and the columns they take (1 or 2).
/// Stops early when `put` says `false`.
pub fn each_cell(text: &str, mut put: impl FnMut(&str, u8) -> bool) {
    let mut rest = text.char_indices().peekable();
    while let Some((start, c)) = rest.next() {
        let go_on = match class(c) {
            Class::Shown(width) => {
                let mut end = start + c.len_utf8();
                let mut marks = 0_usize;
                while let Some(&(at, mark)) = rest.peek() {
                    if class(mark) != Class::Mark {
                        break;
                    }
                    marks += 1;
                    if marks <= MAX_MARKS {
                        end = at + mark.len_utf8();
                    }
                    rest.next();
                }
                put(text.get(start..end).unwrap_or("?"), width)
                    && (marks <= MAX_MARKS
                        || put_note(&format!("‹+{}›", marks - MAX_MARKS), &mut put))
            }
            // A mark without a base gets one, so that it cannot climb onto a border.
            Class::Mark => put(&format!("◌{c}"), 1),
            Class::Control(picture) => put(picture.encode_utf8(&mut [0; 4]), 1),
            Class::Hidden => put_note(&format!("‹U+{:04X}›", u32::from(c)), &mut put),
        };
        if !go_on {
            return;
        }
    }
}

/// Writes a replacement of one-column characters cell by cell.
fn put_note(note: &str, put: &mut impl FnMut(&str, u8) -> bool) -> bool {
    note.chars().all(|c| put(c.encode_utf8(&mut [0; 4]), 1))
}

/// The text with everything that acts, reorders or hides made visible; newlines and tabs too.
pub fn clean(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    each_cell(text, |cell, _| {
        out.push_str(cell);
        true
    });
    if out == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(out)
    }
}

/// [`clean`] for text of several lines printed outside the screen: newlines stay, the rest is made
/// visible. Use it for messages of our own; print data line by line through [`clean`].
pub fn print_safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for (i, line) in text.split('\n').enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out.push_str(&clean(line));
    }
    out
}

/// [`print_safe`] for places that take ASCII only: everything else is written as `<U+00E9>`.
pub fn print_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if c == '\n' || (' '..='~').contains(&c) {
            out.push(c);
        } else {
            let _ = write!(out, "<U+{:04X}>", u32::from(c));
        }
    }
    out
}

/// Columns the text takes once it is shown safely.
pub fn width(text: &str) -> usize {
    if is_plain(text) {
        return text.len();
    }
    let mut total = 0;
    each_cell(text, |_, w| {
        total += usize::from(w);
        true
    });
    total
}

/// The text in at most `cols` columns, cut at its end with `…`. The result is clean.
pub fn fit(text: &str, cols: usize) -> Cow<'_, str> {
    if is_plain(text) && text.len() <= cols {
        return Cow::Borrowed(text);
    }
    let safe = clean(text);
    if width(&safe) <= cols {
        return safe;
    }
    if cols == 0 {
        return Cow::Borrowed("");
    }
    let mut out = take(&safe, cols - 1);
    out.push_str(ELLIPSIS);
    Cow::Owned(out)
}

/// The text in at most `cols` columns, cut in its middle with `…`: both ends tell something.
pub fn fit_middle(text: &str, cols: usize) -> String {
    let safe = clean(text);
    if width(&safe) <= cols {
        return safe.into_owned();
    }
    if cols == 0 {
        return String::new();
    }
    let tail = take_end(&safe, (cols - 1) / 2);
    let mut out = take(&safe, cols - 1 - width(&tail));
    out.push_str(ELLIPSIS);
    out.push_str(&tail);
    out
}

/// The text cut or filled with spaces to exactly `cols` columns.
pub fn pad(text: &str, cols: usize) -> String {
    let mut out = fit(text, cols).into_owned();
    let used = width(&out);
    out.extend(std::iter::repeat_n(' ', cols.saturating_sub(used)));
    out
}

/// The longest clean beginning of at most `cols` columns.
fn take(text: &str, cols: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    each_cell(text, |cell, w| {
        used += usize::from(w);
        if used > cols {
            return false;
        }
        out.push_str(cell);
        true
    });
    out
}

/// The longest clean end of at most `cols` columns.
fn take_end(text: &str, cols: usize) -> String {
    let mut cells: Vec<(String, usize)> = Vec::new();
    each_cell(text, |cell, w| {
        cells.push((cell.to_owned(), usize::from(w)));
        true
    });
    let mut used = 0;
    let mut from = cells.len();
    for (i, (_, w)) in cells.iter().enumerate().rev() {
        used += w;
        if used > cols {
            break;
        }
        from = i;
    }
    cells
        .get(from..)
        .unwrap_or_default()
        .iter()
        .map(|(cell, _)| cell.as_str())
        .collect()
}

/// Breaks text into lines of at most `cols` columns, at spaces where possible. Newlines in the text
/// end lines; a word longer than a line is cut hard. Zero columns give no lines.
pub fn wrap(text: &str, cols: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if cols == 0 {
        return lines;
    }
    for paragraph in text.split('\n') {
        let mut line = String::new();
        let mut used = 0;
        for word in paragraph.split(' ') {
            let word = clean(word);
            let mut rest = word.as_ref();
            let mut w = width(rest);
            if used > 0 && used + 1 + w <= cols {
                line.push(' ');
                line.push_str(rest);
                used += 1 + w;
                continue;
            }
            if used > 0 {
                lines.push(std::mem::take(&mut line));
            }
            while w > cols {
                let head = take(rest, cols.max(2));
                if head.is_empty() {
                    break;
                }
                rest = rest.get(head.len()..).unwrap_or_default();
                // Counted down, not anew: a word may have millions of characters.
                w = w.saturating_sub(width(&head));
                lines.push(head);
            }
            used = w;
            rest.clone_into(&mut line);
        }
        if used > 0 || paragraph.is_empty() {
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests;
