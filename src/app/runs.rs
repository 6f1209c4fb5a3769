//! A saved run as the screens have it: what was recorded, what was said about it, and what the world makes of it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::agent::sign::Spent;
use crate::formats::run::{Header, Note};
use crate::task::episode::record::{Events, Record};
use crate::task::episode::{Drift, Episode, Event, Verified};

/// A part of a long run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The number of its first event.
    pub event: u32,
    /// Positions that were made before it.
    pub step: u32,
    /// Whether nothing follows it.
    pub ends: bool,
}

/// A saved run, read and played again.
#[derive(Debug, Clone)]
pub struct LoadedRun {
    /// Its folder; a copied run keeps the id of the other one in its header.
    pub folder: PathBuf,
    /// Its header.
    pub header: Header,
    /// Its events, up to the first that cannot be used; of a window those in it.
    pub events: Vec<Event>,
    /// Which part of a long run this is; `None` for a whole one.
    pub window: Option<Window>,
    /// What was said about it.
    pub notes: Vec<Note>,
    /// What its calls of models took, by the event they led to; nothing where that was not kept.
    pub spent: Vec<(u32, Spent)>,
    /// What was cut or skipped, one sentence each.
    pub findings: Vec<String>,
    /// Whether events follow that cannot be used.
    pub is_cut: bool,
    /// Why it cannot be written to now.
    pub read_only: Option<String>,
    /// The episode again, or why it cannot be played again.
    pub again: Result<Again, String>,
}

/// A run played again.
#[derive(Debug, Clone)]
pub struct Again {
    /// The episode, standing where the run stood.
    pub episode: Episode,
    /// Where record and world differ.
    pub drifts: Vec<Drift>,
}

impl LoadedRun {
    /// The name of its folder, which lists know it by.
    pub fn id(&self) -> String {
        let name = self.folder.file_name();
        name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// Its events by their numbers.
    pub fn recorded(&self) -> Events<'_> {
        let first = self.window.map_or(0, |window| window.event);
        Events::from(first, &self.events)
    }

    /// Its positions.
    pub fn record(&self) -> Record {
        let before = self.window.map_or(0, |window| window.step);
        Record::window(self.recorded(), before)
    }

    /// What playing it again came to.
    ///
    /// # Errors
    /// Why it cannot be played again.
    pub fn verified(&self) -> Result<Verified, &str> {
        let again = self.again.as_ref().map_err(String::as_str)?;
        let found = Verified::of(&again.episode, &self.events, &again.drifts);
        Ok(found)
    }

    /// What playing it again came to, in one line.
    pub fn verified_words(&self) -> String {
        match self.verified() {
            Ok(found) if found.agrees() && !self.findings.is_empty() => {
                format!("✗ verified {}/{} hashes", found.agree, found.events)
            }
            Ok(found) => found.words(self.other_engine()),
            Err(why) => format!("✗ cannot be verified: {why}"),
        }
    }

    /// Whether every hash agrees and nothing was cut.
    pub fn is_fine(&self) -> bool {
        self.findings.is_empty() && self.verified().is_ok_and(|found| found.agrees())
    }

    /// The engine that recorded it, if it was another one.
    pub fn other_engine(&self) -> Option<&str> {
        let engine = self.header.engine.as_str();
        (engine != env!("CARGO_PKG_VERSION")).then_some(engine)
    }

    /// The numbers of the events that differ from the world.
    pub fn differ(&self) -> BTreeSet<u32> {
        let drifts = self.again.as_ref().map_or(&[][..], |again| &again.drifts);
        drifts.iter().map(|drift| drift.seq).collect()
    }
}
