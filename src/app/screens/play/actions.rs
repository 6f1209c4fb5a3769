//! The Actions pane: what can be done now, narrowed, sorted, with `Done` and `[Avoid]` at the end.

use crate::app::filter_line::FilterLine;
use crate::app::fuzzy::Filter;
use crate::app::list::List;
use crate::app::parts::warnings::is_grave_danger;
use crate::plan::options::{Candidate, Focus};
use crate::sim::scene::Scene;
use crate::sim::vocab::Ix;
use crate::sim::world::Action;
use crate::task::episode::Episode;

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A candidate, by its place in [`Actions::all`].
    Action(usize),
    /// Calls the task done.
    Done,
    /// Refuses the instruction.
    Avoid,
}

/// The order of the rows; what is refused always comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sort {
    /// What gains goals, is safe and near.
    #[default]
    Best,
    /// By the action's words.
    Name,
    /// What is near.
    Near,
}

impl Sort {
    /// The word in the title.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Name => "name",
            Self::Near => "near",
        }
    }

    /// The next one.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Best => Self::Name,
            Self::Name => Self::Near,
            Self::Near => Self::Best,
        }
    }
}

/// The pane.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    /// Every candidate, best first, refused last.
    pub all: Vec<Candidate>,
    /// Whether refused ones are shown.
    pub refused: bool,
    /// The order.
    pub sort: Sort,
    /// The one node the actions are about, if the scene's cursor asks for it.
    pub about: Option<Ix>,
    /// What narrows the rows.
    pub filter: FilterLine,
    /// The row under the cursor.
    pub list: List,
    rows: Vec<Row>,
    named: Vec<Ix>,
    /// Actions the filter names.
    verbs: Vec<u8>,
    /// Targets of an action that was asked for by `e`, so that it is in the list.
    wanted: Vec<Ix>,
}

/// Nodes a filter may name at most; a word that fits more means none of them.
const NAMED: usize = 12;

impl Actions {
    /// A pane that shows everything, before the world was asked.
    pub(super) fn new() -> Self {
        Self {
            refused: true,
            ..Self::default()
        }
    }

    /// The rows shown.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Candidates shown.
    pub fn shown(&self) -> usize {
        let is_action = |row: &&Row| matches!(row, Row::Action(_));
        self.rows.iter().filter(is_action).count()
    }

    /// Candidates that can be done now.
    pub fn allowed(&self) -> usize {
        self.all.iter().filter(|c| c.refusal.is_none()).count()
    }

    /// The row under the cursor.
    pub fn row(&self) -> Option<Row> {
        self.rows.get(self.list.cursor).copied()
    }

    /// The candidate of a row.
    pub fn candidate(&self, row: Row) -> Option<&Candidate> {
        match row {
            Row::Action(at) => self.all.get(at),
            Row::Done | Row::Avoid => None,
        }
    }

    /// The candidate under the cursor.
    pub fn chosen(&self) -> Option<&Candidate> {
        self.candidate(self.row()?)
    }

    /// The candidates, if nothing in particular was asked for.
    pub(super) fn usual(&self) -> Option<&[Candidate]> {
        let asked = [self.named.as_slice(), self.wanted.as_slice()].concat();
        let usual = self.about.is_none() && asked.is_empty() && self.verbs.is_empty();
        usual.then_some(self.all.as_slice())
    }

    /// Asks the world anew; the cursor goes to the action `keep`, or to the first row.
    pub(super) fn ask(&mut self, episode: &mut Episode, keep: Option<Action>) {
        let mut nodes: Vec<Ix> = self.about.into_iter().collect();
        nodes.extend(&self.named);
        nodes.extend(&self.wanted);
        let focus = Focus {
            nodes,
            verbs: self.verbs.clone(),
            only: self.about.is_some(),
        };
        self.all = episode.candidates(&focus);
        self.narrow();
        self.put(keep);
    }

    /// What was asked for by `e` is forgotten.
    pub(super) fn forget_wanted(&mut self) {
        self.wanted.clear();
    }

    /// Puts the cursor on an action, whatever hides it.
    pub(super) fn point(&mut self, episode: &mut Episode, action: Action) {
        let is_there = |actions: &Self| {
            actions
                .rows
                .iter()
                .position(|&row| actions.candidate(row).is_some_and(|c| c.action == action))
        };
        if is_there(self).is_none() {
            self.about = None;
            self.filter = FilterLine::default();
            self.named.clear();
            self.verbs.clear();
            self.wanted = [action.a, action.b]
                .into_iter()
                .filter(|t| t.is_some())
                .collect();
            self.ask(episode, Some(action));
        }
        self.put(Some(action));
    }

    fn put(&mut self, keep: Option<Action>) {
        let at = keep.and_then(|keep| {
            self.rows
                .iter()
                .position(|&row| self.candidate(row).is_some_and(|c| c.action == keep))
        });
        self.list.cursor = at.unwrap_or(0);
    }

    /// The filter was typed into: rows are narrowed, and asked for anew where it names other nodes than before.
    pub(super) fn filtered(&mut self, episode: &mut Episode) {
        let (scene, text) = (&episode.setup().scene, self.filter.edit.text());
        let (named, verbs) = (named(scene, &text), verbs(scene, &text));
        if named == self.named && verbs == self.verbs {
            self.narrow();
            self.list.cursor = 0;
        } else {
            (self.named, self.verbs) = (named, verbs);
            self.ask(episode, None);
        }
    }

    /// Makes the rows from the candidates.
    pub(super) fn narrow(&mut self) {
        let text = self.filter.edit.text();
        let shown = |at: &usize| {
            let refused = self.all.get(*at).is_some_and(|c| c.refusal.is_some());
            self.refused || !refused
        };
        let mut order: Vec<usize> = (0..self.all.len()).filter(shown).collect();
        let refused = |at: usize| self.all.get(at).is_some_and(|c| c.refusal.is_some());
        match self.sort {
            // What would break a core rule gravely sinks below what is safe; it never goes.
            Sort::Best => order.sort_by_key(|&at| {
                let danger = self.all.get(at).and_then(|c| c.danger.as_ref());
                (refused(at), is_grave_danger(danger))
            }),
            Sort::Name => order.sort_by(|&a, &b| {
                let words = |at: usize| self.all.get(at).map(|c| c.words.as_str());
                (refused(a), words(a)).cmp(&(refused(b), words(b)))
            }),
            Sort::Near => {
                order.sort_by_key(|&at| (refused(at), self.all.get(at).is_some_and(|c| !c.near)));
            }
        }
        let mut ends = vec![(Row::Done, "done"), (Row::Avoid, "[avoid]")];
        if self.about.is_some() {
            ends.clear();
        }
        let mut rows = self.matching(&order, &text);
        if text.trim().is_empty() {
            rows.extend(ends.into_iter().map(|(row, _)| row));
        } else {
            let wanted = |name: &str| {
                text.split_whitespace()
                    .any(|word| name.contains(&word.to_lowercase()))
            };
            rows.extend(
                ends.into_iter()
                    .filter(|(_, n)| wanted(n))
                    .map(|(row, _)| row),
            );
        }
        self.rows = rows;
        self.list.clamp(self.rows.len());
    }

    /// Rows that hold all the words; where none does, those that begin with one of them: `put grab` means either.
    fn matching(&self, order: &[usize], text: &str) -> Vec<Row> {
        if text.trim().is_empty() {
            return order.iter().map(|&at| Row::Action(at)).collect();
        }
        let all = self.scored(order, text);
        if !all.is_empty() || !text.trim().contains(' ') {
            return all;
        }
        let (without, words): (Vec<&str>, Vec<&str>) = text
            .split_whitespace()
            .partition(|word| word.starts_with('!'));
        let rest = self.scored(order, &without.join(" "));
        rest.into_iter()
            .filter(|&row| {
                self.candidate(row).is_some_and(|c| {
                    words
                        .iter()
                        .any(|word| c.words.starts_with(&word.to_lowercase()))
                })
            })
            .collect()
    }

    fn scored(&self, order: &[usize], text: &str) -> Vec<Row> {
        let mut filter = Filter::new(text);
        let mut found: Vec<(bool, u32, usize)> = order
            .iter()
            .filter_map(|&at| {
                let c = self.all.get(at)?;
                let score = filter.score(&c.words, &|_| None)?;
                Some((c.refusal.is_some(), score, at))
            })
            .collect();
        // Stable: equal scores keep the order of the list.
        found.sort_by_key(|&(refused, score, _)| (refused, std::cmp::Reverse(score)));
        found.into_iter().map(|(.., at)| Row::Action(at)).collect()
    }
}

/// Letters a word must have to name an action or a node.
const LETTERS: usize = 3;

/// The actions a filter names: by their word or its beginning.
fn verbs(scene: &Scene, text: &str) -> Vec<u8> {
    let words: Vec<String> = text
        .split_whitespace()
        .filter(|word| word.chars().count() >= LETTERS)
        .map(str::to_lowercase)
        .collect();
    let actions = scene.dialect().actions.iter().zip(0..);
    actions
        .filter(|(def, _)| {
            let name = def.name.to_lowercase();
            words.iter().any(|word| name.starts_with(word))
        })
        .map(|(_, verb)| verb)
        .collect()
}

/// The nodes a filter names: by their short name, their class or its beginning.
fn named(scene: &Scene, text: &str) -> Vec<Ix> {
    let mut found = Vec::new();
    for word in text.split_whitespace().filter(|w| !w.starts_with('!')) {
        let word = word.to_lowercase();
        let is_action = scene
            .dialect()
            .actions
            .iter()
            .any(|a| a.name.to_lowercase() == word);
        if word.chars().count() < LETTERS || is_action {
            continue;
        }
        let fits: Vec<Ix> = scene
            .indices()
            .filter(|&ix| scene.short_name(ix).starts_with(&word))
            .take(NAMED + 1)
            .collect();
        if fits.len() <= NAMED {
            found.extend(fits);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
