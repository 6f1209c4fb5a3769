//! One writer a run: a lock that the operating system takes back when its holder dies.

use std::fs::TryLockError;
use std::io;
use std::path::Path;
use std::time::Duration;

use fs_err as fs;

/// The lock file's name inside a run's folder. It is empty and stays; only holding it means something.
pub(super) const LOCK_FILE: &str = "lock";

/// How often a lock is asked for before it counts as taken, and the wait between.
const LOOKS: u32 = 8;

/// See [`LOOKS`].
const LOOK: Duration = Duration::from_millis(3);

/// A held lock.
#[derive(Debug)]
pub(super) struct Lock {
    _file: fs::File,
}

/// What came of asking for a lock.
#[derive(Debug)]
pub(super) enum Asked {
    /// It is ours until dropped.
    Held(Lock),
    /// Somebody else has it.
    Taken,
}

/// Whether somebody holds the lock of a run's folder. Changes nothing there.
pub(super) fn is_taken(folder: &Path) -> bool {
    let path = folder.join(LOCK_FILE);
    // A pipe in its place would block whoever opens it.
    path.is_file()
        && fs::File::open(path).is_ok_and(|file| {
            matches!(file.file().try_lock_shared(), Err(TryLockError::WouldBlock))
        })
}

impl Lock {
    /// Asks for the lock of a run's folder.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub(super) fn ask(folder: &Path) -> io::Result<Asked> {
        let path = folder.join(LOCK_FILE);
        if path.exists() && !path.is_file() {
            let why = format!("{} is no plain file; remove it", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let file = fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)?;
        // Whoever looks whether it is taken has it for a moment: asking again tells the two apart.
        for _ in 0..LOOKS {
            match file.file().try_lock() {
                Ok(()) => return Ok(Asked::Held(Self { _file: file })),
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK),
                Err(TryLockError::Error(e)) => return Err(e),
            }
        }
        Ok(Asked::Taken)
    }
}
