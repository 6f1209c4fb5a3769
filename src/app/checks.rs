//! Checks of tasks: what is asked of a job, and what is known of every task that was checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::role::Role;
use crate::check::finding::{Cure, Finding, Outcome, Weight, Witness};
use crate::check::{Effort, Report};
use crate::formats::task::patch::Edit;
use crate::sim::vocab::Profile;

/// A task to be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Its name, `suite/id`.
    pub task: String,
    /// The world to judge it in; the one it is meant for where none is named.
    pub profile: Option<Profile>,
    /// What searches may spend.
    pub effort: Effort,
}

/// Steps that show what a check found, to be taken apart or played on from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The task, `suite/id`.
    pub task: String,
    /// The world they are played in.
    pub profile: Profile,
    /// The steps.
    pub witness: Witness,
}

/// The reports of this session, each with the effort it was made with. No file has them: asking again costs less than a
/// stale answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checks(BTreeMap<String, (Arc<Report>, Effort)>);

impl Checks {
    /// Keeps a report instead of the older one.
    pub fn keep(&mut self, report: Arc<Report>, effort: Effort) {
        self.0.insert(report.task.clone(), (report, effort));
    }

    /// Lets go of the report on a task: the task is another one now.
    pub fn forget(&mut self, task: &str) {
        self.0.remove(task);
    }

    /// The report on a task.
    pub fn of(&self, task: &str) -> Option<&Arc<Report>> {
        self.0.get(task).map(|(report, _)| report)
    }

    /// The report that answers a question, and the effort it was made with: one about that task, in that world if one was
    /// asked for.
    pub fn answer(&self, asked: &Asked) -> Option<(&Arc<Report>, Effort)> {
        let (report, effort) = self.0.get(&asked.task)?;
        let fits = asked.profile.is_none_or(|p| p == report.profile);
        fits.then_some((report, *effort))
    }

    /// What the column says: `✓`, `✗ 2`, `! 1`, `? 1`, `–` where nobody asked.
    pub fn cell(&self, task: &str) -> (String, Role) {
        self.of(task)
            .map_or_else(|| ("–".to_owned(), Role::Dim), |report| cell(report))
    }
}

/// The changes to the file of a task that mend a finding: its cure, else the steps that make its reference plan safe.
pub fn edits(found: &Finding) -> Vec<Edit> {
    if let Some(cure) = &found.cure {
        return vec![edit(cure)];
    }
    let append = |line: &String| Edit::Append("reference".to_owned(), line.clone());
    found.mend.iter().map(append).collect()
}

/// A cure as a change to the file of a task.
fn edit(cure: &Cure) -> Edit {
    match cure {
        Cure::Drop(list, at) => Edit::Drop((*list).to_owned(), *at),
        Cure::Append(list, item) => Edit::Append((*list).to_owned(), item.clone()),
        Cure::Set(field, text) => Edit::Set((*field).to_owned(), text.clone()),
    }
}

fn cell(report: &Report) -> (String, Role) {
    let (faults, doubts) = (report.count(Weight::Fault), report.count(Weight::Doubt));
    match (faults, doubts, report.unproven()) {
        (0, 0, 0) => ("✓".to_owned(), Role::Good),
        (0, 0, open) => (format!("? {open}"), Role::Pending),
        (0, doubts, _) => (format!("! {doubts}"), Role::Armed),
        (faults, ..) => (format!("✗ {faults}"), Role::Refused),
    }
}

/// The sign of an answer, and its role.
pub fn sign(outcome: &Outcome) -> (&'static str, Role) {
    match (outcome, outcome.weight()) {
        (_, Some(Weight::Fault)) => ("✗", Role::Refused),
        (_, Some(Weight::Doubt)) => ("!", Role::Armed),
        (Outcome::Unproven(_), _) => ("?", Role::Pending),
        (Outcome::NotAsked(_), _) => ("–", Role::Dim),
        _ => ("✓", Role::Good),
    }
}

/// The word `check:` of the task filter looks for: `sound`, `fault`, `doubt`, `open`, `none`.
pub fn word(report: Option<&Report>) -> &'static str {
    let Some(report) = report else {
        return "none";
    };
    if report.count(Weight::Fault) > 0 {
        "fault"
    } else if report.count(Weight::Doubt) > 0 {
        "doubt"
    } else if report.unproven() > 0 {
        "open"
    } else {
        "sound"
    }
}
