//! The lines of a VirtualHome recording.

use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use serde::Deserialize;

/// A recorded program: the lines, what each did, and the state at the end.
#[derive(Debug, Deserialize)]
pub(super) struct Program {
    pub(super) id: String,
    pub(super) graph: String,
    pub(super) init_hash: Option<String>,
    pub(super) steps: Vec<Step>,
    pub(super) final_hash: String,
}

/// A recorded line.
#[derive(Debug, Deserialize)]
pub(super) struct Step {
    pub(super) a: String,
    pub(super) ok: u8,
    pub(super) code: Option<u8>,
    pub(super) code_t: Option<u8>,
    #[serde(default)]
    pub(super) msg: Vec<String>,
    pub(super) parse: Option<String>,
    pub(super) exc: Option<String>,
    #[serde(default)]
    pub(super) n: Vec<(i64, Vec<String>, Vec<String>)>,
    #[serde(rename = "e+", default)]
    pub(super) added: Vec<(i64, String, i64)>,
    #[serde(rename = "e-", default)]
    pub(super) removed: Vec<(i64, String, i64)>,
}

/// The recorded goals of one task and how many the reference program meets.
#[derive(Debug, Deserialize)]
pub(super) struct Goals {
    pub(super) id: String,
    #[serde(rename = "node_goals")]
    pub(super) nodes: Vec<NodeGoal>,
    #[serde(rename = "edge_goals")]
    pub(super) edges: Vec<EdgeGoal>,
    #[serde(rename = "action_goals")]
    pub(super) actions: Vec<String>,
    pub(super) eai: Counts,
    pub(super) fair: Fair,
}

#[derive(Debug, Deserialize)]
pub(super) struct NodeGoal {
    pub(super) id: i64,
    pub(super) state: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct EdgeGoal {
    pub(super) from_id: i64,
    pub(super) relation_type: String,
    pub(super) to_id: i64,
}

/// Goals as the published evaluator counts them: at most one edge goal.
#[derive(Debug, Deserialize)]
pub(super) struct Counts {
    pub(super) node: usize,
    pub(super) edge: usize,
    pub(super) action: usize,
}

/// Goals counted plainly.
#[derive(Debug, Deserialize)]
pub(super) struct Fair {
    pub(super) node: usize,
    pub(super) edge: usize,
}

/// The recorded score of an altered program.
#[derive(Debug, Deserialize)]
pub(super) struct MutantScore {
    pub(super) id: String,
    pub(super) stop: Option<usize>,
    pub(super) additional: usize,
}

/// Every line of a gzip'ed JSON-lines file with its one-based number.
pub(super) fn lines<T: for<'d> Deserialize<'d>>(
    path: &Path,
    mut each: impl FnMut(usize, T) -> Result<()>,
) -> Result<()> {
    let file = fs_err::File::open(path)?;
    for (i, line) in BufReader::new(GzDecoder::new(BufReader::new(file)))
        .lines()
        .enumerate()
    {
        let place = || format!("{} line {}", path.display(), i + 1);
        let line = line.with_context(place)?;
        let value = serde_json::from_str(&line).with_context(place)?;
        each(i + 1, value)?;
    }
    Ok(())
}
