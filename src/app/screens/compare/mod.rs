//! Compare: two to six runs side by side, where they part, and in what their worlds differ there.

mod layer;
mod lines;
pub mod rail;

use crate::app::commands::Command;
use crate::app::compare::state::Apart;
use crate::app::compare::{Again, Anchor, CompareJob, Compared, ToSave, Wanted, asked, saved};
use crate::app::glyph;
use crate::app::jobs::Job;
use crate::app::layer::Act;
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::parts::steps::{Row as StepRow, Walk, What};
use crate::app::screens::play::sheets::Lines;
use crate::app::screens::{Screen, ScreenDesc};
use crate::compare::repair::Found;
use crate::compare::table::{Parting, Relation, Table};

pub use lines::{Item, Merged};

/// Commands of Compare alone.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "compare-open",
        "inspect",
        "Open the run of the column in Inspect at this step.",
    ),
    Command::new(
        "compare-next",
        "next difference",
        "Go to the next row in which the two runs decide otherwise.",
    ),
    Command::new(
        "compare-previous",
        "difference before",
        "Go to the row before this in which the two runs decide otherwise.",
    ),
    Command::new(
        "compare-anchor",
        "anchor",
        "Fix this step beside one of another column: once on each; once more on either to release them.",
    ),
    Command::new(
        "compare-equal",
        "hide equal",
        "Hide the rows that are equal, or show them.",
    ),
    Command::new(
        "compare-swap",
        "swap",
        "Let the two runs change their columns.",
    ),
    Command::new(
        "compare-view",
        "view",
        "Tell the steps as actions, as what they changed, as the recorded facts, or as hashes.",
    ),
    Command::new(
        "compare-pair",
        "pair",
        "Look at the run of that column in the state pane; the last two that were picked make the pair.",
    )
    .with("1-6"),
    Command::new(
        "compare-fork",
        "fork here",
        "Play on from this step of the column's run.",
    ),
    Command::new(
        "compare-repair",
        "repair",
        "Look for the smallest change that would have saved the column's run, or stop looking.",
    ),
    Command::new(
        "compare-why",
        "why",
        "Explain the rule, the goal or the thing under the cursor of the state pane.",
    ),
    Command::new(
        "compare-export",
        "export",
        "Ask for the name of a file, to write the rows into it.",
    ),
    Command::new(
        "compare-save",
        "save",
        "Write the rows into a file, as csv where its name ends so, else as Markdown.",
    )
    .with("FILE"),
];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new(
        "compare",
        "compare",
        "Lay two to six runs side by side, aligned by state: RUN, RUN/BRANCH, reference, naive.",
    )
    .with("RUN RUN"),
    open: |args, _| asked(args).map(|it| Screen::Compare(Box::new(Compare::of(it)))),
    contexts: &[
        &["compare", "steps", "pane", "list"],
        &["rule", "sheet", "list"],
        &["sheet", "list"],
    ],
    glyphs: &[
        glyph::CURSOR,
        glyph::EQUAL,
        glyph::DIFFERS,
        glyph::ONE_SIDE,
        glyph::NOW,
        glyph::HOLDS,
        glyph::LOST,
        glyph::FALSE,
        glyph::ARMED,
        glyph::PENDING,
        glyph::CHANGED,
        glyph::PINNED,
    ],
    fields: &[],
    example: "] d goes to the next difference, r looks for what would have saved the run.",
};

/// The slots of the jobs.
const READ: &str = "read";
const ALIGN: &str = "align";
const SAVE: &str = "save";
const EXPORT: &str = "export";

/// The panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// The column of a lane.
    Column(usize),
    /// What differs in the row.
    State,
}

/// How steps are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// What was done.
    #[default]
    Action,
    /// What it changed, nearness left out.
    State,
    /// The facts as they were recorded.
    Text,
    /// The hash after it.
    Hash,
}

impl View {
    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Action => "action",
            Self::State => "state",
            Self::Text => "text",
            Self::Hash => "hash",
        }
    }

    const fn next(self) -> Self {
        match self {
            Self::Action => Self::State,
            Self::State => Self::Text,
            Self::Text => Self::Hash,
            Self::Hash => Self::Action,
        }
    }
}

/// Where the reading stands.
#[derive(Debug, Clone)]
pub enum Reading {
    /// So many of so many runs are read.
    Running(u64, u64),
    /// There they are.
    Done(Box<Compared>),
    /// They cannot be compared: what is wrong and what to do.
    Failed(String),
}

/// The state of Compare.
#[derive(Debug, Clone)]
pub struct Compare {
    asked: Vec<Wanted>,
    /// The runs.
    pub reading: Reading,
    /// Whether all runs are read and played again; before that only what was recorded is known.
    whole: bool,
    /// The lanes from left to right.
    pub order: Vec<usize>,
    /// The two lanes that are compared in particular.
    pub pair: (usize, usize),
    /// The pair to be, once its lanes are there.
    wish: Option<(usize, usize)>,
    /// Where the two part.
    pub parting: Parting,
    /// The pane with the keys.
    pub focus: Pane,
    /// Whether the focused pane has the whole body.
    pub zoomed: bool,
    /// How steps are told.
    pub view: View,
    /// Whether equal rows are hidden.
    pub hides: bool,
    /// The rows that are shown.
    pub shown: Vec<u32>,
    /// The cursor among them.
    pub list: List,
    /// The rows in one column, for narrow screens.
    pub merged: Vec<Merged>,
    /// In what the two differ in the row under the cursor.
    pub apart: Apart,
    /// The cursor of the state pane.
    pub facts: List,
    /// What is explained, the topmost last, with the lane it is said of.
    pub sheets: Vec<(usize, Lines)>,
    /// The beat that waits for another one to be fixed beside: lane and beat.
    pub held: Option<(usize, usize)>,
    /// The lane something is looked for that would have saved it, and how far that is.
    pub saving: Option<(usize, u64, u64)>,
}

impl Compare {
    /// These lanes.
    pub fn of(asked: Vec<Wanted>) -> Self {
        let lanes = asked.len();
        Self {
            asked,
            reading: Reading::Running(0, lanes as u64),
            whole: false,
            order: (0..lanes).collect(),
            pair: (0, 1),
            wish: None,
            parting: Parting::default(),
            focus: Pane::Column(0),
            zoomed: false,
            view: View::Action,
            hides: false,
            shown: Vec::new(),
            list: List::default(),
            merged: Vec::new(),
            apart: Apart::default(),
            facts: List::default(),
            sheets: Vec::new(),
            held: None,
            saving: None,
        }
    }

    /// The runs in these folders.
    pub fn folders<'a>(folders: impl IntoIterator<Item = &'a std::path::Path>) -> Self {
        let all = folders.into_iter();
        let all = all.map(|folder| Wanted::Run(folder.display().to_string()));
        Self::of(all.collect())
    }

    /// The runs, once they are read.
    pub const fn done(&self) -> Option<&Compared> {
        match &self.reading {
            Reading::Done(all) => Some(all),
            _ => None,
        }
    }

    const fn done_mut(&mut self) -> Option<&mut Compared> {
        match &mut self.reading {
            Reading::Done(all) => Some(all),
            _ => None,
        }
    }

    /// The row of the table under the cursor.
    pub fn row(&self) -> Option<usize> {
        self.shown.get(self.list.cursor).map(|row| *row as usize)
    }

    /// The lane whose column has the keys; that of the pair's first where the state pane has them.
    pub const fn lane(&self) -> usize {
        match self.focus {
            Pane::Column(lane) => lane,
            Pane::State => self.pair.0,
        }
    }

    /// The panes in the order of the Tab key.
    pub fn panes(&self) -> Vec<Pane> {
        let columns = self.order.iter().map(|lane| Pane::Column(*lane));
        columns.chain([Pane::State]).collect()
    }

    /// The event of the focused lane's beat in the row under the cursor.
    fn beat(&self, lane: usize) -> Option<usize> {
        self.done()?.table.row(self.row()?)?.beat(lane)
    }

    fn step(&self, row: usize, lane: usize) -> Option<&StepRow> {
        let all = self.done()?;
        let beat = all.table.row(row)?.beat(lane)?;
        all.sides.get(lane)?.row(beat)
    }

    fn read(&self) -> Act {
        let job = CompareJob::Read(self.asked.clone());
        Act::Job(READ, Job::Compare(Box::new(job)))
    }

    /// Runs have been read: shows them, the cursor where it was or at the first difference.
    fn show(&mut self, mut all: Box<Compared>) -> Vec<Act> {
        self.whole = !all.partial;
        let was = self.where_it_was();
        let mut acts = Vec::new();
        let mut anchors = Vec::new();
        if let Reading::Done(old) = &mut self.reading {
            all.saved = std::mem::take(&mut old.saved);
            anchors.clone_from(&old.anchors);
        }
        let told: Vec<String> = if self.whole {
            all.findings.clone()
        } else {
            Vec::new()
        };
        acts.extend(told.into_iter().map(|f| Act::Notice(Notice::warn(f))));
        let lanes = all.sides.len();
        self.order.retain(|lane| *lane < lanes);
        for lane in 0..lanes {
            if !self.order.contains(&lane) {
                self.order.push(lane);
            }
        }
        self.reading = Reading::Done(all);
        let wish = self.wish.take_if(|pair| pair.0.max(pair.1) < lanes);
        self.pair = wish.unwrap_or(self.pair);
        self.arrange();
        match was.filter(|_| wish.is_none()) {
            Some((lane, seq)) => self.put_on(lane, seq),
            None => self.put(self.parting.first.unwrap_or(0)),
        }
        if !anchors.is_empty() {
            acts.extend(self.align(anchors));
        }
        acts
    }

    /// The event under the cursor with its lane.
    fn where_it_was(&self) -> Option<(usize, u32)> {
        let (all, row) = (self.done()?, self.row()?);
        let lane = self
            .order
            .iter()
            .find(|l| all.table.beat(row, **l).is_some())?;
        Some((*lane, all.table.beat(row, *lane)?.seq))
    }

    /// Puts the cursor on the row of an event.
    fn put_on(&mut self, lane: usize, seq: u32) {
        let row = self.done().and_then(|all| {
            let beats = &all.table.lanes().get(lane)?.beats;
            let beat = beats.iter().position(|beat| beat.seq == seq)?;
            all.table.row_of(lane, beat)
        });
        self.put(row.unwrap_or(0));
    }

    /// Which rows are shown, and where the pair parts.
    fn arrange(&mut self) {
        let Reading::Done(all) = &self.reading else {
            return;
        };
        let keep = |row: &u32| !self.hides || !all.is_equal(*row as usize);
        self.shown = (0..all.table.len() as u32).filter(keep).collect();
        self.parting = all.parting(self.pair);
        self.merged = lines::merged(all, &self.shown, self.pair);
    }

    /// Arranges the rows anew, the cursor on its row or the next that is shown.
    fn rearrange(&mut self) {
        let row = self.row();
        self.arrange();
        self.put(row.unwrap_or(0));
    }

    /// Puts the cursor on a row, or on the next that is shown.
    fn put(&mut self, row: usize) {
        let at = self.shown.partition_point(|shown| (*shown as usize) < row);
        self.list.cursor = at;
        self.list.clamp(self.shown.len());
        self.look();
    }

    /// The state pane follows the cursor.
    fn look(&mut self) {
        let (row, pair) = (self.row(), self.pair);
        self.apart = match (&mut self.reading, row) {
            (Reading::Done(all), Some(row)) => all.apart(row, pair),
            _ => Apart::default(),
        };
        self.facts.clamp(self.items().len());
    }

    /// Whether something is decided in a row: not the same action in either of the pair.
    fn decides(&self, row: usize) -> bool {
        let relation = self.done().map(|all| all.table.relation(row, self.pair));
        matches!(
            relation,
            Some(Relation::Differs | Relation::Met | Relation::OnlyFirst | Relation::OnlySecond)
        )
    }

    /// The row of the next or previous difference that is shown: where something begins to be decided.
    fn difference(&self, forward: bool) -> Option<usize> {
        let all = self.done()?;
        let of_pair = |at: &usize| {
            all.table
                .relation(self.shown.get(*at).map_or(0, |r| *r as usize), self.pair)
        };
        let begins = |at: &usize| {
            let row = self.shown.get(*at).map_or(0, |r| *r as usize);
            if Some(row) == self.parting.first {
                return true;
            }
            let before = (0..row)
                .rev()
                .find(|r| all.table.relation(*r, self.pair) != Relation::Neither);
            of_pair(at) != Relation::Neither
                && self.decides(row)
                && !before.is_some_and(|r| self.decides(r))
        };
        let here = self.list.cursor;
        if forward {
            (here + 1..self.shown.len()).find(begins)
        } else {
            (0..here.min(self.shown.len())).rev().find(begins)
        }
    }

    /// The place among the shown rows of the next or previous step of a kind in the focused lane.
    fn walk(&self, kind: Walk, forward: bool) -> Option<usize> {
        let lane = self.lane();
        let fits = |at: &usize| {
            let row = self.shown.get(*at).map(|row| *row as usize);
            let step = row.and_then(|row| self.step(row, lane));
            step.is_some_and(|step| kind.fits(step))
        };
        self.beside(forward, fits)
    }

    /// The place of the step of the focused lane before or after the cursor.
    fn next_step(&self, forward: bool) -> Option<usize> {
        let lane = self.lane();
        let fits = |at: &usize| {
            let row = self.shown.get(*at).map(|row| *row as usize);
            let step = row.and_then(|row| self.step(row, lane));
            step.is_some_and(|step| step.what == What::Step)
        };
        self.beside(forward, fits)
    }

    fn beside(&self, forward: bool, fits: impl Fn(&usize) -> bool) -> Option<usize> {
        let here = self.list.cursor;
        if forward {
            (here + 1..self.shown.len()).find(fits)
        } else {
            (0..here.min(self.shown.len())).rev().find(fits)
        }
    }

    /// The row of the focused lane's step of that number.
    fn row_of_step(&self, pos: u32) -> Option<usize> {
        let lane = self.lane();
        let all = self.done()?;
        let beats = &all.table.lanes().get(lane)?.beats;
        let beat = beats.iter().position(|beat| beat.pos == pos)?;
        all.table.row_of(lane, beat)
    }

    /// Makes a lane the second of the pair; the one that was second becomes the first.
    fn pick(&mut self, lane: usize) {
        if lane == self.pair.1 {
            return;
        }
        self.pair = (self.pair.1, lane);
        self.rearrange();
    }

    /// Fixes the step under the cursor beside the one that is held, holds it, or releases what it is fixed to.
    fn anchor(&mut self) -> Vec<Act> {
        let lane = self.lane();
        let (Some(beat), Some(all)) = (self.beat(lane), self.done()) else {
            return Vec::new();
        };
        let here = (lane, beat);
        let mut anchors = all.anchors.clone();
        if anchors.iter().any(|anchor| anchor.contains(&here)) {
            anchors.retain(|anchor| !anchor.contains(&here));
            self.held = None;
            return self.align(anchors);
        }
        match self.held.take() {
            Some(held) if held.0 != lane => {
                anchors.push([held, here]);
                self.align(anchors)
            }
            Some(held) if held == here => Vec::new(),
            _ => {
                self.held = Some(here);
                let text = "a on a step of another column fixes the two side by side";
                vec![Act::Notice(Notice::info(text))]
            }
        }
    }

    fn align(&self, anchors: Vec<Anchor>) -> Vec<Act> {
        let Some(all) = self.done() else {
            return Vec::new();
        };
        let again = Again {
            lanes: all.table.lanes().clone(),
            anchors,
        };
        let job = CompareJob::Align(again);
        vec![Act::Job(ALIGN, Job::Compare(Box::new(job)))]
    }

    /// The rows have been aligned anew.
    fn aligned(&mut self, table: Table, anchors: Vec<Anchor>) {
        let was = self.where_it_was();
        let Some(all) = self.done_mut() else {
            return;
        };
        all.table = table;
        all.anchors = anchors;
        self.arrange();
        match was {
            Some((lane, seq)) => self.put_on(lane, seq),
            None => self.put(0),
        }
    }

    /// Looks for what would have saved the focused lane's run, or stops looking.
    fn save(&mut self) -> Vec<Act> {
        if self.saving.take().is_some() {
            let told = Notice::info("the search for a repair was stopped");
            return vec![Act::Stop(SAVE), Act::Notice(told)];
        }
        let lane = self.lane();
        let Some(side) = self.done().and_then(|all| all.sides.get(lane)) else {
            return Vec::new();
        };
        let wanted = ToSave {
            lane,
            run: side.loaded.run.clone(),
            actions: side.done().into_iter().map(|(_, action)| action).collect(),
        };
        self.saving = Some((lane, 0, 0));
        let job = CompareJob::Save(wanted);
        vec![Act::Job(SAVE, Job::Compare(Box::new(job)))]
    }

    /// Something was found that would have saved a run, or not: tells it, and lays it beside.
    fn found(&mut self, lane: usize, found: &Found) -> Vec<Act> {
        self.saving = None;
        let Some(side) = self.done().and_then(|all| all.sides.get(lane)) else {
            return Vec::new();
        };
        let told = saved::Told::new(side, found);
        let letter = Compared::letter(lane);
        let words = format!("repair of {letter}: {}", told.short);
        let plan = told.plan.clone();
        if let Some(all) = self.done_mut() {
            all.saved.insert(lane, told);
        }
        let mut acts = vec![Act::Notice(Notice::info(words))];
        if plan.is_empty() {
            return acts;
        }
        let wanted = Wanted::Steps(format!("{letter}-repaired"), plan);
        let known = self.asked.iter().position(|it| *it == wanted);
        if let Some(known) = known {
            self.pair = (lane, known);
            self.rearrange();
        } else if self.asked.len() < crate::app::compare::MOST {
            self.asked.push(wanted);
            self.wish = Some((lane, self.asked.len() - 1));
            acts.push(self.read());
        } else {
            let text =
                "six runs lie side by side already: the repair is told in the state pane alone";
            acts.push(Act::Notice(Notice::warn(text)));
        }
        acts
    }
}

#[cfg(test)]
mod tests;
