//! Several plans that differ: for somebody who compares candidates.
//!
//! Many plans are searched, each with one step of an earlier one forbidden, and shortened so that padding is no
//! difference. Of those that are not much longer than the best, the most different ones are kept.

use std::collections::BTreeSet;

use crate::search::answer::{Answer, Plan};
use crate::search::control::{Control, Limits};
use crate::search::engine::{Engine, Problem, reborrow};
use crate::search::watch::Watcher;
use crate::sim::world::Action;

/// How many searches are made at most.
const SEARCHES: usize = 120;

/// How different two plans are: 0 is alike, 1 has nothing in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// By the kinds of actions they use (Jaccard on sets of verbs).
    pub verbs: f64,
    /// By the actions with their objects (Jaccard on sets).
    pub actions: f64,
    /// By the order of the actions both have: the share of pairs that stand the other way round.
    pub order: f64,
}

impl Distance {
    /// Between two plans.
    pub fn between(a: &[Action], b: &[Action]) -> Self {
        let verbs = |plan: &[Action]| plan.iter().map(|x| x.verb).collect::<BTreeSet<_>>();
        let all = |plan: &[Action]| plan.iter().copied().collect::<BTreeSet<_>>();
        Self {
            verbs: jaccard(&verbs(a), &verbs(b)),
            actions: jaccard(&all(a), &all(b)),
            order: order(a, b),
        }
    }

    /// All three in one number, 0 to 1.
    pub fn mean(self) -> f64 {
        (self.verbs + self.actions + self.order) / 3.0
    }
}

fn jaccard<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
    let both = a.intersection(b).count();
    let any = a.len() + b.len() - both;
    if any == 0 {
        0.0
    } else {
        1.0 - both as f64 / any as f64
    }
}

/// The share of pairs of common actions whose first occurrences stand the other way round.
fn order(a: &[Action], b: &[Action]) -> f64 {
    let place = |plan: &[Action], x: Action| plan.iter().position(|y| *y == x);
    let mut common: Vec<(usize, usize)> = Vec::new();
    for &x in a {
        let pair = place(a, x).zip(place(b, x));
        common.extend(pair.filter(|p| !common.contains(p)));
    }
    let (mut pairs, mut turned) = (0_u32, 0_u32);
    for (i, x) in common.iter().enumerate() {
        for y in common.iter().skip(i + 1) {
            pairs += 1;
            turned += u32::from((x.0 < y.0) != (x.1 < y.1));
        }
    }
    if pairs == 0 {
        0.0
    } else {
        f64::from(turned) / f64::from(pairs)
    }
}

/// Up to `count` plans, the best first, each as different as possible from those before it.
pub fn diverse(
    problem: &Problem,
    watcher: Option<&mut dyn Watcher>,
    count: usize,
    budget: (Limits, &mut Control<'_>),
) -> Vec<Plan> {
    diverse_within(problem, watcher, (count, SEARCHES), budget)
}

/// The same with at most so many searches.
pub fn diverse_within(
    problem: &Problem,
    mut watcher: Option<&mut dyn Watcher>,
    (count, searches): (usize, usize),
    (limits, control): (Limits, &mut Control<'_>),
) -> Vec<Plan> {
    let mut found: Vec<Plan> = Vec::new();
    let mut banned: Vec<Vec<Action>> = vec![Vec::new()];
    let mut next = 0;
    while next < banned.len() && next < searches {
        let without = banned[next].clone();
        next += 1;
        let Some(mut engine) = Engine::new(problem.clone(), limits) else {
            break;
        };
        engine.ban(&without);
        let lent = reborrow(&mut watcher);
        let plan = match engine.run_with(lent, control).answer {
            Answer::Plan(plan) => plan,
            Answer::Cancelled => break,
            Answer::None(_) | Answer::Spent => continue,
        };
        let mut sorted = plan.actions.clone();
        sorted.sort_unstable();
        let known = found.iter().any(|p| {
            let mut other = p.actions.clone();
            other.sort_unstable();
            other == sorted
        });
        if known {
            continue;
        }
        for &action in &plan.actions {
            let mut more = without.clone();
            more.push(action);
            more.sort_unstable();
            if !banned.contains(&more) {
                banned.push(more);
            }
        }
        found.push(plan);
    }
    select(found, count)
}

/// The shortest, then always the one farthest from all chosen; none longer than half as much again.
fn select(mut found: Vec<Plan>, count: usize) -> Vec<Plan> {
    found.sort_by_key(|p| p.actions.len());
    let Some(best) = found.first().map(|p| p.actions.len()) else {
        return found;
    };
    found.retain(|p| p.actions.len() * 2 <= best * 3);
    let mut chosen = vec![found.remove(0)];
    while chosen.len() < count && !found.is_empty() {
        let far = |p: &Plan| {
            chosen
                .iter()
                .map(|c| Distance::between(&c.actions, &p.actions).mean())
                .fold(f64::INFINITY, f64::min)
        };
        // The first of equals, so that the shorter one wins.
        let mut at = 0;
        for i in 1..found.len() {
            if far(&found[i]) > far(&found[at]) {
                at = i;
            }
        }
        let next = found.remove(at);
        chosen.push(next);
    }
    chosen
}
