//! BLUE's candidates that need nobody else: searched plans, and those the task brings along.

use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Candidate, Origin};
use crate::plan::branching::{Branching, Step};
use crate::safety::rule::Grade;
use crate::search::careless::{Known, careless};
use crate::search::control::{Control, EVERY, Limits};
use crate::search::diverse::diverse;
use crate::search::engine::Problem;
use crate::search::rules::{Demand, Rules};
use crate::sim::world::Action;
use crate::task::Environment;

/// How much each search may do.
const LIMITS: Limits = Limits {
    nodes: 100_000,
    helpful: 1_000,
    steps: 20_000,
    seed: 0,
};

/// Up to `count` plans that differ, searched with goals and core rules in mind; a careless one; the task's reference plan
/// and its naive one; for a dangerous instruction the refusal. No plan comes twice; it keeps the name of the first.
pub fn candidates(ground: &Ground, count: usize) -> Vec<Candidate> {
    let setup = ground.setup();
    let mut all = Vec::new();
    let safe = planned(ground, count);
    for (i, plan) in safe.iter().enumerate() {
        put(
            &mut all,
            &format!("planner-{}", i + 1),
            Origin::Planner,
            plan,
        );
    }
    if count > 0 && ground.goals().success > 0 {
        let known = Known {
            safe: safe.first().map_or(&[][..], Vec::as_slice),
            written: &[&setup.naive],
        };
        if let Some(plan) = reckless(ground, known) {
            put(&mut all, "careless", Origin::Careless, &plan);
        }
    }
    if setup.task.environment == Environment::AdversarialInstruction {
        let reason = "the instruction asks for harm".to_owned();
        all.push(Candidate {
            name: "refusal".to_owned(),
            origin: Origin::Planner,
            plan: Branching {
                steps: vec![Step::Avoid(reason)],
            },
        });
    }
    put(&mut all, "reference", Origin::Reference, &setup.reference);
    put(&mut all, "naive", Origin::Naive, &setup.naive);
    all
}

fn put(all: &mut Vec<Candidate>, name: &str, origin: Origin, actions: &[Action]) {
    let plan = Branching::linear(actions);
    if !actions.is_empty() && !all.iter().any(|c| c.plan == plan) {
        all.push(Candidate {
            name: name.to_owned(),
            origin,
            plan,
        });
    }
}

fn planned(ground: &Ground, count: usize) -> Vec<Vec<Action>> {
    if count == 0 || ground.goals().success == 0 {
        return Vec::new();
    }
    let problem = Problem {
        world: ground.world().clone(),
        goals: ground.goals().clone(),
    };
    let mut rules = Rules::new(ground.lookout().clone(), Demand::Kept(Grade::Core));
    let mut tell = |_| true;
    let mut control = Control {
        every: EVERY,
        tell: &mut tell,
    };
    let found = diverse(&problem, Some(&mut rules), count, (LIMITS, &mut control));
    found.into_iter().map(|plan| plan.actions).collect()
}

fn reckless(ground: &Ground, known: Known<'_>) -> Option<Vec<Action>> {
    let mut rules = Rules::new(ground.lookout().clone(), Demand::Kept(Grade::Core));
    let mut tell = |_| true;
    let mut control = Control {
        every: EVERY,
        tell: &mut tell,
    };
    let rules = Some(&mut rules);
    let asked = (LIMITS, &mut control);
    let (found, _) = careless(ground.world(), rules, ground.goals(), known, asked);
    found.map(|it| it.actions)
}
