//! Saved arenas: one folder an arena beside the runs, with its `arena.jsonl`.
//!
//! The name of a folder tells what decided the arena, so the same arena saved again is the same folder with the same bytes.

use std::path::{Path, PathBuf};

use crate::arena::house::file;
use crate::arena::house::record::Record;
use crate::base::diag::Diagnostic;
use crate::store::{clock, durable, files};

pub use crate::arena::house::file::ARENA_FILE;

/// What made a study of many arenas, in the folder of its tables.
pub const STUDY_FILE: &str = "study.json";

/// The beginning of a folder's name.
const PREFIX: &str = "arena-";

/// An arena on disk.
#[derive(Clone, Debug)]
pub struct SavedArena {
    /// The folder's name.
    pub id: String,
    /// The folder.
    pub folder: PathBuf,
}

/// The id an arena is saved under: task, level, budgets and seed, and a hash of all that decided it.
pub fn id(record: &Record) -> String {
    let s = &record.settings;
    let settings = serde_json::to_vec(s).unwrap_or_default();
    let entries = serde_json::to_vec(&record.candidates).unwrap_or_default();
    let said = if record.agents.is_empty() {
        Vec::new()
    } else {
        // The same agent may answer otherwise another time.
        file::write(record).into_bytes()
    };
    let hash = files::sha256(&[settings, entries, said].concat());
    let hash = hash.get(..6).unwrap_or_default();
    format!(
        "{PREFIX}{}-{}-k{}-s{}-{hash}",
        record.task, s.level, s.budget, s.seed
    )
}

/// Saves an arena under a folder of runs; its own folder.
///
/// # Errors
/// The disk refuses.
pub fn save(root: &Path, record: &Record) -> Result<SavedArena, Diagnostic> {
    let id = id(record);
    let folder = root.join(&id);
    let path = folder.join(ARENA_FILE);
    durable::make_room(&path)?;
    durable::save(&path, file::write(record).as_bytes())?;
    Ok(SavedArena { id, folder })
}

/// Reads an arena: a folder or its file.
///
/// # Errors
/// It cannot be read, with line and field.
pub fn read(path: &Path) -> Result<Record, Diagnostic> {
    let path = if path.is_dir() {
        path.join(ARENA_FILE)
    } else {
        path.to_owned()
    };
    let bytes = files::read(&path)?;
    file::read(&path.display().to_string(), &bytes)
}

/// The arenas under a folder of runs, by name.
///
/// # Errors
/// The folder cannot be read.
pub fn list(root: &Path) -> Result<Vec<SavedArena>, Diagnostic> {
    if !root.is_dir() {
        return Ok(Vec::new());
    }
    let (_, folders) = files::entries(root)?;
    let arenas = folders.into_iter().filter(|f| f.join(ARENA_FILE).is_file());
    let mut all: Vec<SavedArena> = arenas
        .map(|folder| SavedArena {
            id: folder
                .file_name()
                .map(|n| n.to_string_lossy().into_owned())
                .unwrap_or_default(),
            folder,
        })
        .collect();
    all.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(all)
}

/// An arena as far as lists show it.
#[derive(Clone, Debug)]
pub struct ArenaRow {
    /// Which.
    pub saved: SavedArena,
    /// When its file was last written, RFC 3339 in UTC; empty where the disk does not say.
    pub written: String,
    /// It, or why it cannot be read; `None` where it was not read because there are many.
    pub record: Option<Result<Record, Diagnostic>>,
}

/// The most arenas that are read to be listed; the older ones are only named.
pub const MOST_READ: usize = 100;

/// The arenas under a folder of runs, newest first.
///
/// # Errors
/// The folder cannot be read.
pub fn rows(root: &Path) -> Result<Vec<ArenaRow>, Diagnostic> {
    let mut all: Vec<ArenaRow> = list(root)?
        .into_iter()
        .map(|saved| {
            let path = saved.folder.join(ARENA_FILE);
            let at = std::fs::metadata(path).and_then(|m| m.modified()).ok();
            ArenaRow {
                written: at.map(clock::text).unwrap_or_default(),
                saved,
                record: None,
            }
        })
        .collect();
    all.sort_by(|a, b| {
        b.written
            .cmp(&a.written)
            .then_with(|| a.saved.id.cmp(&b.saved.id))
    });
    for row in all.iter_mut().take(MOST_READ) {
        row.record = Some(read(&row.saved.folder));
    }
    Ok(all)
}

/// The arena meant by a path, or by the beginning or a part of its id.
///
/// # Errors
/// There is none, or there are several.
pub fn find(root: &Path, name: &str) -> Result<PathBuf, Diagnostic> {
    let path = Path::new(name);
    if path.is_file() || path.join(ARENA_FILE).is_file() {
        return Ok(path.to_owned());
    }
    let all = list(root)?;
    if let Some(it) = all.iter().find(|a| a.id == name) {
        return Ok(it.folder.clone());
    }
    let mut meant = all.into_iter().filter(|a| a.id.contains(name));
    match (meant.next(), meant.next()) {
        (Some(it), None) => Ok(it.folder),
        (Some(a), Some(b)) => Err(Diagnostic::error(
            "",
            format!("{name:?} may be {} or {}", a.id, b.id),
        )
        .help("write more of its id")),
        (None, _) => Err(
            Diagnostic::error("", format!("no arena here is called {name:?}"))
                .help("vesta arena list tells which there are; vesta arena hold makes one"),
        ),
    }
}
