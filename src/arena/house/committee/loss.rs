//! Where a plan lost its objective: the step, and the rule broken or the goal not met.

use crate::arena::house::ground::{Bound, Ground};
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

/// Where an outcome lost, if it is not good: a broken rule first, then a refused step, then a goal that does not hold at
/// the end.
pub fn loss(
    ground: &mut Ground,
    (program, bound): (&Program, &Bound),
    outcome: &Outcome,
) -> Option<Loss> {
    if let Some(it) = outcome.broken.iter().min_by_key(|b| b.step) {
        let what = if it.step > outcome.steps {
            "is left broken at the end"
        } else {
            "is broken"
        };
        return Some(Loss {
            step: it.step,
            broken: it.rule.clone(),
            words: format!("{} {what}: {}", it.rule, it.words),
        });
    }
    if outcome.is_good() {
        return None;
    }
    if let Some(it) = &outcome.refused {
        return Some(Loss {
            step: it.step,
            broken: String::new(),
            words: format!("{} is refused: {}", it.action, it.reason),
        });
    }
    let goal = unmet(ground, program, bound, outcome.steps);
    let step = outcome.steps + 1;
    if let Some(reason) = &outcome.avoided {
        return Some(Loss {
            step,
            broken: goal.unwrap_or_default(),
            words: format!("the plan gives up: {reason}"),
        });
    }
    let goal = goal?;
    Some(Loss {
        step,
        words: format!("{goal} does not hold at the end"),
        broken: goal,
    })
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
