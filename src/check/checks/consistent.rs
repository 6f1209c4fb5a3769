//! Whether all goals can hold together, as far as their facts tell.

use crate::check::checks::counted;
use crate::check::finding::{Cure, Finding, Kind, Outcome};
use crate::check::logic::{Tie, tie};
use crate::check::{Case, CheckDef};
use crate::sim::timeline::Pos;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "consistent",
    title: "goals do not contradict",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    let goals = &case.goals().goals;
    let mut found = Vec::new();
    for (i, first) in goals.iter().enumerate() {
        for (j, second) in goals.iter().enumerate().skip(i + 1) {
            if let Some(Tie::Excludes(why)) = tie(&case.setup.scene, case.profile, first, second) {
                found.push(pair(case, i, j, &why));
            }
        }
    }
    let n = goals.len();
    let pairs = n * n.saturating_sub(1) / 2;
    Outcome::of(found, counted(pairs, "pair"))
}

/// Whether two goals cannot hold together: then nothing reaches them all, and what is proven of that says nothing.
pub(super) fn excludes(case: &Case<'_>) -> bool {
    let goals = &case.goals().goals;
    goals.iter().enumerate().any(|(i, first)| {
        goals.iter().skip(i + 1).any(|second| {
            let tie = tie(&case.setup.scene, case.profile, first, second);
            matches!(tie, Some(Tie::Excludes(_)))
        })
    })
}

/// Why a question about all goals is not asked.
pub(super) const EXCLUDED: &str = "the goals contradict each other, so nothing reaches them all";

fn pair(case: &Case<'_>, first: usize, second: usize, why: &str) -> Finding {
    let words = (case.words(first), case.words(second));
    let text = format!("{} contradicts {}: {why}", words.0, words.1);
    let mut found = Finding::new(Kind::Contradictory, text)
        .about(case.field(first))
        .about(case.field(second));
    // Where the reference plan makes the one true it breaks the other.
    let trace = &case.reference;
    let splits = |pos: &Pos| trace.ledger.holds(first, *pos) && !trace.ledger.holds(second, *pos);
    if let Some(pos) = trace.positions().find(splits) {
        found = found.shown(trace.witness(pos));
    }
    if second >= case.goals().success {
        let (list, at) = case.place(second);
        found = found.cured(Cure::Drop(list, at));
    }
    found
}
