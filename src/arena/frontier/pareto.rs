//! Pareto sets: a point is dominated when another is at least as good on every axis and better on one.

/// Which way an axis is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Better {
    /// More is better, as of success.
    Higher,
    /// Less is better, as of steps.
    Lower,
}

impl Better {
    /// The score turned so that more is better.
    pub fn turned(self, score: f64) -> f64 {
        match self {
            Self::Higher => score,
            Self::Lower => -score,
        }
    }
}

/// Where a point stands among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing dominates it.
    Front,
    /// This point of the front dominates it: of several the first in the order of the points.
    Dominated(usize),
    /// A score of it is missing or not finite, so it is compared with nothing.
    Unscored,
}

/// How each point stands. Every point has one score an axis, in the order of `axes`; equal points are all on the front.
///
/// Sorting first makes this `n log n + n f` for a front of `f` points, so that a million candidates are no matter.
pub fn standings(axes: &[Better], points: &[Vec<f64>]) -> Vec<Standing> {
    let turned: Vec<Option<Vec<f64>>> = points
        .iter()
        .map(|p| {
            let whole = p.len() == axes.len() && p.iter().all(|x| x.is_finite());
            whole.then(|| axes.iter().zip(p).map(|(a, x)| a.turned(*x)).collect())
        })
        .collect();
    let mut order: Vec<(usize, &[f64])> = turned
        .iter()
        .enumerate()
        .filter_map(|(i, p)| Some((i, p.as_deref()?)))
        .collect();
    // Best first on the first axis, then the next: what dominates a point stands before it.
    order.sort_by(|(i, a), (j, b)| compare(b, a).then(i.cmp(j)));
    let mut all = vec![Standing::Unscored; points.len()];
    let mut front: Vec<(usize, &[f64])> = Vec::new();
    for (i, point) in order {
        let by = front
            .iter()
            .filter(|(_, f)| dominates(f, point))
            .map(|(j, _)| *j)
            .min();
        if let Some(standing) = all.get_mut(i) {
            *standing = by.map_or(Standing::Front, Standing::Dominated);
        }
        if by.is_none() {
            front.push((i, point));
        }
    }
    all
}

/// All points that dominate one, in their order.
pub fn dominators(axes: &[Better], points: &[Vec<f64>], of: usize) -> Vec<usize> {
    let turned = |p: &Vec<f64>| -> Option<Vec<f64>> {
        let whole = p.len() == axes.len() && p.iter().all(|x| x.is_finite());
        whole.then(|| axes.iter().zip(p).map(|(a, x)| a.turned(*x)).collect())
    };
    let Some(point) = points.get(of).and_then(turned) else {
        return Vec::new();
    };
    let above = points
        .iter()
        .enumerate()
        .filter(|(i, p)| *i != of && turned(p).is_some_and(|p| dominates(&p, &point)));
    above.map(|(i, _)| i).collect()
}

/// The places of the points on the front, in their order.
pub fn front(standings: &[Standing]) -> Vec<usize> {
    let on = standings.iter().enumerate();
    on.filter(|(_, s)| **s == Standing::Front)
        .map(|(i, _)| i)
        .collect()
}

/// How the front moved from one round to the next, by what names a candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Movement<K> {
    /// On the front now and not before.
    pub came: Vec<K>,
    /// On the front before and not now.
    pub left: Vec<K>,
    /// On both.
    pub stayed: Vec<K>,
}

/// Compares two fronts.
pub fn movement<K: Clone + PartialEq>(before: &[K], now: &[K]) -> Movement<K> {
    let only = |a: &[K], b: &[K], both: bool| -> Vec<K> {
        let those = a.iter().filter(|k| b.contains(k) == both);
        those.cloned().collect()
    };
    Movement {
        came: only(now, before, false),
        left: only(before, now, false),
        stayed: only(now, before, true),
    }
}

fn compare(a: &[f64], b: &[f64]) -> std::cmp::Ordering {
    let pairs = a.iter().zip(b);
    // Zero has one place, whichever sign it was computed with.
    let mut differ = pairs.map(|(x, y)| (x + 0.0).total_cmp(&(y + 0.0)));
    differ
        .find(|o| o.is_ne())
        .unwrap_or(std::cmp::Ordering::Equal)
}

fn dominates(a: &[f64], b: &[f64]) -> bool {
    let mut better = false;
    for (x, y) in a.iter().zip(b) {
        if x < y {
            return false;
        }
        better |= x > y;
    }
    better
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::chance::Chance;
    use Better::{Higher, Lower};
    use Standing::{Dominated, Front, Unscored};

    fn points(all: &[[f64; 2]]) -> Vec<Vec<f64>> {
        all.iter().map(|p| p.to_vec()).collect()
    }

    #[test]
    fn the_better_dominates_and_equals_do_not() {
        let all = points(&[
            [0.5, 9.0],
            [0.5, 7.0],
            [1.0, 9.0],
            [0.5, 7.0],
            [f64::NAN, 1.0],
        ]);
        let found = standings(&[Higher, Lower], &all);
        assert_eq!(found, [Dominated(1), Front, Front, Front, Unscored]);
        assert_eq!(dominators(&[Higher, Lower], &all, 0), [1, 2, 3]);
        assert_eq!(front(&found), [1, 2, 3]);
    }

    #[test]
    fn both_signs_of_zero_are_one_score() {
        let all = points(&[[0.0, 1.0], [-0.0, 2.0]]);
        assert_eq!(standings(&[Higher, Higher], &all), [Dominated(1), Front]);
    }

    #[test]
    fn sorting_changes_nothing_of_the_definition() {
        let mut chance = Chance::new(7);
        for _ in 0..200 {
            let n = chance.below(30);
            let all: Vec<Vec<f64>> = (0..n)
                .map(|_| (0..3).map(|_| chance.below(4) as f64).collect())
                .collect();
            let axes = [Higher, Lower, Higher];
            let found = standings(&axes, &all);
            for (i, s) in found.iter().enumerate() {
                let by = dominators(&axes, &all, i);
                match s {
                    Front => assert!(by.is_empty()),
                    Dominated(j) => assert!(by.contains(j) && found[*j] == Front),
                    Unscored => panic!("all scores are finite"),
                }
            }
        }
    }

    #[test]
    fn a_front_moves() {
        let moved = movement(&["B1", "B2"], &["B2", "B1r1"]);
        assert_eq!(
            moved,
            Movement {
                came: vec!["B1r1"],
                left: vec!["B1"],
                stayed: vec!["B2"]
            }
        );
    }
}
