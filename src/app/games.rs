//! Runs being played: what is asked of the one writer, and what it answers.
//!
//! A [`RunKey`] names a run from the moment it is opened, before it has a folder: a run gets its folder with the first
//! thing worth keeping, so that looking into a task leaves nothing behind. Events are handed over in order and wait
//! with the writer while they cannot be written; every later [`Save`] tries them again.

use std::fmt;
use std::sync::Arc;

use crate::app::jobs::LoadedTask;
use crate::formats::run::{ForkedFrom, Note, NoteBody};
use crate::sim::vocab::Profile;
use crate::task::episode::{Episode, Event};

/// One run being played, in this window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunKey(pub u64);

/// What a run is begun with.
#[derive(Clone)]
pub struct Begin {
    /// The task with its scene.
    pub loaded: Arc<LoadedTask>,
    /// The semantics of its world.
    pub profile: Profile,
    /// Who acts.
    pub agent: String,
    /// The run it goes on from.
    pub forked_from: Option<ForkedFrom>,
}

impl fmt::Debug for Begin {
    /// Without the scene, which fills screens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Begin")
            .field("task", &self.loaded.setup.task.id)
            .field("profile", &self.profile)
            .field("agent", &self.agent)
            .field("forked_from", &self.forked_from)
            .finish_non_exhaustive()
    }
}

/// A game ready to be played.
#[derive(Debug, Clone)]
pub struct Opened {
    /// What its run is begun with.
    pub begin: Arc<Begin>,
    /// Where it stands.
    pub episode: Episode,
    /// Events that are not on the disk yet.
    pub events: Vec<Event>,
    /// Its run, if it has one already.
    pub run: Option<OpenedRun>,
    /// What the player should know, one sentence each.
    pub findings: Vec<String>,
}

/// A run that was opened to go on with it.
#[derive(Debug, Clone)]
pub struct OpenedRun {
    /// Its id.
    pub id: String,
    /// Why it can only be looked at, if so.
    pub read_only: Option<String>,
    /// What was said about it.
    pub notes: Vec<Note>,
}

/// Events and a note to be written.
#[derive(Debug, Clone)]
pub struct Save {
    /// The run.
    pub key: RunKey,
    /// What to begin it with, should it have no folder yet.
    pub begin: Arc<Begin>,
    /// Events not handed over before, in order; with none, those that wait are tried again.
    pub events: Vec<Event>,
    /// A note to file after them.
    pub note: Option<NoteBody>,
}

impl PartialEq for Save {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && Arc::ptr_eq(&self.begin, &other.begin)
            && self.events == other.events
            && self.note == other.note
    }
}

/// What is on the disk now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The run's id.
    pub id: String,
    /// The number of the last event that is.
    pub seq: Option<u32>,
    /// The note that was filed.
    pub note: Option<Note>,
}
