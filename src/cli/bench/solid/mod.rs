//! What the proofs of solid ground share: acts that are written as a run, and the judgement of what is found afterwards.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow};

use crate::formats::run::event_line;
use crate::sim::vocab::Profile;
use crate::store::disk::Disk;
use crate::store::library::{Library, Loaded};
use crate::store::runs::{self, Access, NewRun, RunWriter, SavedRun};
use crate::task::episode::{Episode, Event};

pub mod crowd;
pub mod faults;
pub mod full;
pub mod power;

/// A task played far enough, before anything is written.
pub(super) struct Acts {
    loaded: Loaded,
    profile: Profile,
    /// The start, then an event each.
    pub(super) events: Vec<Event>,
}

impl Acts {
    /// So many events of a task: its reference plan over and over, taken back between.
    pub(super) fn of(task: &str, events: usize) -> Result<Self> {
        let loaded = Library::open(None).load_whole(task).map_err(|all| {
            let first = all.first().map_or_else(String::new, ToString::to_string);
            anyhow!("{task}: {first}")
        })?;
        let profile = loaded.setup.task.profile();
        let (mut episode, start) = Episode::start(Arc::new(loaded.setup.clone()), profile)
            .map_err(|d| anyhow!("{task}: {d}"))?;
        let mut made = vec![start];
        let plan = loaded.setup.reference.clone();
        while made.len() <= events {
            let before = made.len();
            for &action in &plan {
                made.extend(episode.act(action).events);
            }
            while made.len() <= events {
                let Some(back) = episode.undo() else { break };
                made.push(back);
            }
            if made.len() == before {
                return Err(anyhow!("{task}: it has no reference plan to play"));
            }
        }
        made.truncate(events + 1);
        Ok(Self {
            loaded,
            profile,
            events: made,
        })
    }

    /// Begins the run.
    pub(super) fn begin(&self, disk: &Disk, root: &Path) -> Result<RunWriter, String> {
        let new = NewRun {
            agent: "human",
            task: &self.loaded.setup.task,
            base: &self.loaded.base,
            profile: self.profile,
            forked_from: None,
            player: None,
        };
        let start = self.events.get(..1).unwrap_or_default();
        RunWriter::create_on(disk, root, new, start).map_err(|d| d.to_string())
    }

    /// What is wrong with what is found in a folder of runs, where the events up to one were told to be written. `on` is the
    /// number of events to go on with afterwards, which must then be there too.
    pub(super) fn judge(&self, root: &Path, told: Option<u32>, on: usize) -> Result<Found, Fault> {
        let rows = runs::list(root).map_err(|d| Fault::Unreadable(d.to_string()))?;
        // Where beginning failed and so did taking it back, there is one more, of which nothing was told.
        let longest = rows.iter().max_by_key(|row| row.events);
        let Some(row) = longest else {
            return match told {
                Some(seq) => Err(Fault::Lost(format!(
                    "no run at all, told up to event {seq}"
                ))),
                None => Ok(Found::default()),
            };
        };
        let events = self.read(&row.folder, told)?;
        for n in 0..on.min(self.events.len().saturating_sub(events)) {
            let opened = runs::open(&row.folder).map_err(|d| Fault::Unreadable(d.to_string()))?;
            let mut writer = match opened.access {
                Access::Write(writer) => writer,
                Access::ReadOnly(why) => return Err(Fault::Unreadable(why)),
            };
            let next = self.events.get(events + n..=events + n).unwrap_or_default();
            writer
                .append(next)
                .map_err(|e| Fault::Unreadable(e.to_string()))?;
            drop(writer);
            self.read(&row.folder, Some((events + n) as u32))?;
        }
        Ok(Found { events })
    }

    /// As [`Self::judge`], without going on; 0 where the folder does not exist and nothing was told.
    pub(super) fn judge_or_none(&self, root: &Path, told: Option<u32>) -> Result<usize, Fault> {
        if !root.is_dir() && told.is_none() {
            return Ok(0);
        }
        Ok(self.judge(root, told, 0)?.events)
    }

    /// Reads a run back: how many events, every one as it was.
    fn read(&self, folder: &Path, told: Option<u32>) -> Result<usize, Fault> {
        let run = SavedRun::read(folder).map_err(|d| Fault::Unreadable(d.to_string()))?;
        let found = &run.events.items;
        for (at, event) in found.iter().enumerate() {
            if self.events.get(at).map(event_line) != Some(event_line(event)) {
                return Err(Fault::Wrong(format!("event {at} is not what was written")));
            }
        }
        let due = told.map_or(0, |seq| seq as usize + 1);
        if found.len() < due {
            let (last, there) = (due - 1, found.len());
            return Err(Fault::Lost(format!(
                "told up to event {last}, {there} are there"
            )));
        }
        if !run.events.torn
            && let Some(why) = run.events.findings.first()
        {
            return Err(Fault::Unreadable(why.to_string()));
        }
        Ok(found.len())
    }
}

/// What was found of a run that is fine.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    /// Its events.
    pub(super) events: usize,
}

/// What is wrong with what was found.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// Something told to be written is not there.
    Lost(String),
    /// An event is not what was written, and was taken for good.
    Wrong(String),
    /// The run cannot be read, or not gone on with.
    Unreadable(String),
}

/// Faults counted by kind, the first few kept in words.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults {
    /// Cases in which something told was lost.
    pub(super) lost: u64,
    /// Cases in which something wrong was taken for good.
    pub(super) wrong: u64,
    /// Cases in which the run cannot be read or gone on with.
    pub(super) unreadable: u64,
    words: Vec<String>,
}

/// How many faults are told in full.
const TOLD: usize = 5;

impl Faults {
    pub(super) fn count(&mut self, place: &str, fault: &Fault) {
        let words = match fault {
            Fault::Lost(words) => {
                self.lost += 1;
                words
            }
            Fault::Wrong(words) => {
                self.wrong += 1;
                words
            }
            Fault::Unreadable(words) => {
                self.unreadable += 1;
                words
            }
        };
        if self.words.len() < TOLD {
            self.words.push(format!("{place}: {words}"));
        }
    }

    pub(super) fn any(&self) -> bool {
        self.lost + self.wrong + self.unreadable > 0
    }

    /// The counts in a line, and the first faults.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "{} lost told events, {} took wrong ones, {} unreadable or not to be gone on with",
            self.lost, self.wrong, self.unreadable
        )];
        lines.extend(self.words.iter().map(|w| format!("✗ {w}")));
        lines
    }

    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "lost": self.lost, "wrong": self.wrong, "unreadable": self.unreadable, "faults": self.words,
        })
    }
}
