//! Colouring the lines of a text by what its words are.
//!
//! The languages are small grammars in `assets/syntax`, read the first time something is painted: that takes a few
//! milliseconds and belongs into a job. None of them looks across lines, so a window can be painted by itself.

use std::sync::OnceLock;

use syntect::parsing::{
    ParseState, Scope, ScopeStack, SyntaxDefinition, SyntaxSet, SyntaxSetBuilder,
};

use crate::formats::page::Row;

/// The shipped grammars.
const GRAMMARS: &[&str] = &[
    include_str!("../../../assets/syntax/json.sublime-syntax"),
    include_str!("../../../assets/syntax/rules.sublime-syntax"),
    include_str!("../../../assets/syntax/toml.sublime-syntax"),
];

/// Lines longer than this many bytes are left plain.
pub const LONGEST: usize = 4096;

/// What a piece of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ink {
    /// Nothing in particular.
    #[default]
    Plain,
    /// The name of a field or a thing.
    Name,
    /// A text in quotes, or what is called.
    Text,
    /// A number.
    Number,
    /// A word with a meaning of its own: `true`, `rule`, an operator.
    Word,
    /// Brackets, commas, colons.
    Mark,
    /// A remark.
    Remark,
}

/// The scopes of the grammars, and what they are.
const INKS: &[(&str, Ink)] = &[
    ("entity.name", Ink::Name),
    ("string", Ink::Text),
    ("constant.numeric", Ink::Number),
    ("constant.language", Ink::Word),
    ("keyword", Ink::Word),
    ("punctuation", Ink::Mark),
    ("comment", Ink::Remark),
];

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Bytes of the line it takes.
    pub len: usize,
    /// What they are.
    pub ink: Ink,
}

/// The language of a file by its name, if it has one that can be painted.
pub fn language(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending {
        "json" | "jsonl" => "json",
        "rules" => "rules",
        "toml" => "toml",
        _ => return None,
    })
}

fn set() -> &'static SyntaxSet {
    static SET: OnceLock<SyntaxSet> = OnceLock::new();
    SET.get_or_init(|| {
        let mut builder = SyntaxSetBuilder::new();
        // A test holds that all of them can be read; one that cannot leaves its files plain.
        for text in GRAMMARS {
            if let Ok(grammar) = SyntaxDefinition::load_from_str(text, true, None) {
                builder.add(grammar);
            }
        }
        builder.build()
    })
}

/// The pieces of each line; an empty list leaves the line plain. Stops early, with what is done, when nobody waits.
pub fn paint(language: &str, rows: &[Row], stop: &dyn Fn() -> bool) -> Vec<Vec<Piece>> {
    let set = set();
    let Some(grammar) = set.find_syntax_by_name(language) else {
        return Vec::new();
    };
    let inks: Vec<(Scope, Ink)> = INKS
        .iter()
        .filter_map(|(scope, ink)| Some((Scope::new(scope).ok()?, *ink)))
        .collect();
    let mut painted = Vec::with_capacity(rows.len());
    for row in rows {
        if stop() {
            break;
        }
        painted.push(if row.text.len() > LONGEST {
            Vec::new()
        } else {
            line(set, ParseState::new(grammar), &inks, &row.text)
        });
    }
    painted
}

fn line(set: &SyntaxSet, mut state: ParseState, inks: &[(Scope, Ink)], text: &str) -> Vec<Piece> {
    let Ok(changes) = state.parse_line(&format!("{text}\n"), set) else {
        return Vec::new();
    };
    let mut stack = ScopeStack::new();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut from = 0;
    let mut ink = Ink::Plain;
    for (at, change) in changes {
        let at = at.min(text.len());
        push(&mut pieces, at.saturating_sub(from), ink);
        from = at.max(from);
        if stack.apply(&change).is_err() {
            return Vec::new();
        }
        let inner = stack.as_slice().iter().rev();
        ink = inner
            .filter_map(|scope| inks.iter().find(|(known, _)| known.is_prefix_of(*scope)))
            .map(|(_, ink)| *ink)
            .next()
            .unwrap_or_default();
    }
    push(&mut pieces, text.len() - from, ink);
    pieces
}

fn push(pieces: &mut Vec<Piece>, len: usize, ink: Ink) {
    match pieces.last_mut() {
        _ if len == 0 => {}
        Some(last) if last.ink == ink => last.len += len,
        _ => pieces.push(Piece { len, ink }),
    }
}

#[cfg(test)]
mod tests;
