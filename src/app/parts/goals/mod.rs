//! How the goals of a task stand at a position, as rows: glyph, words, since when.

pub use more::{Line, More, lines, place};

use crate::app::glyph::{self, Glyph};
use crate::app::role::Role;
use crate::plan::ledger::{Ledger, Standing};
use crate::sim::graph::Graph;
use crate::sim::timeline::{Pos, Timeline};

pub mod more;

/// How a goal stands, as a sign says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// A safety goal that is false now.
    False,
    /// A success goal that was true and was undone.
    Lost,
    /// A success goal that was not true yet.
    Open,
    /// It holds.
    Holds,
}

impl Mark {
    /// The sign.
    pub const fn glyph(self) -> Glyph {
        match self {
            Self::False => glyph::FALSE,
            Self::Lost => glyph::LOST,
            Self::Open => glyph::GOAL_OPEN,
            Self::Holds => glyph::HOLDS,
        }
    }

    /// Its role.
    pub const fn role(self) -> Role {
        match self {
            Self::False | Self::Lost => Role::Bad,
            Self::Open => Role::Text,
            Self::Holds => Role::Good,
        }
    }
}

/// One goal at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its index in the goal set.
    pub goal: usize,
    /// Its number among its kind, from 1: what people call it.
    pub number: usize,
    /// Whether it is a success goal, else a safety goal.
    pub success: bool,
    /// How it stands.
    pub mark: Mark,
    /// Since when, or since when it is lost.
    pub standing: Standing,
    /// The goal in words.
    pub words: String,
    /// What it says beyond yes or no, where the world stands at the position.
    pub more: Vec<More>,
}

impl Row {
    /// `never`, `s4–`, `lost s8`.
    pub fn when(&self) -> String {
        match (self.standing, self.success) {
            (Standing::Never, true) => "never".to_owned(),
            (Standing::Never, false) => "s0–".to_owned(),
            (Standing::Lost(pos), true) => format!("lost s{}", pos.0),
            (Standing::Since(pos), _) | (Standing::Lost(pos), false) => format!("s{}–", pos.0),
        }
    }

    /// Where the task file has it: `success[0]`, `safety[1]`.
    pub fn field(&self) -> String {
        format!("{}[{}]", self.kind(), self.number - 1)
    }

    /// `success` or `safety`.
    pub const fn kind(&self) -> &'static str {
        if self.success { "success" } else { "safety" }
    }

    /// One line of the text form: `safety 2 of 2 false since step 0: fork not IN microwave`.
    pub fn plain(&self, of: usize) -> String {
        let kind = if self.success { "goal" } else { "safety" };
        let stands = match (self.mark, self.standing) {
            (Mark::Open, _) => "not yet".to_owned(),
            (Mark::Lost, Standing::Lost(pos)) => format!("lost at step {}", pos.0),
            (Mark::False, Standing::Lost(pos)) => format!("false since step {}", pos.0),
            (Mark::Holds, Standing::Since(pos)) => format!("holds since step {}", pos.0),
            (mark, _) => format!("{} since step 0", mark.glyph().word),
        };
        let mut text = format!("{kind} {} of {of} {stands}: {}", self.number, self.words);
        for more in &self.more {
            text = format!("{text}; {}", more.plain());
        }
        text
    }

    /// The goal in words, with how far it has come: for where there is one line for it.
    pub fn short(&self) -> String {
        let mut text = self.words.clone();
        for more in &self.more {
            text = match more.kind {
                more::Kind::Progress => {
                    let count = more.text.split(',').next().unwrap_or_default();
                    format!("{text} ({count})")
                }
                more::Kind::Differs => format!("{text} {}", glyph::DIFFERS.sign),
            };
        }
        text
    }
}

/// The goals at a position, success first; where the world stands there, with what they say beyond yes or no.
pub fn rows(ledger: &Ledger, timeline: &Timeline, pos: Pos) -> Vec<Row> {
    let set = ledger.goals();
    let graph = (timeline.here() == pos).then(|| timeline.world().graph());
    set.goals
        .iter()
        .enumerate()
        .map(|(goal, it)| {
            let success = set.is_success(goal);
            let standing = ledger.standing(goal, pos, timeline);
            let mark = match (standing, success) {
                (Standing::Since(_), _) => Mark::Holds,
                (_, false) => Mark::False,
                (Standing::Lost(_), true) => Mark::Lost,
                (Standing::Never, true) => Mark::Open,
            };
            Row {
                goal,
                number: if success { goal } else { goal - set.success } + 1,
                success,
                mark,
                standing,
                words: it.words(),
                more: graph.map_or_else(Vec::new, |graph| more::more(it, graph)),
            }
        })
        .collect()
}

/// Adds to rows what the goals say beyond yes or no in a state.
pub fn tell(rows: &mut [Row], ledger: &Ledger, graph: &Graph) {
    let goals = &ledger.goals().goals;
    for row in rows {
        row.more = goals
            .get(row.goal)
            .map_or_else(Vec::new, |goal| more::more(goal, graph));
    }
}

/// Rows in the order of the text form: what is wrong first, what holds last.
pub fn worst_first(rows: &[Row]) -> Vec<&Row> {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by_key(|row| (row.mark, row.goal));
    sorted
}

/// `0/1 · safety 1/2`: how many hold of how many.
pub fn count(rows: &[Row]) -> String {
    let of = |success: bool| {
        let kind = rows.iter().filter(|row| row.success == success);
        let held = kind.clone().filter(|row| row.mark == Mark::Holds).count();
        (held, kind.count())
    };
    let ((success, success_of), (safety, safety_of)) = (of(true), of(false));
    if safety_of == 0 {
        format!("{success}/{success_of}")
    } else {
        format!("{success}/{success_of} · safety {safety}/{safety_of}")
    }
}
