//! A change to a task file, shown before it is made.

use crate::app::commands::{Availability, Command};
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Layer, Overlaid};
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::state::Shared;
use crate::formats::task::patch::{DiffLine, Edit};

/// Commands of the overlay.
pub const COMMANDS: &[Command] = &[
    Command::new("patch-write", "write", "Write the change to the task file."),
    Command::new("patch-close", "close", "Leave the task file as it is."),
];

/// The slots of its jobs.
const READ: &str = "read";
const WRITE: &str = "write";

/// How far it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stage {
    /// The file is being read.
    Reading,
    /// The change is shown.
    Shown,
    /// It is being written.
    Writing,
    /// It cannot be made: why.
    Failed(String),
}

/// The state of the overlay.
#[derive(Debug, Clone)]
pub struct Patch {
    task: String,
    edits: Vec<Edit>,
    /// A command line for the layer below, once it is written.
    after: Option<&'static str>,
    /// The file it goes to, once known.
    pub file: String,
    /// What changes.
    pub lines: Vec<DiffLine>,
    /// How far it is.
    pub stage: Stage,
    /// The row under the cursor.
    pub list: List,
}

impl Patch {
    /// Changes to a task, `suite/id`.
    pub fn of(task: &str, edits: Vec<Edit>) -> Self {
        Self {
            task: task.to_owned(),
            edits,
            after: None,
            file: String::new(),
            lines: Vec::new(),
            stage: Stage::Reading,
            list: List::default(),
        }
    }

    /// The same, with a command line for the layer below once it is written.
    #[must_use]
    pub fn then(self, line: &'static str) -> Self {
        Self {
            after: Some(line),
            ..self
        }
    }
}

impl Layer for Patch {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["patch", "list"]
    }

    fn when(&self, command: &str, _args: &str, _shared: &Shared) -> Availability {
        match command {
            "filter" => Availability::blocked("this list has no filter"),
            "patch-write" => Availability::when(self.stage == Stage::Shown, "nothing to write"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "patch-write" => {
                self.stage = Stage::Writing;
                let job = Job::Patch(
                    self.task.clone(),
                    self.edits.clone(),
                    Some(self.lines.clone()),
                );
                Some(vec![Act::Job(WRITE, job)])
            }
            "patch-close" => Some(vec![Act::Close]),
            "filter" => Some(Vec::new()),
            _ => {
                let len = self.lines.len();
                self.list.run(command, len, shared.page()).then(Vec::new)
            }
        }
    }

    fn on_open(&mut self, _shared: &mut Shared) -> Vec<Act> {
        let job = Job::Patch(self.task.clone(), self.edits.clone(), None);
        vec![Act::Job(READ, job)]
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, shared: &mut Shared) -> Vec<Act> {
        match event {
            JobEvent::Done(reply) => {
                if let Reply::Patch(file, lines) = *reply {
                    if slot == WRITE {
                        let text = format!("written to {file}; opened again it is played so");
                        shared.library.checks.forget(&self.task);
                        let mut acts =
                            vec![Act::Notice(Notice::info(text)), Act::Reload, Act::Close];
                        acts.extend(self.after.map(|line| Act::Run(line.to_owned())));
                        return acts;
                    }
                    (self.file, self.lines, self.stage) = (file, lines, Stage::Shown);
                }
            }
            JobEvent::Failed(reason) => {
                self.stage = Stage::Failed(reason.clone());
                return vec![Act::Notice(Notice::error(reason))];
            }
            JobEvent::Progress { .. } | JobEvent::Part(_) => {}
        }
        Vec::new()
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        let mut lines = vec![self.heading()];
        lines.extend(self.lines.iter().map(DiffLine::text));
        lines
    }
}

impl Overlaid for Patch {
    fn heading(&self) -> String {
        let file = if self.file.is_empty() {
            &self.task
        } else {
            &self.file
        };
        match &self.stage {
            Stage::Reading => format!("Patch  {file}  …"),
            Stage::Shown => format!("Patch  {file}"),
            Stage::Writing => format!("Patch  {file}  writing …"),
            Stage::Failed(_) => format!("Patch  {file}  failed"),
        }
    }
}
