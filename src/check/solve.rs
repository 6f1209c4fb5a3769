//! Questions to the planner: is there a plan for these goals in this task's world?

use crate::plan::fact::Fact;
use crate::plan::goal::{Ask, Goal, GoalSet};
use crate::safety::rule::Grade;
use crate::search::answer::{Answer, Proof, Strength};
use crate::search::control::{Control, EVERY, Limits};
use crate::search::engine::{Engine, Problem};
use crate::search::rules::{Demand, Rules};
use crate::search::watch::Watcher;
use crate::sim::world::Action;

use super::{Case, Effort};

/// What the planner says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solved {
    /// There is a plan.
    Plan(Vec<Action>),
    /// There is none; how strong that is, in words.
    None(String),
    /// Neither was found within the effort allowed; what was spent, in words.
    Open(String),
}

/// Asks for a plan that reaches these goals from the start of the task, whatever rules it breaks.
pub fn solve(case: &Case<'_>, goals: Vec<Goal>, effort: Effort) -> Solved {
    // What only rules keep is known only where they watch.
    let tracked = goals.iter().any(Goal::is_tracked);
    let rules = tracked.then(|| Rules::new(case.lookout.clone(), Demand::Nothing));
    search(case, goals, effort, rules)
}

/// Asks for a plan that reaches all goals of the task and breaks no rule that is on by default.
pub fn solve_safely(case: &Case<'_>) -> Solved {
    let rules = Rules::new(case.lookout.clone(), Demand::Kept(Grade::Advisory));
    let goals = case.goals().goals.clone();
    search(case, goals, case.effort, Some(rules))
}

/// Steps that lead on from the end of the reference plan to all goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// The steps.
    pub steps: Vec<Action>,
    /// Whether no fewer would do, over the things that the missed goals lead to.
    pub fewest: bool,
}

/// How many steps a mend may have that is looked for breadth-first.
const FEW: usize = 4;

/// How many steps that may try.
const FEW_STEPS: u64 = 60_000;

/// The shortest known way on from the end of the reference plan to all goals; none where a plan that never ran, or goals
/// of another kind than facts, leave nothing to go on from.
pub fn mend(case: &Case<'_>) -> Option<Mend> {
    let goals = case.goals().goals.clone();
    let plain = goals
        .iter()
        .all(|g| !matches!(g.ask, Ask::Done(_) | Ask::Never(_)));
    if !(plain && case.reference.runs()) {
        return None;
    }
    let of = |goals: Vec<Goal>| GoalSet {
        success: goals.len(),
        goals,
    };
    let missed = case.reference.missed();
    let missed = of(missed.filter_map(|i| goals.get(i).cloned()).collect());
    let problem = Problem {
        world: case.world_after(&case.reference).clone(),
        goals: of(goals),
    };
    let mut tell = |_| !(case.stop)();
    let mut control = Control {
        every: EVERY,
        tell: &mut tell,
    };
    let few = Engine::new(problem.clone(), Limits::default())?.shortest(
        &missed,
        (FEW, FEW_STEPS),
        &mut control,
    );
    if let Some(steps) = few {
        return Some(Mend {
            steps,
            fewest: true,
        });
    }
    match ask(case, problem, case.effort, None) {
        Solved::Plan(steps) => Some(Mend {
            steps,
            fewest: false,
        }),
        _ => None,
    }
}

fn search(case: &Case<'_>, goals: Vec<Goal>, effort: Effort, rules: Option<Rules>) -> Solved {
    let problem = Problem {
        world: case.start.clone(),
        goals: GoalSet {
            success: goals.len(),
            goals,
        },
    };
    ask(case, problem, effort, rules)
}

fn ask(case: &Case<'_>, problem: Problem, effort: Effort, mut rules: Option<Rules>) -> Solved {
    let limits = Limits {
        nodes: usize::try_from(effort.states).unwrap_or(usize::MAX),
        steps: effort.states,
        ..Limits::default()
    };
    let Some(mut engine) = Engine::new(problem, limits) else {
        return Solved::Open("there is no planner for this world".to_owned());
    };
    let mut tell = |_| !(case.stop)();
    let mut control = Control {
        every: EVERY,
        tell: &mut tell,
    };
    let watcher = rules.as_mut().map(|r| r as &mut dyn Watcher);
    match engine.run_with(watcher, &mut control).answer {
        Answer::Plan(plan) => Solved::Plan(plan.actions),
        // Goals that exclude each other are found without a planner, and told as such.
        Answer::None(proof) if proof.strength == Strength::Contradictory => {
            Solved::Open("two goals exclude each other".to_owned())
        }
        Answer::None(proof) if is_believed(case, &proof) => Solved::None(strength(&proof)),
        Answer::None(_) => {
            Solved::Open("the planner knows no way, which proves nothing here".to_owned())
        }
        Answer::Spent | Answer::Cancelled => Solved::Open(format!(
            "not proven within {} states",
            grouped(effort.states)
        )),
    }
}

/// Whether "none" may be believed. A proof over some things of the scene says nothing about the others; and where the
/// planner cannot even imagine the goals that the reference plan reaches, its picture of the world has a hole.
fn is_believed(case: &Case<'_>, proof: &Proof) -> bool {
    if proof.strength != Strength::Relaxed {
        return proof.whole;
    }
    let reaches = !case.is_refusal() && case.reference.missed().next().is_none();
    let own = Problem {
        world: case.start.clone(),
        goals: case.goals().clone(),
    };
    let imagines = || Engine::new(own, Limits::default()).is_some_and(|e| e.estimate().is_some());
    !reaches || imagines()
}

fn strength(proof: &Proof) -> String {
    match proof.strength {
        Strength::Contradictory => "two goals can never hold together".to_owned(),
        Strength::Relaxed => "out of reach even if no action undid anything".to_owned(),
        Strength::Exhausted => {
            let states: u64 = proof.layers.iter().sum();
            let over = if proof.whole {
                String::new()
            } else {
                format!(" over the {} things that matter", proof.objects.len())
            };
            format!("all {} states{over} were looked at", grouped(states))
        }
    }
}

/// `200 000`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Goals any of which, where it holds at the end, breaks this one. None for an action: what was done stays done.
pub fn denials(goal: &Goal) -> Vec<Goal> {
    let not = |fact: &Fact| Fact {
        negated: !fact.negated,
        body: fact.body.clone(),
    };
    let asks: Vec<Ask> = match &goal.ask {
        Ask::Fact(fact) => vec![Ask::Fact(not(fact))],
        Ask::All(facts) => facts.iter().map(|fact| Ask::Fact(not(fact))).collect(),
        Ask::Never(facts) => vec![Ask::All(facts.clone())],
        Ask::Formula(bound) => bound
            .conjunction()
            .into_iter()
            .flatten()
            .map(|fact| Ask::Fact(not(fact)))
            .collect(),
        Ask::Done(_) => Vec::new(),
    };
    let text = &goal.text;
    asks.into_iter()
        .map(|ask| Goal {
            text: format!("not {text}"),
            ask,
        })
        .collect()
}
