//! Small file operations whose errors are sentences.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::base::diag::Diagnostic;

/// The largest file or archive member that is read, in bytes. A wheel's largest member is far below; a zip bomb is above.
pub const LARGEST: u64 = 64 << 20;

/// Reads a whole file of at most [`LARGEST`] bytes.
///
/// # Errors
/// It cannot be read, or is larger.
pub fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    read_up_to(path, LARGEST)
}

/// The first bytes of a plain file; all of a shorter one.
///
/// # Errors
/// It cannot be read.
pub fn head(path: &Path, bytes: usize) -> io::Result<Vec<u8>> {
    // A pipe or device could block or never end.
    if !std::fs::metadata(path)?.is_file() {
        return Ok(Vec::new());
    }
    let mut head = Vec::with_capacity(bytes);
    File::open(path)?
        .take(bytes as u64)
        .read_to_end(&mut head)?;
    Ok(head)
}

/// The first and the last bytes of a file, one after the other.
///
/// # Errors
/// It cannot be read.
pub(super) fn ends(path: &Path, first: usize, last: usize) -> io::Result<Vec<u8>> {
    use std::io::Seek as _;
    let mut bytes = head(path, first)?;
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(io::SeekFrom::Start(length.saturating_sub(last as u64)))?;
    file.take(last as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a whole file of at most `limit` bytes.
///
/// # Errors
/// It cannot be read, or is larger.
pub(super) fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>, Diagnostic> {
    let name = path.display().to_string();
    let fault = |e: &io::Error| failed(e).in_file(&name);
    let meta = std::fs::metadata(path).map_err(|e| fault(&e))?;
    // A pipe or device could block or never end.
    if !meta.is_file() {
        let what = if meta.is_dir() {
            "a folder"
        } else {
            "no plain file"
        };
        return Err(Diagnostic::error("", format!("this is {what}"))
            .help("name a file")
            .in_file(&name));
    }
    let file = File::open(path).map_err(|e| fault(&e))?;
    bounded_by(file, meta.len(), limit).map_err(|e| fault(&e))
}

/// Reads at most [`LARGEST`] bytes; `size` is what the source announces.
///
/// # Errors
/// The source fails or holds more.
pub(super) fn bounded(source: impl io::Read, size: u64) -> io::Result<Vec<u8>> {
    bounded_by(source, size, LARGEST)
}

fn bounded_by(source: impl io::Read, size: u64, limit: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it is larger than {} MiB", limit >> 20),
        )
    };
    if size > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(size as usize);
    source.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large());
    }
    Ok(bytes)
}

/// What went wrong, in a sentence.
pub(super) fn failed(e: &io::Error) -> Diagnostic {
    let (message, help) = match e.kind() {
        io::ErrorKind::NotFound => ("not found".to_owned(), "check the name"),
        io::ErrorKind::PermissionDenied => (
            "permission denied".to_owned(),
            "allow it or choose another place",
        ),
        io::ErrorKind::NotADirectory => (
            "a part of the path is no folder".to_owned(),
            "check the path",
        ),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => (
            "the disk is full".to_owned(),
            "make room or choose another place",
        ),
        io::ErrorKind::ReadOnlyFilesystem => (
            "the disk cannot be written".to_owned(),
            "choose another place",
        ),
        io::ErrorKind::FileTooLarge => (e.to_string(), "it is not a file of this kind"),
        _ => (e.to_string(), ""),
    };
    Diagnostic::error("", message).help(help)
}

/// The files of a folder with that ending (no dot), sorted by name; none where the folder does not exist.
///
/// # Errors
/// The folder exists and cannot be read.
pub fn list(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Diagnostic> {
    let (mut files, _) = entries(folder)?;
    files.retain(|path| path.extension().is_some_and(|e| e == extension));
    Ok(files)
}

/// Files and folders in a folder, each sorted by name; none where it does not exist.
///
/// # Errors
/// The folder exists and cannot be read.
pub fn entries(folder: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Diagnostic> {
    let fault = |e: &io::Error| failed(e).in_file(&folder.display().to_string());
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), Vec::new())),
        Err(e) => return Err(fault(&e)),
    };
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in entries {
        let path = entry.map_err(|e| fault(&e))?.path();
        if path.is_dir() {
            folders.push(path);
        } else {
            files.push(path);
        }
    }
    files.sort();
    folders.sort();
    Ok((files, folders))
}

/// The SHA-256 of some bytes, 64 hex digits.
pub fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// The last part of a path, for messages and ids.
pub fn stem(path: &Path) -> String {
    path.file_stem()
        .map_or_else(String::new, |s| s.to_string_lossy().into_owned())
}
