//! A formula as it is written, and its text.

use std::fmt;

use crate::plan::bddl::sexp::Word;

/// A formula. Built by [`crate::plan::bddl::parse()`] it is at most [`crate::plan::bddl::sexp::DEEPEST`] deep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A predicate of one or two objects: `(inside ?x ?cabinet.n.01_1)`.
    Atom {
        /// The predicate.
        predicate: Word,
        /// The objects.
        terms: Vec<Term>,
    },
    /// All of these.
    And(Vec<Self>),
    /// Some of these.
    Or(Vec<Self>),
    /// Not this.
    Not(Box<Self>),
    /// If the first, then the second.
    Imply(Box<Self>, Box<Self>),
    /// All objects of a type.
    ForAll(Typed, Box<Self>),
    /// Some object of a type.
    Exists(Typed, Box<Self>),
    /// So many objects of a type.
    ForN(u32, Typed, Box<Self>),
    /// Each object of the smaller type has one of the other.
    ForPairs(Typed, Typed, Box<Self>),
    /// So many pairs of objects of two types.
    ForNPairs(u32, Typed, Typed, Box<Self>),
}

/// What an atom speaks of: a variable in scope, or an object by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The name without question mark.
    pub name: Word,
    /// Whether it is written with one. That says nothing: published goals write objects so as well.
    pub marked: bool,
}

/// A variable and its type: `?x - plate.n.04`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The name without question mark.
    pub name: Word,
    /// The type.
    pub category: Word,
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.marked { "?" } else { "" };
        write!(f, "{mark}{}", self.name)
    }
}

impl fmt::Display for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(?{} - {})", self.name, self.category)
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, word: &str, all: &[Self]| {
            write!(f, "({word}")?;
            all.iter().try_for_each(|one| write!(f, " {one}"))?;
            f.write_str(")")
        };
        match self {
            Self::Atom { predicate, terms } => {
                write!(f, "({predicate}")?;
                terms.iter().try_for_each(|t| write!(f, " {t}"))?;
                f.write_str(")")
            }
            Self::And(all) => list(f, "and", all),
            Self::Or(all) => list(f, "or", all),
            Self::Not(one) => write!(f, "(not {one})"),
            Self::Imply(a, b) => write!(f, "(imply {a} {b})"),
            Self::ForAll(v, one) => write!(f, "(forall {v} {one})"),
            Self::Exists(v, one) => write!(f, "(exists {v} {one})"),
            Self::ForN(n, v, one) => write!(f, "(forn ({n}) {v} {one})"),
            Self::ForPairs(a, b, one) => write!(f, "(forpairs {a} {b} {one})"),
            Self::ForNPairs(n, a, b, one) => write!(f, "(fornpairs ({n}) {a} {b} {one})"),
        }
    }
}

impl Formula {
    /// The formulas directly within.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Atom { .. } => Vec::new(),
            Self::And(all) | Self::Or(all) => all.iter().collect(),
            Self::Imply(a, b) => vec![a, b],
            Self::Not(one)
            | Self::ForAll(_, one)
            | Self::Exists(_, one)
            | Self::ForN(_, _, one)
            | Self::ForPairs(_, _, one)
            | Self::ForNPairs(_, _, _, one) => vec![one],
        }
    }

    /// The variables it binds itself.
    pub fn variables(&self) -> Vec<&Typed> {
        match self {
            Self::ForAll(v, _) | Self::Exists(v, _) | Self::ForN(_, v, _) => vec![v],
            Self::ForPairs(a, b, _) | Self::ForNPairs(_, a, b, _) => vec![a, b],
            _ => Vec::new(),
        }
    }

    /// Calls `told` with this formula and all within, outer before inner.
    pub fn each<'f>(&'f self, told: &mut impl FnMut(&'f Self)) {
        told(self);
        for part in self.parts() {
            part.each(told);
        }
    }
}
