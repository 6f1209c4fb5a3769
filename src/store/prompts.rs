//! The prompts in force: the shipped files, and the user's in their place.
//!
//! They lie in `prompts` of the configuration folder or in `assets/prompts` of the current folder, which wins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::agent::prompt::{Prompts, SHIPPED, version};
use crate::base::diag::Diagnostic;
use crate::store::{book, durable, files};

/// The ending of prompt files.
pub const ENDING: &str = "txt";

/// The folders prompts are looked for in, the strongest last.
pub fn folders() -> Vec<PathBuf> {
    let config = book::config_folder().map(|c| c.join("prompts"));
    config
        .into_iter()
        .chain([Path::new("assets").join("prompts")])
        .collect()
}

/// Reads the prompts.
///
/// # Errors
/// The first fault of a file, with line and column.
pub fn read() -> Result<Prompts, Diagnostic> {
    let mut own: BTreeMap<String, (PathBuf, String)> = BTreeMap::new();
    for folder in folders() {
        let (paths, _) = files::entries(&folder)?;
        for path in paths
            .into_iter()
            .filter(|p| p.extension().is_some_and(|e| e == ENDING))
        {
            let name = files::stem(&path);
            let text = book::text(&path)?;
            own.insert(name, (path, text));
        }
    }
    let texts = own
        .iter()
        .map(|(name, (_, text))| (name.as_str(), text.as_str()));
    Prompts::with(texts).map_err(|all| {
        let first = all.into_iter().next();
        let d = first.unwrap_or_else(|| Diagnostic::error("", "the prompts cannot be read"));
        // A file is named by its place, not by its name alone.
        match own.get(d.file.trim_end_matches(".txt")) {
            Some((path, _)) => Diagnostic {
                file: path.display().to_string(),
                ..d
            },
            None => d,
        }
    })
}

/// A prompt file in force, with faults or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InForce {
    /// Its name, without the ending.
    pub name: String,
    /// The user's file; none where the shipped one is in force.
    pub path: Option<PathBuf>,
    /// Its text.
    pub text: String,
}

/// Every prompt file there is a use for, in the order of their names.
///
/// # Errors
/// A folder or file cannot be read.
pub fn in_force() -> Result<Vec<InForce>, Diagnostic> {
    let mut all: Vec<InForce> = SHIPPED
        .iter()
        .map(|(name, text)| InForce {
            name: (*name).to_owned(),
            path: None,
            text: (*text).to_owned(),
        })
        .collect();
    for folder in folders() {
        for file in &mut all {
            let path = folder.join(format!("{}.{ENDING}", file.name));
            if path.is_file() {
                file.text = book::text(&path)?;
                file.path = Some(path);
            }
        }
    }
    Ok(all)
}

/// Where older versions of a folder's files are kept.
const VERSIONS: &str = "versions";

/// Writes a prompt file: the user's one that is in force, else a new one in the configuration folder. What the file held
/// before is kept as `versions/NAME.VERSION.txt` beside it. Where it was written.
///
/// # Errors
/// There is no configuration folder, or the disk refuses.
pub fn save(name: &str, text: &str) -> Result<PathBuf, Diagnostic> {
    let file = in_force()?.into_iter().find(|f| f.name == name);
    let file = file.ok_or_else(|| {
        let wrong = Diagnostic::error("", format!("no prompt file is called {name:?}"));
        wrong.help("vesta prompts list names them")
    })?;
    let path = file.path.map_or_else(|| own(name), Ok)?;
    replace(&path, name, text)?;
    Ok(path)
}

/// Where the user's file of that name would lie.
fn own(name: &str) -> Result<PathBuf, Diagnostic> {
    let folder = book::config_folder().ok_or_else(|| {
        let wrong = Diagnostic::error("", "there is no folder for prompts");
        wrong.help("set VESTA_CONFIG_DIR")
    })?;
    Ok(folder.join("prompts").join(format!("{name}.{ENDING}")))
}

/// Writes a file; what it held before is kept under its version.
fn replace(path: &Path, name: &str, text: &str) -> Result<(), Diagnostic> {
    durable::make_room(path)?;
    if path.is_file() {
        let old = files::read(path)?;
        let kept = format!("{name}.{}.{ENDING}", version(&old));
        let kept = path.with_file_name(VERSIONS).join(kept);
        durable::make_room(&kept)?;
        durable::save(&kept, &old)?;
    }
    durable::save(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_held_before_is_kept_under_its_version() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("prompts").join("react.txt");
        replace(&path, "react", "one").unwrap();
        assert!(!path.with_file_name(VERSIONS).exists());
        replace(&path, "react", "two").unwrap();
        let kept = format!("react.{}.txt", version(b"one"));
        let kept = path.with_file_name(VERSIONS).join(kept);
        assert_eq!(std::fs::read_to_string(kept).unwrap(), "one");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
    }
}
