//! A reply without what cannot be seen, and the way back to its bytes.

use std::ops::Range;

/// A reply without control bytes, marks of byte order, escape sequences and the tokens some servers leave in.
pub(super) struct Clean<'t> {
    /// The reply.
    raw: &'t str,
    /// The text. Line ends are `\n`, blanks of any kind are spaces or tabs.
    pub(super) text: String,
    /// How many characters were passed over.
    pub(super) dropped: usize,
    /// Where the first of them stood in the reply.
    pub(super) first: Range<usize>,
    /// From which byte of the text on it stands at which byte of the reply.
    jumps: Vec<(usize, usize)>,
}

/// The longest token between `<|` and `|>`, in bytes.
const TOKEN: usize = 40;

impl<'t> Clean<'t> {
    pub(super) fn of(raw: &'t str) -> Self {
        let mut clean = Self {
            raw,
            text: String::with_capacity(raw.len()),
            dropped: 0,
            first: 0..0,
            jumps: vec![(0, 0)],
        };
        let mut at = 0;
        while let Some(c) = raw.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = raw.get(at..).unwrap_or_default();
            if let Some(length) = token(rest) {
                at += length;
                clean.jump(at);
                continue;
            }
            let end = at + c.len_utf8();
            match c {
                '\r' if rest.starts_with("\r\n") => {
                    at = end;
                    clean.jump(at);
                }
                '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                    clean.put('\n', end);
                    at = end;
                }
                '\n' | '\t' => {
                    clean.text.push(c);
                    at = end;
                }
                c if is_hidden(c) => {
                    let length = escape(rest).unwrap_or(c.len_utf8());
                    clean.drop(at..at + length);
                    at += length;
                }
                c if c.is_whitespace() => {
                    clean.put(' ', end);
                    at = end;
                }
                c => {
                    clean.text.push(c);
                    at = end;
                }
            }
        }
        clean
    }

    fn put(&mut self, c: char, next: usize) {
        self.text.push(c);
        self.jump(next);
    }

    /// What follows stands at this byte of the reply.
    fn jump(&mut self, raw: usize) {
        let here = self.text.len();
        match self.jumps.last_mut() {
            Some((at, to)) if *at == here => *to = raw,
            _ => self.jumps.push((here, raw)),
        }
    }

    fn drop(&mut self, at: Range<usize>) {
        if self.dropped == 0 {
            self.first = at.clone();
        }
        self.dropped += 1;
        self.jump(at.end);
    }

    /// Where a part of the text stands in the reply.
    pub(super) fn back(&self, at: &Range<usize>) -> Range<usize> {
        let one = |at: usize| {
            let i = self.jumps.partition_point(|(from, _)| *from <= at);
            let (from, to) = i.checked_sub(1).map_or((0, 0), |i| self.jumps[i]);
            to + at.saturating_sub(from)
        };
        // The end is told from the last character, so that what was passed over behind it stays outside.
        let last = self
            .text
            .get(at.clone())
            .and_then(|t| t.chars().next_back());
        let end = match last {
            Some(c) => {
                let from = one(at.end - c.len_utf8());
                let own = self.raw.get(from..).and_then(|t| t.chars().next());
                from + own.map_or(0, char::len_utf8)
            }
            None => one(at.start),
        };
        one(at.start)..end
    }
}

/// Whether a character shows nothing: controls and marks of width zero.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{ad}')
}

/// The length of a token such as `<|im_end|>` at the beginning of a text.
fn token(rest: &str) -> Option<usize> {
    for end in ["</s>", "<s>", "<eos>"] {
        if rest.starts_with(end) {
            return Some(end.len());
        }
    }
    let inner = rest.strip_prefix("<|")?;
    let mut name = inner.char_indices().take(TOKEN);
    let (end, c) = name.find(|(_, c)| !(c.is_ascii_alphanumeric() || *c == '_'))?;
    (c == '|' && inner.get(end..)?.starts_with("|>")).then_some("<|".len() + end + "|>".len())
}

/// The length of an escape sequence that sets colours at the beginning of a text.
fn escape(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix("\u{1b}[")?;
    let mut inner = inner.char_indices().take(TOKEN);
    let (end, c) = inner.find(|(_, c)| !(c.is_ascii_digit() || *c == ';'))?;
    c.is_ascii_alphabetic().then_some("\u{1b}[".len() + end + 1)
}
