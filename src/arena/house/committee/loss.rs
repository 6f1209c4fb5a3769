//! Where a plan lost its objective: the step, and the rule broken or the goal not met.

use crate::arena::house::ground::{Bound, Ground};
use crate::arena::house::lost::{Cause, cause, is_left};
use crate::arena::house::model::Outcome;
use crate::plan::branching::Program;
use crate::plan::goal::Seen;

/// Where a plan lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The step, by executed steps from 1; one more than the last where something was left undone.
    pub step: u32,
    /// The rule broken there, by id, or the goal not met, as it is written.
    pub broken: String,
    /// What happened, in words.
    pub words: String,
}

/// Where an outcome lost, if it is not good: its first cause ([`cause`]), and which goal is not met where that is it.
pub fn loss(
    ground: &mut Ground,
    (program, bound): (&Program, &Bound),
    outcome: &Outcome,
) -> Option<Loss> {
    let cause = cause(outcome)?;
    let end = outcome.steps + 1;
    let mut found = Loss {
        step: cause.step().unwrap_or(end),
        broken: String::new(),
        words: cause.words(),
    };
    match cause {
        Cause::Rule(it) => {
            found.broken.clone_from(&it.rule);
            if is_left(it, outcome) {
                found.words = format!("{} is left broken at the end: {}", it.rule, it.words);
            }
        }
        Cause::Broke(_) | Cause::Refused(_) => {}
        Cause::GaveUp(..) => {
            let goal = unmet(ground, program, bound, outcome.steps);
            found.broken = goal.unwrap_or_default();
        }
        Cause::Safety(_) | Cause::Goal(_) => {
            let goal = unmet(ground, program, bound, outcome.steps)?;
            found.words = format!("{goal} does not hold at the end");
            found.broken = goal;
        }
    }
    Some(found)
}

/// The first goal that does not hold after so many executed steps, success goals first.
fn unmet(ground: &mut Ground, program: &Program, bound: &Bound, steps: u32) -> Option<String> {
    let goals = ground.goals().clone();
    let held = ground.at(program, bound, steps, |at| {
        let seen = Seen {
            graph: at.world.graph(),
            shadow: at.lookout.monitor(),
        };
        let held: Vec<bool> = goals
            .eval(seen, at.progress, |i| {
                at.kept.get(i).copied().unwrap_or(true)
            })
            .collect();
        held
    })?;
    let first = held.iter().position(|holds| !holds)?;
    goals.goals.get(first).map(|g| g.text.clone())
}
