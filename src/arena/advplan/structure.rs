//! Diagnostics of a plan's structure (§4): path optionality O, vertex parsimony `P_V`, worldline completion W. They look
//! at shapes and words; nothing is executed.

use std::sync::Arc;

use crate::arena::advplan::model::{Action, Plan};
use crate::arena::advplan::rubric::holds;

/// The three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Structure {
    /// O: branches per step, at most 1.
    pub path_optionality: f64,
    /// `P_V`: different actions per action named anywhere. A chain that repeats the flat actions halves it.
    pub vertex_parsimony: f64,
    /// W: assets that have both a beginning and an end among the flat actions, by their words.
    pub worldline_completion: f64,
}

const STARTS: [&str; 10] = [
    "transit",
    "establish",
    "deploy",
    "advance",
    "position",
    "marshal",
    "prepare",
    "assess",
    "scan",
    "recon",
];

const ENDS: [&str; 11] = [
    "rtb",
    "return",
    "withdraw",
    "recover",
    "continue",
    "hold",
    "evade",
    "relocate",
    "handoff",
    "support",
    "mitigation",
];

impl Structure {
    /// Measures a plan.
    pub fn of(plan: &Plan) -> Self {
        Self {
            path_optionality: optionality(plan),
            vertex_parsimony: parsimony(plan),
            worldline_completion: completion(plan),
        }
    }
}

fn optionality(plan: &Plan) -> f64 {
    let branches = plan.chain.iter().filter(|s| s.branch.is_some()).count();
    share(branches, plan.chain.len()).min(1.0)
}

fn parsimony(plan: &Plan) -> f64 {
    let mut all: Vec<_> = plan
        .every_action()
        .map(|a| (&*a.asset_id, &*a.action_type, a.category))
        .collect();
    let n = all.len();
    all.sort_unstable();
    all.dedup();
    share(all.len(), n)
}

fn completion(plan: &Plan) -> f64 {
    // Sorted once: plans of files may have thousands of assets.
    let mark = |a: &Arc<Action>| (holds(&a.action_type, &STARTS), holds(&a.action_type, &ENDS));
    let all = plan.actions.iter().map(|a| (&*a.asset_id, mark(a)));
    let mut all: Vec<(&str, (bool, bool))> = all.collect();
    all.sort_unstable();
    let (mut assets, mut complete) = (0, 0);
    for own in all.chunk_by(|a, b| a.0 == b.0) {
        assets += 1;
        if own.iter().any(|(_, m)| m.0) && own.iter().any(|(_, m)| m.1) {
            complete += 1;
        }
    }
    share(complete, assets)
}

/// `n / of`; of nothing, 0.
fn share(n: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { n as f64 / of as f64 }
}
