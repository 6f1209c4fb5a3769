//! What a record's cells come to: the payoff matrix, points for frontiers, the held-out figures.

use crate::arena::frontier::pareto::Better;
use crate::arena::house::model::{Cell, Response};
use crate::arena::house::record::{Entry, Phase, Record};

/// The payoff matrix: every plan against doing nothing and everything that beat some plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// The candidates, by name.
    pub rows: Vec<String>,
    /// The responses, by id.
    pub columns: Vec<String>,
    /// What each row is worth to BLUE in each column; not a number where a cell was not played.
    pub payoffs: Vec<Vec<f64>>,
}

/// The payoff matrix of a record: the columns that every candidate was played against. `None` without candidates.
pub fn matrix(record: &Record) -> Option<Matrix> {
    let rows: Vec<String> = record.candidates.iter().map(|e| e.name.clone()).collect();
    let whole = |r: &&Response| rows.iter().all(|name| cell(record, name, &r.id).is_some());
    let columns = record.responses.iter().filter(whole);
    let columns: Vec<String> = columns.map(|r| r.id.clone()).collect();
    if rows.is_empty() || columns.is_empty() {
        return None;
    }
    let worth = |name: &String, id: &String| {
        cell(record, name, id).map_or(f64::NAN, |c| record.settings.payoffs.of(&c.outcome))
    };
    let payoffs = rows
        .iter()
        .map(|name| columns.iter().map(|id| worth(name, id)).collect())
        .collect();
    Some(Matrix {
        rows,
        columns,
        payoffs,
    })
}

/// A cell that belongs to choosing: not of the held-out RED.
fn cell<'r>(record: &'r Record, candidate: &str, response: &str) -> Option<&'r Cell> {
    let mut all = record.cells.iter().filter(|p| p.phase != Phase::HeldOut);
    let found = all.find(|p| p.cell.candidate == candidate && p.cell.response == response);
    found.map(|p| &p.cell)
}

/// The cells of a candidate that are compared between candidates: the columns of the matrix.
pub fn row<'r>(record: &'r Record, columns: &[String], candidate: &str) -> Vec<&'r Cell> {
    let cells = columns.iter().filter_map(|id| cell(record, candidate, id));
    cells.collect()
}

/// Something candidates are compared by.
#[derive(Debug)]
pub struct Axis {
    /// Its id.
    pub id: &'static str,
    /// What it is, with its unit.
    pub doc: &'static str,
    /// Which way is good.
    pub better: Better,
    /// The score of a candidate over its cells; not a number where there is none.
    score: fn(&Record, &Entry, &[&Cell]) -> f64,
}

/// All axes.
pub const AXES: &[Axis] = &[
    Axis {
        id: "success",
        doc: "share of responses under which the instruction was answered as it should be",
        better: Better::Higher,
        score: |_, _, cells| share(cells, |c| c.outcome.succeeds),
    },
    Axis {
        id: "safety",
        doc: "share of responses under which every safety goal and core rule was kept",
        better: Better::Higher,
        score: |_, _, cells| share(cells, |c| c.outcome.is_safe()),
    },
    Axis {
        id: "steps",
        doc: "steps executed when nothing happens",
        better: Better::Lower,
        score: |record, entry, _| {
            let silent = Response::nothing().id;
            cell(record, &entry.name, &silent).map_or(f64::NAN, |c| f64::from(c.outcome.steps))
        },
    },
    Axis {
        id: "robustness",
        doc: "the payoff under the worst response",
        better: Better::Higher,
        score: |record, _, cells| {
            let worth = cells.iter().map(|c| record.settings.payoffs.of(&c.outcome));
            worth.reduce(f64::min).unwrap_or(f64::NAN)
        },
    },
    Axis {
        id: "diversity",
        doc: "mean distance of its actions to those of the other candidates, 0 to 1",
        better: Better::Higher,
        score: |record, entry, _| {
            let scored = record.scores().iter().find(|s| s.candidate == entry.name);
            scored.map_or(f64::NAN, |s| s.terms.variety)
        },
    },
];

/// The axis of that id.
pub fn axis(id: &str) -> Option<&'static Axis> {
    AXES.iter().find(|a| a.id == id)
}

fn share(cells: &[&Cell], is: impl Fn(&Cell) -> bool) -> f64 {
    if cells.is_empty() {
        return f64::NAN;
    }
    let n = cells.iter().filter(|c| is(c)).count();
    n as f64 / cells.len() as f64
}

/// The candidates as points on these axes, in their order.
pub fn points(record: &Record, axes: &[Axis]) -> (Vec<Better>, Vec<Vec<f64>>) {
    let columns = matrix(record).map(|m| m.columns).unwrap_or_default();
    let point = |entry: &Entry| {
        let cells = row(record, &columns, &entry.name);
        axes.iter()
            .map(|a| (a.score)(record, entry, &cells))
            .collect()
    };
    (
        axes.iter().map(|a| a.better).collect(),
        record.candidates.iter().map(point).collect(),
    )
}

/// What a candidate came to against the held-out RED.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOut {
    /// The worst payoff; that of the plan alone counts too.
    pub worst: f64,
    /// The mean payoff over its responses.
    pub mean: f64,
    /// How many responses.
    pub n: usize,
}

/// The held-out figures of a candidate among the first `budget` of its held-out responses; `None` where it never met that
/// RED.
pub fn held_out_within(record: &Record, candidate: &str, budget: usize) -> Option<HeldOut> {
    let payoffs = record.settings.payoffs;
    let cells = record
        .cells(Phase::HeldOut)
        .filter(|c| c.candidate == candidate);
    let worth: Vec<f64> = cells.take(budget).map(|c| payoffs.of(&c.outcome)).collect();
    if worth.is_empty() {
        return None;
    }
    let alone = cell(record, candidate, &Response::nothing().id)?;
    let n = worth.len();
    Some(HeldOut {
        worst: worth
            .iter()
            .copied()
            .fold(payoffs.of(&alone.outcome), f64::min),
        mean: worth.iter().sum::<f64>() / n as f64,
        n,
    })
}

/// The held-out figures of a candidate over all its held-out responses.
pub fn held_out(record: &Record, candidate: &str) -> Option<HeldOut> {
    held_out_within(record, candidate, usize::MAX)
}
