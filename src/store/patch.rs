//! Task files of one's own: where a changed task belongs, and writing it there.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::base::diag::Diagnostic;
use crate::formats::task::patch::{self, Edit};
use crate::store::library::Library;
use crate::store::{durable, files};

/// A change to a task file that was not made yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The file to be written.
    pub file: PathBuf,
    /// The text it is made from; of a shipped task, if there is no such file yet.
    pub old: Vec<u8>,
    /// What it will hold.
    pub new: Vec<u8>,
}

/// The change to a task by its name. A shipped task is left as it is: a copy in the user's folder takes its place.
///
/// # Errors
/// The task has no file, or the change does not fit it.
pub fn propose(library: &Library, name: &str, edits: &[Edit]) -> Result<Proposal, Diagnostic> {
    let (file, old) = library.file_of(name)?;
    let new = patch::apply(&file.display().to_string(), &old, edits)?;
    Ok(Proposal { file, old, new })
}

/// Makes the change.
///
/// # Errors
/// The file is not any more what it was when the change was proposed, or the disk refuses.
pub fn write(proposal: &Proposal) -> Result<(), Diagnostic> {
    let Proposal { file, old, new } = proposal;
    let name = file.display().to_string();
    let fault = |e: &std::io::Error| Diagnostic::error("", e.to_string()).in_file(&name);
    if file.exists() && files::read(file)? != *old {
        return Err(Diagnostic::error("", "the file has changed since")
            .help("look at the change again")
            .in_file(&name));
    }
    let folder = file.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder).map_err(|e| fault(&e))?;
    durable::write(file, new).map_err(|e| fault(&e))?;
    durable::sync_folder(folder).map_err(|e| fault(&e))
}
