//! Reading a run: everything that was committed, and a sentence about everything that was cut.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::bufread::GzDecoder;
use serde_json::Value;

use crate::agent::sign::Spent;
use crate::base::diag::Diagnostic;
use crate::formats::run::{self, EVENTS_FILE, HEADER_FILE, Header, Lines, NOTES_FILE, Note};
use crate::formats::scene::{self, SceneFile, Which};
use crate::formats::trace::foreign;
use crate::formats::{self, task as task_file};
use crate::sim::refusal::Kind;
use crate::sim::vocab::Profile;
use crate::store::book::book;
use crate::store::files;
use crate::task::Task;
use crate::task::episode::{Body, Drift, Episode, Event, replay};
use crate::task::setup::{Setup, prepare};

/// The file that holds times and what calls took.
pub(in crate::store) const TIMING_FILE: &str = "timing.jsonl";

/// The file that holds the scene.
pub const SCENE_FILE: &str = "scene.json.gz";

/// The largest file of events that is read whole, in bytes.
const LARGEST: u64 = 2 << 30;

/// A run as its folder holds it.
#[derive(Clone, Debug)]
pub struct SavedRun {
    /// Its folder.
    pub folder: PathBuf,
    /// Its header.
    pub header: Header,
    /// Its events up to the first that cannot be used.
    pub events: Lines<Event>,
    /// What was said about it.
    pub notes: Lines<Note>,
}

/// A run played again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The episode, standing where the run stood.
    pub episode: Episode,
    /// Its scene before the task's changes.
    pub base: SceneFile,
    /// Where record and world differ.
    pub drifts: Vec<Drift>,
}

impl SavedRun {
    /// Reads a run's folder.
    ///
    /// # Errors
    /// The header or the events cannot be read at all.
    pub fn read(folder: &Path) -> Result<Self, Diagnostic> {
        let path = |file: &str| folder.join(file);
        let place = |d: Diagnostic| Diagnostic {
            file: path(&d.file).display().to_string(),
            ..d
        };
        let header = run::read_header(&files::read(&path(HEADER_FILE))?).map_err(place)?;
        let mut events = run::read_events(&files::read_up_to(&path(EVENTS_FILE), LARGEST)?);
        let notes = match files::read(&path(NOTES_FILE)) {
            Ok(bytes) => bytes,
            // No note was ever written.
            Err(_) if !path(NOTES_FILE).exists() => Vec::new(),
            Err(d) => return Err(d),
        };
        let mut notes = run::read_notes(&notes);
        if events.items.is_empty() && events.findings.is_empty() {
            let d = Diagnostic::warning("", "no event was recorded").in_file(EVENTS_FILE);
            events.findings.push(d);
        }
        for d in events.findings.iter_mut().chain(&mut notes.findings) {
            *d = place(d.clone());
        }
        Ok(Self {
            folder: folder.to_owned(),
            header,
            events,
            notes,
        })
    }

    /// Its header and what was said about it, without its events.
    ///
    /// # Errors
    /// One of both cannot be read.
    pub fn peek(folder: &Path) -> Result<(Header, Vec<Note>), Diagnostic> {
        let path = |file: &str| folder.join(file);
        let header =
            run::read_header(&files::read(&path(HEADER_FILE))?).map_err(|d| Diagnostic {
                file: path(&d.file).display().to_string(),
                ..d
            })?;
        if !path(NOTES_FILE).exists() {
            return Ok((header, Vec::new()));
        }
        let notes = run::read_notes(&files::read(&path(NOTES_FILE))?);
        Ok((header, notes.items))
    }

    /// A run whose events and notes are not read: somebody follows them.
    pub fn unread(folder: &Path, header: Header) -> Self {
        Self {
            folder: folder.to_owned(),
            header,
            events: run::read_events(&[]),
            notes: run::read_notes(&[]),
        }
    }

    /// What was done in it, from its start to where it stands, as program lines.
    pub fn done(&self) -> Vec<String> {
        let events = &self.events.items;
        let mut lines = Vec::new();
        let mut at = self.stands();
        while let Some(event) = at.and_then(|seq| events.get(seq as usize)) {
            if let Body::Step { action, .. } = &event.body {
                lines.push(action.clone());
            }
            at = event.parent;
        }
        lines.reverse();
        lines
    }

    /// What it came to as a plan: what was done, then what was refused there and ended it, or the refusal of the
    /// instruction. What was refused on the way, and followed by something that was done, is left out: a plan would end
    /// there.
    pub fn attempted(&self) -> Vec<String> {
        let mut lines = self.done();
        let events = &self.events.items;
        let unread = [Kind::Unparsable, Kind::WrongArity, Kind::Unseen].map(Kind::name);
        let last = events.iter().rev().find_map(|e| match &e.body {
            Body::Avoid { reason } => Some(Some(format!("avoid {reason}"))),
            // What could not be read was no attempt at anything.
            Body::Refused { refusal, .. } if unread.contains(&refusal.as_str()) => Some(None),
            Body::Refused { action, .. } if e.parent == self.stands() => Some(Some(action.clone())),
            Body::Step { .. } | Body::Goto { .. } | Body::Done { .. } => Some(None),
            _ => None,
        });
        lines.extend(last.flatten());
        lines
    }

    /// The event that it stands at.
    fn stands(&self) -> Option<u32> {
        let events = &self.events.items;
        let moved = events.iter().rev().find_map(|e| match e.body {
            Body::Step { .. } => Some(e.seq),
            Body::Goto { to, .. } => Some(to),
            _ => None,
        });
        moved.or_else(|| events.first().map(|e| e.seq))
    }

    /// What its calls of models took, by the event they led to; nothing where that was not kept.
    pub fn spent(&self) -> Vec<(u32, Spent)> {
        let bytes = files::read(&self.folder.join(TIMING_FILE)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let values = text
            .lines()
            .filter(|line| line.contains("\"attempts\""))
            .filter_map(|line| serde_json::from_str(line).ok());
        let calls = values.filter(|v: &Value| v.get("attempts").is_some());
        calls
            .filter_map(|v| {
                let seq = u32::try_from(v.get("seq")?.as_u64()?).ok()?;
                Some((seq, Spent::read(&v)))
            })
            .collect()
    }

    /// What was cut or skipped, one sentence each.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.events.findings.iter().chain(&self.notes.findings)
    }

    /// Whether others recorded it, so that it has no world here.
    pub fn is_foreign(&self) -> bool {
        foreign::is_foreign(&self.header)
    }

    fn has_world(&self) -> Result<(), Diagnostic> {
        if self.is_foreign() {
            return Err(Diagnostic::error(
                "",
                "it was recorded by others: there is no world to play it in",
            )
            .help("look at it with vesta show"));
        }
        Ok(())
    }

    /// The profile of its world.
    ///
    /// # Errors
    /// This program does not know it.
    pub fn profile(&self) -> Result<Profile, Diagnostic> {
        self.has_world()?;
        Profile::parse(&self.header.profile).ok_or_else(|| {
            let known: Vec<&str> = Profile::ALL.iter().map(|p| p.id()).collect();
            Diagnostic::error("profile", format!("{:?} is not known", self.header.profile))
                .help(format!("this program knows {}", known.join(", ")))
                .in_file(&self.folder.join(HEADER_FILE).display().to_string())
        })
    }

    /// The scene kept with the run.
    ///
    /// # Errors
    /// It is missing, damaged or not the one the header names.
    pub fn scene(&self) -> Result<SceneFile, Diagnostic> {
        let path = self.folder.join(SCENE_FILE);
        let name = path.display().to_string();
        let packed = files::read(&path)?;
        let mut bytes = Vec::new();
        let mut unpacked = GzDecoder::new(packed.as_slice()).take(files::LARGEST + 1);
        unpacked.read_to_end(&mut bytes).map_err(|e| {
            Diagnostic::error("", format!("the scene cannot be unpacked: {e}"))
                .help("restore the file from a copy of the run")
                .in_file(&name)
        })?;
        if !unpacked.into_inner().into_inner().is_empty() {
            let d = Diagnostic::error("", "something follows the end of the scene")
                .help("restore the file from a copy of the run");
            return Err(d.in_file(&name));
        }
        if files::sha256(&bytes) != self.header.scene.sha256 {
            let d = Diagnostic::error("", "this is not the scene that run.json names")
                .help("restore the file from a copy of the run");
            return Err(d.in_file(&name));
        }
        let dialect = formats::dialect(&self.header.dialect).ok_or_else(|| {
            let message = format!("{:?} is not known", self.header.dialect);
            Diagnostic::error("dialect", message)
                .in_file(&self.folder.join(HEADER_FILE).display().to_string())
        })?;
        let (file, _) = scene::read(dialect, &self.header.scene.file, &bytes, Which::Initial)
            .map_err(|d| Diagnostic { file: name, ..d })?;
        Ok(file)
    }

    /// The task, as it was when the run was begun.
    ///
    /// # Errors
    /// It cannot be read any more.
    pub fn task(&self) -> Result<Task, Diagnostic> {
        self.has_world()?;
        let header = self.folder.join(HEADER_FILE).display().to_string();
        let (task, _) = task_file::read(&header, self.header.task.as_bytes()).map_err(|d| {
            // Lines of the task's own text would be taken for lines of the header.
            Diagnostic {
                line: None,
                column: None,
                field: if d.field.is_empty() {
                    "task".to_owned()
                } else {
                    format!("task.{}", d.field)
                },
                ..d
            }
        })?;
        Ok(task)
    }

    /// The task ready to be played, with its base scene.
    ///
    /// # Errors
    /// Task or scene cannot be used any more.
    pub fn setup(&self) -> Result<(Arc<Setup>, SceneFile), Diagnostic> {
        let header = self.folder.join(HEADER_FILE).display().to_string();
        let task = self.task()?;
        let base = self.scene()?;
        let setup = prepare(Arc::new(task), &base.scene, book()).map_err(|all| {
            let first = all.into_iter().next();
            first
                .unwrap_or_else(|| Diagnostic::error("task", "cannot be bound to its scene"))
                .in_file(&header)
        })?;
        Ok((Arc::new(setup), base))
    }

    /// Plays the run again and compares every hash.
    ///
    /// # Errors
    /// As [`Self::setup`] and [`Self::profile`].
    pub fn replay(&self) -> Result<Replayed, Diagnostic> {
        let (setup, base) = self.setup()?;
        let (episode, drifts) = replay(setup, self.profile()?, &self.events.items)?;
        Ok(Replayed {
            episode,
            base,
            drifts,
        })
    }
}
