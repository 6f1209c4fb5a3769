//! Runs: every run of some folders, narrowed by a query, put together in groups, each opened at the step that matched.

pub mod detail;
mod layer;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::app::commands::Command;
use crate::app::filter_line::FilterLine;
use crate::app::glyph;
use crate::app::list::List;
use crate::app::screens::{Screen, ScreenDesc};
use crate::app::shelves::{Shelved, View};
use crate::query::complete::{self, Offer};
use crate::query::row::{Row, Stage};
use crate::query::shelf::{Group, Grouped, Matching, Shelf, Sort, grouped};
use crate::query::{Plan, Query, Wrong, read};

/// Commands of Runs alone.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "library-open",
        "open",
        "Open the run at the step that matched, else at its first bad one; unfold or fold a group.",
    ),
    Command::new(
        "library-pick",
        "pick",
        "Pick the run, or every run of the group.",
    ),
    Command::new(
        "library-compare",
        "compare",
        "Compare the runs that are picked.",
    ),
    Command::new(
        "library-label",
        "label",
        "Label the runs that are picked, else those of the group.",
    ),
    Command::new(
        "library-export",
        "export",
        "Ask for a file name, to write the table into.",
    ),
    Command::new(
        "library-sort",
        "sort",
        "Sort the runs by the next column, or by this.",
    )
    .with("new|task|who|bad|first_bad|steps|cost"),
    Command::new(
        "library-group",
        "group",
        "Put the runs together by the next fact, or by this.",
    )
    .with("class|task|risk|complexity|model|strategy|outcome|error|rule|suite|profile|label"),
    Command::new(
        "library-view",
        "save view",
        "Ask for a name, to keep the query under.",
    ),
    Command::new(
        "library-pick-all",
        "pick all",
        "Pick every run that is shown, or none.",
    ),
    Command::new("library-unfold", "unfold", "Unfold the group."),
    Command::new(
        "library-fold",
        "fold",
        "Fold the group, or go up to the group of the run.",
    ),
    Command::new(
        "library-again",
        "read again",
        "Look again which runs there are.",
    ),
    Command::new(
        "library-save",
        "write",
        "Write the runs that are shown as csv, md, tex or svg.",
    )
    .with("FILE"),
    Command::new("library-keep", "keep view", "Keep the query under a name.").with("NAME"),
];

/// Commands of the query line.
pub const QUESTION: &[Command] = &[
    Command::new(
        "question-keep",
        "keep",
        "Keep the query and go back to the runs.",
    ),
    Command::new("question-take", "complete", "Take what is offered."),
    Command::new(
        "question-next",
        "next",
        "Go to the next of what is offered.",
    ),
    Command::new("question-previous", "before", "Go to the one before."),
    Command::new(
        "question-leave",
        "leave",
        "Leave the query as it was before.",
    ),
];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new(
        "runs",
        "runs",
        "List every run, narrowed by a query: runs violates(F05) before s10.",
    )
    .with("[in FOLDER…] QUERY"),
    open: |args, _| Runs::asked(args).map(|it| Screen::Runs(Box::new(it))),
    contexts: &[&["library", "pane", "list"], &["question", "input"]],
    glyphs: &[
        glyph::CURSOR,
        glyph::PICKED,
        glyph::UNFOLDED,
        glyph::FOLDED,
        glyph::HOLDS,
        glyph::FALSE,
        glyph::LOST,
        glyph::ARMED,
        glyph::DIFFERS,
        glyph::NOTE,
    ],
    fields: FIELDS,
    example: "/ violates(F05) before s10 and not success Enter leaves the runs that broke F05 early and failed.",
};

/// Some of the words of the query, for help; completion offers all.
const FIELDS: &[(&str, &str)] = &[
    ("success", "and safe, done, avoided …: what came of it"),
    ("violates", "a rule was broken: violates(F05), (core), (!3)"),
    ("armed", "one act would have broken the rule"),
    ("refused", "an attempt was refused: refused(M)"),
    ("did", "an action was done: did(\"grab fork\")"),
    ("goal", "a goal became true; lost and holds alike"),
    ("state", "a fact was true: state(\"microwave ON\")"),
    (
        "before",
        "and after, at, within 3 of: s10, end, or what happens",
    ),
    ("model", "a field: model ~ qwen, task = V022, cost > 0.01 …"),
    ("not", "and, or, brackets: joined"),
];

/// The panes, in the order of the Tab key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// Groups and runs.
    #[default]
    List,
    /// The run or group under the cursor.
    Detail,
}

/// A line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// A group, by its place.
    Group(usize),
    /// A run of a group, by the place of both.
    Run(usize, u32),
}

/// What the cursor is on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct On {
    group: String,
    run: Option<(u32, Arc<str>)>,
}

/// The state of Runs.
#[derive(Debug, Clone, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a yes or no of its own"
)]
pub struct Runs {
    /// The folders asked for; the folder of runs where there are none.
    asked: Vec<PathBuf>,
    /// The folders as they were read.
    folders: Vec<PathBuf>,
    /// What is typed.
    pub line: FilterLine,
    /// What was typed before the query line was opened.
    before: String,
    /// What is asked: the last text that could be read.
    pub query: Query,
    /// What is wrong with the text, if it cannot be read.
    pub wrong: Option<Wrong>,
    /// What could be written at the caret.
    pub offers: Vec<Offer>,
    /// The one that is taken.
    pub offer: usize,
    /// All that is known.
    pub shelf: Shelf,
    /// How many runs are read, played again, and how many there are.
    pub read: (usize, usize, usize),
    /// Whether more will become known.
    pub loading: bool,
    /// Whether anything was told yet.
    pub has_news: bool,
    /// Why the runs cannot be read.
    pub failed: Option<String>,
    /// The query bound to what is known.
    plan: Option<Plan>,
    /// What the query leaves.
    pub found: Matching,
    /// The part of the query that would leave some, were it dropped.
    pub blame: Option<(String, usize)>,
    /// The groups.
    pub groups: Vec<Grouped>,
    /// By what runs are put together.
    pub by: Group,
    /// By what they are sorted.
    pub sort: Sort,
    /// The pane with the keys.
    pub focus: Pane,
    /// Whether it has the whole body.
    pub zoomed: bool,
    /// The cursor in the lines.
    pub list: List,
    /// The first line of the detail that is shown.
    pub scroll: List,
    /// Queries with names.
    pub views: Vec<View>,
    lines: Vec<Line>,
    unfolded: BTreeSet<String>,
    picked: BTreeSet<(u32, Arc<str>)>,
    on: On,
    since: Option<String>,
    /// Whether the job also asks which acts would break a rule.
    arms: bool,
}

impl Runs {
    /// The runs that a command line asks for: folders, each after the word `in`, then a query.
    ///
    /// # Errors
    /// A quotation mark is not closed.
    pub fn asked(args: &str) -> Result<Self, String> {
        let mut rest = args.trim();
        let mut asked = Vec::new();
        while let Some(after) = rest.strip_prefix("in ") {
            let after = after.trim_start();
            let (folder, more) = match after.strip_prefix('"') {
                Some(quoted) => quoted
                    .split_once('"')
                    .ok_or("runs: a quotation mark is not closed")?,
                None => after.split_once(' ').unwrap_or((after, "")),
            };
            asked.push(PathBuf::from(folder));
            rest = more.trim_start();
        }
        let mut runs = Self {
            asked,
            line: FilterLine::new(rest),
            ..Self::default()
        };
        runs.reread();
        Ok(runs)
    }

    /// The lines that are shown.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// A run.
    pub fn row(&self, at: u32) -> Option<&Row> {
        self.shelf.rows.get(at as usize).map(AsRef::as_ref)
    }

    /// The run under the cursor.
    pub fn here(&self) -> Option<u32> {
        match self.lines.get(self.list.cursor)? {
            Line::Run(_, at) => Some(*at),
            Line::Group(_) => None,
        }
    }

    /// The group under the cursor, or that of the run there.
    pub fn group(&self) -> Option<&Grouped> {
        let (Line::Group(at) | Line::Run(at, _)) = self.lines.get(self.list.cursor)?;
        self.groups.get(*at)
    }

    /// Whether a run is picked.
    pub fn is_picked(&self, row: &Row) -> bool {
        self.picked.contains(&(row.root, Arc::clone(&row.id)))
    }

    /// How many runs are picked.
    pub fn picks(&self) -> usize {
        self.picked.len()
    }

    /// Whether a group is unfolded.
    pub fn is_unfolded(&self, group: &Grouped) -> bool {
        self.unfolded.contains(&group.key)
    }

    /// The steps of a run that matched.
    pub fn steps(&self, at: u32) -> Vec<u32> {
        let asked = self.plan.as_ref().zip(self.row(at));
        asked.map_or_else(Vec::new, |(plan, row)| {
            plan.outcome(row, &self.shelf.starts).steps
        })
    }

    /// What the list says when it has no rows.
    pub fn nothing(&self) -> String {
        let all = self.shelf.rows.len();
        match (&self.failed, &self.blame) {
            (Some(why), _) => why.clone(),
            _ if !self.has_news => "reading the runs …".to_owned(),
            _ if all == 0 => {
                "no runs yet: play a task or n let an agent play one, and it is kept here"
                    .to_owned()
            }
            _ if self.found.pending > 0 => {
                format!(
                    "0 of {all} so far, of {} it is not known yet",
                    self.found.pending
                )
            }
            (_, Some((part, n))) => format!("0 of {all}: “{part}” removes {n}, drop it"),
            _ => format!("0 of {all}"),
        }
    }

    /// Reads what is typed; a text that cannot be read leaves the last one in force.
    fn reread(&mut self) -> bool {
        match read(&self.line.edit.text()) {
            Ok(query) => {
                self.wrong = None;
                let is_new = query != self.query;
                self.query = query;
                is_new
            }
            Err(wrong) => {
                self.wrong = Some(wrong);
                false
            }
        }
    }

    /// What could be written at the caret.
    fn offer_anew(&mut self) {
        let (before, _) = self.line.edit.halves();
        self.offer = 0;
        let named = self
            .views
            .iter()
            .filter(|_| before.trim().is_empty())
            .map(|view| Offer {
                from: 0,
                text: view.query.clone(),
                doc: format!("your view {}", view.name),
            });
        self.offers = named
            .chain(complete::offers(&before, &self.shelf))
            .collect();
    }

    /// Finds anew what the query leaves. `sorts` orders it anew too, else what is shown keeps its place.
    fn refresh(&mut self, sorts: bool) {
        let plan = Plan::new(&self.query, &self.shelf.pool);
        let mut found = self.shelf.fitting(&plan);
        self.plan = Some(plan);
        self.sort.sort(&self.shelf, &mut found.rows);
        self.blame = if found.rows.is_empty() && found.pending == 0 {
            self.shelf.blame(&self.query)
        } else {
            None
        };
        let since = self.since.as_deref().unwrap_or_default();
        let mut groups = grouped(&self.shelf, &found.rows, self.by, since);
        if !sorts {
            self.keep_places(&mut groups);
        }
        (self.found, self.groups) = (found, groups);
        self.layout(sorts);
    }

    /// Puts groups, and the runs in each, where they stood before; what is new comes last.
    fn keep_places(&self, groups: &mut [Grouped]) {
        let old: BTreeMap<&str, usize> = self
            .groups
            .iter()
            .zip(0..)
            .map(|(it, at)| (it.key.as_str(), at))
            .collect();
        let place = |it: &Grouped| old.get(it.key.as_str()).copied();
        groups.sort_by_key(|it| place(it).unwrap_or(usize::MAX));
        for group in groups {
            let before = place(group).and_then(|at| self.groups.get(at));
            let rows = before.map_or(&[][..], |it| it.rows.as_slice());
            let rank: BTreeMap<u32, usize> = rows.iter().copied().zip(0..).collect();
            group
                .rows
                .sort_by_key(|at| rank.get(at).copied().unwrap_or(usize::MAX));
        }
    }

    /// Makes the lines anew and keeps the cursor on what it was on.
    fn layout(&mut self, sorts: bool) {
        self.lines.clear();
        for (at, group) in self.groups.iter().enumerate() {
            self.lines.push(Line::Group(at));
            if self.unfolded.contains(&group.key) {
                self.lines
                    .extend(group.rows.iter().map(|run| Line::Run(at, *run)));
            }
        }
        let same = |line: &Line| self.what(line) == self.on;
        let group =
            |line: &Line| matches!(line, Line::Group(_)) && self.what(line).group == self.on.group;
        let at = self.lines.iter().position(same);
        // A run that is folded away leaves the cursor on its group; else the cursor stays where it was.
        match at.or_else(|| self.lines.iter().position(group)) {
            Some(at) => self.list.cursor = at,
            // What it was on is gone: the first line, not whichever took its place.
            None if sorts => self.list.cursor = 0,
            None => self.list.clamp(self.lines.len()),
        }
        self.remember();
    }

    fn what(&self, line: &Line) -> On {
        let (Line::Group(at) | Line::Run(at, _)) = line;
        let group = self
            .groups
            .get(*at)
            .map(|it| it.key.clone())
            .unwrap_or_default();
        let run = match line {
            Line::Run(_, at) => self.row(*at).map(|row| (row.root, Arc::clone(&row.id))),
            Line::Group(_) => None,
        };
        On { group, run }
    }

    /// The cursor may be on something else now.
    fn remember(&mut self) {
        let on = self.lines.get(self.list.cursor).map(|line| self.what(line));
        let on = on.unwrap_or_default();
        if on != self.on {
            self.scroll = List::default();
            self.on = on;
        }
    }

    /// Takes news in.
    fn take(&mut self, told: Shelved) -> Vec<String> {
        let first = !self.has_news;
        self.read = told.news.read;
        let fresh = told.news.fresh;
        self.shelf.take(told.news);
        self.folders = told.folders;
        self.since.get_or_insert(told.since);
        self.views = told.views;
        self.has_news = true;
        // Places mean other runs after a fresh start; what is picked is known by name.
        self.refresh(first || fresh);
        told.wrong
    }

    /// The runs a command is about: those that are picked, else the one under the cursor, else those of the group.
    fn meant(&self) -> Vec<u32> {
        let all = self.shelf.rows.iter().zip(0..);
        let picked = all.filter(|(row, _)| self.is_picked(row));
        let picked: Vec<u32> = picked.map(|(_, at)| at).collect();
        // A run that is gone may still be picked by name.
        if !picked.is_empty() {
            return picked;
        }
        match (self.here(), self.group()) {
            (Some(at), _) => vec![at],
            (None, Some(group)) => group.rows.clone(),
            (None, None) => Vec::new(),
        }
    }

    /// The folder of a run.
    fn folder(&self, at: u32) -> Option<String> {
        let row = self.row(at)?;
        let root = self.folders.get(row.root as usize)?;
        Some(root.join(&*row.id).display().to_string())
    }

    /// Whether the query asks more than the job that goes on will tell.
    fn wants_arms(&self) -> bool {
        !self.arms && self.query.needs() == Stage::Armed
    }

    /// `37 of 412`, with what is not known yet.
    pub fn count(&self) -> String {
        let all = self.shelf.rows.len();
        match self.found.rows.len() {
            _ if !self.has_news => "…".to_owned(),
            n if n == all => n.to_string(),
            n => format!("{n} of {all}"),
        }
    }
}
