//! The files behind tasks, to be looked at.

use std::sync::Arc;

use super::{Library, Origin};
use crate::base::diag::Diagnostic;
use crate::formats::page::Body;

/// A text with what it is called, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Text {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub body: Body,
    /// Why the task cannot be used.
    pub fault: Option<Diagnostic>,
}

impl Library {
    /// The file of a task; of a scene without a task, the scene.
    ///
    /// # Errors
    /// There is no such task, or it has no file of its own.
    pub fn task_text(&self, name: &str) -> Result<Text, Diagnostic> {
        let row = self.find(name)?;
        let (name, body) = match &row.from {
            Origin::Shipped(file) | Origin::ShippedScene(file) => {
                (file.path.to_owned(), Body::Bytes(Arc::from(file.bytes)))
            }
            Origin::File(path) | Origin::Scene(path) => {
                (path.display().to_string(), Body::File(path.clone()))
            }
            Origin::Eai(_) | Origin::B50(_) | Origin::Bddl(_) => {
                let message = format!("{} is part of a collection and has no file", row.id);
                let d = Diagnostic::error("", message);
                return Err(d.help("scene-file shows its scene"));
            }
        };
        // What can be read may still speak of a node or a scene that is not there.
        let wrong = row.error.clone().or_else(|| {
            let all = self.load_whole(&format!("{}/{}", row.suite, row.id));
            all.err().into_iter().flatten().next()
        });
        // What is wrong may be in the scene's file; then the line is not one of the task's.
        let fault = wrong.map(|d| {
            if d.file == name || d.file.is_empty() {
                d
            } else {
                Diagnostic { line: None, ..d }
            }
        });
        Ok(Text { name, body, fault })
    }

    /// The file of a task's scene; for scenes of a collection, their written form.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn scene_text(&self, name: &str) -> Result<Text, Diagnostic> {
        let loaded = self.load_whole(name).map_err(|all| {
            let first = all.into_iter().next();
            first.unwrap_or_else(|| Diagnostic::error("", "the task cannot be used"))
        })?;
        let scene = loaded.base.scene.name();
        let name = match scene.rsplit_once('.') {
            Some((_, "json")) => scene.to_owned(),
            _ => format!("{scene}.json"),
        };
        Ok(Text {
            name,
            body: Body::Bytes(loaded.bytes.into()),
            fault: None,
        })
    }
}
