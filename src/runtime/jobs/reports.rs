//! Jobs about reports: reading the runs of folders, writing the tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::jobs::Reply;
use crate::app::reports::Reported;
use crate::eval::told::Told;
use crate::store::reports;

use super::compare::free;
use super::{Control, Sources};

/// Reads the runs in these folders, or in the folder of runs where none is named, and plays them again.
pub(super) fn read(
    sources: &Sources,
    control: &Control,
    folders: &[PathBuf],
) -> Result<Reply, String> {
    let usual = folders.is_empty();
    let folders = if usual {
        vec![sources.runs().map_err(|d| d.to_string())?]
    } else {
        folders.to_vec()
    };
    // The usual folder is made by the first run; before that nothing is wrong.
    let found = if usual && !folders.iter().all(|f| f.is_dir()) {
        reports::Found::default()
    } else {
        reports::read(&folders, &mut |done, total| {
            control.progress(done as u64, total as u64);
            !control.is_cancelled()
        })
        .map_err(|d| d.to_string())?
    };
    let expected = expected(sources, &found);
    Ok(Reply::Report(Arc::new(Reported {
        folders: folders.iter().map(|f| f.display().to_string()).collect(),
        told: Told::new(found.cases, found.faults, &expected),
        places: found.places,
    })))
}

/// The tasks of the suite, where all runs are of one suite that is known: those without a run are named.
fn expected(sources: &Sources, found: &reports::Found) -> Vec<String> {
    let Some(suite) = found.cases.first().map(|case| case.suite.as_str()) else {
        return Vec::new();
    };
    if found.cases.iter().any(|case| case.suite != suite) {
        return Vec::new();
    }
    let library = sources.library();
    let rows = library.rows().iter().filter(|row| row.suite == suite);
    rows.filter(|row| row.error.is_none())
        .map(|row| row.id.clone())
        .collect()
}

/// Writes every table in every format into a folder; all of it as one page where the name ends so.
pub(super) fn save(reported: &Reported, folder: &Path) -> Result<Reply, String> {
    let is_page = |e: &std::ffi::OsStr| e.eq_ignore_ascii_case("html");
    if folder.extension().is_some_and(is_page) {
        let file = free(folder)?;
        reports::save_page(&reported.told, &file).map_err(|d| d.to_string())?;
        return Ok(Reply::ReportSaved(file.display().to_string(), 1));
    }
    let files = reports::save(&reported.told, folder).map_err(|d| d.to_string())?;
    Ok(Reply::ReportSaved(folder.display().to_string(), files))
}
