//! Long lines of a text that is edited, broken into rows without losing a character.

use crate::base::text;

/// A row of the text: a line, or a part of one that is longer than a row.
pub(super) struct Row {
    /// Its line, from 0.
    pub(super) line: usize,
    /// Whether it begins its line.
    pub(super) first: bool,
    /// The words.
    pub(super) text: String,
    /// The character the caret stands before, if it is in this row.
    pub(super) caret: Option<usize>,
}

/// The rows to be shown, from the line `top` on, or so far behind it that the caret's row is among the first `height`.
pub(super) fn around(
    lines: &[String],
    top: usize,
    (line, character): (usize, usize),
    (wide, height): (u16, u16),
) -> Vec<Row> {
    let height = usize::from(height);
    let mut rows: Vec<Row> = Vec::new();
    let mut skip = 0;
    for (number, words) in lines.iter().enumerate().skip(top) {
        let parts = broken(words, usize::from(wide));
        let last = parts.len().saturating_sub(1);
        for (n, (begin, text)) in parts.into_iter().enumerate() {
            let end = begin + text.chars().count();
            let here = number == line && character >= begin && (character < end || n == last);
            if here {
                skip = (rows.len() + 1).saturating_sub(height);
            }
            rows.push(Row {
                line: number,
                first: n == 0,
                caret: here.then(|| character - begin),
                text,
            });
        }
        if number >= line && rows.len() >= skip + height {
            break;
        }
    }
    rows.drain(..skip.min(rows.len()));
    rows
}

/// A line in parts of at most so many columns, each with its first character; broken behind spaces where possible.
fn broken(line: &str, cols: usize) -> Vec<(usize, String)> {
    let cols = cols.max(2);
    let mut parts = Vec::new();
    let (mut part, mut used, mut begin, mut at) = (String::new(), 0, 0, 0);
    // Behind the last space of the part: bytes and characters.
    let mut gap: Option<(usize, usize)> = None;
    for c in line.chars() {
        let mut bytes = [0; 4];
        let w = text::width(&text::clean(c.encode_utf8(&mut bytes)));
        if used + w > cols && !part.is_empty() {
            let (cut, chars) = gap.take().unwrap_or((part.len(), at - begin));
            let rest = part.split_off(cut);
            parts.push((begin, std::mem::replace(&mut part, rest)));
            begin += chars;
            used = text::width(&text::clean(&part));
        }
        part.push(c);
        used += w;
        at += 1;
        if c == ' ' {
            gap = Some((part.len(), at - begin));
        }
    }
    parts.push((begin, part));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_behind_spaces_and_lose_nothing() {
        let parts = |all: &[(usize, &str)]| -> Vec<(usize, String)> {
            all.iter().map(|(at, s)| (*at, (*s).to_owned())).collect()
        };
        assert_eq!(broken("", 5), parts(&[(0, "")]));
        assert_eq!(broken("ab cd ef", 5), parts(&[(0, "ab "), (3, "cd ef")]));
        let hard = parts(&[(0, "abc"), (3, "def"), (6, "g")]);
        assert_eq!(broken("abcdefg", 3), hard);
        assert_eq!(broken("日本語", 4), parts(&[(0, "日本"), (2, "語")]));
        for cols in 2..9 {
            let line = "one two  three四五 six";
            let all: String = broken(line, cols).into_iter().map(|(_, s)| s).collect();
            assert_eq!(all, line, "{cols}");
        }
    }

    #[test]
    fn the_rows_shown_have_the_caret() {
        let lines = vec!["a".repeat(30), "b".to_owned(), "c".repeat(12)];
        for (line, text) in lines.iter().enumerate() {
            for character in 0..=text.chars().count() {
                for height in 1..6 {
                    let rows = around(&lines, 0, (line, character), (5, height));
                    let seen = rows.iter().take(usize::from(height));
                    let carets: Vec<usize> =
                        seen.filter(|r| r.caret.is_some()).map(|r| r.line).collect();
                    assert_eq!(carets, [line], "{line}:{character} in {height}");
                }
            }
        }
    }
}
