//! Members of a folder or of a zip file, read one by one. An archive is never unpacked: its table of contents is read
//! when it is opened, a member when it is asked for, and none beyond [`files::LARGEST`].

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::base::diag::Diagnostic;
use crate::store::files;

/// Members by name, wherever they are kept.
pub trait Source: fmt::Debug + Send + Sync {
    /// The names of what lies directly in a folder (`""` is the top), sorted.
    fn list(&self, folder: &str) -> Result<Vec<String>, Diagnostic>;
    /// The bytes of a member.
    fn read(&self, member: &str) -> Result<Vec<u8>, Diagnostic>;
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
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let first = self.names.partition_point(|n| *n < prefix);
        let mut found: Vec<String> = self
            .names
            .iter()
            .skip(first)
            .map_while(|n| n.strip_prefix(&*prefix))
            .filter_map(|rest| rest.split('/').next())
            .filter(|n| !n.is_empty())
            .map(str::to_owned)
            .collect();
        found.sort();
        found.dedup();
        Ok(found)
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
