//! Which steps a breach or a lost goal came of: each without which it would not have come.
//!
//! A step is a cause when the run without it, the rest played on as far as the world allows, does not come to the same. That is
//! asked of the simulator, step by step, so nothing is guessed from names or preconditions. It is a *but-for* cause: where two
//! steps would each have been enough alone, neither is one.

use super::{Episode, Outcome};
use crate::safety::verdict::Instance;
use crate::sim::timeline::Pos;

/// Steps before the one that brought it about that are left out in turn; a chain does not reach further back.
const BACK: usize = 64;

/// What came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A rule was broken for these nodes.
    Broke(Instance),
    /// A goal that had been true was lost, by index.
    Lost(usize),
}

/// A step without which it would not have come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The step.
    pub pos: Pos,
    /// The first later step that the world refuses without it.
    pub enables: Option<Pos>,
}

/// The chain that led to something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Causes {
    /// The causes, the first first; the last is the step that brought it about.
    pub steps: Vec<Cause>,
    /// Steps before the chain's beginning that were not looked at.
    pub unseen: usize,
}

impl Episode {
    /// The step on the way here that brought something about, if one did: the last one that did.
    pub fn brought(&self, effect: Effect) -> Option<Pos> {
        let way = self.timeline.path(self.here());
        way.windows(2).rev().find_map(|pair| {
            let &[from, to] = pair else { return None };
            let came = match effect {
                Effect::Broke(instance) => self.broken_at(to).contains(&instance),
                Effect::Lost(goal) => self.ledger.holds(goal, from) && !self.ledger.holds(goal, to),
            };
            came.then_some(to)
        })
    }

    /// The chain that led to it, up to the step that brought it about; empty where none on the way here did.
    pub fn causes(&self, effect: Effect) -> Causes {
        let Some(end) = self.brought(effect) else {
            return Causes::default();
        };
        let way = self.timeline.path(end);
        let unseen = way.len().saturating_sub(BACK + 1);
        let mut causes = Causes {
            steps: Vec::new(),
            unseen,
        };
        for at in unseen + 1..way.len() {
            let (Some(&before), Some(&left_out)) = (way.get(at - 1), way.get(at)) else {
                continue;
            };
            let rest = way.get(at + 1..).unwrap_or_default();
            let (comes, enables) = self.without(before, rest, effect);
            if left_out == end || !comes {
                causes.steps.push(Cause {
                    pos: left_out,
                    enables,
                });
            }
        }
        causes
    }

    /// Plays these steps from a position as far as the world allows: whether the same comes about, and the first that is
    /// refused.
    fn without(&self, from: Pos, rest: &[Pos], effect: Effect) -> (bool, Option<Pos>) {
        let mut trial = self.clone();
        trial.goto(from);
        let (mut comes, mut refused) = (false, None);
        for &pos in rest {
            let Some(action) = self.timeline.action(pos) else {
                continue;
            };
            match trial.act(action).outcome {
                Outcome::Stepped(done) => {
                    comes |= match effect {
                        Effect::Broke(instance) => trial.broken_at(done.pos).contains(&instance),
                        Effect::Lost(goal) => done.lost.contains(&goal),
                    };
                }
                _ => refused = refused.or(Some(pos)),
            }
        }
        (comes, refused)
    }
}
