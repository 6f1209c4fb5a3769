//! Report as a layer and a place.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::commands::Availability;
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::launch::Launch as Wanted;
use crate::app::layer::{Act, Fact, Layer, Place, Title};
use crate::app::notice::Notice;
use crate::app::overlays::Overlay;
use crate::app::overlays::behind::Behind;
use crate::app::overlays::formula::Formula;
use crate::app::overlays::launch::Launch;
use crate::app::role::Role;
use crate::app::state::Shared;
use crate::eval::table::{Cell, Table};
use crate::eval::write;

use super::{Report, Stage};

/// The slots of the jobs.
const READ: &str = "read";
const SAVE: &str = "save";

/// The folder that is offered for the files.
const OFFERED: &str = "report";

impl Report {
    fn read(&self) -> Vec<Act> {
        vec![Act::Job(READ, Job::Report(self.folders.clone()))]
    }

    /// The row as words: each head with its cell.
    fn words(&self) -> Option<String> {
        let table = self.shown()?;
        let cells = self.row()?.cells.iter();
        let each = table.columns.iter().zip(cells);
        let each = each.map(|(column, cell)| format!("{} {}", column.head, cell.text()));
        Some(each.collect::<Vec<_>>().join(", "))
    }
}

impl Layer for Report {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["report", "pane", "list"]
    }

    fn when(&self, command: &str, args: &str, _shared: &Shared) -> Availability {
        let is_there = || Availability::when(self.done().is_some(), "the report is not there yet");
        match command {
            "report-runs" => Availability::when(
                self.row().is_some_and(|row| !row.runs.is_empty()),
                "no run stands behind this row alone",
            ),
            "report-why" => Availability::when(self.row().is_some(), "there is no number here"),
            "report-plot" => Availability::when(
                self.plots || !self.rates().is_empty(),
                "nothing in this table is a rate",
            ),
            "report-right" | "report-left" => {
                Availability::when(self.shown().is_some(), "there is no table here")
            }
            "report-save" if args.is_empty() => {
                Availability::blocked("name a folder, or a file that ends in .html")
            }
            "report-export" | "report-save" => is_there(),
            "report-next" | "report-previous" | "next-pane" | "previous-pane" => {
                Availability::when(self.pages() > 1, "there is one table")
            }
            "report-again" => Availability::when(
                !matches!(self.stage, Stage::Reading | Stage::Partly(..)),
                "it is being read",
            ),
            "filter" => Availability::blocked("a table has no filter"),
            "zoom-in" => Availability::when(!self.zoomed, "it has all the room there is"),
            "zoom-out" => Availability::when(self.zoomed, "it has its usual room"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "report-next" | "next-pane" => self.turn(1),
            "report-previous" | "previous-pane" => self.turn(-1),
            "report-right" => self.move_column(true),
            "report-left" => self.move_column(false),
            "report-plot" => {
                self.plots = !self.plots;
                if self.plots && !self.rates().contains(&self.column) {
                    self.column = self.first_column();
                }
            }
            "report-runs" => {
                let behind = self.done().zip(self.row());
                let behind = behind.map(|(all, row)| Behind::of(all, self.words(), row));
                let show = behind.map(|it| Act::Show(Overlay::Behind(Box::new(it))));
                return Some(show.into_iter().collect());
            }
            "report-why" => {
                let all = self.done().zip(self.shown()).zip(self.row());
                let formula =
                    all.map(|((all, table), row)| Formula::of(all, table, row, self.column));
                let show = formula.map(|it| Act::Show(Overlay::Formula(Box::new(it))));
                return Some(show.into_iter().collect());
            }
            "report-new" => {
                let launch = Overlay::Launch(Box::new(self.new_runs()));
                return Some(vec![Act::Show(launch)]);
            }
            "report-export" => {
                let line = format!("command-line report-save {OFFERED}");
                return Some(vec![Act::Run(line)]);
            }
            "report-save" => {
                let job = self.done().map(|all| {
                    let to = PathBuf::from(args.trim_matches('"'));
                    Act::Job(SAVE, Job::SaveReport(Arc::clone(all), to))
                });
                return Some(job.into_iter().collect());
            }
            "report-again" => {
                self.stage = Stage::Reading;
                return Some(self.read());
            }
            "out" if self.zoomed => self.zoomed = false,
            "out" if self.plots => self.plots = false,
            "out" => return Some(vec![Act::Leave]),
            "zoom-in" => self.zoomed = true,
            "zoom-out" => self.zoomed = false,
            "filter" => {}
            _ => {
                let len = self.rows();
                return self.list.run(command, len, shared.page()).then(Vec::new);
            }
        }
        Some(Vec::new())
    }

    fn on_open(&mut self, _shared: &mut Shared) -> Vec<Act> {
        match self.stage {
            // Coming back from a run, the tables stay; r reads anew.
            Stage::Done(_) => Vec::new(),
            _ => self.read(),
        }
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, _shared: &mut Shared) -> Vec<Act> {
        match event {
            JobEvent::Progress { done, total } if slot == READ => {
                self.stage = Stage::Partly(done, total);
            }
            JobEvent::Progress { .. } | JobEvent::Part(_) => {}
            JobEvent::Failed(reason) if slot == READ => self.stage = Stage::Failed(reason),
            JobEvent::Failed(reason) => return vec![Act::Notice(Notice::error(reason))],
            JobEvent::Done(reply) => match *reply {
                Reply::Report(reported) => {
                    self.stage = Stage::Done(reported);
                    self.table = self.table.min(self.pages().saturating_sub(1));
                    self.list.clamp(self.rows());
                    self.column = self.first_column();
                }
                Reply::ReportSaved(folder, files) => {
                    let told = match files {
                        1 => format!("{folder}: written"),
                        files => format!("{folder}: {files} files written"),
                    };
                    return vec![Act::Notice(Notice::info(told))];
                }
                _ => {}
            },
        }
        Vec::new()
    }

    fn row_text(&self, _shared: &Shared) -> Option<String> {
        if self.shown().is_none() {
            return self
                .notes()
                .get(self.list.cursor)
                .map(|note| (*note).to_owned());
        }
        self.words()
    }

    fn failed(&self) -> bool {
        matches!(self.stage, Stage::Failed(_))
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        match &self.stage {
            Stage::Reading => vec!["report: reading the runs …".to_owned()],
            Stage::Partly(done, total) => vec![format!("report: {done} of {total} runs read")],
            Stage::Failed(reason) => vec![format!("report: {reason}")],
            Stage::Done(all) => {
                let mut lines: Vec<String> = all.told.notes().map(str::to_owned).collect();
                if self.tables().is_empty() {
                    lines.push(format!("report: {}", self.nothing()));
                }
                lines.extend(self.tables().into_iter().flat_map(write::text));
                lines
            }
        }
    }
}

impl Report {
    /// What can be started from here: the missing runs of the agent under the cursor, or of the first that misses any;
    /// else whatever is asked for.
    fn new_runs(&self) -> Launch {
        let usual = || Launch::form("vh");
        let Some(all) = self.done() else {
            return usual();
        };
        let missing = &all.told.report.missing;
        let here = self.row().and_then(|row| match row.cells.first() {
            Some(Cell::Words(who)) => missing.iter().find(|m| m.who == *who),
            _ => None,
        });
        let Some(missing) = here.or_else(|| missing.first()) else {
            return usual();
        };
        let like = missing.runs.iter().find_map(|run| {
            let case = all.told.case(run)?;
            Some((case.suite.clone(), all.places.get(run)?.clone()))
        });
        let Some((suite, like)) = like else {
            return usual();
        };
        let mut about = vec![format!(
            "{}: {} of {} tasks have no run: {}",
            missing.who,
            missing.tasks.len(),
            missing.of,
            missing.tasks.join(" ")
        )];
        about.push(match missing.cost {
            Some(cost) => format!(
                "about $ {:.2}: {cost:.4} a run, the mean of those that are priced",
                cost * missing.tasks.len() as f64
            ),
            None => "what they cost is not known: no run of this agent is priced".to_owned(),
        });
        about.push("Enter starts them, one after the other; Esc starts nothing".to_owned());
        let wanted = Wanted::Missing {
            suite,
            tasks: missing.tasks.clone(),
            like,
        };
        Launch::sure(wanted, about)
    }

    /// What an empty report says, and what fills it.
    pub fn nothing(&self) -> String {
        let folders = self.done().map(|it| it.folders.join(", "));
        format!(
            "no run of an agent is in {}; n starts a suite, as vesta eval --suite vh does",
            folders.unwrap_or_default()
        )
    }
}

impl Place for Report {
    fn table(&self, _shared: &Shared) -> Option<Table> {
        self.shown().cloned()
    }

    fn title(&self, _shared: &Shared) -> Title {
        let Some(all) = self.done() else {
            let asked = self.folders.iter().map(|f| f.display().to_string());
            return Title {
                subject: asked.collect::<Vec<_>>().join(", "),
                facts: Vec::new(),
            };
        };
        let mut facts = Vec::new();
        let notes = self.notes().len();
        if notes > 0 {
            let ending = if notes == 1 { "" } else { "s" };
            facts.push(Fact::new(format!("! {notes} note{ending}"), Role::Error));
        }
        let runs = all.told.cases.len();
        let ending = if runs == 1 { "" } else { "s" };
        facts.push(Fact::new(format!("{runs} run{ending}"), Role::Text));
        Title {
            subject: all.folders.join(", "),
            facts,
        }
    }
}
