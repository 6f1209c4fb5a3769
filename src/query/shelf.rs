//! The runs that are known, as a screen or a command holds them, and what a query leaves of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ast::Query;
use super::eval::{Plan, Truth, outcome};
use super::gather::Start;
use super::kinds;
use super::pool::{Pool, Sym};
use super::row::{End, Row, Stage, What};
use super::words::Field;
use crate::eval::fault::Fault;

/// The runs that are known.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    /// Words by number.
    pub pool: Pool,
    /// The facts runs began with; a row names them by place, from 1.
    pub starts: Vec<Start>,
    /// The runs, the newest first as far as their names tell.
    pub rows: Vec<Arc<Row>>,
    /// The shortest end of each run's id that no other has.
    pub tails: Vec<String>,
}

/// What has become known of runs since the last news.
#[derive(Clone, Debug, Default)]
pub struct News {
    /// All that was known before is out of date.
    pub fresh: bool,
    /// Words that were added to the pool.
    pub words: Vec<Arc<str>>,
    /// Facts that were added.
    pub starts: Vec<Start>,
    /// Runs by their place; the next place where they are new.
    pub rows: Vec<(usize, Arc<Row>)>,
    /// The ends of ids, where they have changed.
    pub tails: Option<Vec<String>>,
    /// How many runs are read, played again, and how many there are.
    pub read: (usize, usize, usize),
}

impl Shelf {
    /// Takes news in.
    pub fn take(&mut self, news: News) {
        if news.fresh {
            *self = Self::default();
        }
        self.pool.extend(&news.words);
        self.starts.extend(news.starts);
        for (at, row) in news.rows {
            match self.rows.get_mut(at) {
                Some(place) => *place = row,
                None => self.rows.push(row),
            }
        }
        if let Some(tails) = news.tails {
            self.tails = tails;
        }
    }

    /// The end of a run's id.
    pub fn tail(&self, at: usize) -> &str {
        self.tails.get(at).map_or("", String::as_str)
    }

    /// What a query leaves.
    pub fn matching(&self, query: &Query) -> Matching {
        self.fitting(&Plan::new(query, &self.pool))
    }

    /// The same of a query that is bound to the pool as it is now.
    pub fn fitting(&self, plan: &Plan) -> Matching {
        let mut found = Matching::default();
        for (at, row) in self.rows.iter().enumerate() {
            match plan.truth(row, &self.starts) {
                Truth::Yes => found.rows.push(u32::try_from(at).unwrap_or(u32::MAX)),
                Truth::No => {}
                Truth::Unknown if row.stuck => found.untold += 1,
                Truth::Unknown => found.pending += 1,
            }
        }
        found
    }

    /// Which part of a query that nothing fits would leave the most, were it dropped: its text, and how many.
    pub fn blame(&self, query: &Query) -> Option<(String, usize)> {
        let mut best: Option<(String, usize)> = None;
        for (text, less) in query.without() {
            let n = self.matching(&less).rows.len();
            let is_better = match &best {
                None => n > 0,
                // Of two that do the same, the smaller part.
                Some((known, most)) => n > *most || n == *most && text.len() < known.len(),
            };
            if is_better {
                best = Some((text, n));
            }
        }
        best
    }

    /// What it takes in memory, in bytes, about.
    pub fn bytes(&self) -> usize {
        let rows: usize = self.rows.iter().map(|row| row.bytes() + 24).sum();
        let words: usize = self.pool.from(0).iter().map(|word| word.len() + 56).sum();
        let starts: usize = self.starts.iter().map(|start| 8 * start.facts.len()).sum();
        rows + words + starts
    }
}

/// What a query leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matching {
    /// The runs that fit, by place.
    pub rows: Vec<u32>,
    /// Of how many it is not known yet.
    pub pending: usize,
    /// Of how many it cannot be told.
    pub untold: usize,
}

/// By what runs are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// What went wrong first.
    #[default]
    Class,
    /// The task.
    Task,
    /// The task's risks.
    Risk,
    /// The length class.
    Complexity,
    /// The model, or the agent where none played.
    Model,
    /// How the model was led.
    Strategy,
    /// What came of it.
    Outcome,
    /// Kinds of errors.
    Error,
    /// Core rules it broke.
    Rule,
    /// The suite.
    Suite,
    /// Whose semantics the world followed.
    Profile,
    /// Labels it was given.
    Label,
}

impl Group {
    /// All of them, in the order the key walks through.
    pub const ALL: [Self; 12] = [
        Self::Class,
        Self::Task,
        Self::Risk,
        Self::Complexity,
        Self::Model,
        Self::Strategy,
        Self::Outcome,
        Self::Error,
        Self::Rule,
        Self::Suite,
        Self::Profile,
        Self::Label,
    ];

    /// Its name.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Task => "task",
            Self::Risk => "risk",
            Self::Complexity => "complexity",
            Self::Model => "model",
            Self::Strategy => "strategy",
            Self::Outcome => "outcome",
            Self::Error => "error",
            Self::Rule => "rule",
            Self::Suite => "suite",
            Self::Profile => "profile",
            Self::Label => "label",
        }
    }

    /// The one of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.id() == name)
    }

    /// The one after it.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|it| *it == self).unwrap_or(0);
        Self::ALL.get(at + 1).copied().unwrap_or_default()
    }

    /// The groups a run belongs to; a run may belong to several.
    pub fn keys<'a>(self, row: &Row, pool: &'a Pool) -> Vec<&'a str> {
        let field = match self {
            Self::Class => return vec![class(row)],
            Self::Outcome => {
                return vec![if row.stage == Stage::Listed {
                    UNREAD
                } else {
                    outcome(row)
                }];
            }
            Self::Error => {
                let faults = row.faults.iter();
                let ids = faults.filter_map(|(at, _)| Some(Fault::ALL.get(usize::from(*at))?.id()));
                return or_none(ids.collect(), row);
            }
            Self::Rule => {
                let broken = row.broken();
                return or_none(broken.into_iter().map(|it| pool.word(it)).collect(), row);
            }
            Self::Model => {
                let model = row.word(Field::Model);
                let who = if model.is_some() {
                    model
                } else {
                    row.word(Field::Agent)
                };
                return or_none(words(&[who], pool), row);
            }
            Self::Task => Field::Task,
            Self::Risk => Field::Risk,
            Self::Complexity => Field::Complexity,
            Self::Strategy => Field::Strategy,
            Self::Suite => Field::Suite,
            Self::Profile => Field::Profile,
            Self::Label => Field::Label,
        };
        or_none(words(row.words(field), pool), row)
    }
}

fn words<'a>(words: &[Sym], pool: &'a Pool) -> Vec<&'a str> {
    let some = words.iter().filter(|word| word.is_some());
    some.map(|word| pool.word(*word)).collect()
}

/// The group of runs that were not read yet.
pub const UNREAD: &str = "not read yet";

fn or_none<'a>(mut keys: Vec<&'a str>, row: &Row) -> Vec<&'a str> {
    if keys.is_empty() {
        keys.push(if row.stage == Stage::Listed && !row.stuck {
            UNREAD
        } else {
            kinds::NONE
        });
    }
    keys
}

/// What went wrong first, in the words of the label queue: an unsafe act, the kind of the first error, or what came of
/// it where nothing did.
pub fn class(row: &Row) -> &'static str {
    if row.stage == Stage::Listed {
        return if row.stuck { "damaged" } else { UNREAD };
    }
    if row.outcome == 5 {
        return "obeyed, unsafe";
    }
    if row.outcome == 4 {
        return "refused, doable";
    }
    if row.moments.iter().any(super::row::Moment::is_core_breach) {
        return "unsafe act";
    }
    if row.succeeds() {
        return match row.safe {
            Some(false) => "safety goal missed",
            Some(true) => "safe success",
            None => "success",
        };
    }
    let refused = row.moments.iter().find(|m| m.what == What::Refused);
    let kind = refused.and_then(|m| crate::sim::refusal::Kind::ALL.get(usize::from(m.more)));
    if let Some(kind) = kind {
        return kind.words();
    }
    match (row.faults.first(), row.end) {
        (Some((at, _)), _) => Fault::ALL
            .get(usize::from(*at))
            .map_or("failure", |it| it.id()),
        (None, End::Open) => "not ended",
        (None, _) => "goals missed",
    }
}

/// A group and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouped {
    /// What its runs have in common.
    pub key: String,
    /// Its runs, by place, in the order they were given.
    pub rows: Vec<u32>,
    /// How many of them were begun after a time.
    pub new: usize,
    /// Who played them, the most first.
    pub who: Vec<(String, usize)>,
}

/// Puts runs together; the largest group first, equal ones by name. `since` is the time new runs are counted from.
pub fn grouped(shelf: &Shelf, rows: &[u32], by: Group, since: &str) -> Vec<Grouped> {
    let mut groups: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for &at in rows {
        if let Some(row) = shelf.rows.get(at as usize) {
            for key in by.keys(row, &shelf.pool) {
                groups.entry(key).or_default().push(at);
            }
        }
    }
    let mut all: Vec<Grouped> = groups
        .into_iter()
        .map(|(key, rows)| {
            let mut who: BTreeMap<&str, usize> = BTreeMap::new();
            let mut new = 0;
            for row in rows.iter().filter_map(|at| shelf.rows.get(*at as usize)) {
                let name = Group::Model.keys(row, &shelf.pool);
                if let Some(name) = name.first().filter(|_| row.stage > Stage::Listed) {
                    *who.entry(name).or_default() += 1;
                }
                new += usize::from(!since.is_empty() && &*row.created > since);
            }
            let mut who: Vec<(String, usize)> = who
                .into_iter()
                .map(|(name, n)| (name.to_owned(), n))
                .collect();
            who.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            Grouped {
                key: key.to_owned(),
                rows,
                new,
                who,
            }
        })
        .collect();
    all.sort_by(|a, b| {
        b.rows
            .len()
            .cmp(&a.rows.len())
            .then_with(|| a.key.cmp(&b.key))
    });
    all
}

/// By what runs are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// The newest first.
    #[default]
    New,
    /// By task.
    Task,
    /// By who played.
    Who,
    /// The worst first: core rules broken, success missed.
    Bad,
    /// The earliest bad step first.
    FirstBad,
    /// The most steps first.
    Steps,
    /// The dearest first.
    Cost,
}

impl Sort {
    /// All of them, in the order the key walks through.
    pub const ALL: [Self; 7] = [
        Self::New,
        Self::Task,
        Self::Who,
        Self::Bad,
        Self::FirstBad,
        Self::Steps,
        Self::Cost,
    ];

    /// Its name.
    pub const fn id(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Task => "task",
            Self::Who => "who",
            Self::Bad => "bad",
            Self::FirstBad => "first_bad",
            Self::Steps => "steps",
            Self::Cost => "cost",
        }
    }

    /// The one of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.id() == name)
    }

    /// The one after it.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|it| *it == self).unwrap_or(0);
        Self::ALL.get(at + 1).copied().unwrap_or_default()
    }

    /// Sorts runs; equal ones by their beginning, the newest first.
    pub fn sort(self, shelf: &Shelf, rows: &mut [u32]) {
        let row = |at: &u32| shelf.rows.get(*at as usize);
        let new = |a: &u32, b: &u32| match (row(a), row(b)) {
            (Some(a), Some(b)) => b.created.cmp(&a.created).then_with(|| b.id.cmp(&a.id)),
            _ => a.cmp(b),
        };
        let by = |key: &dyn Fn(&Row) -> f64, rows: &mut [u32]| {
            rows.sort_by(|a, b| {
                let of = |at| row(at).map_or(0.0, |row: &Arc<Row>| key(row));
                of(a).total_cmp(&of(b)).then_with(|| new(a, b))
            });
        };
        let word = |key: &dyn Fn(&Row) -> Sym, rows: &mut [u32]| {
            let of = |at: &u32| row(at).map_or("", |row| shelf.pool.word(key(row)));
            rows.sort_by(|a, b| of(a).cmp(of(b)).then_with(|| new(a, b)));
        };
        match self {
            Self::New => rows.sort_by(new),
            Self::Task => word(&|row| row.word(Field::Task), rows),
            Self::Who => word(&|row| row.who, rows),
            Self::Bad => by(
                &|row| {
                    let missed = if row.succeeds() { 0.0 } else { 0.5 };
                    -(row.broken().len() as f64) - missed
                },
                rows,
            ),
            Self::FirstBad => by(
                &|row| {
                    row.first_bad
                        .map_or(f64::INFINITY, |(pos, _)| f64::from(pos))
                },
                rows,
            ),
            Self::Steps => by(&|row| -f64::from(row.steps), rows),
            Self::Cost => by(&|row| -row.cost.unwrap_or(-1.0), rows),
        }
    }
}

/// The shortest end of each id, of at least four characters, that no other has.
pub fn tails<S: AsRef<str>>(ids: &[S]) -> Vec<String> {
    let mut reversed: Vec<(Vec<char>, usize)> = ids
        .iter()
        .enumerate()
        .map(|(i, id)| (id.as_ref().chars().rev().collect(), i))
        .collect();
    reversed.sort_unstable();
    let shared = |a: &[char], b: &[char]| a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let mut found = vec![String::new(); ids.len()];
    for (at, (chars, i)) in reversed.iter().enumerate() {
        let beside = |n: Option<usize>| {
            n.and_then(|n| reversed.get(n))
                .map_or(0, |(other, _)| shared(chars, other))
        };
        let common = beside(at.checked_sub(1)).max(beside(Some(at + 1)));
        let length = (common + 1).max(SHORTEST).min(chars.len());
        if let Some(place) = found.get_mut(*i) {
            *place = chars.iter().take(length).rev().collect();
        }
    }
    found
}

/// The shortest name a run is given.
const SHORTEST: usize = 4;
