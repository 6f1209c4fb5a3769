//! The shape all `.rules` files have: blocks of fields.
//!
//! ```text
//! # a comment
//! rule F05
//!   title: No metal in a running microwave
//!   formula: A w:microwave, m:metal.
//!     H !(on(w) & within(m,w))
//! ```
//!
//! A block begins with a line that is not indented; its fields are indented. A field begins with its name and a colon;
//! a line that does not begin so continues the field before it. Blank lines and lines that begin with `#` say nothing.

use super::lexer::Piece;
use crate::base::diag::Diagnostic;
use crate::safety::ast::Span;

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'t> {
    /// Its first word.
    pub keyword: Piece<'t>,
    /// What follows the first word on its line.
    pub head: Piece<'t>,
    /// Its fields, as written.
    pub fields: Vec<Field<'t>>,
}

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<'t> {
    /// Its name.
    pub name: Piece<'t>,
    /// Its value, a piece a line.
    pub value: Vec<Piece<'t>>,
}

impl Field<'_> {
    /// The value as one line.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for piece in &self.value {
            let line = piece.text.trim();
            if !text.is_empty() && !line.is_empty() {
                text.push(' ');
            }
            text.push_str(line);
        }
        text
    }

    /// Where the value begins.
    pub fn at(&self) -> Span {
        self.value.first().map_or(self.name.span, |p| p.span)
    }
}

/// How many blocks of a file are read.
const MOST_BLOCKS: usize = 100_000;

/// How many lines that belong nowhere are reported.
const MOST_FAULTS: usize = 1_000;

/// Splits a file into blocks. A line that belongs nowhere is reported and left out.
pub fn blocks<'t>(text: &'t str, wrong: &mut Vec<Diagnostic>) -> Vec<Block<'t>> {
    let mut found: Vec<Block<'t>> = Vec::new();
    // Nobody reads ten thousand of them.
    let mut tell = |d: Diagnostic| {
        if wrong.len() < MOST_FAULTS {
            wrong.push(d);
        }
    };
    for (i, raw) in text.lines().enumerate() {
        let number = i as u32 + 1;
        let line = raw.trim_start();
        if line.trim_end().is_empty() || line.starts_with('#') {
            continue;
        }
        let indent = raw.strip_suffix(line).unwrap_or_default();
        let column = indent.chars().count() as u32 + 1;
        let here = Piece {
            span: Span {
                line: number,
                column,
            },
            text: line.trim_end(),
        };
        if indent.is_empty() {
            if found.len() == MOST_BLOCKS {
                tell(
                    Diagnostic::error("", format!("more than {MOST_BLOCKS} blocks"))
                        .help("what follows is not read; split the file")
                        .at(number, None),
                );
                break;
            }
            let (keyword, head) = split(here, char::is_whitespace);
            found.push(Block {
                keyword,
                head,
                fields: Vec::new(),
            });
            continue;
        }
        let Some(block) = found.last_mut() else {
            tell(
                Diagnostic::error("", "an indented line before the first block")
                    .help("begin a block: rule ID, fact name or tracked name, not indented")
                    .at(number, Some(column)),
            );
            continue;
        };
        match (field(here), block.fields.last_mut()) {
            (Some(field), _) => block.fields.push(field),
            (None, Some(last)) => last.value.push(here),
            (None, None) => tell(
                Diagnostic::error("", "this line begins no field")
                    .help("write a field's name, a colon and its value")
                    .at(number, Some(column)),
            ),
        }
    }
    found
}

/// `name: value`, where the line has that shape.
fn field(line: Piece<'_>) -> Option<Field<'_>> {
    let (name, after) = line.text.split_once(':')?;
    let is_name = name
        .chars()
        .all(|c| c.is_ascii_lowercase() || c == '_' || c == ' ');
    if name.is_empty() || !is_name || !(after.is_empty() || after.starts_with(' ')) {
        return None;
    }
    let (_, value) = split(line, |c| c == ':');
    let value = trimmed(Piece {
        span: Span {
            line: value.span.line,
            column: value.span.column + 1,
        },
        text: value.text.strip_prefix(':').unwrap_or(value.text),
    });
    Some(Field {
        name: Piece {
            span: line.span,
            text: name,
        },
        value: vec![value],
    })
}

/// A piece up to the first such character, and the rest beginning with it.
fn split(piece: Piece<'_>, at: impl Fn(char) -> bool) -> (Piece<'_>, Piece<'_>) {
    let end = piece.text.find(at).unwrap_or(piece.text.len());
    let (head, rest) = piece.text.split_at_checked(end).unwrap_or((piece.text, ""));
    let column = piece.span.column + head.chars().count() as u32;
    let rest = Piece {
        span: Span {
            line: piece.span.line,
            column,
        },
        text: rest,
    };
    (
        Piece {
            span: piece.span,
            text: head,
        },
        trimmed(rest),
    )
}

/// A piece without the blanks around it.
pub(super) fn trimmed(piece: Piece<'_>) -> Piece<'_> {
    let text = piece.text.trim_start();
    let skipped = piece.text.strip_suffix(text).unwrap_or_default();
    Piece {
        span: Span {
            line: piece.span.line,
            column: piece.span.column + skipped.chars().count() as u32,
        },
        text: text.trim_end(),
    }
}
