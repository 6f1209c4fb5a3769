//! The prompts in force: the shipped files, and the user's in their place.
//!
//! They lie in `prompts` of the configuration folder or in `assets/prompts` of the current folder, which wins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::agent::prompt::Prompts;
use crate::base::diag::Diagnostic;
use crate::store::{book, files};

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
