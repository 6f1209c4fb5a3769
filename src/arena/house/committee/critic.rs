//! The critic that needs no model: what beat a candidate, at which step, by which rule, and what would have helped.
//!
//! Every claim is a counterfactual that was played: it is confirmed when the loss is there with the disturbance and not
//! without it, and its remedy is put into the plan and played against everything RED tried.

use crate::arena::house::committee::loss::loss;
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
    let mut all = Vec::new();
    let alone = loss(ground, (&program, &nothing), &answer.alone);
    if let Some(it) = &alone {
        all.push(Feedback {
            claim: Claim {
                id: String::new(),
                by: OFFLINE.to_owned(),
                candidate: candidate.name.clone(),
                response: String::new(),
                step: it.step,
                broken: it.broken.clone(),
                text: format!("loses when nothing happens: {}", it.words),
                remedy: Vec::new(),
                before: 0,
                finding: Finding::Confirmed,
                evidence: "played without RED".to_owned(),
            },
            tried: None,
            remedy: None,
        });
    }
    let mut lost: Vec<usize> = (0..answer.tried.len())
        .filter(|&i| {
            answer
                .tried
                .get(i)
                .is_some_and(|t| t.payoff < answer.payoff)
        })
        .collect();
    let payoff = |i: &usize| answer.tried.get(*i).map_or(0.0, |t| t.payoff);
    lost.sort_by(|a, b| payoff(a).total_cmp(&payoff(b)).then(a.cmp(b)));
    let mut said: Vec<(Vec<String>, String)> = Vec::new();
    for i in lost {
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
        let facts = tried
            .response
            .disturbances
            .iter()
            .flat_map(|d| d.facts.clone());
        let key = (facts.collect(), at.broken.clone());
        if said.contains(&key) {
            continue;
        }
        said.push(key);
        let remedy = contingency(ground, fair, &candidate.plan, (&tried.response, at.step));
        let without = alone
            .as_ref()
            .is_some_and(|l| l.broken == at.broken && l.step == at.step);
        let helped = remedy.as_ref().map(|remedy| {
            let plan = remedy.put_into(ground, &candidate.plan, &bound);
            safe(ground, &Program::new(&plan), answer, payoffs, simulations)
        });
        let evidence = match (without, &helped) {
            (true, _) => "it is lost there without RED too".to_owned(),
            (false, None) => {
                "without it the plan holds; nothing is seen before the loss".to_owned()
            }
            (false, Some((a, b))) => {
                format!("without it the plan holds; with the remedy safe in {a} of {b}")
            }
        };
        all.push(Feedback {
            claim: Claim {
                id: String::new(),
                by: OFFLINE.to_owned(),
                candidate: candidate.name.clone(),
                response: String::new(),
                step: at.step,
                broken: at.broken.clone(),
                text: format!(
                    "{}, and it is not looked at again: {}",
                    tried.response.words(),
                    at.words
                ),
                remedy: remedy.as_ref().map(|r| r.lines(ground)).unwrap_or_default(),
                before: remedy.as_ref().map_or(0, |r| r.before),
                finding: if without {
                    Finding::Refuted
                } else {
                    Finding::Confirmed
                },
                evidence,
            },
            tried: Some(i),
            remedy,
        });
    }
    all
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
        let worth = bound.map(|bound| {
            let end = ground.roll(program, &bound);
            payoffs.worth(end.succeeds, end.is_safe())
        });
        kept += usize::from(worth.is_ok_and(|w| w > payoffs.not_safe));
    }
    (kept, answer.tried.len())
}
