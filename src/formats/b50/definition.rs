//! The definition of an activity, as far as a graph needs it: objects with their types, rooms, the start and the goals.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::base::diag::Diagnostic;
use crate::plan::bddl::sexp::{self, Place, Sexp};

/// What a definition says.
#[derive(Debug)]
pub struct Definition {
    /// Instances and their types, in the order of the file.
    pub scope: Vec<(String, String)>,
    /// Rooms by instance.
    pub rooms: BTreeMap<String, String>,
    /// The facts of the start, in the order of the file; rooms are not among them.
    pub init: Vec<Fact>,
    /// The goals as nested lists of words; an `and` at the top is taken apart.
    pub goals: Value,
}

/// A fact of the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Whether it is said not to hold.
    pub negated: bool,
    /// The state or the relation.
    pub predicate: String,
    /// The instances.
    pub terms: Vec<String>,
}

/// The predicate that names an object's room.
const ROOM: &str = "inroom";

impl Definition {
    /// Reads a definition; `name` is the file's, for messages.
    ///
    /// # Errors
    /// It is no definition, or lacks one of its parts.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Diagnostic> {
        let text = std::str::from_utf8(bytes).map_err(|_| {
            Diagnostic::error("", "the file is no text")
                .help("give a definition in UTF-8")
                .in_file(name)
        })?;
        sexp::read(text)
            .and_then(|whole| Self::of(&whole))
            .map_err(|d| d.in_file(name))
    }

    fn of(whole: &Sexp) -> Result<Self, Diagnostic> {
        let (mut rooms, mut init) = (BTreeMap::new(), Vec::new());
        for item in section(whole, ":init")? {
            let fact = fact(item)?;
            match (&*fact.predicate, fact.terms.as_slice()) {
                (ROOM, [object, room]) => {
                    rooms.insert(object.clone(), room.clone());
                }
                _ => init.push(fact),
            }
        }
        let goals = match section(whole, ":goal")? {
            [Sexp::List(all, _)] if all.first().is_some_and(|h| is(h, "and")) => &all[1..],
            other => other,
        };
        Ok(Self {
            scope: scope(section(whole, ":objects")?)?,
            rooms,
            init,
            goals: Value::Array(goals.iter().map(nested).collect()),
        })
    }
}

fn is(item: &Sexp, word: &str) -> bool {
    item.word().is_some_and(|w| &*w.text == word)
}

/// What stands in a part of the definition, after its name.
fn section<'s>(whole: &'s Sexp, name: &str) -> Result<&'s [Sexp], Diagnostic> {
    let parts = whole.list().unwrap_or_default().iter();
    let mut named = parts.filter_map(|part| match part.list()? {
        [head, rest @ ..] if is(head, name) => Some(rest),
        _ => None,
    });
    named.next().ok_or_else(|| {
        whole
            .place()
            .error(format!("the part ({name} ...) is missing"))
            .help("a definition has :objects, :init and :goal")
    })
}

fn word(item: &Sexp) -> Result<String, Diagnostic> {
    let found = item.word().map(|w| (*w.text).to_owned());
    found.ok_or_else(|| wrong(item.place(), "here a word is wanted"))
}

fn wrong(place: Place, message: &str) -> Diagnostic {
    place
        .error(message)
        .help("write it as in (inside jar.n.01_1 cabinet.n.01_1)")
}

/// Instances with their types: `a b - type c - type`.
fn scope(items: &[Sexp]) -> Result<Vec<(String, String)>, Diagnostic> {
    let (mut scope, mut waiting) = (Vec::new(), Vec::new());
    let mut items = items.iter();
    while let Some(item) = items.next() {
        if !is(item, "-") {
            waiting.push(word(item)?);
            continue;
        }
        let Some(category) = items.next() else { break };
        let category = word(category)?;
        scope.extend(waiting.drain(..).map(|name| (name, category.clone())));
    }
    match waiting.first() {
        Some(name) => Err(Diagnostic::error(":objects", format!("{name} has no type"))
            .help("write a dash and the type after it")),
        None => Ok(scope),
    }
}

fn fact(item: &Sexp) -> Result<Fact, Diagnostic> {
    let place = item.place();
    let list = item.list().unwrap_or_default();
    match list {
        [not, inner] if is(not, "not") => fact(inner).map(|f| Fact {
            negated: !f.negated,
            ..f
        }),
        [predicate, terms @ ..] if !terms.is_empty() => Ok(Fact {
            negated: false,
            predicate: word(predicate)?,
            terms: terms.iter().map(word).collect::<Result<_, _>>()?,
        }),
        _ => Err(wrong(place, "this is no fact")),
    }
}

fn nested(item: &Sexp) -> Value {
    match item {
        Sexp::Word(word) => Value::String((*word.text).to_owned()),
        Sexp::List(items, _) => Value::Array(items.iter().map(nested).collect()),
    }
}
