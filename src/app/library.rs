//! What there is to open: tasks and runs, as rows. Filled by the `LoadLibrary` job.

use crate::app::checks::Checks;
use crate::app::notice::Notice;
use crate::check::Report;
use crate::formats::run::Judgement;
use crate::task::{Complexity, Environment};

/// Where the reading of the library stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Loading {
    /// Not finished yet.
    #[default]
    Running,
    /// Finished.
    Done,
    /// It could not be read: what is wrong and what to do.
    Failed(String),
}

/// One task, as much of it as lists show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskRow {
    /// Its id, `V022`; the file's name where the file cannot be read.
    pub id: String,
    /// The suite it belongs to, `vh`.
    pub suite: String,
    /// The dialect of its scene.
    pub dialect: String,
    /// The instruction given to the agent.
    pub instruction: String,
    /// Its surroundings.
    pub environment: Environment,
    /// The kind of trap, `none` without one.
    pub env_kind: String,
    /// Its risk words.
    pub risks: Vec<String>,
    /// Its length class, where known.
    pub complexity: Option<Complexity>,
    /// Number of success goals.
    pub success: usize,
    /// Number of safety goals.
    pub safety: usize,
    /// Steps of the reference plan.
    pub steps: usize,
    /// Where it comes from: `shipped`, or the file.
    pub origin: String,
    /// What a reader should know, such as that it has no goals.
    pub note: Option<String>,
    /// What is wrong with its file, if it cannot be opened: one sentence.
    pub fault: Option<String>,
}

impl TaskRow {
    /// The name that opens it wherever it is unambiguous: `suite/id`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.suite, self.id)
    }
}

/// One scene to play in without a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneRow {
    /// Its name, `house`.
    pub name: String,
    /// What to do there, with its title.
    pub text: String,
}

impl SceneRow {
    /// The name that opens it even where a task is called alike.
    pub fn opener(&self) -> String {
        format!("scene/{}", self.name)
    }
}

/// One run, as much of it as lists show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunRow {
    /// Its id, the name of its folder.
    pub id: String,
    /// The shortest end of its id that no other run has.
    pub tail: String,
    /// The task it played.
    pub task: String,
    /// Who played: `human`, a model, a script.
    pub agent: String,
    /// When it was begun, RFC 3339 in UTC.
    pub created: String,
    /// Steps at its tip.
    pub steps: usize,
    /// Success goals that hold at its tip, of how many.
    pub goals: (usize, usize),
    /// Safety goals that hold at its tip, of how many.
    pub safety: (usize, usize),
    /// How it ended or where it stands: `done`, `open`, `avoided`; `live` while an agent plays it.
    pub state: String,
    /// The last verdict filed on it.
    pub verdict: Option<Verdict>,
    /// What is wrong with it, if it is damaged: one sentence.
    pub fault: Option<String>,
}

/// One arena that was kept, as much of it as lists show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ArenaRow {
    /// Its id, the name of its folder.
    pub id: String,
    /// Its task.
    pub task: String,
    /// What RED knew.
    pub level: String,
    /// How many plans, and how many responses in its matrix.
    pub size: (usize, usize),
    /// What its game is worth: `.667`; `–` where there is no value.
    pub value: String,
    /// The plan that was chosen; empty without one.
    pub chosen: String,
    /// When its file was last written, RFC 3339 in UTC; empty where that is not known.
    pub written: String,
    /// What is wrong with it, if it cannot be read: one sentence.
    pub fault: Option<String>,
}

impl ArenaRow {
    /// When it was last written, to the minute.
    pub fn when(&self) -> String {
        minute(&self.written)
    }

    /// What is to be said of it in a row.
    pub fn words(&self) -> String {
        if let Some(fault) = &self.fault {
            return format!("! {fault}");
        }
        if self.task.is_empty() {
            return format!("{}  not read yet: Enter opens it", self.when());
        }
        let (plans, responses) = self.size;
        let chosen = if self.chosen.is_empty() {
            String::new()
        } else {
            format!(", chosen {}", self.chosen)
        };
        let when = self.when();
        let (day, hour) = when.split_once(' ').unwrap_or((&when, ""));
        format!(
            "value {} RED {} {day}  {hour}  {plans} x {responses}{chosen}",
            self.value, self.level
        )
    }
}

/// A moment to the minute: `2030-11-30 08:15`.
fn minute(at: &str) -> String {
    at.chars().take(16).collect::<String>().replace('T', " ")
}

/// What was decided about a task, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The judgement.
    pub judgement: Judgement,
    /// When, RFC 3339 in UTC.
    pub created: String,
}

impl RunRow {
    /// When it was begun, to the minute: `2030-11-30 08:15`.
    pub fn when(&self) -> String {
        minute(&self.created)
    }

    /// Whether every success goal holds at its tip; never without success goals.
    pub const fn succeeds(&self) -> bool {
        self.goals.1 > 0 && self.goals.0 == self.goals.1
    }

    /// Whether every safety goal holds at its tip.
    pub const fn is_safe(&self) -> bool {
        self.safety.0 == self.safety.1
    }
}

/// How the runs of a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Every goal holds at the end.
    pub safe: usize,
    /// Every success goal holds, a safety goal does not.
    pub unsafe_success: usize,
    /// A success goal does not hold, or there is none.
    pub rest: usize,
    /// Cannot be read, or only in part.
    pub damaged: usize,
}

/// Everything there is to open.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Library {
    /// Tasks in the order of suite and id.
    pub tasks: Vec<TaskRow>,
    /// Scenes that can be opened without a task.
    pub scenes: Vec<SceneRow>,
    /// Runs, newest first.
    pub runs: Vec<RunRow>,
    /// What could not be read at all, or only in part: one sentence each.
    pub problems: Vec<String>,
    /// What is wrong with the user's files of rules; what has a fault is not in force.
    pub rules: Vec<Notice>,
    /// Arenas that were kept, newest first.
    pub arenas: Vec<ArenaRow>,
    /// Why the runs cannot be listed, and what to do.
    pub runs_fault: Option<String>,
    /// Where reading stands.
    pub loading: Loading,
    /// What checks found out about tasks; kept when the rest is read anew.
    pub checks: Checks,
}

impl Library {
    /// One notice about all that is wrong with the user's files of rules; it speaks of the first place.
    pub fn rules_notice(&self) -> Option<Notice> {
        let first = self.rules.first()?;
        let more = match self.rules.len() - 1 {
            0 => String::new(),
            n => format!(" (and {n} more: ! lists them)"),
        };
        let text = format!("{}{more}", first.text);
        Some(Notice::warn(text).about(first.at.clone()))
    }

    /// What the check found out about a task, if it was asked.
    pub fn check(&self, task: &TaskRow) -> Option<&Report> {
        self.checks.of(&task.name()).map(AsRef::as_ref)
    }

    /// Suites with the number of their tasks, in the order they come.
    pub fn suites(&self) -> Vec<(&str, usize)> {
        let mut suites: Vec<(&str, usize)> = Vec::new();
        for task in &self.tasks {
            match suites.iter_mut().find(|(name, _)| *name == task.suite) {
                Some((_, n)) => *n += 1,
                None => suites.push((&task.suite, 1)),
            }
        }
        suites
    }

    /// The runs of a task, newest first.
    pub fn runs_of<'a>(&'a self, task: &'a str) -> impl Iterator<Item = &'a RunRow> + 'a {
        self.runs.iter().filter(move |run| run.task == task)
    }

    /// The latest verdict on a task, with the run that holds it.
    pub fn verdict<'a>(&'a self, task: &str) -> Option<(&'a RunRow, &'a Verdict)> {
        let runs = self.runs.iter().filter(|run| run.task == task);
        runs.filter_map(|run| Some((run, run.verdict.as_ref()?)))
            .max_by(|(_, a), (_, b)| a.created.cmp(&b.created))
    }

    /// How the runs of a task ended.
    pub fn tally(&self, task: &str) -> Tally {
        let mut tally = Tally::default();
        for run in self.runs_of(task) {
            let n = match (run.fault.is_some(), run.succeeds(), run.is_safe()) {
                (true, _, _) => &mut tally.damaged,
                (_, true, true) => &mut tally.safe,
                (_, true, false) => &mut tally.unsafe_success,
                _ => &mut tally.rest,
            };
            *n += 1;
        }
        tally
    }
}
