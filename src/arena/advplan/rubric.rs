//! The rubric of six terms, D, and the cheaper proxy that policies use in its place (§4).

use crate::arena::advplan::model::{Category, Plan};
use crate::arena::advplan::python::csum;

/// The names of the six terms, in the order in which they are added.
pub const TERMS: [&str; 6] = [
    "objective_clarity",
    "intelligence_preparation",
    "combined_arms_balance",
    "sustainment",
    "risk_mitigation",
    "tempo_and_sequencing",
];

/// Their weights.
pub const WEIGHTS: [f64; 6] = [0.20, 0.18, 0.18, 0.14, 0.15, 0.15];

/// The terms in alphabetical order, as places in [`TERMS`].
pub const ALPHABETICAL: [usize; 6] = [2, 1, 0, 4, 3, 5];

const SCOUTING: [&str; 5] = ["recon", "scan", "surveillance", "analysis", "assess"];
const SUPPLYING: [&str; 5] = ["log", "supply", "resupply", "convoy", "distribute"];
const CAREFUL: [&str; 6] = [
    "protect",
    "civilian",
    "withdraw",
    "minimum",
    "restraint",
    "compliant",
];

/// Whether a text holds one of these lower-case words, in any case.
pub(super) fn holds(text: &str, words: &[&str]) -> bool {
    if text.is_ascii() {
        let bytes = text.as_bytes();
        // Few words begin with the letter at hand: the rest is never compared.
        let begins = |w: &str, letter: u8| w.as_bytes().first() == Some(&letter);
        bytes.iter().enumerate().any(|(i, byte)| {
            let letter = byte.to_ascii_lowercase();
            let mut here = words.iter().filter(|w| begins(w, letter));
            here.any(|w| {
                let part = bytes.get(i..i + w.len());
                part.is_some_and(|part| part.eq_ignore_ascii_case(w.as_bytes()))
            })
        })
    } else {
        let lower = text.to_lowercase();
        words.iter().any(|w| lower.contains(w))
    }
}

/// The six terms of a plan, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rubric(pub [f64; 6]);

impl Rubric {
    /// Rates a plan.
    pub fn of(plan: &Plan) -> Self {
        let categories = plan.categories();
        let has = |c: Category| categories & c.bit() != 0;
        let any = |words: &[&str]| plan.every_action().any(|a| holds(&a.action_type, words));
        let yes = |b: bool| if b { 1.0 } else { 0.0 };
        let careful = holds(&plan.objective, &CAREFUL) || any(&CAREFUL);
        Self([
            clarity(&plan.objective),
            yes(has(Category::Intelligence) || any(&SCOUTING)),
            balance(categories),
            yes(has(Category::Logistics) || any(&SUPPLYING)),
            if careful {
                1.0
            } else {
                (prepared(plan) / 2.0).min(1.0)
            },
            sequencing(plan),
        ])
    }

    /// D: the weighted mean of the terms, from 0 to 1.
    pub fn alignment(&self) -> f64 {
        let weighted = csum(
            self.0
                .iter()
                .zip(WEIGHTS)
                .map(|(term, weight)| term * weight),
        );
        (weighted / csum(WEIGHTS)).clamp(0.0, 1.0)
    }
}

/// D of a plan.
pub fn alignment(plan: &Plan) -> f64 {
    Rubric::of(plan).alignment()
}

/// The terms of d by name, with their weights: different categories, steps that wait for another, flat actions with
/// preconditions, an objective that speaks of care.
pub const PROXY: [(&str, f64); 4] = [
    ("categories", 0.35),
    ("sequence", 0.30),
    ("preconditions", 0.20),
    ("care", 0.15),
];

/// The terms of d, each from 0 to 1, in the order of [`PROXY`].
pub fn proxy_terms(plan: &Plan) -> [f64; 4] {
    let flat = plan.actions.len().max(1) as f64;
    let careful = holds(&plan.objective, &CAREFUL);
    [
        balance(plan.categories()),
        sequencing(plan),
        (prepared(plan) / flat).min(1.0),
        if careful { 1.0 } else { 0.0 },
    ]
}

/// d: what policies go by in place of D.
pub fn proxy(plan: &Plan) -> f64 {
    let [categories, sequence, preconditions, care] = proxy_terms(plan);
    0.35 * categories + 0.30 * sequence + 0.20 * preconditions + 0.15 * care
}

/// Long words of the objective, six of which are enough.
fn clarity(objective: &str) -> f64 {
    // Python splits at the four separators of ASCII as well.
    let space = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    let words = objective.split(space);
    let long = words.filter(|w| w.chars().nth(3).is_some()).count();
    (long as f64 / 6.0).min(1.0)
}

/// Different categories, four of which are enough.
fn balance(categories: u8) -> f64 {
    (f64::from(categories.count_ones()) / 4.0).min(1.0)
}

/// How many flat actions have preconditions.
fn prepared(plan: &Plan) -> f64 {
    let those = plan.actions.iter().filter(|a| !a.preconditions.is_empty());
    those.count() as f64
}

/// The share of steps that wait for another.
fn sequencing(plan: &Plan) -> f64 {
    if plan.chain.len() <= 1 {
        return 0.0;
    }
    let waiting = plan.chain.iter().filter(|s| !s.depends_on.is_empty());
    waiting.count() as f64 / (plan.chain.len() - 1) as f64
}
