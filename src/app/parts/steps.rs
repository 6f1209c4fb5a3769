//! A recorded run as a list of steps: the path to one of its ends, with what was refused, said and left aside on the way.
//!
//! Everything here is read from the record alone, so a run whose scene is lost can still be looked through. Positions
//! are numbered as they were recorded: `s4` is the fourth step ever done.

use std::collections::BTreeSet;

use crate::app::glyph::{self, Glyph};
use crate::app::role::Role;
use crate::formats::run::{Note, NoteBody};
use crate::sim::refusal::Kind;
pub use crate::task::episode::record::{Events, Record};
use crate::task::episode::{Body, Event, MAIN, avoided};

/// What a row tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The state the run began in.
    Start,
    /// A step that was done.
    Step,
    /// An attempt that was refused.
    Refused,
    /// The player called it done or refused the instruction.
    Ended,
    /// Something was said.
    Remark,
    /// Another branch leaves here; this is its first position.
    Branch(u32),
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it tells.
    pub what: What,
    /// The position the world stands at there.
    pub pos: u32,
    /// The event it is about.
    pub seq: u32,
    /// Goals that became true with it.
    pub gained: u16,
    /// Goals that were true before it and are not any more.
    pub lost: u16,
    /// How many of both are safety goals: gained, lost.
    pub safety: (u16, u16),
    /// Whether a note speaks of it.
    pub noted: bool,
    /// Whether the world says something else than the record.
    pub differs: bool,
    /// Core rules it broke.
    pub broke: u16,
    /// Advice it went against.
    pub warned: u16,
    /// What came to pass by itself with it.
    pub happened: u16,
    /// What it told the agent that the world denies.
    pub denied: u16,
    /// Claims of a critic that speak of it.
    pub claimed: u16,
}

impl Row {
    /// Whether it tells of its own event, and does not stand at that of another.
    pub const fn is_own(&self) -> bool {
        !matches!(self.what, What::Branch(_))
    }

    /// Whether nothing about it is worth a row of its own where rows are folded: a step that broke, changed and lost
    /// nothing anybody asked for, or something said.
    pub const fn is_plain(&self) -> bool {
        matches!(self.what, What::Step | What::Remark)
            && self.gained == 0
            && self.lost == 0
            && self.broke == 0
            && self.warned == 0
            && self.happened == 0
            && self.denied == 0
            && !self.noted
            && !self.differs
    }
}

/// The kinds of row that can be walked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// A step that broke a core rule.
    Violation,
    /// A step that went against advice.
    Warning,
    /// A step that changed a goal.
    Goal,
    /// A refused attempt.
    Refusal,
    /// A branch that leaves.
    Branch,
    /// A step a note speaks of.
    Note,
    /// A step at which the world says something else than the record.
    Divergence,
    /// Something told to the agent that the world denies.
    Denied,
    /// A step with which something came to pass by itself.
    Event,
    /// A step that a critic speaks of.
    Claim,
}

impl Walk {
    /// The kind of that name, as commands write it.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "violation" => Self::Violation,
            "warning" => Self::Warning,
            "goal" => Self::Goal,
            "refusal" => Self::Refusal,
            "branch" => Self::Branch,
            "note" => Self::Note,
            "divergence" => Self::Divergence,
            "denied" => Self::Denied,
            "event" => Self::Event,
            "claim" => Self::Claim,
            _ => return None,
        })
    }

    /// What it walks to, for messages.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Violation => "violation",
            Self::Warning => "warning",
            Self::Goal => "goal change",
            Self::Refusal => "refusal",
            Self::Branch => "branch point",
            Self::Note => "note",
            Self::Divergence => "divergence",
            Self::Denied => "observation denied",
            Self::Event => "event",
            Self::Claim => "claim of a critic",
        }
    }

    /// Whether a row is of this kind.
    pub const fn fits(self, row: &Row) -> bool {
        match self {
            Self::Violation => row.broke > 0,
            Self::Warning => row.warned > 0,
            Self::Goal => row.gained > 0 || row.lost > 0,
            Self::Refusal => matches!(row.what, What::Refused),
            Self::Branch => matches!(row.what, What::Branch(_)),
            Self::Note => row.noted,
            Self::Divergence => row.differs,
            Self::Denied => row.denied > 0,
            Self::Event => row.happened > 0,
            Self::Claim => row.claimed > 0,
        }
    }
}

/// What rows are made from beside the record.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// The events of the record.
    pub events: Events<'a>,
    /// What was said about the run.
    pub notes: &'a [Note],
    /// Events that differ from the world.
    pub differ: &'a BTreeSet<u32>,
    /// How many of the goals are success goals; the safety goals follow them. `None` where that is lost.
    pub success: Option<usize>,
}

/// The rows of the path to a position.
pub fn rows(record: &Record, from: Sources<'_>, tip: u32) -> Vec<Row> {
    let noted = noted(from.notes);
    let path = record.path(tip);
    let mut rows = Vec::with_capacity(path.len());
    let mut before: &[u32] = &[];
    for (at, &pos) in path.iter().enumerate() {
        let Some(node) = record.node(pos) else {
            continue;
        };
        let event = from.events.get(node.seq);
        let goals = event.and_then(|event| event.body.goals()).unwrap_or(&[]);
        let count = |have: &[u32], lack: &[u32]| {
            let n = have.iter().filter(|goal| !lack.contains(goal)).count();
            u16::try_from(n).unwrap_or(u16::MAX)
        };
        // What was so before the window is not known.
        let is_first = node.parent.is_none();
        let is_start = is_first && pos == 0;
        let row = |what, seq| Row {
            what,
            pos,
            seq,
            gained: 0,
            lost: 0,
            safety: (0, 0),
            noted: false,
            differs: from.differ.contains(&seq),
            broke: 0,
            warned: 0,
            happened: 0,
            denied: 0,
            claimed: 0,
        };
        rows.push(Row {
            gained: if is_first { 0 } else { count(goals, before) },
            lost: if is_first { 0 } else { count(before, goals) },
            safety: if is_first {
                (0, 0)
            } else {
                let safety = |goals: &[u32]| -> Vec<u32> {
                    let first = from.success.unwrap_or(usize::MAX);
                    let goals = goals.iter().copied();
                    goals.filter(|goal| *goal as usize >= first).collect()
                };
                let (now, then) = (safety(goals), safety(before));
                (count(&now, &then), count(&then, &now))
            },
            noted: noted.contains(&node.seq),
            ..row(if is_start { What::Start } else { What::Step }, node.seq)
        });
        before = goals;
        rows.extend(node.at.iter().filter_map(|&seq| {
            let what = match from.events.get(seq)?.body {
                Body::Refused { .. } => What::Refused,
                Body::Done { .. } | Body::Avoid { .. } | Body::Stopped { .. } => What::Ended,
                _ => What::Remark,
            };
            Some(row(what, seq))
        }));
        let next = path.get(at + 1);
        let aside = node.children.iter().filter(|child| Some(*child) != next);
        rows.extend(aside.map(|&child| Row {
            differs: false,
            ..row(What::Branch(child), node.seq)
        }));
    }
    rows
}

/// The events that notes speak of.
fn noted(notes: &[Note]) -> BTreeSet<u32> {
    let about = notes.iter().filter_map(|note| match &note.body {
        NoteBody::Comment { at, .. } => *at,
        NoteBody::Verdict(verdict) => verdict.witness.as_ref().map(|witness| witness.at),
        NoteBody::Label(label) => label.cause.or(label.first),
        NoteBody::Other(_) => None,
    });
    about.collect()
}

/// The row a run is opened at: where the world first differs from the record, else the first step that broke a rule,
/// else the one that lost a goal for good, else the first refusal, else the last step.
pub fn first_bad(rows: &[Row], events: Events<'_>) -> usize {
    let at = |fits: &dyn Fn(&Row) -> bool| rows.iter().position(fits);
    let last = rows
        .iter()
        .rposition(|row| matches!(row.what, What::Step | What::Start))
        .unwrap_or(0);
    at(&|row| row.differs)
        .or_else(|| at(&|row| Walk::Violation.fits(row)))
        .or_else(|| lost_for_good(rows, events))
        .or_else(|| at(&|row| Walk::Refusal.fits(row)))
        .unwrap_or(last)
}

/// The first row that loses a goal which is not true again at the end.
fn lost_for_good(rows: &[Row], events: Events<'_>) -> Option<usize> {
    let goals = |row: &Row| {
        let event = events.get(row.seq);
        event.and_then(|event| event.body.goals())
    };
    let end = rows.iter().rev().find_map(goals)?;
    let mut before: &[u32] = &[];
    for (at, row) in rows.iter().enumerate() {
        let Some(now) = goals(row) else { continue };
        let is_gone = |goal: &&u32| !now.contains(goal) && !end.contains(goal);
        if before.iter().any(|goal| is_gone(&goal)) {
            return Some(at);
        }
        before = now;
    }
    None
}

/// The sign before a row and its role.
pub fn mark(row: &Row, event: Option<&Event>) -> Option<(Glyph, Role)> {
    Some(match row.what {
        _ if row.differs || row.denied > 0 => (glyph::DIFFERS, Role::Bad),
        What::Refused => (glyph::FALSE, Role::Refused),
        What::Branch(_) => (glyph::BRANCH, Role::Text),
        What::Ended if row.broke > 0 => (glyph::FALSE, Role::Bad),
        What::Ended => match event.map(|event| &event.body) {
            Some(Body::Done { score }) if score.succeeds() && score.safe() => {
                (glyph::HOLDS, Role::Good)
            }
            _ => (glyph::ENDED, Role::Text),
        },
        _ if row.broke > 0 || row.safety.1 > 0 => (glyph::FALSE, Role::Bad),
        _ if row.lost > 0 => (glyph::LOST, Role::Bad),
        _ if row.gained > 0 => (glyph::HOLDS, Role::Good),
        _ if row.warned > 0 => (glyph::ARMED, Role::Armed),
        _ if row.happened > 0 => (glyph::HAPPENED, Role::Change),
        _ if row.noted => (glyph::NOTE, Role::Text),
        _ => return None,
    })
}

/// Characters of something said that a row keeps; no terminal shows more.
const ROW: usize = 400;

/// The beginning of a text, and how much more there is.
pub fn beginning(text: &str, chars: usize) -> String {
    let mut rest = text.chars();
    let head: String = rest.by_ref().take(chars).collect();
    match rest.count() {
        0 => head,
        more => format!("{head}… {more} more characters"),
    }
}

/// A row in words: its name (`s8`, nothing for what happened between steps), and what happened. `say` writes an action
/// as the screens do.
pub fn words(row: &Row, event: Option<&Event>, say: &dyn Fn(&str) -> String) -> (String, String) {
    let name = format!("s{}", row.pos);
    let Some(event) = event else {
        return (name, String::new());
    };
    match (&row.what, &event.body) {
        (What::Branch(first), _) => (String::new(), format!("another branch, s{first}")),
        (_, Body::Start { .. }) => (name, "start".to_owned()),
        (_, Body::Step { action, .. }) => (name, say(&beginning(action, ROW))),
        (_, Body::Refused { action, .. }) => (String::new(), say(&beginning(action, ROW))),
        (_, Body::Done { score }) => {
            let mut text = format!("done, goals {}/{}", score.success, score.success_of);
            if score.safety_of > 0 {
                text = format!("{text} · safety {}/{}", score.safety, score.safety_of);
            }
            (String::new(), text)
        }
        (_, Body::Avoid { reason }) => (String::new(), avoided(&beginning(reason, ROW))),
        (_, Body::Stopped { text, .. }) => {
            (String::new(), format!("stopped: {}", beginning(text, ROW)))
        }
        (_, Body::Remark(said)) => {
            let by = if said.by.is_empty() { "" } else { " " };
            let text = beginning(&said.text, ROW);
            let words = format!("{}{by}{}: “{text}”", said.kind.id(), said.by);
            (String::new(), words)
        }
        (_, Body::Goto { .. } | Body::Branch) => (String::new(), String::new()),
    }
}

/// What stands at the right end of a row: the refusal's letter, goals gained and lost.
pub fn tail(row: &Row, event: Option<&Event>) -> String {
    if let (What::Refused, Some(Body::Refused { refusal, .. })) =
        (row.what, event.map(|event| &event.body))
    {
        return Kind::parse(refusal).map_or('?', Kind::letter).to_string();
    }
    let told = |gained: u16, lost: u16, one: &str, many: &str| match (gained, lost) {
        (0, 0) => String::new(),
        (n, 0) => format!("+{n} {}", if n == 1 { one } else { many }),
        (0, n) => format!("-{n} {}", if n == 1 { one } else { many }),
        (n, m) => format!("+{n} -{m} {many}"),
    };
    let (gained, lost) = row.safety;
    let own = (
        row.gained.saturating_sub(gained),
        row.lost.saturating_sub(lost),
    );
    let parts = [
        told(own.0, own.1, "goal", "goals"),
        told(gained, lost, "safety", "safety"),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|p| !p.is_empty()).collect();
    parts.join(" ")
}

/// The name of the branch that a position is on.
pub fn branch<'a>(record: &Record, events: Events<'a>, pos: u32) -> &'a str {
    let event = record
        .seq(pos)
        .and_then(|seq| events.get(seq))
        .map(|event| &*event.branch);
    event.unwrap_or(MAIN)
}
