//! Long runs: more than is played again whole. A window of such a run is shown as if it were the run; what is known of the rest
//! is where its events are, what a walk goes to, and the moments from which a window can be played again.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::runs::LoadedRun;
use crate::formats::run::survey::{Mark, Survey};
use crate::task::episode::{Episode, Moment};

/// Events before the wanted one that a window begins at, about.
pub const BEFORE: u32 = 64;

/// Events of a window behind the wanted one.
pub const AFTER: u32 = 256;

/// Bytes of events up to which a run is read and played again whole, for looking at; of a longer one a window is.
pub const WHOLE: u64 = 64 << 20;

/// A run too long to be played again whole.
#[derive(Debug, Clone)]
pub struct LongRun {
    /// Its folder.
    pub folder: PathBuf,
    /// Bytes of its events.
    pub bytes: u64,
    /// Its first events.
    pub window: Arc<LoadedRun>,
}

impl LongRun {
    /// How long it is.
    pub fn words(&self) -> String {
        format!("{} MiB of events, too long for this", self.bytes >> 20)
    }
}

/// Where a window is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// At an event.
    Event(u32),
    /// At the step of that number.
    Step(u32),
}

/// A window that is wanted.
#[derive(Debug, Clone)]
pub struct WindowAsked {
    /// The folder of the run.
    pub folder: PathBuf,
    /// Where.
    pub at: At,
    /// What is known of the file.
    pub survey: Arc<Survey>,
    /// The run at its start and, but for a window there, the moment from which the window can be played again; `None` while
    /// that is not known, so that the record alone is shown.
    pub from: Option<(Arc<Episode>, Option<Arc<Moment>>)>,
}

/// Words that are looked for.
#[derive(Debug, Clone)]
pub struct WordsAsked {
    /// The folder of the run.
    pub folder: PathBuf,
    /// The words; small letters stand for large ones too.
    pub words: String,
    /// The event from which the next is looked for, or before which the last is.
    pub from: u32,
    /// Whether towards the end.
    pub forward: bool,
    /// What is known of the file.
    pub survey: Arc<Survey>,
}

/// Work about a long run.
#[derive(Debug, Clone)]
pub enum LongJob {
    /// Look through its file.
    Survey(PathBuf),
    /// Play it again from its start to its end, and hand out what is found on the way.
    Follow(PathBuf),
    /// Read a window.
    Window(Box<WindowAsked>),
    /// Look for words.
    Find(Box<WordsAsked>),
}

impl PartialEq for LongJob {
    /// Whether both ask for the same; what is known of the run decides nothing.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Survey(a), Self::Survey(b)) | (Self::Follow(a), Self::Follow(b)) => a == b,
            (Self::Window(a), Self::Window(b)) => (&a.folder, a.at) == (&b.folder, b.at),
            (Self::Find(a), Self::Find(b)) => {
                (&a.words, a.from, a.forward) == (&b.words, b.from, b.forward)
            }
            _ => false,
        }
    }
}

/// What came of work about a long run.
#[derive(Debug, Clone)]
pub enum LongReply {
    /// What there is in its file.
    Surveyed(Arc<Survey>),
    /// The run at its start.
    Start(Arc<Episode>),
    /// Followed on: moments, steps that broke rules, and how many events that makes.
    Followed(Vec<Arc<Moment>>, Vec<Mark>, u32),
    /// Followed to its end, or why not.
    Ended(Option<String>),
    /// A window, and the event that was wanted.
    Window(Arc<LoadedRun>, u32),
    /// The event with the words.
    Found(Option<u32>),
}
