//! How a number of a report comes about, with the runs that count; to look at one of them.

use crate::app::commands::{Availability, Command};
use crate::app::layer::{Act, Layer, Overlaid};
use crate::app::list::List;
use crate::app::reports::Reported;
use crate::app::state::Shared;
use crate::eval::case::Case;
use crate::eval::formula::{Formula as Numbers, Share};
use crate::eval::table::{Row, Table};

/// Commands of the overlay.
pub const COMMANDS: &[Command] = &[
    Command::new("formula-open", "inspect", "Take the run of the row apart."),
    Command::new("formula-close", "close", "Close the formula."),
];

/// The state of the overlay.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The number, taken apart.
    pub numbers: Numbers,
    /// The run under the cursor.
    pub list: List,
    /// The folders of the runs, in their order.
    folders: Vec<String>,
}

impl Formula {
    /// The formula of a cell of a report.
    pub fn of(all: &Reported, table: &Table, row: &Row, column: usize) -> Self {
        let cases: Vec<&Case> = row.runs.iter().filter_map(|r| all.told.case(r)).collect();
        let numbers = Numbers::of(table, row, column, &cases);
        let folder = |share: &Share| {
            let place = all.places.get(&share.run);
            place.map_or_else(|| share.run.clone(), |f| f.display().to_string())
        };
        Self {
            folders: numbers.shares.iter().map(folder).collect(),
            numbers,
            list: List::default(),
        }
    }
}

/// What a run adds: `1/1`, `0/1`, `12`.
pub fn adds(share: &Share) -> String {
    match share.of {
        Some(of) => format!("{}/{of}", share.n),
        None => share.n.to_string(),
    }
}

impl Layer for Formula {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["formula", "list"]
    }

    fn when(&self, command: &str, _args: &str, _shared: &Shared) -> Availability {
        match command {
            "filter" => Availability::blocked("this list has no filter"),
            "formula-open" => Availability::when(
                !self.numbers.shares.is_empty(),
                "no run stands behind this number alone",
            ),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "formula-open" => {
                let folder = self.folders.get(self.list.cursor);
                let open = folder.map(|f| vec![Act::Close, Act::Run(format!("inspect {f}"))]);
                Some(open.unwrap_or_default())
            }
            "formula-close" => Some(vec![Act::Close]),
            "filter" => Some(Vec::new()),
            _ => {
                let len = self.numbers.shares.len();
                self.list.run(command, len, shared.page()).then(Vec::new)
            }
        }
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        let shares = self.numbers.shares.iter();
        let shares = shares.map(|s| format!("{} {} run {}: {}", adds(s), s.task, s.run, s.words));
        self.numbers.lines.iter().cloned().chain(shares).collect()
    }
}

impl Overlaid for Formula {
    fn heading(&self) -> String {
        format!("How {} comes about", self.numbers.head)
    }
}
