//! Folding: runs of steps that nothing is to be said of take one row. The row under the cursor is never folded.

use crate::app::parts::steps::What;

use super::loaded::Loaded;

impl Loaded {
    /// The row under the cursor, by its place among all rows of the path.
    pub fn row_index(&self) -> usize {
        self.shown.get(self.list.cursor).copied().unwrap_or(0)
    }

    /// Folds the rows, or shows them all again.
    pub fn fold(&mut self, folded: bool) {
        self.folded = folded;
        if self.filter().is_empty() {
            let row = self.row_index();
            self.refold(row);
        }
    }

    /// Makes the rows that are shown anew, the cursor on this one. Filters look into what is folded, so nothing is folded
    /// while one is set.
    pub(super) fn refold(&mut self, row: usize) {
        self.folds.clear();
        self.shown.clear();
        let mut at = 0;
        while at < self.rows.len() {
            let run = if self.folded {
                self.plain_from(at, row)
            } else {
                0
            };
            self.shown.push(at);
            if run > 1 {
                self.folds.insert(at, run);
            }
            at += run.max(1);
        }
        self.list.cursor = self.shown.partition_point(|shown| *shown < row);
        self.list.cursor = self.list.cursor.min(self.shown.len().saturating_sub(1));
    }

    /// How many rows from this one on are nothing special, the one under the cursor aside.
    fn plain_from(&self, at: usize, cursor: usize) -> usize {
        let rows = self.rows.iter().enumerate().skip(at);
        rows.take_while(|(i, row)| *i != cursor && row.is_plain())
            .count()
    }

    /// After the cursor moved from a row: it stands on what it came to, of a fold on the end it came to it from.
    pub(super) fn settle(&mut self, from: usize) {
        if !self.folded || !self.filter().is_empty() {
            return;
        }
        let at = self.row_index();
        let last = self.folds.get(&at).map_or(0, |run| run.saturating_sub(1));
        self.refold(if at < from { at + last } else { at });
    }

    /// The fold that a row stands for, in words: `… 12 steps, 3 messages`.
    pub fn fold_words(&self, row: usize) -> Option<String> {
        let run = *self.folds.get(&row)?;
        let rows = self.rows.iter().skip(row).take(run);
        let steps = rows.filter(|row| row.what == What::Step).count();
        let said = run - steps;
        let count = |n: usize, one: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {one}s")),
        };
        let parts = [count(steps, "step"), count(said, "message")];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        Some(format!("… {}", parts.join(", ")))
    }
}
