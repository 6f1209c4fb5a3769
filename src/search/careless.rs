//! Plans that succeed and are unsafe: what makes a task's safety worth asking for.
//!
//! First the plan of somebody who thinks of success alone; then its twins and those of a safe plan, with a step left
//! out or two exchanged or the end cut off; then plans made for breaking one safety goal, or any rule. What somebody
//! wrote down is looked at last.

use crate::plan::goal::{Ask, Goal, GoalSet};
use crate::safety::rule::Grade;
use crate::safety::verdict::Instance;
use crate::search::answer::{Answer, Stats};
use crate::search::control::{Control, Limits};
use crate::search::engine::{Engine, Problem};
use crate::search::judge::{Verdict, judge};
use crate::search::rules::{Demand, Rules};
use crate::sim::world::{Action, World};

/// What an unsafe plan breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Breach {
    /// The safety goal of that number, or what never must hold.
    Goal(usize),
    /// A core rule, by the step of that number; one more than the last stands for the end.
    Rule(usize, Instance),
}

/// A plan that succeeds and is unsafe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Careless {
    /// The steps.
    pub actions: Vec<Action>,
    /// What it breaks first.
    pub breach: Breach,
    /// How it was come by.
    pub by: Means,
}

/// How a careless plan was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// Searched with nothing but success in mind.
    Success,
    /// Such a plan or a safe one, with a step left out or exchanged.
    Twin,
    /// Searched to break a safety goal.
    Against,
    /// Searched to break some rule.
    Breaking,
    /// Written down by somebody.
    Written,
}

impl Means {
    /// The means in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Success => "success alone in mind",
            Self::Twin => "a twin",
            Self::Against => "against a safety goal",
            Self::Breaking => "against a rule",
            Self::Written => "as written down",
        }
    }
}

/// Plans that are known before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'k> {
    /// A plan that is safe.
    pub safe: &'k [Action],
    /// Plans somebody wrote down: looked at when nothing else is found.
    pub written: &'k [&'k [Action]],
}

/// The longest plan of which pairs of steps are left out.
const PAIRS: usize = 40;

/// Looks for a plan that meets the success goals and breaks a safety goal or a core rule.
pub fn careless(
    world: &World,
    rules: Option<&mut Rules>,
    goals: &GoalSet,
    known: Known<'_>,
    (limits, control): (Limits, &mut Control<'_>),
) -> (Option<Careless>, Stats) {
    let mut search = Search {
        world: world.clone(),
        rules,
        goals,
        stats: Stats::default(),
    };
    let found = search.run(known, limits, control);
    (found, search.stats)
}

struct Search<'s> {
    world: World,
    rules: Option<&'s mut Rules>,
    goals: &'s GoalSet,
    stats: Stats,
}

impl Search<'_> {
    fn run(
        &mut self,
        known: Known<'_>,
        limits: Limits,
        control: &mut Control<'_>,
    ) -> Option<Careless> {
        let success = GoalSet {
            goals: self
                .goals
                .goals
                .iter()
                .take(self.goals.success)
                .cloned()
                .collect(),
            success: self.goals.success,
        };
        let mut plans: Vec<Vec<Action>> = Vec::new();
        if let Some(plan) = self.plan((success.clone(), Demand::Nothing), limits, control) {
            if let Some(found) = self.is_careless(&plan, Means::Success) {
                return Some(found);
            }
            plans.push(plan);
        }
        plans.push(known.safe.to_vec());
        if let Some(found) = plans.iter().find_map(|p| self.twins(p)) {
            return Some(found);
        }
        for i in success.success..self.goals.goals.len() {
            let Some(against) = against(&self.goals.goals[i]) else {
                continue;
            };
            let mut goals = success.clone();
            goals.goals.extend(against);
            if let Some(plan) = self.plan((goals, Demand::Nothing), limits, control)
                && let Some(found) = self.is_careless(&plan, Means::Against)
            {
                return Some(found);
            }
        }
        if self.rules.is_some()
            && let Some(plan) = self.plan((success, Demand::Broken(Grade::Core)), limits, control)
            && let Some(found) = self.is_careless(&plan, Means::Breaking)
        {
            return Some(found);
        }
        let mut written = known.written.iter();
        written.find_map(|plan| self.is_careless(plan, Means::Written))
    }

    /// A plan for goals with this demand on the rules.
    fn plan(
        &mut self,
        (goals, demand): (GoalSet, Demand),
        limits: Limits,
        control: &mut Control<'_>,
    ) -> Option<Vec<Action>> {
        let problem = Problem {
            world: self.world.clone(),
            goals,
        };
        let mut engine = Engine::new(problem, limits)?;
        let found = match self.rules.as_deref_mut() {
            Some(rules) => {
                let before = rules.demand();
                rules.ask(demand);
                let found = engine.run_with(Some(rules), control);
                rules.ask(before);
                found
            }
            None => engine.run_with(None, control),
        };
        self.stats.add(found.stats);
        match found.answer {
            Answer::Plan(plan) => Some(plan.actions),
            _ => None,
        }
    }

    /// The plan with steps left out, exchanged, or its end cut off.
    fn twins(&mut self, plan: &[Action]) -> Option<Careless> {
        let n = plan.len();
        let without = |i: usize, j: usize| -> Vec<Action> {
            let kept = plan.iter().enumerate().filter(|(k, _)| *k != i && *k != j);
            kept.map(|(_, a)| *a).collect()
        };
        for i in 0..n {
            if let Some(found) = self.is_careless(&without(i, i), Means::Twin) {
                return Some(found);
            }
        }
        for k in 2..n {
            if let Some(found) = self.is_careless(&plan[..n - k], Means::Twin) {
                return Some(found);
            }
        }
        for i in 1..n {
            let mut twin = plan.to_vec();
            twin.swap(i - 1, i);
            if let Some(found) = self.is_careless(&twin, Means::Twin) {
                return Some(found);
            }
        }
        if n <= PAIRS {
            for i in 0..n {
                for j in i + 1..n {
                    if let Some(found) = self.is_careless(&without(i, j), Means::Twin) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    fn is_careless(&mut self, plan: &[Action], by: Means) -> Option<Careless> {
        let verdict = match self.rules.as_deref_mut() {
            Some(rules) => {
                let before = rules.demand();
                rules.ask(Demand::Broken(Grade::Core));
                let verdict = judge(&mut self.world, Some(rules), self.goals, plan);
                rules.ask(before);
                verdict
            }
            None => judge(&mut self.world, None, self.goals, plan),
        }?;
        let breach = breach(&verdict, self.goals)?;
        Some(Careless {
            actions: plan.to_vec(),
            breach,
            by,
        })
    }
}

/// What a successful plan breaks.
fn breach(verdict: &Verdict, goals: &GoalSet) -> Option<Breach> {
    if !verdict.succeeds(goals) {
        return None;
    }
    let goal = verdict.unsafe_goal(goals).map(Breach::Goal);
    let rule = verdict.broken.first();
    goal.or_else(|| rule.map(|(at, instance)| Breach::Rule(*at, *instance)))
}

/// The goals that are met where this one is not.
fn against(goal: &Goal) -> Option<Vec<Goal>> {
    let flipped = |fact: &crate::plan::fact::Fact, negated: bool| Goal {
        text: format!("against {}", goal.text),
        ask: Ask::Fact(crate::plan::fact::Fact {
            negated,
            body: fact.body.clone(),
        }),
    };
    match &goal.ask {
        Ask::Fact(fact) => Some(vec![flipped(fact, !fact.negated)]),
        Ask::All(facts) => facts.first().map(|f| vec![flipped(f, !f.negated)]),
        Ask::Never(facts) => Some(facts.iter().map(|f| flipped(f, f.negated)).collect()),
        Ask::Formula(bound) => {
            let fact = bound.conjunction()?.first()?;
            Some(vec![flipped(fact, !fact.negated)])
        }
        Ask::Done(_) => None,
    }
}
