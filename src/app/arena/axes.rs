//! The axes of the frontier: what candidates are compared by, where each stands, and who is ahead in what.

use crate::app::arena::house::{House, Row};
use crate::arena::frontier::pareto::{self, Better, Standing};
use crate::arena::house::model::Share;
use crate::base::figures::{figure, signed};

/// What candidates are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axis {
    /// In how many columns it succeeded safely.
    Good,
    /// In how many it was safe.
    Safe,
    /// Its least payoff.
    Worst,
    /// Its steps when nothing happens.
    Steps,
    /// V: how far its actions are from those of the others.
    Variety,
    /// S.
    Score,
}

/// Every axis, in the order the keys walk them.
pub const AXES: [Axis; 6] = [
    Axis::Good,
    Axis::Safe,
    Axis::Worst,
    Axis::Steps,
    Axis::Variety,
    Axis::Score,
];

impl Axis {
    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Safe => "safe",
            Self::Worst => "worst",
            Self::Steps => "steps",
            Self::Variety => "variety",
            Self::Score => "S",
        }
    }

    /// Which way it is good.
    pub const fn better(self) -> Better {
        match self {
            Self::Steps => Better::Lower,
            _ => Better::Higher,
        }
    }

    /// The axis after this one.
    #[must_use]
    pub fn next(self) -> Self {
        let at = AXES.iter().position(|a| *a == self).unwrap_or(0);
        AXES.get((at + 1) % AXES.len()).copied().unwrap_or(self)
    }

    /// A candidate's score; not a number where it has none yet.
    pub fn value(self, house: &House, row: &Row) -> f64 {
        let share = |s: Share| match s.of {
            0 => f64::NAN,
            of => f64::from(s.held) / f64::from(of),
        };
        let scored = || house.scored(row.at);
        match self {
            Self::Good => share(row.good),
            Self::Safe => share(row.safe),
            Self::Worst => row.worst.unwrap_or(f64::NAN),
            Self::Steps => row.steps.map_or(f64::NAN, f64::from),
            Self::Variety => scored().map_or(f64::NAN, |s| s.terms.variety),
            Self::Score => scored().map_or(f64::NAN, |s| s.score),
        }
    }

    /// The same in words: `3/4`, `27`, `.469`.
    pub fn words(self, house: &House, row: &Row) -> String {
        match self {
            Self::Good => row.good.to_string(),
            Self::Safe => row.safe.to_string(),
            Self::Steps => row.steps.map_or_else(|| "…".to_owned(), |n| n.to_string()),
            _ => figure(self.value(house, row), 3),
        }
    }

    /// By how much one is ahead of another, in words: `+1/4`, `−4`.
    fn ahead(self, house: &House, own: &Row, other: &Row) -> String {
        let pair = match self {
            Self::Good => Some((own.good, other.good)),
            Self::Safe => Some((own.safe, other.safe)),
            _ => None,
        };
        match pair {
            Some((a, b)) if a.of == b.of => {
                let by = f64::from(a.held) - f64::from(b.held);
                format!("{}/{}", signed(by, 0), a.of)
            }
            _ => {
                let by = self.value(house, own) - self.value(house, other);
                let digits = if self == Self::Steps { 0 } else { 3 };
                signed(by, digits)
            }
        }
    }
}

/// How every row stands on these axes, by places of rows.
pub fn standings(house: &House, axes: &[Axis]) -> Vec<Standing> {
    let better: Vec<Better> = axes.iter().map(|a| a.better()).collect();
    let points: Vec<Vec<f64>> = house
        .rows
        .iter()
        .map(|row| axes.iter().map(|a| a.value(house, row)).collect())
        .collect();
    pareto::standings(&better, &points)
}

/// In what one is better than another, in words: `safe +1/4, steps −4`; what is worse comes after `but`.
pub fn difference(house: &House, axes: &[Axis], own: &Row, other: &Row) -> String {
    let (mut better, mut worse) = (Vec::new(), Vec::new());
    for axis in axes {
        let turned = |row: &Row| axis.better().turned(axis.value(house, row));
        let (a, b) = (turned(own), turned(other));
        let words = format!("{} {}", axis.word(), axis.ahead(house, own, other));
        if a > b {
            better.push(words);
        } else if a < b {
            worse.push(words);
        }
    }
    match (better.is_empty(), worse.is_empty()) {
        (true, true) => "the same".to_owned(),
        (_, true) => better.join(", "),
        (true, _) => format!("only worse: {}", worse.join(", ")),
        _ => format!("{}, but {}", better.join(", "), worse.join(", ")),
    }
}
