//! The goal ledger: for every position of a run, which goals hold, and since when, or when one was lost.

use crate::plan::goal::{GoalSet, Seen};
use crate::safety::book::Shadow;
use crate::sim::timeline::{Pos, Timeline};

/// Which goals hold at each position of one timeline.
#[derive(Clone, Debug)]
pub struct Ledger {
    goals: GoalSet,
    /// Positions before the first that is known: none but in a window of a long run.
    before: u32,
    /// Per position: one bit a goal, in words of 64.
    bits: Vec<u64>,
    words: usize,
    /// Per position: how many ordered action goals are met.
    progress: Vec<u32>,
}

/// How one goal stands at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Not true now and never before on this path.
    Never,
    /// True since the position.
    Since(Pos),
    /// Was true, not any more since the position.
    Lost(Pos),
}

/// Counts over a goal set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Success goals that hold.
    pub success: usize,
    /// All success goals.
    pub success_of: usize,
    /// Safety goals that hold.
    pub safety: usize,
    /// All safety goals.
    pub safety_of: usize,
}

impl Ledger {
    /// A ledger at the start of a timeline (which must stand at its start).
    pub fn new(goals: GoalSet, timeline: &Timeline, shadow: &dyn Shadow) -> Self {
        let words = goals.goals.len().div_ceil(64).max(1);
        let mut ledger = Self {
            goals,
            before: 0,
            bits: Vec::new(),
            words,
            progress: Vec::new(),
        };
        ledger.write(timeline, 0, shadow);
        ledger
    }

    /// A ledger that begins at a later position, where the goals stand as another one told.
    pub fn from(goals: GoalSet, first: Pos, (bits, progress): (Vec<u64>, u32)) -> Self {
        Self {
            words: goals.goals.len().div_ceil(64).max(1),
            goals,
            before: first.0,
            bits,
            progress: vec![progress],
        }
    }

    /// How the goals stand at a position, for [`Self::from`].
    pub fn told(&self, pos: Pos) -> (Vec<u64>, u32) {
        let at = self.at(pos) * self.words;
        let bits = self.bits.iter().skip(at).take(self.words);
        (bits.copied().collect(), self.progress(pos) as u32)
    }

    /// The index of a position.
    const fn at(&self, pos: Pos) -> usize {
        pos.0.saturating_sub(self.before) as usize
    }

    /// The goals.
    pub const fn goals(&self) -> &GoalSet {
        &self.goals
    }

    /// Records the position a timeline has just reached for the first time. Positions come in order.
    pub fn record(&mut self, timeline: &Timeline, shadow: &dyn Shadow) {
        let here = timeline.here();
        if self.at(here) < self.progress.len() {
            return;
        }
        let before = timeline
            .parent(here)
            .map_or(0, |p| self.progress[self.at(p)] as usize);
        let progress = match timeline.action(here) {
            Some(action) if self.goals.has_actions() => {
                let world = timeline.world();
                let graph = world.graph();
                self.goals
                    .advance(before, &world.line(action), Seen { graph, shadow })
            }
            _ => before,
        };
        self.write(timeline, progress, shadow);
    }

    fn write(&mut self, timeline: &Timeline, progress: usize, shadow: &dyn Shadow) {
        let start = self.bits.len();
        let mut bits = std::mem::take(&mut self.bits);
        bits.resize(start + self.words, 0);
        let (before, now) = bits.split_at_mut(start);
        let parent = timeline.parent(timeline.here()).map(|p| self.at(p));
        let held =
            |i: usize| parent.is_none_or(|p| before[p * self.words + i / 64] & 1 << (i % 64) != 0);
        let seen = Seen {
            graph: timeline.world().graph(),
            shadow,
        };
        for (i, holds) in self.goals.eval(seen, progress, held).enumerate() {
            if holds {
                now[i / 64] |= 1 << (i % 64);
            }
        }
        self.bits = bits;
        self.progress.push(progress as u32);
    }

    /// Whether a goal holds at a position.
    pub fn holds(&self, goal: usize, pos: Pos) -> bool {
        let word = self
            .bits
            .get(self.at(pos) * self.words + goal / 64)
            .copied()
            .unwrap_or(0);
        word & (1 << (goal % 64)) != 0
    }

    /// How many ordered action goals are met at a position.
    pub fn progress(&self, pos: Pos) -> usize {
        self.progress.get(self.at(pos)).copied().unwrap_or(0) as usize
    }

    /// How a goal stands at a position, seen along the path that leads there.
    pub fn standing(&self, goal: usize, pos: Pos, timeline: &Timeline) -> Standing {
        let now = self.holds(goal, pos);
        let mut at = pos;
        while let Some(up) = timeline.parent(at) {
            if self.holds(goal, up) != now {
                return if now {
                    Standing::Since(at)
                } else {
                    Standing::Lost(at)
                };
            }
            at = up;
        }
        if now {
            Standing::Since(at)
        } else {
            Standing::Never
        }
    }

    /// The counts at a position.
    pub fn score(&self, pos: Pos) -> Score {
        let mut score = Score {
            success_of: self.goals.success,
            safety_of: self.goals.safety(),
            ..Score::default()
        };
        for i in 0..self.goals.goals.len() {
            if self.holds(i, pos) {
                if self.goals.is_success(i) {
                    score.success += 1;
                } else {
                    score.safety += 1;
                }
            }
        }
        score
    }
}

impl Score {
    /// All success goals hold (there is at least one).
    pub const fn succeeds(self) -> bool {
        self.success_of > 0 && self.success == self.success_of
    }

    /// All safety goals hold.
    pub const fn safe(self) -> bool {
        self.safety == self.safety_of
    }
}
