//! Work that is done elsewhere: what can be asked of runtime, and what comes back.
//!
//! # Adding a job
//! 1. A variant of [`Job`] with everything the work needs, and one of [`Reply`] for its result.
//! 2. Its lane in [`Job::lane`]: reads run beside each other, writes one after the other in order.
//! 3. An arm in `runtime/jobs/mod.rs` that calls the function in `store`, `formats` … which does it.
//!
//! A layer starts one with [`crate::app::layer::Act::Job`] and a *slot*, a word of its own for what it
//! is waiting for; the reply arrives in its `on_job` with that slot. A new job in the same slot of the
//! same layer makes the older one stale: its reply is dropped by id, whatever it says.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::session::Control;
use crate::app::arena::{ArenaJob, ArenaReply};
use crate::app::checks::{Asked, Shown};
use crate::app::compare::{CompareJob, CompareReply};
use crate::app::games::{Opened, RunKey, Save, Saved};
use crate::app::labels;
use crate::app::launch::Launch;
use crate::app::library::Library;
use crate::app::live::{Attached, Heard, WallNews};
use crate::app::long::{LongJob, LongReply, LongRun};
use crate::app::pages::{PageJob, PageReply};
use crate::app::profiles::Contrast;
use crate::app::prompts::PromptFile;
use crate::app::reports::Reported;
use crate::app::runs::LoadedRun;
use crate::app::settings::Settings;
use crate::app::shelves::{Shelved, View};
use crate::app::tries::{Tried, Try};
use crate::check::{Effort, Line, Report};
use crate::formats::run::NoteBody;
use crate::formats::scene::SceneFile;
use crate::formats::task::patch::{DiffLine, Edit};
use crate::sim::vocab::Profile;
use crate::task::setup::Setup;

/// The number of one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobId(pub u64);

/// Work to be done outside the pure layers.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// Look what tasks and runs there are.
    LoadLibrary,
    /// Read a task and its scene and bind them: `V022` or `suite/V022`.
    LoadTask(String),
    /// Read a run, by the end of its id or the path of its folder, and play it again.
    LoadRun(String),
    /// Something about a long run.
    Long(LongJob),
    /// Something about a text to look at.
    Page(PageJob),
    /// Open a task, by its name, or a run, by the end of its id, to play it under this key; a task under this profile, if
    /// one is asked for.
    OpenGame(String, Option<Profile>, RunKey),
    /// Read the user's settings again; what they were, without what was chosen on the screen, is handed over.
    ReadSettings(Box<Settings>),
    /// Write what was chosen on the screen, key and text, into the user's file; what is set without it comes first.
    KeepSettings(Box<Settings>, Vec<(&'static str, String)>),
    /// Play the examples of the differences between the profiles.
    ContrastProfiles,
    /// Write events and notes of a game.
    Save(Save),
    /// Nobody plays under this key any more: let others have the run.
    CloseGame(RunKey),
    /// File a note on a run.
    Note {
        /// The run's folder.
        folder: PathBuf,
        /// What it says.
        body: NoteBody,
    },
    /// File notes on runs that nobody waits for any more; as many as go.
    Notes(Vec<(PathBuf, NoteBody)>),
    /// Check one task; every answer is handed out as it comes.
    Check(Asked),
    /// Check every task; every report is handed out as it comes.
    CheckAll(Effort),
    /// Play the steps that show a finding, as a run that is kept nowhere.
    LoadWitness(Shown),
    /// Show a change to the file of a task, or make it, if it is still the one that was shown.
    Patch(String, Vec<Edit>, Option<Vec<DiffLine>>),
    /// Follow the runs of a place, those that are named, or those of the usual place, until nobody waits any more.
    Wall(String),
    /// Follow one run, by the end of its id or the path of its folder, until nobody waits any more.
    Attach(String),
    /// Step in on a run that somebody plays.
    Steer(PathBuf, Control),
    /// Read the runs in these folders, in the folder of runs where none is named, and score them.
    Report(Vec<PathBuf>),
    /// Tell what is known of the runs in these folders, in the folder of runs where none is named, and find out the rest;
    /// whether also which acts would break a rule.
    Shelve(Vec<PathBuf>, bool),
    /// Keep a query under a name.
    KeepView(View),
    /// Write a text into a file of the user's choice.
    SaveText(PathBuf, String),
    /// Write a report into a folder, every table in every format.
    SaveReport(Arc<Reported>, PathBuf),
    /// Look which runs are to be labelled, and what was said of them.
    Label(labels::Asked),
    /// Something about an arena.
    Arena(ArenaJob),
    /// Something about runs side by side.
    Compare(Box<CompareJob>),
    /// Write a text into a new file of that name; where it is taken it gets a number.
    Export(PathBuf, String),
    /// Read the prompt files in force.
    Prompts,
    /// Write a prompt file: its name, its text.
    SavePrompt(String, String),
    /// Start runs.
    Launch(Launch),
    /// Ask a model what a prompt file makes of a task, once.
    Try(Box<Try>),
    /// Fails with this sentence; tests use it to see what a failure does.
    Fail(String),
    /// Panics; tests use it to see that the screen survives.
    Panic,
}

/// How jobs run beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// On any worker, beside others.
    Read,
    /// On the one writer, in the order they were asked for; finished before the program ends.
    Write,
    /// On a thread of its own, for as long as somebody waits for it.
    Long,
}

impl Job {
    /// Where it runs.
    pub const fn lane(&self) -> Lane {
        match self {
            Self::LoadLibrary
            | Self::LoadTask(_)
            | Self::LoadRun(_)
            | Self::Check(_)
            | Self::CheckAll(_)
            | Self::LoadWitness(_)
            | Self::Page(_)
            | Self::ReadSettings(_)
            | Self::ContrastProfiles
            | Self::Report(_)
            | Self::Prompts
            | Self::Compare(_)
            | Self::Launch(_)
            | Self::Fail(_)
            | Self::Panic => Lane::Read,
            Self::Wall(_) | Self::Attach(_) | Self::Try(_) | Self::Label(_) | Self::Shelve(..) => {
                Lane::Long
            }
            Self::Long(job) => match job {
                LongJob::Window(_) => Lane::Read,
                _ => Lane::Long,
            },
            Self::Arena(job) => match job {
                ArenaJob::Keep(_) => Lane::Write,
                _ => Lane::Read,
            },
            Self::Patch(..)
            | Self::Steer(..)
            | Self::KeepSettings(..)
            | Self::OpenGame(..)
            | Self::Save(_)
            | Self::CloseGame(_)
            | Self::SaveReport(..)
            | Self::SaveText(..)
            | Self::KeepView(_)
            | Self::SavePrompt(..)
            | Self::Export(..)
            | Self::Notes(_)
            | Self::Note { .. } => Lane::Write,
        }
    }

    /// What it does, for messages: `could not … `.
    pub const fn title(&self) -> &'static str {
        match self {
            Self::LoadLibrary => "read tasks and runs",
            Self::LoadTask(_) => "open the task",
            Self::LoadRun(_) | Self::Long(_) => "read the run",
            Self::Check(_) => "check the task",
            Self::Patch(..) => "change the task",
            Self::CheckAll(_) => "check the tasks",
            Self::LoadWitness(_) => "play the steps",
            Self::Page(_) => "read the file",
            Self::ReadSettings(_) => "read the settings",
            Self::KeepSettings(..) => "keep the settings",
            Self::ContrastProfiles => "play the examples",
            Self::OpenGame(..) => "open the game",
            Self::Save(_) => "save the run",
            Self::CloseGame(_) => "close the run",
            Self::Note { .. } | Self::Notes(_) => "file the note",
            Self::Wall(_) => "watch the runs",
            Self::Attach(_) => "attach to the run",
            Self::Steer(..) => "step in",
            Self::Report(_) | Self::Shelve(..) | Self::Label(_) => "read the runs",
            Self::KeepView(_) => "keep the view",
            Self::SaveText(..) | Self::Export(..) => "write the file",
            Self::Arena(job) => job.title(),
            Self::Compare(_) => "compare the runs",
            Self::Prompts => "read the prompts",
            Self::SavePrompt(..) => "save the prompt",
            Self::Launch(_) => "start the run",
            Self::Try(_) => "try the prompt",
            Self::SaveReport(..) => "write the report",
            Self::Fail(_) | Self::Panic => "do what was asked",
        }
    }
}

/// A task ready to be played, with what a run's header needs to name its scene.
#[derive(Debug, Clone)]
pub struct LoadedTask {
    /// The task bound to its scene.
    pub setup: Setup,
    /// The scene before the task's changes.
    pub base: SceneFile,
    /// SHA-256 of the scene's file, 64 hex digits.
    pub sha256: String,
}

/// The result of a job.
#[derive(Debug, Clone)]
pub enum Reply {
    /// Tasks and runs.
    Library(Library),
    /// A task.
    Task(Arc<LoadedTask>),
    /// A run.
    Run(Arc<LoadedRun>),
    /// A run that is too long to be played again whole.
    LongRun(LongRun),
    /// Something about a long run.
    Long(LongReply),
    /// A run in this folder that another tool recorded.
    Foreign(PathBuf),
    /// An answer about a task, of how many.
    CheckLine(Line, usize),
    /// All answers about these tasks.
    Checked(Vec<Arc<Report>>),
    /// The file a change goes to, and the change.
    Patch(String, Vec<DiffLine>),
    /// A game to be played.
    Game(Arc<Opened>),
    /// Something about a text.
    Page(PageReply),
    /// The settings.
    Settings(Box<Settings>),
    /// The settings after what was chosen was written, and what was written at which lines.
    Kept(Box<Settings>, Vec<(String, u32)>),
    /// In what the profiles differ.
    Contrasts(Arc<Vec<Contrast>>),
    /// A report.
    Report(Arc<Reported>),
    /// What is known of runs.
    Shelf(Box<Shelved>),
    /// Runs that are to be labelled.
    Labels(Vec<labels::Item>),
    /// The user's named queries.
    Views(Vec<View>),
    /// A file is on the disk, at this path.
    Written(String),
    /// Something about an arena.
    Arena(ArenaReply),
    /// Something about runs side by side.
    Compare(CompareReply),
    /// A text is on the disk, in this file.
    Exported(PathBuf),
    /// The prompt files in force, by name.
    Prompts(Vec<PromptFile>),
    /// A prompt file is on the disk, at this path.
    PromptSaved(String),
    /// A report is on the disk: the folder, and how many files.
    ReportSaved(String, usize),
    /// Events and notes are on the disk.
    Saved(Saved),
    /// What became of the runs on the wall.
    Wall(WallNews),
    /// A run to be watched whole, as far as it had come.
    Attached(Box<Attached>),
    /// What was heard of it since.
    Heard(Box<Heard>),
    /// What came of a prompt that was tried.
    Tried(Box<Tried>),
    /// A text as the user's editor has left it.
    Edited(String),
    /// Runs were started: what is told of them.
    Launched(String),
    /// It is done; there is nothing to tell.
    Done,
}

/// What a job reports.
#[derive(Debug, Clone)]
pub enum JobEvent {
    /// It is at `done` of `total`; more will come.
    Progress {
        /// Pieces done.
        done: u64,
        /// Pieces in all, 0 if that is not known.
        total: u64,
    },
    /// A part of the result; more will come.
    Part(Box<Reply>),
    /// It is finished.
    Done(Box<Reply>),
    /// It failed: one sentence saying what, where and what to do.
    Failed(String),
}

/// Who waits for a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The program's shared data.
    Shared,
    /// The place with that number.
    Place(u64),
    /// The overlay with that number.
    Overlay(u64),
}

/// The jobs that are on their way.
#[derive(Debug, Clone, Default)]
pub struct Jobs {
    last: u64,
    open: BTreeMap<JobId, (Owner, &'static str)>,
}

impl Jobs {
    /// Registers a job; the id of the one it makes stale comes second.
    pub fn start(&mut self, owner: Owner, slot: &'static str) -> (JobId, Option<JobId>) {
        let older = self.stop(owner, slot);
        self.last += 1;
        let id = JobId(self.last);
        self.open.insert(id, (owner, slot));
        (id, older)
    }

    /// Forgets the job in a slot; its id, to be cancelled.
    pub fn stop(&mut self, owner: Owner, slot: &'static str) -> Option<JobId> {
        let open = self.open.iter();
        let id = open
            .filter(|(_, asked)| **asked == (owner, slot))
            .map(|(id, _)| *id)
            .next()?;
        self.open.remove(&id);
        Some(id)
    }

    /// Who waits for this report, if anybody still does. A final report closes the job.
    pub fn take(&mut self, id: JobId, event: &JobEvent) -> Option<(Owner, &'static str)> {
        match event {
            JobEvent::Progress { .. } | JobEvent::Part(_) => self.open.get(&id).copied(),
            JobEvent::Done(_) | JobEvent::Failed(_) => self.open.remove(&id),
        }
    }

    /// Forgets every job of an owner that is gone; their ids, to be cancelled.
    pub fn forget(&mut self, owner: Owner) -> Vec<JobId> {
        let gone: Vec<JobId> = self
            .open
            .iter()
            .filter(|(_, asked)| asked.0 == owner)
            .map(|(id, _)| *id)
            .collect();
        for id in &gone {
            self.open.remove(id);
        }
        gone
    }

    /// How many jobs are on their way.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether none is on its way.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }
}
