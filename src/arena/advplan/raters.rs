//! The rubric sensitivity study (§8): three "raters", each a fixed change of the rubric. Their agreement says nothing
//! about a plan (§14.14).

use crate::arena::advplan::python::{csum, mean};
use crate::arena::advplan::rubric::{ALPHABETICAL, Rubric};

/// What three raters come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The mean agreement of all pairs, from 0 to 1.
    pub agreement: f64,
    /// The mean distance of a rated term from the rubric's.
    pub deviation: f64,
}

/// How many raters there are.
pub const RATERS: usize = 3;

/// The ratings: the rubric; more for supply and less for balance; more for care and less for tempo.
pub fn ratings(rubric: &Rubric) -> [Rubric; RATERS] {
    let [clarity, scouting, balance, supply, care, tempo] = rubric.0;
    let (more, less) = (
        |x: f64, by: f64| (x + by).min(1.0),
        |x: f64, by: f64| (x - by).max(0.0),
    );
    [
        *rubric,
        Rubric([
            clarity,
            scouting,
            less(balance, 0.05),
            more(supply, 0.10),
            care,
            tempo,
        ]),
        Rubric([
            clarity,
            scouting,
            balance,
            supply,
            more(care, 0.05),
            less(tempo, 0.10),
        ]),
    ]
}

/// Rates a rubric.
pub fn rate(rubric: &Rubric) -> Rating {
    let all = ratings(rubric);
    let mut agreement = 0.0;
    for (i, a) in all.iter().enumerate() {
        for b in all.iter().skip(i + 1) {
            let apart = csum(ALPHABETICAL.map(|t| (a.0[t] - b.0[t]).abs())) / 6.0;
            agreement += 1.0 - apart.min(1.0);
        }
    }
    let distances: Vec<f64> = all
        .iter()
        .flat_map(|r| r.0.iter().zip(rubric.0).map(|(x, y)| (x - y).abs()))
        .collect();
    Rating {
        agreement: agreement / 3.0,
        deviation: mean(&distances),
    }
}
