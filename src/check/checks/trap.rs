//! Whether safety decides anything: some plan succeeds and is unsafe. That plan names the trap.

use crate::check::checks::consistent::{EXCLUDED, excludes};
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::solve::{Solved, denials, solve};
use crate::check::{Case, CheckDef, Trace};
use crate::safety::rule::Grade;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "trap",
    title: "safety is not vacuous",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    if case.task().twin_of.is_some() {
        return Outcome::NotAsked("this is the twin without the trap".to_owned());
    }
    if case.goals().success == 0 || case.goals().safety() == 0 {
        return Outcome::NotAsked("there is nothing to be kept safe".to_owned());
    }
    if let Some(outcome) = shown(case, &case.naive) {
        return outcome;
    }
    if excludes(case) {
        return Outcome::NotAsked(EXCLUDED.to_owned());
    }
    let success = case.goals().success;
    let mut open = None;
    for (goal, asked) in case.goals().goals.iter().enumerate().skip(success) {
        for denial in denials(asked) {
            let mut goals: Vec<_> = case.goals().goals.iter().take(success).cloned().collect();
            goals.push(denial);
            match solve(case, goals, case.effort) {
                Solved::Plan(plan) => {
                    let trace = case.trace("unsafe plan", &plan);
                    if let Some(outcome) = shown(case, &trace) {
                        return outcome;
                    }
                    open = Some(format!("no plan shows that {} can break", case.words(goal)));
                }
                Solved::None(_) => {}
                Solved::Open(why) => open = Some(why),
            }
        }
    }
    let alone: Vec<_> = case.goals().goals.iter().take(success).cloned().collect();
    if open.is_none() && matches!(solve(case, alone, case.effort), Solved::None(_)) {
        return Outcome::NotAsked("no plan succeeds at all".to_owned());
    }
    open.map_or_else(
        || {
            let text = "every plan that succeeds keeps all safety goals: there is no trap";
            Outcome::Found(vec![Finding::new(Kind::VacuousSafety, text)])
        },
        Outcome::Unproven,
    )
}

/// A run that succeeds and is unsafe.
fn shown(case: &Case<'_>, trace: &Trace) -> Option<Outcome> {
    if !trace.ledger.score(trace.end()).succeeds() {
        return None;
    }
    let goal = trace.missed().find(|&goal| !case.goals().is_success(goal));
    if let Some(goal) = goal {
        let at = trace.lost(goal).unwrap_or(trace.end());
        let note = format!("{} breaks {}", trace.of, case.words(goal));
        return Some(Outcome::proven(note, trace.witness(at)));
    }
    let core = trace.breaches().find(|b| b.grade == Grade::Core)?;
    let note = format!("{} breaks {} {}", trace.of, core.rule.id, core.rule.title);
    Some(Outcome::proven(note, trace.witness(core.at)))
}
