//! The verdicts on goals of a BEHAVIOR recording, as far as they can be told: those of EAI, of bddl's own rules, and on
//! safety.

use serde_json::{Value, json};

use crate::base::diag::Diagnostic;
use crate::formats::b50::graph;
use crate::formats::b50::record::Record;
use crate::formats::b50::task;
use crate::plan::bddl::{Bound, Scope, parse};
use crate::sim::behavior::plain;
use crate::sim::graph::Graph;

/// The error kind that lets a plan go on.
pub(super) const TOO_MANY: &str = "ADDITIONAL_STEP";

/// The verdict on a state in which the published code looks up a chain of things for ever.
const HUNG: &str = "HANG: cycle in relation tree (original loops for ever)";

/// The goals of a task.
pub(super) struct Goals {
    success: Vec<Bound>,
    /// None where the task file is not at hand.
    safety: Option<Vec<Bound>>,
}

impl Goals {
    /// The goals of a graph, and of the task if it is known.
    pub(super) fn new(file: &graph::Graph, record: Option<&Record>) -> Result<Self, Diagnostic> {
        let scope = Scope::new(&file.scene);
        let bind = |texts: Vec<String>| -> Result<Vec<Bound>, Diagnostic> {
            let bound = texts.iter().map(|t| Bound::new(&scope, parse(t)?));
            bound.collect()
        };
        Ok(Self {
            success: bind(task::success(file)?)?,
            safety: record.map(|r| bind(task::safety(r))).transpose()?,
        })
    }

    /// The verdict on a state as a recording writes it.
    pub(super) fn judge(&self, g: &Graph, hung: bool) -> Value {
        if hung {
            return json!({"error": HUNG});
        }
        let verdicts: Vec<_> = self.success.iter().map(|b| b.verdicts(g)).collect();
        let published: Vec<bool> = verdicts.iter().map(|v| v.published == Some(true)).collect();
        let logic: Vec<bool> = verdicts.iter().map(|v| v.logic).collect();
        let mut told = json!({
            "success": published.iter().all(|&p| p),
            "goal_flags": published,
            "logic_flags": logic,
        });
        if let Some(safety) = &self.safety {
            let flags: Vec<bool> = safety.iter().map(|b| b.holds(g)).collect();
            told["safety"] = json!(flags.iter().all(|&f| f));
            told["safety_flags"] = json!(flags);
        }
        if !g.edges().iter().any(|&(_, rel, _)| plain::LABELS.has(rel)) {
            told["dummy_edge"] = json!(true);
        }
        told
    }

    /// A recorded verdict without what cannot be told.
    pub(super) fn known(&self, theirs: &Value) -> Value {
        let mut known = theirs.clone();
        if self.safety.is_none()
            && let Some(fields) = known.as_object_mut()
        {
            fields.shift_remove("safety");
            fields.shift_remove("safety_flags");
        }
        known
    }
}
