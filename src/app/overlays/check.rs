//! The check panel: what can be proven about one task, failures first, each line with the steps that show it.

use crate::app::checks::{self, Asked, Shown};
use crate::app::commands::{Availability, Command};
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Layer, Overlaid};
use crate::app::list::List;
use crate::app::msg::Millis;
use crate::app::notice::Notice;
use crate::app::overlays::Overlay;
use crate::app::overlays::patch::Patch;
use crate::app::role::Role;
use crate::app::screens::Screen;
use crate::app::screens::inspect::Inspect;
use crate::app::screens::tasks::has_file;
use crate::app::state::Shared;
use crate::check::finding::{Cure, Finding, Outcome, Witness};
use crate::check::{Effort, Line, Report};
use crate::formats::task::patch::Edit;
use crate::sim::vocab::Profile;

/// Commands of the panel.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "check-open",
        "open witness",
        "Go to the steps that show what the row found.",
    ),
    Command::new(
        "check-inspect",
        "inspect",
        "Take the steps that show what the row found apart.",
    ),
    Command::new(
        "check-more",
        "raise limit",
        "Ask again what was not proven, with ten times the effort.",
    ),
    Command::new(
        "check-patch",
        "patch",
        "Show the change to the task file that mends what the row found, to be written or left.",
    ),
    Command::new(
        "check-again",
        "check again",
        "Ask everything again: the task may have changed.",
    ),
    Command::new("check-close", "close", "Close the panel."),
];

/// The slot of its job.
const CHECK: &str = "check";

/// Where the panel was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// In a list: witnesses are taken apart.
    List,
    /// In a game of the task: witnesses are played there.
    Game,
}

/// How far the checking is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stage {
    /// Answers come in.
    Running,
    /// All are in.
    Done,
    /// All are in, since the panel was open before.
    Kept,
    /// It failed: why.
    Failed(String),
}

/// The state of the panel.
#[derive(Debug, Clone)]
pub struct Check {
    asked: Asked,
    over: Over,
    /// The answers so far.
    report: Report,
    /// How many there will be.
    total: usize,
    began: Millis,
    took: Millis,
    /// How far it is.
    pub stage: Stage,
    /// The row under the cursor.
    pub list: List,
}

/// One row: a finding, or an answer without one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row<'r> {
    /// The sign before it, and what it is.
    pub sign: (&'static str, Role),
    /// What was claimed.
    pub title: &'static str,
    /// The fact that shows it, at the right end.
    pub note: String,
    /// What was found, if it was.
    pub finding: Option<&'r Finding>,
    /// The steps that show it.
    pub witness: Option<&'r Witness>,
}

impl Check {
    /// A panel on a task, `suite/id`, in a profile of one's own or the usual one.
    pub fn of(task: &str, profile: Option<Profile>, over: Over) -> Self {
        let asked = Asked {
            task: task.to_owned(),
            profile,
            effort: Effort::default(),
        };
        Self {
            report: Report::new(task.to_owned(), profile.unwrap_or(Profile::Strict)),
            asked,
            over,
            total: 0,
            began: 0,
            took: 0,
            stage: Stage::Running,
            list: List::default(),
        }
    }

    /// The rows, worst first.
    pub fn rows(&self) -> Vec<Row<'_>> {
        let lines = self.report.sorted().into_iter();
        lines.flat_map(rows_of).collect()
    }

    /// What the row under the cursor says in full.
    pub fn told(&self) -> Vec<String> {
        let rows = self.rows();
        let Some(row) = rows.get(self.list.cursor) else {
            return Vec::new();
        };
        let Some(found) = row.finding else {
            let told = match row.sign.0 {
                "?" => format!("{}: {}; W raises the limit", row.title, row.note),
                _ if row.note.is_empty() => row.title.to_owned(),
                _ => format!("{}: {}", row.title, row.note),
            };
            let mut told = vec![told];
            told.extend(row.witness.map(witness_words));
            return told;
        };
        let mut told = vec![found.sentence.clone()];
        if let Some(cure) = &found.cure {
            told.push(format!("proposed: {}   p shows it", cure_words(cure)));
        }
        told.extend(row.witness.map(witness_words));
        told
    }

    fn shown(&self) -> Option<Shown> {
        let rows = self.rows();
        let witness = rows.get(self.list.cursor)?.witness?.clone();
        Some(Shown {
            task: self.asked.task.clone(),
            profile: self.report.profile,
            witness,
        })
    }

    /// The changes that mend what the row under the cursor found; none where none is known.
    fn cures(&self) -> Vec<Edit> {
        let rows = self.rows();
        let found = rows.get(self.list.cursor).and_then(|row| row.finding);
        found.map(checks::edits).unwrap_or_default()
    }

    fn start(&mut self, shared: &Shared) -> Vec<Act> {
        self.report.lines.clear();
        self.stage = Stage::Running;
        self.began = shared.now;
        self.took = 0;
        vec![Act::Job(CHECK, Job::Check(self.asked.clone()))]
    }

    fn open(&self, command: &str) -> Vec<Act> {
        let Some(shown) = self.shown() else {
            let file = format!("file task {}", self.asked.task);
            return vec![Act::Close, Act::Run(file)];
        };
        if command == "check-open" && self.over == Over::Game {
            let steps = shown.witness.steps.join("; ");
            let line = format!("witness s{} {steps}", shown.witness.at);
            return vec![Act::Close, Act::Run(line.trim_end().to_owned())];
        }
        let screen = Screen::Inspect(Box::new(Inspect::witness(shown)));
        vec![Act::Open(screen)]
    }

    /// Whether the row under the cursor is a finding about a file that is there to be opened.
    fn is_about_file(&self, shared: &Shared) -> bool {
        let rows = self.rows();
        let row = rows.get(self.list.cursor);
        let found = row.is_some_and(|row| row.finding.is_some() && row.witness.is_none());
        let mut tasks = shared.library.tasks.iter();
        found
            && tasks
                .any(|t| (t.name() == self.asked.task || t.id == self.asked.task) && has_file(t))
    }

    fn is_open(&self) -> bool {
        self.report.unproven() > 0 && matches!(self.stage, Stage::Done | Stage::Kept)
    }
}

fn rows_of(line: &Line) -> Vec<Row<'_>> {
    let row = |sign, note: &str, witness| Row {
        sign,
        title: line.title,
        note: note.to_owned(),
        finding: None,
        witness,
    };
    let sign = checks::sign(&line.outcome);
    match &line.outcome {
        Outcome::Found(all) => all
            .iter()
            .map(|found| Row {
                finding: Some(found),
                ..row(sign, found.kind.id(), found.witness.as_ref())
            })
            .collect(),
        Outcome::Holds(note, by) => vec![row(sign, note, by.as_ref())],
        Outcome::Unproven(note) | Outcome::NotAsked(note) => vec![row(sign, note, None)],
    }
}

/// `witness: reference plan, s11 of 20`.
fn witness_words(witness: &Witness) -> String {
    match witness.steps.len() {
        0 => "witness: the start   Enter opens it".to_owned(),
        steps => format!(
            "witness: {}, s{} of {steps}   Enter opens it",
            witness.of, witness.at
        ),
    }
}

/// A change to the task file in words.
pub fn cure_words(cure: &Cure) -> String {
    match cure {
        Cure::Drop(list, at) => format!("drop {list} {}", at + 1),
        Cure::Append(list, item) => format!("append {item} to {list}"),
        Cure::Set(field, text) => format!("set {field} to {text}"),
    }
}

/// `0.2 s`.
fn seconds(ms: Millis) -> String {
    format!("{}.{} s", ms / 1000, ms % 1000 / 100)
}

impl Layer for Check {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["check", "list"]
    }

    fn when(&self, command: &str, _args: &str, shared: &Shared) -> Availability {
        match command {
            "filter" => Availability::blocked("this list has no filter"),
            // What is wrong with the file itself has no steps: it is shown in the file.
            "check-open" if self.is_about_file(shared) => Availability::Ready,
            "check-open" | "check-inspect" => {
                Availability::when(self.shown().is_some(), "no steps belong to this row")
            }
            "check-patch" => Availability::when(
                !self.cures().is_empty(),
                "no change is proposed for this row",
            ),
            "check-again" => {
                Availability::when(self.stage != Stage::Running, "it is being checked")
            }
            "check-more" => Availability::when(self.is_open(), "nothing is left to be proven"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        let len = self.rows().len();
        match command {
            "check-open" | "check-inspect" => Some(self.open(command)),
            "check-more" => {
                self.asked.effort = self.asked.effort.raised();
                Some(self.start(shared))
            }
            "check-patch" => {
                let edits = self.cures();
                if edits.is_empty() {
                    return Some(Vec::new());
                }
                let patch = Patch::of(&self.asked.task, edits).then("check-again");
                Some(vec![Act::Show(Overlay::Patch(Box::new(patch)))])
            }
            "check-again" => Some(self.start(shared)),
            "check-close" => Some(vec![Act::Close]),
            "filter" => Some(Vec::new()),
            _ => self.list.run(command, len, shared.page()).then(Vec::new),
        }
    }

    fn on_open(&mut self, shared: &mut Shared) -> Vec<Act> {
        // What was proven stays so while the task stays as it is.
        let Some((report, effort)) = shared.library.checks.answer(&self.asked) else {
            return self.start(shared);
        };
        self.report = Report::clone(report);
        self.asked.effort = effort;
        self.total = self.report.lines.len();
        self.stage = Stage::Kept;
        Vec::new()
    }

    fn on_job(&mut self, _slot: &'static str, event: JobEvent, shared: &mut Shared) -> Vec<Act> {
        self.took = shared.now.saturating_sub(self.began);
        match event {
            JobEvent::Progress { .. } => {}
            JobEvent::Part(reply) => {
                if let Reply::CheckLine(line, total) = *reply {
                    self.total = total;
                    self.report.lines.push(line);
                }
            }
            JobEvent::Done(reply) => {
                if let Reply::Checked(reports) = *reply {
                    self.stage = Stage::Done;
                    for report in reports {
                        self.report = Report::clone(&report);
                        self.total = self.report.lines.len();
                        shared.library.checks.keep(report, self.asked.effort);
                    }
                }
            }
            JobEvent::Failed(reason) => {
                self.stage = Stage::Failed(reason.clone());
                return vec![Act::Notice(Notice::error(reason))];
            }
        }
        self.list.clamp(self.rows().len());
        Vec::new()
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        let word = |sign: &str| match sign {
            "✗" => "fault",
            "!" => "doubt",
            "?" => "not proven",
            "–" => "not asked",
            _ => "holds",
        };
        let mut lines = vec![self.heading()];
        for row in self.rows() {
            let told = row.finding.map_or(&row.note, |found| &found.sentence);
            let colon = if told.is_empty() { "" } else { ": " };
            lines.push(format!("{}: {}{colon}{told}", word(row.sign.0), row.title));
        }
        lines
    }
}

impl Overlaid for Check {
    fn heading(&self) -> String {
        let done = self.report.lines.len();
        let how = match &self.stage {
            Stage::Running if self.total == 0 => "…".to_owned(),
            Stage::Running => format!("{done} of {}, {}", self.total, seconds(self.took)),
            Stage::Done => format!("{done} of {} done", self.total),
            Stage::Kept => format!("{done} of {} done before", self.total),
            Stage::Failed(_) => "failed".to_owned(),
        };
        let profile = self.report.profile.id();
        format!("Check  {}  {profile}  {how}", self.asked.task)
    }
}
