//! Members of a folder, a zip file or a tar archive, read one by one. An archive is never unpacked: what it holds is
//! learned when it is opened, a member is read when it is asked for, and none beyond [`files::LARGEST`].

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::base::diag::Diagnostic;
use crate::store::files;

mod tar;

pub use tar::Tar;

/// What a zip file begins with.
const ZIP: &[u8] = b"PK\x03\x04";
/// What a gzipped file begins with.
const GZIP: &[u8] = b"\x1f\x8b";
/// What a tar archive says, and where.
const TAR: (usize, &[u8]) = (257, b"ustar");

/// Members by name, wherever they are kept.
pub trait Source: fmt::Debug + Send + Sync {
    /// The names of what lies directly in a folder (`""` is the top), sorted.
    fn list(&self, folder: &str) -> Result<Vec<String>, Diagnostic>;
    /// The bytes of a member.
    fn read(&self, member: &str) -> Result<Vec<u8>, Diagnostic>;
    /// The bytes of several members, in their order.
    fn read_all(&self, members: &[&str]) -> Vec<Result<Vec<u8>, Diagnostic>> {
        members.iter().map(|member| self.read(member)).collect()
    }
}

/// Opens whatever lies there: a folder, a zip file, a plain or gzipped tar archive.
///
/// # Errors
/// It is none of these, or cannot be read.
pub fn open(path: &Path) -> Result<Box<dyn Source>, Diagnostic> {
    if path.is_dir() {
        return Ok(Box::new(Dir(path.to_owned())));
    }
    let name = path.display().to_string();
    let (at, word) = TAR;
    let head = files::head(path, at + word.len()).map_err(|e| files::failed(&e).in_file(&name))?;
    if head.starts_with(ZIP) {
        Ok(Box::new(Zip::open(path)?))
    } else if head.starts_with(GZIP) || head.get(at..) == Some(word) {
        Ok(Box::new(Tar::open(path)?))
    } else {
        Err(
            Diagnostic::error("", "neither a folder, a zip file nor a tar archive")
                .help("download it again")
                .in_file(&name),
        )
    }
}

/// Whether a plain file is a tar archive, packed or not, by its first bytes.
pub fn is_tar(path: &Path) -> bool {
    let (at, word) = TAR;
    // Only a plain file is opened: a pipe would block until somebody writes.
    let head = if path.is_file() {
        files::head(path, at + word.len()).unwrap_or_default()
    } else {
        Vec::new()
    };
    head.starts_with(GZIP) || head.get(at..) == Some(word)
}

/// What the names of all members in a folder begin with.
fn prefix(folder: &str) -> String {
    if folder.is_empty() {
        String::new()
    } else {
        format!("{folder}/")
    }
}

/// What lies directly in a folder, sorted; `members` are those from its prefix on, in order.
fn children<'n>(members: impl Iterator<Item = &'n String>, prefix: &str) -> Vec<String> {
    let mut found: Vec<String> = members
        .map_while(|n| n.strip_prefix(prefix))
        .filter_map(|rest| rest.split('/').next())
        .filter(|n| !n.is_empty())
        .map(str::to_owned)
        .collect();
    found.sort();
    found.dedup();
    found
}

/// A folder on disk.
#[derive(Debug)]
pub struct Dir(pub PathBuf);

impl Source for Dir {
    fn list(&self, folder: &str) -> Result<Vec<String>, Diagnostic> {
        let (files, folders) = files::entries(&self.0.join(folder))?;
        let mut names: Vec<String> = files
            .iter()
            .chain(&folders)
            .filter_map(|p| p.file_name()?.to_str().map(str::to_owned))
            .collect();
        names.sort();
        Ok(names)
    }

    fn read(&self, member: &str) -> Result<Vec<u8>, Diagnostic> {
        files::read(&self.0.join(member))
    }
}

/// A zip file, its table of contents kept.
pub struct Zip {
    name: String,
    names: Vec<String>,
    archive: Mutex<ZipArchive<BufReader<File>>>,
}

impl fmt::Debug for Zip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Zip")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Zip {
    /// Opens a zip file and reads its table of contents.
    ///
    /// # Errors
    /// The file cannot be read or is no zip file.
    pub fn open(path: &Path) -> Result<Self, Diagnostic> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|e| files::failed(&e).in_file(&name))?;
        let archive =
            ZipArchive::new(BufReader::new(file)).map_err(|e| zip_failed(&e).in_file(&name))?;
        let mut names: Vec<String> = archive
            .file_names_raw()
            .filter_map(|n| std::str::from_utf8(n).ok().map(str::to_owned))
            .collect();
        names.sort();
        Ok(Self {
            name,
            names,
            archive: Mutex::new(archive),
        })
    }

    fn fault(&self, member: &str, d: Diagnostic) -> Diagnostic {
        d.in_file(&format!("{}/{member}", self.name))
    }
}

impl Source for Zip {
    fn list(&self, folder: &str) -> Result<Vec<String>, Diagnostic> {
        let prefix = prefix(folder);
        let first = self.names.partition_point(|n| *n < prefix);
        Ok(children(self.names.iter().skip(first), &prefix))
    }

    fn read(&self, member: &str) -> Result<Vec<u8>, Diagnostic> {
        // A panic while the archive was held leaves it usable: each read seeks anew.
        let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let file = archive
            .by_name(member)
            .map_err(|e| self.fault(member, zip_failed(&e)))?;
        let size = file.size();
        files::bounded(file, size).map_err(|e| self.fault(member, files::failed(&e)))
    }
}

fn zip_failed(e: &ZipError) -> Diagnostic {
    match e {
        ZipError::Io(e) => files::failed(e),
        ZipError::FileNotFound => {
            Diagnostic::error("", "not in the archive").help("download eai-eval 1.0.5 again")
        }
        other => Diagnostic::error("", format!("not a usable zip file: {other}"))
            .help("download it again"),
    }
}

#[cfg(test)]
mod tests;
