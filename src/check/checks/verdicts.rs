//! Whether the verdict that counts takes every true way to share things out.
//!
//! The published verdict writes a pairing out in its first ten orderings only: of 24 equally good ways to put four cubes into
//! four stockings it takes ten. Where that is so, one that passes is told beside one that does not, with steps to the latter.

use crate::check::finding::{Finding, Kind, Outcome, Witness};
use crate::check::solve::{Solved, solve};
use crate::check::{Case, CheckDef};
use crate::plan::bddl::{Bound, Pairing, Reading};
use crate::plan::goal::{Ask, Goal};

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "verdicts",
    title: "every true pairing passes",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    let goals = case.goals().goals.iter().enumerate();
    let formulas = goals.filter_map(|(i, g)| match &g.ask {
        Ask::Formula(bound) => Some((i, &**bound)),
        _ => None,
    });
    let (mut found, mut ways, mut counted) = (Vec::new(), 0, false);
    for (goal, bound) in formulas {
        let Some(pairings) = bound.pairings() else {
            continue;
        };
        ways += pairings.all;
        if bound.reading != Reading::Published {
            counted = true;
            continue;
        }
        if let (Some(pass), Some(fail)) = (&pairings.pass, &pairings.fail) {
            let text = format!(
                "{}: {} of {} true pairings pass; {} passes, {} does not, because the published verdict looks at the first \
                 orderings only",
                case.words(goal),
                pairings.passing,
                pairings.all,
                told(case, pass),
                told(case, fail)
            );
            let mut finding = Finding::new(Kind::VerdictsDisagree, text).about(case.field(goal));
            finding.witness = steps(case, bound, fail);
            found.push(finding);
        }
    }
    if ways == 0 {
        return Outcome::NotAsked("no goal is about pairs".to_owned());
    }
    let by = if counted { "; true pairs count" } else { "" };
    Outcome::of(found, format!("{ways} of {ways}{by}"))
}

/// `stocking_0 with cube_0, stocking_1 with cube_1`.
fn told(case: &Case<'_>, way: &Pairing) -> String {
    let name = |ix| case.setup.scene.short_name(ix);
    let pairs = way.pairs.iter();
    let pairs: Vec<String> = pairs
        .map(|&(a, b)| format!("{} with {}", name(a), name(b)))
        .collect();
    pairs.join(", ")
}

/// Steps that come to a pairing that does not pass.
fn steps(case: &Case<'_>, bound: &Bound, way: &Pairing) -> Option<Witness> {
    let goal = Goal {
        text: bound.formula.to_string(),
        ask: Ask::All(way.facts.clone()),
    };
    let Solved::Plan(plan) = solve(case, vec![goal], case.effort) else {
        return None;
    };
    let trace = case.trace("a pairing that does not pass", &plan);
    let verdicts = bound.verdicts(case.world_after(&trace).graph());
    let shows = verdicts.matching && verdicts.published == Some(false);
    shows.then(|| trace.witness(trace.end()))
}
