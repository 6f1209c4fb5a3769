//! `vesta report`: what the runs in any folders come to, as the paper's tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::app::parts::web;
use crate::base::diag::Diagnostic;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::eval::told::Told;
use crate::eval::write::{self, FORMATS};
use crate::runtime::jobs;
use crate::store::library::Library;
use crate::store::runs::SavedRun;
use crate::store::{durable, reports};

/// Flags of `vesta report`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folders of runs; the parts of a suite that was split are given together
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// The suite, so that tasks without a run are named: vh, b50, or a folder or file of tasks
    #[arg(long, value_name = "SUITE")]
    suite: Option<String>,
    /// Print one format: csv, md, tex, svg, html
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    format: Option<String>,
    /// Write every table in every format into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write all of it as one page, its failed runs linked to their pages where these lie beside it
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the page of every failed run beside it, too
    #[arg(long, requires = "html")]
    pages: bool,
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
    let found = reports::read(&args.folders, &mut |_, _| true)?;
    let places = found.places;
    let told = Told::new(found.cases, found.faults, &expected);
    if told.cases.is_empty() && told.is_whole() {
        let folders: Vec<String> = args
            .folders
            .iter()
            .map(|f| f.display().to_string())
            .collect();
        bail!("{}: no run of an agent is here", folders.join(", "));
    }
    if let Some(folder) = &args.out {
        reports::save(&told, folder)?;
    }
    if let Some(file) = &args.html {
        if args.pages {
            pages(&told, &places, file)?;
        }
        reports::save_page(&told, file)?;
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
        print(&told, out)?;
    }
    Ok(if told.is_whole() {
        Exit::Fine
    } else {
        Exit::Finding
    })
}

/// Writes the pages of the runs that failed beside a file.
fn pages(told: &Told, places: &BTreeMap<String, PathBuf>, file: &Path) -> anyhow::Result<()> {
    for case in told.failed() {
        let Some(folder) = places.get(&case.run) else {
            continue;
        };
        let run = jobs::loaded(SavedRun::read(folder)?);
        let path = reports::page_of(file, &case.run);
        durable::make_room(&path)?;
        durable::save(&path, web::page(&run).as_bytes())?;
    }
    Ok(())
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

/// Prints the tables as text; what is missing goes to standard error.
pub(super) fn print(told: &Told, out: &mut Out) -> anyhow::Result<()> {
    for line in told.lines() {
        out.line(&line)?;
    }
    for note in told.notes() {
        out.error(note);
    }
    Ok(())
}

/// The report of the runs in these folders.
///
/// # Errors
/// A folder cannot be read.
pub(super) fn told(folders: &[PathBuf], expected: &[String]) -> Result<Told, Diagnostic> {
    let found = reports::read(folders, &mut |_, _| true)?;
    Ok(Told::new(found.cases, found.faults, expected))
}
