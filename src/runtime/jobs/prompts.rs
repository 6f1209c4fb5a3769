//! Jobs about prompts: reading the files in force, writing one.

use crate::app::jobs::Reply;
use crate::app::prompts::PromptFile;
use crate::store::prompts;

/// The files in force.
pub(super) fn read() -> Result<Reply, String> {
    let all = prompts::in_force().map_err(|d| d.to_string())?;
    let file = |f: prompts::InForce| PromptFile {
        name: f.name,
        path: f.path.map(|p| p.display().to_string()),
        text: f.text,
    };
    Ok(Reply::Prompts(all.into_iter().map(file).collect()))
}

/// Writes a file.
pub(super) fn save(name: &str, text: &str) -> Result<Reply, String> {
    let path = prompts::save(name, text).map_err(|d| d.to_string())?;
    Ok(Reply::PromptSaved(path.display().to_string()))
}
