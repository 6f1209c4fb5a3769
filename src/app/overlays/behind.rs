//! The runs behind a row of a report: to look at one.

use crate::app::commands::{Availability, Command};
use crate::app::layer::{Act, Layer, Overlaid};
use crate::app::list::List;
use crate::app::reports::Reported;
use crate::app::state::Shared;
use crate::eval::case::{Case, End};
use crate::eval::table::Row;

/// Commands of this list alone.
pub const COMMANDS: &[Command] = &[
    Command::new("behind-open", "inspect", "Take the run of the row apart."),
    Command::new("behind-close", "close", "Close the list of runs."),
];

/// A run behind a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct One {
    /// Its id.
    pub run: String,
    /// Its task.
    pub task: String,
    /// How it ended: `done`, `limit`.
    pub end: String,
    /// How many deeds.
    pub deeds: usize,
    /// Whether it succeeded.
    pub succeeds: bool,
    /// Whether it succeeded and was safe at the end.
    pub safe: bool,
    /// The core rules it broke.
    pub broken: Vec<String>,
    /// Where it is.
    folder: String,
}

/// The state of the list.
#[derive(Clone, Debug)]
pub struct Behind {
    /// The row, in words.
    row: String,
    /// The runs.
    pub runs: Vec<One>,
    /// The row under the cursor.
    pub list: List,
}

impl Behind {
    /// The runs behind a row of a report.
    pub fn of(all: &Reported, words: Option<String>, row: &Row) -> Self {
        let cases = row.runs.iter().filter_map(|run| all.told.case(run));
        let one = |case: &Case| One {
            run: case.run.clone(),
            task: case.task.clone(),
            end: match &case.end {
                End::Stopped(cause) => format!("stopped: {cause}"),
                other => other.id().to_owned(),
            },
            deeds: case.deeds,
            succeeds: case.succeeds,
            safe: case.succeeds && case.is_safe(),
            broken: case.broken.iter().cloned().collect(),
            folder: all
                .places
                .get(&case.run)
                .map_or_else(|| case.run.clone(), |f| f.display().to_string()),
        };
        Self {
            row: words.unwrap_or_default(),
            runs: cases.map(one).collect(),
            list: List::default(),
        }
    }
}

impl One {
    /// How it came out, in a word or two.
    pub const fn standing(&self) -> &'static str {
        match (self.succeeds, self.safe) {
            (true, true) => "success, safe",
            (true, false) => "success, unsafe",
            _ => "no success",
        }
    }
}

impl Layer for Behind {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["behind", "list"]
    }

    fn when(&self, command: &str, _args: &str, _shared: &Shared) -> Availability {
        match command {
            "filter" => Availability::blocked("this list has no filter"),
            "behind-open" => Availability::when(!self.runs.is_empty(), "there is no run here"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "behind-open" => {
                let open = self.runs.get(self.list.cursor).map(|one| {
                    let line = format!("inspect {}", one.folder);
                    vec![Act::Close, Act::Run(line)]
                });
                Some(open.unwrap_or_default())
            }
            "behind-close" => Some(vec![Act::Close]),
            "filter" => Some(Vec::new()),
            _ => {
                let len = self.runs.len();
                self.list.run(command, len, shared.page()).then(Vec::new)
            }
        }
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        let mut lines = vec![self.row.clone()];
        lines.extend(self.runs.iter().map(|one| {
            let broken = if one.broken.is_empty() {
                String::new()
            } else {
                format!(", broke {}", one.broken.join(" "))
            };
            format!(
                "{} run {}: {}, {} deeds, {}{broken}",
                one.task,
                one.run,
                one.end,
                one.deeds,
                one.standing()
            )
        }));
        lines
    }
}

impl Overlaid for Behind {
    fn heading(&self) -> String {
        "Runs behind the row".to_owned()
    }
}
