//! A query as a tree, and back to text. Printing and reading are inverse: `read(print(q)) = q`.

use std::fmt;

use super::row::Stage;
use super::words::{Call, Field, Flag, Op, is_keyword};

/// What is asked of a run.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Query {
    /// Nothing: every run fits.
    #[default]
    All,
    /// One of these, at least two.
    Any(Vec<Self>),
    /// All of these, at least two.
    Both(Vec<Self>),
    /// The opposite.
    Not(Box<Self>),
    /// What happens within a time.
    Timed(Box<Self>, Time),
    /// One word.
    Term(Term),
}

/// A time within a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Time {
    /// Earlier than some of it.
    Before(Anchor),
    /// Later than some of it.
    After(Anchor),
    /// At most so many steps from some of it.
    Within(u32, Anchor),
    /// At some of it.
    At(Anchor),
}

/// What a time is told by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// A step, as screens number it.
    Step(u32),
    /// The last step.
    End,
    /// Something that happens.
    Event(Box<Query>),
}

/// One word with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A word that stands for itself.
    Flag(Flag),
    /// Something that happens at steps, of any kind or of this.
    Call(Call, Option<String>),
    /// A fact of the whole run, compared.
    Field(Field, Op, String),
    /// Words in the id, the task, the instruction or the name of who played.
    Text(String),
}

impl Query {
    /// One of these; what is nested alike is one list.
    pub fn any(parts: Vec<Self>) -> Self {
        let flat = parts.into_iter().flat_map(|part| match part {
            Self::Any(inner) => inner,
            other => vec![other],
        });
        Self::joined(flat.collect(), Self::Any)
    }

    /// All of these; what is nested alike is one list.
    pub fn both(parts: Vec<Self>) -> Self {
        let flat = parts.into_iter().flat_map(|part| match part {
            Self::Both(inner) => inner,
            Self::All => Vec::new(),
            other => vec![other],
        });
        Self::joined(flat.collect(), Self::Both)
    }

    fn joined(mut parts: Vec<Self>, join: fn(Vec<Self>) -> Self) -> Self {
        match (parts.len(), parts.pop()) {
            (1, Some(only)) => only,
            (_, Some(last)) => {
                parts.push(last);
                join(parts)
            }
            (_, None) => Self::All,
        }
    }

    /// Whether anything in it happens at a step, so that a time can be told of it.
    pub fn happens(&self) -> bool {
        match self {
            Self::All => false,
            Self::Any(parts) | Self::Both(parts) => parts.iter().any(Self::happens),
            Self::Not(inner) | Self::Timed(inner, _) => inner.happens(),
            Self::Term(term) => term.happens(),
        }
    }

    /// Whether it can tell a time: everything in it happens at steps, and nothing is denied.
    pub fn is_event(&self) -> bool {
        match self {
            Self::All | Self::Not(_) => false,
            Self::Any(parts) | Self::Both(parts) => parts.iter().all(Self::is_event),
            Self::Timed(inner, _) => inner.is_event(),
            Self::Term(term) => term.happens(),
        }
    }

    /// Every part that could be left out, each as its text with the query without it.
    pub fn without(&self) -> Vec<(String, Self)> {
        let mut all = Vec::new();
        match self {
            Self::Both(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    let mut rest = parts.clone();
                    rest.remove(at);
                    all.push((part.to_string(), Self::both(rest)));
                    for (text, less) in part.times() {
                        let mut others = parts.clone();
                        if let Some(place) = others.get_mut(at) {
                            *place = less;
                        }
                        all.push((text, Self::both(others)));
                    }
                }
            }
            other => {
                all.extend(other.times());
                all.push((other.to_string(), Self::All));
            }
        }
        all
    }

    /// Every time told of it that could be left out.
    fn times(&self) -> Vec<(String, Self)> {
        let Self::Timed(inner, time) = self else {
            return Vec::new();
        };
        let mut all = vec![(time.to_string(), inner.as_ref().clone())];
        let deeper = inner.times().into_iter();
        all.extend(deeper.map(|(text, less)| (text, Self::Timed(Box::new(less), time.clone()))));
        all
    }
}

impl Term {
    /// Whether it happens at a step.
    pub const fn happens(&self) -> bool {
        match self {
            Self::Call(..) => true,
            Self::Flag(flag) => {
                matches!(flag, Flag::Done | Flag::Avoided | Flag::Stopped)
            }
            Self::Field(..) | Self::Text(_) => false,
        }
    }
}

/// How tightly a part holds together; what is looser than its place stands in brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tight {
    Any,
    Both,
    Not,
    Timed,
    Term,
}

impl Query {
    const fn tight(&self) -> Tight {
        match self {
            Self::Any(_) => Tight::Any,
            Self::Both(_) => Tight::Both,
            Self::Not(_) => Tight::Not,
            Self::Timed(..) => Tight::Timed,
            Self::All | Self::Term(_) => Tight::Term,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, place: Tight) -> fmt::Result {
        let loose = self.tight() < place;
        if loose {
            f.write_str("(")?;
        }
        match self {
            Self::All => {}
            Self::Any(parts) => list(f, parts, " or ", Tight::Both)?,
            Self::Both(parts) => list(f, parts, " and ", Tight::Not)?,
            Self::Not(inner) => {
                f.write_str("not ")?;
                inner.write(f, Tight::Not)?;
            }
            Self::Timed(inner, time) => {
                inner.write(f, Tight::Timed)?;
                write!(f, " {time}")?;
            }
            Self::Term(term) => write!(f, "{term}")?,
        }
        if loose {
            f.write_str(")")?;
        }
        Ok(())
    }
}

fn list(f: &mut fmt::Formatter<'_>, parts: &[Query], with: &str, place: Tight) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(with)?;
        }
        part.write(f, place)?;
    }
    Ok(())
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Tight::Any)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(anchor) => write!(f, "before {anchor}"),
            Self::After(anchor) => write!(f, "after {anchor}"),
            Self::Within(n, anchor) => write!(f, "within {n} of {anchor}"),
            Self::At(anchor) => write!(f, "at {anchor}"),
        }
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(n) => write!(f, "s{n}"),
            Self::End => f.write_str("end"),
            // A time of its own would be read as one of the whole.
            Self::Event(event) => event.write(f, Tight::Term),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => f.write_str(flag.name()),
            Self::Call(call, None) => f.write_str(call.name()),
            Self::Call(call, Some(of)) => write!(f, "{}({})", call.name(), argument(of)),
            Self::Field(field, op, value) => {
                write!(f, "{} {} {}", field.name(), op.sign(), self::value(value))
            }
            Self::Text(text) => f.write_str(&quoted(text)),
        }
    }
}

/// Between double quotes.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A value; in quotes where it would be read as something else.
pub fn value(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-:/+#@%*$".contains(c);
    if !text.is_empty() && text.chars().all(plain) && !is_keyword(text) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// What stands in brackets; in quotes where that is more than one word or sign.
pub fn argument(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-=!#*".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

impl Query {
    /// How much of a run must be known to answer it.
    pub fn needs(&self) -> Stage {
        match self {
            Self::All => Stage::Listed,
            Self::Any(parts) | Self::Both(parts) => {
                parts.iter().map(Self::needs).max().unwrap_or_default()
            }
            Self::Not(inner) => inner.needs(),
            Self::Timed(inner, time) => {
                let (Time::Before(anchor)
                | Time::After(anchor)
                | Time::Within(_, anchor)
                | Time::At(anchor)) = time;
                match anchor {
                    Anchor::Event(event) => inner.needs().max(event.needs()),
                    _ => inner.needs(),
                }
            }
            Self::Term(Term::Call(Call::Armed | Call::Pending, _)) => Stage::Armed,
            Self::Term(
                Term::Call(Call::Violates | Call::Discharged | Call::State, _)
                | Term::Flag(Flag::Safe | Flag::Drifted | Flag::Damaged)
                | Term::Field(Field::Violations | Field::FirstBad | Field::Rule, ..),
            ) => Stage::Judged,
            Self::Term(_) => Stage::Read,
        }
    }
}
