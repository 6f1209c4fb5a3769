//! One run as the language reads it, and its form in a file.

use std::sync::Arc;

use super::pool::Sym;
use super::words::Field;

/// How much of a run is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Its folder is there.
    #[default]
    Listed,
    /// Header, events, times and notes were read.
    Read,
    /// It was played again with the rules watching.
    Judged,
    /// It was also asked, step by step, which act would break a rule.
    Armed,
}

impl Stage {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Listed, Self::Read, Self::Judged, Self::Armed];
}

/// What happened at a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// An action was done; the word says which.
    #[default]
    Did,
    /// An attempt was refused; `more` is the kind's place among all kinds.
    Refused,
    /// A rule was broken; `more` tells severity and grade.
    Violated,
    /// A broken rule was made good.
    Discharged,
    /// A goal is true from here on.
    GoalTrue,
    /// A goal is not true any more.
    GoalLost,
    /// A fact is true from here on.
    FactOn,
    /// A fact is not true any more.
    FactOff,
    /// A rule stands armed from here on.
    ArmedOn,
    /// It does not any more.
    ArmedOff,
    /// Something of a rule is to be made good from here on.
    PendingOn,
    /// It is not any more.
    PendingOff,
    /// A note speaks of the position; the word is its kind.
    Note,
}

impl What {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Did,
        Self::Refused,
        Self::Violated,
        Self::Discharged,
        Self::GoalTrue,
        Self::GoalLost,
        Self::FactOn,
        Self::FactOff,
        Self::ArmedOn,
        Self::ArmedOff,
        Self::PendingOn,
        Self::PendingOff,
        Self::Note,
    ];
}

/// Something that happened at a position of the way to where the run stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// The position, as screens number it.
    pub pos: u32,
    /// What happened.
    pub what: What,
    /// What it is about.
    pub word: Sym,
    /// More, by what happened.
    pub more: u8,
}

/// Severity and grade of a rule in one byte.
pub(super) const fn weight(severity: u8, grade: u8) -> u8 {
    severity | (grade << 4)
}

impl Moment {
    /// The severity of a broken rule.
    pub const fn severity(&self) -> u8 {
        self.more & 15
    }

    /// The place of a broken rule's grade among all grades.
    pub const fn grade(&self) -> u8 {
        self.more >> 4
    }

    /// Whether a core rule was broken.
    pub fn is_core_breach(&self) -> bool {
        self.what == What::Violated && self.grade() == 0
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// It has not.
    #[default]
    Open,
    /// The player called it done.
    Done,
    /// The player refused the instruction.
    Avoided,
    /// It stopped without either.
    Stopped,
}

impl End {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Open, Self::Done, Self::Avoided, Self::Stopped];
}

/// Why a step is the first bad one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bad {
    /// Record and world differ.
    Drift,
    /// A core rule was broken.
    Violation,
    /// A goal was lost for good.
    Lost,
    /// An attempt was refused.
    Refused,
}

impl Bad {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Drift, Self::Violation, Self::Lost, Self::Refused];
}

/// Facts with one word each.
pub(super) const SINGLE: [Field; 11] = [
    Field::Task,
    Field::Suite,
    Field::Instruction,
    Field::Dialect,
    Field::Profile,
    Field::Agent,
    Field::Model,
    Field::Strategy,
    Field::Env,
    Field::Trap,
    Field::Complexity,
];

/// One run.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is asked for by a word of its own"
)]
pub struct Row {
    /// The name of its folder.
    pub id: Arc<str>,
    /// The place of its folder of runs among all that were asked for.
    pub root: u32,
    /// What its files looked like when they were read.
    pub print: u64,
    /// How much is known.
    pub stage: Stage,
    /// Whether no more will ever be known: it cannot be read or not be played again.
    pub stuck: bool,
    /// What is wrong with it, one sentence; empty if nothing is.
    pub fault: Arc<str>,
    /// When it was begun, RFC 3339 in UTC.
    pub created: Arc<str>,
    /// One word each, see [`Row::words`].
    pub(super) single: [Sym; SINGLE.len()],
    /// Who played, in a few words.
    pub who: Sym,
    /// Risks of the task.
    pub risks: Box<[Sym]>,
    /// Labels it was given.
    pub labels: Box<[Sym]>,
    /// Tags it was given.
    pub tags: Box<[Sym]>,
    /// The latest verdict.
    pub verdict: Sym,
    /// Remarks.
    pub comments: Box<[Arc<str>]>,
    /// A person played.
    pub human: bool,
    /// It goes on from another run.
    pub forked: bool,
    /// Somebody stepped in.
    pub watched: bool,
    /// The instruction must be refused.
    pub dangerous: bool,
    /// Record and world differ.
    pub drifted: bool,
    /// How it ended.
    pub end: End,
    /// The cause, where it stopped.
    pub cause: Sym,
    /// The place of what came of it among [`super::kinds::OUTCOMES`].
    pub outcome: u8,
    /// Whether all safety goals hold and no core rule was broken; `None` while the rules have not been asked.
    pub safe: Option<bool>,
    /// Steps from the start to where it stands.
    pub steps: u32,
    /// Refused attempts, all told.
    pub refused: u32,
    /// Trials begun.
    pub trials: u32,
    /// Events recorded.
    pub events: u32,
    /// Tokens read and written.
    pub tokens: (u64, u64),
    /// US dollars, where known.
    pub cost: Option<f64>,
    /// Milliseconds spent in calls.
    pub ms: u64,
    /// The goals: success first.
    pub goals: Box<[Sym]>,
    /// Success goals that hold where it stands, and how many there are.
    pub success: (u32, u32),
    /// Safety goals that hold where it stands, and how many there are.
    pub safety: (u32, u32),
    /// Kinds of errors by their place among all kinds, with how often.
    pub faults: Box<[(u8, u32)]>,
    /// The position it stands at.
    pub last: u32,
    /// The first bad step, and why it is bad.
    pub first_bad: Option<(u32, Bad)>,
    /// The facts it began with, by number; 0 where they are not known.
    pub start: u32,
    /// What happened, in order.
    pub moments: Box<[Moment]>,
}

impl Default for Row {
    fn default() -> Self {
        let none: Arc<str> = Arc::from("");
        Self {
            id: Arc::clone(&none),
            root: 0,
            print: 0,
            stage: Stage::Listed,
            stuck: false,
            fault: Arc::clone(&none),
            created: none,
            single: [Sym::NONE; SINGLE.len()],
            who: Sym::NONE,
            risks: Box::default(),
            labels: Box::default(),
            tags: Box::default(),
            verdict: Sym::NONE,
            comments: Box::default(),
            human: false,
            forked: false,
            watched: false,
            dangerous: false,
            drifted: false,
            end: End::Open,
            cause: Sym::NONE,
            outcome: 0,
            safe: None,
            steps: 0,
            refused: 0,
            trials: 0,
            events: 0,
            tokens: (0, 0),
            cost: None,
            ms: 0,
            goals: Box::default(),
            success: (0, 0),
            safety: (0, 0),
            faults: Box::default(),
            last: 0,
            first_bad: None,
            start: 0,
            moments: Box::default(),
        }
    }
}

impl Row {
    /// A run of which only the folder is known.
    pub fn listed(id: &str, root: u32, print: u64) -> Self {
        Self {
            id: Arc::from(id),
            root,
            print,
            ..Self::default()
        }
    }

    /// The words of a field that has words of the pool; none for other fields.
    pub fn words(&self, field: Field) -> &[Sym] {
        let one = match field {
            Field::Risk => return &self.risks,
            Field::Label => return &self.labels,
            Field::Tag => return &self.tags,
            Field::Verdict => &self.verdict,
            _ => match SINGLE.iter().position(|it| *it == field) {
                Some(at) => self.single.get(at).unwrap_or(&Sym::NONE),
                None => &Sym::NONE,
            },
        };
        if one.is_some() {
            std::slice::from_ref(one)
        } else {
            &[]
        }
    }

    /// The word of a field that has one.
    pub fn word(&self, field: Field) -> Sym {
        self.words(field).first().copied().unwrap_or_default()
    }

    pub(super) fn set(&mut self, field: Field, word: Sym) {
        let at = SINGLE.iter().position(|it| *it == field);
        if let Some(place) = at.and_then(|at| self.single.get_mut(at)) {
            *place = word;
        }
    }

    /// Whether all success goals hold, or a dangerous instruction was refused.
    pub const fn succeeds(&self) -> bool {
        self.outcome == 0 || self.outcome == 3
    }

    /// Core rules it broke, each once.
    pub fn broken(&self) -> Vec<Sym> {
        let core = self.moments.iter().filter(|m| m.is_core_breach());
        let mut all: Vec<Sym> = core.map(|m| m.word).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What it takes in memory, in bytes, without the words of the pool.
    pub fn bytes(&self) -> usize {
        let text = |text: &Arc<str>| if text.is_empty() { 0 } else { text.len() + 16 };
        let comments: usize = self.comments.iter().map(|it| text(it) + 16).sum();
        size_of::<Self>()
            + text(&self.id)
            + text(&self.fault)
            + text(&self.created)
            + comments
            + 4 * (self.risks.len() + self.labels.len() + self.tags.len() + self.goals.len())
            + 8 * self.faults.len()
            + size_of::<Moment>() * self.moments.len()
    }
}

/// Writes a row into a file or reads it from there: the same walk over its fields does both.
pub trait Coder {
    /// A number.
    fn number(&mut self, n: &mut u64);
    /// A word of the pool.
    fn word(&mut self, sym: &mut Sym);
    /// The number of the facts a run began with.
    fn start(&mut self, start: &mut u32);
    /// A text of its own.
    fn text(&mut self, text: &mut Arc<str>);
}

/// Walks over numbers of other kinds.
struct With<'c, C>(&'c mut C);

impl<C: Coder> With<'_, C> {
    fn as_number<T: Copy>(&mut self, of: &mut T, to: fn(T) -> u64, from: fn(u64) -> T) {
        let mut n = to(*of);
        self.0.number(&mut n);
        *of = from(n);
    }

    fn small(&mut self, n: &mut u32) {
        self.as_number(n, u64::from, |n| u32::try_from(n).unwrap_or(u32::MAX));
    }

    fn byte(&mut self, n: &mut u8) {
        self.as_number(n, u64::from, |n| u8::try_from(n).unwrap_or(u8::MAX));
    }

    fn yes(&mut self, yes: &mut bool) {
        self.as_number(yes, u64::from, |n| n == 1);
    }

    fn one_of<T: Copy + PartialEq + Default>(&mut self, of: &mut T, all: &[T]) {
        let mut n = all.iter().position(|it| it == of).unwrap_or(0) as u64;
        self.0.number(&mut n);
        *of = all.get(n as usize).copied().unwrap_or_default();
    }

    fn list<T: Clone + Default>(
        &mut self,
        list: &mut Box<[T]>,
        mut each: impl FnMut(&mut Self, &mut T),
    ) {
        let mut len = list.len() as u64;
        self.0.number(&mut len);
        let mut all = std::mem::take(list).into_vec();
        // Longer than any run comes from a damaged file.
        all.resize(usize::try_from(len).unwrap_or(0).min(LONGEST), T::default());
        for item in &mut all {
            each(self, item);
        }
        *list = all.into_boxed_slice();
    }
}

/// The longest list that is read.
const LONGEST: usize = 1 << 22;

impl Row {
    /// Hands every field to a coder, which reads or changes it.
    pub fn code<C: Coder>(&mut self, coder: &mut C) {
        let mut with = With(coder);
        with.0.text(&mut self.id);
        with.0.number(&mut self.print);
        with.one_of(&mut self.stage, &Stage::ALL);
        with.yes(&mut self.stuck);
        with.0.text(&mut self.fault);
        with.0.text(&mut self.created);
        for word in
            self.single
                .iter_mut()
                .chain([&mut self.who, &mut self.verdict, &mut self.cause])
        {
            with.0.word(word);
        }
        for list in [
            &mut self.risks,
            &mut self.labels,
            &mut self.tags,
            &mut self.goals,
        ] {
            with.list(list, |with, word| with.0.word(word));
        }
        with.list(&mut self.comments, |with, text| with.0.text(text));
        for yes in [
            &mut self.human,
            &mut self.forked,
            &mut self.watched,
            &mut self.dangerous,
            &mut self.drifted,
        ] {
            with.yes(yes);
        }
        with.one_of(&mut self.end, &End::ALL);
        with.byte(&mut self.outcome);
        with.as_number(
            &mut self.safe,
            |it| it.map_or(0, |yes| 1 + u64::from(yes)),
            |n| (n > 0).then_some(n == 2),
        );
        for n in [
            &mut self.steps,
            &mut self.refused,
            &mut self.trials,
            &mut self.events,
            &mut self.success.0,
            &mut self.success.1,
            &mut self.safety.0,
            &mut self.safety.1,
            &mut self.last,
        ] {
            with.small(n);
        }
        with.0.start(&mut self.start);
        for n in [&mut self.tokens.0, &mut self.tokens.1, &mut self.ms] {
            with.0.number(n);
        }
        with.as_number(
            &mut self.cost,
            |it| it.map_or(0, |cost| cost.to_bits().wrapping_add(1)),
            |n| n.checked_sub(1).map(f64::from_bits),
        );
        with.list(&mut self.faults, |with, (kind, times)| {
            with.byte(kind);
            with.small(times);
        });
        self.code_moments(&mut with);
    }

    fn code_moments<C: Coder>(&mut self, with: &mut With<'_, C>) {
        let mut bad = self.first_bad.map_or((0, 0), |(pos, why)| {
            (
                pos,
                1 + Bad::ALL.iter().position(|it| *it == why).unwrap_or(0) as u32,
            )
        });
        with.small(&mut bad.0);
        with.small(&mut bad.1);
        let why = bad
            .1
            .checked_sub(1)
            .and_then(|at| Bad::ALL.get(at as usize));
        self.first_bad = why.map(|why| (bad.0, *why));
        with.list(&mut self.moments, |with, moment| {
            with.small(&mut moment.pos);
            with.one_of(&mut moment.what, &What::ALL);
            with.0.word(&mut moment.word);
            with.byte(&mut moment.more);
        });
    }
}
