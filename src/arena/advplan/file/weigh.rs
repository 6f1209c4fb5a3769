//! The figures of a plan computed anew, beside what its file says; who is on the front of (p, D).

use std::collections::BTreeMap;

use crate::arena::advplan::file::{Entry, TypedArena};
use crate::arena::advplan::model::Plan;
use crate::arena::advplan::payoff::payoff;
use crate::arena::advplan::rubric::{Rubric, TERMS, proxy};
use crate::arena::advplan::structure::Structure;
use crate::arena::frontier::pareto::{Better, Standing, standings};

/// The figures of a plan, by the names they have in files.
pub const NAMES: [&str; 13] = [
    "quality",
    "payoff",
    TERMS[0],
    TERMS[1],
    TERMS[2],
    TERMS[3],
    TERMS[4],
    TERMS[5],
    "alignment",
    "proxy",
    "path_optionality",
    "vertex_parsimony",
    "worldline_completion",
];

/// What a plan comes to, each figure in its place in [`NAMES`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed(pub [f64; 13]);

impl Weighed {
    /// Computes them all from the plan. A quality that is not finite stays what it is, and so does p.
    pub fn of(plan: &Plan) -> Self {
        let rubric = Rubric::of(plan);
        let structure = Structure::of(plan);
        let later = [
            rubric.alignment(),
            proxy(plan),
            structure.path_optionality,
            structure.vertex_parsimony,
            structure.worldline_completion,
        ];
        let q = plan.quality_score;
        let figures = [q, payoff(q)].into_iter().chain(rubric.0).chain(later);
        let mut all = [0.0; NAMES.len()];
        for (place, figure) in all.iter_mut().zip(figures) {
            *place = figure;
        }
        Self(all)
    }

    /// A figure by its name.
    pub fn get(&self, name: &str) -> f64 {
        let at = NAMES.iter().position(|n| *n == name);
        at.and_then(|at| self.0.get(at))
            .copied()
            .unwrap_or(f64::NAN)
    }
}

/// A figure that is said to be something else than it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Differs {
    /// Which.
    pub name: &'static str,
    /// What the file says.
    pub said: f64,
    /// What the plan comes to.
    pub ours: f64,
}

impl Differs {
    /// What is the matter, in words.
    pub fn words(&self) -> String {
        let Self { name, said, ours } = self;
        if *name == "components" {
            return format!("quality_score is {said}, its components make {ours}");
        }
        format!("{name}: the file says {said}, computed {ours}")
    }
}

/// Whether two figures are the same to the last digit; what is no number is the same as what is none.
pub(super) fn same(a: f64, b: f64) -> bool {
    a.partial_cmp(&b).is_some_and(std::cmp::Ordering::is_eq) || (a.is_nan() && b.is_nan())
}

/// Where an entry says of its plan what does not follow from it.
pub fn differences(entry: &Entry, ours: &Weighed) -> Vec<Differs> {
    let said = entry.said.iter().map(|(name, said)| Differs {
        name,
        said: *said,
        ours: ours.get(name),
    });
    let made = entry.plan.components.map(|c| Differs {
        name: "components",
        said: entry.plan.quality_score,
        ours: c.quality(),
    });
    said.chain(made).filter(|d| !same(d.said, d.ours)).collect()
}

/// The standing of every plan on (p, D), among the plans of its side and its scenario.
pub fn fronts(arena: &TypedArena, weighed: &[Weighed]) -> Vec<Standing> {
    let mut groups: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, entry) in arena.plans.iter().enumerate() {
        let scenario = if arena.headed { "" } else { entry.scenario() };
        let group = (scenario, entry.plan.force.name());
        groups.entry(group).or_default().push(at);
    }
    let mut all = vec![Standing::Unscored; arena.plans.len()];
    for places in groups.into_values() {
        let point = |at: &usize| {
            let w = weighed.get(*at);
            w.map_or_else(Vec::new, |w| vec![w.get("payoff"), w.get("alignment")])
        };
        let points: Vec<Vec<f64>> = places.iter().map(point).collect();
        let own = standings(&[Better::Higher, Better::Higher], &points);
        for (at, standing) in places.iter().zip(own) {
            if let Some(it) = all.get_mut(*at) {
                *it = match standing {
                    Standing::Dominated(by) => places
                        .get(by)
                        .map_or(Standing::Unscored, |by| Standing::Dominated(*by)),
                    other => other,
                };
            }
        }
    }
    all
}
