//! The two-stage council (§6.5): five proposers, a red team against each, adjudication, two revisions, selection.
//!
//! The council changes BLUE. Qualities are not earned: every role adds its bonus and every revision 0.025, and the red
//! team is a blind sampler, so a low pressure is a lucky draw (§14.10).

use std::sync::Arc;

use crate::arena::advplan::model::{Action, Asset, Category, Force, Plan};
use crate::arena::advplan::payoff::payoff;
use crate::arena::advplan::python::{Dice, Random, csum};
use crate::arena::advplan::respond::{Responder, by_quality};
use crate::arena::advplan::rubric::proxy;
use crate::arena::advplan::sets::{WordSet, diversity};

use Category::{Cyber, Information, Intelligence, Kinetic, Logistics};

/// A proposer: its name, the action it adds, and the quality it is given for being there.
type Role = (&'static str, &'static str, Category, f64);

/// The proposers.
const ROLES: [Role; 5] = [
    ("maneuver", "flank_and_fix", Kinetic, 0.030),
    (
        "intelligence",
        "persistent_surveillance",
        Intelligence,
        0.025,
    ),
    ("cyber", "disrupt_command_links", Cyber, 0.020),
    ("sustainment", "forward_resupply_node", Logistics, 0.018),
    ("protection", "civilian_harm_mitigation", Information, 0.015),
];

/// RED samples against each candidate.
pub const RED_SAMPLES: usize = 4;

/// How many candidates are revised.
pub const WIDTH: usize = 2;

/// The quality a revision is given.
pub const REVISION_BONUS: f64 = 0.025;

/// The weights of S: alpha, beta, gamma, and rho, which is taken off.
pub const WEIGHTS: [f64; 4] = [0.45, 0.25, 0.10, 0.20];

/// What S is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// p(q) of the candidate.
    pub quality: f64,
    /// The proxy d.
    pub rubric: f64,
    /// V: how far its action types are from those of the others of its round.
    pub variety: f64,
    /// P: the payoff of the best RED found against it.
    pub pressure: f64,
}

impl Parts {
    /// S = alpha p + beta d + gamma V - rho P.
    pub fn score(&self) -> f64 {
        let [alpha, beta, gamma, rho] = WEIGHTS;
        alpha * self.quality + beta * self.rubric + gamma * self.variety - rho * self.pressure
    }
}

/// A BLUE candidate and what was found against it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// 0 for a proposal, 1 for a revision.
    pub round: u32,
    /// The seed plan it was made of, or the candidate it revises.
    pub origin: usize,
    /// The role that proposed it, or whose proposal is revised.
    pub role: &'static str,
    /// The quality given for the role or the revision.
    pub bonus: f64,
    /// The quality added by chance.
    pub jitter: f64,
    /// The plan.
    pub plan: Plan,
    /// The responses.
    pub reds: Vec<Plan>,
    /// The place of the best among them.
    pub red: usize,
    /// The parts of its score.
    pub parts: Parts,
    /// S.
    pub score: f64,
}

impl Candidate {
    /// The best response found.
    pub fn worst(&self) -> Option<&Plan> {
        self.reds.get(self.red)
    }
}

/// What a council came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Council {
    /// The proposals, then the revisions.
    pub candidates: Vec<Candidate>,
    /// How many of them are proposals.
    pub proposals: usize,
    /// The places of the revised proposals, best first.
    pub shortlist: Vec<usize>,
    /// The place of the selected candidate.
    pub selected: usize,
    /// S of the best minus S of the second.
    pub consensus_gap: f64,
    /// S of the best minus the best S of the proposals: never below 0.
    pub robustness_margin: f64,
    /// The mean pressure on the shortlist minus that on the selected.
    pub pressure_reduction: f64,
    /// The diversity of the proposals.
    pub diversity: f64,
    /// The diversity of the revisions.
    pub revised_diversity: f64,
}

impl Council {
    /// The selected candidate.
    pub fn chosen(&self) -> Option<&Candidate> {
        self.candidates.get(self.selected)
    }
}

/// Holds a council over BLUE's plans. `None` where there are none.
pub fn hold(dice: &Dice, base: u64, seeds: &[Plan], red: &[Asset]) -> Option<Council> {
    let mut g = dice.open(base);
    let mut candidates = propose(&mut g, seeds)?;
    let proposals = candidates.len();
    let mut h = dice.open(u64::from(g.randint(0, 10_000_000)));
    evaluate(&mut candidates, red, &mut h);
    let shortlist: Vec<usize> = ranked(&candidates).into_iter().take(WIDTH).collect();
    let mut revised: Vec<Candidate> = (1..)
        .zip(&shortlist)
        .filter_map(|(rank, &at)| revise(candidates.get(at)?, at, rank))
        .collect();
    evaluate(&mut revised, red, &mut h);
    let plans = |list: &[Candidate]| list.iter().map(|c| c.plan.clone()).collect::<Vec<_>>();
    let (told, revised_told) = (diversity(&plans(&candidates)), diversity(&plans(&revised)));
    let best = candidates
        .iter()
        .map(|c| c.score)
        .fold(f64::NEG_INFINITY, f64::max);
    let pressed = csum(
        shortlist
            .iter()
            .filter_map(|&i| Some(candidates.get(i)?.parts.pressure)),
    );
    candidates.extend(revised);
    let order = ranked(&candidates);
    let at = |rank: usize| candidates.get(*order.get(rank)?);
    let first = at(0)?;
    Some(Council {
        proposals,
        selected: *order.first()?,
        consensus_gap: at(1).map_or(0.0, |second| first.score - second.score),
        robustness_margin: first.score - best,
        pressure_reduction: pressed / shortlist.len() as f64 - first.parts.pressure,
        diversity: told,
        revised_diversity: revised_told,
        shortlist,
        candidates,
    })
}

/// The places by falling S; those that are equal stay in order.
fn ranked(candidates: &[Candidate]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let score = |i: &usize| candidates.get(*i).map_or(f64::NAN, |c| c.score);
    order.sort_by(|a, b| score(b).total_cmp(&score(a)));
    order
}

const UNSCORED: Parts = Parts {
    quality: 0.0,
    rubric: 0.0,
    variety: 0.0,
    pressure: 0.0,
};

/// A plan with one action more; the chain becomes its flat actions in order, branches are dropped.
fn extended(plan: &Plan, action: Action, words: &str, gift: f64) -> Plan {
    let mut actions = plan.actions.clone();
    actions.push(Arc::new(action));
    let objective = format!("{}{words}", plan.objective).into();
    let quality = gift.clamp(-1.0, 1.0);
    Plan::linear(
        Force::Blue,
        actions,
        objective,
        quality,
        plan.domain.clone(),
    )
}

fn first_asset(plan: &Plan) -> Arc<str> {
    plan.actions
        .first()
        .map_or_else(|| "dummy".into(), |a| Arc::clone(&a.asset_id))
}

fn propose(g: &mut Random, seeds: &[Plan]) -> Option<Vec<Candidate>> {
    let mut candidates = Vec::new();
    for (i, (role, what, category, bonus)) in ROLES.into_iter().enumerate() {
        let origin = i.checked_rem(seeds.len())?;
        let seed = seeds.get(origin)?;
        let jitter = g.uniform(-0.015, 0.015);
        let action = Action {
            priority: (1 + i as u32).min(10),
            preconditions: vec!["council_review_complete".into()],
            expected_duration_s: 90.0 + 15.0 * i as f64,
            ..Action::new(what, category, first_asset(seed))
        };
        let quality = seed.quality_score + bonus + jitter;
        let words = format!("; {role} proposer refinement");
        candidates.push(Candidate {
            round: 0,
            origin,
            role,
            bonus,
            jitter,
            plan: extended(seed, action, &words, quality),
            reds: Vec::new(),
            red: 0,
            parts: UNSCORED,
            score: 0.0,
        });
    }
    Some(candidates)
}

/// Red-teams the candidates of a round in order, then scores them against each other.
fn evaluate(round: &mut [Candidate], red: &[Asset], h: &mut Random) {
    for c in round.iter_mut() {
        c.reds = Responder::new(&c.plan, red).samples(h, RED_SAMPLES);
        c.red = by_quality(&c.reds);
    }
    let plans: Vec<Plan> = round.iter().map(|c| c.plan.clone()).collect();
    let sets: Vec<WordSet> = plans.iter().map(WordSet::all).collect();
    for (i, (c, own)) in round.iter_mut().zip(&sets).enumerate() {
        let others = sets.iter().enumerate().filter(|(j, _)| *j != i);
        let others = WordSet::union(others.map(|(_, s)| s));
        c.parts = Parts {
            quality: payoff(c.plan.quality_score),
            rubric: proxy(&c.plan),
            variety: own.distance(&others),
            pressure: payoff(c.worst().map_or(0.0, |r| r.quality_score)),
        };
        c.score = c.parts.score();
    }
}

/// What is done against the first action of the response.
const fn mitigation(against: Category) -> (&'static str, Category) {
    match against {
        Kinetic => ("dispersion_and_hardening", Logistics),
        Cyber => ("out_of_band_comms", Cyber),
        Logistics => ("redundant_supply_route", Logistics),
        Intelligence => ("deception_and_counter_recon", Information),
        Information => ("public_information_cell", Information),
    }
}

fn revise(candidate: &Candidate, at: usize, rank: usize) -> Option<Candidate> {
    let against = candidate.worst()?.actions.first()?;
    let (what, category) = mitigation(against.category);
    let action = Action {
        priority: 8,
        preconditions: vec!["red_team_critique_received".into()],
        expected_duration_s: 120.0,
        ..Action::new(
            format!("{what}_r{rank}"),
            category,
            first_asset(&candidate.plan),
        )
    };
    let words = format!("; revised against {}", against.action_type);
    let quality = candidate.plan.quality_score + REVISION_BONUS;
    Some(Candidate {
        round: 1,
        origin: at,
        role: candidate.role,
        bonus: REVISION_BONUS,
        jitter: 0.0,
        plan: extended(&candidate.plan, action, &words, quality),
        reds: Vec::new(),
        red: 0,
        parts: UNSCORED,
        score: 0.0,
    })
}
