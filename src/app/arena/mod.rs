//! Arenas as screens have them: what is asked of the workers, what comes back, and the household arena read off its
//! record: [`house`] the candidates and what beats them, [`axes`] the frontier; [`plans`] typed plans of a file.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::arena::plans::Plans;
use crate::app::runs::LoadedRun;
use crate::arena::advplan::audit::Moved;
use crate::arena::advplan::file::again::Replayed;
use crate::arena::advplan::study::Study;
use crate::arena::house::model::{Outcome, Response};
use crate::arena::house::record::{Entry, Record, Settings};

pub mod axes;
pub mod house;
pub mod plans;

/// What is asked about arenas.
#[derive(Clone, Debug, PartialEq)]
pub enum ArenaJob {
    /// Play the published benchmark with so many base seeds, and the scenario of this id beside it where it is none of
    /// them.
    Published(usize, Option<String>),
    /// Read a file of typed plans of the benchmark, and play its scenarios again.
    Typed(PathBuf),
    /// Change every field of the scenarios of so many base seeds, and see what moves.
    Audit(usize),
    /// Hold the arena of a task, by its name, handing out what there is after every candidate and round.
    House(String, Box<Settings>),
    /// Read an arena that was kept: by its id or a part of it, its file, or the folder it is in.
    Kept(String),
    /// Hold an arena again with other settings or one more plan, from the proposals it had.
    Again(Box<AgainAsked>),
    /// Play a cell as a run that is kept nowhere.
    Cell(Box<CellAsked>),
    /// Play a cell again and tell what came of it, beside its run.
    Outcome(Box<CellAsked>),
    /// Play so many executed steps of a cell and hand it over to whoever plays on, RED's disturbances kept.
    Fork(Box<CellAsked>, u32),
    /// Keep an arena beside the runs.
    Keep(Arc<Record>),
}

/// An arena to be held again.
#[derive(Clone, Debug, PartialEq)]
pub struct AgainAsked {
    /// The task, `suite/id`.
    pub task: String,
    /// The profile of its world, by id.
    pub profile: String,
    /// How it is held.
    pub settings: Settings,
    /// The plans that were proposed, in their order; their rounds and revisions come anew.
    pub proposals: Vec<Entry>,
    /// One more plan.
    pub more: Option<NewPlan>,
}

/// A plan that a person brings to an arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewPlan {
    /// What a person wrote, with branches where they like.
    Written(String),
    /// What was attempted in a saved run, by its id or the end of it.
    Run(String),
    /// A plan file.
    File(PathBuf),
}

/// A cell to be played as a run: a plan under a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellAsked {
    /// The task, `suite/id`.
    pub task: String,
    /// The profile of its world, by id.
    pub profile: String,
    /// The candidate's name.
    pub candidate: String,
    /// The plan, a line a step.
    pub plan: Vec<String>,
    /// What RED does.
    pub response: Response,
}

impl ArenaJob {
    /// What it does, for messages: `could not … `.
    pub const fn title(&self) -> &'static str {
        match self {
            Self::Published(..) => "play the benchmark",
            Self::Typed(_) => "read the plans",
            Self::Audit(_) => "audit the benchmark",
            Self::House(..) => "hold the arena",
            Self::Kept(_) => "read the arena",
            Self::Again(_) => "hold the arena again",
            Self::Cell(_) | Self::Outcome(_) => "play the cell",
            Self::Fork(..) => "play on from the cell",
            Self::Keep(_) => "keep the arena",
        }
    }
}

/// What comes back.
#[derive(Clone, Debug)]
pub enum ArenaReply {
    /// The benchmark, played.
    Published(Arc<Study>),
    /// The scenarios of a file, played again.
    Typed(Arc<Replayed>),
    /// What every edit moved, among so many scenarios.
    Audit(Arc<Vec<Moved>>, usize),
    /// A household arena as far as it has come.
    House(Arc<Record>),
    /// What came of a cell that was played again, and its run.
    Cell(Box<Outcome>, Arc<LoadedRun>),
    /// An arena is kept; its id.
    Kept(String),
    /// The plans of a file that are not those of the benchmark.
    Plans(Arc<Plans>),
}
