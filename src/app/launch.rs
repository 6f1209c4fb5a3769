//! Runs to be started: who plays what. A runner of its own plays them, which goes on when this program ends.

use std::path::PathBuf;

/// What is to be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Launch {
    /// An agent plays a task.
    Task(String, Who),
    /// An agent plays every task of a suite.
    Suite(String, Who),
    /// Tasks of a suite are played as one of its runs was.
    Missing {
        /// The suite.
        suite: String,
        /// The tasks, by their ids.
        tasks: Vec<String>,
        /// The folder of a run of the same agent; theirs go beside it.
        like: PathBuf,
    },
}

/// Who plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Who {
    /// The kind of agent: `planner`, `openai`.
    pub agent: String,
    /// The model, for chat models.
    pub model: String,
    /// The strategy, for chat models.
    pub strategy: String,
}

impl Who {
    /// As flags of the commands that play.
    pub fn flags(&self) -> Vec<String> {
        let all = [
            ("--agent", &self.agent),
            ("--model", &self.model),
            ("--strategy", &self.strategy),
        ];
        let said = all.into_iter().filter(|(_, value)| !value.is_empty());
        said.flat_map(|(flag, value)| [flag.to_owned(), value.clone()])
            .collect()
    }
}

impl Launch {
    /// What it is, for messages.
    pub fn words(&self) -> String {
        match self {
            Self::Task(task, who) => format!("{task} by {}", who.agent),
            Self::Suite(suite, who) => format!("the suite {suite} by {}", who.agent),
            Self::Missing { suite, tasks, .. } => {
                let ending = if tasks.len() == 1 { "" } else { "s" };
                format!("{} run{ending} of the suite {suite}", tasks.len())
            }
        }
    }
}
