//! From text to a query. What is wrong is told with its columns and what to write instead.

use std::fmt;

use super::ast::{Anchor, Query, Term, Time};
use super::kinds;
use super::words::{self, Field, Kind, Op, Type, WORDS};
use crate::base::nearest::nearest;

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The first character meant, from 0.
    pub from: usize,
    /// The one after the last.
    pub to: usize,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.from + 1, self.message)
    }
}

/// Reads a query; an empty text asks for nothing.
///
/// # Errors
/// The first thing that cannot be read, with its columns and what to write instead.
pub fn read(text: &str) -> Result<Query, Wrong> {
    let mut reader = Reader {
        chars: text.chars().collect(),
        at: 0,
        depth: 0,
    };
    reader.space();
    if reader.peek().is_none() {
        return Ok(Query::All);
    }
    let query = reader.any()?;
    reader.space();
    match reader.peek() {
        None => Ok(query),
        Some(')') => Err(reader.here(1, "this bracket closes nothing; leave it out")),
        Some(_) => Err(reader.here(1, "this is not understood here; write and, or, not")),
    }
}

/// Brackets within each other; more is no question anybody asks.
const DEEPEST: usize = 40;

struct Reader {
    chars: Vec<char>,
    at: usize,
    depth: usize,
}

/// A character of a word.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// A character of a value that stands without quotes.
fn is_value(c: char) -> bool {
    !c.is_whitespace() && !"()\"".contains(c)
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn here(&self, len: usize, message: impl Into<String>) -> Wrong {
        Wrong {
            from: self.at,
            to: self.at + len,
            message: message.into(),
        }
    }

    fn since(&self, from: usize, message: impl Into<String>) -> Wrong {
        Wrong {
            from,
            to: self.at.max(from + 1),
            message: message.into(),
        }
    }

    /// The word that comes next, without taking it.
    fn word(&self) -> String {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        rest.iter().take_while(|c| is_word(**c)).collect()
    }

    fn is_next(&self, word: &str) -> bool {
        self.word().eq_ignore_ascii_case(word)
    }

    fn take(&mut self, word: &str) -> bool {
        self.space();
        let found = self.is_next(word);
        if found {
            self.at += word.chars().count();
        }
        found
    }

    fn any(&mut self) -> Result<Query, Wrong> {
        let mut parts = vec![self.both()?];
        while self.take("or") {
            parts.push(self.both()?);
        }
        Ok(Query::any(parts))
    }

    fn both(&mut self) -> Result<Query, Wrong> {
        let mut parts = vec![self.not()?];
        loop {
            let said = self.take("and");
            self.space();
            let ends = self.peek().is_none_or(|c| c == ')') || self.is_next("or");
            if !said && ends {
                return Ok(Query::both(parts));
            }
            parts.push(self.not()?);
        }
    }

    fn not(&mut self) -> Result<Query, Wrong> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.here(1, "this is nested too deeply; ask for less at once"));
        }
        let from = self.at;
        let found = if self.take("not") {
            self.not().map(|inner| Query::Not(Box::new(inner)))
        } else {
            self.timed(from)
        };
        self.depth -= 1;
        found
    }

    fn timed(&mut self, from: usize) -> Result<Query, Wrong> {
        let mut query = self.primary()?;
        loop {
            self.space();
            let start = self.at;
            let time = if self.take("before") {
                Time::Before(self.anchor("before")?)
            } else if self.take("after") {
                Time::After(self.anchor("after")?)
            } else if self.take("within") {
                let n = self.number("within 3 of …: how many steps?")?;
                if !self.take("of") {
                    self.space();
                    let message = "of is missing here: within 3 of s10";
                    return Err(self.here(1, message));
                }
                Time::Within(n, self.anchor("of")?)
            } else if self.take("at") {
                Time::At(self.anchor("at")?)
            } else {
                return Ok(query);
            };
            if !query.happens() {
                let message = format!(
                    "{query} is so for the whole run; a time is told of what happens at a step, such as \
                     violates(F05)"
                );
                return Err(Wrong {
                    from: self.after_space(from),
                    to: start,
                    message,
                });
            }
            query = Query::Timed(Box::new(query), time);
        }
    }

    fn after_space(&self, from: usize) -> usize {
        let rest = self.chars.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|c| c.is_whitespace()).count()
    }

    fn number(&mut self, wanted: &str) -> Result<u32, Wrong> {
        self.space();
        let word = self.word();
        match word.parse() {
            Ok(n) => {
                self.at += word.chars().count();
                Ok(n)
            }
            Err(_) => Err(self.here(word.chars().count().max(1), wanted)),
        }
    }

    fn anchor(&mut self, after: &str) -> Result<Anchor, Wrong> {
        self.space();
        let from = self.at;
        let word = self.word();
        let step = word.strip_prefix(['s', 'S']);
        if let Some(n) = step.and_then(|digits| digits.parse().ok()) {
            self.at += word.chars().count();
            return Ok(Anchor::Step(n));
        }
        if self.take("step") {
            return self.number("which step? such as step 10").map(Anchor::Step);
        }
        if self.take("end") {
            return Ok(Anchor::End);
        }
        if self.take("start") {
            return Ok(Anchor::Step(0));
        }
        if self.peek().is_none() {
            let message = format!("{after} what? such as {after} s10 or {after} violates(F05)");
            return Err(self.here(1, message));
        }
        if word.parse::<u32>().is_ok() {
            let message = format!("a step is written s{word}");
            return Err(self.here(word.chars().count(), message));
        }
        let event = self.primary()?;
        if event.is_event() {
            Ok(Anchor::Event(Box::new(event)))
        } else {
            let message =
                format!("{event} tells no time; name a step (s10) or what happens at one");
            Err(self.since(from, message))
        }
    }

    fn primary(&mut self) -> Result<Query, Wrong> {
        self.space();
        let from = self.at;
        match self.peek() {
            None => Err(self.here(
                1,
                "something is missing here; write a word, such as success",
            )),
            Some('(') => {
                self.at += 1;
                let inner = self.any()?;
                self.space();
                if self.peek() == Some(')') {
                    self.at += 1;
                    Ok(inner)
                } else {
                    Err(Wrong {
                        from,
                        to: from + 1,
                        message: "this bracket is not closed".to_owned(),
                    })
                }
            }
            Some('"') => Ok(Query::Term(Term::Text(self.string()?))),
            Some(c) if is_word(c) => self.term(),
            Some(c) => Err(self.here(
                1,
                format!("{c:?} begins nothing; write a word or quote a text"),
            )),
        }
    }

    fn string(&mut self) -> Result<String, Wrong> {
        let from = self.at;
        self.at += 1;
        let mut text = String::new();
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                '"' => return Ok(text),
                '\\' => {
                    text.extend(self.peek());
                    self.at += 1;
                }
                c => text.push(c),
            }
        }
        Err(Wrong {
            from,
            to: from + 1,
            message: "this quotation mark is not closed".to_owned(),
        })
    }

    fn term(&mut self) -> Result<Query, Wrong> {
        let from = self.at;
        let name = self.word();
        self.at += name.chars().count();
        if words::is_keyword(&name) {
            let message = format!("{name} joins two parts; one is missing before it");
            return Err(self.since(from, message));
        }
        let Some(word) = words::find(&name) else {
            return Err(self.since(from, unknown(&name)));
        };
        match word.kind {
            Kind::Flag(flag) => Ok(Query::Term(Term::Flag(flag))),
            Kind::Call(call) => {
                let of = if self.peek() == Some('(') {
                    let of = self.argument()?;
                    let inside = from + name.chars().count() + 1;
                    kinds::check(call, &of).map_err(|why| Wrong {
                        from: inside,
                        to: (self.at - 1).max(inside + 1),
                        message: why,
                    })?;
                    Some(of)
                } else {
                    None
                };
                Ok(Query::Term(Term::Call(call, of)))
            }
            Kind::Field(field, ty) => self.field(from, word.name, field, ty),
        }
    }

    /// What stands in brackets: a text in quotes, or everything up to the bracket that closes.
    fn argument(&mut self) -> Result<String, Wrong> {
        let from = self.at;
        self.at += 1;
        self.space();
        let text = if self.peek() == Some('"') {
            self.string()?
        } else {
            let start = self.at;
            while self.peek().is_some_and(|c| c != ')') {
                self.at += 1;
            }
            let text: String = self
                .chars
                .get(start..self.at)
                .unwrap_or_default()
                .iter()
                .collect();
            text.trim().to_owned()
        };
        self.space();
        if self.peek() != Some(')') {
            return Err(Wrong {
                from,
                to: from + 1,
                message: "this bracket is not closed".to_owned(),
            });
        }
        self.at += 1;
        if text.is_empty() {
            let message = "nothing stands in the brackets; leave them out or name what is meant";
            return Err(self.since(from, message));
        }
        Ok(text)
    }

    fn field(&mut self, from: usize, name: &str, field: Field, ty: Type) -> Result<Query, Wrong> {
        self.space();
        let rest: String = self
            .chars
            .get(self.at..)
            .unwrap_or_default()
            .iter()
            .take(2)
            .collect();
        let op = Op::ALL.iter().find(|(_, sign)| rest.starts_with(sign));
        let Some((op, sign)) = op.copied() else {
            let example = match ty {
                Type::Text => format!("{name} = …, {name} ~ …"),
                Type::Number => format!("{name} > 3, {name} = 3"),
                Type::Date => format!("{name} > 2026-11-01"),
            };
            return Err(self.since(from, format!("{name} must be compared: {example}")));
        };
        // `field:word` compares a number or a date with `=`.
        let op = if sign == ":" && ty != Type::Text {
            Op::Is
        } else {
            op
        };
        let ordered = matches!(op, Op::Less | Op::AtMost | Op::More | Op::AtLeast);
        if ty == Type::Text && ordered {
            return Err(self.here(sign.len(), format!("{name} is a text; write ~ or =")));
        }
        if ty == Type::Number && matches!(op, Op::Like | Op::Unlike) {
            return Err(self.here(sign.len(), format!("{name} is a number; write =, < or >")));
        }
        self.at += sign.len();
        self.space();
        let start = self.at;
        let value = if self.peek() == Some('"') {
            self.string()?
        } else {
            while self.peek().is_some_and(is_value) {
                self.at += 1;
            }
            let typed = self.chars.get(start..self.at).unwrap_or_default();
            typed.iter().collect()
        };
        let complain = |message: String| Wrong {
            from: start,
            to: self.at.max(start + 1),
            message,
        };
        if value.is_empty() {
            return Err(complain(format!("{name} {} what?", op.sign())));
        }
        match ty {
            Type::Number if !value.parse::<f64>().is_ok_and(f64::is_finite) => Err(complain(
                format!("{value} is no number; write {name} {} 3", op.sign()),
            )),
            Type::Date if !kinds::is_date(&value) => Err(complain(format!(
                "{value} is no date; write {name} {} 2026-11-01",
                op.sign()
            ))),
            Type::Text if matches!(op, Op::Is | Op::IsNot) => match kinds::one_of(field, &value) {
                Some(why) => Err(complain(why)),
                None => Ok(Query::Term(Term::Field(field, op, value))),
            },
            _ => Ok(Query::Term(Term::Field(field, op, value))),
        }
    }
}

/// What to say about a word that means nothing.
fn unknown(name: &str) -> String {
    let known = WORDS.iter().map(|word| word.name);
    let known = known.chain(words::KEYWORDS.iter().map(|(word, _)| *word));
    match nearest(&name.to_lowercase(), known) {
        Some(near) => format!("{name} means nothing here; did you mean {near}?"),
        None => format!("{name} means nothing here; quote it to look for it: \"{name}\""),
    }
}
