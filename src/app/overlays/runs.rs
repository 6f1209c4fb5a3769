//! The runs of one task, newest first: to look at one, or to play on from its end.

use crate::app::commands::{Availability, Command};
use crate::app::layer::{Act, Layer, Overlaid};
use crate::app::library::{Library, RunRow};
use crate::app::list::List;
use crate::app::state::Shared;

/// Commands of this list alone.
pub const COMMANDS: &[Command] = &[
    Command::new("run-inspect", "inspect", "Take the run of the row apart."),
    Command::new(
        "run-play",
        "play on",
        "Play on where the run of the row stopped.",
    ),
    Command::new("runs-close", "close", "Close the list of runs."),
];

/// The state of the list: whose runs, and the row under the cursor.
#[derive(Debug, Clone)]
pub struct Runs {
    task: String,
    /// The row under the cursor.
    pub list: List,
}

impl Runs {
    /// The runs of a task.
    pub fn of(task: &str) -> Self {
        Self {
            task: task.to_owned(),
            list: List::default(),
        }
    }

    /// The rows, newest first.
    pub fn rows<'a>(&'a self, library: &'a Library) -> Vec<&'a RunRow> {
        library.runs_of(&self.task).collect()
    }

    fn open(&self, opener: &str, library: &Library) -> Vec<Act> {
        let rows = self.rows(library);
        rows.get(self.list.cursor).map_or_else(Vec::new, |run| {
            vec![Act::Close, Act::Run(format!("{opener} {}", run.id))]
        })
    }
}

/// How a run stands: `success, unsafe`, `1/2, safe`, or what is wrong with it.
pub fn standing(run: &RunRow) -> String {
    if let Some(fault) = &run.fault {
        return format!("! {fault}");
    }
    let (held, of) = run.goals;
    let success = match (run.succeeds(), of) {
        (true, _) => "success".to_owned(),
        (false, 0) => "no goals".to_owned(),
        (false, _) => format!("{held}/{of}"),
    };
    let safety = match (run.is_safe(), run.safety.1) {
        (_, 0) => "",
        (true, _) => ", safe",
        (false, _) => ", unsafe",
    };
    format!("{success}{safety}")
}

impl Layer for Runs {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["runs", "list"]
    }

    fn when(&self, command: &str, _args: &str, shared: &Shared) -> Availability {
        match command {
            "filter" => Availability::blocked("this list has no filter"),
            "run-inspect" | "run-play" => Availability::when(
                self.rows(&shared.library).get(self.list.cursor).is_some(),
                "there is no run here",
            ),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        let len = self.rows(&shared.library).len();
        match command {
            "run-inspect" => Some(self.open("inspect", &shared.library)),
            "run-play" => Some(self.open("play", &shared.library)),
            "runs-close" => Some(vec![Act::Close]),
            "filter" => Some(Vec::new()),
            _ => self.list.run(command, len, shared.page()).then(Vec::new),
        }
    }

    fn plain(&self, shared: &Shared) -> Vec<String> {
        let rows = self.rows(&shared.library);
        rows.into_iter()
            .map(|run| {
                format!(
                    "run {} by {}, {} steps, {}, {}",
                    run.id,
                    run.agent,
                    run.steps,
                    run.state,
                    standing(run)
                )
            })
            .collect()
    }
}

impl Overlaid for Runs {
    fn heading(&self) -> String {
        format!("Runs of {}", self.task)
    }
}
