//! A refusal: an action the world rejects, with the published code, the failed precondition and what would satisfy it.

use crate::sim::scene::Scene;
use crate::sim::vocab::{Ix, Rels, State};
use crate::sim::world::Ctx;

/// Why an action was rejected, in the words of the published taxonomy (specs: Evolving Graph §6) and beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Code 0: the precondition held earlier in the run and was undone.
    WrongOrder,
    /// Code 1: a step before this one is missing.
    MissingStep,
    /// Code 2: this object cannot be used in this way.
    Affordance,
    /// Code 3: no such object.
    Unseen,
    /// Code 4: the world is already so; the published runner skips the step.
    AlreadySo,
    /// The published simulator fails here without any code.
    Uncoded,
    /// The published simulator raises an exception here.
    Crash,
    /// The published simulator never returns here.
    Hang,
    /// The line is no action.
    Unparsable,
    /// The action has another number of targets.
    WrongArity,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::WrongOrder,
        Self::MissingStep,
        Self::Affordance,
        Self::Unseen,
        Self::AlreadySo,
        Self::Uncoded,
        Self::Crash,
        Self::Hang,
        Self::Unparsable,
        Self::WrongArity,
    ];

    /// The published numeric code, where there is one.
    pub const fn code(self) -> Option<u8> {
        match self {
            Self::WrongOrder => Some(0),
            Self::MissingStep => Some(1),
            Self::Affordance => Some(2),
            Self::Unseen => Some(3),
            Self::AlreadySo => Some(4),
            _ => None,
        }
    }

    /// The published name, used in files and where a screen explains itself.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WrongOrder => "WRONG_TEMPORAL_ORDER",
            Self::MissingStep => "MISSING_STEP",
            Self::Affordance => "AFFORDANCE_ERROR",
            Self::Unseen => "UNSEEN_OBJECT",
            Self::AlreadySo => "ADDITIONAL_STEP",
            Self::Uncoded => "UNCODED",
            Self::Crash => "CRASH",
            Self::Hang => "HANG",
            Self::Unparsable => "UNPARSABLE",
            Self::WrongArity => "WRONG_ARITY",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.name() == name)
    }

    /// The one letter that stands before a reason on screen.
    pub const fn letter(self) -> char {
        match self {
            Self::WrongOrder => 'O',
            Self::MissingStep => 'M',
            Self::Affordance => 'A',
            Self::Unseen => 'U',
            Self::AlreadySo => '=',
            Self::Uncoded | Self::Crash | Self::Hang => '#',
            Self::Unparsable => 'P',
            Self::WrongArity => 'N',
        }
    }

    /// The kind in plain words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::WrongOrder => "wrong order",
            Self::MissingStep => "missing step",
            Self::Affordance => "affordance",
            Self::Unseen => "unseen object",
            Self::AlreadySo => "already so",
            Self::Uncoded => "failure without code, as published",
            Self::Crash => "crash, as published",
            Self::Hang => "endless loop, as published",
            Self::Unparsable => "unparsable",
            Self::WrongArity => "wrong number of targets",
        }
    }
}

/// The precondition that failed. The agent is "you".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pre {
    /// You are near it.
    Close(Ix),
    /// You hold it.
    Holding(Ix),
    /// You hold anything.
    HoldingAny,
    /// You hold a knife.
    HoldingKnife,
    /// One of your hands is empty.
    FreeHand,
    /// You face it.
    Facing(Ix),
    /// The thing is not shut inside the container.
    NotShutIn(Ix, Ix),
    /// You stand.
    Standing,
    /// You sit or lie.
    Resting,
    /// You do not yet sit (lie).
    NotYet(State),
    /// A place is free on it.
    Room(Ix),
    /// The thing can be used in this way.
    Fit(Ix),
    /// The node has the state.
    State(Ix, State),
    /// The node lacks the state.
    NotState(Ix, State),
    /// The thing is worn.
    Worn(Ix),
    /// You are in the room of the thing.
    SameRoom(Ix),
    /// The thing is not remembered as already taken.
    NotTaken(Ix),
    /// The thing is remembered as taken from somewhere.
    Taken(Ix),
    /// The node is in a room.
    HasRoom(Ix),
    /// The node is not with you already: held, worn, carried or a part of you.
    NotWithYou(Ix),
    /// You are not on the node.
    NotOnIt(Ix),
    /// Something to drink or to pour is in the vessel.
    Filled(Ix),
    /// The way to the node is free: no closed door stands in it.
    PathOpen(Ix, Ix),
    /// You hold a tool of this kind.
    Tool(&'static str),
    /// The node is in or on such a thing, which is on if it can be.
    Within(Ix, &'static str),
    /// The node is no more than this many times too large for you or the container.
    Size(Ix),
    /// You want the parts of the node, which is cut up.
    Whole(Ix),
    /// The node is not kept cold.
    Warm(Ix),
    /// Something is on or in what you hold.
    Laden,
    /// The node exists.
    Exists,
    /// The published code can run this at all.
    Implemented,
    /// The line can be read.
    Readable,
}

/// A fact whose absence the published code records with a missing-step error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Record {
    /// One of these relations from a node to another; `to` is [`Ix::NONE`] for any.
    Edge {
        /// The subject.
        from: Ix,
        /// Any of these relations.
        rels: Rels,
        /// The object, or [`Ix::NONE`].
        to: Ix,
        /// Whether the fact is wanted absent.
        negate: bool,
    },
    /// A state of a node.
    State {
        /// The node.
        node: Ix,
        /// The state.
        state: State,
        /// Whether the fact is wanted absent.
        negate: bool,
    },
}

/// How several records combine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Records {
    /// The first record; the only one looked up when `all` is false.
    pub first: Option<Record>,
    /// The second one.
    pub second: Option<Record>,
    /// Whether both must have held at some time.
    pub all: bool,
}

impl Records {
    /// Nothing recorded.
    pub const NONE: Self = Self {
        first: None,
        second: None,
        all: false,
    };

    /// One record.
    pub const fn one(record: Record) -> Self {
        Self {
            first: Some(record),
            second: None,
            all: false,
        }
    }

    /// Two records that must both have held.
    pub const fn both(first: Record, second: Record) -> Self {
        Self {
            first: Some(first),
            second: Some(second),
            all: true,
        }
    }
}

/// Why an action was rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind.
    pub kind: Kind,
    /// The precondition that failed.
    pub pre: Pre,
    /// The published message, `{0}` and `{1}` standing for [`Self::nodes`]; empty where the original says nothing.
    pub template: &'static str,
    /// The nodes concerned.
    pub nodes: [Ix; 2],
    /// What the published code recorded as missing.
    pub records: Records,
    /// Text as written where no node stands for it (an unknown object, an unreadable line).
    pub written: Option<Box<str>>,
    /// What the published code checks once more on earlier states of the run, if it does: when it passes on one of them, the
    /// order of the steps is wrong too and that refusal is added.
    pub again: Option<Again>,
    /// What the published code complains of besides.
    pub more: Option<Box<Self>>,
}

/// A check to be run once more on earlier states.
#[derive(Clone, Copy, Debug)]
pub struct Again(pub fn(&Ctx<'_>, Ix, Ix) -> bool);

/// The check is no part of what a refusal says.
impl PartialEq for Again {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Again {}

impl Refusal {
    /// A refusal about up to two nodes.
    #[inline]
    pub const fn new(kind: Kind, pre: Pre, template: &'static str, nodes: [Ix; 2]) -> Self {
        Self {
            kind,
            pre,
            template,
            nodes,
            records: Records::NONE,
            written: None,
            again: None,
            more: None,
        }
    }

    /// The same refusal with a check that is run once more on earlier states.
    #[must_use]
    pub const fn checked_again(mut self, check: fn(&Ctx<'_>, Ix, Ix) -> bool) -> Self {
        self.again = Some(Again(check));
        self
    }

    /// This refusal and then those added to it.
    pub fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |r| r.more.as_deref())
    }

    /// Adds a refusal at the end.
    pub fn push(&mut self, refusal: Self) {
        match &mut self.more {
            Some(more) => more.push(refusal),
            None => self.more = Some(Box::new(refusal)),
        }
    }

    /// The same refusal with recorded missing facts.
    #[inline]
    #[must_use]
    pub const fn recording(mut self, records: Records) -> Self {
        self.records = records;
        self
    }

    /// An exception of the published code, by its Python name.
    pub const fn crash(exception: &'static str, pre: Pre, node: Ix) -> Self {
        Self::new(Kind::Crash, pre, exception, [node, Ix::NONE])
    }

    /// The message of the published code, or `None` where it gives none (a crash has only an exception).
    pub fn published(&self, scene: &Scene) -> Option<String> {
        match self.kind {
            Kind::Crash | Kind::Hang => None,
            _ if self.template.is_empty() => None,
            _ => Some(self.fill(self.template, |ix| scene.node(ix).published())),
        }
    }

    /// The message with names of the caller's choice.
    pub fn text(&self, name: &dyn Fn(Ix) -> String) -> String {
        self.fill(self.template, name)
    }

    /// Replaces `{0}`, `{1}` by names and `{w}` by the text as written.
    fn fill(&self, template: &str, name: impl Fn(Ix) -> String) -> String {
        let mut text = template.to_owned();
        for (mark, ix) in ["{0}", "{1}"].into_iter().zip(self.nodes) {
            if ix.is_some() && text.contains(mark) {
                text = text.replace(mark, &name(ix));
            }
        }
        if let Some(written) = &self.written {
            text = text.replace("{w}", written);
        }
        text
    }
}
