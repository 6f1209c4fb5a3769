//! Brackets and words with their places: the shape all BDDL text has.
//!
//! Text is lower-cased and `;` begins a comment. How deep brackets may be nested is bounded, so that whoever walks a value
//! by recursion, or drops it, needs no care.

use std::fmt;

use crate::base::diag::Diagnostic;

/// How deep brackets may be nested; the published definitions need 12.
pub const DEEPEST: usize = 100;

/// Where something stands in a text: one-based line and column, in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Place {
    /// A finding about what stands here.
    pub fn error(self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error("", message).at(self.line, Some(self.column))
    }
}

/// A word and where it stands; two words are equal if they read alike.
#[derive(Clone, Debug)]
pub struct Word {
    /// The word, in lower case.
    pub text: Box<str>,
    /// Where it stands.
    pub place: Place,
}

impl Word {
    /// A word that stands nowhere.
    pub fn new(text: &str) -> Self {
        Self {
            text: text.into(),
            place: Place::default(),
        }
    }

    /// Without the question marks that mark a variable.
    #[must_use]
    pub fn bare(&self) -> Self {
        Self {
            text: self.text.trim_matches('?').into(),
            place: self.place,
        }
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Word {}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A word, or a list in brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp {
    /// A word.
    Word(Word),
    /// A list and where its bracket opens.
    List(Vec<Self>, Place),
}

impl Sexp {
    /// Where it begins.
    pub const fn place(&self) -> Place {
        match self {
            Self::Word(word) => word.place,
            Self::List(_, place) => *place,
        }
    }

    /// The word it is.
    pub const fn word(&self) -> Option<&Word> {
        match self {
            Self::Word(word) => Some(word),
            Self::List(..) => None,
        }
    }

    /// The list it is.
    pub fn list(&self) -> Option<&[Self]> {
        match self {
            Self::Word(_) => None,
            Self::List(items, _) => Some(items),
        }
    }
}

/// Reads the one expression a text holds.
///
/// # Errors
/// The text is empty, holds more than one expression, has a bracket without its partner, or nests too deeply; the finding
/// tells the line and the column.
pub fn read(text: &str) -> Result<Sexp, Diagnostic> {
    let mut open: Vec<(Vec<Sexp>, Place)> = Vec::new();
    let mut whole: Option<Sexp> = None;
    let mut letters = Letters::new(text);
    while let Some((token, place)) = letters.token() {
        let done = match token {
            Token::Open if open.len() >= DEEPEST => {
                return Err(place
                    .error(format!("brackets are nested deeper than {DEEPEST}"))
                    .help("write it with fewer brackets"));
            }
            Token::Open if whole.is_some() => return Err(more(place)),
            Token::Open => {
                open.push((Vec::new(), place));
                continue;
            }
            Token::Close => {
                let (items, begin) = open.pop().ok_or_else(|| {
                    place
                        .error("this ) closes nothing")
                        .help("remove it, or put a ( before it")
                })?;
                Sexp::List(items, begin)
            }
            Token::Word(text) => Sexp::Word(Word { text, place }),
        };
        match open.last_mut() {
            Some((items, _)) => items.push(done),
            None if whole.is_some() => return Err(more(place)),
            None => whole = Some(done),
        }
    }
    if let Some((_, place)) = open.last() {
        return Err(place.error("this ( is never closed").help("add a )"));
    }
    whole.ok_or_else(|| {
        Place { line: 1, column: 1 }
            .error("there is nothing here")
            .help("write a formula such as (open ?fridge.n.01_1)")
    })
}

fn more(place: Place) -> Diagnostic {
    place
        .error("the expression before this was complete")
        .help("remove what is too much, or put all of it into (and ...)")
}

enum Token {
    Open,
    Close,
    Word(Box<str>),
}

/// The letters of a text with their places.
struct Letters<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    at: Place,
}

impl<'t> Letters<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            rest: text.chars().peekable(),
            at: Place { line: 1, column: 1 },
        }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.at.line += 1;
            self.at.column = 1;
        } else {
            self.at.column += 1;
        }
        Some(c)
    }

    fn token(&mut self) -> Option<(Token, Place)> {
        loop {
            let place = self.at;
            match self.next()? {
                '(' => return Some((Token::Open, place)),
                ')' => return Some((Token::Close, place)),
                ';' => self.skip_line(),
                c if c.is_whitespace() => {}
                c => return Some((Token::Word(self.word(c)), place)),
            }
        }
    }

    fn skip_line(&mut self) {
        while self.rest.peek().is_some_and(|&c| c != '\n') {
            let _ = self.next();
        }
    }

    fn word(&mut self, first: char) -> Box<str> {
        let mut word: String = first.to_lowercase().collect();
        while let Some(&c) = self.rest.peek()
            && !c.is_whitespace()
            && !matches!(c, '(' | ')' | ';')
        {
            word.extend(c.to_lowercase());
            let _ = self.next();
        }
        word.into()
    }
}
