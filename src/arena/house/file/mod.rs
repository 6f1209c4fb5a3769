//! Arena files: `arena.jsonl`, one JSON object a line. The first names the task and the settings, each further one is a
//! candidate, a response, a cell, a claim, something said that does not count, a round or the choice, in any order.
//!
//! Everything a line names must be there: a file that reads without an error can be shown and played again. Scores that
//! are not finite are written as text and kept.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::arena::house::agents::Seated;
use crate::arena::house::model::{Origin, Response};
use crate::arena::house::record::{Choice, Claim, Entry, Played, Record, Round, Settings, Unheard};
use crate::base::diag::Diagnostic;
use crate::formats::{json_line, quote, utf8, without_mark};
use crate::plan::branching::{DEEPEST, LONGEST};

#[cfg(test)]
mod tests;

/// The file's name inside an arena's folder.
pub const ARENA_FILE: &str = "arena.jsonl";

/// The version this program reads and writes.
pub const ARENA_VERSION: u32 = 1;

/// The most candidates one arena holds.
pub const MOST_CANDIDATES: usize = 100_000;

/// The most cells one arena holds.
pub const MOST_CELLS: usize = 4_000_000;

#[derive(Deserialize)]
struct Version {
    vesta_arena: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "the first line of an arena: an object with the field vesta_arena"
)]
struct Head {
    vesta_arena: u32,
    suite: String,
    task: String,
    profile: String,
    settings: Settings,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    agents: Vec<Seated>,
}

#[derive(Serialize, Deserialize)]
#[serde(
    rename_all = "snake_case",
    expecting = "an object with one field: candidate, response, cell, claim, unheard, round or choice"
)]
enum Line {
    Candidate(Entry),
    Response(Response),
    Cell(Played),
    Claim(Claim),
    Unheard(Unheard),
    Round(Round),
    Choice(Choice),
}

/// An arena as text.
pub fn write(record: &Record) -> String {
    let mut out = String::new();
    let mut line = |json: serde_json::Result<String>| {
        // Values of ours with text keys always have a JSON form.
        if let Ok(json) = json {
            out.push_str(&json);
            out.push('\n');
        }
    };
    line(serde_json::to_string(&Head {
        vesta_arena: ARENA_VERSION,
        suite: record.suite.clone(),
        task: record.task.clone(),
        profile: record.profile.clone(),
        settings: record.settings.clone(),
        agents: record.agents.clone(),
    }));
    let mut all = |it: Line| line(serde_json::to_string(&it));
    for it in &record.candidates {
        all(Line::Candidate(it.clone()));
    }
    for it in &record.responses {
        all(Line::Response(it.clone()));
    }
    for it in &record.cells {
        all(Line::Cell(it.clone()));
    }
    for it in &record.claims {
        all(Line::Claim(it.clone()));
    }
    for it in &record.unheard {
        all(Line::Unheard(it.clone()));
    }
    for it in &record.rounds {
        all(Line::Round(it.clone()));
    }
    if let Some(it) = &record.choice {
        all(Line::Choice(it.clone()));
    }
    out
}

/// Reads an arena.
///
/// # Errors
/// A sentence with line and field: an unknown version, a line that is none of the kinds, a name that nothing has, a name
/// that two have, or more than an arena can hold.
pub fn read(name: &str, bytes: &[u8]) -> Result<Record, Diagnostic> {
    parse(bytes).map_err(|d| d.in_file(name))
}

fn parse(bytes: &[u8]) -> Result<Record, Diagnostic> {
    let text = utf8(without_mark(bytes))?;
    let mut lines = text.lines().zip(1_u32..);
    let (first, _) = lines.next().ok_or_else(empty)?;
    let version: Version = json_line(first, 1)?;
    if version.vesta_arena != ARENA_VERSION {
        let found = version.vesta_arena;
        return Err(Diagnostic::error(
            "vesta_arena",
            format!("version {found} is not known; this program reads version {ARENA_VERSION}"),
        )
        .help("use the version of vesta that wrote it")
        .at(1, None));
    }
    let head: Head = json_line(first, 1)?;
    bounded(&head.settings)?;
    let mut record = Record {
        suite: head.suite,
        task: head.task,
        profile: head.profile,
        settings: head.settings,
        agents: head.agents,
        candidates: Vec::new(),
        responses: Vec::new(),
        cells: Vec::new(),
        claims: Vec::new(),
        unheard: Vec::new(),
        rounds: Vec::new(),
        choice: None,
    };
    let mut at = Places::default();
    for (line, n) in lines {
        if line.trim().is_empty() {
            continue;
        }
        match json_line(line, n)? {
            Line::Candidate(it) => {
                at.candidates.push(n);
                record.candidates.push(it);
                most("candidate", record.candidates.len(), MOST_CANDIDATES, n)?;
            }
            Line::Response(it) => {
                at.responses.push(n);
                record.responses.push(it);
                most("response", record.responses.len(), MOST_CELLS, n)?;
            }
            Line::Cell(it) => {
                at.cells.push(n);
                record.cells.push(it);
                most("cell", record.cells.len(), MOST_CELLS, n)?;
            }
            Line::Claim(it) => {
                at.claims.push(n);
                record.claims.push(it);
            }
            Line::Unheard(it) => {
                at.unheard.push(n);
                record.unheard.push(it);
            }
            Line::Round(it) => {
                at.rounds.push(n);
                record.rounds.push(it);
            }
            Line::Choice(it) => {
                if record.choice.is_some() {
                    return Err(Diagnostic::error("choice", "an arena has one choice")
                        .help("keep the last of these lines")
                        .at(n, None));
                }
                at.choice = n;
                record.choice = Some(it);
            }
        }
    }
    agree(&record, &at)?;
    Ok(record)
}

/// Whether the settings are within their bounds.
fn bounded(settings: &Settings) -> Result<(), Diagnostic> {
    let count = settings
        .out_of_bounds()
        .map(|(name, low, high)| (name, format!("it is a whole number from {low} to {high}")));
    let Some((name, what)) = count.or_else(|| settings.wrong()) else {
        return Ok(());
    };
    Err(Diagnostic::error(format!("settings.{name}"), what)
        .help("correct it, or hold the arena again")
        .at(1, None))
}

/// On which line each thing stands.
#[derive(Default)]
struct Places {
    candidates: Vec<u32>,
    responses: Vec<u32>,
    cells: Vec<u32>,
    claims: Vec<u32>,
    unheard: Vec<u32>,
    rounds: Vec<u32>,
    choice: u32,
}

fn empty() -> Diagnostic {
    Diagnostic::error("", "the file is empty").help("give a file that was written completely")
}

fn most(what: &str, n: usize, limit: usize, line: u32) -> Result<(), Diagnostic> {
    if n <= limit {
        return Ok(());
    }
    Err(
        Diagnostic::error(what, format!("an arena holds at most {limit} of these"))
            .help("keep the ones that matter, or make several files of it")
            .at(line, None),
    )
}

/// Whether everything that is named is there, once.
fn agree(record: &Record, at: &Places) -> Result<(), Diagnostic> {
    let candidates = names(
        "candidate.name",
        record.candidates.iter().map(|e| e.name.as_str()),
        &at.candidates,
    )?;
    for (i, (entry, line)) in record.candidates.iter().zip(&at.candidates).enumerate() {
        descends(&record.candidates, i).map_err(|d| d.at(*line, None))?;
        whole(&entry.plan).map_err(|d| d.at(*line, None))?;
    }
    let responses = names(
        "response.id",
        record.responses.iter().map(|r| r.id.as_str()),
        &at.responses,
    )?;
    let known = |field: &str, all: &BTreeSet<&str>, name: &str, line: Option<&u32>| {
        if all.contains(name) {
            return Ok(());
        }
        let shown = quote(name);
        let fault = Diagnostic::error(field, format!("nothing here is called {shown}"));
        let fault = fault.help("add its line, or name one that is there");
        Err(fault.at(line.copied().unwrap_or_default(), None))
    };
    for (played, line) in record.cells.iter().zip(&at.cells) {
        let cell = &played.cell;
        known("cell.candidate", &candidates, &cell.candidate, Some(line))?;
        known("cell.response", &responses, &cell.response, Some(line))?;
    }
    for (claim, line) in record.claims.iter().zip(&at.claims) {
        known("claim.candidate", &candidates, &claim.candidate, Some(line))?;
        if !claim.response.is_empty() {
            known("claim.response", &responses, &claim.response, Some(line))?;
        }
    }
    for (it, line) in record.unheard.iter().zip(&at.unheard) {
        if !it.candidate.is_empty() {
            known("unheard.candidate", &candidates, &it.candidate, Some(line))?;
        }
    }
    for (round, line) in record.rounds.iter().zip(&at.rounds) {
        let scored = round.scores.iter().map(|s| &s.candidate);
        for name in scored.chain(&round.revised) {
            known("round", &candidates, name, Some(line))?;
        }
    }
    if let Some(choice) = &record.choice {
        for name in [&choice.selected, &choice.best_proposal, &choice.single] {
            known("choice", &candidates, name, Some(&at.choice))?;
        }
    }
    Ok(())
}

/// Whether a revision comes after what it revises, so that no candidate descends from itself.
fn descends(all: &[Entry], at: usize) -> Result<(), Diagnostic> {
    let Some(Entry {
        name,
        origin: Origin::Revision(of),
        ..
    }) = all.get(at)
    else {
        return Ok(());
    };
    if all.iter().take(at).any(|e| e.name == *of) {
        return Ok(());
    }
    let (name, of) = (quote(name), quote(of));
    let what = format!("{name} is a revision of {of}, and no candidate above it is called so");
    let help = "write what is revised above its revisions";
    Err(Diagnostic::error("candidate.origin", what).help(help))
}

/// Whether every branch of a plan is there whole; what stands in it is read with the scene.
fn whole(plan: &[String]) -> Result<(), Diagnostic> {
    let fault = |i: usize, what: String, help: &str| {
        Err(Diagnostic::error(format!("candidate.plan[{i}]"), what).help(help))
    };
    if plan.len() > LONGEST {
        return fault(
            LONGEST,
            format!("the plan has more than {LONGEST} lines"),
            "shorten it",
        );
    }
    let mut open: Vec<usize> = Vec::new();
    for (i, line) in plan.iter().enumerate() {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        if first.eq_ignore_ascii_case("if") {
            let last = words.last().unwrap_or_default();
            if last.eq_ignore_ascii_case("then") {
                open.push(i);
            }
            if open.len() > DEEPEST {
                let what = format!("branches stand in each other more than {DEEPEST} deep");
                return fault(i, what, "make the plan flatter");
            }
        } else if first.eq_ignore_ascii_case("end") && open.pop().is_none() {
            return fault(i, "there is no if to this end".to_owned(), "leave it out");
        } else if first.eq_ignore_ascii_case("else") && open.is_empty() {
            let what = "there is no if to this else".to_owned();
            return fault(i, what, "write the if above it");
        }
    }
    match open.last() {
        Some(i) => fault(
            *i,
            "this if is never closed".to_owned(),
            "write end below it",
        ),
        None => Ok(()),
    }
}

fn names<'r>(
    field: &str,
    all: impl Iterator<Item = &'r str>,
    lines: &[u32],
) -> Result<BTreeSet<&'r str>, Diagnostic> {
    let mut known = BTreeSet::new();
    for (name, line) in all.zip(lines) {
        if !known.insert(name) {
            let shown = quote(name);
            return Err(
                Diagnostic::error(field, format!("two of these are called {shown}"))
                    .help("give each its own name")
                    .at(*line, None),
            );
        }
    }
    Ok(known)
}
