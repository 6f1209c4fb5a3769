//! Arenas of typed plans as files: one JSON object a line.
//!
//! Two forms are read. `plans.jsonl` of `vesta advplan bench` has a plan a line with what is said of it. A file of
//! its own begins with `{"vesta_arena":1,"kind":"advplan"}`; lines with the field `asset` may then tell what the sides have.
//! Everything that can be computed from a plan may be said beside it and is kept as said, finite or not: [`weigh`] tells
//! where it differs, [`again`] whether the benchmark makes the same plans. The random `coa_id` and `action_id` of the published data are read and not kept (§2).
//!
//! A file that reads without an error can be scored: steps wait for steps that are there, and never for each other.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::arena::advplan::model::{Asset, Plan};
use crate::base::diag::Diagnostic;
use crate::formats::{json_line, quote, without_mark};

pub mod again;
mod chain;
mod form;
#[cfg(test)]
mod tests;
pub mod weigh;

/// The version this program reads.
pub const VERSION: u32 = 1;

/// The kind of arena that the first line names.
pub const KIND: &str = "advplan";

/// The file of plans in a folder of `vesta advplan bench`.
pub const PLANS_FILE: &str = "plans.jsonl";

/// The most plans one arena holds.
pub const MOST_PLANS: usize = 100_000;

/// The most assets one arena holds.
pub const MOST_ASSETS: usize = 100_000;

/// The most actions one plan holds, those of chain and branches counted; and the most steps.
pub const MOST_ACTIONS: usize = 10_000;

/// The longest line, in bytes.
pub const LONGEST_LINE: usize = 16 << 20;

/// An arena of typed plans.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedArena {
    /// Whether its first line names version and kind. Without, its ids are those of the benchmark.
    pub headed: bool,
    /// What it is about, in the words of its first line.
    pub scenario: String,
    /// The plans, in the order of the file.
    pub plans: Vec<Entry>,
    /// What the sides have.
    pub assets: Vec<Asset>,
}

/// A plan with what the file says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its id: `urban-100/council/5`.
    pub id: String,
    /// Its line.
    pub line: u32,
    /// The plan.
    pub plan: Plan,
    /// What is said of it, by the names of the figures; in the order of [`weigh::NAMES`].
    pub said: Vec<(&'static str, f64)>,
}

impl Entry {
    /// The scenario in a benchmark's id: what stands before its first stroke.
    pub fn scenario(&self) -> &str {
        self.id.split_once('/').map_or("", |(before, _)| before)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    vesta_arena: u32,
    kind: String,
    #[serde(default)]
    scenario: String,
}

/// Only what tells the forms apart.
#[derive(Deserialize)]
#[serde(expecting = "an object: the first line of an arena, or a plan with its id")]
struct Probe {
    #[serde(default)]
    vesta_arena: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    kind: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    plan: Option<serde::de::IgnoredAny>,
}

/// Whether a file whose first line this is holds typed plans, well or badly.
pub fn sniff(first: &[u8]) -> bool {
    let probe = serde_json::from_slice::<Probe>(without_mark(first));
    probe.is_ok_and(|p| p.kind.is_some() || p.plan.is_some())
}

/// Takes an arena line by line, so that a file of any length needs no more room than the plans it may hold.
#[derive(Debug, Default)]
pub struct Reader {
    arena: TypedArena,
    lines: u32,
    begun: bool,
    plans: BTreeMap<String, u32>,
    assets: BTreeMap<String, u32>,
}

impl Reader {
    /// Takes the next line, without its end.
    ///
    /// # Errors
    /// What is wrong with it, with line and field: an unknown version, kind or category, a step that waits for none or for
    /// itself, a number out of range, a name that is taken, or more than an arena can hold.
    pub fn line(&mut self, bytes: &[u8]) -> Result<(), Diagnostic> {
        self.lines = self.lines.saturating_add(1);
        let n = self.lines;
        let bytes = if n == 1 { without_mark(bytes) } else { bytes };
        if bytes.len() > LONGEST_LINE {
            let most = LONGEST_LINE >> 20;
            let fault = Diagnostic::error("", format!("the line is longer than {most} MiB"));
            return Err(fault.help("put each plan on a line of its own").at(n, None));
        }
        let text = std::str::from_utf8(bytes).map_err(|e| {
            Diagnostic::error("", "not UTF-8 text")
                .help("save the file as UTF-8")
                .at(n, u32::try_from(e.valid_up_to() + 1).ok())
        })?;
        if text.trim().is_empty() {
            return Ok(());
        }
        if !self.begun {
            self.begun = true;
            let probe: Probe = json_line(text, n).map_err(|d| bare(text, d))?;
            if probe.vesta_arena.is_some() || probe.kind.is_some() {
                return self.head(text, n);
            }
        }
        let line: form::Line = json_line(text, n).map_err(|d| bare(text, d))?;
        match line.take(n).map_err(|d| d.at(n, None))? {
            form::Taken::Plan(entry) => {
                fresh(&mut self.plans, "id", &entry.id, n)?;
                self.arena.plans.push(*entry);
                most("plan", "plans", self.arena.plans.len(), MOST_PLANS, n)
            }
            form::Taken::Asset(asset) => {
                fresh(&mut self.assets, "asset.asset_id", &asset.asset_id, n)?;
                self.arena.assets.push(asset);
                most("asset", "assets", self.arena.assets.len(), MOST_ASSETS, n)
            }
        }
    }

    fn head(&mut self, text: &str, n: u32) -> Result<(), Diagnostic> {
        #[derive(Deserialize)]
        struct Version {
            vesta_arena: u32,
        }
        let version: Version = json_line(text, n)?;
        if version.vesta_arena != VERSION {
            let found = version.vesta_arena;
            return Err(Diagnostic::error(
                "vesta_arena",
                format!("version {found} is not known; this program reads version {VERSION}"),
            )
            .help("use the version of vesta that wrote it")
            .at(n, None));
        }
        let head: Head = json_line(text, n)?;
        debug_assert_eq!(head.vesta_arena, VERSION);
        if head.kind != KIND {
            let kind = quote(&head.kind);
            return Err(
                Diagnostic::error("kind", format!("{kind} is no kind of arena"))
                    .help(format!("an arena of typed plans has the kind {KIND:?}"))
                    .at(n, None),
            );
        }
        self.arena.headed = true;
        self.arena.scenario = head.scenario;
        Ok(())
    }

    /// The arena, after the last line.
    ///
    /// # Errors
    /// There was no plan.
    pub fn finish(self) -> Result<TypedArena, Diagnostic> {
        if !self.begun {
            return Err(Diagnostic::error("", "the file is empty")
                .help("give a file that was written completely"));
        }
        if self.arena.plans.is_empty() {
            return Err(Diagnostic::error("", "the arena has no plan")
                .help("add a line with id and plan for each"));
        }
        Ok(self.arena)
    }
}

/// Reads an arena whose bytes are at hand.
///
/// # Errors
/// Those of [`Reader::line`] and [`Reader::finish`].
pub fn read(name: &str, bytes: &[u8]) -> Result<TypedArena, Diagnostic> {
    let mut reader = Reader::default();
    for line in bytes.split(|b| *b == b'\n') {
        reader.line(line).map_err(|d| d.in_file(name))?;
    }
    reader.finish().map_err(|d| d.in_file(name))
}

/// Python writes numbers that JSON has not: says how they are kept.
fn bare(text: &str, fault: Diagnostic) -> Diagnostic {
    let Some((at, word)) = unquoted(text) else {
        return fault;
    };
    let line = fault.line.unwrap_or_default();
    Diagnostic::error(fault.field, format!("{word} without quotes is no JSON"))
        .help(format!(
            "write \"{word}\" in quotes; a score is then kept as it is"
        ))
        .at(line, u32::try_from(at + 1).ok())
}

/// The first of Python's words for numbers outside quotes, and its place.
fn unquoted(text: &str) -> Option<(usize, &'static str)> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b'-' | b'N' | b'I' if !quoted => {
                let rest = text.get(at..).unwrap_or_default();
                let mut words = ["-Infinity", "NaN", "Infinity"].into_iter();
                if let Some(word) = words.find(|w| rest.starts_with(w)) {
                    return Some((at, word));
                }
            }
            _ => {}
        }
    }
    None
}

fn fresh(
    known: &mut BTreeMap<String, u32>,
    field: &str,
    name: &str,
    line: u32,
) -> Result<(), Diagnostic> {
    if let Some(first) = known.get(name) {
        let shown = quote(name);
        return Err(
            Diagnostic::error(field, format!("{shown} stands on line {first} already"))
                .help("give each its own id")
                .at(line, None),
        );
    }
    known.insert(name.to_owned(), line);
    Ok(())
}

fn most(field: &str, what: &str, n: usize, limit: usize, line: u32) -> Result<(), Diagnostic> {
    if n <= limit {
        return Ok(());
    }
    Err(
        Diagnostic::error(field, format!("an arena holds at most {limit} {what}"))
            .help("keep the ones that matter, or make several files of it")
            .at(line, None),
    )
}
