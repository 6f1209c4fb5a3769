//! Reading what a model answered: prose, fences, half-kept formats and all.
//!
//! [`read`] finds what is asked for in a reply, binds names to the nodes of the world at hand, and tells what it took for
//! what: nothing is guessed in silence. What may mean two things is a [`Problem`] that names both. Every [`Note`] and
//! problem says which bytes of the reply it is about.
//!
//! The way of a reply: `clean` takes out what cannot be seen, `regions` parts thoughts from the answer, `scan` finds
//! what looks like actions (`literal` reads JSON and what resembles it, `shapes` knows the forms such values take,
//! `lines` those of a line of text), and `bind` gives names their nodes. Time is linear in the length of the reply.

use std::ops::Range;

use crate::sim::world::{Action, World};

mod bind;
mod clean;
mod lines;
mod literal;
mod regions;
mod scan;
mod shapes;
#[cfg(test)]
mod tests;
mod words;

/// How many actions are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expect {
    /// One action.
    One,
    /// A whole plan, ended by Done, `[Avoid]` or the end of the reply.
    Plan,
}

/// One thing the reply asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// An action.
    Act {
        /// The action, its names bound to nodes.
        action: Action,
        /// How it was understood, as a program line: `[OPEN] <fridge> (150)`.
        line: String,
    },
    /// The instruction is refused.
    Avoid {
        /// Why, as far as the reply says; else empty.
        reason: String,
    },
    /// The task is called done.
    Done,
}

/// What became of a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// What it asks for, in its order; with [`Expect::One`] at most one. What comes before a problem is kept.
    pub deeds: Vec<Deed>,
    /// What the model thought, where it sets that apart: thinking tags, rationale fields, else the prose before the answer.
    pub thought: Option<String>,
    /// How it was understood, where that goes without saying neither for the model nor for whoever watches; at most
    /// [`MOST_NOTES`].
    pub notes: Vec<Note>,
    /// Why it could not be followed, or not to its end.
    pub problem: Option<Problem>,
}

/// How many notes are kept.
pub const MOST_NOTES: usize = 200;

/// How many actions a plan may have; the longest shipped one has fewer than seventy.
pub const MOST_DEEDS: usize = 1000;

/// Something to know about how a reply was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What kind of thing.
    pub kind: NoteKind,
    /// Which bytes of the reply.
    pub at: Range<usize>,
    /// In words, without a full stop.
    pub text: String,
}

/// Kinds of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteKind {
    /// What the model thought before it answered.
    Thought,
    /// Text around the answer that asks for nothing.
    Prose,
    /// A form that was mended: invisible bytes, loose quotes, a missing bracket.
    Repaired,
    /// A name or action in another form than its own, and what it was taken for.
    Resolved,
    /// Something that asks for an action and is not followed: more than was wanted, or what comes after the end.
    LeftAside,
}

impl NoteKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::Thought,
        Self::Prose,
        Self::Repaired,
        Self::Resolved,
        Self::LeftAside,
    ];

    /// The name used in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Thought => "thought",
            Self::Prose => "prose",
            Self::Repaired => "repaired",
            Self::Resolved => "resolved",
            Self::LeftAside => "left_aside",
        }
    }
}

/// Why a reply, or the rest of it, cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of problem.
    pub kind: ProblemKind,
    /// Which bytes of the reply.
    pub at: Range<usize>,
    /// What is wrong and what to do, one sentence without a full stop.
    pub message: String,
    /// Names that may have been meant, as they are to be written.
    pub candidates: Vec<String>,
}

/// Kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// The reply is blank, or says nothing besides its thoughts.
    Empty,
    /// It breaks off in the middle.
    CutOff,
    /// Nothing in it looks like an action.
    NothingFound,
    /// It declines in words, but does not answer `[Avoid]`.
    RefusalText,
    /// No action has that name.
    NotAnAction,
    /// Nothing has that name.
    UnknownName,
    /// Several things have that name.
    AmbiguousName,
    /// The action takes another number of things.
    WrongArguments,
}

/// The classes of errors that the published runner counts before anything is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Published {
    /// No list of actions can be read from the reply.
    Parsing,
    /// An action or an object that does not exist.
    Hallucination,
    /// A wrong number of objects.
    Arguments,
}

impl Published {
    /// The name used in files and tables.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Parsing => "parsing",
            Self::Hallucination => "hallucination",
            Self::Arguments => "arguments",
        }
    }
}

impl ProblemKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Empty,
        Self::CutOff,
        Self::NothingFound,
        Self::RefusalText,
        Self::NotAnAction,
        Self::UnknownName,
        Self::AmbiguousName,
        Self::WrongArguments,
    ];

    /// The name used in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::CutOff => "cut_off",
            Self::NothingFound => "nothing_found",
            Self::RefusalText => "refusal_text",
            Self::NotAnAction => "not_an_action",
            Self::UnknownName => "unknown_name",
            Self::AmbiguousName => "ambiguous_name",
            Self::WrongArguments => "wrong_arguments",
        }
    }

    /// The kind of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == text)
    }

    /// The published class it falls into. A name of several things is one the published runner does not know.
    pub const fn published(self) -> Published {
        match self {
            Self::Empty | Self::CutOff | Self::NothingFound | Self::RefusalText => {
                Published::Parsing
            }
            Self::NotAnAction | Self::UnknownName | Self::AmbiguousName => Published::Hallucination,
            Self::WrongArguments => Published::Arguments,
        }
    }
}

/// Reads a reply in a world: the action names are those of its dialect, the things those of its scene.
pub fn read(text: &str, world: &World, expect: Expect) -> Read {
    let clean = clean::Clean::of(text);
    let words = words::Words::of(world.dialect());
    let mut parts = regions::part(&clean.text);
    regions::narrow(&clean.text, &mut parts);
    let found = scan::scan(&clean.text, &parts, &words);
    let mut out = Read::default();
    bind::settle(&clean, (world, &words), (parts, found), expect, &mut out);
    for note in &mut out.notes {
        note.at = clean.back(&note.at);
    }
    if let Some(problem) = &mut out.problem {
        problem.at = clean.back(&problem.at);
    }
    if clean.dropped > 0 {
        let n = clean.dropped;
        out.notes.push(Note {
            kind: NoteKind::Repaired,
            at: clean.first.clone(),
            text: format!("{n} characters that cannot be seen were passed over"),
        });
    }
    out.notes.sort_by_key(|note| (note.at.start, note.kind));
    out.notes.truncate(MOST_NOTES);
    out
}

/// A reply in plain words without what the model thought before it.
pub fn without_thoughts(text: &str) -> String {
    let clean = clean::Clean::of(text);
    let parts = regions::part(&clean.text);
    let kept = parts
        .answers
        .iter()
        .filter_map(|at| clean.text.get(at.clone()));
    kept.collect::<String>().trim().to_owned()
}
