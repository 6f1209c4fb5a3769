//! The log: everything that was reported since the start, newest last.

use crate::app::commands::{Availability, Command};
use crate::app::layer::{Act, Layer, Overlaid};
use crate::app::list::List;
use crate::app::state::Shared;

/// Commands of the log alone.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "log-open",
        "open file",
        "Open the file the line speaks of, where it does.",
    ),
    Command::new("log-close", "close", "Close the log."),
];

/// The state of the log: the row under the cursor.
#[derive(Debug, Clone, Default)]
pub struct Log {
    /// The row under the cursor.
    pub list: List,
}

impl Log {
    /// The log with its cursor on the newest line.
    pub fn at_end(shared: &Shared) -> Self {
        Self {
            list: List {
                cursor: shared.notices.lines().len().saturating_sub(1),
            },
        }
    }
}

impl Log {
    /// The file the line under the cursor speaks of, `PATH:LINE`.
    fn place<'s>(&self, shared: &'s Shared) -> Option<&'s str> {
        let line = shared.notices.lines().nth(self.list.cursor)?;
        line.at.as_deref()
    }
}

impl Layer for Log {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["log", "list"]
    }

    fn when(&self, command: &str, _args: &str, shared: &Shared) -> Availability {
        match command {
            "filter" => Availability::blocked("the log has no filter"),
            "log-open" => Availability::when(self.place(shared).is_some(), "it speaks of no file"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "log-open" => {
                let place = self.place(shared)?;
                Some(vec![Act::Close, Act::Run(format!("file {place}"))])
            }
            "log-close" => Some(vec![Act::Close]),
            "filter" => Some(Vec::new()),
            _ => self
                .list
                .run(command, shared.notices.lines().len(), shared.page())
                .then(Vec::new),
        }
    }

    fn plain(&self, shared: &Shared) -> Vec<String> {
        shared
            .notices
            .lines()
            .map(|line| format!("{}: {}", line.level.word(), line.text))
            .collect()
    }
}

impl Overlaid for Log {
    fn heading(&self) -> String {
        "Log".to_owned()
    }
}
