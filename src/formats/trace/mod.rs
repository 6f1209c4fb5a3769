//! Recorded conversations of all kinds of tools: one model ([`Trace`]), one file a format, one line each in [`FORMATS`].
//!
//! A format tells by content whether a file is of its kind, reads it tolerantly, and writes with a list of [`Loss`]es:
//! whatever its other readers will not see. Fields nobody knows are kept with the trace, the turn, the call or the
//! observation they stood at. What a format has no place for is written under `"vesta"` wherever it lets others put
//! something (see `carry`), so that a run that went out comes back whole.
//!
//! To add one: a file with a `FORMAT`, and a line in [`FORMATS`].

use crate::base::diag::Diagnostic;
use crate::formats::Read;
use crate::sim::vocab::Profile;
use crate::task::setup::Setup;

pub mod atif;
mod carry;
mod chat;
pub mod foreign;
pub mod inspect;
pub mod isbench;
pub mod itf;
mod loss;
pub mod mini;
mod model;
pub mod neutral;
pub mod openai;
pub mod otel;
mod ours;
mod packed;
pub mod pddl;
mod peek;
mod read;
pub mod swe;
#[cfg(test)]
mod tests;
mod write;

pub use carry::KEY;
pub use loss::Loss;
pub use model::{Call, Extra, Observation, Recorded, Role, Score, Trace, Turn, Usage, World};
pub use ours::of_run;
pub use pddl::word as name_of;

/// A format of recordings.
#[derive(Debug)]
pub struct Format {
    /// The name used on the command line.
    pub id: &'static str,
    /// What it is, for people.
    pub title: &'static str,
    /// The version that is written.
    pub version: &'static str,
    /// The usual ending of a file's name, without the dot.
    pub extension: &'static str,
    /// How sure it is, from 0 to 100, that these bytes are of its kind.
    pub sniff: fn(&[u8]) -> u8,
    /// Reads a file; the first argument is its name for messages. `None` where it is only written.
    pub read: Option<Reader>,
    /// Writes a trace; `None` where it is only read.
    pub write: Option<Writer>,
    /// What it keeps, for people.
    pub keeps: &'static str,
    /// What it loses, for people.
    pub loses: &'static str,
}

/// Reads all conversations of a file.
pub type Reader = fn(&str, &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic>;

/// Writes one conversation.
pub type Writer = fn(&Subject<'_>) -> Result<Written, Diagnostic>;

/// What is written.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'t> {
    /// The conversation.
    pub trace: &'t Trace,
    /// The task in its scene, where it is known: some formats tell of the world itself.
    pub setup: Option<&'t Setup>,
    /// The profile of its world.
    pub profile: Profile,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The files: what follows the dot of each one's name, and its bytes. The first is the one that is opened.
    pub files: Vec<(String, Vec<u8>)>,
    /// What other readers will not see.
    pub losses: Vec<Loss>,
}

impl Written {
    /// One file.
    fn one(extension: &str, bytes: Vec<u8>, losses: Vec<Loss>) -> Self {
        Self {
            files: vec![(extension.to_owned(), bytes)],
            losses,
        }
    }
}

/// All formats.
pub const FORMATS: &[Format] = &[
    neutral::FORMAT,
    atif::FORMAT,
    inspect::FORMAT,
    inspect::JSON,
    mini::FORMAT,
    openai::FORMAT,
    openai::LINES,
    otel::FORMAT,
    itf::FORMAT,
    pddl::FORMAT,
    isbench::FORMAT,
    swe::FORMAT,
];

/// The format of that name.
pub fn format(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.id == id)
}

/// The format these bytes are most likely of, with how sure that is; `None` where none fits.
pub fn sniff(bytes: &[u8]) -> Option<(&'static Format, u8)> {
    let mut best: Option<(&'static Format, u8)> = None;
    for format in FORMATS {
        let sure = (format.sniff)(bytes);
        if sure > 0 && best.is_none_or(|(_, most)| sure > most) {
            best = Some((format, sure));
        }
    }
    best
}

/// Reads a file of any known kind.
///
/// # Errors
/// No format fits, it can only be written, or the file cannot be read.
pub fn read(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let (format, _) = sniff(bytes).ok_or_else(|| {
        let wrong = match crate::formats::told(bytes) {
            Some((what, opens)) => {
                Diagnostic::error("", format!("this is no recording but a {what}")).help(opens)
            }
            None => Diagnostic::error("", "no format of recordings is recognised in it")
                .help("vesta formats lists those that are"),
        };
        wrong.in_file(name)
    })?;
    let read = format.read.ok_or_else(|| {
        Diagnostic::error("", format!("{} is only written", format.title)).in_file(name)
    })?;
    read(name, bytes)
}
