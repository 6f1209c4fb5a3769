//! Arenas as screens have them: what is asked of the workers, what comes back, and the household arena read off its
//! record: [`house`] the candidates and what beats them, [`axes`] the frontier.

use std::path::PathBuf;
use std::sync::Arc;

use crate::arena::advplan::audit::Moved;
use crate::arena::advplan::file::again::Replayed;
use crate::arena::advplan::study::Study;
use crate::arena::house::model::Response;
use crate::arena::house::record::{Record, Settings};

pub mod axes;
pub mod house;

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
    /// Play a cell as a run that is kept nowhere.
    Cell(Box<CellAsked>),
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
            Self::Cell(_) => "play the cell",
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
}
