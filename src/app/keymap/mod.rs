//! The key map: which keys run which command line in which context.
//!
//! The shipped map is `assets/keymap.toml`, read by the same parser as the user's own file, which only
//! overrides rows. Hints (footer, help, which-key) are looked up here, so they cannot differ from
//! what the keys do.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use crate::app::commands;
use crate::app::key::{Chord, Key};

/// The shipped key map.
pub const SHIPPED: &str = include_str!("../../../assets/keymap.toml");

/// Keys bound to a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The chords that run it; the first one is shown.
    pub on: Vec<Chord>,
    /// A command with its arguments: `next goal`.
    pub run: String,
    /// Words for footer and help instead of the command's title.
    pub desc: Option<String>,
}

impl Binding {
    /// The command's name, without its arguments.
    pub fn command(&self) -> &str {
        self.run.split(' ').next().unwrap_or_default()
    }

    /// The words shown for it.
    pub fn title(&self) -> &str {
        let title = || commands::find(self.command()).map_or("", |(_, command)| command.title);
        self.desc.as_deref().unwrap_or_else(title)
    }
}

/// What is wrong with a key map: one sentence with file and line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeymapError {
    /// The file as the user knows it.
    pub file: String,
    /// The line, counted from 1; 0 if it cannot be told.
    pub line: usize,
    /// What is wrong and what to do.
    pub text: String,
}

impl fmt::Display for KeymapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}: {}", self.file, self.text)
        } else {
            write!(f, "{} line {}: {}", self.file, self.line, self.text)
        }
    }
}

impl std::error::Error for KeymapError {}

/// Bindings by context, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keymap {
    contexts: BTreeMap<String, Vec<Binding>>,
}

/// What a sequence of keys means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup<'a> {
    /// It runs this, in the context with that index of those asked.
    Run(usize, &'a Binding),
    /// It is the beginning of at least one chord.
    Prefix,
    /// It means nothing.
    Nothing,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    on: toml::Spanned<Keys>,
    run: toml::Spanned<String>,
    desc: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Keys {
    One(String),
    Many(Vec<String>),
}

impl Keymap {
    /// Reads a key map. `file` is what messages call it.
    pub fn parse(text: &str, file: &str) -> Result<Self, KeymapError> {
        let fail = |at: usize, text: String| KeymapError {
            file: file.to_owned(),
            line: at,
            text,
        };
        let line = |offset: usize| 1 + text.bytes().take(offset).filter(|b| *b == b'\n').count();
        let rows: BTreeMap<String, Vec<Row>> = toml::from_str(text).map_err(|err| {
            let at = err.span().map_or(0, |span| line(span.start));
            fail(at, err.message().to_owned())
        })?;
        let mut contexts = BTreeMap::new();
        for (name, rows) in rows {
            let first = rows.first().map_or(0, |row| line(row.on.span().start));
            if commands::context(&name).is_none() {
                return Err(fail(
                    first,
                    format!("there is no context \"{name}\", see :help"),
                ));
            }
            let mut bindings = Vec::with_capacity(rows.len());
            for row in rows {
                let at = line(row.run.span().start);
                let run = row.run.into_inner();
                let command = run.split(' ').next().unwrap_or_default();
                if commands::find(command).is_none() {
                    return Err(fail(at, format!("there is no command \"{command}\"")));
                }
                let at = line(row.on.span().start);
                let chords = match row.on.into_inner() {
                    Keys::One(one) => vec![one],
                    Keys::Many(many) => many,
                };
                let on = chords
                    .iter()
                    .map(|chord| chord.parse::<Chord>())
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(|text| fail(at, text))?;
                bindings.push(Binding {
                    on,
                    run,
                    desc: row.desc,
                });
            }
            contexts.insert(name, bindings);
        }
        Ok(Self { contexts })
    }

    /// The shipped map with the user's rows over it. A row that runs the same command line in the same
    /// context replaces the shipped one; a chord it takes is taken away from the others.
    #[must_use]
    pub fn overridden(mut self, user: Self) -> Self {
        for (name, rows) in user.contexts {
            let ours = self.contexts.entry(name).or_default();
            for row in rows {
                for other in ours.iter_mut() {
                    other.on.retain(|chord| !row.on.contains(chord));
                }
                match ours.iter_mut().find(|other| other.run == row.run) {
                    Some(other) => *other = row,
                    None => ours.push(row),
                }
            }
        }
        self
    }

    /// The bindings of a context, in the order of the file.
    pub fn bindings(&self, context: &str) -> &[Binding] {
        self.contexts.get(context).map_or(&[], Vec::as_slice)
    }

    /// What the keys mean in the contexts, nearest first. The nearest context that binds the sequence or
    /// the beginning of a longer one decides.
    pub fn lookup(&self, contexts: &[&str], keys: &[Key]) -> Lookup<'_> {
        for (i, context) in contexts.iter().enumerate() {
            let mut prefix = false;
            for binding in self.bindings(context) {
                for chord in &binding.on {
                    if chord.keys() == keys {
                        return Lookup::Run(i, binding);
                    }
                    prefix |= chord.keys().starts_with(keys);
                }
            }
            if prefix {
                return Lookup::Prefix;
            }
        }
        Lookup::Nothing
    }

    /// Every binding that continues the keys, with the index of its context and the rest of its chord.
    pub fn continuations(&self, contexts: &[&str], keys: &[Key]) -> Vec<(usize, &Binding, String)> {
        let mut found = Vec::new();
        for (i, context) in contexts.iter().enumerate() {
            for binding in self.bindings(context) {
                for chord in &binding.on {
                    if let Some(rest) = chord
                        .keys()
                        .strip_prefix(keys)
                        .filter(|rest| !rest.is_empty())
                    {
                        let rest: Vec<String> = rest.iter().map(Key::to_string).collect();
                        found.push((i, binding, rest.join(" ")));
                    }
                }
            }
        }
        found
    }

    /// The chord to show for a command line in the contexts, if it has one.
    pub fn chord(&self, contexts: &[&str], run: &str) -> Option<&Chord> {
        contexts.iter().find_map(|context| {
            let binding = self
                .bindings(context)
                .iter()
                .find(|binding| binding.run == run)?;
            binding.on.first()
        })
    }

    /// Chords of one context that hide each other: equal, or one the beginning of the other.
    pub fn conflicts(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (name, bindings) in &self.contexts {
            let chords: Vec<(&Chord, &str)> = bindings
                .iter()
                .flat_map(|b| b.on.iter().map(|c| (c, b.run.as_str())))
                .collect();
            for (i, (a, run)) in chords.iter().enumerate() {
                for (b, other) in chords.iter().skip(i + 1) {
                    if a.keys().starts_with(b.keys()) || b.keys().starts_with(a.keys()) {
                        found.push(format!("{name}: \"{a}\" runs {run}, \"{b}\" runs {other}"));
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
