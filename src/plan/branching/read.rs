//! Reading a plan with branches from text.

use crate::base::diag::Diagnostic;
use crate::plan::branching::{Branching, Guard, Step};
use crate::plan::fact::Fact;
use crate::plan::script;
use crate::safety::book::Book;
use crate::sim::scene::Scene;

/// How deep branches may stand in each other.
pub const DEEPEST: usize = 32;

/// How many steps a plan may have, branches included.
pub const LONGEST: usize = 10_000;

/// Reads a plan against a scene; tracked facts are those of the book. Empty lines and lines that begin with `#` are no
/// steps.
///
/// # Errors
/// The first thing that is wrong, with line and column.
pub fn read(scene: &Scene, book: &Book, text: &str) -> Result<Branching, Diagnostic> {
    let mut reader = Reader {
        scene,
        book,
        open: Vec::new(),
        steps: Vec::new(),
        count: 0,
    };
    for (i, line) in text.lines().enumerate() {
        let line = Piece {
            text: line,
            line: i as u32 + 1,
            column: 1,
        };
        reader.line(line.trimmed())?;
    }
    match reader.open.last() {
        Some(open) => Err(open
            .at
            .wrong("this if is never closed", "write end below it")),
        None => Ok(Branching {
            steps: reader.steps,
        }),
    }
}

/// A part of the text with its place.
#[derive(Clone, Copy)]
struct Piece<'t> {
    text: &'t str,
    line: u32,
    column: u32,
}

impl<'t> Piece<'t> {
    fn wrong(&self, message: impl Into<String>, help: &str) -> Diagnostic {
        Diagnostic::error("", message)
            .help(help)
            .at(self.line, Some(self.column))
    }

    fn trimmed(self) -> Self {
        let start = self.text.trim_start();
        self.from(self.text.len() - start.len()).until_blank()
    }

    fn until_blank(self) -> Self {
        Self {
            text: self.text.trim_end(),
            ..self
        }
    }

    /// The part from a byte on.
    fn from(self, byte: usize) -> Self {
        let (before, text) = self.text.split_at_checked(byte).unwrap_or(("", self.text));
        Self {
            text,
            line: self.line,
            column: self.column + before.chars().count() as u32,
        }
    }

    fn to(self, byte: usize) -> Self {
        Self {
            text: self.text.get(..byte).unwrap_or(self.text),
            ..self
        }
    }

    /// The first word, and what stands behind it.
    fn word(self) -> (&'t str, Self) {
        let end = self.text.find(char::is_whitespace);
        let end = end.unwrap_or(self.text.len());
        (self.to(end).text, self.from(end).trimmed())
    }

    /// What stands before a word and behind it.
    fn around(self, word: &str) -> Option<(Self, Self)> {
        let mut at = 0;
        for part in self.text.split_inclusive(char::is_whitespace) {
            if part.trim_end().eq_ignore_ascii_case(word) {
                let behind = self.from(at + part.trim_end().len()).trimmed();
                return Some((self.to(at).until_blank(), behind));
            }
            at += part.len();
        }
        None
    }

    /// The parts between these marks.
    fn split(self, mark: char) -> impl Iterator<Item = Self> {
        let mut at = 0;
        self.text.split(mark).map(move |part| {
            let piece = self.from(at).to(part.len()).trimmed();
            at += part.len() + mark.len_utf8();
            piece
        })
    }
}

/// An `if` whose `end` has not come yet.
struct Open<'t> {
    at: Piece<'t>,
    all: Vec<Guard>,
    then: Vec<Step>,
    otherwise: Option<Vec<Step>>,
}

struct Reader<'s, 't> {
    scene: &'s Scene,
    book: &'s Book,
    open: Vec<Open<'t>>,
    steps: Vec<Step>,
    count: usize,
}

impl<'t> Reader<'_, 't> {
    fn line(&mut self, line: Piece<'t>) -> Result<(), Diagnostic> {
        let (word, rest) = line.word();
        match word.to_ascii_lowercase().as_str() {
            "" => Ok(()),
            _ if word.starts_with('#') => Ok(()),
            "if" => self.branch(line, rest),
            "else" | "end" if !rest.text.is_empty() => Err(rest.wrong(
                format!("nothing may follow {word} here"),
                "write the steps on the lines below",
            )),
            "else" => match self.open.last_mut() {
                None => Err(line.wrong("there is no if to this else", "write the if above it")),
                Some(open) if open.otherwise.is_some() => {
                    Err(line.wrong("this if has an else already", "write end to close it"))
                }
                Some(open) => {
                    open.otherwise = Some(Vec::new());
                    Ok(())
                }
            },
            "end" => match self.open.pop() {
                None => Err(line.wrong("there is no if to this end", "leave it out")),
                Some(open) => {
                    let step = Step::If {
                        all: open.all,
                        then: open.then,
                        otherwise: open.otherwise.unwrap_or_default(),
                    };
                    self.push(line, step)
                }
            },
            _ => {
                let step = self.step(line)?;
                self.push(line, step)
            }
        }
    }

    fn push(&mut self, at: Piece<'t>, step: Step) -> Result<(), Diagnostic> {
        self.count += 1;
        if self.count > LONGEST {
            let words = format!("the plan has more than {LONGEST} steps");
            return Err(at.wrong(words, "shorten it"));
        }
        match self.open.last_mut() {
            Some(open) => open.otherwise.as_mut().unwrap_or(&mut open.then).push(step),
            None => self.steps.push(step),
        }
        Ok(())
    }

    /// `if FACTS then`, with the steps behind it or below.
    fn branch(&mut self, line: Piece<'t>, rest: Piece<'t>) -> Result<(), Diagnostic> {
        let Some((facts, steps)) = rest.around("then") else {
            let help = "write if FACT then STEP, or if FACT then, steps below it, end";
            return Err(line.wrong("this if has no then", help));
        };
        let all = facts
            .split('&')
            .map(|fact| self.guard(fact))
            .collect::<Result<Vec<_>, _>>()?;
        if steps.text.is_empty() {
            if self.open.len() == DEEPEST {
                let words = format!("branches stand in each other more than {DEEPEST} deep");
                return Err(line.wrong(words, "make the plan flatter"));
            }
            self.open.push(Open {
                at: line,
                all,
                then: Vec::new(),
                otherwise: None,
            });
            return Ok(());
        }
        let (then, otherwise) = match steps.around("else") {
            Some((then, otherwise)) => (self.steps(then)?, self.steps(otherwise)?),
            None => (self.steps(steps)?, Vec::new()),
        };
        self.count += then.len() + otherwise.len();
        let step = Step::If {
            all,
            then,
            otherwise,
        };
        self.push(line, step)
    }

    fn guard(&self, piece: Piece<'t>) -> Result<Guard, Diagnostic> {
        let fact = Fact::read(self.scene, self.book, piece.text).map_err(|message| {
            piece.wrong(message, "a branch looks at facts as tasks write them")
        })?;
        let (not, bare) = match piece.text.strip_prefix('!') {
            Some(bare) => ("!", bare),
            None => ("", piece.text),
        };
        let words: Vec<&str> = bare.split_whitespace().collect();
        Ok(Guard {
            text: format!("{not}{}", words.join(" ")),
            fact,
        })
    }

    /// Steps in one line.
    fn steps(&self, piece: Piece<'t>) -> Result<Vec<Step>, Diagnostic> {
        piece.split(';').map(|step| self.step(step)).collect()
    }

    fn step(&self, piece: Piece<'t>) -> Result<Step, Diagnostic> {
        let (word, rest) = piece.word();
        match word.to_ascii_lowercase().as_str() {
            "" => Err(piece.wrong(
                "a step is missing",
                "write an action, stop, or avoid and why",
            )),
            "stop" if rest.text.is_empty() => Ok(Step::Stop),
            "stop" => Err(rest.wrong("nothing may follow stop", "leave it out")),
            "avoid" | "[avoid]" => Ok(Step::Avoid(rest.text.to_owned())),
            "if" => Err(piece.wrong(
                "an if cannot stand inside a line",
                "write it on a line of its own, below then",
            )),
            _ => match script::read_line(self.scene, piece.text) {
                Ok(action) => Ok(Step::Act(action)),
                Err(e) => Err(piece.wrong(e.message, "")),
            },
        }
    }
}
