//! Two runs of the arena side by side: the cell under the cursor and the best other plan under the same RED.

use crate::app::list::List;
use crate::app::parts::steps::What;
use crate::app::screens::inspect::loaded::Loaded;

use super::Trace;

/// A pair of rows, by their places among the rows of both runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The row of the cell.
    pub own: Option<usize>,
    /// The row of the other.
    pub other: Option<usize>,
    /// Whether the same happens in both.
    pub same: bool,
}

/// A run laid beside that of the cell.
#[derive(Debug, Default)]
pub struct Beside {
    /// The other run.
    pub trace: Trace,
    /// Whether the other plan met this response when the arena was held.
    pub met: bool,
    /// Both, row by row; empty while one is missing.
    pub pairs: Vec<Pair>,
    /// The row under the cursor.
    pub list: List,
}

/// What a row tells that can be the same in two runs.
fn told(run: &Loaded, at: usize) -> Option<(String, Option<String>)> {
    let row = run.rows.get(at)?;
    let struck = run.mark(row).is_some_and(|m| !m.happened.is_empty());
    let broke = run.broken(row);
    let sign = if struck { "▲" } else { "" };
    Some((format!("{sign}{}", run.words(row).1), broke))
}

/// The rows that tell what was done.
fn deeds(run: &Loaded) -> Vec<usize> {
    let is_deed = |at: &usize| {
        let row = run.rows.get(*at);
        row.is_some_and(|r| {
            matches!(
                r.what,
                What::Start | What::Step | What::Refused | What::Ended
            )
        })
    };
    (0..run.rows.len()).filter(is_deed).collect()
}

/// Both runs row by row: what is the same at the beginning and at the end stands side by side, and all between them differs.
pub fn pairs(own: &Loaded, other: &Loaded) -> Vec<Pair> {
    let (a, b) = (deeds(own), deeds(other));
    let (ta, tb): (Vec<_>, Vec<_>) = (
        a.iter().map(|at| told(own, *at)).collect(),
        b.iter().map(|at| told(other, *at)).collect(),
    );
    let head = ta.iter().zip(&tb).take_while(|(x, y)| x == y).count();
    let most = ta.len().min(tb.len()) - head;
    let tail = ta.iter().rev().zip(tb.iter().rev());
    let tail = tail.take(most).take_while(|(x, y)| x == y).count();
    let (middle_a, middle_b) = (a.len() - head - tail, b.len() - head - tail);
    let pair = |x: Option<&usize>, y: Option<&usize>, same| Pair {
        own: x.copied(),
        other: y.copied(),
        same,
    };
    let mut all: Vec<Pair> = (0..head).map(|i| pair(a.get(i), b.get(i), true)).collect();
    all.extend((0..middle_a.max(middle_b)).map(|i| {
        let x = (i < middle_a).then(|| a.get(head + i)).flatten();
        let y = (i < middle_b).then(|| b.get(head + i)).flatten();
        pair(x, y, false)
    }));
    all.extend((0..tail).map(|i| {
        let (x, y) = (a.get(head + middle_a + i), b.get(head + middle_b + i));
        pair(x, y, true)
    }));
    all
}

impl Beside {
    /// The first row in which the runs differ.
    pub fn first(&self) -> Option<usize> {
        self.pairs.iter().position(|p| !p.same)
    }
}
