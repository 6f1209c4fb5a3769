//! What of a game is on the disk: hands events to the writer as they happen and knows which of them it acknowledged.

use std::sync::Arc;

use crate::app::games::{Begin, RunKey, Save, Saved};
use crate::app::jobs::Job;
use crate::app::layer::Act;
use crate::app::msg::Millis;
use crate::app::notice::Notice;
use crate::formats::run::NoteBody;
use crate::task::episode::Event;

/// How long after a failure writing is tried again, in milliseconds.
const AGAIN: Millis = 3_000;

/// The slot of jobs that write events.
pub(super) const EVENTS: &str = "save";

/// The slot of jobs that write a note.
pub(super) const NOTE: &str = "note";

/// One game's way to its run.
#[derive(Clone, Debug)]
pub struct Saver {
    /// The game.
    pub key: RunKey,
    /// What its run is begun with.
    pub begin: Arc<Begin>,
    /// The run's id, once it has a folder.
    pub run: Option<String>,
    /// Why nothing can be written, if so.
    pub read_only: Option<String>,
    /// Why the last writing failed, if it did.
    pub failed: Option<String>,
    /// Events kept until there is something worth a folder.
    held: Vec<Event>,
    /// The number of the first event that is not on the disk.
    saved: u32,
    again: Option<Millis>,
}

impl Saver {
    /// A saver for a game whose first `saved` events are on the disk and `held` are not.
    pub const fn new(key: RunKey, begin: Arc<Begin>, saved: u32, held: Vec<Event>) -> Self {
        Self {
            key,
            begin,
            run: None,
            read_only: None,
            failed: None,
            held,
            saved,
            again: None,
        }
    }

    /// The first event that is not on the disk, if one is not; `events` is how many there are.
    pub fn unsaved(&self, events: u32) -> Option<u32> {
        (self.read_only.is_none() && self.saved < events).then_some(self.saved)
    }

    /// Hands over what happened.
    pub(super) fn add(&mut self, events: Vec<Event>) -> Vec<Act> {
        if self.read_only.is_some() || events.is_empty() {
            return Vec::new();
        }
        self.held.extend(events);
        vec![self.job(EVENTS, None)]
    }

    /// Files a note, beginning the run if it has to be.
    pub(super) fn file(&mut self, note: NoteBody) -> Act {
        self.job(NOTE, Some(note))
    }

    fn job(&mut self, slot: &'static str, note: Option<NoteBody>) -> Act {
        let save = Save {
            key: self.key,
            begin: Arc::clone(&self.begin),
            events: std::mem::take(&mut self.held),
            note,
        };
        Act::Job(slot, Job::Save(save))
    }

    /// The writer answered.
    pub(super) fn saved(&mut self, saved: Saved) -> Vec<Act> {
        if let Some(seq) = saved.seq {
            self.saved = seq + 1;
        }
        self.run = Some(saved.id);
        self.again = None;
        if self.failed.take().is_some() {
            vec![Act::Notice(Notice::info("saved again: nothing is lost"))]
        } else {
            Vec::new()
        }
    }

    /// The writer failed.
    pub(super) fn failed(&mut self, reason: String, now: Millis) -> Vec<Act> {
        self.again = Some(now + AGAIN);
        // Told once until it is mended; the title keeps saying so.
        let first = self.failed.is_none();
        self.failed = Some(reason.clone());
        if first {
            vec![Act::Notice(Notice::error(reason))]
        } else {
            Vec::new()
        }
    }

    /// When writing is tried again.
    pub const fn deadline(&self) -> Option<Millis> {
        self.again
    }

    /// Tries again.
    pub(super) fn again(&mut self) -> Vec<Act> {
        self.again = None;
        vec![self.job(EVENTS, None)]
    }
}
