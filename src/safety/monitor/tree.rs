//! Formulas in negation normal form, and these as a few conjunctions.

use crate::sim::vocab::Rels;

use super::atom::{Arg, Atom, DomId, Lit};

/// A formula whose negations stand at its atoms.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    True,
    False,
    Lit(Lit),
    And(Vec<Self>),
    Or(Vec<Self>),
    /// For some values, it holds.
    Some(Vec<(u16, DomId)>, Box<Self>),
    /// For no values, it holds.
    None(Vec<(u16, DomId)>, Box<Self>),
}

impl Tree {
    pub(super) const fn truth(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }

    pub(super) const fn lit(atom: Atom, neg: bool, prev: bool) -> Self {
        Self::Lit(Lit { atom, neg, prev })
    }

    pub(super) fn all(parts: Vec<Self>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Self::True => {}
                Self::False => return Self::False,
                Self::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        merge(&mut flat, true);
        match flat.len() {
            0 => Self::True,
            1 => flat.swap_remove(0),
            _ => Self::And(flat),
        }
    }

    pub(super) fn any(parts: Vec<Self>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Self::False => {}
                Self::True => return Self::True,
                Self::Or(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        merge(&mut flat, false);
        match flat.len() {
            0 => Self::False,
            1 => flat.swap_remove(0),
            _ => Self::Or(flat),
        }
    }

    /// For some, or for no values. A range without nodes decides at once.
    pub(super) fn quantified(
        vars: Vec<(u16, DomId)>,
        inner: Self,
        (none, empty): (bool, bool),
    ) -> Self {
        match inner {
            Self::False => Self::truth(none),
            _ if empty => Self::truth(none),
            Self::True => Self::truth(!none),
            _ if none => Self::None(vars, Box::new(inner)),
            _ => Self::Some(vars, Box::new(inner)),
        }
    }

    /// Whether it is surely `value` at the start, where atoms of the earlier position are false.
    pub(super) fn starts(&self, value: bool) -> bool {
        match self {
            Self::True => value,
            Self::False => !value,
            Self::Lit(l) => l.prev && l.neg == value,
            Self::And(all) if value => all.iter().all(|t| t.starts(true)),
            Self::And(all) => all.iter().any(|t| t.starts(false)),
            Self::Or(all) if value => all.iter().any(|t| t.starts(true)),
            Self::Or(all) => all.iter().all(|t| t.starts(false)),
            Self::Some(_, t) => t.starts(value),
            Self::None(_, t) => t.starts(!value),
        }
    }
}

/// `ontop(x,y) | inside(x,y)` reads one list, so it is one atom; likewise neither of them.
fn merge(flat: &mut Vec<Tree>, neg: bool) {
    let mut i = 0;
    while i < flat.len() {
        let mut j = i + 1;
        while j < flat.len() {
            if let Some(both) = merged(&flat[i], &flat[j], neg) {
                flat[i] = both;
                flat.remove(j);
            } else {
                j += 1;
            }
        }
        i += 1;
    }
}

fn merged(a: &Tree, b: &Tree, neg: bool) -> Option<Tree> {
    let (Tree::Lit(x), Tree::Lit(y)) = (a, b) else {
        return None;
    };
    if x == y {
        return Some(a.clone());
    }
    let (Atom::Rel(mask, from, to), Atom::Rel(more, from2, to2)) = (&x.atom, &y.atom) else {
        return None;
    };
    let same = (from, to, x.prev) == (from2, to2, y.prev) && x.neg == neg && y.neg == neg;
    let mask = Rels(mask.0 | more.0);
    same.then(|| Tree::lit(Atom::Rel(mask, *from, *to), neg, x.prev))
}

/// A conjunction before its variables have places.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) vars: Vec<(u16, DomId)>,
    pub(super) parts: Vec<DraftPart>,
}

#[derive(Clone, Debug)]
pub(super) enum DraftPart {
    Lit(Lit),
    Sub { neg: bool, drafts: Vec<Draft> },
}

/// So many conjunctions a formula may become; what would become more stays together as one part.
const MOST: usize = 32;

/// The conjunctions of which any makes the tree true.
pub(super) fn drafts(tree: &Tree) -> Vec<Draft> {
    match tree {
        Tree::True => vec![Draft::default()],
        Tree::False => Vec::new(),
        Tree::Lit(l) => vec![Draft {
            vars: Vec::new(),
            parts: vec![DraftPart::Lit(l.clone())],
        }],
        Tree::Or(any) => {
            let all: Vec<Draft> = any.iter().flat_map(drafts).collect();
            if all.len() > MOST {
                vec![packed(false, all)]
            } else {
                all
            }
        }
        Tree::And(all) => product(all),
        Tree::Some(vars, inner) => {
            let mut all = drafts(inner);
            for d in &mut all {
                d.vars.extend(vars);
            }
            all
        }
        Tree::None(vars, inner) => {
            let mut all = drafts(inner);
            for d in &mut all {
                d.vars.extend(vars);
            }
            vec![if all.is_empty() {
                Draft::default()
            } else {
                packed(true, all)
            }]
        }
    }
}

fn packed(neg: bool, drafts: Vec<Draft>) -> Draft {
    Draft {
        vars: Vec::new(),
        parts: vec![DraftPart::Sub { neg, drafts }],
    }
}

fn product(all: &[Tree]) -> Vec<Draft> {
    let mut so_far = vec![Draft::default()];
    for tree in all {
        let mut next = drafts(tree);
        if next.len() * so_far.len() > MOST {
            next = vec![packed(false, next)];
        }
        let mut grown = Vec::with_capacity(next.len() * so_far.len());
        for left in &so_far {
            for right in &next {
                let mut both = left.clone();
                both.vars.extend(&right.vars);
                both.parts.extend(right.parts.iter().cloned());
                grown.push(both);
            }
        }
        so_far = grown;
    }
    so_far
}

/// The variables a draft reads but does not bind.
pub(super) fn free_args(drafts: &[Draft], found: &mut Vec<u16>) {
    for draft in drafts {
        let mut inner = Vec::new();
        for part in &draft.parts {
            match part {
                DraftPart::Lit(l) => inner.extend(l.atom.args().iter().filter_map(|a| match a {
                    Arg::Var(v) => Some(*v),
                    Arg::Me => None,
                })),
                DraftPart::Sub { drafts, .. } => free_args(drafts, &mut inner),
            }
        }
        found.extend(
            inner
                .into_iter()
                .filter(|v| !draft.vars.iter().any(|(own, _)| own == v)),
        );
    }
}
