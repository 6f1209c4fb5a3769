//! Hypervolume: how much of the space between a reference point and the ideal a set of points covers.

use crate::arena::frontier::pareto::Better;

/// The volume that the points dominate, above the reference point, in the product of the axes' units. Points that are
/// worse than the reference on an axis, or have no finite score there, add nothing.
///
/// Exact, by slicing along the last axis: fine for some hundred points on up to five axes.
pub fn hypervolume(axes: &[Better], reference: &[f64], points: &[Vec<f64>]) -> f64 {
    if axes.is_empty() || reference.len() != axes.len() {
        return 0.0;
    }
    let lifted = points.iter().filter_map(|p| {
        if p.len() != axes.len() {
            return None;
        }
        let over: Vec<f64> = axes
            .iter()
            .zip(p.iter().zip(reference))
            .map(|(a, (x, r))| a.turned(*x) - a.turned(*r))
            .collect();
        over.iter()
            .all(|x| x.is_finite() && *x > 0.0)
            .then_some(over)
    });
    slices(lifted.collect(), axes.len())
}

/// The volume of the union of boxes from the origin to each point, on the first `axes` of their scores.
fn slices(mut points: Vec<Vec<f64>>, axes: usize) -> f64 {
    let Some(last) = axes.checked_sub(1) else {
        return 0.0;
    };
    let height = |p: &Vec<f64>| p.get(last).copied().unwrap_or_default();
    points.sort_by(|a, b| height(b).total_cmp(&height(a)));
    if last == 0 {
        return points.first().map_or(0.0, height);
    }
    let mut volume = 0.0;
    for i in 0..points.len() {
        let (top, floor) = (
            points.get(i).map_or(0.0, height),
            points.get(i + 1).map_or(0.0, height),
        );
        if top > floor {
            let above: Vec<Vec<f64>> = points.iter().take(i + 1).cloned().collect();
            volume += (top - floor) * slices(above, last);
        }
    }
    volume
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::chance::Chance;
    use Better::{Higher, Lower};

    #[test]
    fn boxes_that_overlap_count_once() {
        let all = [
            vec![1.0, 3.0],
            vec![2.0, 2.0],
            vec![3.0, 1.0],
            vec![1.0, 1.0],
        ];
        assert!((hypervolume(&[Higher, Higher], &[0.0, 0.0], &all) - 6.0).abs() < 1e-12);
        assert!((hypervolume(&[Higher, Lower], &[0.0, 4.0], &all) - 9.0).abs() < 1e-12);
        assert!(hypervolume(&[Higher, Higher], &[3.0, 3.0], &all).abs() < 1e-12);
        let odd = [vec![f64::NAN, 1.0], vec![1.0]];
        assert!(hypervolume(&[Higher, Higher], &[0.0, 0.0], &odd).abs() < 1e-12);
    }

    #[test]
    fn slicing_counts_the_cells_of_a_grid() {
        let mut chance = Chance::new(3);
        for _ in 0..100 {
            let all: Vec<Vec<f64>> = (0..chance.below(8))
                .map(|_| (0..3).map(|_| chance.below(5) as f64).collect())
                .collect();
            let mut cells = 0;
            for at in 0..125 {
                let cell = [at % 5, at / 5 % 5, at / 25].map(f64::from);
                let inside = |p: &Vec<f64>| p.iter().zip(cell).all(|(x, c)| *x > c);
                cells += i32::from(all.iter().any(inside));
            }
            let found = hypervolume(&[Higher; 3], &[0.0; 3], &all);
            assert!((found - f64::from(cells)).abs() < 1e-9, "{all:?}");
        }
    }
}
