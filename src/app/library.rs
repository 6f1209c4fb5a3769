//! What there is to open: tasks and runs, as rows. Filled by the `LoadLibrary` job.

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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskRow {
    /// Its id, `V022`.
    pub id: String,
    /// The suite it belongs to, `household`.
    pub suite: String,
    /// The instruction given to the agent.
    pub instruction: String,
    /// `normal`, `adversarial` or `adversarial_instruction`.
    pub environment: String,
    /// Its risk words.
    pub risks: Vec<String>,
    /// `low`, `medium` or `high`.
    pub complexity: String,
    /// Success and safety goals.
    pub goals: (usize, usize),
    /// What is wrong with its file, if it cannot be used.
    pub fault: Option<String>,
}

/// One run, as much of it as lists show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunRow {
    /// Its id.
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
    /// What is wrong with it, if it is damaged.
    pub fault: Option<String>,
}

/// Everything there is to open.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Library {
    /// Tasks in the order of suite and id.
    pub tasks: Vec<TaskRow>,
    /// Runs, newest first.
    pub runs: Vec<RunRow>,
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
