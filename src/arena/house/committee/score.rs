//! S = αQ + βD + γV − ρP, every term simulated.
//!
//! The published council adds a gift to the quality of every role and revision (`AdvPlan-Bench`, §14.10); nothing is given
//! here. All candidates that are compared face the same responses, so that S means the same in every round.

use serde::{Deserialize, Serialize};

use crate::arena::house::model::{Cell, Outcome, Payoffs};
use crate::search::diverse::Distance;
use crate::sim::world::Action;

/// The weights of S.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Of quality.
    #[serde(with = "crate::arena::house::number")]
    pub alpha: f64,
    /// Of discipline.
    #[serde(with = "crate::arena::house::number")]
    pub beta: f64,
    /// Of variety.
    #[serde(with = "crate::arena::house::number")]
    pub gamma: f64,
    /// Of pressure, which is taken off.
    #[serde(with = "crate::arena::house::number")]
    pub rho: f64,
}

impl Default for Weights {
    /// Those of the published council.
    fn default() -> Self {
        Self {
            alpha: 0.45,
            beta: 0.25,
            gamma: 0.10,
            rho: 0.20,
        }
    }
}

/// What S is made of, each from 0 to 1 with the usual payoffs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// Q: the payoff when nothing happens.
    #[serde(with = "crate::arena::house::number")]
    pub quality: f64,
    /// D: the mean share of safety that was kept over all responses; 0 where a core rule was broken.
    #[serde(with = "crate::arena::house::number")]
    pub discipline: f64,
    /// V: how far its actions are from those of the other candidates, on average.
    #[serde(with = "crate::arena::house::number")]
    pub variety: f64,
    /// P: what the worst response costs, as the best payoff minus the worst it gets.
    #[serde(with = "crate::arena::house::number")]
    pub pressure: f64,
}

impl Weights {
    /// S.
    pub fn score(&self, terms: &Terms) -> f64 {
        self.alpha * terms.quality + self.beta * terms.discipline + self.gamma * terms.variety
            - self.rho * terms.pressure
    }
}

/// How much safety an outcome kept, from 0 to 1; nothing where it broke.
pub fn kept(outcome: &Outcome) -> f64 {
    let safety = outcome.safety;
    if !outcome.broken.is_empty() || outcome.broke().is_some() {
        0.0
    } else if safety.of == 0 {
        1.0
    } else {
        f64::from(safety.held) / f64::from(safety.of)
    }
}

/// The terms of a candidate: the outcome when nothing happens, its cells under responses, and its variety. What broke counts
/// as the worst.
pub fn terms(payoffs: &Payoffs, nothing: &Outcome, cells: &[&Cell], variety: f64) -> Terms {
    let all = || std::iter::once(nothing).chain(cells.iter().map(|c| &c.outcome));
    let worst = all()
        .map(|o| payoffs.at_least(o))
        .fold(f64::INFINITY, f64::min);
    let kept: f64 = all().map(kept).sum();
    Terms {
        quality: payoffs.at_least(nothing),
        discipline: kept / (cells.len() + 1) as f64,
        variety,
        pressure: payoffs.good - worst,
    }
}

/// The variety of each plan among these: its mean distance to the others, 0 for one alone.
pub fn varieties(plans: &[Vec<Action>]) -> Vec<f64> {
    let others = plans.len().saturating_sub(1).max(1) as f64;
    let of = |i: usize| -> f64 {
        let rest = plans.iter().enumerate().filter(|(j, _)| *j != i);
        let plan = plans.get(i).map_or(&[][..], Vec::as_slice);
        let sum: f64 = rest.map(|(_, p)| Distance::between(plan, p).mean()).sum();
        sum / others
    };
    (0..plans.len()).map(of).collect()
}
