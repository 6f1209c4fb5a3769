//! A text in the user's own editor: written into a file only the user can read, read again when the editor has ended.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::process::Command;

use crate::config;

/// The editor where the environment names none.
const USUAL: &str = "vi";

/// A file that is removed when it is let go.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        // What is left of it is the user's own text in the user's own file.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Edits a text with `$VISUAL`, else `$EDITOR`, else vi; the terminal must have been given back. `name` is part of the
/// file's name.
///
/// # Errors
/// The file cannot be written or read, the editor cannot be started or says that it failed.
pub(super) fn edit(name: &str, text: &str) -> Result<String, String> {
    let editor = ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(config::variable)
        .find(|editor| !editor.trim().is_empty())
        .unwrap_or_else(|| USUAL.to_owned());
    let draft = begin(name, text)?;
    // The variable may hold arguments, and quotes around them: a shell reads it as every program's shell does.
    let status = Command::new("sh")
        .arg("-c")
        .arg(format!("{editor} \"$1\""))
        .arg("sh")
        .arg(&draft.0)
        .status()
        .map_err(|e| format!("the editor {editor} cannot be started: {e}"))?;
    if !status.success() {
        return Err(format!(
            "the editor {editor} failed ({status}): the text is as it was; EDITOR names another one"
        ));
    }
    std::fs::read_to_string(&draft.0).map_err(|e| {
        format!("what the editor {editor} wrote cannot be read: {e}; save it as UTF-8")
    })
}

/// The text in a new file.
fn begin(name: &str, text: &str) -> Result<Draft, String> {
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let wrong = |e: std::io::Error| format!("a file for the editor cannot be written: {e}");
    for n in 0..100 {
        let file = format!("vesta-{name}-{}-{n}.txt", std::process::id());
        let path = std::env::temp_dir().join(file);
        let new = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path);
        match new {
            Ok(mut file) => {
                let draft = Draft(path);
                file.write_all(text.as_bytes()).map_err(wrong)?;
                return Ok(draft);
            }
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(wrong(e)),
        }
    }
    Err("a file for the editor cannot be written: too many are left of other editors".to_owned())
}
