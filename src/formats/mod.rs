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

/// The dialect of that name.
pub fn dialect(id: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().copied().find(|d| d.id == id)
}

#[cfg(test)]
mod tests;
