//! What the RED that was kept back makes of the choice.

use crate::arena::house::record::{Phase, Record};
use crate::arena::house::weigh::held_out;

use super::Arena;

impl Arena {
    /// What the RED that was kept back makes of the choice: how many of its responses each plan met stood, in words.
    pub fn held_out(&self) -> Vec<String> {
        let Some(record) = self.record() else {
            return Vec::new();
        };
        let Some(choice) = &record.choice else {
            return Vec::new();
        };
        let mut names = vec![&choice.selected, &choice.best_proposal, &choice.single];
        names.dedup();
        let told = |name: &&String| {
            let cells: Vec<_> = record
                .cells(Phase::HeldOut)
                .filter(|c| c.candidate == **name)
                .collect();
            let good = cells.iter().filter(|c| c.outcome.is_good()).count();
            format!(
                "{name}: good in {good} of {} of the RED kept back",
                cells.len()
            )
        };
        let met = record.cells(Phase::HeldOut).next().is_some();
        let worse = no_gain(record).into_iter();
        worse
            .chain(names.iter().filter(|_| met).map(told))
            .collect()
    }
}

/// A warning where the choice stands worse against the RED kept back than the single plan it began with: what it was chosen
/// for then holds only against the RED that was met.
fn no_gain(record: &Record) -> Option<String> {
    let choice = record.choice.as_ref()?;
    let chosen = held_out(record, &choice.selected)?;
    let single = held_out(record, &choice.single)?;
    let worse = chosen.mean < single.mean || chosen.worst < single.worst;
    worse.then(|| {
        format!(
            "! the choice {} does worse than {} against the RED kept back: worst {:.2} | {:.2}, mean {:.2} | {:.2}",
            choice.selected, choice.single, chosen.worst, single.worst, chosen.mean, single.mean
        )
    })
}
