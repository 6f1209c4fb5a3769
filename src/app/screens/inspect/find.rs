//! Finding steps of a run by the language of Runs.

use crate::app::commands::Availability;
use crate::app::layer::Act;
use crate::app::notice::Notice;
use crate::query::gather::{self, Files, Start};
use crate::query::pool::Pool;
use crate::query::row::{Row, Stage};
use crate::query::{Outcome, Plan, Query, Truth, read};
use crate::sim::timeline::Pos;

use super::Inspect;
use super::loaded::Loaded;

/// What was asked of the run, and where it is so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    query: Query,
    steps: Vec<u32>,
}

/// What a query says about a run that is being looked at.
fn answer(it: &Loaded, query: &Query) -> Outcome {
    let run = &it.run;
    let (mut pool, mut row) = (Pool::default(), Row::default());
    let files = Files {
        header: &run.header,
        events: &run.events,
        notes: &run.notes,
        spent: &run.spent,
        fault: run.findings.first().map(String::as_str),
    };
    gather::read(&mut row, &mut pool, files);
    let mut starts: Vec<Start> = Vec::new();
    if let Ok(again) = &run.again {
        let mut episode = again.episode.clone();
        episode.goto(Pos::START);
        starts.push(gather::start(&mut pool, &episode));
        row.start = 1;
        // The one that stands where the run stood knows how it ended.
        let mut episode = again.episode.clone();
        let start = starts.first().cloned().unwrap_or_default();
        let again = (&mut episode, again.drifts.as_slice(), &it.record);
        gather::judged(&mut row, &mut pool, &start, again);
        if query.needs() == Stage::Armed {
            gather::armed(&mut row, &mut pool, (&mut episode, &it.record));
        }
    }
    Plan::new(query, &pool).outcome(&row, &starts)
}

impl Inspect {
    /// Goes to the first step a query fits, at or after the one under the cursor, else to the first of all.
    pub(super) fn find(&mut self, text: &str) -> Vec<Act> {
        let query = match read(text) {
            Ok(query) => query,
            Err(wrong) => return vec![Act::Notice(Notice::warn(format!("find-step: {wrong}")))],
        };
        let Some(it) = self.loaded() else {
            return Vec::new();
        };
        let found = answer(it, &query);
        if found.steps.is_empty() {
            let told = match found.truth {
                Truth::Yes => "fits the run, but names nothing that happens at a step",
                Truth::No => "no step of this run fits",
                Truth::Unknown => "the run cannot be played again, so this is not known",
            };
            return vec![Act::Notice(Notice::info(format!("{query}: {told}")))];
        }
        let here = it.pos();
        let steps = found.steps;
        let at = steps.iter().position(|pos| *pos >= here).unwrap_or(0);
        self.asked = Some(Asked { query, steps });
        self.show_found(at)
    }

    /// Goes to the next step that was found, or to the one before; around the ends.
    pub(super) fn find_again(&mut self, forward: bool) -> Vec<Act> {
        let (Some(asked), Some(it)) = (&self.asked, self.loaded()) else {
            return Vec::new();
        };
        let (here, steps) = (it.pos(), &asked.steps);
        let at = if forward {
            steps.iter().position(|pos| *pos > here).unwrap_or(0)
        } else {
            let before = steps.iter().rposition(|pos| *pos < here);
            before.unwrap_or(steps.len().saturating_sub(1))
        };
        self.show_found(at)
    }

    fn show_found(&mut self, at: usize) -> Vec<Act> {
        let Some(asked) = &self.asked else {
            return Vec::new();
        };
        let Some(pos) = asked.steps.get(at).copied() else {
            return Vec::new();
        };
        let told = format!(
            "{}: s{pos}, {} of {}",
            asked.query,
            at + 1,
            asked.steps.len()
        );
        if let Some(it) = self.loaded_mut() {
            it.goto(pos);
        }
        self.moved();
        vec![Act::Notice(Notice::info(told))]
    }

    /// Whether something can be found, or finding go on.
    pub(super) fn can_find(&self, command: &str, args: &str) -> Availability {
        if command == "find-step" {
            return Availability::when(!args.is_empty(), "say what: find-step violates(F05)");
        }
        Availability::when(
            self.asked.is_some(),
            "nothing was asked: :find-step violates(F05)",
        )
    }
}
