//! Text to tokens, each with its place.

use crate::base::diag::Diagnostic;
use crate::safety::ast::Span;

/// A part of a field's value: one line of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'t> {
    /// Where it begins.
    pub span: Span,
    /// The text, without a line break.
    pub text: &'t str,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// What it is.
    pub kind: Kind<'t>,
    /// Where it begins.
    pub span: Span,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'t> {
    /// A name, a keyword or an operator written as a letter.
    Word(&'t str),
    /// A whole number.
    Number(u32),
    /// A sign or one of the signs of two characters.
    Sign(&'static str),
}

const SIGNS: [&str; 14] = [
    "->", "<=", "!=", "(", ")", ",", ":", ".", "|", "&", "!", "=", ";", "*",
];

/// Splits pieces into tokens.
///
/// # Errors
/// A sign the language does not have, or a number that is too large.
pub fn tokens<'t>(pieces: &[Piece<'t>]) -> Result<Vec<Token<'t>>, Diagnostic> {
    let mut found = Vec::new();
    for piece in pieces {
        let (mut rest, mut column) = (piece.text, piece.span.column);
        loop {
            let trimmed = rest.trim_start();
            let skipped = rest.strip_suffix(trimmed).unwrap_or_default();
            column += skipped.chars().count() as u32;
            rest = trimmed;
            if rest.is_empty() {
                break;
            }
            let span = Span {
                line: piece.span.line,
                column,
            };
            let (kind, length) = token(rest, span)?;
            let (read, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            column += read.chars().count() as u32;
            rest = after;
            found.push(Token { kind, span });
        }
    }
    Ok(found)
}

/// The token at the start of a text, and its length in bytes.
fn token(text: &str, span: Span) -> Result<(Kind<'_>, usize), Diagnostic> {
    if let Some(sign) = SIGNS.iter().find(|s| text.starts_with(**s)) {
        return Ok((Kind::Sign(sign), sign.len()));
    }
    let length = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len());
    let word = text.get(..length).unwrap_or_default();
    let here = |d: Diagnostic| Err(d.at(span.line, Some(span.column)));
    match word.chars().next() {
        None => {
            let sign: String = text.chars().take(1).collect();
            here(
                Diagnostic::error("", format!("\"{sign}\" is no sign of the rule language"))
                    .help("signs are ( ) , : . | & ! -> = != <="),
            )
        }
        Some(first) if first.is_ascii_digit() => match word.parse::<u32>() {
            Ok(number) if number <= LARGEST => Ok((Kind::Number(number), length)),
            Ok(_) => here(
                Diagnostic::error("", format!("{word} is too large"))
                    .help(format!("numbers go up to {LARGEST}")),
            ),
            Err(_) => here(
                Diagnostic::error("", format!("\"{word}\" is neither a number nor a name"))
                    .help(format!("numbers are digits only, up to {LARGEST}")),
            ),
        },
        Some(_) => Ok((Kind::Word(word), length)),
    }
}

/// The largest number that may be written.
const LARGEST: u32 = 1_000_000;
