//! The screen over a file of plans that are not the benchmark's: no council was held over them, so there are BLUE's plans,
//! RED's, the figures of the one under the cursor, and what the file is about.

use std::sync::Arc;

use crate::app::arena::plans::Plans;
use crate::app::commands::Availability;
use crate::app::layer::Act;
use crate::app::list::List;
use crate::app::overlays::Overlay;
use crate::app::overlays::computed::{Computed, Row};
use crate::app::state::Shared;
use crate::app::tables;
use crate::eval::table::Table;

use super::{Councils, Pane, made};

/// The plans of a file with a cursor in each pane.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The plans.
    pub plans: Arc<Plans>,
    /// Whether the plan under the cursor is RED's.
    pub of_red: bool,
    /// Among BLUE's.
    pub blue: List,
    /// Among RED's.
    pub red: List,
    /// Among its figures.
    pub side: List,
    /// Among what the file is about.
    pub about: List,
}

impl Shown {
    /// The plans with the cursor on the first one.
    pub fn new(plans: Arc<Plans>) -> Self {
        Self {
            of_red: plans.blue.is_empty(),
            plans,
            blue: List::default(),
            red: List::default(),
            side: List::default(),
            about: List::default(),
        }
    }

    /// The place of the plan under the cursor.
    pub fn at(&self) -> Option<usize> {
        if self.of_red {
            self.plans.red.get(self.red.cursor).copied()
        } else {
            self.plans.blue.get(self.blue.cursor).copied()
        }
    }

    /// Its figures.
    pub fn figures(&self) -> Vec<Row> {
        self.at().map_or_else(Vec::new, |at| self.plans.figures(at))
    }

    /// Its id.
    pub fn id(&self) -> &str {
        let plan = self.at().and_then(|at| self.plans.arena.plans.get(at));
        plan.map_or("", |e| e.id.as_str())
    }

    fn run(&mut self, focus: Pane, command: &str, page: usize) -> bool {
        let side = self.figures().len();
        let about = self.plans.about().len();
        match focus {
            Pane::Scenarios => self.about.run(command, about, page),
            Pane::Aside => self.side.run(command, side, page),
            Pane::Blue => {
                self.of_red = false;
                self.blue.run(command, self.plans.blue.len(), page)
            }
            Pane::Red => {
                self.of_red = true;
                self.red.run(command, self.plans.red.len(), page)
            }
        }
    }

    /// Everything as text.
    pub fn plain(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.plans.about().iter().map(Row::words).collect();
        for (name, all) in [("BLUE", &self.plans.blue), ("RED", &self.plans.red)] {
            lines.push(format!("{name} {}", all.len()));
            lines.extend(all.iter().map(|at| self.plans.words(*at)));
        }
        lines.push(format!("figures of {}", self.id()));
        lines.extend(self.figures().iter().map(Row::words));
        lines
    }

    /// The rows of a pane as a table.
    pub(super) fn table(&self, focus: Pane) -> Table {
        let plans = |id: &str, title: &str, all: &[usize]| {
            let rows = all
                .iter()
                .map(|at| vec![tables::words(self.plans.words(*at))]);
            tables::table(id, title, &["plan"], rows.collect())
        };
        match focus {
            Pane::Blue => plans("blue", "Plans of BLUE", &self.plans.blue),
            Pane::Red => plans("red", "Plans of RED", &self.plans.red),
            Pane::Aside => {
                let title = format!("Figures of {}", self.id());
                tables::of_facts("figures", &title, &self.figures())
            }
            Pane::Scenarios => tables::of_facts("about", "About the file", &self.plans.about()),
        }
    }

    /// The row under the cursor as text.
    pub fn row_text(&self, focus: Pane) -> Option<String> {
        match focus {
            Pane::Blue | Pane::Red => Some(self.plans.words(self.at()?)),
            Pane::Aside => Some(self.figures().get(self.side.cursor)?.words()),
            Pane::Scenarios => Some(self.plans.about().get(self.about.cursor)?.words()),
        }
    }
}

impl Councils {
    /// Whether a command can be run over plans without a council.
    pub(super) fn when_plans(&self, command: &str) -> Availability {
        match command {
            "council-open" | "council-why" => Availability::Ready,
            "zoom-in" => Availability::when(!self.zoomed, "it has all the room there is"),
            "zoom-out" => Availability::when(self.zoomed, "it has its usual room"),
            "filter" => Availability::blocked("plans of a file have no filter"),
            _ if command.starts_with("council-") => {
                Availability::blocked("no council was held over the plans of this file")
            }
            _ => Availability::Ready,
        }
    }

    /// Runs a command over plans without a council.
    pub(super) fn run_plans(&mut self, command: &str, shared: &Shared) -> Option<Vec<Act>> {
        let shown = self.plans.as_mut()?;
        match command {
            "council-open" => {
                let plan = shown.at().and_then(|at| shown.plans.arena.plans.get(at));
                let steps = plan.map(|e| Computed::new(e.id.clone(), made::steps(&e.plan)));
                let show = steps.map(|it| Act::Show(Overlay::Computed(Box::new(it))));
                return Some(show.into_iter().collect());
            }
            "council-why" => self.focus = Pane::Aside,
            "out" if self.zoomed => self.zoomed = false,
            "out" if self.focus != Pane::Blue => self.focus = Pane::Blue,
            "out" => return Some(vec![Act::Leave]),
            "next-pane" | "previous-pane" => {
                self.step(command == "next-pane");
                self.of_focus();
            }
            "zoom-in" => self.zoomed = true,
            "zoom-out" => self.zoomed = false,
            "filter" => {}
            _ if command.starts_with("council-") => {}
            _ => return shown.run(self.focus, command, shared.page()).then(Vec::new),
        }
        Some(Vec::new())
    }

    /// The plan under the cursor is that of the pane with the keys.
    fn of_focus(&mut self) {
        let focus = self.focus;
        if let Some(shown) = &mut self.plans {
            match focus {
                Pane::Blue if !shown.plans.blue.is_empty() => shown.of_red = false,
                Pane::Red if !shown.plans.red.is_empty() => shown.of_red = true,
                _ => {}
            }
        }
    }
}
