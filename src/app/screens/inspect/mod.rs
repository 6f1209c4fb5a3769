//! Inspect: a saved run, taken apart step by step. Opens at its first bad step.

mod beside;
mod chains;
pub mod detail;
mod find;
mod floor;
mod fold;
mod heard;
mod layer;
pub mod loaded;
mod long;
mod said;
pub mod sheets;
pub mod strip;
mod text;

use std::sync::Arc;

use crate::app::arena::{ArenaJob, CellAsked};
use crate::app::checks::Shown;
use crate::app::commands::{Availability, Command};
use crate::app::filter_line::FilterLine;
use crate::app::glyph;
use crate::app::jobs::Job;
use crate::app::layer::{Act, Fact};
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::parts::steps::{Walk, What};
use crate::app::parts::verdict::Draft;
use crate::app::role::Role;
use crate::app::runs::LoadedRun;
use crate::app::screens::play::Play;
use crate::app::screens::play::floor::Floor;
use crate::app::screens::play::sheets::About;
use crate::app::screens::{Screen, ScreenDesc};
use crate::app::state::Shared;
use crate::sim::vocab::Ix;

use detail::View;
use loaded::Loaded;
use sheets::Sheet;
use strip::Strip;

/// Commands of Inspect alone.
pub const COMMANDS: &[Command] = &[
    Command::new("inspect-enter", "open", "Go into what the row names."),
    Command::new(
        "fork-here",
        "fork here",
        "Play on from this step: in this run if it can be written to, else in a run of its own.",
    ),
    Command::new(
        "diff-view",
        "view",
        "Tell the step as changes in words, as the recorded facts, as what was said around it, or as hashes.",
    ),
    Command::new(
        "fold-steps",
        "fold",
        "Take steps that nothing is to be said of together in one row, or show them all again.",
    ),
    Command::new(
        "spent-strip",
        "strip",
        "Show what each step took below the panes: latency, tokens, cost, or nothing.",
    ),
    Command::new(
        "critic-claims",
        "claims",
        "Go to the next step that a critic speaks of, from the last to the first.",
    ),
    Command::new(
        "hidden-facts",
        "hidden facts",
        "Show or hide facts nobody acts on.",
    ),
    Command::new(
        "next-branch",
        "branches",
        "Show the next branch of the run.",
    ),
    Command::new(
        "judge-task",
        "verdict",
        "File what you think of the task, with this step as its witness.",
    ),
    Command::new(
        "comment",
        "comment",
        "Write a remark about this step into the run's notes.",
    )
    .with("TEXT"),
    Command::new(
        "goal-why",
        "why",
        "Say how the goal or the rule under the cursor stands, and which steps made it so.",
    ),
    Command::new(
        "floor-plan",
        "map",
        "Show the floor plan at this step, or the steps again.",
    ),
    Command::new(
        "find-step",
        "find",
        "Go to the step that a query fits, as in Runs: find-step did(grab) after s4.",
    )
    .with("QUERY"),
    Command::new(
        "find-step-next",
        "next found",
        "Go to the next step that was found.",
    ),
    Command::new(
        "find-step-previous",
        "found before",
        "Go to the step found before this one.",
    ),
    Command::new(
        "inspect-compare",
        "compare",
        "Lay another run of the task, a branch or one of its plans beside this run.",
    ),
    Command::new("inspect-label", "label", "Label this run."),
    Command::new(
        "verify",
        "verify",
        "Play the run again and compare every hash.",
    ),
];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new(
        "inspect",
        "inspect",
        "Take a saved run apart, step by step.",
    )
    .with("RUN [STEP]"),
    open: |args, _| Inspect::asked(args).map(|it| Screen::Inspect(Box::new(it))),
    contexts: &[
        &["inspect", "files", "steps", "pane", "list"],
        &["inspect", "files", "steps", "pane", "tree", "list"],
        &["map", "inspect", "compass", "files", "steps", "pane"],
        &["filter", "input"],
        &["sheet", "list"],
        &["rule", "sheet", "list"],
        &["verdict", "judgement"],
        &["verdict", "fault", "list"],
        &["verdict", "input"],
    ],
    glyphs: &[
        glyph::CURSOR,
        glyph::NOW,
        glyph::HOLDS,
        glyph::GOAL_OPEN,
        glyph::LOST,
        glyph::FALSE,
        glyph::ARMED,
        glyph::PENDING,
        glyph::STANDING,
        glyph::HAPPENED,
        glyph::BRANCH,
        glyph::DIFFERS,
        glyph::NOTE,
        glyph::ADDED,
        glyph::REMOVED,
        glyph::CHANGED,
    ],
    fields: &[],
    example: "] r goes to the next refused attempt, F plays on from there.",
};

/// The panes, in the order of the Tab key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The steps.
    #[default]
    Steps,
    /// What the step changed.
    Diff,
    /// The goals there.
    Goals,
    /// What the rules say there.
    Warnings,
    /// The scene there.
    Scene,
}

/// Every pane, in the order of the Tab key.
pub const PANES: [Pane; 5] = [
    Pane::Steps,
    Pane::Diff,
    Pane::Goals,
    Pane::Warnings,
    Pane::Scene,
];

/// Where the reading of the run stands.
#[derive(Debug, Clone)]
pub enum Reading {
    /// Not finished yet.
    Running,
    /// Finished.
    Done(Box<Loaded>),
    /// It cannot be read: what is wrong and what to do.
    Failed(String),
}

/// The state of Inspect.
#[derive(Debug, Clone)]
pub struct Inspect {
    /// The run as it was asked for: the end of its id, or a path.
    name: String,
    /// The steps to be shown instead of a saved run.
    shown: Option<Shown>,
    /// The cell of an arena to be shown instead of a saved run.
    cell: Option<Box<CellAsked>>,
    /// Whether the run was handed over: it was played now and lies nowhere to be read again.
    given: bool,
    /// The step to open at, if one was asked for.
    at: Option<u32>,
    /// The run.
    pub reading: Reading,
    /// What is known of a long run beside the window of it that was read.
    long: Option<Box<long::Long>>,
    /// The pane with the keys.
    pub focus: Pane,
    /// Whether the focused pane has the whole body.
    pub zoomed: bool,
    /// How the step is told.
    pub view: View,
    /// What is shown below the panes.
    pub strip: Strip,
    /// Whether facts nobody acts on are shown.
    pub hidden: bool,
    /// What narrows the steps.
    pub filter: FilterLine,
    /// What was asked of the run.
    asked: Option<find::Asked>,
    /// What narrows the scene.
    pub scene_filter: FilterLine,
    /// The cursor among the lines of the middle pane.
    pub diff: List,
    /// The cursor among the goals.
    pub goals: List,
    /// What lies over the panes, the topmost last.
    pub sheets: Vec<Sheet>,
    /// The verdict being written.
    pub draft: Draft,
    /// The floor plan, while it is shown instead of the panes.
    pub map: Option<Box<Floor>>,
}

impl Inspect {
    /// A run by the arguments of the opener: `b2d4`, `b2d4 s7`.
    ///
    /// # Errors
    /// No run is named.
    pub fn asked(args: &str) -> Result<Self, String> {
        let args = args.trim();
        let (name, at) = match args.rsplit_once(' ') {
            Some((name, last)) => match step_number(last) {
                Some(at) if last.starts_with('s') => (name.trim(), Some(at)),
                _ => (args, None),
            },
            None => (args, None),
        };
        if name.is_empty() {
            return Err("inspect: name a run, as in inspect b2d4; Home lists them".to_owned());
        }
        Ok(Self::named(name, at))
    }

    fn named(name: &str, at: Option<u32>) -> Self {
        Self {
            name: name.to_owned(),
            shown: None,
            cell: None,
            given: false,
            at,
            reading: Reading::Running,
            long: None,
            focus: Pane::Steps,
            zoomed: false,
            view: View::State,
            strip: Strip::Off,
            hidden: false,
            filter: FilterLine::default(),
            asked: None,
            scene_filter: FilterLine::default(),
            diff: List::default(),
            goals: List::default(),
            sheets: Vec::new(),
            draft: Draft::default(),
            map: None,
        }
    }

    /// The steps that show what a check found.
    pub fn witness(shown: Shown) -> Self {
        Self {
            name: format!("witness of {}", shown.task),
            at: u32::try_from(shown.witness.at).ok(),
            shown: Some(shown),
            ..Self::named("", None)
        }
    }

    /// A plan under a response of RED's.
    pub fn cell(asked: CellAsked) -> Self {
        let name = format!("{} under {}", asked.candidate, asked.response.id);
        Self {
            cell: Some(Box::new(asked)),
            ..Self::named(&name, None)
        }
    }

    /// A run that was played now and is kept nowhere, at a step.
    pub fn given(run: Arc<LoadedRun>, at: u32) -> Self {
        let name = run.id();
        let mut loaded = Loaded::new(run);
        loaded.goto(at);
        Self {
            given: true,
            reading: Reading::Done(Box::new(loaded)),
            ..Self::named(&name, None)
        }
    }

    /// Whether it is a run that was saved.
    const fn is_saved(&self) -> bool {
        self.shown.is_none() && self.cell.is_none() && !self.given
    }

    /// The run, once it is read.
    pub const fn loaded(&self) -> Option<&Loaded> {
        match &self.reading {
            Reading::Done(loaded) => Some(loaded),
            _ => None,
        }
    }

    const fn loaded_mut(&mut self) -> Option<&mut Loaded> {
        match &mut self.reading {
            Reading::Done(loaded) => Some(loaded),
            _ => None,
        }
    }

    /// The lines of the middle pane.
    pub fn lines(&self) -> Vec<detail::Line> {
        self.loaded()
            .map_or_else(Vec::new, |it| detail::lines(it, self.view, self.hidden))
    }

    /// The filter of the focused pane, if it has one.
    const fn filter_here(&self) -> Option<&FilterLine> {
        match self.focus {
            Pane::Steps => Some(&self.filter),
            Pane::Scene => Some(&self.scene_filter),
            Pane::Diff | Pane::Goals | Pane::Warnings => None,
        }
    }

    const fn filter_here_mut(&mut self) -> Option<&mut FilterLine> {
        match self.focus {
            Pane::Steps => Some(&mut self.filter),
            Pane::Scene => Some(&mut self.scene_filter),
            Pane::Diff | Pane::Goals | Pane::Warnings => None,
        }
    }

    fn is_typing(&self) -> bool {
        self.filter_here().is_some_and(|filter| filter.editing)
    }

    /// The filter of the focused pane was changed.
    fn narrow(&mut self) {
        let (steps, scene) = (self.filter.edit.text(), self.scene_filter.edit.text());
        let focus = self.focus;
        let Reading::Done(loaded) = &mut self.reading else {
            return;
        };
        if focus == Pane::Steps {
            loaded.narrow(&steps);
        } else if let Some(there) = &mut loaded.there {
            there.on_tree(|tree, world| tree.narrow(world, &scene));
        }
    }

    /// The cursor among the steps moved: the middle pane begins anew, and a filter that was in the way is gone.
    fn moved(&mut self) {
        self.diff = List::default();
        self.map_moved();
        if self.loaded().is_some_and(|it| it.filter().is_empty()) && !self.filter.editing {
            self.filter = FilterLine::default();
        }
    }

    fn next_pane(&mut self, by: usize) {
        let at = PANES.iter().position(|pane| *pane == self.focus);
        let to = (at.unwrap_or(0) + by) % PANES.len();
        self.focus = PANES.get(to).copied().unwrap_or_default();
    }

    /// One step out: of the zoom, of the filter, of the pane, of the screen.
    fn out(&mut self) -> Vec<Act> {
        if self.zoomed {
            self.zoomed = false;
        } else if self.filter_here().is_some_and(|filter| !filter.is_empty()) {
            if let Some(filter) = self.filter_here_mut() {
                *filter = FilterLine::default();
            }
            self.narrow();
        } else if self.focus == Pane::Steps {
            return vec![Act::Leave];
        } else {
            self.focus = Pane::Steps;
        }
        Vec::new()
    }

    /// What `Enter` does in the focused pane.
    fn enter(&mut self) {
        let (diff, goal) = (self.diff.cursor, self.goals.cursor);
        match self.focus {
            Pane::Steps => {
                let row = self.loaded().and_then(|it| it.row().copied());
                match row.map(|row| row.what) {
                    Some(What::Branch(first)) => {
                        if let Some(it) = self.loaded_mut() {
                            it.branch_off(first);
                        }
                        self.moved();
                    }
                    _ => self.focus = Pane::Diff,
                }
            }
            Pane::Diff => {
                let lines = self.lines();
                let line = lines.get(diff);
                if let Some(pos) = line.and_then(|line| line.step) {
                    self.go_to(pos);
                } else if let Some(node) = line.and_then(|line| line.node) {
                    self.open_facts(About::Node(node));
                }
            }
            Pane::Goals => self.open_facts(About::Goal(goal)),
            Pane::Warnings => self.enter_warning(),
            Pane::Scene => {
                if let Some(node) = self.node() {
                    self.open_facts(About::Node(node));
                }
            }
        }
    }

    /// Goes to the step that broke the rule under the cursor; explains it where the cursor is there already.
    fn enter_warning(&mut self) {
        let Some(there) = self.loaded().and_then(|it| it.there.as_ref()) else {
            return;
        };
        let here = there.episode().here();
        match there.warnings.culprit().filter(|pos| *pos != here) {
            Some(pos) => self.go_to(pos),
            None => self.open_facts_of_warning(),
        }
    }

    fn open_facts_of_warning(&mut self) {
        let there = self.loaded().and_then(|it| it.there.as_ref());
        if let Some(instance) = there.and_then(|there| there.warnings.instance()) {
            self.open_facts(About::Rule(instance));
        }
    }

    /// The node under the cursor of the scene.
    fn node(&self) -> Option<Ix> {
        self.loaded()?.there.as_ref()?.tree.node()
    }

    fn move_cursor(&mut self, command: &str, page: usize) -> bool {
        let lines = self.lines().len();
        let Reading::Done(loaded) = &mut self.reading else {
            // Nothing is there to be moved in; the key means nothing, but it is known.
            return List::default().run(command, 0, page) || is_tree(command);
        };
        let goals = loaded.there.as_ref().map_or(0, |there| there.goals.len());
        match self.focus {
            Pane::Steps => {
                let moved = loaded.move_cursor(command, page);
                if moved {
                    self.moved();
                }
                moved
            }
            Pane::Diff => self.diff.run(command, lines, page),
            Pane::Goals => self.goals.run(command, goals, page),
            Pane::Warnings => match &mut loaded.there {
                Some(there) => {
                    let len = there.warnings.rows.len();
                    there.warnings.list.run(command, len, page)
                }
                None => List::default().run(command, 0, page),
            },
            Pane::Scene => match &mut loaded.there {
                Some(there) => there.on_tree(|tree, world| tree.run(command, world, page)),
                None => List::default().run(command, 0, page) || is_tree(command),
            },
        }
    }

    /// A run has been read: shows it, and what was found wrong with it.
    fn show(&mut self, run: Arc<LoadedRun>) -> Vec<Act> {
        let mut acts: Vec<Act> = run
            .findings
            .iter()
            .map(|finding| Act::Notice(Notice::warn(finding.clone())))
            .collect();
        match run.verified() {
            Err(why) => acts.push(Act::Notice(Notice::error(why))),
            Ok(verified) if verified.first.is_some() => {
                let words = verified.words(run.other_engine());
                acts.push(Act::Notice(Notice::error(words)));
            }
            Ok(_) => {}
        }
        let mut loaded = match &self.reading {
            // Only what is new is told again.
            Reading::Done(old) => {
                if old.run.findings == run.findings {
                    acts.clear();
                }
                old.again(run)
            }
            _ => Loaded::new(run),
        };
        if let Some(at) = self.at.take()
            && !loaded.goto(at)
        {
            let text = format!(
                "there is no step s{at}: this run has {}",
                loaded.record.len().saturating_sub(1)
            );
            acts.push(Act::Notice(Notice::warn(text)));
        }
        self.reading = Reading::Done(Box::new(loaded));
        self.moved();
        acts
    }

    fn read(&self) -> Vec<Act> {
        if self.given {
            return Vec::new();
        }
        let job = match (&self.shown, &self.cell) {
            (Some(shown), _) => Job::LoadWitness(shown.clone()),
            (None, Some(cell)) => Job::Arena(ArenaJob::Cell(cell.clone())),
            (None, None) => Job::LoadRun(self.name.clone()),
        };
        vec![Act::Job("run", job)]
    }

    /// Plays on from the step under the cursor in a run of its own.
    fn fork_witness(&self, shared: &mut Shared) -> Option<Vec<Act>> {
        let mut shown = self.shown.clone()?;
        let steps = self.loaded()?.reached()?.0 as usize;
        shown.witness.steps.truncate(steps);
        shown.witness.at = steps;
        let play = Play::showing(shown, shared.new_game());
        Some(vec![Act::Open(Screen::Play(Box::new(play)))])
    }

    /// Plays on from the step under the cursor of an arena's cell, what RED does kept.
    fn fork_cell(&self, shared: &mut Shared) -> Option<Vec<Act>> {
        let asked = self.cell.as_deref()?.clone();
        let steps = self.loaded()?.reached()?.0;
        let play = Play::cell(asked, steps, shared.new_game());
        Some(vec![Act::Open(Screen::Play(Box::new(play)))])
    }

    fn walk(&mut self, args: &str, forward: bool) {
        if let Some((it, kind)) = self.loaded_mut().zip(Walk::parse(args)) {
            it.walk_to(kind, forward);
            self.moved();
        }
    }

    /// Goes to the next step that a critic speaks of, after the last to the first.
    fn next_claim(&mut self) {
        if let Some(it) = self.loaded_mut() {
            let first = || it.rows.iter().position(|row| row.claimed > 0);
            if let Some(row) = it.walk(Walk::Claim, true).or_else(first) {
                it.put(row);
            }
        }
        self.moved();
    }

    /// Commands that move through the run from whatever pane. Whether it was one.
    fn travel(&mut self, command: &str, args: &str) -> bool {
        match command {
            "step-next" | "step-previous" => {
                if let Some(it) = self.loaded_mut() {
                    it.go(command == "step-next");
                }
                self.moved();
            }
            "next" => self.walk(args, true),
            "previous" => self.walk(args, false),
            "goto" => {
                if let Some((it, at)) = self.loaded_mut().zip(step_number(args)) {
                    it.goto(at);
                }
                self.moved();
            }
            "next-branch" => {
                if let Some(it) = self.loaded_mut() {
                    it.next_branch();
                }
                self.moved();
            }
            _ => return false,
        }
        true
    }

    /// Whether there is something to explain: the warning under the cursor, else the goal.
    fn has_why(&self) -> Availability {
        if self.focus != Pane::Warnings {
            return self.has_goal();
        }
        let there = self.loaded().and_then(|it| it.there.as_ref());
        let instance = there.and_then(|there| there.warnings.instance());
        Availability::when(instance.is_some(), "no rule has anything to say here")
    }

    fn has_goal(&self) -> Availability {
        let there = self.loaded().and_then(|it| it.there.as_ref());
        let goal = there.and_then(|there| there.goals.get(self.goals.cursor));
        Availability::when(goal.is_some(), "there is no goal here")
    }

    fn can_walk(&self, args: &str, forward: bool) -> Availability {
        let Some(kind) = Walk::parse(args) else {
            return Availability::blocked(
                "say violation, warning, refusal, goal, divergence, branch, note, denied, event or claim",
            );
        };
        let Some(it) = self.loaded() else {
            return Availability::blocked(STILL);
        };
        let side = if forward { "after" } else { "before" };
        Availability::when(
            it.walk(kind, forward).is_some(),
            &format!("no {} {side} this", kind.words()),
        )
    }
}

/// Why a run that is not read cannot be walked.
const STILL: &str = "the run is not read yet";

fn is_tree(command: &str) -> bool {
    matches!(command, "unfold" | "fold" | "unfold-all" | "pin")
}

/// The number of a step as people write it: `4`, `s4`.
fn step_number(text: &str) -> Option<u32> {
    let text = text.trim();
    text.strip_prefix('s').unwrap_or(text).parse().ok()
}

/// A fact about the run for the title.
fn fact(text: impl Into<String>, role: Role) -> Fact {
    Fact::new(text, role)
}

#[cfg(test)]
pub(in crate::app::screens) mod tests;
