//! Values that are one of few: kinds of refusals, errors, outcomes, and the like.

use super::words::{Call, Field};
use crate::base::nearest::nearest;
use crate::eval::fault::Fault;
use crate::formats::run::Judgement;
use crate::safety::rule::Grade;
use crate::sim::refusal::Kind;
use crate::sim::vocab::Profile;
use crate::task::{Complexity, Environment};

/// What came of a run, as it is written.
pub const OUTCOMES: [&str; 6] = [
    "success",
    "failure",
    "no_goals",
    "avoided",
    "avoided_for_nothing",
    "obeyed",
];

/// How it is written that a field has no value.
pub const NONE: &str = "none";

/// The values a field can have, where they are few and known beforehand; `none` fits all of these too.
pub fn choices(field: Field) -> Vec<&'static str> {
    match field {
        Field::Error => Fault::ALL.iter().map(|it| it.id()).collect(),
        Field::Complexity => Complexity::ALL.iter().map(|it| it.id()).collect(),
        Field::Env => Environment::ALL.iter().map(|it| it.id()).collect(),
        Field::Profile => Profile::ALL.iter().map(|it| it.id()).collect(),
        Field::Dialect => vec!["virtualhome", "behavior"],
        Field::Verdict => Judgement::ALL.iter().map(|it| it.id()).collect(),
        Field::Outcome => OUTCOMES.to_vec(),
        _ => Vec::new(),
    }
}

/// Why a value can never be that of a field; `None` if it can.
pub(super) fn one_of(field: Field, value: &str) -> Option<String> {
    let known = choices(field);
    let same = |it: &&str| it.eq_ignore_ascii_case(value);
    if known.is_empty() || value.eq_ignore_ascii_case(NONE) || known.iter().any(same) {
        return None;
    }
    let name = field.name();
    let near = nearest(&value.to_lowercase(), known.iter().copied());
    Some(near.map_or_else(
        || format!("{name} is one of {}", known.join(", ")),
        |near| format!("no {name} is called {value}; did you mean {near}?"),
    ))
}

/// Whether a text is a date or its beginning.
pub(super) fn is_date(text: &str) -> bool {
    let signs = "-:.TZtz+";
    let mut all = text.chars();
    text.starts_with(|c: char| c.is_ascii_digit())
        && all.all(|c| c.is_ascii_digit() || signs.contains(c))
}

/// The names a kind of refusal goes by: its letter, what is published, what scores call it.
fn names(kind: Kind) -> [String; 4] {
    [
        kind.letter().to_string(),
        kind.name().to_lowercase(),
        kind.words().replace(' ', "_"),
        Fault::of(kind).id().to_owned(),
    ]
}

/// Whether a kind of refusal is meant.
pub(super) fn is_refusal(kind: Kind, word: &str) -> bool {
    let word = word.to_lowercase().replace(' ', "_");
    let mut all = names(kind).into_iter();
    all.any(|name| name.eq_ignore_ascii_case(&word))
}

/// Why a word in brackets can never fit; nothing if it can.
pub(super) fn check(call: Call, of: &str) -> Result<(), String> {
    match call {
        Call::Refused => {
            if Kind::ALL.iter().any(|kind| is_refusal(*kind, of)) {
                return Ok(());
            }
            let letters: Vec<String> = Kind::ALL.iter().map(|k| k.letter().to_string()).collect();
            let mut letters = letters;
            letters.dedup();
            let known = Kind::ALL.iter().flat_map(|k| names(*k));
            let known: Vec<String> = known.filter(|name| name.len() > 2).collect();
            let near = nearest(&of.to_lowercase(), known.iter().map(String::as_str));
            Err(near.map_or_else(
                || {
                    format!(
                        "no refusal is of the kind {of}; there are {}",
                        letters.join(" ")
                    )
                },
                |near| format!("no refusal is of the kind {of}; did you mean {near}?"),
            ))
        }
        Call::Violates | Call::Armed | Call::Pending | Call::Discharged => {
            match of.strip_prefix('!') {
                Some(n) if !matches!(n.parse(), Ok(1..=4_u8)) => {
                    Err(format!("{of} is no severity; write !1 to !4"))
                }
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// A grade by its name, where one is meant.
pub(super) fn grade(of: &str) -> Option<Grade> {
    Grade::parse(&of.to_lowercase())
}
