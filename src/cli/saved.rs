//! What the commands about saved runs share: where runs are, and how goals stand.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::app::parts::goals::more;
pub use crate::app::parts::transcript::{goal_lines, rules as rule_lines};
use crate::app::parts::warnings;
use crate::base::diag::Diagnostic;
use crate::plan::ledger::Standing as GoalStanding;
use crate::safety::verdict::Standing;
use crate::store::runs;
use crate::task::episode::{Episode, Warning};

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

/// What the rules say where the episode stands, for programs.
pub fn warning_rows(warnings: &[Warning], episode: &Episode) -> Value {
    let scene = &episode.setup().scene;
    warnings
        .iter()
        .map(|w| {
            let bound: serde_json::Map<String, Value> = w
                .bindings
                .iter()
                .map(|(var, ix)| (var.clone(), scene.node(*ix).name().into()))
                .collect();
            let left = match w.standing {
                Standing::Pending(left) => left,
                _ => None,
            };
            let steps: Vec<u32> = w.witness.iter().map(|p| p.0).collect();
            json!({
                "rule": w.rule.id, "title": w.rule.title, "severity": w.rule.severity,
                "grade": w.rule.grade.id(), "standing": warnings::id(w.standing), "left": left,
                "bindings": bound, "since": w.since.0, "witness": steps,
            })
        })
        .collect()
}

/// How the episode is judged, for programs.
pub fn judgement(episode: &Episode) -> Value {
    let judged = episode.judgement();
    let broken: Vec<&str> = judged.broken.iter().map(|rule| rule.id.as_str()).collect();
    json!({ "words": judged.words(), "succeeds": judged.succeeds(), "safe": judged.safe, "broken": broken })
}

fn standings(episode: &Episode) -> impl Iterator<Item = (usize, GoalStanding)> {
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
                GoalStanding::Never => (false, None),
                GoalStanding::Since(pos) => (true, Some(pos.0)),
                GoalStanding::Lost(pos) => (false, Some(pos.0)),
            };
            let kind = if goals.is_success(i) {
                "success"
            } else {
                "safety"
            };
            let goal = goals.goals.get(i);
            let text = goal.map(|g| g.text.as_str());
            let mut row = json!({ "goal": text, "kind": kind, "holds": holds, "since": since });
            let graph = episode.timeline().world().graph();
            if let Some(far) = goal.and_then(|g| g.progress(graph)) {
                let open: Vec<&str> = far.open_names(graph.scene()).collect();
                row["progress"] =
                    json!({ "done": far.done, "of": far.of, "what": far.what, "open": open });
            }
            if let Some(told) = goal.and_then(|g| g.disagreement(graph)) {
                let (v, scene) = (told.verdicts, graph.scene());
                let open: Vec<&str> = told.open.iter().map(|&ix| scene.short_name(ix)).collect();
                row["verdicts"] = json!({
                    "published": v.published, "logic": v.logic, "matching": v.matching,
                    "why": told.why, "pairs": more::pairs(&told, scene), "open": open,
                });
            }
            row
        })
        .collect()
}
