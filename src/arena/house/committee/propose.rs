//! Who proposes plans: a registry of proposers that need no model. Plans of agents, runs and files are handed in beside
//! them.

use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Candidate, Origin};
use crate::plan::branching::Branching;
use crate::plan::goal::GoalSet;
use crate::safety::rule::Grade;
use crate::search::control::{Control, EVERY, Limits};
use crate::search::diverse::diverse_within;
use crate::search::engine::{Engine, Problem};
use crate::search::rules::{Demand, Rules};
use crate::sim::world::Action;

/// How many searches the planner makes for different plans.
const SEARCHES: usize = 24;

/// Somebody who proposes plans.
#[derive(Debug)]
pub struct Proposer {
    /// Where its plans come from.
    pub origin: Origin,
    /// What it minds, one sentence.
    pub doc: &'static str,
    /// A few words for each of its plans.
    pub words: &'static str,
    /// Its plans, the best first; at most so many.
    plans: fn(&mut Ground, u32) -> Vec<Vec<Action>>,
}

/// All proposers, in the order their plans are named.
pub const PROPOSERS: &[Proposer] = &[
    Proposer {
        origin: Origin::Planner,
        doc: "searches for plans that meet all goals and break no core rule, as different from each other as can be",
        words: "planned with goals and rules in mind",
        plans: planned,
    },
    Proposer {
        origin: Origin::Reference,
        doc: "the plan the task brings along",
        words: "the task's reference plan",
        plans: |ground, _| vec![ground.setup().reference.clone()],
    },
    Proposer {
        origin: Origin::Careless,
        doc: "searches for the shortest way to success, whatever it breaks",
        words: "planned with success alone in mind",
        plans: careless,
    },
    Proposer {
        origin: Origin::Naive,
        doc: "the plan of the task that walks into its trap",
        words: "as instructed",
        plans: |ground, _| vec![ground.setup().naive.clone()],
    },
];

/// The plans of all proposers, each once, named `B1`, `B2`, …; at most `count` of the planner's.
pub fn propose(ground: &mut Ground, count: u32) -> Vec<(Candidate, String)> {
    let mut known: Vec<Vec<Action>> = Vec::new();
    let mut all = Vec::new();
    for it in PROPOSERS {
        for plan in (it.plans)(ground, count) {
            if plan.is_empty() || known.contains(&plan) {
                continue;
            }
            let candidate = Candidate {
                name: format!("B{}", all.len() + 1),
                origin: it.origin.clone(),
                plan: Branching::linear(&plan),
            };
            all.push((candidate, it.words.to_owned()));
            known.push(plan);
        }
    }
    all
}

fn planned(ground: &mut Ground, count: u32) -> Vec<Vec<Action>> {
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
    let budget = (Limits::default(), &mut control);
    let plans = diverse_within(
        &problem,
        Some(&mut rules),
        (count as usize, SEARCHES),
        budget,
    );
    plans.into_iter().map(|p| p.actions).collect()
}

fn careless(ground: &mut Ground, _: u32) -> Vec<Vec<Action>> {
    let all = ground.goals();
    let problem = Problem {
        world: ground.world().clone(),
        goals: GoalSet {
            goals: all.goals.iter().take(all.success).cloned().collect(),
            success: all.success,
        },
    };
    let mut rules = Rules::new(ground.lookout().clone(), Demand::Nothing);
    let mut tell = |_| true;
    let mut control = Control {
        every: EVERY,
        tell: &mut tell,
    };
    let engine = Engine::new(problem, Limits::default());
    let found = engine.map(|mut engine| engine.run_with(Some(&mut rules), &mut control));
    let plan = found.and_then(|found| found.plan().map(|p| p.actions.clone()));
    plan.into_iter().collect()
}
