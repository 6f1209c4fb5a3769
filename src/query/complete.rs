//! What could be written at the caret: words of the language, and names that the runs know.

use std::collections::BTreeMap;

use super::ast::{quoted, value};
use super::kinds;
use super::row::What;
use super::shelf::Shelf;
use super::words::{self, Call, Field, KEYWORDS, Kind, Op, WORDS};
use crate::eval::fault::Fault;

/// Something that could be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The first character it replaces, from 0.
    pub from: usize,
    /// What to write.
    pub text: String,
    /// What it means.
    pub doc: String,
}

/// The most that is offered.
const MOST: usize = 40;

/// What could be written before the caret, which stands at the end of this text.
pub fn offers(before: &str, shelf: &Shelf) -> Vec<Offer> {
    let chars: Vec<char> = before.chars().collect();
    match place(&chars) {
        Place::Argument(call, from) => {
            let typed = text(&chars, from);
            let typed = typed.trim_start_matches('"');
            let names = names_of(call, shelf);
            fitting(from, typed, names, |name| {
                format!("{})", super::ast::argument(name))
            })
        }
        Place::Value(field, from) => {
            let typed = text(&chars, from);
            let typed = typed.trim_start_matches('"');
            fitting(from, typed, values_of(field, shelf), value)
        }
        Place::Quoted => Vec::new(),
        Place::Word(from) => words_at(from, &text(&chars, from)),
    }
}

/// Where the caret stands.
enum Place {
    Argument(Call, usize),
    Value(Field, usize),
    Quoted,
    Word(usize),
}

fn text(chars: &[char], from: usize) -> String {
    chars.get(from..).unwrap_or_default().iter().collect()
}

fn place(chars: &[char]) -> Place {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let (mut open, mut quote): (Option<(Call, usize)>, Option<usize>) = (None, None);
    let mut escaped = false;
    let mut word = String::new();
    for (at, &c) in chars.iter().enumerate() {
        if quote.is_some() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => quote = None,
                _ => {}
            }
            continue;
        }
        match c {
            '"' => quote = Some(at),
            ')' => open = None,
            '(' => {
                if let Some(Kind::Call(call)) = words::find(&word).map(|it| it.kind) {
                    open = Some((call, at + 1));
                }
            }
            _ => {}
        }
        if is_word(c) {
            word.push(c);
        } else {
            word.clear();
        }
    }
    if let Some((call, from)) = open {
        let spaces = chars
            .get(from..)
            .unwrap_or_default()
            .iter()
            .take_while(|c| c.is_whitespace());
        return Place::Argument(call, from + spaces.count());
    }
    // A value stands after a field and its sign.
    let start = quote.unwrap_or_else(|| {
        let part = |c: &&char| !c.is_whitespace() && !"()\"=<>~!".contains(**c);
        chars.len() - chars.iter().rev().take_while(part).count()
    });
    let head = text(chars.get(..start).unwrap_or_default(), 0);
    let head = head.trim_end();
    let bare = head.trim_end_matches(|c: char| "=<>~!:".contains(c));
    if bare.len() < head.len() {
        let name: String = {
            let mut tail: Vec<char> = bare
                .trim_end()
                .chars()
                .rev()
                .take_while(|c| is_word(*c))
                .collect();
            tail.reverse();
            tail.into_iter().collect()
        };
        if let Some(Kind::Field(field, _)) = words::find(&name).map(|it| it.kind) {
            return Place::Value(field, start);
        }
    }
    if quote.is_some() {
        return Place::Quoted;
    }
    let tail = chars.iter().rev().take_while(|c| is_word(**c)).count();
    Place::Word(chars.len() - tail)
}

/// The names that fit what was typed: those that begin with it first, then those that hold it.
fn fitting(
    from: usize,
    typed: &str,
    names: Vec<(String, String)>,
    write: impl Fn(&str) -> String,
) -> Vec<Offer> {
    let typed = typed.to_lowercase();
    let (first, second): (Vec<_>, Vec<_>) = names
        .into_iter()
        .filter(|(name, _)| name.to_lowercase().contains(&typed))
        .partition(|(name, _)| name.to_lowercase().starts_with(&typed));
    let all = first.into_iter().chain(second).take(MOST);
    all.map(|(name, doc)| Offer {
        from,
        text: write(&name),
        doc,
    })
    .collect()
}

fn words_at(from: usize, typed: &str) -> Vec<Offer> {
    let write = |word: &words::Word| match word.kind {
        Kind::Flag(_) => word.name.to_owned(),
        Kind::Call(_) => format!("{}(", word.name),
        Kind::Field(field, words::Type::Text) => format!("{} {} ", field.name(), Op::Like.sign()),
        Kind::Field(field, _) => format!("{} {} ", field.name(), Op::More.sign()),
    };
    let typed = typed.to_lowercase();
    let known = WORDS.iter().filter(|word| word.name.starts_with(&typed));
    // Other ways to say the same are understood, not offered.
    let known = known.filter(|word| !word.doc.starts_with("the same as"));
    let joins = KEYWORDS
        .iter()
        .filter(|(word, _)| !typed.is_empty() && word.starts_with(&typed));
    let known = known.map(|word| (write(word), word.doc));
    let joins = joins.map(|(word, doc)| (format!("{word} "), *doc));
    known
        .chain(joins)
        .take(MOST)
        .map(|(text, doc)| Offer {
            from,
            text,
            doc: doc.to_owned(),
        })
        .collect()
}

/// Names with how often they occur, the most frequent first.
fn counted(names: impl Iterator<Item = String>) -> Vec<(String, String)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in names.filter(|name| !name.is_empty()) {
        *counts.entry(name).or_default() += 1;
    }
    let mut all: Vec<(String, usize)> = counts.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let runs = |n: usize| {
        if n == 1 {
            "1 run".to_owned()
        } else {
            format!("{n} runs")
        }
    };
    all.into_iter().map(|(name, n)| (name, runs(n))).collect()
}

fn names_of(call: Call, shelf: &Shelf) -> Vec<(String, String)> {
    let about = |wanted: &[What]| {
        let rows = shelf.rows.iter();
        counted(rows.flat_map(|row| {
            let moments = row.moments.iter().filter(|m| wanted.contains(&m.what));
            let mut words: Vec<_> = moments.map(|m| m.word).collect();
            words.sort_unstable();
            words.dedup();
            words
                .into_iter()
                .map(|word| shelf.pool.word(word).to_owned())
                .collect::<Vec<_>>()
        }))
    };
    let weights = [
        ("core", "core rules"),
        ("!3", "severity 3 and more"),
        ("!4", "severity 4"),
    ];
    let with_weights = |mut names: Vec<(String, String)>| {
        names.extend(weights.map(|(name, doc)| (name.to_owned(), doc.to_owned())));
        names
    };
    match call {
        Call::Violates => with_weights(about(&[What::Violated])),
        Call::Discharged => with_weights(about(&[What::Discharged])),
        Call::Armed => with_weights(about(&[What::ArmedOn])),
        Call::Pending => with_weights(about(&[What::PendingOn])),
        Call::Goal | Call::Lost | Call::Holds => {
            let rows = shelf.rows.iter();
            counted(rows.flat_map(|row| row.goals.iter().map(|it| shelf.pool.word(*it).to_owned())))
        }
        Call::Did => about(&[What::Did]),
        Call::State => about(&[What::FactOn, What::FactOff]),
        Call::Note => about(&[What::Note]),
        Call::Refused => {
            let mut kinds: Vec<(String, String)> = crate::sim::refusal::Kind::ALL
                .iter()
                .map(|kind| (kind.letter().to_string(), kind.words().to_owned()))
                .collect();
            kinds.dedup_by(|a, b| a.0 == b.0);
            kinds
        }
    }
}

fn values_of(field: Field, shelf: &Shelf) -> Vec<(String, String)> {
    let rows = shelf.rows.iter();
    match field {
        Field::Run => shelf
            .rows
            .iter()
            .map(|row| (row.id.to_string(), String::new()))
            .collect(),
        Field::Error => counted(rows.flat_map(|row| {
            let kinds = row
                .faults
                .iter()
                .filter_map(|(at, _)| Fault::ALL.get(usize::from(*at)));
            kinds.map(|kind| kind.id().to_owned()).collect::<Vec<_>>()
        })),
        Field::Outcome => counted(rows.map(|row| super::eval::outcome(row).to_owned())),
        Field::Rule => names_of(Call::Violates, shelf),
        Field::Ended => {
            let few = ["done", "avoided", "open"].into_iter();
            let mut all: Vec<(String, String)> =
                few.map(|name| (name.to_owned(), String::new())).collect();
            all.extend(counted(
                rows.map(|row| shelf.pool.word(row.cause).to_owned()),
            ));
            all
        }
        _ => {
            let seen = counted(rows.flat_map(|row| {
                let words = row.words(field).iter();
                words
                    .map(|word| shelf.pool.word(*word).to_owned())
                    .collect::<Vec<_>>()
            }));
            let known = kinds::choices(field).into_iter().map(str::to_owned);
            let mut all = seen;
            for name in known {
                if all.iter().all(|(it, _)| *it != name) {
                    all.push((name, String::new()));
                }
            }
            all
        }
    }
}

/// The text with an offer taken, and where the caret stands then; what was typed of it is replaced.
pub fn take(before: &str, offer: &Offer) -> String {
    let kept: String = before.chars().take(offer.from).collect();
    format!("{kept}{}", offer.text)
}

/// A text that a query looks for, as it is written.
pub fn as_text(text: &str) -> String {
    quoted(text)
}
