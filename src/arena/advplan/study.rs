//! A scenario under all policies, and the whole benchmark.

use crate::arena::advplan::corpus::{TEMPLATES, base_seeds, corpus};
use crate::arena::advplan::council::{Candidate, Council, hold};
use crate::arena::advplan::framing::{self, Framed};
use crate::arena::advplan::model::{Plan, Scenario};
use crate::arena::advplan::offline::{self, Offline};
use crate::arena::advplan::payoff::{Outcome, wargame};
use crate::arena::advplan::python::Dice;
use crate::arena::advplan::respond::{Responder, by_constraint, by_quality};
use crate::arena::advplan::rubric::{Rubric, alignment};
use crate::arena::advplan::sets::{Tradeoff, WordSet, diversity_of, pareto, spread, tradeoff};
use crate::arena::advplan::structure::Structure;

/// The response budgets of the curve (§7).
pub const BUDGETS: [usize; 5] = [1, 2, 4, 8, 16];

/// The budget of the policies.
pub const SAMPLES: usize = 8;

/// A response with what is said of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// q.
    pub quality: f64,
    /// D.
    pub alignment: f64,
    /// The wargame against it.
    pub outcome: Outcome,
}

/// The best of so many responses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// How many.
    pub k: usize,
    /// The place of the best by quality.
    pub best: usize,
    /// Mean distance of pairs.
    pub diversity: f64,
    /// Greatest minus least quality.
    pub spread: f64,
    /// How many are on the front of quality and D.
    pub pareto: usize,
}

/// A scenario that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The base seed of all policies.
    pub base: u64,
    /// The scenario.
    pub scenario: Scenario,
    /// The terms of BLUE's fixed plan.
    pub blue: Rubric,
    /// Its structure.
    pub structure: Structure,
    /// Sixteen responses from one stream: smaller budgets are their beginning.
    pub reds: Vec<Plan>,
    /// Their terms.
    pub rubrics: Vec<Rubric>,
    /// The place of the constraint-aware choice among the first eight.
    pub aware: usize,
    /// The budget curve.
    pub budgets: Vec<Budget>,
    /// What choosing by D would cost among the first eight.
    pub tradeoff: Tradeoff,
    /// The offline contract.
    pub offline: Offline,
    /// The council.
    pub council: Council,
    /// The first response.
    pub single: Answer,
    /// The best of eight.
    pub sampled: Answer,
    /// The constraint-aware choice.
    pub doctrine: Answer,
    /// The offline contract's plan.
    pub llm: Answer,
    /// The council's plan against the best of its red team.
    pub selected: Selected,
}

/// What the council selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selected {
    /// BLUE's q.
    pub quality: f64,
    /// BLUE's terms.
    pub rubric: Rubric,
    /// BLUE's structure.
    pub structure: Structure,
    /// The round it is from.
    pub round: u32,
    /// The pressure on it.
    pub pressure: f64,
    /// The response.
    pub answer: Answer,
}

impl Played {
    /// Plays a scenario of a base seed. `None` where it has no BLUE plan.
    pub fn new(dice: &Dice, base: u64, scenario: Scenario) -> Option<Self> {
        let blue = scenario.seed_coas.first()?;
        let state = &scenario.game_state;
        let most = BUDGETS.iter().copied().max()?;
        let reds = Responder::new(blue, &state.red_assets).samples(&mut dice.open(base), most);
        let eight = reds.get(..SAMPLES)?;
        let rubrics: Vec<Rubric> = reds.iter().map(Rubric::of).collect();
        let points: Vec<(f64, f64)> = reds
            .iter()
            .zip(&rubrics)
            .map(|(red, rubric)| (red.quality_score, rubric.alignment()))
            .collect();
        let offline = offline::respond(dice, base, blue, &state.red_assets);
        let council = hold(dice, base, &scenario.seed_coas, &state.red_assets)?;
        let rubric = Rubric::of(blue);
        let aligned = rubric.alignment();
        let answer = |at: usize| {
            let (red, d) = (reds.get(at)?, points.get(at)?.1);
            Some(Answer {
                quality: red.quality_score,
                alignment: d,
                outcome: wargame(state, (blue, aligned), (red, d)),
            })
        };
        let aware = by_constraint(eight);
        let llm = alignment(&offline.plan);
        Some(Self {
            base,
            single: answer(0)?,
            sampled: answer(by_quality(eight))?,
            doctrine: answer(aware)?,
            llm: Answer {
                quality: offline.plan.quality_score,
                alignment: llm,
                outcome: wargame(state, (blue, aligned), (&offline.plan, llm)),
            },
            selected: selected(&scenario, council.chosen()?)?,
            budgets: curve(&reds, &points),
            tradeoff: tradeoff(points.get(..SAMPLES)?)?,
            blue: rubric,
            structure: Structure::of(blue),
            aware,
            rubrics,
            reds,
            offline,
            council,
            scenario,
        })
    }

    /// BLUE's fixed plan.
    pub fn fixed(&self) -> Option<&Plan> {
        self.scenario.seed_coas.first()
    }

    /// The budget of the policies.
    pub fn eight(&self) -> Option<&Budget> {
        self.budgets.iter().find(|b| b.k == SAMPLES)
    }
}

fn selected(scenario: &Scenario, candidate: &Candidate) -> Option<Selected> {
    let (plan, red) = (&candidate.plan, candidate.worst()?);
    let rubric = Rubric::of(plan);
    let d = alignment(red);
    Some(Selected {
        quality: plan.quality_score,
        rubric,
        structure: Structure::of(plan),
        round: candidate.round,
        pressure: candidate.parts.pressure,
        answer: Answer {
            quality: red.quality_score,
            alignment: d,
            outcome: wargame(&scenario.game_state, (plan, rubric.alignment()), (red, d)),
        },
    })
}

fn curve(reds: &[Plan], points: &[(f64, f64)]) -> Vec<Budget> {
    let sets: Vec<WordSet> = reds.iter().map(WordSet::flat).collect();
    let qualities: Vec<f64> = points.iter().map(|p| p.0).collect();
    let of = |k: usize| {
        Some(Budget {
            k,
            best: by_quality(reds.get(..k)?),
            diversity: diversity_of(sets.get(..k)?),
            spread: spread(qualities.get(..k)?),
            pareto: pareto(points.get(..k)?).len(),
        })
    };
    BUDGETS.into_iter().filter_map(of).collect()
}

/// The benchmark, played.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// How many base seeds.
    pub n_seeds: usize,
    /// The scenarios, five a base seed.
    pub played: Vec<Played>,
    /// The framing ablation, of the same size always.
    pub framed: Vec<Framed>,
}

impl Study {
    /// Plays so many base seeds.
    pub fn new(n_seeds: usize) -> Self {
        Self::told(n_seeds, &mut |_, _| true).unwrap_or(Self {
            n_seeds,
            played: Vec::new(),
            framed: Vec::new(),
        })
    }

    /// The same, telling after every scenario how many of how many are played. `None` once it is told to stop.
    pub fn told(n_seeds: usize, tell: &mut dyn FnMut(usize, usize) -> bool) -> Option<Self> {
        let dice = Dice::default();
        let total = n_seeds * TEMPLATES.len();
        let mut played = Vec::with_capacity(total);
        for base in base_seeds(n_seeds) {
            for scenario in corpus(&dice, base) {
                played.extend(Played::new(&dice, base, scenario));
                if !tell(played.len(), total) {
                    return None;
                }
            }
        }
        Some(Self {
            n_seeds,
            played,
            framed: framing::study(&dice),
        })
    }
}
