//! Council (the arena, faithful): the published two-sided benchmark, its scenarios in a list and the council of one of them whole:
//! BLUE's candidates with every term of S, RED's replies, why one is ahead of another, what can be doubted.
//!
//! Nothing is kept beside the study that was played: order, front, differences and doubts are recomputed from it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::commands::Command;
use crate::app::filter_line::FilterLine;
use crate::app::fuzzy::Filter;
use crate::app::glyph;
use crate::app::list::List;
use crate::app::screens::{Screen, ScreenDesc};
use crate::arena::advplan::corpus::TEMPLATES;
use crate::arena::advplan::council::{Candidate, Council};
use crate::arena::advplan::doubts::{Doubt, doubts};
use crate::arena::advplan::file::PLANS_FILE;
use crate::arena::advplan::file::again::Replayed;
use crate::arena::advplan::study::{Played, Study};

mod layer;
pub mod made;
pub mod plans;
mod table;
#[cfg(test)]
mod tests;
pub mod words;

/// Commands of the councils alone.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "council-open",
        "open",
        "Open what the row or the figure under the cursor is made of: a plan, a formula, a reply.",
    ),
    Command::new(
        "council-why",
        "why",
        "Show term by term why the candidate is behind the selected one, or ahead of the second.",
    ),
    Command::new("council-earlier", "round", "Show the round before."),
    Command::new("council-later", "round on", "Show the round after."),
    Command::new(
        "council-critic",
        "critic",
        "List the doubts about the selection that can be proven from the numbers.",
    ),
    Command::new(
        "council-gifts",
        "no gifts",
        "Rank by S without the quality that roles and revisions are given, or with it again.",
    ),
    Command::new(
        "council-budget",
        "budget curve",
        "Show what RED gains from more samples.",
    ),
    Command::new(
        "council-right",
        "figure",
        "Go one figure right in the table of candidates.",
    ),
    Command::new(
        "council-left",
        "figure left",
        "Go one figure left in the table of candidates.",
    ),
    Command::new(
        "council-verify",
        "verify",
        "Play the scenario again from its id and compare every published cell as text.",
    ),
    Command::new(
        "council-audit",
        "audit",
        "Change every field of twenty scenarios and list which metrics move.",
    ),
    Command::new(
        "council-show",
        "plan",
        "Show a plan by its id, step by step.",
    )
    .with("ID"),
    Command::new(
        "council-made",
        "made of",
        "Show what a figure of a candidate is made of.",
    )
    .with("CANDIDATE p|d|V|P|S|gift"),
    Command::new(
        "council-replies",
        "replies",
        "List so many replies to the fixed plan.",
    )
    .with("K"),
];

/// The fields of the filter of scenarios.
pub const FIELDS: &[(&str, &str)] = &[
    ("terrain", "the template's terrain"),
    ("wins", "who wins the wargame: blue, red, draw"),
    ("round", "the round of the selected candidate: 0, 1"),
    (
        "gift",
        "decides where another would be selected without gifts, else no",
    ),
];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new(
        "council",
        "council",
        "Show the published two-sided benchmark: every council, every reply, every term.",
    )
    .with("[SCENARIO|FILE]"),
    open: |args, _| {
        let asked = args.trim();
        Ok(Screen::Council(Box::new(if is_file(asked) {
            Councils::of_file(Path::new(asked))
        } else {
            Councils::of(asked)
        })))
    },
    contexts: &[&["council", "pane", "list"], &["filter", "input"]],
    glyphs: &[
        glyph::CURSOR,
        glyph::PICKED,
        glyph::HOLDS,
        glyph::FALSE,
        glyph::FRONT,
        glyph::BEHIND,
        glyph::RED_BEST,
        glyph::RED_OTHER,
    ],
    fields: FIELDS,
    example: "/gift:decides lists the councils that a gift decides; t ranks them without it.",
};

/// Whether a file of typed plans is meant.
fn is_file(asked: &str) -> bool {
    Path::new(asked)
        .extension()
        .is_some_and(|end| end == "jsonl")
        || asked.contains('/')
}

/// Whether what an arena is asked for is shown here: the benchmark, one of its scenarios, its file of plans.
pub fn is_meant(asked: &str) -> bool {
    asked.is_empty()
        || asked.ends_with(PLANS_FILE)
        || TEMPLATES.iter().any(|t| asked.starts_with(t.id))
}

/// Base seeds of the benchmark as it was published, five scenarios each.
pub const SEEDS: usize = 30;

/// How far the benchmark is.
#[derive(Clone, Debug, Default)]
pub enum Stage {
    /// Not asked for yet.
    #[default]
    New,
    /// So many scenarios of so many are played.
    Playing(u64, u64),
    /// All are.
    Done(Arc<Study>),
    /// It cannot be shown: why.
    Failed(String),
}

/// The panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pane {
    /// The scenarios.
    #[default]
    Scenarios,
    /// BLUE's candidates.
    Blue,
    /// RED's replies to the one under the cursor.
    Red,
    /// Why, the critic, or the budget curve.
    Aside,
}

/// Every pane, in the order of the Tab key.
pub const PANES: [Pane; 4] = [Pane::Scenarios, Pane::Blue, Pane::Red, Pane::Aside];

/// What the last pane shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Aside {
    /// Term by term why one candidate is behind another.
    #[default]
    Why,
    /// What can be doubted.
    Critic,
    /// What RED gains from more samples.
    Budget,
}

/// The figures of a candidate, by the names of their columns; the plan comes first.
pub const COLUMNS: [&str; 7] = ["plan", "p", "d", "V", "P", "S", "gift"];

/// Whether a scenario came out the same when it was played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Cells that are equal as text; of a file plans that are the same.
    pub equal: usize,
    /// All of them.
    pub cells: usize,
}

/// The screen.
#[derive(Debug, Default)]
pub struct Councils {
    /// The scenario that was asked for.
    asked: Option<String>,
    /// The file of plans whose scenarios are shown in place of those of the benchmark.
    file: Option<PathBuf>,
    /// How far it is.
    pub stage: Stage,
    /// The pane with the keys.
    pub focus: Pane,
    /// What the last pane shows.
    pub aside: Aside,
    /// Whether the focused pane has the whole body.
    pub zoomed: bool,
    /// What narrows the scenarios.
    pub filter: FilterLine,
    /// Whether scores count what was given.
    pub gifts: bool,
    /// The round shown.
    pub round: u32,
    /// The figure under the cursor, a place in [`COLUMNS`].
    pub column: usize,
    order: Vec<usize>,
    scenarios: List,
    /// The scenario shown, a place in the study.
    shown: usize,
    /// The candidate under the cursor, a place in its council.
    at: usize,
    red: List,
    side: List,
    doubts: Vec<Doubt>,
    verified: BTreeMap<String, Verified>,
    /// The plans of a file over which no council was held, in place of all else.
    pub plans: Option<plans::Shown>,
}

impl Councils {
    /// The benchmark, at a scenario if one is named.
    pub fn of(asked: &str) -> Self {
        let asked = Some(asked.trim().to_owned()).filter(|id| !id.is_empty());
        Self {
            focus: if asked.is_some() {
                Pane::Blue
            } else {
                Pane::Scenarios
            },
            asked,
            gifts: true,
            ..Self::default()
        }
    }

    /// The scenarios of a file of plans.
    pub fn of_file(path: &Path) -> Self {
        Self {
            file: Some(path.to_owned()),
            ..Self::of("")
        }
    }

    /// The study, once it is played.
    pub const fn study(&self) -> Option<&Arc<Study>> {
        match &self.stage {
            Stage::Done(study) => Some(study),
            _ => None,
        }
    }

    /// The scenario shown.
    pub fn played(&self) -> Option<&Played> {
        self.study()?.played.get(self.shown)
    }

    /// Its council.
    pub fn council(&self) -> Option<&Council> {
        Some(&self.played()?.council)
    }

    /// The scenarios that fit the filter, as places in the study.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The row of the list of scenarios under the cursor.
    pub const fn row(&self) -> usize {
        self.scenarios.cursor
    }

    /// The candidates shown, in their order.
    pub fn ranking(&self) -> Vec<usize> {
        self.council()
            .map_or_else(Vec::new, |c| c.ranking(self.round, self.gifts))
    }

    /// The place of the candidate under the cursor in its council.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// The candidate under the cursor.
    pub fn candidate(&self) -> Option<&Candidate> {
        self.council()?.candidates.get(self.at)
    }

    /// The candidate that leads the rounds shown.
    pub fn leader(&self) -> Option<usize> {
        self.ranking().first().copied()
    }

    /// The one the candidate under the cursor is compared with: the leader, or the second where it leads itself.
    pub fn rival(&self) -> Option<usize> {
        let ranking = self.ranking();
        ranking.into_iter().find(|at| *at != self.at)
    }

    /// The row of RED's replies under the cursor.
    pub const fn reply(&self) -> usize {
        self.red.cursor
    }

    /// The row of the last pane under the cursor.
    pub const fn side(&self) -> usize {
        self.side.cursor
    }

    /// What can be doubted about the scenario shown.
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// What came of playing the scenario shown again.
    pub fn verified(&self) -> Option<Verified> {
        let id = &self.played()?.scenario.profile.scenario_id;
        self.verified.get(id).copied()
    }

    /// Shows a scenario of the study, with its last round and the leader under the cursor.
    fn show(&mut self, place: usize) {
        self.shown = place;
        let last = self.council().map_or(0, Council::last_round);
        self.round = last;
        self.doubts = self.played().map(doubts).unwrap_or_default();
        self.at = self.leader().unwrap_or(0);
        self.red = List::default();
        self.side = List::default();
    }

    /// Puts the study on the screen.
    fn take(&mut self, study: Arc<Study>) {
        let asked = self.asked.as_deref();
        let place = study
            .played
            .iter()
            .position(|p| Some(p.scenario.profile.scenario_id.as_str()) == asked);
        self.stage = Stage::Done(study);
        self.refresh();
        let place = place.unwrap_or(0);
        self.scenarios.cursor = self.order.iter().position(|at| *at == place).unwrap_or(0);
        self.show(place);
    }

    /// Puts the scenarios of a file on the screen, with what came of playing them again.
    fn take_file(&mut self, replayed: &Replayed) {
        let verified = replayed.equal.iter().map(|(id, equal, cells)| {
            let (equal, cells) = (*equal, *cells);
            (id.clone(), Verified { equal, cells })
        });
        self.verified = verified.collect();
        self.take(Arc::new(replayed.study.clone()));
    }

    /// Filters the scenarios anew; the cursor stays on its scenario where that is still shown.
    fn refresh(&mut self) {
        let Some(study) = self.study() else {
            return;
        };
        let mut filter = Filter::new(&self.filter.edit.text());
        let fits = |(_, p): &(usize, &Played)| {
            let words = words::scenario(p);
            let field = |name: &str| words::field(p, name);
            filter.score(&words, &field).is_some()
        };
        let order: Vec<usize> = study
            .played
            .iter()
            .enumerate()
            .filter(fits)
            .map(|(at, _)| at)
            .collect();
        self.order = order;
        if let Some(row) = self.order.iter().position(|at| *at == self.shown) {
            self.scenarios.cursor = row;
            return;
        }
        self.scenarios.cursor = 0;
        if let Some(first) = self.order.first().copied() {
            self.show(first);
        }
    }

    /// Moves among the rounds.
    fn turn(&mut self, later: bool) {
        let last = self.council().map_or(0, Council::last_round);
        self.round = if later {
            (self.round + 1).min(last)
        } else {
            self.round.saturating_sub(1)
        };
        let ranking = self.ranking();
        if !ranking.contains(&self.at) {
            self.at = ranking.first().copied().unwrap_or(0);
        }
    }

    /// Gives the keys to the pane after, or before.
    fn step(&mut self, on: bool) {
        let n = PANES.len();
        let at = PANES.iter().position(|p| *p == self.focus).unwrap_or(0);
        let to = if on { at + 1 } else { at + n - 1 } % n;
        self.focus = PANES.get(to).copied().unwrap_or_default();
    }

    /// Shows something in the last pane and gives it the keys, or, where it is there with the keys, gives them back.
    fn beside(&mut self, aside: Aside) {
        if self.aside == aside && self.focus == Pane::Aside {
            self.focus = Pane::Blue;
            return;
        }
        if self.aside != aside {
            self.side = List::default();
        }
        self.aside = aside;
        self.focus = Pane::Aside;
    }
}
