//! Arena, household: BLUE's plans against what RED does to the house; the plan under the cursor step by step under the
//! response under the cursor; what the critic says; the payoff matrix; the frontier.
//!
//! Everything is read off the record through [`House`]; the run of the cell under the cursor is played by a worker.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::arena::axes::{Axis, standings};
use crate::app::arena::house::{House, Row};
use crate::app::arena::{ArenaJob, CellAsked};
use crate::app::commands::Command;
use crate::app::glyph;
use crate::app::jobs::Job;
use crate::app::layer::Act;
use crate::app::list::List;
use crate::app::screens::inspect::loaded::Loaded;
use crate::app::screens::{Screen, ScreenDesc, council};
use crate::arena::frontier::pareto::{Movement, Standing, movement};
use crate::arena::house::model::{Red, Response};
use crate::arena::house::record::{Record, Settings};
use crate::task::Environment;

pub mod beside;
mod doings;
mod kept;
mod layer;
mod table;
#[cfg(test)]
mod tests;
pub mod words;

use beside::Beside;

/// Commands of the household arena in all its views.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "arena-open",
        "open",
        "Take the cell under the cursor apart, step by step; on the plans, under what beats them.",
    ),
    Command::new(
        "arena-matrix",
        "matrix",
        "Show every plan under every response, or the plans again.",
    ),
    Command::new(
        "arena-frontier",
        "frontier",
        "Show which plan is better than which in what, or the plans again.",
    ),
    Command::new(
        "arena-why",
        "why",
        "Show what the figures of the candidate are made of.",
    ),
    Command::new(
        "arena-critic",
        "critic",
        "Go to the first claim about the candidate, then to the next, and to the step each rests on.",
    ),
    Command::new(
        "arena-compare",
        "compare",
        "Lay the run of the cell beside that of the best plan under the same RED, or take it away.",
    ),
    Command::new(
        "arena-fork",
        "play on",
        "Play on by hand from the step of the run, what RED does kept.",
    ),
    Command::new(
        "arena-add",
        "add a plan",
        "Have one more plan judged: one you write, what was attempted in a saved run of the task, a plan file.",
    )
    .with("[RUN|FILE]"),
    Command::new(
        "arena-write",
        "write a plan",
        "Write a plan in your editor, beginning from the one under the cursor, and have it judged.",
    ),
    Command::new(
        "arena-keep",
        "keep",
        "Keep the arena beside the runs: Home lists it, vesta arena verify plays it again.",
    ),
    Command::new("arena-earlier", "round", "Show the round before."),
    Command::new("arena-later", "round on", "Show the round after."),
    Command::new(
        "arena-level",
        "RED’s level",
        "Hold the arena again with a RED that knows more, or one that knows nothing.",
    )
    .with("[LEVEL]"),
    Command::new(
        "arena-budget",
        "budget",
        "Hold the arena again with so many responses for RED to try against each plan.",
    )
    .with("N"),
    Command::new(
        "arena-step",
        "step",
        "Look at the step after, in the run of the cell.",
    ),
    Command::new(
        "arena-step-back",
        "step back",
        "Look at the step before, in the run of the cell.",
    ),
    Command::new("arena-cell", "cell", "Take a cell apart, step by step.")
        .with("CANDIDATE RESPONSE"),
];

/// Commands of the payoff matrix.
pub const MATRIX: &[Command] = &[
    Command::new("matrix-right", "column", "Go one column right."),
    Command::new("matrix-left", "column left", "Go one column left."),
    Command::new(
        "matrix-sort",
        "sort",
        "Order the plans by their worst case, or as they came.",
    ),
    Command::new(
        "matrix-again",
        "play again",
        "Play the cell again, put what comes of it in its place and say whether it is the same.",
    ),
];

/// Commands of the frontier.
pub const FRONTIER: &[Command] = &[
    Command::new("frontier-x", "axis across", "Show the next axis across."),
    Command::new("frontier-y", "axis up", "Show the next axis upwards."),
    Command::new(
        "frontier-hide",
        "dominated",
        "Hide the plans that another is better than in everything, or show them.",
    ),
    Command::new("frontier-on", "point", "Go to the next point."),
    Command::new("frontier-back", "point back", "Go to the point before."),
];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new(
        "arena",
        "arena",
        "Let plans for a task meet an adversary that acts in the house, or show an arena that was kept, or the published one.",
    )
    .with("TASK|FILE|SCENARIO"),
    open: |args, shared| {
        let asked = args.trim();
        if council::is_meant(asked) {
            return (council::SCREEN.open)(asked, shared);
        }
        Ok(Screen::Arena(Box::new(Arena::of(asked))))
    },
    contexts: &[
        &["arena", "pane", "list"],
        &["arena", "matrix", "pane", "list"],
        &["arena", "frontier", "pane", "list"],
    ],
    glyphs: &[
        glyph::CURSOR,
        glyph::FRONT,
        glyph::BEHIND,
        glyph::CHOSEN,
        glyph::COSTS,
        glyph::HOLDS,
        glyph::FALSE,
        glyph::UNKNOWN,
        glyph::UNPLAYED,
        glyph::EQUAL,
        glyph::DIFFERS,
        glyph::ARMED,
    ],
    fields: &[],
    example: "Enter on a plan opens the step that cost it; M shows all plans under all responses.",
};

/// How far the arena is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Not asked for yet.
    #[default]
    New,
    /// Being held or read; there may be something to show already.
    Playing,
    /// All is there.
    Done,
    /// It cannot be shown, or went no further: why.
    Failed(String),
}

/// What the first pane shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum View {
    /// The plans.
    #[default]
    Plans,
    /// Every plan under every response.
    Matrix,
    /// The frontier.
    Frontier,
}

/// The panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pane {
    /// The plans, the matrix or the frontier.
    #[default]
    Main,
    /// What RED tried against the plan under the cursor.
    Red,
    /// The run of the cell under the cursor.
    Trace,
    /// What the critic says of the plan.
    Critic,
}

/// Every pane, in the order of the Tab key.
pub const PANES: [Pane; 4] = [Pane::Main, Pane::Red, Pane::Trace, Pane::Critic];

/// The run of a cell: of which candidate and response, by their places.
#[derive(Clone, Debug, Default)]
pub enum Trace {
    /// None was asked for.
    #[default]
    None,
    /// It is being played.
    Waiting((usize, usize)),
    /// It is there.
    Ready((usize, usize), Box<Loaded>),
    /// It cannot be played: why.
    Failed((usize, usize), String),
}

impl Trace {
    /// Whose it is.
    pub const fn of(&self) -> Option<(usize, usize)> {
        match self {
            Self::None => None,
            Self::Waiting(of) | Self::Ready(of, _) | Self::Failed(of, _) => Some(*of),
        }
    }

    /// The run, if it is there.
    pub const fn loaded(&self) -> Option<&Loaded> {
        match self {
            Self::Ready(_, loaded) => Some(loaded),
            _ => None,
        }
    }
}

/// What the next record is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Next {
    /// The arena that is shown.
    #[default]
    Same,
    /// One that was held anew.
    Another,
}

/// The screen.
#[derive(Debug, Default)]
pub struct Arena {
    /// What was asked for: a task, or a file.
    asked: String,
    /// How it is held.
    pub settings: Settings,
    /// How far it is.
    pub stage: Stage,
    /// What there is so far, up to the round shown.
    pub house: Option<House>,
    /// What the first pane shows.
    pub view: View,
    /// The pane with the keys.
    pub focus: Pane,
    /// Whether the focused pane has the whole body.
    pub zoomed: bool,
    /// Whether the matrix is ordered by the worst case.
    pub by_worst: bool,
    /// The axis across.
    pub x: Option<Axis>,
    /// The axis upwards.
    pub y: Option<Axis>,
    /// Whether plans that are dominated are left out of the frontier.
    pub hides: bool,
    /// The run of the cell under the cursor.
    pub trace: Trace,
    /// The round that was chosen; the last where none was.
    round: Option<u32>,
    /// The candidate under the cursor, by its name: it stays when rows move.
    at: String,
    /// The response under the cursor, by its id.
    against: String,
    critic: List,
    /// The rows of the first pane, as places in the house.
    order: Vec<usize>,
    /// How the front moved since the round before, where there is one.
    pub moved: Option<Movement<String>>,
    /// Cells whose run could not be played, by places: why.
    pub broken: BTreeMap<(usize, usize), String>,
    /// The run that is laid beside that of the cell.
    pub beside: Option<Beside>,
    /// The step the run is looked at once it is there.
    wanted: Option<u32>,
    /// The surroundings of the task, where it is known.
    environment: Option<Environment>,
    /// A plan that was written and could not be judged yet.
    draft: Option<String>,
    /// The cell that is being played again.
    replayed: Option<(usize, usize)>,
    /// What the next record is of.
    next: Next,
    /// The name of the plan that was brought last, until it is judged.
    brought: Option<String>,
}

/// How the front moved since the round before.
fn moved(house: &House) -> Option<Movement<String>> {
    let before = house.round.checked_sub(1)?;
    let before = House::new(Arc::clone(&house.record), before);
    Some(movement(&before.front(), &house.front()))
}

/// What the path of a file may begin with.
const FILE: [char; 2] = ['/', '\\'];

impl Arena {
    /// The arena of a task, or one that was kept.
    pub fn of(asked: &str) -> Self {
        Self {
            asked: asked.trim().to_owned(),
            by_worst: true,
            ..Self::default()
        }
    }

    /// The job that brings the arena.
    fn bring(&self) -> Job {
        let is_file = std::path::Path::new(&self.asked)
            .extension()
            .is_some_and(|end| end == "jsonl")
            || self.asked.starts_with("arena-")
            || self.asked.starts_with('.')
            || self.asked.starts_with(FILE);
        Job::Arena(if is_file {
            ArenaJob::Kept(self.asked.clone())
        } else {
            ArenaJob::House(self.asked.clone(), Box::new(self.settings.clone()))
        })
    }

    /// What was asked for.
    pub fn asked(&self) -> &str {
        &self.asked
    }

    /// The record as far as it has come.
    pub fn record(&self) -> Option<&Arc<Record>> {
        self.house.as_ref().map(|h| &h.record)
    }

    /// The axes of the frontier: across, upwards.
    pub fn axes(&self) -> (Axis, Axis) {
        (self.x.unwrap_or(Axis::Safe), self.y.unwrap_or(Axis::Good))
    }

    /// The axes plans are compared by on the frontier: those shown, and steps.
    pub fn compared(&self) -> Vec<Axis> {
        let (x, y) = self.axes();
        let mut all = vec![y, x];
        if !all.contains(&Axis::Steps) {
            all.push(Axis::Steps);
        }
        all.dedup();
        all
    }

    /// The places of the rows shown in the first pane, in their order.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Orders the rows anew: after another record, round, view, axis.
    fn arrange(&mut self) {
        self.order = self.arranged();
    }

    fn arranged(&self) -> Vec<usize> {
        let Some(house) = &self.house else {
            return Vec::new();
        };
        let mut all: Vec<usize> = (0..house.rows.len()).collect();
        let at = |row: &usize| house.rows.get(*row).map(|r| r.at);
        match self.view {
            View::Plans => {}
            View::Matrix if self.by_worst => {}
            View::Matrix => all.sort_by_key(at),
            View::Frontier => {
                let (x, y) = self.axes();
                let standing = standings(house, &self.compared());
                if self.hides {
                    all.retain(|row| standing.get(*row) == Some(&Standing::Front));
                }
                // As one reads: from the top down, and each line from the left.
                let value = |row: &usize, axis: Axis| {
                    let value = house.rows.get(*row).map(|r| axis.value(house, r));
                    value.unwrap_or(f64::NAN)
                };
                all.sort_by(|a, b| {
                    value(b, y)
                        .total_cmp(&value(a, y))
                        .then(value(a, x).total_cmp(&value(b, x)))
                        .then(at(a).cmp(&at(b)))
                });
            }
        }
        all
    }

    /// The place in [`Arena::order`] of the row under the cursor.
    pub fn cursor(&self) -> usize {
        let Some(house) = &self.house else {
            return 0;
        };
        let is_it = |row: &usize| {
            let entry = house.rows.get(*row).and_then(|r| house.entry(r.at));
            entry.is_some_and(|e| e.name == self.at)
        };
        self.order.iter().position(is_it).unwrap_or(0)
    }

    /// The row under the cursor.
    pub fn row(&self) -> Option<&Row> {
        let place = self.order.get(self.cursor())?;
        self.house.as_ref()?.rows.get(*place)
    }

    /// The response under the cursor, by its place: that which was chosen, else what costs the plan most.
    pub fn response(&self) -> Option<usize> {
        let (house, row) = (self.house.as_ref()?, self.row()?);
        let answers = house.answers(row.at);
        let named = |at: &&usize| {
            let id = house.response(**at).map(|r| r.id.as_str());
            id == Some(self.against.as_str())
        };
        if self.view == View::Matrix {
            let named = house.columns.iter().find(named);
            return named.or_else(|| house.columns.first()).copied();
        }
        let named = answers.iter().find(named);
        named.or_else(|| answers.first()).copied()
    }

    /// Whether the instruction asks for harm, so that refusing it is right.
    pub fn is_dangerous(&self) -> bool {
        self.environment == Some(Environment::AdversarialInstruction)
    }

    /// Where the critic's cursor stands.
    pub const fn critic(&self) -> usize {
        self.critic.cursor
    }

    /// Puts a record on the screen.
    fn take(&mut self, record: Arc<Record>) {
        let last = House::last_round(&record);
        self.settings = record.settings.clone();
        if std::mem::take(&mut self.next) == Next::Another {
            // Places name other cells now.
            self.trace = Trace::None;
            self.beside = None;
            self.broken.clear();
            self.replayed = None;
            self.round = None;
        }
        let house = House::new(record, self.round.unwrap_or(last));
        self.moved = moved(&house);
        self.house = Some(house);
        self.arrange();
        if self.row().is_none() || self.at.is_empty() {
            let house = self.house.as_ref();
            let first = house.and_then(|h| h.entry(h.rows.first()?.at));
            self.at = first.map(|e| e.name.clone()).unwrap_or_default();
        }
    }

    /// Shows another round.
    fn turn(&mut self, later: bool) {
        let Some(house) = self.house.take() else {
            return;
        };
        let last = House::last_round(&house.record);
        let round = if later {
            (house.round + 1).min(last)
        } else {
            house.round.saturating_sub(1)
        };
        self.round = (round < last).then_some(round);
        let house = House::new(house.record, round);
        self.moved = moved(&house);
        let known = house
            .rows
            .iter()
            .any(|r| house.entry(r.at).is_some_and(|e| e.name == self.at));
        if !known {
            let first = house.rows.first().and_then(|r| house.entry(r.at));
            self.at = first.map(|e| e.name.clone()).unwrap_or_default();
        }
        self.house = Some(house);
        self.arrange();
    }

    /// Puts the cursor on a row of the first pane.
    fn put(&mut self, to: usize) {
        let Some(house) = &self.house else {
            return;
        };
        let row = self.order.get(to).and_then(|row| house.rows.get(*row));
        if let Some(entry) = row.and_then(|r| house.entry(r.at))
            && entry.name != self.at
        {
            self.at = entry.name.clone();
            self.critic = List::default();
            if self.view == View::Plans {
                self.against.clear();
            }
        }
    }

    /// Puts the cursor on a response.
    fn face(&mut self, response: Option<usize>) {
        let id = response.and_then(|at| self.house.as_ref()?.response(at));
        if let Some(id) = id.map(|r| r.id.clone()) {
            self.against = id;
        }
    }

    /// What has to be asked to play a cell.
    fn cell_asked(&self, at: usize, response: usize) -> Option<CellAsked> {
        let house = self.house.as_ref()?;
        let entry = house.entry(at)?;
        // Where RED passed, what is recorded is the plan alone.
        let cell = house.cell(at, response);
        let response = if cell.is_some_and(|c| c.red == Red::Passed) {
            Response::nothing()
        } else {
            house.response(response)?.clone()
        };
        Some(CellAsked {
            task: house.task(),
            profile: house.record.profile.clone(),
            candidate: entry.name.clone(),
            plan: entry.plan.clone(),
            response,
        })
    }

    /// The cell under the cursor, by places.
    pub fn here(&self) -> Option<(usize, usize)> {
        Some((self.row()?.at, self.response()?))
    }

    /// Has the cell under the cursor played where it is another one than before.
    fn follow(&mut self) -> Vec<Act> {
        let Some(here) = self.here() else {
            return Vec::new();
        };
        if self.trace.of() == Some(here) {
            return Vec::new();
        }
        let Some(asked) = self.cell_asked(here.0, here.1) else {
            return Vec::new();
        };
        self.trace = Trace::Waiting(here);
        let mut acts = vec![Act::Job(
            layer::CELL,
            Job::Arena(ArenaJob::Cell(Box::new(asked))),
        )];
        if self.beside.take().is_some() {
            acts.extend(self.lay_beside());
        }
        acts
    }
}
