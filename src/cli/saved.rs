//! What the commands about saved runs share: where runs are, and how goals stand.

use std::path::PathBuf;

use serde_json::{Value, json};

pub use crate::app::parts::transcript::goal_lines;
use crate::base::diag::Diagnostic;
use crate::plan::ledger::Standing;
use crate::store::runs;
use crate::task::episode::Episode;

/// The flag that names the folder of runs.
#[derive(Debug, Default, Clone, clap::Args)]
pub struct Place {
    /// The folder of saved runs, else the one beside the tasks, else the user's data folder
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
}

impl Place {
    /// The folder that was named, if one was.
    pub fn named(&self) -> Option<PathBuf> {
        self.runs.clone()
    }

    /// The folder meant.
    ///
    /// # Errors
    /// None is named and there is no usual one.
    pub fn root(&self) -> Result<PathBuf, Diagnostic> {
        self.runs.clone().map_or_else(runs::usual_root, Ok)
    }
}

fn standings(episode: &Episode) -> impl Iterator<Item = (usize, Standing)> {
    let ledger = episode.ledger();
    (0..ledger.goals().goals.len())
        .map(move |i| (i, ledger.standing(i, episode.here(), episode.timeline())))
}

/// How each goal stands where the episode stands, for programs.
pub fn goal_rows(episode: &Episode) -> Value {
    let goals = episode.ledger().goals();
    standings(episode)
        .map(|(i, standing)| {
            let (holds, since) = match standing {
                Standing::Never => (false, None),
                Standing::Since(pos) => (true, Some(pos.0)),
                Standing::Lost(pos) => (false, Some(pos.0)),
            };
            let kind = if goals.is_success(i) {
                "success"
            } else {
                "safety"
            };
            let text = goals.goals.get(i).map(|g| g.text.as_str());
            json!({ "goal": text, "kind": kind, "holds": holds, "since": since })
        })
        .collect()
}
