//! The rows of the wall: their order, what a filter finds in them, their words.

use crate::app::fuzzy::Filter;
use crate::app::live::{self, Row, Status};
use crate::app::msg::Millis;
use crate::app::parts::warnings;
use crate::app::tables::{self, count, figure};
use crate::eval::table::{Cell, Table};
use crate::safety::verdict::Standing;

use super::Watch;

/// The fields of the filter.
pub const FIELDS: &[(&str, &str)] = &[
    ("state", "live, held, paused, hand, stalled or ended"),
    ("task", "the task, task:V022"),
    ("agent", "who plays"),
    ("rule", "the worst rule, rule:F05"),
];

/// A run with when its row came.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The row.
    pub row: Row,
    /// When it came.
    pub at: Millis,
}

/// A line of the wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A run, by its id.
    Run(String),
    /// So many runs that have ended, folded or above.
    Ended(usize),
}

impl Line {
    /// What tells it from all others.
    pub fn name(&self) -> String {
        match self {
            Self::Run(id) => id.clone(),
            Self::Ended(_) => String::new(),
        }
    }
}

/// By what the wall is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sort {
    /// What needs a person first, then the newest.
    #[default]
    Danger,
    /// By task.
    Task,
    /// By who plays.
    Agent,
    /// The longest silent first.
    Age,
    /// The dearest first.
    Cost,
}

impl Sort {
    const ALL: [Self; 5] = [Self::Danger, Self::Task, Self::Agent, Self::Age, Self::Cost];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Danger => "danger",
            Self::Task => "task",
            Self::Agent => "agent",
            Self::Age => "age",
            Self::Cost => "cost",
        }
    }

    /// The one of that word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sort| sort.word() == text)
    }

    /// The one after it.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self);
        let next = at.map_or(0, |at| (at + 1) % Self::ALL.len());
        Self::ALL.get(next).copied().unwrap_or_default()
    }
}

/// Whether a run has broken a rule that its worst row tells of.
fn is_broken(row: &Row) -> bool {
    let worst = row.worst.as_ref();
    row.status != Status::Held && worst.is_some_and(|w| w.standing == Standing::Violated)
}

/// What comes first where danger decides.
fn danger(row: &Row) -> (bool, u8) {
    let order = match row.status {
        Status::Held => 0,
        _ if is_broken(row) && row.status.lives() => 1,
        Status::Paused | Status::Hand => 2,
        Status::Stalled => 3,
        _ => 4,
    };
    (row.status == Status::Ended, order)
}

impl Watch {
    /// Takes a row in; whether it is worth the bell.
    pub(super) fn put(&mut self, row: Row, now: Millis, first: bool) -> bool {
        let id = row.id.clone();
        let before = self
            .runs
            .get(&id)
            .map(|seen| (seen.row.status, is_broken(&seen.row)));
        let (status, broken) = (row.status, is_broken(&row));
        let held = status == Status::Held && before.is_none_or(|(was, _)| was != Status::Held);
        let breaks = broken && status.lives() && before.is_some_and(|(_, was)| !was);
        let ends = |of: Status| status == of && before.is_some_and(|(was, _)| was != of);
        let known = self.order.iter().position(|known| *known == id);
        let place = danger(&row);
        self.runs.insert(id.clone(), Seen { row, at: now });
        if held || breaks {
            self.order.retain(|known| *known != id);
            self.order.insert(0, id);
        } else if known.is_none() {
            // In front of the first that comes after it; nothing else moves.
            let of = |other: &String| {
                self.runs.get(other).map(|seen| {
                    let row = &seen.row;
                    (danger(row), std::cmp::Reverse(row.created.clone()))
                })
            };
            let mine = of(&id);
            let after = |other: &String| match self.sort {
                Sort::Danger => of(other) > mine,
                _ => of(other).is_some_and(|(d, _)| d.0) && !place.0,
            };
            let at = self
                .order
                .iter()
                .position(after)
                .unwrap_or(self.order.len());
            self.order.insert(at, id);
        }
        !first && (held || breaks || ends(Status::Ended) || ends(Status::Stalled))
    }

    /// Sorts all runs anew.
    pub(super) fn resort(&mut self, now: Millis) {
        let mut order = std::mem::take(&mut self.order);
        let runs = &self.runs;
        order.sort_by_cached_key(|id| {
            let Some(seen) = runs.get(id) else {
                return (true, 0, String::new(), String::new());
            };
            let row = &seen.row;
            let (ended, weight) = danger(row);
            let newest = invert(&row.created);
            let (number, text) = match self.sort {
                Sort::Danger => (u64::from(weight), newest),
                Sort::Task => (0, row.task.clone()),
                Sort::Agent => (0, row.agent.clone()),
                Sort::Age => (u64::MAX - Self::age(seen, now), String::new()),
                Sort::Cost => (
                    // Costs are never negative, and so their bits sort as they do.
                    u64::MAX - row.cost.unwrap_or(0.0).to_bits(),
                    String::new(),
                ),
            };
            (ended, number, text, id.clone())
        });
        self.order = order;
    }

    /// The wall as a table: every run the filter leaves, folded ones too.
    pub(super) fn wall(&self) -> Table {
        let text = self.filter.edit.text();
        let mut filter = Filter::new(&text);
        let mut fits = |row: &Row| {
            let words = words(row);
            filter.score(&words, &|name| field(row, name)).is_some()
        };
        let rows = self.order.iter().filter_map(|id| self.runs.get(id));
        let rows = rows.map(|seen| &seen.row).filter(|row| fits(row));
        let rows = rows.map(cells).collect();
        let heads = [
            "run",
            "task",
            "agent",
            "begun",
            "stands",
            "#trial",
            "#step",
            "act",
            "#goals",
            "#of",
            "#safety",
            "#of",
            "rule",
            "#severity",
            "rule stands",
            "#tokens",
            "#tokens a second",
            "#cost in dollars",
            "hold",
            "fault",
        ];
        tables::table("wall", "Runs on the wall", &heads, rows)
    }

    /// Finds the lines anew and keeps the cursor on what it was on.
    pub(super) fn refresh(&mut self) {
        let text = self.filter.edit.text();
        let mut filter = Filter::new(&text);
        let mut fits = |row: &Row| {
            let words = words(row);
            filter.score(&words, &|name| field(row, name)).is_some()
        };
        let rows = self.order.iter().filter_map(|id| self.runs.get(id));
        let shown: Vec<&Row> = rows.map(|seen| &seen.row).filter(|row| fits(row)).collect();
        let line = |row: &&Row| Line::Run(row.id.clone());
        let is_over = |row: &&&Row| row.status == Status::Ended;
        let mut lines: Vec<Line> = shown.iter().filter(|r| !is_over(r)).map(line).collect();
        let ended = shown.iter().filter(is_over).count();
        if ended > 0 {
            // A few are no reason to fold, and whoever filters wants to see.
            let few = self.runs.len() <= FEW || !text.trim().is_empty();
            if few || self.unfolded {
                lines.extend(shown.iter().filter(is_over).map(line));
            } else {
                lines.push(Line::Ended(ended));
            }
        }
        self.lines = lines;
        match self.lines.iter().position(|line| line.name() == self.at) {
            Some(at) => self.list.cursor = at,
            None => self.list.clamp(self.lines.len()),
        }
        self.moved();
    }
}

fn cells(row: &Row) -> Vec<Cell> {
    let part = |part: Option<(usize, usize)>| match part {
        Some((n, of)) => [count(n), count(of)],
        None => [Cell::Empty, Cell::Empty],
    };
    let text = |text: &str| tables::words(text);
    let worst = row.worst.as_ref();
    let mut cells = vec![
        text(&row.id),
        text(&row.task),
        text(&row.agent),
        text(&row.created),
        text(row.status.word()),
        count(row.trial as usize),
        count(row.step as usize),
        text(&row.act),
    ];
    cells.extend(part(row.goals));
    cells.extend(part(Some(row.safety)));
    cells.extend([
        text(worst.map_or("", |w| w.rule.as_str())),
        worst.map_or(Cell::Empty, |w| count(usize::from(w.severity))),
        text(&worst.map_or_else(String::new, |w| warnings::word(w.standing))),
        Cell::Number(row.tokens as f64, 0),
        Cell::Number(row.rate, 1),
        figure(row.cost, 4),
        text(&row.hold),
        text(row.fault.as_deref().unwrap_or_default()),
    ]);
    cells
}

/// So many runs are shown without folding any.
const FEW: usize = 12;

/// A text that sorts the other way round.
fn invert(text: &str) -> String {
    let flip = |c: char| char::from_u32(0x7f - (u32::from(c) & 0x7f)).unwrap_or(c);
    text.chars().map(flip).collect()
}

/// What the letters of a filter are looked for in.
fn words(row: &Row) -> String {
    let rule = row.worst.as_ref().map_or("", |w| &w.rule);
    format!(
        "{} {} {} {} {}",
        row.task,
        row.agent,
        row.act,
        rule,
        row.status.word()
    )
}

fn field(row: &Row, name: &str) -> Option<String> {
    Some(match name {
        "state" => row.status.word().to_lowercase(),
        "task" => row.task.clone(),
        "agent" => row.agent.clone(),
        "rule" => row
            .worst
            .as_ref()
            .map_or_else(String::new, |w| w.rule.clone()),
        _ => return None,
    })
}

/// `t2 s3`, `s7`: where it stands.
pub fn step(row: &Row) -> String {
    if row.trial > 1 {
        format!("t{} s{}", row.trial, row.step)
    } else {
        format!("s{}", row.step)
    }
}

/// One line of the text form: words instead of signs.
pub fn plain_row(seen: &Seen, now: Millis) -> String {
    let row = &seen.row;
    let next = if row.ahead { "next" } else { "last" };
    let goals = match row.goals {
        Some((held, of)) => format!("goals {held}/{of}"),
        None => "to be refused".to_owned(),
    };
    let worst = row.worst.as_ref().map_or_else(String::new, |w| {
        let word = crate::app::parts::warnings::word(w.standing);
        let word = if row.status == Status::Held {
            "held".to_owned()
        } else {
            word
        };
        format!(", {} !{} {word}", w.rule, w.severity)
    });
    let fault = row
        .fault
        .as_ref()
        .map_or_else(String::new, |f| format!(", ! {f}"));
    format!(
        "{} {} {} {}, {next} {}, {goals}, safety {}/{}{worst}, {} tokens, $ {}, {} ago{fault}",
        row.status.word().to_lowercase(),
        row.task,
        row.agent,
        step(row),
        row.act,
        row.safety.0,
        row.safety.1,
        live::thousands(row.tokens),
        live::dollars(row.cost),
        live::ago(Watch::age(seen, now)),
    )
}
