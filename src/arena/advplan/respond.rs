//! RED's response generator (§5). It reads nothing of BLUE's plan but how many flat actions it has, and its objective.

use std::sync::Arc;

use crate::arena::advplan::model::{Action, Asset, Category, Components, Force, Plan};
use crate::arena::advplan::python::{Random, first_max};
use crate::arena::advplan::rubric::proxy;
use crate::arena::advplan::sets::mixed;

/// The action types RED chooses from.
const TYPES: [&str; 6] = ["attack", "defend", "maneuver", "recon", "jam", "spoof"];

/// What answers one BLUE plan.
#[derive(Debug)]
pub struct Responder<'a> {
    assets: &'a [Asset],
    actions: usize,
    objective: Arc<str>,
}

impl<'a> Responder<'a> {
    /// Against a plan, with RED's assets.
    pub fn new(blue: &Plan, assets: &'a [Asset]) -> Self {
        Self {
            assets,
            actions: blue.actions.len().max(1),
            objective: format!("counter: {}", blue.objective).into(),
        }
    }

    /// One response.
    pub fn sample(&self, g: &mut Random) -> Plan {
        let asset = match self.assets.len() {
            0 => None,
            n => self.assets.get(g.choice(n)),
        };
        let actions = asset.map_or_else(
            || {
                vec![Arc::new(Action::new(
                    "hold",
                    Category::Logistics,
                    "dummy".into(),
                ))]
            },
            |asset| (0..self.actions).map(|_| action(asset, g)).collect(),
        );
        let of = Components::drawn(g, (0.3, 0.9), (0.1, 0.5), (0.1, 0.4));
        let objective = Arc::clone(&self.objective);
        Plan::linear(Force::Red, actions, objective, of.quality(), "military").of(of)
    }

    /// So many responses from one stream: fewer are always the beginning of more.
    pub fn samples(&self, g: &mut Random, n: usize) -> Vec<Plan> {
        (0..n).map(|_| self.sample(g)).collect()
    }
}

fn action(asset: &Asset, g: &mut Random) -> Arc<Action> {
    let what = TYPES[g.choice(TYPES.len())];
    let category = Category::ALL[g.choice(Category::ALL.len())];
    Arc::new(Action {
        target_location: Some((g.uniform(0.0, 100.0), g.uniform(0.0, 100.0))),
        priority: g.randint(1, 10),
        expected_duration_s: g.uniform(30.0, 600.0),
        ..Action::new(what, category, Arc::clone(&asset.asset_id))
    })
}

/// The place of the first plan of the greatest quality (§6.2).
pub fn by_quality(plans: &[Plan]) -> usize {
    first_max(plans.iter().map(|p| p.quality_score)).unwrap_or(0)
}

/// The place of the first plan that is best by quality and the proxy d (§6.3).
pub fn by_constraint(plans: &[Plan]) -> usize {
    first_max(plans.iter().map(|p| mixed(p.quality_score, proxy(p)))).unwrap_or(0)
}
