//! `vesta report`: what the runs in any folders come to, as the paper's tables.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::{Map, Value, json};

use crate::agent::card::Card;
use crate::base::diag::Diagnostic;
use crate::base::text::pad;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::eval::case::Case;
use crate::eval::metrics::Metrics;
use crate::eval::report::{Report, counted};
use crate::eval::table::{Cell, Table};
use crate::eval::write::{self, FORMATS};
use crate::formats::run::HEADER_FILE;
use crate::store::library::Library;
use crate::store::runs::SavedRun;
use crate::store::{durable, files};

/// Flags of `vesta report`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folders of runs; the parts of a suite that was split are given together
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// The suite, so that tasks without a run are named: vh, b50, or a folder or file of tasks
    #[arg(long, value_name = "SUITE")]
    suite: Option<String>,
    /// Print one format: csv, md, tex, svg
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    format: Option<String>,
    /// Write every table in every format into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

fn format(text: &str) -> Result<String, String> {
    match write::find(text) {
        Some(found) => Ok(found.id.to_owned()),
        None => Err(format!(
            "write one of {}",
            FORMATS.iter().map(|f| f.id).collect::<Vec<_>>().join(", ")
        )),
    }
}

/// Reports. [`Exit::Finding`] where a run cannot be used or a task has none.
///
/// # Errors
/// A folder cannot be read, or nothing is in it.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    super::tell_rules(out);
    let expected = match &args.suite {
        Some(suite) => {
            let (library, tasks) = suite_of(suite)?;
            drop(library);
            tasks
                .iter()
                .map(|t| t.rsplit('/').next().unwrap_or_default().to_owned())
                .collect()
        }
        None => Vec::new(),
    };
    let mut all = Vec::new();
    let mut faults = Vec::new();
    for folder in &args.folders {
        cases(folder, &mut all, &mut faults)?;
    }
    if all.is_empty() && faults.is_empty() {
        bail!(
            "{}: no run of an agent is here",
            args.folders
                .iter()
                .map(|f| f.display().to_string())
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
    let told = Told::new(all, faults, &expected);
    if let Some(folder) = &args.out {
        told.save(folder)?;
    }
    if args.json {
        out.json(&told.json())?;
    } else if let Some(format) = args.format.as_deref().and_then(write::find) {
        for table in &told.report.tables {
            for line in (format.write)(table).lines() {
                out.line(line.trim_end_matches('\r'))?;
            }
        }
    } else {
        told.print(out)?;
    }
    Ok(if told.report.notes.is_empty() {
        Exit::Fine
    } else {
        Exit::Finding
    })
}

/// The tasks of a suite by name, or of a folder or file, with the library they are in.
///
/// # Errors
/// There are none.
pub(super) fn suite_of(suite: &str) -> anyhow::Result<(Library, Vec<String>)> {
    let path = Path::new(suite);
    let (library, named) = if path.exists() {
        (Library::open(Some(path)), None)
    } else {
        (Library::open(None), Some(suite))
    };
    let rows = library.rows().iter().filter(|row| row.error.is_none());
    let tasks: Vec<String> = rows
        .filter(|row| named.is_none_or(|n| row.suite == n))
        .map(|row| format!("{}/{}", row.suite, row.id))
        .collect();
    if tasks.is_empty() {
        let suites: BTreeSet<&str> = library.rows().iter().map(|r| r.suite.as_str()).collect();
        let suites: Vec<&str> = suites.into_iter().collect();
        bail!(
            "--suite {suite}: no such suite and no such file; there are {}",
            suites.join(", ")
        );
    }
    Ok((library, tasks))
}

/// The cases of a run, or of all runs in a folder.
fn cases(folder: &Path, all: &mut Vec<Case>, faults: &mut Vec<String>) -> anyhow::Result<()> {
    let folders = if folder.join(HEADER_FILE).is_file() {
        vec![folder.to_owned()]
    } else {
        let (_, folders) = files::entries(folder)?;
        folders
    };
    for folder in folders {
        if !folder.join(HEADER_FILE).is_file() {
            continue;
        }
        match case(&folder) {
            Ok(Some(case)) => all.push(case),
            Ok(None) => {}
            Err(d) => faults.push(d.to_string()),
        }
    }
    Ok(())
}

/// What a run came to; `None` where a person played it.
fn case(folder: &Path) -> Result<Option<Case>, Diagnostic> {
    let run = SavedRun::read(folder)?;
    let Some(card) = &run.header.player else {
        return Ok(None);
    };
    let wrong = |why: String| Diagnostic::error("", why).in_file(&folder.display().to_string());
    let card = Card::read(card).map_err(wrong)?;
    let again = run.replay()?;
    if let Some(drift) = again.drifts.first() {
        return Err(wrong(format!(
            "this world differs from the recorded one, {drift}; the run is left out"
        )));
    }
    let calls = run.spent().into_iter().map(|(_, spent)| spent);
    let spent = calls.reduce(crate::agent::sign::Spent::plus);
    let case = Case::of(
        &run.header.id,
        &again.episode,
        &run.events.items,
        Some(&card),
        spent,
    );
    Ok(Some(case))
}

/// A report with what it stands on.
pub(super) struct Told {
    cases: Vec<Case>,
    report: Report,
}

impl Told {
    pub(super) fn new(all: Vec<Case>, faults: Vec<String>, expected: &[String]) -> Self {
        let (cases, notes) = counted(all);
        let mut report = Report::of(&cases, expected);
        report.notes.extend(notes);
        report.notes.extend(faults);
        Self { cases, report }
    }

    /// The report of the runs in these folders.
    pub(super) fn of(folders: &[PathBuf], expected: &[String]) -> anyhow::Result<Self> {
        let (mut all, mut faults) = (Vec::new(), Vec::new());
        for folder in folders {
            cases(folder, &mut all, &mut faults)?;
        }
        Ok(Self::new(all, faults, expected))
    }

    /// The metrics of all, and agent by agent; tokens and cost, but no times.
    pub(super) fn json(&self) -> Value {
        let mut value = Metrics::of(&self.cases).json();
        let mut agents = Map::new();
        let names: BTreeSet<&str> = self.cases.iter().map(|c| c.who.as_str()).collect();
        for name in names {
            let those = self.cases.iter().filter(|c| c.who == name);
            agents.insert(name.to_owned(), Metrics::of(those).json());
        }
        let spent = self
            .cases
            .iter()
            .filter_map(|c| c.spent)
            .reduce(crate::agent::sign::Spent::plus);
        if let Some(fields) = value.as_object_mut() {
            fields.insert("agents".to_owned(), agents.into());
            if let Some(spent) = spent {
                fields.insert("tokens_in".to_owned(), spent.tokens_in.into());
                fields.insert("tokens_out".to_owned(), spent.tokens_out.into());
                fields.insert("cost_usd".to_owned(), json!(spent.cost));
            }
            fields.insert("notes".to_owned(), self.report.notes.clone().into());
        }
        value
    }

    /// Writes every table in every format.
    fn save(&self, folder: &Path) -> anyhow::Result<()> {
        fs_err::create_dir_all(folder)?;
        for table in &self.report.tables {
            for format in FORMATS {
                let path = folder.join(format!("{}.{}", table.id, format.id));
                durable::save(&path, (format.write)(table).as_bytes())
                    .context("the report is not written")?;
            }
        }
        let path = folder.join("report.json");
        durable::save(&path, format!("{:#}\n", self.json()).as_bytes())
            .context("the report is not written")?;
        Ok(())
    }

    /// Prints the tables as text.
    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        for table in self.report.tables.iter().filter(|t| !t.rows.is_empty()) {
            for line in text(table) {
                out.line(&line)?;
            }
            out.line("")?;
        }
        for note in &self.report.notes {
            out.error(note);
        }
        Ok(())
    }
}

/// A table as columns of text.
fn text(table: &Table) -> Vec<String> {
    let cell = |cell: &Cell| match cell {
        Cell::Rate { n, of, .. } => format!("{} {n}/{of}", cell.text()),
        other => other.text(),
    };
    let mut rows: Vec<Vec<String>> = vec![table.columns.iter().map(|c| c.head.clone()).collect()];
    rows.extend(
        table
            .rows
            .iter()
            .map(|row| row.cells.iter().map(cell).collect()),
    );
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|i| {
            let cells = rows.iter().filter_map(|row| row.get(i));
            cells
                .map(|c| crate::base::text::width(c))
                .max()
                .unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .zip(&widths)
            .zip(&table.columns)
            .map(|((cell, width), column)| {
                if column.numeric {
                    let room = width.saturating_sub(crate::base::text::width(cell));
                    format!("{}{cell}", " ".repeat(room))
                } else {
                    pad(cell, *width)
                }
            });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![table.title.clone()];
    lines.extend(rows.iter().map(line));
    lines.extend(table.notes.iter().map(|note| format!("- {note}")));
    lines
}
