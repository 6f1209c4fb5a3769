//! The verdict sheet: what a person thinks of a task, which goals are meant and what is wrong with each, why, and the
//! branch that shows it. The draft survives closing the sheet.

use std::collections::BTreeMap;

use crate::app::commands::{Availability, Command};
use crate::app::edit::LineEdit;
use crate::app::list::List;
use crate::app::parts::goals;
use crate::formats::run::{Fault, GoalFault, Judgement, Verdict, Witness};
use crate::task::episode::Episode;

/// Commands of the sheet.
pub const SHEET: &[Command] = &[
    Command::new("verdict-save", "save", "File the verdict with this run."),
    Command::new(
        "verdict-next",
        "next field",
        "Go to the next field of the sheet.",
    ),
    Command::new(
        "verdict-previous",
        "field before",
        "Go to the field before.",
    ),
    Command::new(
        "verdict-close",
        "close",
        "Close the sheet; the draft is kept.",
    ),
];

/// Commands of its first field.
pub const JUDGEMENT: &[Command] = &[
    Command::new("judge", "judge", "Choose the judgement.").with("accept|fix|reject"),
    Command::new("judge-next", "next", "Choose the next judgement."),
    Command::new("judge-previous", "before", "Choose the judgement before."),
];

/// Commands where a goal is under the cursor.
pub const FAULT: &[Command] = &[
    Command::new("fault", "fault", "Say what is wrong with the goal.")
        .with("wrong|missing|ambiguous|unreachable|ok"),
];

/// The parts of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Field {
    /// Accept, fix or reject.
    #[default]
    Judgement,
    /// The goals.
    Goals,
    /// The reason.
    Reason,
}

const FIELDS: [Field; 3] = [Field::Judgement, Field::Goals, Field::Reason];

/// What is being written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    judgement: Option<Judgement>,
    /// Goals, by index, and what is wrong with each.
    pub faults: BTreeMap<usize, Fault>,
    /// Why.
    pub reason: LineEdit,
    /// The field that has the keys.
    pub field: Field,
    /// The goal under the cursor.
    pub list: List,
}

/// What a command did to the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It stays.
    Stay,
    /// It closes.
    Close,
    /// It is to be saved.
    Save,
}

impl Draft {
    /// The judgement: the chosen one, else what the goals say.
    pub fn judgement(&self) -> Judgement {
        self.judgement.unwrap_or_else(|| {
            if self.faults.values().all(|f| *f == Fault::Ok) {
                Judgement::Accept
            } else {
                Judgement::Fix
            }
        })
    }

    /// The contexts of the sheet.
    pub fn contexts(&self) -> Vec<&'static str> {
        match self.field {
            Field::Judgement => vec!["verdict", "judgement"],
            Field::Goals => vec!["verdict", "fault", "list"],
            Field::Reason => vec!["verdict", "input"],
        }
    }

    /// Whether printable keys are text.
    pub fn takes_text(&self) -> bool {
        self.field == Field::Reason
    }

    /// Whether a command can be run.
    pub fn when(&self, command: &str, args: &str, goals: usize) -> Availability {
        match command {
            "fault" if goals == 0 => Availability::blocked("the task has no goals"),
            "fault" if !args.is_empty() && Fault::parse(args).is_none() => {
                Availability::blocked("write wrong, missing, ambiguous, unreachable or ok")
            }
            "judge" if !args.is_empty() && Judgement::parse(args).is_none() => {
                Availability::blocked("write accept, fix or reject")
            }
            "verdict-save" if self.judgement() != Judgement::Accept && !self.says_why() => {
                Availability::blocked("say why: a reason, or a goal that is wrong")
            }
            _ => Availability::Ready,
        }
    }

    fn says_why(&self) -> bool {
        !self.reason.text().trim().is_empty() || self.faults.values().any(|f| *f != Fault::Ok)
    }

    /// Runs a command of the sheet; `None` if it is none.
    pub fn run(&mut self, command: &str, args: &str, goals: usize, page: usize) -> Option<Outcome> {
        match command {
            "verdict-save" => return Some(Outcome::Save),
            "verdict-close" => return Some(Outcome::Close),
            "verdict-next" => self.field = self.beside(1),
            "verdict-previous" => self.field = self.beside(FIELDS.len() - 1),
            "judge" => self.judgement = Judgement::parse(args).or(self.judgement),
            "judge-next" => self.turn(1),
            "judge-previous" => self.turn(Judgement::ALL.len() - 1),
            "fault" => {
                let fault = Fault::parse(args);
                self.mark(self.list.cursor, fault);
            }
            _ if self.field == Field::Goals && self.list.run(command, goals, page) => {}
            _ if self.field == Field::Reason && self.reason.run(command) => {}
            _ => return None,
        }
        Some(Outcome::Stay)
    }

    /// Says what is wrong with a goal; saying it again takes it back.
    pub fn mark(&mut self, goal: usize, fault: Option<Fault>) {
        let Some(fault) = fault else {
            return;
        };
        if self.faults.get(&goal) == Some(&fault) {
            self.faults.remove(&goal);
        } else {
            self.faults.insert(goal, fault);
        }
    }

    fn beside(&self, by: usize) -> Field {
        let at = FIELDS.iter().position(|f| *f == self.field).unwrap_or(0);
        FIELDS
            .get((at + by) % FIELDS.len())
            .copied()
            .unwrap_or_default()
    }

    fn turn(&mut self, by: usize) {
        let now = self.judgement();
        let at = Judgement::ALL.iter().position(|j| *j == now).unwrap_or(0);
        self.judgement = Judgement::ALL
            .get((at + by) % Judgement::ALL.len())
            .copied();
    }

    /// The branch that shows it: the one the episode stands on, where anything was done.
    pub fn witness(episode: &Episode) -> Option<Witness> {
        let here = episode.here();
        let at = episode.seq(here)?;
        (episode.timeline().depth(here) > 0).then(|| Witness {
            branch: episode.branch().name.to_string(),
            at,
        })
    }

    /// What will be filed.
    pub fn verdict(&self, episode: &Episode) -> Verdict {
        let rows = goals::rows(episode.ledger(), episode.timeline(), episode.here());
        let set = &episode.ledger().goals().goals;
        let goals = self
            .faults
            .iter()
            .filter_map(|(&goal, &fault)| {
                let row = rows.get(goal)?;
                Some(GoalFault {
                    goal: row.field(),
                    text: set.get(goal)?.text.clone(),
                    fault,
                })
            })
            .collect();
        Verdict {
            verdict: self.judgement(),
            reason: self.reason.text().trim().to_owned(),
            goals,
            witness: Self::witness(episode),
        }
    }
}

/// `main-1, 12 steps`, or that there is none.
pub fn witness_words(episode: &Episode) -> String {
    match Draft::witness(episode) {
        Some(witness) => {
            let steps = episode.timeline().depth(episode.here());
            format!(
                "branch {}, {steps} {}",
                witness.branch,
                if steps == 1 { "step" } else { "steps" }
            )
        }
        None => "none: nothing was done".to_owned(),
    }
}
