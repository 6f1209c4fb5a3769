//! What a loss of power could leave of files that were being written.
//!
//! A [`Recorder`] writes down every call that changed the disk. [`left`] then takes the first so many of them and works out
//! one of the states the disk could be found in: what was synced is there; of everything else any part may be, by
//! sectors of 512 bytes for contents and by single names for folders, in any order. That is more than any file system is known
//! to do at once, and so a program that is right under it is right under all of them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use fs_err as fs;

use crate::base::chance::Chance;
use crate::store::disk::{Call, Watcher};

/// Bytes that are written together or not at all.
const SECTOR: usize = 512;

/// How many ways of losing what was not synced there are.
pub const PATTERNS: u32 = 16;

/// A call, kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// See [`Call::Folder`].
    Folder(PathBuf),
    /// See [`Call::Create`].
    Create(PathBuf),
    /// See [`Call::Write`]: file, place, bytes.
    Write(PathBuf, u64, Vec<u8>),
    /// See [`Call::Cut`].
    Cut(PathBuf, u64),
    /// See [`Call::Sync`].
    Sync(PathBuf),
    /// See [`Call::Rename`]: from, to.
    Rename(PathBuf, PathBuf),
    /// See [`Call::Remove`] and [`Call::Clear`].
    Remove(PathBuf),
    /// See [`Call::SyncFolder`].
    SyncFolder(PathBuf),
}

/// Writes down the calls that succeeded.
#[derive(Debug, Default)]
pub struct Recorder {
    calls: Mutex<Vec<Kept>>,
    /// Leaves out that files were synced: the fault a proof must catch.
    forgets_syncs: bool,
}

impl Recorder {
    /// One that takes no sync of a file for done.
    pub fn without_syncs() -> Self {
        Self {
            forgets_syncs: true,
            ..Self::default()
        }
    }

    /// How many calls there were so far.
    pub fn len(&self) -> usize {
        self.calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    /// Whether there were none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The calls so far, in their order.
    pub fn calls(&self) -> Vec<Kept> {
        self.calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Watcher for Recorder {
    fn before(&self, _call: &Call<'_>) -> io::Result<usize> {
        Ok(usize::MAX)
    }

    fn after(&self, call: &Call<'_>) {
        let own = Path::to_owned;
        let kept = match *call {
            Call::Folder(path) => Kept::Folder(own(path)),
            Call::Create(path) => Kept::Create(own(path)),
            Call::Write { path, at, bytes } => Kept::Write(own(path), at, bytes.to_vec()),
            Call::Cut { path, len } => Kept::Cut(own(path), len),
            Call::Sync(_) if self.forgets_syncs => return,
            Call::Sync(path) => Kept::Sync(own(path)),
            Call::Rename { from, to } => Kept::Rename(own(from), own(to)),
            Call::Remove(path) | Call::Clear(path) => Kept::Remove(own(path)),
            Call::SyncFolder(path) => Kept::SyncFolder(own(path)),
        };
        self.calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(kept);
    }
}

/// What a name stands for: a place in the list of files or folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inode {
    Folder(usize),
    File(usize),
}

/// A change of the names in a folder.
#[derive(Clone, Debug)]
struct Names {
    /// The name that goes, if one does.
    gone: Option<String>,
    /// The name that comes, and for what.
    come: Option<(String, Inode)>,
}

#[derive(Clone, Debug, Default)]
struct Folder {
    durable: BTreeMap<String, Inode>,
    now: BTreeMap<String, Inode>,
    pending: Vec<Names>,
}

/// A change of a file's contents.
#[derive(Clone, Debug)]
enum Change {
    Write(usize, Vec<u8>),
    Cut(usize),
}

#[derive(Clone, Debug, Default)]
struct File {
    durable: Vec<u8>,
    pending: Vec<Change>,
}

/// The disk under a root: what lasts, and what was called since.
#[derive(Clone, Debug)]
struct Model {
    folders: Vec<Folder>,
    files: Vec<File>,
}

/// A call the model cannot follow: the recording does not belong to the root, or a file was there before.
fn strange(path: &Path) -> io::Error {
    io::Error::other(format!("{}: not of this recording", path.display()))
}

impl Model {
    fn new() -> Self {
        Self {
            folders: vec![Folder::default()],
            files: Vec::new(),
        }
    }

    /// The folder a path lies in, as it stands now, and its last name.
    fn place(&self, root: &Path, path: &Path) -> io::Result<(usize, String)> {
        let inside = path.strip_prefix(root).map_err(|_| strange(path))?;
        let mut names: Vec<String> = inside
            .components()
            .map(|c| match c {
                Component::Normal(name) => Ok(name.to_string_lossy().into_owned()),
                _ => Err(strange(path)),
            })
            .collect::<io::Result<_>>()?;
        let last = names.pop().unwrap_or_default();
        let mut at = 0;
        for name in names {
            match self.folders.get(at).and_then(|f| f.now.get(&name)) {
                Some(Inode::Folder(next)) => at = *next,
                _ => return Err(strange(path)),
            }
        }
        Ok((at, last))
    }

    fn find(&self, root: &Path, path: &Path) -> io::Result<Inode> {
        let (folder, name) = self.place(root, path)?;
        if name.is_empty() {
            return Ok(Inode::Folder(0));
        }
        let found = self.folders.get(folder).and_then(|f| f.now.get(&name));
        found.copied().ok_or_else(|| strange(path))
    }

    fn names(&mut self, folder: usize, change: Names) {
        if let Some(folder) = self.folders.get_mut(folder) {
            apply(&mut folder.now, &change);
            folder.pending.push(change);
        }
    }

    fn change(&mut self, root: &Path, path: &Path, change: Change) -> io::Result<()> {
        match self.find(root, path)? {
            Inode::File(at) => {
                if let Some(file) = self.files.get_mut(at) {
                    file.pending.push(change);
                }
                Ok(())
            }
            Inode::Folder(_) => Err(strange(path)),
        }
    }

    fn call(&mut self, root: &Path, call: &Kept) -> io::Result<()> {
        match call {
            Kept::Folder(path) => {
                let (folder, name) = self.place(root, path)?;
                self.folders.push(Folder::default());
                let new = Inode::Folder(self.folders.len() - 1);
                self.names(folder, come(name, new));
            }
            Kept::Create(path) => {
                let (folder, name) = self.place(root, path)?;
                self.files.push(File::default());
                let new = Inode::File(self.files.len() - 1);
                self.names(folder, come(name, new));
            }
            Kept::Write(path, at, bytes) => {
                self.change(root, path, Change::Write(*at as usize, bytes.clone()))?;
            }
            Kept::Cut(path, len) => self.change(root, path, Change::Cut(*len as usize))?,
            Kept::Sync(path) => {
                if let Inode::File(at) = self.find(root, path)?
                    && let Some(file) = self.files.get_mut(at)
                {
                    for change in std::mem::take(&mut file.pending) {
                        whole(&mut file.durable, &change);
                    }
                }
            }
            Kept::Rename(from, to) => {
                let inode = self.find(root, from)?;
                let ((a, gone), (b, name)) = (self.place(root, from)?, self.place(root, to)?);
                if a != b {
                    return Err(strange(to));
                }
                let change = Names {
                    gone: Some(gone),
                    come: Some((name, inode)),
                };
                self.names(a, change);
            }
            Kept::Remove(path) => {
                let (folder, name) = self.place(root, path)?;
                let change = Names {
                    gone: Some(name),
                    come: None,
                };
                self.names(folder, change);
            }
            Kept::SyncFolder(path) => {
                if let Inode::Folder(at) = self.find(root, path)?
                    && let Some(folder) = self.folders.get_mut(at)
                {
                    folder.pending.clear();
                    folder.durable = folder.now.clone();
                }
            }
        }
        Ok(())
    }
}

fn come(name: String, inode: Inode) -> Names {
    Names {
        gone: None,
        come: Some((name, inode)),
    }
}

fn apply(names: &mut BTreeMap<String, Inode>, change: &Names) {
    if let Some(gone) = &change.gone {
        names.remove(gone);
    }
    if let Some((name, inode)) = &change.come {
        names.insert(name.clone(), *inode);
    }
}

fn whole(bytes: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Cut(len) => bytes.resize(*len, 0),
        Change::Write(at, new) => {
            bytes.resize(bytes.len().max(at + new.len()), 0);
            if let Some(place) = bytes.get_mut(*at..at + new.len()) {
                place.copy_from_slice(new);
            }
        }
    }
}

/// What becomes of a sector that was not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Kept,
    Lost,
    /// The file grew, but what is in it is what the disk held there.
    Garbage,
}

/// How what was not synced is lost.
struct Pattern {
    number: u32,
    chance: Chance,
}

impl Pattern {
    fn name(&mut self) -> bool {
        match self.number {
            0 | 3 => false,
            1 | 2 | 4..=7 => true,
            _ => self.chance.below(2) == 0,
        }
    }

    /// For a sector of a write that has so many.
    fn sector(&mut self, at: usize, of: usize) -> Fate {
        let keep = |kept| if kept { Fate::Kept } else { Fate::Lost };
        match self.number {
            0 | 2 => Fate::Lost,
            1 | 3 => Fate::Kept,
            4 => Fate::Garbage,
            5 => keep(at < of.div_ceil(2)),
            6 => keep(at >= of / 2),
            7 => keep(at.is_multiple_of(2)),
            _ => match self.chance.below(4) {
                0 => Fate::Lost,
                1 if self.number >= 12 => Fate::Garbage,
                _ => Fate::Kept,
            },
        }
    }

    fn contents(&mut self, file: &File) -> Vec<u8> {
        let mut bytes = file.durable.clone();
        for change in &file.pending {
            match change {
                Change::Cut(len) => {
                    if self.name() {
                        bytes.resize(*len, 0);
                    }
                }
                Change::Write(at, new) => self.write(&mut bytes, *at, new),
            }
        }
        bytes
    }

    fn write(&mut self, bytes: &mut Vec<u8>, at: usize, new: &[u8]) {
        let first = at / SECTOR;
        let of = (at + new.len()).div_ceil(SECTOR).saturating_sub(first);
        for i in 0..of {
            let from = ((first + i) * SECTOR).max(at);
            let to = ((first + i + 1) * SECTOR).min(at + new.len());
            let fate = self.sector(i, of);
            if fate == Fate::Lost {
                continue;
            }
            bytes.resize(bytes.len().max(to), 0);
            let (Some(place), Some(part)) = (bytes.get_mut(from..to), new.get(from - at..to - at))
            else {
                continue;
            };
            if fate == Fate::Kept {
                place.copy_from_slice(part);
            } else {
                place.fill(0xa5);
            }
        }
    }
}

/// Lays out in `target`, an empty folder, what could be found of `root` if the power was lost after the first `calls` calls:
/// the `pattern`-th of [`PATTERNS`] ways, the later half of them by chance.
///
/// # Errors
/// The calls are not of that root, or the target cannot be written.
pub fn left(root: &Path, calls: &[Kept], pattern: u32, target: &Path) -> io::Result<()> {
    let mut model = Model::new();
    for call in calls {
        model.call(root, call)?;
    }
    let mut pattern = Pattern {
        number: pattern,
        chance: Chance::new(u64::from(pattern) << 32 | calls.len() as u64),
    };
    lay(&model, 0, &mut pattern, target)
}

fn lay(model: &Model, at: usize, pattern: &mut Pattern, target: &Path) -> io::Result<()> {
    let Some(folder) = model.folders.get(at) else {
        return Ok(());
    };
    let mut names = folder.durable.clone();
    for change in &folder.pending {
        if pattern.name() {
            apply(&mut names, change);
        }
    }
    for (name, inode) in names {
        let path = target.join(name);
        match inode {
            Inode::Folder(inner) => {
                fs::create_dir(&path)?;
                lay(model, inner, pattern, &path)?;
            }
            Inode::File(at) => {
                if let Some(file) = model.files.get(at) {
                    fs::write(&path, pattern.contents(file))?;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file written over by a new one that was synced, whose name was not: the old or the new, whole, nothing else.
    #[test]
    fn only_what_was_synced_is_sure() {
        let root = Path::new("/r");
        let p = |name: &str| root.join(name);
        let big = vec![b'x'; 1200];
        let calls = [
            Kept::Create(p("a")),
            Kept::Write(p("a"), 0, b"old".to_vec()),
            Kept::Sync(p("a")),
            Kept::SyncFolder(root.to_owned()),
            Kept::Create(p("a.new")),
            Kept::Write(p("a.new"), 0, big.clone()),
            Kept::Sync(p("a.new")),
            Kept::Rename(p("a.new"), p("a")),
        ];
        let read = |calls: &[Kept], pattern: u32| {
            let dir = tempfile::tempdir().unwrap();
            left(root, calls, pattern, dir.path()).unwrap();
            fs::read(dir.path().join("a")).ok()
        };
        for pattern in 0..PATTERNS {
            let found = read(&calls, pattern).unwrap();
            assert!(found == b"old" || found == big, "{pattern}");
        }
        assert_eq!(read(&calls, 0).unwrap(), b"old");
        assert_eq!(read(&calls, 1).unwrap(), big);
        // Without the sync the new name may stand for anything.
        let unsynced: Vec<Kept> = calls
            .iter()
            .filter(|c| **c != Kept::Sync(p("a.new")))
            .cloned()
            .collect();
        assert_eq!(read(&unsynced, 2).unwrap(), b"");
        assert_eq!(read(&unsynced, 5).unwrap(), vec![b'x'; 1024]);
        assert_eq!(read(&unsynced, 7).unwrap()[512..1024], [0; 512]);
        assert!(read(&unsynced, 4).unwrap().iter().all(|b| *b == 0xa5));
        // Before anything was synced there may be nothing.
        assert_eq!(read(&calls[..2], 0), None);
        assert_eq!(read(&calls[..2], 3), None);
        assert_eq!(read(&calls[..2], 2).unwrap(), b"");
    }
}
