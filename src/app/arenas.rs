//! Arenas as screens have them: what is asked of the workers, and what comes back.

use std::sync::Arc;

use crate::arena::advplan::audit::Moved;
use crate::arena::advplan::study::Study;

/// What is asked about arenas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArenaJob {
    /// Play the published benchmark with so many base seeds, and the scenario of this id beside it where it is none of
    /// them.
    Published(usize, Option<String>),
    /// Change every field of the scenarios of so many base seeds, and see what moves.
    Audit(usize),
}

impl ArenaJob {
    /// What it does, for messages: `could not … `.
    pub const fn title(&self) -> &'static str {
        match self {
            Self::Published(..) => "play the benchmark",
            Self::Audit(_) => "audit the benchmark",
        }
    }
}

/// What comes back.
#[derive(Clone, Debug)]
pub enum ArenaReply {
    /// The benchmark, played.
    Published(Arc<Study>),
    /// What every edit moved, among so many scenarios.
    Audit(Arc<Vec<Moved>>, usize),
}
