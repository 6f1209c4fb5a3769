//! Whole files that are on the disk when the call returns, or not there at all.

use std::io;
use std::path::Path;

use fs_err as fs;

use crate::base::diag::Diagnostic;
use crate::store::disk::Disk;
use crate::store::files;
use crate::store::log::Lines as _;

/// Writes a file under a temporary name, syncs it, and gives it its name: what had that name is kept until then, and
/// where it fails nothing is left behind. The folder must be synced by the caller, once for all its files.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_on(&Disk::default(), path, bytes)
}

/// As [`write()`], on a disk.
pub(super) fn write_on(disk: &Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = beside(path);
    let written = disk
        .create(&temporary)
        .and_then(|mut file| {
            file.write_all_at(bytes, 0)?;
            file.sync()
        })
        .and_then(|()| disk.rename(&temporary, path));
    if written.is_err() {
        // Nothing more can be done about it than what is reported already.
        let _ = disk.remove(&temporary);
    }
    written
}

/// The temporary name of a file.
fn beside(path: &Path) -> std::path::PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    path.with_file_name(name)
}

/// Writes a file of the user's choice, as `write` does, and syncs its folder.
///
/// # Errors
/// The disk refuses, in a sentence with its cure.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    let fault = |e: &io::Error| files::failed(e).in_file(&path.display().to_string());
    write(path, bytes).map_err(|e| fault(&e))?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    sync_folder(folder.unwrap_or_else(|| Path::new("."))).map_err(|e| fault(&e))
}

/// Makes the folder a file is to lie in, and those above it.
///
/// # Errors
/// As [`save`].
pub fn make_room(path: &Path) -> Result<(), Diagnostic> {
    let Some(folder) = path.parent() else {
        return Ok(());
    };
    let fault = |e: &io::Error| files::failed(e).in_file(&folder.display().to_string());
    fs::create_dir_all(folder).map_err(|e| fault(&e))
}

/// Whether a file could be written there, before work is done whose result it is to hold.
///
/// # Errors
/// As [`save`].
pub fn can_save(path: &Path) -> Result<(), Diagnostic> {
    let fault = |e: &io::Error| files::failed(e).in_file(&path.display().to_string());
    if path.is_dir() {
        return Err(Diagnostic::error("", "this is a folder")
            .help("name a file")
            .in_file(&path.display().to_string()));
    }
    let temporary = beside(path);
    fs::File::create(&temporary).map_err(|e| fault(&e))?;
    fs::remove_file(&temporary).map_err(|e| fault(&e))
}

/// Syncs a folder, so that names made or changed in it last. Where folders cannot be opened there is nothing to do.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    Disk::default().sync_folder(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("x");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("y"), "y").unwrap();
        // A folder that is not empty cannot be replaced by a file.
        assert!(write(&folder, b"new").is_err());
        assert!(can_save(&folder).is_err());
        let file = dir.path().join("f");
        fs::write(&file, "old").unwrap();
        can_save(&file).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"old");
        save(&file, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        let mut left: Vec<_> = fs::read_dir(dir.path())
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["f", "x"]);
        assert!(
            can_save(&file.join("g"))
                .unwrap_err()
                .to_string()
                .contains("no folder")
        );
    }
}
