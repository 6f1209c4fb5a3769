//! The disk as runs are written to it: every call that changes it goes through a [`Disk`], where a watcher can see it, and
//! refuse it.
//!
//! In use there is no watcher and a call is the system's. Proofs about crashes put one in: [`crate::store::power`] writes
//! down what was called and works out what could be left after a loss of power; others fail every n-th call, or let the
//! disk be full.

use std::fmt::Debug;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs_err as fs;

use crate::store::log::Lines;

/// A call that changes the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call<'c> {
    /// A folder is made.
    Folder(&'c Path),
    /// A file is made, or emptied.
    Create(&'c Path),
    /// Bytes are written to a file, from a place on.
    Write {
        /// The file.
        path: &'c Path,
        /// Where the first of them goes.
        at: u64,
        /// The bytes.
        bytes: &'c [u8],
    },
    /// A file is cut to a length.
    Cut {
        /// The file.
        path: &'c Path,
        /// The length.
        len: u64,
    },
    /// A file's contents are made to last.
    Sync(&'c Path),
    /// A file or folder gets another name, and replaces what has it.
    Rename {
        /// The name it had.
        from: &'c Path,
        /// The name it gets.
        to: &'c Path,
    },
    /// A file is removed.
    Remove(&'c Path),
    /// A folder is removed with all that is in it.
    Clear(&'c Path),
    /// The names in a folder are made to last.
    SyncFolder(&'c Path),
}

/// Who watches calls.
pub trait Watcher: Debug + Send + Sync {
    /// Asked before a call: how many of a write's bytes may be written, at least one.
    ///
    /// # Errors
    /// The call is to fail so.
    fn before(&self, call: &Call<'_>) -> io::Result<usize>;

    /// Told after a call that succeeded; a write with the bytes that were written.
    fn after(&self, call: &Call<'_>);
}

/// Where runs are written: the system's disk, maybe watched.
#[derive(Clone, Debug, Default)]
pub struct Disk(Option<Arc<dyn Watcher>>);

impl Disk {
    /// A disk that is watched.
    pub fn watched(watcher: Arc<dyn Watcher>) -> Self {
        Self(Some(watcher))
    }

    fn call<T>(&self, call: Call<'_>, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let Some(watcher) = &self.0 else {
            return act();
        };
        watcher.before(&call)?;
        let done = act()?;
        watcher.after(&call);
        Ok(done)
    }

    /// Makes a folder.
    pub(super) fn folder(&self, path: &Path) -> io::Result<()> {
        self.call(Call::Folder(path), || fs::create_dir(path))
    }

    /// Makes a folder and those above it that are missing, to last.
    pub(super) fn folders(&self, path: &Path) -> io::Result<()> {
        if path.as_os_str().is_empty() || path.is_dir() {
            return Ok(());
        }
        let above = path.parent().filter(|above| !above.as_os_str().is_empty());
        if let Some(above) = above {
            self.folders(above)?;
        }
        match self.folder(path) {
            // Somebody else made it in between.
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
            made => made?,
        }
        self.sync_folder(above.unwrap_or_else(|| Path::new(".")))
    }

    /// Makes an empty file.
    pub(super) fn create(&self, path: &Path) -> io::Result<DiskFile> {
        let file = self.call(Call::Create(path), || fs::File::create(path))?;
        Ok(self.opened(file, path))
    }

    /// Opens a file to change it, and makes an empty one where there is none.
    pub(super) fn open(&self, path: &Path) -> io::Result<DiskFile> {
        let mut options = fs::OpenOptions::new();
        options.read(true).write(true);
        let file = match options.open(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                self.call(Call::Create(path), || options.create_new(true).open(path))?
            }
            opened => opened?,
        };
        Ok(self.opened(file, path))
    }

    /// An opened file.
    pub(super) fn opened(&self, file: fs::File, path: &Path) -> DiskFile {
        DiskFile {
            disk: self.clone(),
            path: path.to_owned(),
            file,
        }
    }

    /// Gives a file or folder another name.
    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(Call::Rename { from, to }, || fs::rename(from, to))
    }

    /// Removes a file.
    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        self.call(Call::Remove(path), || fs::remove_file(path))
    }

    /// Removes a folder with all that is in it.
    pub(super) fn clear(&self, path: &Path) -> io::Result<()> {
        self.call(Call::Clear(path), || fs::remove_dir_all(path))
    }

    /// Syncs a folder, so that names made or changed in it last. Where folders cannot be opened there is nothing to do.
    pub(super) fn sync_folder(&self, path: &Path) -> io::Result<()> {
        if cfg!(not(unix)) {
            return Ok(());
        }
        self.call(Call::SyncFolder(path), || fs::File::open(path)?.sync_all())
    }
}

/// A file that is being written.
#[derive(Debug)]
pub(super) struct DiskFile {
    disk: Disk,
    path: PathBuf,
    file: fs::File,
}

impl DiskFile {
    /// Its last byte, if it has any.
    pub(super) fn last(&mut self) -> io::Result<Option<u8>> {
        if self.length()? == 0 {
            return Ok(None);
        }
        let mut last = [0];
        self.file.seek(SeekFrom::End(-1))?;
        self.file.read_exact(&mut last)?;
        Ok(Some(last[0]))
    }

    /// Its length in bytes.
    pub(super) fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Writes all bytes from a place on.
    pub(super) fn write_all_at(&mut self, bytes: &[u8], at: u64) -> io::Result<()> {
        let mut done = 0;
        while let Some(rest) = bytes.get(done..).filter(|rest| !rest.is_empty()) {
            match self.write_at(rest, at + done as u64) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => done += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

impl Lines for DiskFile {
    fn write_at(&mut self, bytes: &[u8], at: u64) -> io::Result<usize> {
        let path = &self.path;
        let mut bytes = bytes;
        if let Some(watcher) = &self.disk.0 {
            let room = watcher.before(&Call::Write { path, at, bytes })?;
            bytes = bytes.get(..room).unwrap_or(bytes);
        }
        self.file.seek(SeekFrom::Start(at))?;
        let n = self.file.write(bytes)?;
        if let (Some(watcher), Some(bytes)) = (&self.disk.0, bytes.get(..n)) {
            watcher.after(&Call::Write { path, at, bytes });
        }
        Ok(n)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk
            .call(Call::Sync(&self.path), || self.file.sync_data())
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        let path = &self.path;
        // Nothing follows: nothing changes, and an acknowledged file stays as it is.
        if self.file.metadata()?.len() == len {
            return Ok(());
        }
        self.disk
            .call(Call::Cut { path, len }, || self.file.set_len(len))
    }
}
