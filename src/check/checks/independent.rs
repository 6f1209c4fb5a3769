//! Whether every goal decides something: none follows from another.

use crate::check::checks::consistent::{EXCLUDED, excludes};
use crate::check::finding::{Cure, Finding, Kind, Outcome};
use crate::check::logic::{Tie, tie};
use crate::check::solve::{Solved, denials, solve};
use crate::check::{Case, CheckDef, Effort, Trace};
use crate::plan::goal::Ask;
use crate::sim::timeline::Pos;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "independent",
    title: "no goal implied by another",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    let goals = &case.goals().goals;
    let mut found: Vec<Finding> = Vec::new();
    let mut implied = vec![false; goals.len()];
    for (j, second) in goals.iter().enumerate() {
        if let Some(i) = (0..j).find(|&i| is_twin(case, i, j)) {
            implied[j] = true;
            found.push(twin(case, i, j));
            continue;
        }
        for (i, first) in goals.iter().enumerate() {
            // Of two that say the same the later one is too much.
            let counts = i != j && !implied[i];
            if !counts {
                continue;
            }
            if let Some(Tie::Implies(why)) = tie(&case.setup.scene, case.profile, first, second)
                && (i < j || !says_same(case, i, j))
            {
                implied[j] = true;
                found.push(pair(case, i, j, &why));
                break;
            }
        }
    }
    if !found.is_empty() {
        return Outcome::Found(found);
    }
    if goals.len() < 2 {
        return Outcome::holds("0");
    }
    if excludes(case) {
        return Outcome::NotAsked(EXCLUDED.to_owned());
    }
    searched(case)
}

/// How much may be spent on one goal: there are many, and most are settled by the task's own plans.
const EFFORT: Effort = Effort { states: 20_000 };

/// Looks for runs that reach all goals but one: the one decides something.
fn searched(case: &Case<'_>) -> Outcome {
    let goals = &case.goals().goals;
    let (mut found, mut open) = (Vec::new(), 0);
    for (goal, asked) in goals.iter().enumerate() {
        if shown(&case.naive, goal) || shown(&case.reference, goal) {
            continue;
        }
        let mut nones = Vec::new();
        let mut decides = denials(asked).is_empty();
        for denial in denials(asked) {
            let mut others = goals.clone();
            if let Some(one) = others.get_mut(goal) {
                *one = denial;
            }
            match solve(case, others, EFFORT) {
                Solved::Plan(_) => decides = true,
                Solved::None(why) => nones.push(why),
                Solved::Open(_) => {
                    open += 1;
                    decides = true;
                }
            }
            if decides {
                break;
            }
        }
        if let (false, Some(why)) = (decides, nones.first()) {
            let text = format!(
                "{} holds in every run that reaches the others: {why}",
                case.words(goal)
            );
            found.push(Finding::new(Kind::Implied, text).about(case.field(goal)));
        }
    }
    // Where nothing reaches all goals, each of them follows from anything.
    if !found.is_empty() && matches!(solve(case, goals.clone(), EFFORT), Solved::None(_)) {
        return Outcome::NotAsked("no plan reaches all goals".to_owned());
    }
    let unsettled = match open {
        0 => String::new(),
        n => format!(", {n} not searched out"),
    };
    Outcome::of(found, format!("0 of {}{unsettled}", goals.len()))
}

/// Whether a run is at some point where all goals hold but this one.
fn shown(trace: &Trace, goal: usize) -> bool {
    let all = trace.ledger.goals().goals.len();
    let alone = |pos: &Pos| (0..all).all(|i| trace.ledger.holds(i, *pos) != (i == goal));
    trace.positions().any(|pos| alone(&pos))
}

fn says_same(case: &Case<'_>, i: usize, j: usize) -> bool {
    let goals = &case.goals().goals;
    let back = |a: usize, b: usize| {
        let (a, b) = (goals.get(a)?, goals.get(b)?);
        tie(&case.setup.scene, case.profile, a, b)
    };
    matches!(back(j, i), Some(Tie::Implies(_)))
}

/// Whether the same goal stands in the same list twice.
fn is_twin(case: &Case<'_>, i: usize, j: usize) -> bool {
    let goals = &case.goals().goals;
    let (Some(one), Some(two)) = (goals.get(i), goals.get(j)) else {
        return false;
    };
    let is_same = match (&one.ask, &two.ask) {
        (Ask::Formula(a), Ask::Formula(b)) => a.formula.to_string() == b.formula.to_string(),
        (Ask::Done(_), _) => false,
        (a, b) => a == b,
    };
    is_same && case.place(i).0 == case.place(j).0
}

fn twin(case: &Case<'_>, first: usize, second: usize) -> Finding {
    let (list, at) = case.place(second);
    let text = format!("{} is {} once more", case.words(second), case.words(first));
    Finding::new(Kind::DuplicateGoal, text)
        .about(case.field(second))
        .about(case.field(first))
        .cured(Cure::Drop(list, at))
}

fn pair(case: &Case<'_>, first: usize, second: usize, why: &str) -> Finding {
    let words = (case.words(second), case.words(first));
    let text = format!("{} follows from {}: {why}", words.0, words.1);
    let (list, at) = case.place(second);
    Finding::new(Kind::Implied, text)
        .about(case.field(second))
        .about(case.field(first))
        .cured(Cure::Drop(list, at))
}
