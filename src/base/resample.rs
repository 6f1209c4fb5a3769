//! How sure a number computed from a sample is: the percentile bootstrap, with a generator of its own, so that the same
//! sample gives the same digits on every machine.

use crate::base::chance::Chance;

/// How often the sample is drawn anew.
pub const ROUNDS: usize = 2_000;

/// Where 95 per cent of the replicates of a statistic lie: the lower end, then the upper.
///
/// `statistic` computes it from the places (below `n`) of one drawn sample of the same size; a replicate that has none is
/// left out. `None` for an empty sample, and where no replicate has one.
pub fn interval(
    n: usize,
    statistic: impl Fn(&mut dyn Iterator<Item = usize>) -> Option<f64>,
) -> Option<(f64, f64)> {
    if n == 0 {
        return None;
    }
    let mut chance = Chance::new(n as u64);
    let mut replicates: Vec<f64> = (0..ROUNDS)
        .filter_map(|_| {
            // Every draw is made whether it is looked at or not: the next replicate begins at the same place.
            let drawn: Vec<usize> = (0..n).map(|_| chance.below(n)).collect();
            statistic(&mut drawn.into_iter())
        })
        .collect();
    replicates.sort_by(f64::total_cmp);
    // In thousandths of the last place, rounded to the nearest.
    let at = |share: usize| {
        let last = replicates.len().saturating_sub(1);
        replicates.get((last * share + 500) / 1000).copied()
    };
    Some((at(25)?, at(975)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_certain_and_nothing_has_no_interval() {
        assert_eq!(interval(5, |_| Some(2.0)), Some((2.0, 2.0)));
        assert_eq!(interval(0, |_| Some(2.0)), None);
        assert_eq!(interval(5, |_| None), None);
    }

    #[test]
    fn a_draw_that_is_not_looked_at_moves_no_other() {
        let mean = |all: &mut dyn Iterator<Item = usize>| Some(all.sum::<usize>() as f64 / 10.0);
        let whole = interval(10, mean).unwrap();
        assert!(
            whole.0 > 2.0 && whole.0 < 3.3 && whole.1 > 5.7 && whole.1 < 7.0,
            "{whole:?}"
        );
        assert_eq!(interval(10, mean), Some(whole));
    }
}
