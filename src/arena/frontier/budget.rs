//! Budget curves and paired differences: means over scenarios with intervals from resampled scenarios.

use crate::base::resample;

/// A mean and where 95 per cent of the resampled means lie, in the unit of what was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Over how many scenarios.
    pub n: usize,
    /// The mean of the sample itself, not of its replicates.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The mean of one number a scenario by the percentile bootstrap over whole scenarios. `None` without any. Numbers that
/// are not finite make the mean so.
pub fn estimate(values: &[f64]) -> Option<Estimate> {
    if values.is_empty() {
        return None;
    }
    let n = values.len();
    let mean = values.iter().sum::<f64>() / n as f64;
    let (low, high) = resample::interval(n, |drawn| {
        let drawn = drawn.filter_map(|i| values.get(i));
        Some(drawn.sum::<f64>() / n as f64)
    })?;
    Some(Estimate { n, mean, low, high })
}

/// The mean of the second minus the first over scenarios that have both, resampled in pairs: scenarios are as hard for
/// one as for the other, so their spread does not count.
pub fn paired(first: &[Option<f64>], second: &[Option<f64>]) -> Option<Estimate> {
    let pairs = first.iter().zip(second);
    let differences: Vec<f64> = pairs.filter_map(|(a, b)| Some((*b)? - (*a)?)).collect();
    estimate(&differences)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_holds_its_mean_and_does_not_move() {
        let values: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
        let found = estimate(&values).unwrap();
        assert!((found.mean - 0.5).abs() < 1e-12);
        assert!(found.low > 0.38 && found.low < 0.43, "{found:?}");
        assert!(found.high > 0.57 && found.high < 0.62, "{found:?}");
        assert_eq!(estimate(&values), Some(found));
        assert_eq!(estimate(&[]), None);
    }

    #[test]
    fn pairs_leave_out_what_only_one_side_has() {
        let first = [Some(0.0), Some(10.0), None, Some(20.0)];
        let second = [Some(1.0), Some(11.0), Some(5.0), Some(21.0)];
        let found = paired(&first, &second).unwrap();
        assert_eq!(
            (found.n, found.mean, found.low, found.high),
            (3, 1.0, 1.0, 1.0)
        );
    }
}
