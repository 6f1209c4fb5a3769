//! What is said of a set of plans (§4): diversity, spread, the Pareto front, and what choosing by D would cost.

use crate::arena::advplan::model::Plan;
use crate::arena::advplan::payoff::payoff;
use crate::arena::advplan::python::first_max;

/// A set of words: sorted, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordSet<'p>(Vec<&'p str>);

impl<'p> WordSet<'p> {
    /// The set of these words.
    pub fn new(words: impl IntoIterator<Item = &'p str>) -> Self {
        let mut words: Vec<&str> = words.into_iter().collect();
        words.sort_unstable();
        words.dedup();
        Self(words)
    }

    /// The types of a plan's flat actions.
    pub fn flat(plan: &'p Plan) -> Self {
        Self::new(plan.actions.iter().map(|a| &*a.action_type))
    }

    /// The types of all of a plan's actions.
    pub fn all(plan: &'p Plan) -> Self {
        Self::new(plan.every_action().map(|a| &*a.action_type))
    }

    /// The words of several sets.
    pub fn union(sets: impl IntoIterator<Item = &'p Self>) -> Self {
        Self::new(sets.into_iter().flat_map(|s| s.0.iter().copied()))
    }

    /// The Jaccard distance, 0 between two empty sets.
    pub fn distance(&self, other: &Self) -> f64 {
        let common = self.0.iter().filter(|w| other.0.contains(w)).count();
        let either = self.0.len() + other.0.len() - common;
        if either == 0 {
            return 0.0;
        }
        1.0 - common as f64 / either as f64
    }
}

/// The mean distance of all pairs by the types of their flat actions, added as they come; 0 below two plans.
pub fn diversity(plans: &[Plan]) -> f64 {
    let sets: Vec<WordSet> = plans.iter().map(WordSet::flat).collect();
    diversity_of(&sets)
}

/// The same of sets at hand.
pub fn diversity_of(sets: &[WordSet]) -> f64 {
    let (mut total, mut pairs) = (0.0, 0_u32);
    for (i, a) in sets.iter().enumerate() {
        for b in sets.iter().skip(i + 1) {
            total += a.distance(b);
            pairs += 1;
        }
    }
    if pairs == 0 {
        0.0
    } else {
        total / f64::from(pairs)
    }
}

/// Greatest minus least; 0 for nothing.
pub fn spread(qualities: &[f64]) -> f64 {
    let greatest = qualities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = qualities.iter().copied().fold(f64::INFINITY, f64::min);
    if qualities.is_empty() {
        0.0
    } else {
        greatest - least
    }
}

/// The places of the points that no other is as good as in both and better in one.
pub fn pareto(points: &[(f64, f64)]) -> Vec<usize> {
    let beats = |a: (f64, f64), b: (f64, f64)| a.0 >= b.0 && a.1 >= b.1 && (a.0 > b.0 || a.1 > b.1);
    let free = |&(_, p): &(usize, &(f64, f64))| !points.iter().any(|&other| beats(other, *p));
    points
        .iter()
        .enumerate()
        .filter(free)
        .map(|(i, _)| i)
        .collect()
}

/// The weights of quality and rubric in a mixed choice.
pub const MIX: (f64, f64) = (0.7, 0.3);

/// Quality and rubric, mixed.
pub fn mixed(quality: f64, rubric: f64) -> f64 {
    (MIX.0 * payoff(quality) + MIX.1 * rubric) / (MIX.0 + MIX.1)
}

/// What it would cost to choose by quality and D in place of quality alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tradeoff {
    /// The place of the best by quality.
    pub by_quality: usize,
    /// The place of the best by both.
    pub by_both: usize,
    /// The quality given up.
    pub quality_regret: f64,
    /// The D won.
    pub doctrinal_gain: f64,
}

/// Compares the two choices among points of (q, D). `None` without points.
pub fn tradeoff(points: &[(f64, f64)]) -> Option<Tradeoff> {
    let by_quality = first_max(points.iter().map(|p| p.0))?;
    let by_both = first_max(points.iter().map(|p| mixed(p.0, p.1)))?;
    let (q, c) = (points.get(by_quality)?, points.get(by_both)?);
    Some(Tradeoff {
        by_quality,
        by_both,
        quality_regret: q.0 - c.0,
        doctrinal_gain: c.1 - q.1,
    })
}
