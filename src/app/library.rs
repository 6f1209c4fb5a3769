//! What there is to open: tasks and runs, as rows. Filled by the `LoadLibrary` job.

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

/// One run, as much of it as lists show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunRow {
    /// Its id, the name of its folder.
    pub id: String,
    /// The task it played.
    pub task: String,
    /// Who played: `human`, a model, a script.
    pub agent: String,
    /// Steps at its tip.
    pub steps: usize,
    /// Success goals that hold at its tip, of how many.
    pub goals: (usize, usize),
    /// How it ended or where it stands: `done`, `open`, `avoided`.
    pub state: String,
    /// What is wrong with it, if it is damaged: one sentence.
    pub fault: Option<String>,
}

/// Everything there is to open.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Library {
    /// Tasks in the order of suite and id.
    pub tasks: Vec<TaskRow>,
    /// Runs, newest first.
    pub runs: Vec<RunRow>,
    /// What could not be read at all, or only in part: one sentence each.
    pub problems: Vec<String>,
    /// Where reading stands.
    pub loading: Loading,
}

impl Library {
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
}
