//! A run that comes whole from elsewhere: its folder appears with everything in it, or not at all.

use std::io;
use std::path::Path;

use fs_err as fs;

use super::lock::{Asked, Lock};
use super::writer::MAKING;
use crate::base::diag::Diagnostic;
use crate::store::{durable, files};

/// Makes a run's folder with these files.
///
/// # Errors
/// It could not be made; nothing is left behind.
pub(in crate::store) fn put_whole(
    root: &Path,
    id: &str,
    parts: &[(&str, Vec<u8>)],
) -> Result<(), Diagnostic> {
    let fault = |e: &io::Error| {
        let d = files::failed(e);
        Diagnostic {
            message: format!("the run cannot be written: {}", d.message),
            help: "make room or name another folder with --runs".to_owned(),
            ..d
        }
        .in_file(&root.display().to_string())
    };
    fs::create_dir_all(root).map_err(|e| fault(&e))?;
    let making = root.join(format!("{MAKING}{id}"));
    fs::create_dir(&making).map_err(|e| fault(&e))?;
    let made = fill(root, &making, id, parts);
    if made.is_err() {
        // The error that matters is the first one.
        let _ = fs::remove_dir_all(&making);
    }
    made.map_err(|e| fault(&e))
}

fn fill(root: &Path, making: &Path, id: &str, parts: &[(&str, Vec<u8>)]) -> io::Result<()> {
    // Held, so that nobody takes the folder for one that was left behind.
    let Asked::Held(_lock) = Lock::ask(making)? else {
        return Err(io::ErrorKind::WouldBlock.into());
    };
    for (name, bytes) in parts {
        durable::write(&making.join(name), bytes)?;
    }
    durable::sync_folder(making)?;
    fs::rename(making, root.join(id))?;
    durable::sync_folder(root)
}
