//! File formats: bytes in, values and diagnostics out.
//!
//! Owns the text forms of scenes ([`scene`]), tasks ([`task`]), programs ([`program`]), BDDL problems ([`bddl`]) and the
//! published EAI task
//! collection ([`eai`]). Opens no file: whoever does hands over the bytes and the name to use in messages. Every
//! reader answers with one sentence that names file, line, field and cure, whatever the bytes are.
//!
//! [`FORMATS`] lists the kinds of single file that can be opened; [`sniff`] tells which one some bytes are.

use crate::base::diag::Diagnostic;
use crate::sim::vocab::Dialect;
use crate::sim::{behavior, virtualhome};

pub mod b50;
pub mod bddl;
pub mod eai;
mod json;
pub mod page;
pub mod planner;
pub mod program;
pub mod run;
pub mod scene;
mod scripted;
pub mod syntax;
pub mod task;
pub mod trace;

pub use json::{line as json_line, locate, quote, text as utf8, without_mark};

/// The dialects a file may name.
pub const DIALECTS: &[&Dialect] = &[&virtualhome::DIALECT, &behavior::DIALECT];

/// A kind of file.
#[derive(Debug)]
pub struct Format {
    /// The name used on the command line.
    pub id: &'static str,
    /// What it is, for people.
    pub title: &'static str,
    /// Usual file name endings, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether these bytes look like it.
    pub sniff: fn(&[u8]) -> bool,
    /// Reads it; the first argument is the file's name for messages.
    pub read: fn(&str, &[u8]) -> Result<Read<Document>, Diagnostic>,
}

/// A value read from a file, with what there is to say about it.
pub type Read<T> = (T, Vec<Diagnostic>);

/// What a file turned out to hold.
#[derive(Clone, Debug)]
pub enum Document {
    /// A scene graph.
    Scene(scene::SceneFile),
    /// A task.
    Task(Box<crate::task::Task>),
    /// A program.
    Program(program::Program),
}

/// All kinds of file, the most telling first.
pub const FORMATS: &[Format] = &[task::FORMAT, scene::FORMAT, program::FORMAT];

/// The kind of file these bytes are, if any fits.
pub fn sniff(bytes: &[u8]) -> Option<&'static Format> {
    FORMATS.iter().find(|f| (f.sniff)(bytes))
}

/// What a text that is no recording is, and how it is opened; `None` where that is not known either.
pub fn told(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let text = String::from_utf8_lossy(bytes.get(..bytes.len().min(HEAD))?);
    let mut lines = text
        .lines()
        .map(|line| line.split(';').next().unwrap_or_default().trim());
    if lines.find(|line| !line.is_empty())?.starts_with("(define") {
        return Some(
            match (text.contains("(problem"), text.contains(BDDL_OBJECT)) {
                (true, true) => (
                    BDDL,
                    "vesta tasks --from FILE lists it, vesta import FILE --out DIR takes it over",
                ),
                (true, false) => (
                    "PDDL problem",
                    "give the plan of a planner: vesta import PLAN --task TASK",
                ),
                (false, _) => (
                    "PDDL domain",
                    "give the plan of a planner: vesta import PLAN --task TASK",
                ),
            },
        );
    }
    let format = sniff(bytes)?;
    let opens = match format.id {
        "program" => "vesta play TASK --script FILE plays it",
        "scene" => "vesta play FILE opens it, vesta import FILE --out DIR takes it over",
        _ => "vesta tasks --from FILE lists it, vesta import FILE --out DIR takes it over",
    };
    Some((format.title, opens))
}

/// How much of a file is looked at, in bytes.
const HEAD: usize = 64 << 10;

/// What a BDDL definition is called, for people.
pub const BDDL: &str = "BDDL definition of BEHAVIOR";

/// The middle of every object of a BDDL definition, `oven.n.01_1`.
const BDDL_OBJECT: &str = ".n.0";

/// The dialect of that name.
pub fn dialect(id: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().copied().find(|d| d.id == id)
}

#[cfg(test)]
mod tests;
