//! What the panes say: the rows in one column, the items of the state pane, steps in the view that was chosen.

use crate::app::compare::state::{About, Line};
use crate::app::compare::words::Cell;
use crate::app::compare::{Compared, saved};
use crate::app::role::Role;
use crate::compare::lane::Names;
use crate::compare::table::Relation;
use crate::task::episode::{Body, Event};

use super::{Compare, View};

/// A line where both runs share one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Merged {
    /// The row of the table.
    pub row: u32,
    /// The lane it tells of; `None` where both did the same.
    pub lane: Option<usize>,
}

/// The rows of a pair in one column: one line where both did the same, else one each.
pub(super) fn merged(all: &Compared, shown: &[u32], pair: (usize, usize)) -> Vec<Merged> {
    let mut lines = Vec::with_capacity(shown.len());
    for &row in shown {
        let one = |lane| Merged { row, lane };
        match all.table.relation(row as usize, pair) {
            Relation::Neither => {}
            Relation::Equal | Relation::SameAct => lines.push(one(None)),
            Relation::OnlyFirst => lines.push(one(Some(pair.0))),
            Relation::OnlySecond => lines.push(one(Some(pair.1))),
            Relation::Met | Relation::Differs => {
                lines.push(one(Some(pair.0)));
                lines.push(one(Some(pair.1)));
            }
        }
    }
    lines
}

/// An item of the state pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// In this the two differ.
    Apart(&'static str, Line),
    /// Something else, with its role.
    Words(String, Role),
}

impl Item {
    /// What it is about.
    pub const fn about(&self) -> &About {
        match self {
            Self::Apart(_, line) => &line.about,
            Self::Words(..) => &About::Nothing,
        }
    }

    /// As text.
    pub fn text(&self) -> String {
        match self {
            Self::Apart(_, it) => format!("{} {} | {}", it.subject, it.a, it.b),
            Self::Words(words, _) => words.clone(),
        }
    }
}

impl Compare {
    /// The items of the state pane.
    pub fn items(&self) -> Vec<Item> {
        let Some(all) = self.done() else {
            return Vec::new();
        };
        let told = &self.apart;
        let mut items = Vec::new();
        if !told.why.is_empty() {
            items.push(Item::Words(told.why.clone(), Role::Refused));
        }
        let apart = |sign| move |line: &Line| Item::Apart(sign, line.clone());
        items.extend(told.facts.iter().map(apart("~")));
        items.extend(told.rules.iter().map(apart("")));
        items.extend(told.goals.iter().map(apart("")));
        if items.is_empty() && all.names == Names::Exact && self.row().is_some() {
            items.push(Item::Words("the same state".to_owned(), Role::Dim));
        }
        if told.quiet > 0 {
            let facts = if told.quiet == 1 { "fact" } else { "facts" };
            let words = format!("and {} {facts} of who faces what", told.quiet);
            items.push(Item::Words(words, Role::Dim));
        }
        let (x, y) = self.pair;
        for (lane, other) in [(x, y), (y, x)] {
            let (ours, theirs) = (broken(all, lane), broken(all, other));
            let only: Vec<&String> = ours
                .iter()
                .filter(|b| !theirs.iter().any(|t| id(t) == id(b)))
                .collect();
            if !only.is_empty() {
                let only: Vec<&str> = only.into_iter().map(String::as_str).collect();
                let letter = Compared::letter(lane);
                items.push(Item::Words(
                    format!("only {letter} {}", only.join(" ")),
                    Role::Bad,
                ));
            }
        }
        for (lane, told) in &all.saved {
            let letter = Compared::letter(*lane);
            items.push(Item::Words(
                format!("repair {letter}  {}", told.short),
                told.role,
            ));
            let changes = told.lines.iter();
            items.extend(changes.map(|line| Item::Words(format!("  {line}"), Role::Add)));
        }
        if let Some((lane, done, of)) = self.saving {
            let letter = Compared::letter(lane);
            let share = (done * 100).checked_div(of).unwrap_or(0).min(100);
            let words = format!("repair {letter}  looking … {share} %  (r stops)");
            items.push(Item::Words(words, Role::Pending));
        } else if self.wants_repair(all) {
            let letter = Compared::letter(self.lane());
            let words = format!("repair {letter}  r looks for it");
            items.push(Item::Words(words, Role::Dim));
        }
        items
    }

    /// Whether the focused lane's run went wrong and nothing was looked for yet.
    fn wants_repair(&self, all: &Compared) -> bool {
        let lane = self.lane();
        let judged = all.sides.get(lane).and_then(|s| s.loaded.judged.as_ref());
        let wrong = judged.is_some_and(|j| j.judged && !(j.succeeds() && j.safe));
        wrong && !all.saved.contains_key(&lane)
    }

    /// A step of a lane in a row, told as the view wants it.
    pub fn cell(&self, row: usize, lane: usize) -> Option<Cell> {
        let all = self.done()?;
        let cell = all.cell(row, lane, self.pair)?;
        if self.view == View::Action {
            return Some(cell);
        }
        let side = all.sides.get(lane)?;
        let beat = all.table.row(row)?.beat(lane)?;
        let event = side.loaded.event(side.row(beat)?)?;
        let words = match self.view {
            View::Hash => event.hash.to_string(),
            View::Text => facts(event, &|_| true).unwrap_or(cell.words),
            _ => {
                let quiet = quiet(all, lane);
                let keep = |fact: &str| !quiet.iter().any(|rel| fact.contains(rel.as_str()));
                facts(event, &keep).unwrap_or(cell.words)
            }
        };
        Some(Cell {
            words,
            did: Vec::new(),
            ..cell
        })
    }

    /// The heading of the state pane.
    pub fn state_title(&self) -> String {
        let (Some(all), Some(row)) = (self.done(), self.row()) else {
            return "State".to_owned();
        };
        let (x, y) = self.pair;
        let sign = match all.table.relation(row, self.pair) {
            Relation::Met => "><",
            _ if all.is_same_state(row, self.pair) => "=",
            _ => "≠",
        };
        let (here, there) = (all.pos(row, x), all.pos(row, y));
        if (x, y) == (0, 1) && here == there {
            format!("State at {sign} s{here}")
        } else {
            let (one, other) = (Compared::letter(x), Compared::letter(y));
            format!("State {one} s{here} {sign} {other} s{there}")
        }
    }

    /// What is said of a lane's repair, for its column.
    pub fn repaired(&self, lane: usize) -> Option<&saved::Told> {
        self.done()?.saved.get(&lane)
    }
}

/// The id of `✗F05 s8`.
fn id(broken: &str) -> &str {
    broken.split(' ').next().unwrap_or_default()
}

/// The core rules a lane's run broke, each with the step that did first: `✗F05 s8`.
fn broken(all: &Compared, lane: usize) -> Vec<String> {
    let Some(side) = all.sides.get(lane) else {
        return Vec::new();
    };
    let mut found: Vec<String> = Vec::new();
    for row in side.loaded.rows.iter().filter(|row| row.broke > 0) {
        let Some(mark) = side.loaded.mark(row) else {
            continue;
        };
        for rule in &mark.broke {
            let words = format!("✗{} s{}", rule.id, row.pos);
            if !found.iter().any(|known| id(known) == id(&words)) {
                found.push(words);
            }
        }
    }
    found
}

/// Words of relations that nobody acts on, as recorded facts have them.
fn quiet(all: &Compared, lane: usize) -> Vec<String> {
    let there = all.sides.get(lane).and_then(|s| s.loaded.there.as_ref());
    let Some(there) = there else {
        return Vec::new();
    };
    let dialect = there.world().dialect();
    let glances = dialect.reading.glances.iter().copied();
    let quiet = glances.chain([dialect.near]);
    quiet
        .map(|rel| format!(" {} ", dialect.rel_name(rel)))
        .collect()
}

/// The recorded facts of a step; `None` for what is no step.
fn facts(event: &Event, keep: &dyn Fn(&str) -> bool) -> Option<String> {
    let Body::Step { diff, .. } = &event.body else {
        return None;
    };
    let all: Vec<&str> = diff
        .iter()
        .map(String::as_str)
        .filter(|f| keep(f))
        .collect();
    Some(if all.is_empty() {
        "nothing".to_owned()
    } else {
        all.join("  ")
    })
}
