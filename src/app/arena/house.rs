//! A household arena read off its record, up to a round: candidates with what beats them, the payoff matrix, what the game
//! of it is worth. Plain values, made once whenever the record or the round is another.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::arena::axes::{Axis, standings};
use crate::arena::frontier::game;
use crate::arena::frontier::pareto::Standing;
use crate::arena::house::lost;
use crate::arena::house::model::{Cell, Outcome, Red, Response, Share};
use crate::arena::house::record::{Claim, Entry, Finding, Phase, Record, Scored};
use crate::base::figures::{figure, signed};

/// A candidate's row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its place in the record.
    pub at: usize,
    /// In how many columns of the matrix it succeeded safely, of those played.
    pub good: Share,
    /// In how many it was safe.
    pub safe: Share,
    /// Its least payoff among them; `None` before any is played.
    pub worst: Option<f64>,
    /// Its steps when nothing happens.
    pub steps: Option<u32>,
    /// The columns it loses something to, as places in the record, the costliest first.
    pub lost: Vec<usize>,
    /// How it stands on good, safe and steps.
    pub standing: Standing,
}

/// What the game of the matrix is worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    /// BLUE's mix earns at least this.
    pub low: f64,
    /// RED's mix lets through at most this.
    pub high: f64,
    /// How often BLUE plays each row; empty while cells are missing.
    pub blue: Vec<f64>,
    /// How often RED plays each column.
    pub red: Vec<f64>,
}

impl Value {
    /// How near both bounds must be to be one value on the screen.
    const NEAR: f64 = 5e-4;

    /// Whether it is one value.
    pub fn is_exact(&self) -> bool {
        self.high - self.low < Self::NEAR
    }

    /// `.667`, or `.58–.71`.
    pub fn words(&self) -> String {
        if self.is_exact() {
            figure(self.low, 3)
        } else {
            format!("{}–{}", figure(self.low, 2), figure(self.high, 2))
        }
    }
}

/// The arena up to a round.
#[derive(Clone, Debug)]
pub struct House {
    /// The whole record.
    pub record: Arc<Record>,
    /// The round shown.
    pub round: u32,
    /// The candidates up to it, by their worst case.
    pub rows: Vec<Row>,
    /// The columns of the matrix: responses, as places in the record.
    pub columns: Vec<usize>,
    /// What the game is worth; `None` without cells or where a payoff is not finite.
    pub value: Option<Value>,
    cells: BTreeMap<(usize, usize), usize>,
}

impl House {
    /// A record up to a round, the rows in the order of their worst case.
    pub fn new(record: Arc<Record>, round: u32) -> Self {
        let names: BTreeMap<&str, usize> = (0..)
            .zip(&record.candidates)
            .map(|(i, e)| (e.name.as_str(), i))
            .collect();
        let ids: BTreeMap<&str, usize> = (0..)
            .zip(&record.responses)
            .map(|(i, r)| (r.id.as_str(), i))
            .collect();
        let mut cells = BTreeMap::new();
        let mut shared = vec![false; record.responses.len()];
        for (place, played) in record.cells.iter().enumerate() {
            let Cell {
                candidate,
                response,
                ..
            } = &played.cell;
            let found = names
                .get(candidate.as_str())
                .zip(ids.get(response.as_str()));
            if let Some((&row, &column)) = found
                && played.phase != Phase::HeldOut
            {
                cells.entry((row, column)).or_insert(place);
                if played.phase == Phase::Matrix {
                    shared
                        .iter_mut()
                        .skip(column)
                        .take(1)
                        .for_each(|s| *s = true);
                }
            }
        }
        let shown: Vec<usize> = (0..record.candidates.len())
            .filter(|i| record.candidates.get(*i).is_some_and(|e| e.round <= round))
            .collect();
        let everywhere =
            |column: usize| shown.iter().all(|row| cells.contains_key(&(*row, column)));
        let columns: Vec<usize> = (0..record.responses.len())
            .filter(|&c| shared.get(c) == Some(&true) || everywhere(c))
            .filter(|c| shown.iter().any(|row| cells.contains_key(&(*row, *c))))
            .collect();
        let mut house = Self {
            record,
            round,
            rows: Vec::new(),
            columns,
            value: None,
            cells,
        };
        house.rows = shown.into_iter().map(|at| house.row_of(at)).collect();
        let found = standings(&house, &[Axis::Good, Axis::Safe, Axis::Steps]);
        for (row, standing) in house.rows.iter_mut().zip(found) {
            row.standing = standing;
        }
        // Standings name rows by their places: they move with them.
        let before = house.rows.clone();
        house.rows.sort_by(|a, b| {
            let worst = |r: &Row| r.worst.unwrap_or(f64::NEG_INFINITY);
            worst(b)
                .total_cmp(&worst(a))
                .then(b.good.held.cmp(&a.good.held))
                .then(b.safe.held.cmp(&a.safe.held))
                .then(a.at.cmp(&b.at))
        });
        let place = |old: usize| {
            let at = before.get(old).map(|r| r.at);
            house.rows.iter().position(|r| Some(r.at) == at)
        };
        let moved: Vec<Standing> = house
            .rows
            .iter()
            .map(|row| match row.standing {
                Standing::Dominated(old) => Standing::Dominated(place(old).unwrap_or(old)),
                other => other,
            })
            .collect();
        for (row, standing) in house.rows.iter_mut().zip(moved) {
            row.standing = standing;
        }
        house.value = house.game();
        house
    }

    fn row_of(&self, at: usize) -> Row {
        let mut row = Row {
            at,
            good: Share::default(),
            safe: Share::default(),
            worst: None,
            steps: None,
            lost: Vec::new(),
            standing: Standing::Unscored,
        };
        let nothing = self.nothing();
        let best = nothing.and_then(|n| self.at_least(at, n));
        row.steps = nothing.and_then(|n| self.outcome(at, n)).map(|o| o.steps);
        for &column in &self.columns {
            let Some(outcome) = self.outcome(at, column) else {
                continue;
            };
            row.good.of += 1;
            row.safe.of += 1;
            row.good.held += u32::from(outcome.is_good());
            row.safe.held += u32::from(outcome.is_safe());
            let payoff = self.record.settings.payoffs.of(outcome);
            // A payoff that is no number is the worst there is, and is shown as such.
            row.worst = Some(match row.worst {
                Some(worst) if worst.is_nan() || worst <= payoff => worst,
                _ => payoff,
            });
            let payoff = self.record.settings.payoffs.at_least(outcome);
            if payoff < self.record.settings.payoffs.good || best.is_some_and(|b| payoff < b) {
                row.lost.push(column);
            }
        }
        row.lost.sort_by(|a, b| {
            let payoff = |c: &usize| self.at_least(at, *c).unwrap_or(f64::INFINITY);
            payoff(a).total_cmp(&payoff(b)).then(a.cmp(b))
        });
        row
    }

    /// The task, `suite/id`.
    pub fn task(&self) -> String {
        format!("{}/{}", self.record.suite, self.record.task)
    }

    /// The plans that were proposed.
    pub fn proposals(&self) -> Vec<Entry> {
        let all = self.record.candidates.iter();
        all.filter(|e| e.round == 0).cloned().collect()
    }

    /// The same arena with another outcome in a cell.
    #[must_use]
    pub fn with(&self, (at, response): (usize, usize), outcome: Outcome) -> Self {
        let mut record = Record::clone(&self.record);
        let place = self.cells.get(&(at, response));
        if let Some(played) = place.and_then(|p| record.cells.get_mut(*p)) {
            played.cell.outcome = outcome;
        }
        Self::new(Arc::new(record), self.round)
    }

    /// The best of the other plans under a response, and whether they met it: by payoff, then by fewer steps. Where none
    /// met it, the one with the best worst case.
    pub fn best_other(&self, at: usize, response: usize) -> Option<(usize, bool)> {
        let others = || self.rows.iter().map(|r| r.at).filter(|other| *other != at);
        let met = others().filter_map(|other| Some((other, self.payoff(other, response)?)));
        let steps = |other: usize| self.outcome(other, response).map_or(0, |o| o.steps);
        let best = met.min_by(|a, b| {
            b.1.total_cmp(&a.1)
                .then_with(|| steps(a.0).cmp(&steps(b.0)))
        });
        match best {
            Some((other, _)) => Some((other, true)),
            None => others().next().map(|other| (other, false)),
        }
    }

    /// The column in which nothing happens.
    pub fn nothing(&self) -> Option<usize> {
        self.record.responses.iter().position(Response::is_nothing)
    }

    /// The last round that has candidates.
    pub fn last_round(record: &Record) -> u32 {
        let rounds = record.candidates.iter().map(|e| e.round);
        rounds.max().unwrap_or(0)
    }

    /// A candidate.
    pub fn entry(&self, at: usize) -> Option<&Entry> {
        self.record.candidates.get(at)
    }

    /// A response.
    pub fn response(&self, at: usize) -> Option<&Response> {
        self.record.responses.get(at)
    }

    /// What a response is called: `R0` where nothing happens.
    pub fn called(&self, at: usize) -> String {
        match self.response(at) {
            Some(r) if r.is_nothing() => "R0".to_owned(),
            Some(r) => r.id.clone(),
            None => String::new(),
        }
    }

    /// The cell of a candidate and a response, but for those of the RED that was kept back.
    pub fn cell(&self, at: usize, response: usize) -> Option<&Cell> {
        let place = self.cells.get(&(at, response))?;
        self.record.cells.get(*place).map(|p| &p.cell)
    }

    /// What came of a candidate under a response.
    pub fn outcome(&self, at: usize, response: usize) -> Option<&Outcome> {
        self.cell(at, response).map(|c| &c.outcome)
    }

    /// What that is worth to BLUE.
    pub fn payoff(&self, at: usize, response: usize) -> Option<f64> {
        let outcome = self.outcome(at, response)?;
        Some(self.record.settings.payoffs.of(outcome))
    }

    /// The same with a rollout that broke at its worst.
    pub fn at_least(&self, at: usize, response: usize) -> Option<f64> {
        let outcome = self.outcome(at, response)?;
        Some(self.record.settings.payoffs.at_least(outcome))
    }

    /// Why the rollout of a cell broke, if it did.
    pub fn broke(&self, at: usize, response: usize) -> Option<String> {
        let refused = self.outcome(at, response)?.broke()?;
        Some(format!("s{}: {}", refused.step, refused.reason))
    }

    /// The responses that were played against a candidate: what costs it most first, nothing last.
    pub fn answers(&self, at: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.record.responses.len())
            .filter(|c| self.cells.contains_key(&(at, *c)))
            .collect();
        let key = |c: &usize| self.at_least(at, *c).unwrap_or(f64::INFINITY);
        let is_nothing = |c: &usize| Some(*c) == self.nothing();
        all.sort_by(|a, b| {
            key(a)
                .total_cmp(&key(b))
                .then(is_nothing(a).cmp(&is_nothing(b)))
                .then(a.cmp(b))
        });
        all
    }

    /// Whether a response costs a candidate something.
    pub fn beats(&self, at: usize, response: usize) -> bool {
        let alone = self.nothing().and_then(|n| self.at_least(at, n));
        let payoff = self.at_least(at, response);
        payoff.zip(alone).is_some_and(|(p, a)| p < a)
    }

    /// What the critic says of a candidate.
    pub fn claims(&self, at: usize) -> Vec<&Claim> {
        let name = self.entry(at).map(|e| e.name.as_str());
        let all = self.record.claims.iter();
        all.filter(|c| Some(c.candidate.as_str()) == name).collect()
    }

    /// How many of a candidate's claims a simulation confirmed, and how many it could tell of.
    pub fn precision(&self, at: usize) -> (usize, usize) {
        let told = self.claims(at);
        let count = |f: Finding| told.iter().filter(|c| c.finding == f).count();
        let confirmed = count(Finding::Confirmed);
        (confirmed, confirmed + count(Finding::Refuted))
    }

    /// A candidate's score in the last round that is shown.
    pub fn scored(&self, at: usize) -> Option<&Scored> {
        let name = &self.entry(at)?.name;
        let rounds = self.record.rounds.iter().rev();
        let round = rounds.into_iter().find(|r| r.round <= self.round)?;
        round.scores.iter().find(|s| s.candidate == *name)
    }

    /// Whether it was chosen in the end.
    pub fn is_chosen(&self, at: usize) -> bool {
        let name = self.entry(at).map(|e| &e.name);
        let choice = self.record.choice.as_ref();
        choice.is_some_and(|c| Some(&c.selected) == name)
    }

    /// The payoffs of the matrix, row by row; `None` for a cell that is not played yet.
    pub fn matrix(&self) -> Vec<Vec<Option<f64>>> {
        let row = |row: &Row| {
            let cells = self.columns.iter();
            cells.map(|c| self.payoff(row.at, *c)).collect()
        };
        self.rows.iter().map(row).collect()
    }

    /// The game: exact where every cell is played, else bounds with the missing ones at their worst and at their best.
    fn game(&self) -> Option<Value> {
        let payoffs = self.record.settings.payoffs;
        // Payoffs that are no numbers bound nothing.
        if ![payoffs.good, payoffs.safe, payoffs.not_safe]
            .iter()
            .all(|p| p.is_finite())
        {
            return None;
        }
        let known = |p: Option<f64>| p.unwrap_or(f64::NAN);
        let rows = self.matrix().into_iter();
        let matrix: Vec<Vec<f64>> = rows.map(|r| r.into_iter().map(known).collect()).collect();
        let whole = matrix.iter().flatten().all(|p| p.is_finite());
        let found = game::between(&matrix, payoffs.least(), payoffs.most())?;
        let mut value = Value {
            low: found.low,
            high: found.high,
            ..Value::default()
        };
        if whole {
            (value.blue, value.red) = (found.blue, found.red);
        }
        Some(value)
    }

    /// What a candidate is worth against the best of RED's first `k` tries, in the order of the draws: where it changes.
    pub fn budget(&self, at: usize) -> Vec<(usize, f64)> {
        let Some(name) = self.entry(at).map(|e| e.name.as_str()) else {
            return Vec::new();
        };
        let payoffs = self.record.settings.payoffs;
        let alone = self.nothing().and_then(|n| self.at_least(at, n));
        let mut least = alone.unwrap_or(f64::INFINITY);
        let mut curve = Vec::new();
        let own = self.record.cells(Phase::Search);
        let own = own.filter(|c| c.candidate == name && Some(&c.response) != self.nothing_id());
        let mut tries = 0;
        for cell in own {
            tries += 1;
            let payoff = payoffs.at_least(&cell.outcome);
            if payoff < least || tries == 1 {
                least = least.min(payoff);
                curve.push((tries, least));
            }
        }
        if curve.last().is_some_and(|(k, _)| *k != tries) {
            curve.push((tries, least));
        }
        curve
    }

    /// The id of the response in which nothing happens.
    fn nothing_id(&self) -> Option<&String> {
        self.response(self.nothing()?).map(|r| &r.id)
    }

    /// The names of the candidates on the front of good, safe and steps.
    pub fn front(&self) -> Vec<String> {
        let on = self.rows.iter().filter(|r| r.standing == Standing::Front);
        let names = on.filter_map(|r| self.entry(r.at));
        names.map(|e| e.name.clone()).collect()
    }

    /// How far a row alone can be exploited: the value minus its worst case; `None` while that is open.
    pub fn exploitable(&self, row: &Row) -> Option<f64> {
        let value = self.value.as_ref().filter(|v| !v.blue.is_empty())?;
        Some(value.low - row.worst?)
    }
}

/// A payoff as it is shown: `1`, `½`, `0`, else a figure.
pub fn payoff_words(payoff: Option<f64>) -> String {
    const SHORT: f64 = 1e-9;
    match payoff {
        None => "…".to_owned(),
        Some(x) if (x - 1.0).abs() < SHORT => "1".to_owned(),
        Some(x) if (x - 0.5).abs() < SHORT => "½".to_owned(),
        Some(x) if x.abs() < SHORT => "0".to_owned(),
        Some(x) => figure(x, 2),
    }
}

/// How often something is played: `⅔`, `.41`; nothing for never. ASCII has no fractions.
pub fn often(share: f64, ascii: bool) -> String {
    const NEAR: f64 = 1e-6;
    const WORDS: [(f64, &str); 5] = [
        (1.0, "1"),
        (0.5, "½"),
        (1.0 / 3.0, "⅓"),
        (2.0 / 3.0, "⅔"),
        (0.25, "¼"),
    ];
    if share < 5e-3 {
        return String::new();
    }
    let mut known = WORDS.iter().filter(|(_, w)| !ascii || w.is_ascii());
    let known = known.find(|(x, _)| (share - x).abs() < NEAR);
    known.map_or_else(|| figure(share, 2), |(_, words)| (*words).to_owned())
}

/// What came of a plan, beside what comes of it when nothing happens: its cost, or the steps it took.
pub fn came(cell: &Cell, alone: Option<u32>) -> String {
    let outcome = &cell.outcome;
    let lost = lost::brief(outcome);
    if !lost.is_empty() {
        return lost;
    }
    if cell.red == Red::Passed {
        return "passed: not fair".to_owned();
    }
    let steps = outcome.steps;
    match alone {
        Some(alone) if alone != steps => {
            let by = f64::from(steps) - f64::from(alone);
            format!("✓ {} steps", signed(by, 0))
        }
        _ => format!("✓ {steps} steps"),
    }
}
