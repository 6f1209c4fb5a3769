//! What can be laid beside the run that is looked at.

use crate::app::compare::{Wanted, quoted};
use crate::app::layer::Act;
use crate::app::overlays::Overlay;
use crate::app::overlays::computed::{Computed, Row};
use crate::app::overlays::runs::standing;
use crate::app::parts::steps;
use crate::app::role::Role;
use crate::app::screens::Screen;
use crate::app::screens::compare::Compare;
use crate::app::state::Shared;

use super::Inspect;
use super::loaded::Loaded;

impl Inspect {
    /// Lays something beside the run: asks what where there is a choice.
    pub(super) fn compare(&self, shared: &Shared) -> Vec<Act> {
        let Some(it) = self.loaded() else {
            return Vec::new();
        };
        let own = match (&self.shown, &self.cell) {
            (Some(shown), _) => Some(Wanted::Witness(shown.clone())),
            (None, Some(cell)) => Some(Wanted::Cell(cell.clone())),
            (None, None) => None,
        };
        if let Some(own) = own {
            let compare = Compare::of(vec![own, Wanted::Reference]);
            return vec![Act::Open(Screen::Compare(Box::new(compare)))];
        }
        let rows = offers(it, shared);
        let heading = format!("Compare {} with", it.run.id());
        vec![Act::Show(Overlay::Computed(Box::new(Computed::new(
            heading, rows,
        ))))]
    }
}

/// The plans of its task, its other branches, the other runs of its task.
fn offers(it: &Loaded, shared: &Shared) -> Vec<Row> {
    let folder = it.run.folder.display().to_string();
    let branch = it.branch();
    let first = it.record.tip(it.record.stands());
    // The branch that is looked at is the one that is compared.
    let own = if it.tip() == first {
        quoted(&folder)
    } else {
        quoted(&format!("{folder}/{branch}"))
    };
    let task = it
        .run
        .again
        .as_ref()
        .ok()
        .map(|again| again.episode.setup());
    let plan = |label: &str, word: &str, steps: usize| {
        let text = match steps {
            0 => "the task has none".to_owned(),
            n => format!("{n} steps, played now"),
        };
        let row = Row::new(label, text);
        if steps > 0 {
            row.run(format!("compare {own} {word}"))
        } else {
            row.role(Role::Dim)
        }
    };
    let count = |plan: Option<usize>| plan.unwrap_or(0);
    let mut rows = vec![
        plan(
            "reference plan",
            "reference",
            count(task.map(|t| t.reference.len())),
        ),
        plan("naive plan", "naive", count(task.map(|t| t.naive.len()))),
    ];
    for tip in it.record.tips().into_iter().filter(|tip| *tip != it.tip()) {
        let name = steps::branch(&it.record, it.run.recorded(), tip);
        let other = quoted(&format!("{folder}/{name}"));
        let row = Row::new("branch", format!("{name}, to s{tip}"));
        rows.push(row.run(format!("compare {own} {other}")));
    }
    let (id, task) = (it.run.id(), it.run.header.task_id().unwrap_or_default());
    for run in shared.library.runs_of(&task).filter(|run| run.id != id) {
        let text = format!(
            "{} {}, {} steps, {}",
            run.tail,
            run.agent,
            run.steps,
            standing(run)
        );
        let row = Row::new("run", text).note(run.when());
        rows.push(row.run(format!("compare {own} {}", quoted(&run.id))));
    }
    rows
}
