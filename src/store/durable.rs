//! Whole files that are on the disk when the call returns, or not there at all.

use std::io::{self, Write as _};
use std::path::Path;

use fs_err as fs;

/// Writes a file under a temporary name, syncs it, and gives it its name. The folder must be synced by the caller,
/// once for all its files.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let temporary = path.with_file_name(name);
    let mut file = fs::File::create(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, path)
}

/// Syncs a folder, so that names made or changed in it last. Where folders cannot be opened there is nothing to do.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        fs::File::open(path)?.sync_all()?;
    }
    Ok(())
}
