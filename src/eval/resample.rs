//! How sure a rate is, and whether two evaluations differ: resampling of tasks with a generator of its own, so that the
//! same runs give the same digits on every machine.

use crate::base::resample;
use crate::eval::case::Case;

/// Where 95 per cent of the resampled rates lie, in per cent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The interval of a rate by the percentile bootstrap over tasks: each task counts `n` of `of`. `None` where there is
/// nothing to count.
pub fn interval(tasks: &[(usize, usize)]) -> Option<Interval> {
    let total: usize = tasks.iter().map(|(_, of)| of).sum();
    if total == 0 {
        return None;
    }
    resampled(tasks.len(), |drawn| {
        let (n, of) = drawn
            .filter_map(|i| tasks.get(i))
            .fold((0, 0), |(n, of), (a, b)| (n + a, of + b));
        (of > 0).then(|| 100.0 * n as f64 / of as f64)
    })
}

fn resampled(
    n: usize,
    statistic: impl Fn(&mut dyn Iterator<Item = usize>) -> Option<f64>,
) -> Option<Interval> {
    let (low, high) = resample::interval(n, statistic)?;
    Some(Interval { low, high })
}

/// Two evaluations compared task by task.
#[derive(Clone, Debug, PartialEq)]
pub struct Paired {
    /// Tasks both have.
    pub tasks: usize,
    /// Tasks that only the first solves.
    pub only_first: Vec<String>,
    /// Tasks that only the second solves.
    pub only_second: Vec<String>,
    /// The second's rate minus the first's, in percentage points.
    pub difference: f64,
    /// Where 95 per cent of the resampled differences lie.
    pub interval: Option<Interval>,
    /// The exact two-sided test of `McNemar`: how likely a split as uneven as this is by chance.
    pub p: f64,
}

/// Compares two sets of runs on the tasks both have, one run a task, by what `solved` says of each.
pub fn paired(first: &[Case], second: &[Case], solved: impl Fn(&Case) -> bool) -> Paired {
    let pairs: Vec<(&str, bool, bool)> = first
        .iter()
        .filter_map(|a| {
            let b = second.iter().find(|b| b.task == a.task)?;
            Some((a.task.as_str(), solved(a), solved(b)))
        })
        .collect();
    let only = |want: (bool, bool)| -> Vec<String> {
        let those = pairs.iter().filter(|(_, a, b)| (*a, *b) == want);
        those.map(|(task, ..)| (*task).to_owned()).collect()
    };
    let (only_first, only_second) = (only((true, false)), only((false, true)));
    let points = |n: i64| 100.0 * n as f64 / pairs.len().max(1) as f64;
    let gain = |(_, a, b): &(&str, bool, bool)| i64::from(*b) - i64::from(*a);
    Paired {
        tasks: pairs.len(),
        difference: points(pairs.iter().map(gain).sum()),
        interval: resampled(pairs.len(), |drawn| {
            Some(points(drawn.filter_map(|i| pairs.get(i)).map(gain).sum()))
        }),
        p: mcnemar(only_first.len(), only_second.len()),
        only_first,
        only_second,
    }
}

/// The exact two-sided test of `McNemar` on the numbers of tasks only one side solves.
fn mcnemar(a: usize, b: usize) -> f64 {
    let (n, k) = (a + b, a.min(b));
    // The sum of n over i for i up to k, divided by 2^n, in logarithms lest it overflow.
    let mut log = -(n as f64) * std::f64::consts::LN_2;
    let mut sum = 0.0;
    for i in 0..=k {
        sum += log.exp();
        log += ((n - i) as f64 / (i + 1) as f64).ln();
    }
    (2.0 * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mcnemar_is_the_binomial_tail() {
        assert!((mcnemar(0, 0) - 1.0).abs() < 1e-12);
        assert!((mcnemar(0, 5) - 2.0 / 32.0).abs() < 1e-12);
        assert!((mcnemar(2, 8) - 2.0 * 56.0 / 1024.0).abs() < 1e-12);
        assert!((mcnemar(5, 5) - 1.0).abs() < 1e-12);
        assert!(mcnemar(10, 5000) < 1e-300);
    }

    #[test]
    fn intervals_hold_the_rate_and_do_not_move() {
        let tasks: Vec<(usize, usize)> = (0..100).map(|i| (usize::from(i % 4 == 0), 1)).collect();
        let found = interval(&tasks).unwrap();
        assert!(found.low > 15.0 && found.low < 19.0, "{found:?}");
        assert!(found.high > 31.0 && found.high < 36.0, "{found:?}");
        assert_eq!(interval(&tasks), Some(found));
        assert_eq!(
            interval(&[(1, 1), (2, 2)]),
            Some(Interval {
                low: 100.0,
                high: 100.0
            })
        );
        assert_eq!(interval(&[]), None);
        assert_eq!(interval(&[(0, 0)]), None);
    }
}
