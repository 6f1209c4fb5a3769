//! Two to six runs in one table: a row holds the steps that belong together, one column a run.

use std::ops::Range;
use std::sync::Arc;

use crate::compare::align::{Keys, Likeness, Two};
use crate::compare::lane::{Beat, Lane};

/// How the steps of two runs in one row stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The same action from the same state into the same state.
    Equal,
    /// The same action in another state: what differs began earlier.
    SameAct,
    /// Another action into the same state: the runs meet here.
    Met,
    /// Another action that led somewhere else.
    Differs,
    /// Only the first run has a step here.
    OnlyFirst,
    /// Only the second run has a step here.
    OnlySecond,
    /// Neither has: the row is another run's.
    Neither,
}

/// A row, as a view into the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'t>(&'t [u32]);

impl Row<'_> {
    /// The beat of a lane in it.
    pub fn beat(&self, lane: usize) -> Option<usize> {
        let beat = self.0.get(lane).copied().filter(|b| *b != EMPTY);
        beat.map(|b| b as usize)
    }
}

/// Marks a lane without a beat in a row.
const EMPTY: u32 = u32::MAX;

/// Runs side by side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    lanes: Arc<Vec<Lane>>,
    cells: Vec<u32>,
    /// Per lane and beat: the row it is in. Made when the rows are.
    places: Vec<Vec<u32>>,
    exact: bool,
}

/// Where two runs part and whether they meet again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parting {
    /// The first row in which they differ; `None` where they are the same throughout.
    pub first: Option<usize>,
    /// Equal rows before it.
    pub equal: usize,
    /// The first row after it in which both stand in the same state again.
    pub again: Option<usize>,
    /// Stretches in which one did what the other did not: where something was decided.
    pub choices: usize,
    /// Rows after the first difference in which both did the same in different states.
    pub downstream: usize,
}

impl Table {
    /// Aligns lanes: each in turn with all before it. `anchors` are beats that a person fixed side by side, one for every
    /// lane they name (lane, beat); an anchor that goes against an earlier one or against the order is passed over.
    pub fn new(lanes: impl Into<Arc<Vec<Lane>>>, anchors: &[Vec<(usize, usize)>]) -> Self {
        let lanes = lanes.into();
        let width = lanes.len();
        let mut table = Self {
            cells: Vec::new(),
            places: Vec::new(),
            exact: true,
            lanes,
        };
        if let Some(first) = table.lanes.first() {
            for i in 0..first.beats.len() {
                table.cells.push(i as u32);
                table.cells.extend(std::iter::repeat_n(EMPTY, width - 1));
            }
        }
        for lane in 1..width {
            table.add(lane, anchors);
        }
        table.zip();
        table.index();
        table
    }

    /// The lanes, as they were given.
    pub const fn lanes(&self) -> &Arc<Vec<Lane>> {
        &self.lanes
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.cells.len().checked_div(self.lanes.len()).unwrap_or(0)
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether the alignment is the best there is; else a piece was too large to be solved exactly.
    pub const fn is_exact(&self) -> bool {
        self.exact
    }

    /// A row.
    pub fn row(&self, row: usize) -> Option<Row<'_>> {
        let width = self.lanes.len();
        let begin = row.checked_mul(width)?;
        let cells = self.cells.get(begin..begin.checked_add(width)?)?;
        (width > 0).then_some(Row(cells))
    }

    /// The beat of a lane in a row.
    pub fn beat(&self, row: usize, lane: usize) -> Option<&Beat> {
        let at = self.row(row)?.beat(lane)?;
        self.lanes.get(lane)?.beats.get(at)
    }

    /// The row that holds a beat of a lane.
    pub fn row_of(&self, lane: usize, beat: usize) -> Option<usize> {
        let row = self.places.get(lane)?.get(beat)?;
        Some(*row as usize)
    }

    /// Notes in which row each beat is.
    fn index(&mut self) {
        let mut places: Vec<Vec<u32>> = self.lanes.iter().map(|l| vec![0; l.beats.len()]).collect();
        for row in 0..self.len() {
            for (lane, places) in places.iter_mut().enumerate() {
                let beat = self.row(row).and_then(|r| r.beat(lane));
                if let Some(place) = beat.and_then(|b| places.get_mut(b)) {
                    *place = row as u32;
                }
            }
        }
        self.places = places;
    }

    /// The last beat of a lane in a row or above it: where its run stood there. `None` before its first.
    pub fn beat_by(&self, row: usize, lane: usize) -> Option<usize> {
        let places = self.places.get(lane)?;
        places
            .partition_point(|at| (*at as usize) <= row)
            .checked_sub(1)
    }

    /// How two lanes stand to each other in a row.
    pub fn relation(&self, row: usize, (x, y): (usize, usize)) -> Relation {
        match (self.beat(row, x), self.beat(row, y)) {
            (None, None) => Relation::Neither,
            (Some(_), None) => Relation::OnlyFirst,
            (None, Some(_)) => Relation::OnlySecond,
            (Some(a), Some(b)) => match Likeness::of(a, b) {
                Likeness::Equal => Relation::Equal,
                Likeness::SameAct | Likeness::SameOutcome => Relation::SameAct,
                Likeness::Met => Relation::Met,
                Likeness::Apart => Relation::Differs,
            },
        }
    }

    /// Where two lanes part, and what became of it.
    pub fn parting(&self, pair: (usize, usize)) -> Parting {
        let mut parting = Parting::default();
        let mut deciding = false;
        for row in 0..self.len() {
            let relation = self.relation(row, pair);
            let decides = match relation {
                Relation::Neither => continue,
                Relation::Equal | Relation::SameAct => false,
                Relation::Met | Relation::Differs | Relation::OnlyFirst | Relation::OnlySecond => {
                    true
                }
            };
            parting.choices += usize::from(decides && !deciding);
            deciding = decides;
            match (relation, parting.first) {
                (Relation::Equal, None) => parting.equal += 1,
                (_, None) => parting.first = Some(row),
                (Relation::SameAct, Some(_)) => parting.downstream += 1,
                _ => {}
            }
            let together = matches!(relation, Relation::Equal | Relation::Met);
            if parting.first.is_some() && parting.again.is_none() && together {
                parting.again = Some(row);
            }
        }
        parting
    }

    /// Adds a lane to the rows of those before it.
    fn add(&mut self, lane: usize, anchors: &[Vec<(usize, usize)>]) {
        let width = self.lanes.len();
        let rows = self.len();
        let lanes = Arc::clone(&self.lanes);
        let Some(new) = lanes.get(lane) else {
            return;
        };
        let this: &Self = self;
        let present = |row: usize| (0..lane).filter_map(move |l| this.beat(row, l));
        let keys = |row: usize| present(row).next().map(Keys::of);
        let fixed = anchors.iter().filter_map(|anchor| {
            let of = |l: usize| anchor.iter().find(|(a, _)| *a == l).map(|(_, beat)| *beat);
            let mine = of(lane)?;
            let held = |row: usize, l: usize| self.row(row).and_then(|r| r.beat(l));
            let find = |l: usize, beat| (0..rows).find(|row| held(*row, l) == Some(beat));
            let other = (0..lane).find_map(|l| find(l, of(l)?))?;
            Some((other, mine))
        });
        let mut fixed: Vec<(usize, usize)> = fixed.collect();
        fixed.sort_unstable();
        let two = Two {
            a: (0..rows).filter_map(&keys).collect(),
            b: new.beats.iter().map(Keys::of).collect(),
            like: |row: usize, j: usize| {
                let beat = new.beats.get(j);
                let all = present(row).filter_map(|x| beat.map(|y| Likeness::of(x, y)));
                all.max().unwrap_or(Likeness::Apart)
            },
            anchors: fixed,
            exact: true,
        };
        let aligned = two.solve();
        let mut cells = Vec::with_capacity(self.cells.len());
        for pair in &aligned.pairs {
            let begin = cells.len();
            match pair.a.and_then(|row| self.row(row)) {
                Some(row) => cells.extend_from_slice(row.0),
                None => cells.extend(std::iter::repeat_n(EMPTY, width)),
            }
            if let (Some(j), Some(cell)) = (pair.b, cells.get_mut(begin + lane)) {
                *cell = j as u32;
            }
        }
        self.cells = cells;
        self.exact &= aligned.exact;
    }

    /// Puts steps that stand alone beside each other: in a stretch where no two lanes share a row, the first of each lane
    /// share one, and so on.
    fn zip(&mut self) {
        let width = self.lanes.len();
        let mut cells = Vec::with_capacity(self.cells.len());
        let count = |row: usize| {
            let row = self.row(row);
            (0..width)
                .filter(|l| row.is_some_and(|r| r.beat(*l).is_some()))
                .count()
        };
        let mut row = 0;
        while row < self.len() {
            let end = (row..self.len())
                .find(|r| count(*r) > 1)
                .unwrap_or(self.len());
            if end == row {
                cells.extend(self.row(row).map_or(&[][..], |r| r.0));
                row += 1;
                continue;
            }
            self.zip_stretch(row..end, &mut cells);
            row = end;
        }
        self.cells = cells;
    }

    fn zip_stretch(&self, rows: Range<usize>, cells: &mut Vec<u32>) {
        let width = self.lanes.len();
        let begin = cells.len();
        for lane in 0..width {
            let beats = rows.clone().filter_map(|row| self.row(row)?.beat(lane));
            for (k, beat) in beats.enumerate() {
                let at = begin + k * width + lane;
                if at >= cells.len() {
                    cells.resize(begin + (k + 1) * width, EMPTY);
                }
                if let Some(cell) = cells.get_mut(at) {
                    *cell = beat as u32;
                }
            }
        }
    }
}
