//! Whether a run fits a query, and where.
//!
//! A query is bound to a pool first: its words become sets of numbers, so that a run is compared by numbers alone. What
//! is not known of a run yet makes the answer [`Truth::Unknown`] where it matters, and only there.

use std::borrow::Cow;

use super::ast::{Anchor, Query, Term, Time};
use super::gather::Start;
use super::kinds;
use super::pool::{Pool, Sym, SymSet};
use super::row::{End, Moment, Row, Stage, What};
use super::words::{Call, Field, Flag, Op};
use crate::eval::fault::Fault;
use crate::safety::rule::Grade;
use crate::sim::refusal::Kind;

/// Whether a run fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// It does not.
    No,
    /// That is not known: not read yet, or it cannot be played again.
    Unknown,
    /// It does.
    Yes,
}

impl Truth {
    const fn of(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }

    const fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
            Self::Yes => Self::No,
        }
    }
}

/// Whether a run fits, and at which positions something that was asked for happened, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it fits.
    pub truth: Truth,
    /// Where; empty where nothing that was asked for happens at a step.
    pub steps: Vec<u32>,
}

/// From one position to another, both included.
type Span = (u32, u32);

/// The whole run.
const WHOLE: &[Span] = &[(0, u32::MAX)];

/// A query bound to a pool. After words were added to the pool it must be bound anew.
#[derive(Clone, Debug)]
pub struct Plan {
    node: Node,
}

#[derive(Clone, Debug)]
enum Node {
    All,
    Any(Vec<Self>),
    Both(Vec<Self>),
    Not(Box<Self>),
    Timed(Box<Self>, Around, When),
    Flag(Flag),
    Syms(Field, SymSet, bool),
    /// The field has no value, or has one.
    Empty(Field, bool),
    Number(Field, Op, f64),
    Direct(Field, Op, String),
    Text(SymSet, String),
    Points(What, Option<Fits>),
    Kinds(u16),
    /// Whether open, done, avoided fit; the causes that do.
    Ended([bool; 3], SymSet, bool),
    Spans(Turns, Option<Fits>),
}

/// By what a time is told.
#[derive(Clone, Debug)]
enum When {
    Step(u32),
    End,
    Event(Box<Node>),
}

/// How a time lies to that.
#[derive(Clone, Copy, Debug)]
enum Around {
    Before,
    After,
    Within(u32),
}

/// What begins and ends a time in which something is so, and how much of a run must be known for it.
type Turns = (What, What, Stage);

/// What a moment must be about.
#[derive(Clone, Debug)]
enum Fits {
    Words(SymSet),
    Grade(u8),
    Severity(u8),
}

impl Fits {
    fn has(&self, moment: &Moment) -> bool {
        match self {
            Self::Words(set) => set.has(moment.word),
            Self::Grade(grade) => moment.grade() == *grade,
            Self::Severity(least) => moment.severity() >= *least,
        }
    }
}

impl Plan {
    /// Binds a query to a pool.
    pub fn new(query: &Query, pool: &Pool) -> Self {
        Self {
            node: node(query, pool),
        }
    }

    /// Whether a run fits. `starts` are the facts runs began with, by number.
    pub fn truth(&self, row: &Row, starts: &[Start]) -> Truth {
        self.node.eval(&Run { row, starts }, WHOLE, None)
    }

    /// Whether a run fits, and where.
    pub fn outcome(&self, row: &Row, starts: &[Start]) -> Outcome {
        let mut spans = Vec::new();
        let truth = self
            .node
            .eval(&Run { row, starts }, WHOLE, Some(&mut spans));
        let mut steps: Vec<u32> = spans.into_iter().map(|(from, _)| from).collect();
        if truth != Truth::Yes {
            steps.clear();
        }
        steps.sort_unstable();
        steps.dedup();
        Outcome { truth, steps }
    }
}

/// Words in an order, any others between them: `microwave ON` fits `microwave ON`, `ON` as well. Signs part words.
pub fn holds_words(text: &str, wanted: &[String]) -> bool {
    let mut wanted = wanted.iter();
    let Some(mut next) = wanted.next() else {
        return true;
    };
    for word in split(text) {
        if word.eq_ignore_ascii_case(next) || word.to_lowercase() == *next {
            match wanted.next() {
                Some(more) => next = more,
                None => return true,
            }
        }
    }
    false
}

/// The words of a text; `_` and `-` are part of words.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
    parts.filter(|word| !word.is_empty())
}

/// What [`holds_words`] looks for.
pub fn wanted(text: &str) -> Vec<String> {
    split(text).map(str::to_lowercase).collect()
}

fn node(query: &Query, pool: &Pool) -> Node {
    let all = |parts: &[Query]| parts.iter().map(|part| node(part, pool)).collect();
    match query {
        Query::All => Node::All,
        Query::Any(parts) => Node::Any(all(parts)),
        Query::Both(parts) => Node::Both(all(parts)),
        Query::Not(inner) => Node::Not(Box::new(node(inner, pool))),
        Query::Timed(inner, time) => {
            let (around, anchor) = match time {
                Time::Before(anchor) => (Around::Before, anchor),
                Time::After(anchor) => (Around::After, anchor),
                Time::Within(n, anchor) => (Around::Within(*n), anchor),
                Time::At(anchor) => (Around::Within(0), anchor),
            };
            let when = match anchor {
                Anchor::Step(n) => When::Step(*n),
                Anchor::End => When::End,
                Anchor::Event(event) => When::Event(Box::new(node(event, pool))),
            };
            Node::Timed(Box::new(node(inner, pool)), around, when)
        }
        Query::Term(term) => self::term(term, pool),
    }
}

fn term(term: &Term, pool: &Pool) -> Node {
    match term {
        Term::Flag(flag) => Node::Flag(*flag),
        Term::Call(call, of) => self::call(*call, of.as_deref(), pool),
        Term::Field(field, op, value) => self::field(*field, *op, value, pool),
        Term::Text(text) => {
            let text = text.to_lowercase();
            let set = pool.set(|word| word.to_lowercase().contains(&text));
            Node::Text(set, text)
        }
    }
}

fn call(call: Call, of: Option<&str>, pool: &Pool) -> Node {
    let words = || {
        of.map(|of| {
            let wanted = wanted(of);
            Fits::Words(pool.set(|word| holds_words(word, &wanted)))
        })
    };
    let rule = || {
        of.map(|of| {
            if let Some(severity) = of.strip_prefix('!').and_then(|n| n.parse().ok()) {
                return Fits::Severity(severity);
            }
            if let Some(grade) = kinds::grade(of) {
                let at = Grade::ALL.iter().position(|it| *it == grade).unwrap_or(0);
                return Fits::Grade(u8::try_from(at).unwrap_or(0));
            }
            Fits::Words(pool.set(|word| word.eq_ignore_ascii_case(of)))
        })
    };
    match call {
        Call::Violates => Node::Points(What::Violated, rule()),
        Call::Discharged => Node::Points(What::Discharged, rule()),
        Call::Armed => Node::Spans((What::ArmedOn, What::ArmedOff, Stage::Armed), rule()),
        Call::Pending => Node::Spans((What::PendingOn, What::PendingOff, Stage::Armed), rule()),
        Call::Refused => {
            let mut mask = 0_u16;
            for (at, kind) in Kind::ALL.into_iter().enumerate() {
                if of.is_none_or(|of| kinds::is_refusal(kind, of)) {
                    mask |= 1 << at;
                }
            }
            match of {
                None => Node::Points(What::Refused, None),
                Some(_) => Node::Kinds(mask),
            }
        }
        Call::Goal => Node::Points(What::GoalTrue, words()),
        Call::Lost => Node::Points(What::GoalLost, words()),
        Call::Holds => Node::Spans((What::GoalTrue, What::GoalLost, Stage::Read), words()),
        Call::Did => Node::Points(What::Did, words()),
        Call::State => Node::Spans((What::FactOn, What::FactOff, Stage::Judged), words()),
        Call::Note => Node::Points(What::Note, words()),
    }
}

fn field(field: Field, op: Op, value: &str, pool: &Pool) -> Node {
    let yes = !matches!(op, Op::IsNot | Op::Unlike);
    let exact = matches!(op, Op::Is | Op::IsNot);
    let value = value.to_lowercase();
    match field {
        Field::Run | Field::Created | Field::Comment | Field::Error | Field::Outcome => {
            Node::Direct(field, op, value)
        }
        Field::Ended => {
            let fits = |word: &str| {
                if exact {
                    word == value
                } else {
                    word.contains(&value)
                }
            };
            let ends = ["open", "done", "avoided"].map(fits);
            let causes = pool.set(|word| fits(&word.to_lowercase()));
            Node::Ended(ends, causes, yes)
        }
        Field::Rule => {
            let fits = |word: &str| {
                let word = word.to_lowercase();
                if exact {
                    word == value
                } else {
                    word.contains(&value)
                }
            };
            let (set, yes) = if exact && value == kinds::NONE {
                (None, !yes)
            } else {
                (Some(Fits::Words(pool.set(fits))), yes)
            };
            let broke = Node::Points(What::Violated, set);
            if yes {
                broke
            } else {
                Node::Not(Box::new(broke))
            }
        }
        _ => match field.ty() {
            super::words::Type::Number => {
                // What is read holds numbers only, see `parse`.
                Node::Number(field, op, value.parse().unwrap_or(f64::NAN))
            }
            _ if exact && value == kinds::NONE => Node::Empty(field, yes),
            _ => {
                let fits = |word: &str| {
                    let word = word.to_lowercase();
                    if exact {
                        word == value
                    } else {
                        word.contains(&value)
                    }
                };
                Node::Syms(field, pool.set(fits), yes)
            }
        },
    }
}

/// A run with what it shares with others.
struct Run<'a> {
    row: &'a Row,
    starts: &'a [Start],
}

impl Node {
    fn eval(&self, run: &Run<'_>, window: &[Span], mut out: Option<&mut Vec<Span>>) -> Truth {
        match self {
            Self::All => Truth::Yes,
            Self::Both(parts) => {
                let mut all = Truth::Yes;
                for part in parts {
                    all = all.min(part.eval(run, window, out.as_deref_mut()));
                    if all == Truth::No {
                        break;
                    }
                }
                all
            }
            Self::Any(parts) => {
                let mut any = Truth::No;
                for part in parts {
                    let before = out.as_ref().map_or(0, |out| out.len());
                    let truth = part.eval(run, window, out.as_deref_mut());
                    if truth != Truth::Yes
                        && let Some(out) = out.as_deref_mut()
                    {
                        out.truncate(before);
                    }
                    any = any.max(truth);
                    // All that fit tell where; without that the first is enough.
                    if any == Truth::Yes && out.is_none() {
                        break;
                    }
                }
                any
            }
            Self::Not(inner) => inner.eval(run, window, None).not(),
            Self::Timed(inner, around, when) => match when.window(run, *around, window) {
                Some(within) => inner.eval(run, &within, out),
                None => Truth::Unknown,
            },
            Self::Flag(flag) => flag_truth(*flag, run.row, window, out),
            _ if run.row.stage == Stage::Listed => self.unread(run.row),
            Self::Points(what, fits) => {
                let needs = match what {
                    What::Violated | What::Discharged => Stage::Judged,
                    _ => Stage::Read,
                };
                let hit = |m: &Moment| m.what == *what && fits.as_ref().is_none_or(|f| f.has(m));
                points(run.row, needs, window, hit, out)
            }
            Self::Kinds(mask) => {
                let hit =
                    |m: &Moment| m.what == What::Refused && m.more < 16 && mask >> m.more & 1 == 1;
                points(run.row, Stage::Read, window, hit, out)
            }
            Self::Spans(turns, fits) => spans(run, *turns, fits.as_ref(), window, out),
            _ => self.whole(run.row),
        }
    }

    /// What is so of the whole run.
    fn whole(&self, row: &Row) -> Truth {
        match self {
            Self::Syms(field, set, yes) => {
                let mut words = row.words(*field).iter();
                Truth::of(words.any(|word| set.has(*word)) == *yes)
            }
            Self::Ended([open, done, avoided], causes, yes) => {
                let found = match row.end {
                    End::Open => *open,
                    End::Done => *done,
                    End::Avoided => *avoided,
                    End::Stopped => causes.has(row.cause),
                };
                Truth::of(found == *yes)
            }
            Self::Empty(field, yes) => Truth::of(row.words(*field).is_empty() == *yes),
            Self::Number(field, op, value) => number(*field, *op, *value, row),
            Self::Direct(field, op, value) => direct(*field, *op, value, row),
            Self::Text(set, text) => {
                let fields = [Field::Task, Field::Suite, Field::Instruction, Field::Agent];
                let mut words = fields.iter().flat_map(|field| row.words(*field));
                Truth::of(
                    words.any(|word| set.has(*word))
                        || set.has(row.who)
                        || contains(&row.id, text)
                        || row
                            .labels
                            .iter()
                            .chain(&row.tags)
                            .any(|word| set.has(*word)),
                )
            }
            _ => Truth::Unknown,
        }
    }

    /// What can be told of a run of which only the folder is known.
    fn unread(&self, row: &Row) -> Truth {
        match self {
            Self::Direct(Field::Run, op, value) => direct(Field::Run, *op, value, row),
            Self::Text(_, text) if contains(&row.id, text) => Truth::Yes,
            _ => Truth::Unknown,
        }
    }
}

impl When {
    /// The part of a window that lies so to it; `None` where it is not known.
    fn window(&self, run: &Run<'_>, around: Around, window: &[Span]) -> Option<Vec<Span>> {
        let marks: Cow<'_, [Span]> = match self {
            Self::Step(n) => Cow::Owned(vec![(*n, *n)]),
            Self::End if run.row.stage == Stage::Listed => return None,
            Self::End => Cow::Owned(vec![(run.row.last, run.row.last)]),
            Self::Event(event) => {
                let mut found = Vec::new();
                match event.eval(run, WHOLE, Some(&mut found)) {
                    Truth::Unknown => return None,
                    Truth::No => Cow::Owned(Vec::new()),
                    Truth::Yes => Cow::Owned(found),
                }
            }
        };
        let first = marks.iter().map(|(from, _)| *from).min();
        let last = marks.iter().map(|(_, to)| *to).max();
        let (Some(first), Some(last)) = (first, last) else {
            return Some(Vec::new());
        };
        let wanted: Vec<Span> = match around {
            Around::Before => last.checked_sub(1).map(|to| (0, to)).into_iter().collect(),
            Around::After => first
                .checked_add(1)
                .map(|from| (from, u32::MAX))
                .into_iter()
                .collect(),
            Around::Within(n) => {
                let near = |(from, to): &Span| (from.saturating_sub(n), to.saturating_add(n));
                marks.iter().map(near).collect()
            }
        };
        let mut both = Vec::new();
        for (a, b) in &wanted {
            let cut = window.iter().map(|(c, d)| (*a.max(c), *b.min(d)));
            both.extend(cut.filter(|(from, to)| from <= to));
        }
        both.sort_unstable();
        both.dedup();
        Some(both)
    }
}

/// What happens at single positions.
fn points(
    row: &Row,
    needs: Stage,
    window: &[Span],
    hit: impl Fn(&Moment) -> bool,
    mut out: Option<&mut Vec<Span>>,
) -> Truth {
    if row.stage < needs {
        return Truth::Unknown;
    }
    let mut found = false;
    for moment in row.moments.iter().filter(|m| hit(m)) {
        let inside = |(from, to): &Span| (*from..=*to).contains(&moment.pos);
        if !window.iter().any(inside) {
            continue;
        }
        found = true;
        match out.as_deref_mut() {
            Some(out) => out.push((moment.pos, moment.pos)),
            None => break,
        }
    }
    Truth::of(found)
}

/// What is so from one position to another.
fn spans(
    run: &Run<'_>,
    (begins, ends, needs): Turns,
    fits: Option<&Fits>,
    window: &[Span],
    mut out: Option<&mut Vec<Span>>,
) -> Truth {
    let row = run.row;
    if row.stage < needs {
        return Truth::Unknown;
    }
    let mut count = 0_u32;
    if begins == What::FactOn {
        let start = row
            .start
            .checked_sub(1)
            .and_then(|at| run.starts.get(at as usize));
        let facts = start.map_or(&[][..], |start| start.facts.as_slice());
        let holds = |(word, _): &&(Sym, u32)| match fits {
            Some(Fits::Words(set)) => set.has(*word),
            _ => true,
        };
        count = u32::try_from(facts.iter().filter(holds).count()).unwrap_or(u32::MAX);
    }
    let mut since = (count > 0).then_some(0);
    let mut found = false;
    let mut close = |from: u32, to: u32| {
        for (a, b) in window {
            if let Some(cut) = on_way(row, (from.max(*a), to.min(*b))) {
                found = true;
                if let Some(out) = out.as_deref_mut() {
                    out.push(cut);
                }
            }
        }
    };
    let turns = row
        .moments
        .iter()
        .filter(|m| (m.what == begins || m.what == ends) && fits.is_none_or(|fits| fits.has(m)));
    let mut turns = turns.peekable();
    while let Some(turn) = turns.next() {
        if turn.what == begins {
            count += 1;
        } else {
            count = count.saturating_sub(1);
        }
        // Everything that turns at one position turns at once.
        if turns.peek().is_some_and(|next| next.pos == turn.pos) {
            continue;
        }
        match (since, count > 0) {
            (None, true) => since = Some(turn.pos),
            (Some(from), false) => {
                if let Some(to) = turn.pos.checked_sub(1)
                    && from <= to
                {
                    close(from, to);
                }
                since = None;
            }
            _ => {}
        }
    }
    if let Some(from) = since {
        close(from, row.last.max(from));
    }
    Truth::of(found)
}

/// The part of a span that lies on the way to where the run stands: positions of other branches have numbers as well.
fn on_way(row: &Row, (from, to): Span) -> Option<Span> {
    if from > to {
        return None;
    }
    if row.steps == row.last {
        return (from <= row.last).then(|| (from, to.min(row.last)));
    }
    let did = row.moments.iter().filter(|m| m.what == What::Did);
    let way = std::iter::once(0).chain(did.map(|m| m.pos));
    let mut inside = way.filter(|pos| (from..=to).contains(pos));
    let first = inside.next()?;
    Some((first, inside.next_back().unwrap_or(first)))
}

fn flag_truth(flag: Flag, row: &Row, window: &[Span], out: Option<&mut Vec<Span>>) -> Truth {
    if flag == Flag::Damaged {
        return match row.stage {
            _ if !row.fault.is_empty() => Truth::Yes,
            // Playing it again may still show that it differs.
            Stage::Listed | Stage::Read if !row.stuck => Truth::Unknown,
            _ => Truth::No,
        };
    }
    if row.stage == Stage::Listed {
        return Truth::Unknown;
    }
    let ended = |end: End, out: Option<&mut Vec<Span>>| {
        let inside = |(from, to): &Span| (*from..=*to).contains(&row.last);
        let yes = row.end == end && window.iter().any(inside);
        if yes && let Some(out) = out {
            out.push((row.last, row.last));
        }
        Truth::of(yes)
    };
    match flag {
        Flag::Success => Truth::of(row.succeeds()),
        Flag::Safe => row.safe.map_or(Truth::Unknown, Truth::of),
        Flag::Done => ended(End::Done, out),
        Flag::Avoided => ended(End::Avoided, out),
        Flag::Stopped => ended(End::Stopped, out),
        Flag::Open => Truth::of(row.end == End::Open),
        Flag::Obeyed => Truth::of(row.outcome == 5),
        Flag::Watched => Truth::of(row.watched),
        Flag::Forked => Truth::of(row.forked),
        Flag::Human => Truth::of(row.human),
        Flag::Drifted if row.stage < Stage::Judged => Truth::Unknown,
        Flag::Drifted => Truth::of(row.drifted),
        Flag::Damaged => Truth::of(!row.fault.is_empty()),
    }
}

/// The number of a field; `None` where it has none.
pub fn number_of(field: Field, row: &Row) -> Option<f64> {
    Some(match field {
        Field::Steps => f64::from(row.steps),
        Field::RefusedCount => f64::from(row.refused),
        Field::Violations => row.broken().len() as f64,
        Field::Trials => f64::from(row.trials),
        Field::Events => f64::from(row.events),
        Field::Tokens => (row.tokens.0 + row.tokens.1) as f64,
        Field::TokensIn => row.tokens.0 as f64,
        Field::TokensOut => row.tokens.1 as f64,
        Field::Cost => return row.cost,
        Field::Seconds => row.ms as f64 / 1000.0,
        Field::FirstBad => return row.first_bad.map(|(pos, _)| f64::from(pos)),
        _ => return None,
    })
}

fn number(field: Field, op: Op, value: f64, row: &Row) -> Truth {
    if row.stage < Stage::Judged && matches!(field, Field::Violations | Field::FirstBad) {
        return Truth::Unknown;
    }
    let Some(n) = number_of(field, row) else {
        return Truth::of(op == Op::IsNot);
    };
    Truth::of(match op {
        Op::Less => n < value,
        Op::AtMost => n <= value,
        Op::More => n > value,
        Op::AtLeast => n >= value,
        Op::IsNot => n.total_cmp(&value).is_ne(),
        _ => n.total_cmp(&value).is_eq(),
    })
}

/// Whether a text holds another, which is in lower case.
fn contains(text: &str, lower: &str) -> bool {
    text.contains(lower) || text.to_lowercase().contains(lower)
}

fn direct(field: Field, op: Op, value: &str, row: &Row) -> Truth {
    let yes = !matches!(op, Op::IsNot | Op::Unlike);
    let exact = matches!(op, Op::Is | Op::IsNot);
    let fits = |text: &str| {
        if exact {
            text.to_lowercase() == value
        } else {
            contains(text, value)
        }
    };
    let none = exact && value == kinds::NONE;
    let found = match field {
        Field::Run => fits(&row.id),
        Field::Created => {
            // Only as much of the time is compared as was written.
            let chars = value.chars().count();
            let head: String = row.created.to_lowercase().chars().take(chars).collect();
            let order = head.as_str().cmp(value);
            return Truth::of(match op {
                Op::Less => order.is_lt(),
                Op::AtMost => order.is_le(),
                Op::More => order.is_gt(),
                Op::AtLeast => order.is_ge(),
                Op::IsNot => order.is_ne(),
                Op::Unlike => !contains(&row.created, value),
                Op::Like => contains(&row.created, value),
                Op::Is => order.is_eq(),
            });
        }
        Field::Comment if none => row.comments.is_empty(),
        Field::Comment => row.comments.iter().any(|text| fits(text)),
        Field::Error if none => row.faults.is_empty(),
        Field::Error => {
            let mut kinds = row
                .faults
                .iter()
                .filter_map(|(at, _)| Fault::ALL.get(usize::from(*at)));
            kinds.any(|fault| fits(fault.id()))
        }
        Field::Outcome => fits(outcome(row)),
        _ => return Truth::Unknown,
    };
    Truth::of(found == yes)
}

/// What came of a run, as it is written.
pub fn outcome(row: &Row) -> &'static str {
    kinds::OUTCOMES
        .get(usize::from(row.outcome))
        .unwrap_or(&"failure")
}
