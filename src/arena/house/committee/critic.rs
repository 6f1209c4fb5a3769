//! The critic that needs no model: what beat a candidate, at which step, by which rule, and what would have helped.
//!
//! Every claim is a counterfactual that was played: it is confirmed when the loss is there with the disturbance and not
//! without it, and its remedy is put into the plan and played against everything RED tried.

use crate::arena::house::committee::loss::{Loss, loss};
use crate::arena::house::committee::remedy::{Remedy, contingency};
use crate::arena::house::fair::Fair;
use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Candidate, Payoffs};
use crate::arena::house::record::{Claim, Finding};
use crate::arena::house::red::Answer;
use crate::plan::branching::Program;

/// Who says so, in a claim.
pub const OFFLINE: &str = "offline";

/// How many claims are made about one candidate.
pub const MOST: usize = 6;

/// A claim with the remedy it proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// The claim; its id and the response's are given by whoever keeps it.
    pub claim: Claim,
    /// The place of the response among those tried; `None` for the plan alone.
    pub tried: Option<usize>,
    /// What would help, if anything was found.
    pub remedy: Option<Remedy>,
}

/// What is to be said of a candidate, the worst first. `simulations` counts what was played.
pub fn examine(
    ground: &mut Ground,
    fair: &mut Fair,
    (candidate, answer): (&Candidate, &Answer),
    payoffs: &Payoffs,
    simulations: &mut u64,
) -> Vec<Feedback> {
    let program = Program::new(&candidate.plan);
    let nothing = ground.undisturbed();
    let alone = loss(ground, (&program, &nothing), &answer.alone);
    let mut all: Vec<Feedback> = alone.iter().map(|it| by_itself(candidate, it)).collect();
    let mut said: Vec<(Vec<String>, String)> = Vec::new();
    for i in lost(answer) {
        if all.len() >= MOST {
            break;
        }
        let Some(tried) = answer.tried.get(i) else {
            continue;
        };
        let Ok(bound) = ground.bind(&tried.response) else {
            continue;
        };
        let Some(at) = loss(ground, (&program, &bound), &tried.outcome) else {
            continue;
        };
        let facts = tried.response.disturbances.iter();
        let key = (
            facts.flat_map(|d| d.facts.clone()).collect(),
            at.broken.clone(),
        );
        if said.contains(&key) {
            continue;
        }
        said.push(key);
        let remedy = contingency(ground, fair, &candidate.plan, (&tried.response, at.step));
        let same = |l: &Loss| l.broken == at.broken && l.step == at.step;
        let without = alone.as_ref().is_some_and(same);
        let helped = remedy.as_ref().map(|remedy| {
            let plan = remedy.put_into(ground, &candidate.plan, &bound);
            safe(ground, &Program::new(&plan), answer, payoffs, simulations)
        });
        let mut claim = about(candidate, &at);
        claim.text = format!("{}; then {}", tried.response.words(), at.words);
        claim.remedy = remedy.as_ref().map(|r| r.lines(ground)).unwrap_or_default();
        claim.before = remedy.as_ref().map_or(0, |r| r.before);
        if without {
            claim.finding = Finding::Refuted;
        }
        claim.evidence = match (without, helped) {
            (true, _) => "it is lost there without RED too".to_owned(),
            (false, None) => {
                "without it the plan holds; nothing of it is seen before the loss".to_owned()
            }
            (false, Some((a, b))) => {
                format!("without it the plan holds; with the remedy safe in {a} of {b}")
            }
        };
        all.push(Feedback {
            claim,
            tried: Some(i),
            remedy,
        });
    }
    all
}

/// A claim about a loss, confirmed, its words still to come.
fn about(candidate: &Candidate, at: &Loss) -> Claim {
    Claim {
        id: String::new(),
        by: OFFLINE.to_owned(),
        candidate: candidate.name.clone(),
        response: String::new(),
        step: at.step,
        broken: at.broken.clone(),
        text: String::new(),
        remedy: Vec::new(),
        before: 0,
        finding: Finding::Confirmed,
        evidence: String::new(),
    }
}

/// What is said of a plan that loses without RED.
fn by_itself(candidate: &Candidate, at: &Loss) -> Feedback {
    let mut claim = about(candidate, at);
    claim.text = format!("loses when nothing happens: {}", at.words);
    "played without RED".clone_into(&mut claim.evidence);
    Feedback {
        claim,
        tried: None,
        remedy: None,
    }
}

/// The responses that cost a candidate something, the costliest first.
fn lost(answer: &Answer) -> Vec<usize> {
    let payoff = |i: usize| answer.tried.get(i).map_or(answer.payoff, |t| t.payoff);
    let all = 0..answer.tried.len();
    let mut lost: Vec<usize> = all.filter(|&i| payoff(i) < answer.payoff).collect();
    lost.sort_by(|&a, &b| payoff(a).total_cmp(&payoff(b)).then(a.cmp(&b)));
    lost
}

/// In how many of the responses that were tried a plan stays safe, of how many.
fn safe(
    ground: &mut Ground,
    program: &Program,
    answer: &Answer,
    payoffs: &Payoffs,
    simulations: &mut u64,
) -> (usize, usize) {
    let mut kept = 0;
    for it in &answer.tried {
        *simulations += 1;
        let bound = ground.bind(&it.response);
        let worth = bound.map(|bound| ground.roll(program, &bound).worth(payoffs));
        kept += usize::from(worth.is_ok_and(|w| w > payoffs.not_safe));
    }
    (kept, answer.tried.len())
}
