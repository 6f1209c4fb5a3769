//! Percentile bootstrap (§9). The reported mean is that of the replicates, not of the sample.

use std::collections::BTreeMap;

use crate::arena::advplan::python::{Column, Num, Random, sum};

/// Replicates.
pub const REPLICATES: usize = 1000;

/// The share of replicates within the interval.
pub const CONFIDENCE: f64 = 0.95;

/// The places of both ends among the sorted replicates.
const ENDS: (usize, usize) = (25, 975);

/// What resampling says of a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The mean of the replicates.
    pub mean: f64,
    /// The lower end.
    pub lower: Num,
    /// The upper end.
    pub upper: Num,
}

/// Resamples. The generator starts anew for every metric, so that metrics of one length share their draws.
#[derive(Debug, Default)]
pub struct Resampler {
    drawn: BTreeMap<usize, Vec<u32>>,
}

impl Resampler {
    /// The places drawn for samples of a length, replicate after replicate.
    pub fn draws(&mut self, n: usize) -> &[u32] {
        self.drawn.entry(n).or_insert_with(|| {
            let mut g = Random::new(0);
            let of = u32::try_from(n).unwrap_or(u32::MAX);
            g.many_below(of, n * REPLICATES)
        })
    }

    /// The interval of a column's mean; of an empty one, zeros.
    pub fn interval(&mut self, column: &Column) -> Interval {
        if column.is_empty() {
            let none = Num::Float(0.0);
            return Interval {
                mean: 0.0,
                lower: none,
                upper: none,
            };
        }
        if column.is_constant() {
            // Every replicate has the same mean; their sum still is the sum of so many.
            let means = vec![column.mean(); REPLICATES];
            return Interval {
                mean: sum(means.iter().copied()) / REPLICATES as f64,
                lower: means[ENDS.0],
                upper: means[ENDS.1],
            };
        }
        let draws = self.draws(column.len());
        let mut means = column.means_at(draws);
        means.sort_by(|a, b| a.get().total_cmp(&b.get()));
        let at = |i: usize| means.get(i).copied().unwrap_or(Num::Float(f64::NAN));
        Interval {
            mean: sum(means.iter().copied()) / REPLICATES as f64,
            lower: at(ENDS.0),
            upper: at(ENDS.1),
        }
    }
}
