//! The figures of a plan computed anew, beside what its file says; who is on the front of (p, D); whether the ids of the
//! benchmark give the same plans again.

use crate::arena::advplan::file::{Entry, TypedArena};
use crate::arena::advplan::model::Plan;
use crate::arena::advplan::payoff::payoff;
use crate::arena::advplan::rubric::{Rubric, TERMS, proxy};
use crate::arena::advplan::structure::Structure;
use crate::arena::advplan::study::Played;
use crate::arena::advplan::traces::{plans, replay};
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
        let [a, b, c, d, e, f] = rubric.0;
        let s = Structure::of(plan);
        Self([
            plan.quality_score,
            payoff(plan.quality_score),
            a,
            b,
            c,
            d,
            e,
            f,
            rubric.alignment(),
            proxy(plan),
            s.path_optionality,
            s.vertex_parsimony,
            s.worldline_completion,
        ])
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

/// Whether two figures are the same to the last digit; what is no number is the same as what is none.
fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
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
    let mut groups: std::collections::BTreeMap<(&str, &str), Vec<usize>> =
        std::collections::BTreeMap::new();
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

/// How a plan of the benchmark compares with the one that its id makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Again {
    /// It is the same.
    Same,
    /// It is another, in these fields.
    Other(Vec<&'static str>),
    /// The benchmark makes no plan of that id.
    Unknown,
}

/// Makes the plans of the benchmark again by their ids, every scenario once, and compares. In the order of the file.
pub fn again(arena: &TypedArena) -> Vec<Again> {
    let mut order: Vec<usize> = (0..arena.plans.len()).collect();
    let of = |at: &usize| arena.plans.get(*at).map_or("", Entry::scenario);
    order.sort_by(|a, b| of(a).cmp(of(b)));
    let mut all = vec![Again::Unknown; arena.plans.len()];
    for own in order.chunk_by(|a, b| of(a) == of(b)) {
        let scenario = own.first().map_or("", of);
        let played = replay(scenario).filter(|p| p.scenario.profile.scenario_id == scenario);
        let Some(played) = played else { continue };
        for at in own {
            if let (Some(it), Some(entry)) = (all.get_mut(*at), arena.plans.get(*at)) {
                *it = compared(entry, &played);
            }
        }
    }
    all
}

fn compared(entry: &Entry, played: &Played) -> Again {
    let all = plans(played);
    let Some((_, ours)) = all.iter().find(|(id, _)| *id == entry.id) else {
        return Again::Unknown;
    };
    let theirs = &entry.plan;
    let fields = [
        ("force", theirs.force == ours.force),
        ("actions", theirs.actions == ours.actions),
        ("chain", theirs.chain == ours.chain),
        ("objective", theirs.objective == ours.objective),
        (
            "quality_score",
            same(theirs.quality_score, ours.quality_score),
        ),
        ("domain", theirs.domain == ours.domain),
        ("components", theirs.components == ours.components),
    ];
    let other: Vec<&str> = fields.iter().filter(|f| !f.1).map(|f| f.0).collect();
    if other.is_empty() {
        Again::Same
    } else {
        Again::Other(other)
    }
}
