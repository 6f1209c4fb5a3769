//! The zero-sum game of plans against responses: what it is worth, how to play it, how far a plan can be exploited.
//!
//! BLUE picks a row and wants much, RED picks a column and wants little. The value comes from the linear programme of
//! von Neumann's theorem, solved by the simplex method; what is told are the *bounds that the two mixes prove*: BLUE's
//! mix earns at least `low` whatever RED does, RED's holds every plan to `high`. They meet when the answer is exact.

/// How near the bounds must be to be told as one value.
const EXACT: f64 = 1e-9;

/// How many pivots are made at most for each row and column.
const PIVOTS: usize = 50;

/// What a game comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// What BLUE's mix earns at least.
    pub low: f64,
    /// What RED's mix lets through at most.
    pub high: f64,
    /// How often BLUE plays each row.
    pub blue: Vec<f64>,
    /// How often RED plays each column.
    pub red: Vec<f64>,
}

impl Game {
    /// The value, where the bounds meet.
    pub fn value(&self) -> Option<f64> {
        (self.high - self.low <= EXACT).then_some(self.low)
    }

    /// How much the two mixes together leave to whoever answers best; 0 at an equilibrium.
    pub fn exploitability(&self) -> f64 {
        self.high - self.low
    }
}

/// Solves a game: one row a plan, one column a response, payoffs to BLUE. `None` without rows or columns, where rows
/// differ in length, or where a payoff is not finite.
pub fn solve(payoffs: &[Vec<f64>]) -> Option<Game> {
    let columns = payoffs.first()?.len();
    let sound = |row: &Vec<f64>| row.len() == columns && row.iter().all(|x| x.is_finite());
    if columns == 0 || !payoffs.iter().all(sound) {
        return None;
    }
    let (blue, red) = mixes(payoffs, columns);
    let low = (0..columns)
        .map(|j| earned(payoffs, &blue, j))
        .fold(f64::INFINITY, f64::min);
    let high = payoffs
        .iter()
        .map(|row| row.iter().zip(&red).map(|(x, q)| x * q).sum())
        .fold(f64::NEG_INFINITY, f64::max);
    Some(Game {
        low,
        high,
        blue,
        red,
    })
}

/// Solves a game in which some payoffs are not known, which are not finite: they are taken at `least` for the lower bound
/// and BLUE's mix, and at `most` for the upper one and RED's. Where all are known this is [`solve`].
pub fn between(payoffs: &[Vec<f64>], least: f64, most: f64) -> Option<Game> {
    let with = |missing: f64| -> Vec<Vec<f64>> {
        let row = |row: &Vec<f64>| {
            let cells = row.iter().copied();
            cells
                .map(|x| if x.is_finite() { x } else { missing })
                .collect()
        };
        payoffs.iter().map(row).collect()
    };
    let whole = payoffs.iter().flatten().all(|x| x.is_finite());
    if whole {
        return solve(payoffs);
    }
    let low = solve(&with(least))?;
    let high = solve(&with(most))?;
    Some(Game {
        low: low.low,
        high: high.high,
        blue: low.blue,
        red: high.red,
    })
}

/// What a mix of rows earns against a column.
fn earned(payoffs: &[Vec<f64>], blue: &[f64], column: usize) -> f64 {
    let cell = |row: &Vec<f64>| row.get(column).copied().unwrap_or_default();
    payoffs.iter().zip(blue).map(|(row, p)| cell(row) * p).sum()
}

/// The worst case of a row, and the first column that brings it.
pub fn worst(row: &[f64]) -> Option<(usize, f64)> {
    let mut found: Option<(usize, f64)> = None;
    for (j, &x) in row.iter().enumerate() {
        if found.is_none_or(|(_, least)| x < least) {
            found = Some((j, x));
        }
    }
    found
}

/// How much RED gains over the value when BLUE plays this row alone: the value minus the row's worst case.
pub fn exploitable(game: &Game, row: &[f64]) -> Option<f64> {
    worst(row).map(|(_, least)| game.low - least)
}

/// The published imbalance of two payoffs, `|p + q - 1|`, there called Nash gap. It is no measure of exploitability
/// (`AdvPlan-Bench`, diagnostics): it is 0 when both sides are worthless and grows with either side's quality.
pub fn nash_gap(blue: f64, red: f64) -> f64 {
    (blue + red - 1.0).abs()
}

/// A simplex tableau: maximise the sum of `y` under `B y <= 1`, `y >= 0`, where every payoff in `B` is positive.
struct Tableau {
    /// One row a constraint: columns of `y`, slacks, the right side.
    rows: Vec<Vec<f64>>,
    /// What is still to be gained, with the sum reached at its end.
    gains: Vec<f64>,
    /// Per row: which variable it stands for.
    basis: Vec<usize>,
}

fn mixes(payoffs: &[Vec<f64>], columns: usize) -> (Vec<f64>, Vec<f64>) {
    let least = payoffs
        .iter()
        .flatten()
        .copied()
        .fold(f64::INFINITY, f64::min);
    let most = payoffs
        .iter()
        .flatten()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    // Every payoff becomes a number from 1 to 2: the mixes stay the same, the arithmetic stays well-scaled.
    let span = if most > least { most - least } else { 1.0 };
    let m = payoffs.len();
    let rows = payoffs.iter().enumerate().map(|(i, row)| {
        let mut cells: Vec<f64> = row.iter().map(|x| (x - least) / span + 1.0).collect();
        cells.extend((0..m).map(|k| f64::from(u8::from(k == i))));
        cells.push(1.0);
        cells
    });
    let mut gains = vec![1.0; columns];
    gains.resize(columns + m + 1, 0.0);
    let mut t = Tableau {
        rows: rows.collect(),
        gains,
        basis: (columns..columns + m).collect(),
    };
    t.maximise(PIVOTS * (m + columns));
    let mut red = vec![0.0; columns];
    for (row, &variable) in t.rows.iter().zip(&t.basis) {
        if let (Some(q), Some(right)) = (red.get_mut(variable), row.last()) {
            *q = right.max(0.0);
        }
    }
    // BLUE's mix is what the slacks would still gain, with the sign turned.
    let blue = t.gains.iter().skip(columns).take(m).map(|g| (-g).max(0.0));
    (shares(blue.collect()), shares(red))
}

/// Scaled to the sum 1; all alike where there is nothing.
fn shares(mut all: Vec<f64>) -> Vec<f64> {
    let sum: f64 = all.iter().sum();
    let even = 1.0 / all.len().max(1) as f64;
    for x in &mut all {
        *x = if sum > 0.0 { *x / sum } else { even };
    }
    all
}

impl Tableau {
    fn maximise(&mut self, pivots: usize) {
        let mut stalled = 0;
        for _ in 0..pivots {
            // The steepest column first; Bland's rule after a while without gain, so that no cycle can last.
            let Some(enters) = self.entering(stalled > self.basis.len()) else {
                return;
            };
            let Some(leaves) = self.leaving(enters) else {
                return;
            };
            let before = self.gains.last().copied().unwrap_or_default();
            self.pivot(leaves, enters);
            let after = self.gains.last().copied().unwrap_or_default();
            stalled = if (before - after).abs() > EXACT {
                0
            } else {
                stalled + 1
            };
        }
    }

    fn entering(&self, first: bool) -> Option<usize> {
        let variables = self.gains.len() - 1;
        let mut best: Option<(usize, f64)> = None;
        for (j, &gain) in self.gains.iter().take(variables).enumerate() {
            if gain > EXACT && best.is_none_or(|(_, g)| gain > g) {
                best = Some((j, gain));
                if first {
                    break;
                }
            }
        }
        best.map(|(j, _)| j)
    }

    /// The row that bounds the column first; of equals the one with the lowest variable.
    fn leaving(&self, column: usize) -> Option<usize> {
        let mut best: Option<(usize, f64, usize)> = None;
        for (i, (row, &variable)) in self.rows.iter().zip(&self.basis).enumerate() {
            let (Some(&cell), Some(&right)) = (row.get(column), row.last()) else {
                continue;
            };
            if cell <= EXACT {
                continue;
            }
            let ratio = right / cell;
            let nearer = best.is_none_or(|(_, r, v)| ratio < r || ratio <= r && variable < v);
            if nearer {
                best = Some((i, ratio, variable));
            }
        }
        best.map(|(i, ..)| i)
    }

    fn pivot(&mut self, at: usize, column: usize) {
        let Some(row) = self.rows.get_mut(at) else {
            return;
        };
        let by = row.get(column).copied().unwrap_or(1.0);
        for x in row.iter_mut() {
            *x /= by;
        }
        let row = row.clone();
        let clear = |other: &mut Vec<f64>| {
            let times = other.get(column).copied().unwrap_or_default();
            if times != 0.0 {
                other
                    .iter_mut()
                    .zip(&row)
                    .for_each(|(x, r)| *x -= times * r);
            }
        };
        self.rows
            .iter_mut()
            .enumerate()
            .filter(|(i, _)| *i != at)
            .for_each(|(_, other)| clear(other));
        clear(&mut self.gains);
        if let Some(variable) = self.basis.get_mut(at) {
            *variable = column;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::chance::Chance;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn rock_paper_scissors_is_fair_and_mixed() {
        let game = solve(&[
            vec![0.0, -1.0, 1.0],
            vec![1.0, 0.0, -1.0],
            vec![-1.0, 1.0, 0.0],
        ])
        .unwrap();
        assert!(game.value().is_some_and(|v| near(v, 0.0)), "{game:?}");
        assert!(
            game.blue
                .iter()
                .chain(&game.red)
                .all(|p| near(*p, 1.0 / 3.0))
        );
    }

    /// The matrix drawn in the screen book: value 2/3, and the best plan alone can be held to 1/2.
    #[test]
    fn a_plan_alone_is_exploited_where_a_mix_is_not() {
        let payoffs = [
            vec![1.0, 1.0, 1.0, 0.5],
            vec![1.0, 0.0, 1.0, 1.0],
            vec![0.5, 0.5, 1.0, 0.5],
            vec![1.0, 0.0, 1.0, 0.5],
            vec![0.0, 0.0, 0.0, 0.0],
        ];
        let game = solve(&payoffs).unwrap();
        assert!(game.value().is_some_and(|v| near(v, 2.0 / 3.0)), "{game:?}");
        assert!(
            near(game.blue[0], 2.0 / 3.0) && near(game.blue[1], 1.0 / 3.0),
            "{game:?}"
        );
        assert!(
            near(game.red[1], 1.0 / 3.0) && near(game.red[3], 2.0 / 3.0),
            "{game:?}"
        );
        assert!(exploitable(&game, &payoffs[0]).is_some_and(|x| near(x, 1.0 / 6.0)));
        assert_eq!(worst(&payoffs[1]), Some((1, 0.0)));
        assert!(game.exploitability() < 1e-9);
    }

    #[test]
    fn a_saddle_is_pure() {
        let game = solve(&[vec![3.0, 5.0], vec![2.0, 9.0]]).unwrap();
        assert!(game.value().is_some_and(|v| near(v, 3.0)));
        assert_eq!((game.blue, game.red), (vec![1.0, 0.0], vec![1.0, 0.0]));
    }

    #[test]
    fn nothing_and_nonsense_have_no_value() {
        assert_eq!(solve(&[]), None);
        assert_eq!(solve(&[vec![]]), None);
        assert_eq!(solve(&[vec![1.0], vec![]]), None);
        assert_eq!(solve(&[vec![f64::NAN, 1.0]]), None);
        assert_eq!(solve(&[vec![f64::INFINITY]]), None);
        let one = solve(&[vec![0.5, 0.5]]).unwrap();
        assert_eq!(one.value(), Some(0.5));
    }

    #[test]
    fn the_bounds_meet_in_games_of_halves() {
        let mut chance = Chance::new(11);
        for round in 0..60 {
            let (m, n) = (1 + chance.below(40), 1 + chance.below(60));
            let payoffs: Vec<Vec<f64>> = (0..m)
                .map(|_| (0..n).map(|_| chance.below(3) as f64 / 2.0).collect())
                .collect();
            let game = solve(&payoffs).unwrap();
            assert!(
                game.value().is_some(),
                "round {round}: {} {}",
                game.low,
                game.high
            );
            let sums = [&game.blue, &game.red].map(|mix| mix.iter().sum::<f64>());
            assert!(sums.iter().all(|s| near(*s, 1.0)));
        }
    }

    #[test]
    fn two_hundred_plans_are_no_matter() {
        let mut chance = Chance::new(5);
        let payoffs: Vec<Vec<f64>> = (0..200)
            .map(|_| {
                (0..300)
                    .map(|_| chance.below(1000) as f64 / 1000.0)
                    .collect()
            })
            .collect();
        let game = solve(&payoffs).unwrap();
        assert!(game.exploitability() < 1e-6, "{}", game.exploitability());
    }

    #[test]
    fn the_published_gap_is_small_where_both_are_worthless() {
        assert!(near(nash_gap(0.5, 0.5), 0.0) && near(nash_gap(0.654, 0.647), 0.301));
    }
}
