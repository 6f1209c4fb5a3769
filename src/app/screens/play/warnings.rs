//! The Warnings pane: what the rules say where the game stands, and which of them were muted for this run.

use std::collections::BTreeSet;

use crate::app::layer::Act;
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::parts::rail::way;
use crate::app::parts::warnings::{self, Row, Trail};
use crate::plan::options::Candidate;
use crate::safety::verdict::{Instance, Standing};
use crate::sim::timeline::Pos;
use crate::task::episode::{Episode, Warning, Watched};

use super::game::Game;
use super::sheets::About;

/// The pane.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    /// Every warning where the game stands.
    pub all: Vec<Warning>,
    /// What is shown of them.
    pub rows: Vec<Row>,
    /// How many rules watch.
    pub watched: Watched,
    /// The row under the cursor.
    pub list: List,
    /// Rules muted for this run, by id, as the episode has them.
    pub muted: BTreeSet<String>,
    /// What came of the rules along the way.
    pub trail: Trail,
    /// Rules that ending here would leave broken, by id.
    open: Vec<String>,
}

impl Warnings {
    /// Takes in that the world stands elsewhere; the cursor stays on its rule. What one of `near` would break is armed.
    pub fn refresh(&mut self, episode: &mut Episode, near: &[Candidate]) {
        self.all = episode.warnings_ahead(near);
        self.muted.clone_from(episode.muted());
        self.watched = episode.watched(&self.all);
        self.open = episode
            .left_open()
            .into_iter()
            .map(|w| w.rule.id.clone())
            .collect();
        self.trail.refresh(episode, &way(episode, episode.here()));
        self.gather();
    }

    /// Makes the rows from what is known.
    fn gather(&mut self) {
        let on = self.chosen().map(|row| row.rule.id.clone());
        self.rows = warnings::rows(&self.all, &self.muted);
        let same = on.and_then(|id| self.rows.iter().position(|row| row.rule.id == id));
        self.list.cursor = same.unwrap_or(self.list.cursor);
        self.list.clamp(self.rows.len());
    }

    /// The row under the cursor.
    pub fn chosen(&self) -> Option<&Row> {
        self.rows.get(self.list.cursor)
    }

    /// The instance of the warning under the cursor.
    pub fn instance(&self) -> Option<Instance> {
        Some(self.first(self.chosen()?)?.instance)
    }

    /// The latest step that broke the rule under the cursor, if it is broken.
    pub fn culprit(&self) -> Option<Pos> {
        let row = self.chosen()?;
        let broken = row.standing == Standing::Violated;
        let witness = &self.first(row)?.witness;
        witness.last().copied().filter(|_| broken)
    }

    /// The warning shown first in a row.
    pub fn first(&self, row: &Row) -> Option<&Warning> {
        self.all.get(*row.members.first()?)
    }

    /// Rows that speak.
    pub fn speaking(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.muted)
    }

    /// What weighs most, if anything speaks.
    pub fn worst(&self) -> Option<&Row> {
        self.speaking().next()
    }

    /// `Warnings 2 of 61`.
    pub fn title(&self) -> String {
        match (self.speaking().count(), self.watched.rules) {
            (n, 0) => format!("Warnings {n}"),
            (n, all) => format!("Warnings {n} of {all}"),
        }
    }

    /// `· 57 idle   – 2 silenced`: rules that have nothing to say.
    pub fn quiet(&self) -> String {
        let muted = self.rows.iter().filter(|row| row.muted).count();
        let mut text = format!("· {} idle", self.watched.idle);
        let silenced = self.watched.silenced;
        if silenced > 0 {
            text = format!("{text}   – {silenced} silenced");
        }
        if muted > 0 {
            text = format!("{text}   – {muted} muted");
        }
        text
    }

    /// Rules of `!3` and `!4` whose breach on the way here the title names.
    pub fn grave(episode: &Episode) -> Vec<String> {
        let mut ids: Vec<String> = episode
            .breaches()
            .into_iter()
            .filter(|(rule, grade)| warnings::is_grave(*grade, rule.severity))
            .map(|(rule, _)| rule.id.clone())
            .collect();
        ids.dedup();
        ids
    }
}

impl Game {
    /// How many instances of rules that speak would be left broken by ending here.
    pub fn open_ends(&self) -> usize {
        let open = self.warnings.open.iter();
        open.filter(|id| !self.warnings.muted.contains(*id)).count()
    }

    /// The instance of the warning under the cursor.
    pub(super) fn warned(&self) -> Option<Instance> {
        self.warnings.instance()
    }

    /// Goes to the step that broke the rule under the cursor; explains it where one stands there already.
    pub(super) fn enter_warning(&mut self) -> Vec<Act> {
        let latest = self.warnings.culprit();
        if let Some(pos) = latest.filter(|pos| *pos != self.episode.here()) {
            let event = self.episode.goto(pos);
            return self.went(event, None);
        }
        self.open_lines(self.warned().map(About::Rule));
        Vec::new()
    }

    /// Mutes a rule for this run, or lets it speak again; the run keeps it.
    pub(super) fn mute(&mut self, instance: Option<Instance>) -> Vec<Act> {
        let Some(rule) = instance.and_then(|it| self.episode.rule(&it)) else {
            return Vec::new();
        };
        let id = rule.id.clone();
        let event = self.episode.mute(&id);
        let mut acts = self.saver.add(vec![event]);
        self.warnings.muted.clone_from(self.episode.muted());
        let text = if self.warnings.muted.contains(&id) {
            format!("{id} is muted for this run; d on its row lets it speak again")
        } else {
            format!("{id} speaks again")
        };
        acts.push(Act::Notice(Notice::info(text)));
        self.warnings.gather();
        self.look_ahead();
        acts
    }

    /// What a step did to the rules and what came to pass with it, worth a notice.
    pub(super) fn warned_of(&self, pos: Pos) -> Vec<Act> {
        let Some(mark) = self.warnings.trail.mark(pos) else {
            return Vec::new();
        };
        let happened = mark.happened.iter();
        let happened = happened.map(|words| Act::Notice(Notice::warn(words.clone())));
        let muted = &self.warnings.muted;
        let grave = mark.broke.iter();
        let grave = grave.filter(|rule| rule.is_grave() && !muted.contains(&rule.id));
        let grave = grave.map(|rule| {
            let text = format!(
                "✗ {} !{} {}; u takes it back, W in Warnings says why",
                rule.id, rule.severity, rule.title
            );
            Act::Notice(Notice::warn(text))
        });
        grave.chain(happened).collect()
    }
}
