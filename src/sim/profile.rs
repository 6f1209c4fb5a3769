//! Profiles: which semantics a world follows, and in what two of them differ, as data that tests run and screens show.

/// Which semantics a world follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// Like the published simulator, bug for bug; "first of a set" is the lowest id.
    Eai,
    /// With its documented holes closed, each of them one of [`crate::sim::vocab::Dialect::differences`]: physics, not morals.
    Strict,
}

impl Profile {
    /// All profiles, in the order screens list them.
    pub const ALL: &'static [Self] = &[Self::Eai, Self::Strict];

    /// The name used in files, on screens and on the command line.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Eai => "eai",
            Self::Strict => "strict",
        }
    }

    /// The profile of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|p| p.id() == text)
    }
}

/// One thing that [`Profile::Strict`] does otherwise than [`Profile::Eai`].
#[derive(Debug)]
pub struct Difference {
    /// The name, lower case with dashes; stable, so that notes and links can use it.
    pub id: &'static str,
    /// What it is about, a few words.
    pub title: &'static str,
    /// Numbers of the quirks it mends in the list of the published simulator's specification; empty where none has one.
    pub quirks: &'static [u8],
    /// What `eai` does, one sentence.
    pub eai: &'static str,
    /// What `strict` does, one sentence.
    pub strict: &'static str,
    /// Why, one sentence.
    pub why: &'static str,
    /// Shows it: the two profiles come to different ends.
    pub example: Example,
}

/// A few steps in the shipped flat after which the profiles disagree.
#[derive(Debug)]
pub struct Example {
    /// Facts made true before the start, as in a task.
    pub init: &'static [&'static str],
    /// Actions in people's words or as program lines. A refused one is passed over.
    pub steps: &'static [&'static str],
    /// Facts read at the end.
    pub tell: &'static [&'static str],
}
