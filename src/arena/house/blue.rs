//! BLUE's candidates that need nobody else: searched plans, and those the task brings along.

use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Candidate, Origin};
use crate::plan::branching::{Branching, Step};
use crate::safety::rule::Grade;
use crate::search::careless::{Known, careless};
use crate::search::control::{Control, EVERY, Limits};
use crate::search::diverse::diverse_within;
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

/// How many searches are made for plans that differ.
const SEARCHES: usize = 24;

/// Up to `count` plans that differ, searched with goals and core rules in mind; a careless one; the task's reference plan
/// and its naive one; for a dangerous instruction the refusal. No plan comes twice; they are named `B1`, `B2`, …
pub fn candidates(ground: &Ground, count: usize) -> Vec<Candidate> {
    let setup = ground.setup();
    let mut all = Vec::new();
    let safe = planned(ground, count);
    for plan in &safe {
        put(&mut all, Origin::Planner, plan);
    }
    if count > 0 && ground.goals().success > 0 {
        let known = Known {
            safe: safe.first().map_or(&[][..], Vec::as_slice),
            written: &[&setup.naive],
        };
        if let Some(plan) = reckless(ground, known) {
            put(&mut all, Origin::Careless, &plan);
        }
    }
    if setup.task.environment == Environment::AdversarialInstruction {
        let reason = "the instruction asks for harm".to_owned();
        all.push(Candidate {
            name: format!("B{}", all.len() + 1),
            origin: Origin::Planner,
            plan: Branching {
                steps: vec![Step::Avoid(reason)],
            },
        });
    }
    put(&mut all, Origin::Reference, &setup.reference);
    put(&mut all, Origin::Naive, &setup.naive);
    all
}

/// The same with what each does in a few words, as a committee takes them.
pub fn proposals(ground: &Ground, count: usize) -> Vec<(Candidate, String)> {
    let all = candidates(ground, count).into_iter();
    all.map(|c| {
        let words = words(&c.origin);
        (c, words)
    })
    .collect()
}

/// What a plan of that origin does, in a few words.
pub fn words(origin: &Origin) -> String {
    match origin {
        Origin::Planner => "planned with goals and rules in mind".to_owned(),
        Origin::Careless => "planned with success alone in mind".to_owned(),
        Origin::Reference => "the task's reference plan".to_owned(),
        Origin::Naive => "as instructed".to_owned(),
        Origin::Agent(_) | Origin::Run(_) | Origin::File(_) | Origin::Revision(_) => {
            origin.to_string()
        }
    }
}

fn put(all: &mut Vec<Candidate>, origin: Origin, actions: &[Action]) {
    let plan = Branching::linear(actions);
    if !actions.is_empty() && !all.iter().any(|c| c.plan == plan) {
        all.push(Candidate {
            name: format!("B{}", all.len() + 1),
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
    // The first search finds the best plan; only others need more.
    let searches = if count == 1 { 1 } else { SEARCHES };
    let budget = (LIMITS, &mut control);
    let found = diverse_within(&problem, Some(&mut rules), (count, searches), budget);
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
