//! Writing tasks of a library into folders of one's own: `tasks/<suite>/<id>.json` and the scenes they are set in.

use std::path::{Path, PathBuf};

use crate::base::diag::Diagnostic;
use crate::formats::task as task_file;
use crate::store::library::{Library, Loaded};
use crate::store::{durable, files, shipped};
use crate::task::Task;

/// What to do about files that are there already with other content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse to write anything.
    Keep,
    /// Write over them.
    Replace,
}

/// What was written and what was not.
#[derive(Debug, Default)]
pub struct Imported {
    /// The task files.
    pub tasks: Vec<PathBuf>,
    /// The scene files.
    pub scenes: Vec<PathBuf>,
    /// What there is to say, including tasks that could not be read.
    pub problems: Vec<Diagnostic>,
}

/// Writes the tasks of these names (all where there are none) below `out`.
///
/// # Errors
/// A name is unknown, a file is there already, or the disk refuses; nothing or only a part was written then.
pub fn import(
    library: &Library,
    names: &[String],
    out: &Path,
    existing: Existing,
) -> Result<Imported, Diagnostic> {
    let rows = if names.is_empty() {
        library.rows().iter().collect()
    } else {
        names
            .iter()
            .map(|n| library.find(n))
            .collect::<Result<Vec<_>, _>>()?
    };
    let names: Vec<String> = rows
        .iter()
        .map(|r| format!("{}/{}", r.suite, r.id))
        .collect();
    if existing == Existing::Keep {
        // All is checked before anything is written; one task at a time is held in memory.
        for name in &names {
            if let Ok(loaded) = library.load_whole(name) {
                for (path, bytes) in files_of(loaded, out) {
                    free(&path, &bytes)?;
                }
            }
        }
    }
    let mut done = Imported::default();
    for name in &names {
        match library.load_whole(name) {
            Ok(mut loaded) => {
                done.problems.append(&mut loaded.setup.findings);
                for (path, bytes) in files_of(loaded, out) {
                    put(&path, &bytes)?;
                    let list = if path.starts_with(out.join(shipped::TASKS)) {
                        &mut done.tasks
                    } else {
                        &mut done.scenes
                    };
                    if !list.contains(&path) {
                        list.push(path);
                    }
                }
            }
            Err(wrong) => done.problems.extend(wrong),
        }
    }
    Ok(done)
}

/// The two files of a task, scene first: a task whose scene is missing would be of no use.
fn files_of(loaded: Loaded, out: &Path) -> [(PathBuf, Vec<u8>); 2] {
    let mut task = Task::clone(&loaded.setup.task);
    task.scene.sha256 = loaded.sha256;
    let scenes = out.join(shipped::SCENES).join(&task.scene.file);
    let name = format!("{}.json", task.id);
    let tasks = out.join(shipped::TASKS).join(&task.suite).join(name);
    [
        (scenes, loaded.bytes),
        (tasks, task_file::write(&task).into_bytes()),
    ]
}

/// Whether the place is free or already holds just this.
fn free(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    if !path.exists() || files::read(path)? == bytes {
        return Ok(());
    }
    Err(
        Diagnostic::error("", "a file with other content is there already")
            .help("choose another folder, or write over it with --force")
            .in_file(&path.display().to_string()),
    )
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    let fault = |e: &std::io::Error| files::failed(e).in_file(&path.display().to_string());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|e| fault(&e))?;
    }
    durable::write(path, bytes).map_err(|e| fault(&e))
}

#[cfg(test)]
mod tests;
