//! What there is in a long file of events, found without reading an event: where lines begin, how many steps were made
//! before them, and what a walk goes to.
//!
//! Only the ends of a line are looked at: its number and kind stand first, its goals last. Whether a line is sound shows when
//! it is read.

use std::collections::BTreeMap;
use std::ops::Range;

use memchr::memmem;

/// Lines between two places that are kept.
pub const EVERY: u32 = 256;

/// Bytes at the end of a line among which its goals are looked for.
const END: usize = 4096;

/// What a line is worth a look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sight {
    /// A step after which other goals hold than before.
    Goal,
    /// Another branch begins.
    Branch,
    /// An attempt was refused.
    Refused,
    /// The run was called done, refused or stopped.
    Ended,
    /// A step that went against advice.
    Warning,
    /// A step that broke a core rule.
    Violation,
}

/// A line worth a look: its number and why.
pub type Mark = (u32, Sight);

/// A line and what is before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// Its number, which is that of its event.
    pub line: u32,
    /// The byte it begins at.
    pub offset: u64,
    /// Positions made before it.
    pub positions: u32,
}

/// What there is in a file of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    places: Vec<Place>,
    /// The end of what was looked at.
    end: Place,
    marks: Vec<Mark>,
    /// The goals that held after the last step.
    goals: Vec<u32>,
    /// Per goal the first step that lost it.
    lost: BTreeMap<u32, u32>,
}

impl Survey {
    /// Looks at the next line, its line feed included.
    pub fn line(&mut self, line: &[u8]) {
        let seq = self.end.line;
        if seq.is_multiple_of(EVERY) {
            self.places.push(self.end);
        }
        match kind(line) {
            b"step" | b"start" => self.step(seq, line),
            b"refused" => self.marks.push((seq, Sight::Refused)),
            b"branch" => self.marks.push((seq, Sight::Branch)),
            b"done" | b"avoid" | b"stopped" => self.marks.push((seq, Sight::Ended)),
            _ => {}
        }
        self.end.line += 1;
        self.end.offset += line.len() as u64;
    }

    fn step(&mut self, seq: u32, line: &[u8]) {
        self.end.positions += 1;
        let Some(goals) = goals(line) else { return };
        if goals == self.goals {
            return;
        }
        for goal in self.goals.iter().filter(|goal| !goals.contains(goal)) {
            self.lost.entry(*goal).or_insert(seq);
        }
        if seq > 0 {
            self.marks.push((seq, Sight::Goal));
        }
        self.goals = goals;
    }

    /// How many lines there are.
    pub const fn events(&self) -> u32 {
        self.end.line
    }

    /// How many positions were made.
    pub const fn positions(&self) -> u32 {
        self.end.positions
    }

    /// The last place at or before a line.
    pub fn before(&self, line: u32) -> Place {
        let at = self.places.get((line / EVERY) as usize);
        at.or(self.places.last()).copied().unwrap_or_default()
    }

    /// The last place before which no more than so many positions were made.
    pub fn before_step(&self, position: u32) -> Place {
        let at = self
            .places
            .partition_point(|place| place.positions <= position);
        let place = at.checked_sub(1).and_then(|at| self.places.get(at));
        place.copied().unwrap_or_default()
    }

    /// What is worth a look, in order.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The first bad line: the one that lost a goal for good, else the first refusal.
    pub fn first_bad(&self) -> Option<u32> {
        let gone = self
            .lost
            .iter()
            .filter(|(goal, _)| !self.goals.contains(goal));
        let refused = self.marks.iter().find(|mark| mark.1 == Sight::Refused);
        gone.map(|(_, seq)| *seq)
            .min()
            .or_else(|| refused.map(|mark| mark.0))
    }
}

/// The gravest of what is worth a look within some lines.
pub fn gravest(marks: &[Mark], lines: &Range<u32>) -> Option<Sight> {
    let from = marks.partition_point(|mark| mark.0 < lines.start);
    let marks = marks.iter().skip(from);
    marks
        .take_while(|mark| mark.0 < lines.end)
        .map(|mark| mark.1)
        .max()
}

/// The nearest line worth a look for this, after a line or before it.
pub fn nearest(marks: &[Mark], of: Sight, from: u32, forward: bool) -> Option<u32> {
    let fits = |mark: &&Mark| mark.1 == of;
    if forward {
        let at = marks.partition_point(|mark| mark.0 <= from);
        marks.iter().skip(at).find(fits).map(|mark| mark.0)
    } else {
        let at = marks.partition_point(|mark| mark.0 < from);
        marks.iter().take(at).rev().find(fits).map(|mark| mark.0)
    }
}

/// The kind of a line: what stands in quotes after its number.
fn kind(line: &[u8]) -> &[u8] {
    const NAME: &[u8] = b",\"kind\":\"";
    let head = line.get(..64).unwrap_or(line);
    let kind = memmem::find(head, NAME).and_then(|at| head.get(at + NAME.len()..));
    kind.and_then(|rest| rest.split(|byte| *byte == b'"').next())
        .unwrap_or_default()
}

/// The goals that hold after a line.
fn goals(line: &[u8]) -> Option<Vec<u32>> {
    const NAME: &[u8] = b"\"goals\":[";
    let end = line.get(line.len().saturating_sub(END)..)?;
    let list = end.get(memmem::rfind(end, NAME)? + NAME.len()..)?;
    let list = list.split(|byte| *byte == b']').next()?;
    let numbers = std::str::from_utf8(list).ok()?.split(',');
    numbers
        .filter(|n| !n.is_empty())
        .map(|n| n.trim().parse().ok())
        .collect()
}
