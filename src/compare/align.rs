//! Which steps of two runs belong together.
//!
//! The alignment has the highest score: a step that did the same from the same state counts most, the same action from
//! another state less, another action into the same state still less, and every stretch of steps without a partner costs
//! once, however long it is. So two steps left out are one gap of two, not four half matches. Where several alignments are
//! equally good the runs stay together as long as they can: the first difference is the latest possible.
//!
//! Equal beginnings and ends are cut off first. What is left is solved exactly where it is small enough; where it is not,
//! steps that occur once in either run hold it together, and between them the same is done again.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::base::fold::{Key, StateHash};
use crate::compare::lane::Beat;

/// How alike two beats are, from nothing in common to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Likeness {
    /// Another action that led somewhere else.
    Apart,
    /// Another action that led into the same state.
    Met,
    /// The same action in another state, with another outcome: for goals, for rules, or done here and refused there.
    SameAct,
    /// The same action in another state, with the same goals and rules after it.
    SameOutcome,
    /// The same action from the same state into the same state.
    Equal,
}

impl Likeness {
    /// Of two beats.
    pub fn of(a: &Beat, b: &Beat) -> Self {
        let told = |hash: StateHash| hash != StateHash::default();
        let states = a.before == b.before && a.after == b.after && told(a.after);
        let alike = a.kind == b.kind;
        if a.act == b.act {
            if states && alike {
                Self::Equal
            } else if alike && a.vector == b.vector {
                Self::SameOutcome
            } else {
                Self::SameAct
            }
        } else if a.after == b.after && alike && told(a.after) && a.before != a.after {
            Self::Met
        } else {
            Self::Apart
        }
    }

    /// What pairing such beats is worth, against [`GAP`].
    const fn worth(self) -> Option<i32> {
        match self {
            Self::Apart => None,
            Self::Met => Some(4),
            Self::SameAct => Some(5),
            Self::SameOutcome => Some(6),
            Self::Equal => Some(8),
        }
    }
}

/// What a stretch without partners costs: less than the worst pair is worth, so that a pair is never passed over for tidiness
/// alone, and enough that a stretch is not torn for nothing.
const GAP: i32 = 3;

/// Pairs that are weighed at most in one exact piece; one byte each.
const CELLS: usize = 4 << 20;

/// Two beats side by side, or one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The beat of the first lane.
    pub a: Option<usize>,
    /// The beat of the second lane.
    pub b: Option<usize>,
}

/// Two lanes aligned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// The pairs in order; a stretch without partners has its beats one by one, those of the first lane before those of
    /// the second.
    pub pairs: Vec<Pair>,
    /// Whether it is the best there is; else a piece was too large and was aligned near its diagonal only.
    pub exact: bool,
}

impl Alignment {
    /// The stretches without partners: which beats of the first lane stand against which of the second.
    pub fn gaps(&self) -> Vec<(Range<usize>, Range<usize>)> {
        let mut gaps: Vec<(Range<usize>, Range<usize>)> = Vec::new();
        let mut open = false;
        let (mut i, mut j) = (0, 0);
        for pair in &self.pairs {
            if pair.a.is_some() && pair.b.is_some() {
                open = false;
            } else {
                if !open {
                    gaps.push((i..i, j..j));
                    open = true;
                }
                if let Some((a, b)) = gaps.last_mut() {
                    a.end += usize::from(pair.a.is_some());
                    b.end += usize::from(pair.b.is_some());
                }
            }
            i += usize::from(pair.a.is_some());
            j += usize::from(pair.b.is_some());
        }
        gaps
    }
}

/// Aligns two lanes.
pub fn align(a: &[Beat], b: &[Beat]) -> Alignment {
    let keys = |beats: &[Beat]| beats.iter().map(Keys::of).collect();
    Two {
        a: keys(a),
        b: keys(b),
        like: |i: usize, j: usize| match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => Likeness::of(x, y),
            _ => Likeness::Apart,
        },
        anchors: Vec::new(),
        exact: true,
    }
    .solve()
}

/// What a beat is found by: wholly, by action and outcome, by action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys([Key; 3]);

impl Keys {
    pub(super) fn of(beat: &Beat) -> Self {
        let state = |hash: StateHash| Key::of(&hash.to_string());
        let whole = beat.act.with(state(beat.before)).with(state(beat.after));
        Self([whole, beat.act.with(beat.vector), beat.act])
    }
}

/// Two sequences of which only the likeness of their members is known.
pub(super) struct Two<L> {
    pub(super) a: Vec<Keys>,
    pub(super) b: Vec<Keys>,
    pub(super) like: L,
    pub(super) anchors: Vec<(usize, usize)>,
    pub(super) exact: bool,
}

impl<L: Fn(usize, usize) -> Likeness> Two<L> {
    /// The alignment. `anchors` are pairs that a person fixed, ascending in both lanes; others are passed over.
    pub(super) fn solve(mut self) -> Alignment {
        let mut matched = Vec::new();
        let (n, m) = (self.a.len(), self.b.len());
        let (mut i, mut j) = (0, 0);
        for (x, y) in std::mem::take(&mut self.anchors) {
            if x < i || y < j || x >= n || y >= m {
                continue;
            }
            self.piece(i..x, j..y, &mut matched);
            matched.push((x, y));
            (i, j) = (x + 1, y + 1);
        }
        self.piece(i..n, j..m, &mut matched);
        let mut pairs = Vec::with_capacity(n.max(m));
        let (mut i, mut j) = (0, 0);
        let alone = |pairs: &mut Vec<Pair>, a: Range<usize>, b: Range<usize>| {
            pairs.extend(a.map(|i| Pair {
                a: Some(i),
                b: None,
            }));
            pairs.extend(b.map(|j| Pair {
                a: None,
                b: Some(j),
            }));
        };
        for (x, y) in matched {
            alone(&mut pairs, i..x, j..y);
            pairs.push(Pair {
                a: Some(x),
                b: Some(y),
            });
            (i, j) = (x + 1, y + 1);
        }
        alone(&mut pairs, i..n, j..m);
        Alignment {
            pairs,
            exact: self.exact,
        }
    }

    fn equal(&self, i: usize, j: usize) -> bool {
        (self.like)(i, j) == Likeness::Equal
    }

    /// Adds the matches of a piece, in order.
    fn piece(&mut self, a: Range<usize>, b: Range<usize>, out: &mut Vec<(usize, usize)>) {
        let (mut a, mut b) = (a, b);
        while !a.is_empty() && !b.is_empty() && self.equal(a.start, b.start) {
            out.push((a.start, b.start));
            a.start += 1;
            b.start += 1;
        }
        let mut tail = 0;
        while !a.is_empty() && !b.is_empty() && self.equal(a.end - 1, b.end - 1) {
            a.end -= 1;
            b.end -= 1;
            tail += 1;
        }
        if !a.is_empty() && !b.is_empty() {
            self.middle(a.clone(), b.clone(), out);
        }
        out.extend((0..tail).map(|k| (a.end + k, b.end + k)));
    }

    fn middle(&mut self, a: Range<usize>, b: Range<usize>, out: &mut Vec<(usize, usize)>) {
        if (a.len() + 1).saturating_mul(b.len() + 1) <= CELLS {
            self.whole(a, b, out);
            return;
        }
        let found = (0..3)
            .map(|by| self.unique(&a, &b, by))
            .find(|f| !f.is_empty());
        let Some(found) = found else {
            self.near(a, b, out);
            return;
        };
        let (mut i, mut j) = (a.start, b.start);
        for (x, y) in found {
            self.piece(i..x, j..y, out);
            out.push((x, y));
            (i, j) = (x + 1, y + 1);
        }
        self.piece(i..a.end, j..b.end, out);
    }

    /// Pairs of members whose key occurs once in either piece: the longest ascending series of them.
    fn unique(&self, a: &Range<usize>, b: &Range<usize>, by: usize) -> Vec<(usize, usize)> {
        const TWICE: usize = usize::MAX;
        let once = |all: &[Keys], range: &Range<usize>| {
            let mut found: FxHashMap<Key, usize> = FxHashMap::default();
            for i in range.clone() {
                if let Some(key) = all.get(i).and_then(|keys| keys.0.get(by)) {
                    found.entry(*key).and_modify(|at| *at = TWICE).or_insert(i);
                }
            }
            found
        };
        let there = once(&self.b, b);
        let here = once(&self.a, a);
        let candidates = a.clone().filter_map(|i| {
            let key = self.a.get(i)?.0.get(by)?;
            if here.get(key) != Some(&i) {
                return None;
            }
            let j = there.get(key).copied().filter(|j| *j != TWICE)?;
            ((self.like)(i, j) != Likeness::Apart).then_some((i, j))
        });
        ascending(&candidates.collect::<Vec<_>>())
    }

    /// The best alignment of a piece.
    fn whole(&self, a: Range<usize>, b: Range<usize>, out: &mut Vec<(usize, usize)>) {
        let width = b.len();
        self.band(a, b, width, out);
    }

    /// The best alignment of a piece that stays near its diagonal.
    fn near(&mut self, a: Range<usize>, b: Range<usize>, out: &mut Vec<(usize, usize)>) {
        self.exact = false;
        let half = CELLS / (a.len() + 1) / 2;
        // A band that a path could fall out of matches nothing: the piece is one stretch then.
        if half > b.len() / a.len() + 1 {
            self.band(a, b, half, out);
        }
    }

    #[expect(
        clippy::many_single_char_names,
        reason = "a, b, i, j, n, m as in every text about aligning sequences"
    )]
    /// The best alignment with at most `half` members of `b` between a pair and the diagonal.
    fn band(&self, a: Range<usize>, b: Range<usize>, half: usize, out: &mut Vec<(usize, usize)>) {
        let (n, m) = (a.len(), b.len());
        let from = |i: usize| (i * m / n.max(1)).saturating_sub(half);
        let to = |i: usize| (i * m / n.max(1) + half).min(m);
        let mut grid = Grid::default();
        let mut above: Line = Line::default();
        for i in 0..=n {
            let mut line = Line::new(from(i), to(i));
            grid.begin(line.from);
            for j in line.from..=to(i) {
                let mut step = Step::default();
                // A pair, after a pair or after a stretch.
                let mut paired = NONE;
                if i > 0 && j > 0 {
                    let like = (self.like)(a.start + i - 1, b.start + j - 1);
                    if let Some(worth) = like.worth() {
                        let (pair, gap) = above.at(j - 1);
                        let best = pair.max(gap);
                        if best > NONE {
                            paired = best + worth;
                            step.pair_after_gap = gap >= pair;
                        }
                    }
                } else if i == 0 && j == 0 {
                    paired = 0;
                }
                // A stretch: of `a` from above, of `b` from the left, going on or begun here.
                let up = if i > 0 { above.at(j) } else { (NONE, NONE) };
                let left = if j > line.from {
                    line.at(j - 1)
                } else {
                    (NONE, NONE)
                };
                let grown = |(pair, gap): (i32, i32)| {
                    let begun = if pair > NONE { pair - GAP } else { NONE };
                    (begun.max(gap), gap >= begun)
                };
                let (up, up_goes_on) = grown(up);
                let (left, left_goes_on) = grown(left);
                let gap = up.max(left);
                step.gap_from_left = left >= up;
                step.gap_goes_on = if step.gap_from_left {
                    left_goes_on
                } else {
                    up_goes_on
                };
                line.push(paired, gap);
                grid.push(step);
            }
            above = line;
        }
        let (pair, gap) = above.at(m);
        if pair.max(gap) <= NONE {
            return;
        }
        let (mut i, mut j) = (n, m);
        let mut in_gap = gap >= pair;
        let begin = out.len();
        while i > 0 || j > 0 {
            let step = grid.at((i, j));
            if in_gap {
                in_gap = step.gap_goes_on;
                let back = if step.gap_from_left { &mut j } else { &mut i };
                *back = back.saturating_sub(1);
            } else {
                (i, j) = (i.saturating_sub(1), j.saturating_sub(1));
                out.push((a.start + i, b.start + j));
                in_gap = step.pair_after_gap;
            }
        }
        out.get_mut(begin..).unwrap_or_default().reverse();
    }
}

/// No way leads here.
const NONE: i32 = i32::MIN / 2;

/// One row of scores: best with a pair last, best with a stretch last.
#[derive(Default)]
struct Line {
    from: usize,
    cells: Vec<(i32, i32)>,
}

impl Line {
    fn new(from: usize, to: usize) -> Self {
        Self {
            from,
            cells: Vec::with_capacity(to + 1 - from),
        }
    }

    fn push(&mut self, pair: i32, gap: i32) {
        self.cells.push((pair.max(NONE), gap.max(NONE)));
    }

    fn at(&self, j: usize) -> (i32, i32) {
        let cell = j.checked_sub(self.from).and_then(|k| self.cells.get(k));
        cell.copied().unwrap_or((NONE, NONE))
    }
}

/// How the best way came to a cell.
#[derive(Clone, Copy, Default)]
struct Step {
    pair_after_gap: bool,
    gap_from_left: bool,
    gap_goes_on: bool,
}

/// The steps of all cells, three bits each in a byte.
#[derive(Default)]
struct Grid {
    rows: Vec<(usize, usize)>,
    cells: Vec<u8>,
}

impl Grid {
    fn begin(&mut self, from: usize) {
        self.rows.push((self.cells.len(), from));
    }

    fn push(&mut self, step: Step) {
        let bits = u8::from(step.pair_after_gap)
            | u8::from(step.gap_from_left) << 1
            | u8::from(step.gap_goes_on) << 2;
        self.cells.push(bits);
    }

    fn at(&self, (i, j): (usize, usize)) -> Step {
        let bits = self
            .rows
            .get(i)
            .and_then(|(begin, from)| self.cells.get(begin + j.checked_sub(*from)?))
            .copied()
            .unwrap_or_default();
        Step {
            pair_after_gap: bits & 1 != 0,
            gap_from_left: bits & 2 != 0,
            gap_goes_on: bits & 4 != 0,
        }
    }
}

/// The longest series of pairs, given in the order of their first member, that also ascends in the second.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // Per length: the pair that ends the series of that length with the smallest second member.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let second = |k: &usize| pairs.get(*k).map_or(0, |p| p.1);
    for (k, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| second(end) < pair.1);
        before.push(length.checked_sub(1).and_then(|l| ends.get(l)).copied());
        if let Some(end) = ends.get_mut(length) {
            *end = k;
        } else {
            ends.push(k);
        }
    }
    let mut series = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(k) = at {
        series.extend(pairs.get(k));
        at = before.get(k).copied().flatten();
    }
    series.reverse();
    series
}
