//! Reports from and to the disk: the runs in any folders as what they came to, and the tables as files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::agent::card::Card;
use crate::agent::sign::Spent;
use crate::base::diag::Diagnostic;
use crate::eval::case::Case;
use crate::eval::told::Told;
use crate::eval::write::{Names, page};
use crate::formats::run::HEADER_FILE;
use crate::formats::trace::foreign;
use crate::store::runs::SavedRun;
use crate::store::{durable, files};

/// The runs of agents in some folders.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// What each came to.
    pub cases: Vec<Case>,
    /// Where each is, by its id.
    pub places: BTreeMap<String, PathBuf>,
    /// Why others cannot be used, one sentence each.
    pub faults: Vec<String>,
}

impl Found {
    /// Whether no agent has played here.
    pub const fn is_empty(&self) -> bool {
        self.cases.is_empty() && self.faults.is_empty()
    }
}

/// Reads the runs in these folders, each of which is a run or holds runs, and plays them again. `go_on` hears how many of
/// how many are read, and stops the reading with false.
///
/// # Errors
/// A folder cannot be read.
pub fn read(
    folders: &[PathBuf],
    go_on: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Found, Diagnostic> {
    let mut runs = Vec::new();
    for folder in folders {
        if folder.join(HEADER_FILE).is_file() {
            runs.push(folder.clone());
            continue;
        }
        if !folder.is_dir() {
            let wrong = Diagnostic::error("", "there is no such folder");
            let wrong = wrong.in_file(&folder.display().to_string());
            return Err(wrong.help("name a folder of runs, or a run"));
        }
        let (_, inner) = files::entries(folder)?;
        runs.extend(inner.into_iter().filter(|f| f.join(HEADER_FILE).is_file()));
    }
    let mut found = Found::default();
    for (at, folder) in runs.iter().enumerate() {
        if !go_on(at, runs.len()) {
            break;
        }
        match case(folder) {
            Ok(Some(case)) => {
                found.places.insert(case.run.clone(), folder.clone());
                found.cases.push(case);
            }
            Ok(None) => {}
            Err(d) => found.faults.push(d.to_string()),
        }
    }
    Ok(found)
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
    let spent = calls.reduce(Spent::plus);
    let case = Case::of(
        &run.header.id,
        &again.episode,
        &run.events.items,
        Some(&card),
        spent,
    );
    Ok(Some(case))
}

/// Writes every table in every format into a folder, which is made where there is none; how many files.
///
/// # Errors
/// A file cannot be written.
pub fn save(told: &Told, folder: &Path) -> Result<usize, Diagnostic> {
    let files = told.files();
    for (name, text) in &files {
        let path = folder.join(name);
        durable::make_room(&path)?;
        durable::save(&path, text.as_bytes())?;
    }
    Ok(files.len())
}

/// Writes a report as one page. Runs whose pages lie beside it are linked.
///
/// # Errors
/// The file cannot be written.
pub fn save_page(told: &Told, file: &Path) -> Result<(), Diagnostic> {
    let beside = |run: &str| {
        let path = page_of(file, run);
        let name = path.file_name()?.to_string_lossy().into_owned();
        (path != file && path.is_file()).then_some(name)
    };
    let text = page(told, Names::Linked(&beside));
    durable::make_room(file)?;
    durable::save(file, text.as_bytes())
}

/// Where the page of a run lies beside a file: as `vesta export` calls it.
pub fn page_of(file: &Path, run: &str) -> PathBuf {
    file.with_file_name(format!("{}.html", foreign::folder_name(run)))
}
