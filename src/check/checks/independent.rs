//! Whether every goal decides something: none follows from another.

use crate::check::finding::{Cure, Finding, Kind, Outcome};
use crate::check::logic::{Tie, tie};
use crate::check::{Case, CheckDef};

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
    Outcome::of(found, "0")
}

fn says_same(case: &Case<'_>, i: usize, j: usize) -> bool {
    let goals = &case.goals().goals;
    let back = |a: usize, b: usize| {
        let (a, b) = (goals.get(a)?, goals.get(b)?);
        tie(&case.setup.scene, case.profile, a, b)
    };
    matches!(back(j, i), Some(Tie::Implies(_)))
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
