//! The no-op audit of the household arena: every field of plan, scenario and setting is changed, and what moves is listed.
//!
//! A control that moves nothing is a finding: somebody may set it and believe that it matters. The published scorer has
//! many of these (`AdvPlan-Bench`, §14.3). What is merely written on a task for people and counts (its id, suite, risk,
//! complexity, provenance, what it is the twin of) is a label and no control; [`LABELS`] names them.

use std::sync::Arc;

use crate::arena::frontier::pareto::{front, standings};
use crate::arena::house::blue;
use crate::arena::house::committee::Committee;
use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Candidate, Origin};
use crate::arena::house::record::{Phase, Record, Settings};
use crate::arena::house::red;
use crate::arena::house::weigh::{AXES, held_out, matrix, points};
use crate::base::diag::Diagnostic;
use crate::plan::branching::Branching;
use crate::safety::book::Book;
use crate::sim::scene::Scene;
use crate::sim::vocab::Profile;
use crate::task::Task;
use crate::task::setup::{Setup, prepare};

mod edits;

pub use edits::EDITS;

/// What is written on a task for people and for counting alone.
pub const LABELS: &[&str] = &[
    "id",
    "suite",
    "environment",
    "env_kind",
    "risk",
    "complexity",
    "provenance",
    "twin_of",
];

/// The name of the candidate whose plan is edited.
const SUBJECT: &str = "B0";

/// Everything that decides an arena.
#[derive(Clone, Debug)]
pub struct Case {
    /// The scenario.
    pub task: Task,
    /// Its scene before the task's changes.
    pub base: Arc<Scene>,
    /// The rules in force.
    pub book: Arc<Book>,
    /// The semantics of the world.
    pub profile: Profile,
    /// The settings.
    pub settings: Settings,
    /// A plan handed in beside those that are proposed; with branches, so that their fields are there to be changed.
    pub plan: Branching,
}

/// A change of one field.
#[derive(Debug)]
pub struct Edit {
    /// Its name: what it belongs to and the field, `plan.order`.
    pub id: &'static str,
    /// What is changed.
    pub doc: &'static str,
    apply: Apply,
}

/// How a field is changed; false where the case has no such field, such as a task without scripted events.
#[derive(Debug)]
enum Apply {
    Plan(fn(&mut Branching, &Setup) -> bool),
    Scenario(fn(&mut Case) -> bool),
    Setting(fn(&mut Case)),
}

impl Edit {
    fn apply(&self, case: &mut Case, setup: &Setup) -> bool {
        match self.apply {
            Apply::Plan(change) => change(&mut case.plan, setup),
            Apply::Scenario(change) => change(case),
            Apply::Setting(change) => {
                change(case);
                true
            }
        }
    }
}

/// What an edit moved.
#[derive(Debug)]
pub struct Moved {
    /// The edit.
    pub edit: &'static Edit,
    /// In how many cases the field was there to be changed.
    pub cases: usize,
    /// The metrics that moved in any of them, each with the number of cases.
    pub metrics: Vec<(&'static str, usize)>,
    /// Why an edited case could not be played, one sentence each.
    pub faults: Vec<String>,
}

impl Moved {
    /// Whether nothing moved although there was something to change.
    pub const fn is_inert(&self) -> bool {
        self.cases > 0 && self.metrics.is_empty()
    }
}

impl Case {
    /// Binds the task.
    fn setup(&self) -> Result<Setup, String> {
        let bound = prepare(Arc::new(self.task.clone()), &self.base, self.book.clone());
        bound.map_err(|all| first(&all))
    }

    /// Holds its arena.
    ///
    /// # Errors
    /// The task or the level of RED cannot be used.
    pub fn hold(&self) -> Result<Record, String> {
        let setup = Arc::new(self.setup()?);
        let mut ground = Ground::new(setup, self.profile).map_err(|d| d.to_string())?;
        let level = red::level(&self.settings.level)
            .ok_or_else(|| format!("RED has no level {:?}", self.settings.level))?;
        let mut proposals = blue::proposals(&ground, self.settings.proposals as usize);
        let subject = Candidate {
            name: SUBJECT.to_owned(),
            origin: Origin::File("audit".to_owned()),
            plan: self.plan.clone(),
        };
        proposals.insert(0, (subject, String::new()));
        Ok(Committee::new(&mut ground, &self.settings, level).hold(proposals, &mut |_| true))
    }
}

fn first(all: &[Diagnostic]) -> String {
    let first = all.first().map(ToString::to_string);
    first.unwrap_or_else(|| "the task cannot be prepared".to_owned())
}

/// What is watched, by name: each as text, so that any change of it shows.
pub fn metrics(record: &Record) -> Vec<(&'static str, String)> {
    let scores = record.scores();
    let term = |of: fn(&crate::arena::house::committee::score::Terms) -> f64| {
        let mut all: Vec<String> = scores
            .iter()
            .map(|s| format!("{} {}", s.candidate, of(&s.terms)))
            .collect();
        all.sort_unstable();
        all.join("; ")
    };
    let outcomes = |phase: Phase| {
        let all = record.cells(phase).map(|c| {
            let o = &c.outcome;
            let broken: Vec<&str> = o.broken.iter().map(|b| b.rule.as_str()).collect();
            let red = c.red.id();
            format!(
                "{} {} {} {} {} {}",
                o.success,
                o.safety,
                o.succeeds,
                broken.join(","),
                o.steps,
                red
            )
        });
        all.collect::<Vec<_>>().join("; ")
    };
    let payoffs = &record.settings.payoffs;
    let game = matrix(record).and_then(|m| m.game(payoffs));
    let (axes, all) = points(record, AXES);
    let choice = record.choice.as_ref();
    let met = choice.and_then(|c| held_out(record, &c.selected));
    let mut order: Vec<String> = scores
        .iter()
        .map(|s| format!("{} {}", s.candidate, s.score))
        .collect();
    order.sort_unstable();
    vec![
        ("quality", term(|t| t.quality)),
        ("discipline", term(|t| t.discipline)),
        ("variety", term(|t| t.variety)),
        ("pressure", term(|t| t.pressure)),
        ("S", order.join("; ")),
        ("outcomes", outcomes(Phase::Search)),
        ("matrix", outcomes(Phase::Matrix)),
        (
            "value",
            game.map_or_else(String::new, |g| format!("{} {}", g.low, g.high)),
        ),
        ("front", format!("{:?}", front(&standings(&axes, &all)))),
        (
            "chosen",
            choice.map_or_else(String::new, |c| c.selected.clone()),
        ),
        ("claims", record.claims.len().to_string()),
        ("candidates", record.candidates.len().to_string()),
        (
            "held_out",
            met.map_or_else(String::new, |m| format!("{} {} {}", m.worst, m.mean, m.n)),
        ),
    ]
}

/// Makes these edits in every case and lists what moves.
///
/// # Errors
/// A case cannot be played as it is.
pub fn audit(cases: &[Case], edits: &[&'static Edit]) -> Result<Vec<Moved>, String> {
    let mut plain = Vec::new();
    for case in cases {
        plain.push((case, case.setup()?, metrics(&case.hold()?)));
    }
    let mut all = Vec::new();
    for &edit in edits {
        let mut moved = Moved {
            edit,
            cases: 0,
            metrics: Vec::new(),
            faults: Vec::new(),
        };
        for (case, setup, before) in &plain {
            let mut changed = (*case).clone();
            if !edit.apply(&mut changed, setup) {
                continue;
            }
            match changed.hold() {
                Ok(record) => {
                    moved.cases += 1;
                    count(before, &metrics(&record), &mut moved.metrics);
                }
                Err(why) => moved.faults.push(why),
            }
        }
        all.push(moved);
    }
    Ok(all)
}

fn count(
    before: &[(&'static str, String)],
    after: &[(&'static str, String)],
    moved: &mut Vec<(&'static str, usize)>,
) {
    for ((name, was), (_, is)) in before.iter().zip(after) {
        if was == is {
            continue;
        }
        match moved.iter_mut().find(|(known, _)| known == name) {
            Some((_, n)) => *n += 1,
            None => moved.push((name, 1)),
        }
    }
}
