//! Names to numbers: a formula for one dialect, derived facts written out.

use std::collections::BTreeMap;
use std::fmt;

use crate::safety::ast::{self, Ast, Name};
use crate::safety::book::{Book, Derived};
use crate::safety::formula::{Binder, Formula, Guard, GuardId, MAX_SLOTS, Slot, Term, TrackedId};
use crate::sim::speech::{Means, Told};
use crate::sim::vocab::{Dialect, FactRead};

/// Why a rule or fact cannot be used in a dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotHere {
    /// What kind of word is missing.
    pub what: &'static str,
    /// The word.
    pub word: String,
}

impl fmt::Display for NotHere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this world has no {} {}", self.what, self.word)
    }
}

/// The guard a list of words means: sorted, each word once.
pub fn guard(words: &[Name]) -> Guard {
    let mut all: Vec<String> = words.iter().map(|n| n.text.clone()).collect();
    all.sort();
    all.dedup();
    Guard(all)
}

/// Binds formulas of one book to one dialect.
#[derive(Debug)]
pub struct Binding<'b> {
    book: &'b Book,
    dialect: &'static Dialect,
    vars: Vec<(&'b str, Term)>,
    next: u8,
}

type Bound<T> = Result<T, NotHere>;

impl<'b> Binding<'b> {
    /// Nothing is bound yet.
    pub const fn new(book: &'b Book, dialect: &'static Dialect) -> Self {
        Self {
            book,
            dialect,
            vars: Vec::new(),
            next: 0,
        }
    }

    /// Gives each variable the next slot; they stay bound.
    ///
    /// # Errors
    /// No alternative of a guard exists in the dialect.
    pub fn binders(&mut self, all: &'b [ast::Binder]) -> Bound<Vec<Binder>> {
        let mut bound = Vec::with_capacity(all.len());
        for binder in all {
            let guard = self.guard(&binder.guards)?;
            if usize::from(self.next) >= MAX_SLOTS {
                return Err(NotHere {
                    what: "room for the variable",
                    word: binder.var.text.clone(),
                });
            }
            let slot = Slot(self.next);
            self.next += 1;
            self.vars.push((&binder.var.text, Term::Var(slot)));
            bound.push(Binder { slot, guard });
        }
        Ok(bound)
    }

    fn guard(&self, words: &[Name]) -> Bound<GuardId> {
        let is_here = |n: &Name| {
            !n.text.starts_with(|c: char| c.is_ascii_uppercase())
                || self.dialect.rules_property(&n.text).is_some()
        };
        let missing = |what, word: &Name| {
            Err(NotHere {
                what,
                word: word.text.clone(),
            })
        };
        if let (Some(first), false) = (words.first(), words.iter().any(is_here)) {
            return missing("property", first);
        }
        self.found(&guard(words))
    }

    fn found(&self, wanted: &Guard) -> Bound<GuardId> {
        match self.book.guards.binary_search(wanted) {
            Ok(i) => Ok(GuardId(i as u16)),
            Err(_) => Err(NotHere {
                what: "guard",
                word: wanted.0.join("|"),
            }),
        }
    }

    /// Binds a formula whose free variables are bound.
    ///
    /// # Errors
    /// A word the dialect does not have.
    pub fn formula(&mut self, ast: &'b Ast) -> Bound<Formula> {
        Ok(match ast {
            Ast::True => Formula::True,
            Ast::Start => Formula::Start,
            Ast::End => Formula::End,
            Ast::Same(a, b) => Formula::Same(self.term(a)?, self.term(b)?),
            Ast::Fact(name, args) => self.fact(name, args)?,
            Ast::Act(verbs, args) => self.act(verbs, args)?,
            Ast::Not(f) => not(self.formula(f)?),
            Ast::And(all) => and(self.all(all)?),
            Ast::Or(all) => or(self.all(all)?),
            Ast::Implies(a, b) => or(vec![not(self.formula(a)?), self.formula(b)?]),
            Ast::Prev(f) => Formula::Prev(self.boxed(f)?),
            Ast::Once(f) => Formula::Once(self.boxed(f)?),
            Ast::Hist(f) => Formula::Hist(self.boxed(f)?),
            Ast::Since(a, b) => Formula::Since(self.boxed(a)?, self.boxed(b)?),
            Ast::Run(f, most) => Formula::Run(self.boxed(f)?, *most),
            Ast::All(binders, f) => {
                let (binders, f) = self.quantified(binders, f)?;
                Formula::All(binders, f)
            }
            Ast::Some(binders, f) => {
                let (binders, f) = self.quantified(binders, f)?;
                Formula::Some(binders, f)
            }
        })
    }

    fn boxed(&mut self, ast: &'b Ast) -> Bound<Box<Formula>> {
        self.formula(ast).map(Box::new)
    }

    fn all(&mut self, all: &'b [Ast]) -> Bound<Vec<Formula>> {
        all.iter().map(|f| self.formula(f)).collect()
    }

    fn quantified(
        &mut self,
        binders: &'b [ast::Binder],
        f: &'b Ast,
    ) -> Bound<(Vec<Binder>, Box<Formula>)> {
        let (vars, next) = (self.vars.len(), self.next);
        let binders = self.binders(binders)?;
        let f = self.boxed(f)?;
        self.vars.truncate(vars);
        self.next = next;
        Ok((binders, f))
    }

    fn term(&self, name: &Name) -> Bound<Term> {
        if name.text == "me" {
            return Ok(Term::Me);
        }
        let found = self.vars.iter().rev().find(|(v, _)| *v == name.text);
        found.map(|(_, term)| *term).ok_or_else(|| NotHere {
            what: "variable",
            word: name.text.clone(),
        })
    }

    fn fact(&mut self, name: &Name, args: &'b [Name]) -> Bound<Formula> {
        let mut terms = [Term::Me; 2];
        if args.len() <= terms.len() {
            for (place, arg) in terms.iter_mut().zip(args) {
                *place = self.term(arg)?;
            }
        }
        let book = self.book;
        if let Some(derived) = book.derived.iter().find(|d| d.name == name.text) {
            return self.derived(derived, args);
        }
        if let Some(i) = book.tracked.iter().position(|t| t.name == name.text) {
            return Ok(Formula::Tracked(TrackedId(i as u8), terms));
        }
        if let Some(word) = self.dialect.facts.iter().find(|f| f.name == name.text) {
            return Ok(Formula::Base(word.read, terms));
        }
        let said = self.dialect.speech.facts.iter();
        if let Some(saying) = said.into_iter().find(|s| s.name == name.text) {
            return self.means(&saying.means, terms);
        }
        if super::words::base_fact(&name.text).is_some() {
            return Err(NotHere {
                what: "fact",
                word: name.text.clone(),
            });
        }
        let guard = self.guard(std::slice::from_ref(name))?;
        Ok(Formula::Is(guard, terms[0]))
    }

    /// Writes out a derived fact: its parameters stand for the terms it is used with, nothing else is in scope.
    fn derived(&mut self, derived: &'b Derived, args: &[Name]) -> Bound<Formula> {
        let mut inner = Vec::with_capacity(args.len());
        for (param, arg) in derived.params.iter().zip(args) {
            inner.push((param.as_str(), self.term(arg)?));
        }
        let outer = std::mem::replace(&mut self.vars, inner);
        let bound = self.formula(&derived.body);
        self.vars = outer;
        bound
    }

    /// A fact in the dialect's own words.
    fn means(&self, means: &Means, terms: [Term; 2]) -> Bound<Formula> {
        let each = |all: &[Means]| -> Bound<Vec<Formula>> {
            all.iter().map(|m| self.means(m, terms)).collect()
        };
        Ok(match means {
            Means::Read(read) => Formula::Base(*read, terms),
            Means::Has(p) => {
                let word = self.dialect.prop_name(*p).to_owned();
                Formula::Is(self.found(&Guard(vec![word]))?, terms[0])
            }
            Means::Not(m) => not(self.means(m, terms)?),
            Means::All(all) => and(each(all)?),
            Means::Any(all) => or(each(all)?),
        })
    }

    fn act(&self, verbs: &[Name], args: &[Name]) -> Bound<Formula> {
        let mut terms = [None; 2];
        for (place, arg) in terms.iter_mut().zip(args) {
            *place = Some(self.term(arg)?);
        }
        let bit = |name: &str| {
            let (i, _) = self.dialect.action(name)?;
            1_u64.checked_shl(u32::from(i))
        };
        let mut mask = 0_u64;
        let mut others = Vec::new();
        for verb in verbs {
            mask |= bit(&verb.text).unwrap_or(0);
            let deeds = self.dialect.speech.deeds.iter();
            for deed in deeds.filter(|d| d.word == verb.text) {
                let all = deed.verbs.iter().filter_map(|v| bit(v));
                let all = all.fold(0, |mask, bit| mask | bit);
                match deed.told {
                    Told::Same => mask |= all,
                    told => others.push(placed(told, all, terms)),
                }
            }
        }
        if let (0, true, Some(first)) = (mask, others.is_empty(), verbs.first()) {
            return Err(NotHere {
                what: "action",
                word: first.text.clone(),
            });
        }
        if mask != 0 {
            others.push(Formula::Act(mask, terms));
        }
        Ok(match others.pop() {
            Some(one) if others.is_empty() => one,
            last => {
                others.extend(last);
                or(others)
            }
        })
    }
}

/// An action of one target, told as one of two: what was moved, and where to. Where rules leave a place open, anything
/// will do there.
fn placed(told: Told, mask: u64, [what, to]: [Option<Term>; 2]) -> Formula {
    let act = Formula::Act(mask, [to, None]);
    let Some(what) = what else {
        return act;
    };
    let prev = |f| Formula::Prev(Box::new(f));
    let held = || prev(Formula::Base(FactRead::Held, [what, Term::Me]));
    match (told, to) {
        (Told::Same, _) => Formula::Act(mask, [Some(what), to]),
        (Told::Placed(rel), Some(to)) => and(vec![
            act,
            Formula::Base(FactRead::Edge(rel), [what, to]),
            held(),
        ]),
        (Told::Placed(_), None) => {
            let now = Formula::Base(FactRead::Held, [what, Term::Me]);
            and(vec![act, held(), not(now)])
        }
        (Told::Poured(rel), Some(to)) => {
            let there = Formula::Base(FactRead::Edge(rel), [what, to]);
            and(vec![act, there.clone(), not(prev(there))])
        }
        // What came over is not told without where to.
        (Told::Poured(_), None) => and(vec![act, not(Formula::True)]),
    }
}

fn not(f: Formula) -> Formula {
    match f {
        Formula::Not(inner) => *inner,
        f => Formula::Not(Box::new(f)),
    }
}

fn and(all: Vec<Formula>) -> Formula {
    let mut flat = Vec::with_capacity(all.len());
    for f in all {
        match f {
            Formula::And(inner) => flat.extend(inner),
            f => flat.push(f),
        }
    }
    Formula::And(flat)
}

fn or(all: Vec<Formula>) -> Formula {
    let mut flat = Vec::with_capacity(all.len());
    for f in all {
        match f {
            Formula::Or(inner) => flat.extend(inner),
            f => flat.push(f),
        }
    }
    Formula::Or(flat)
}

/// How large a formula becomes when derived facts are written out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Variables bound at once.
    pub slots: usize,
    /// Levels.
    pub depth: usize,
    /// Operators and facts.
    pub parts: usize,
}

impl Size {
    fn beside(self, other: Self) -> Self {
        Self {
            slots: self.slots.max(other.slots),
            depth: self.depth.max(other.depth),
            parts: self.parts.saturating_add(other.parts),
        }
    }

    fn over(self, slots: usize) -> Self {
        Self {
            slots: self.slots + slots,
            depth: self.depth + 1,
            parts: self.parts.saturating_add(1),
        }
    }
}

/// The size of a formula, given those of the derived facts.
pub fn size(ast: &Ast, derived: &BTreeMap<String, Size>) -> Size {
    let both = |a: &Ast, b: &Ast| size(a, derived).beside(size(b, derived));
    match ast {
        Ast::True | Ast::Start | Ast::End | Ast::Same(..) | Ast::Act(..) => Size::default().over(0),
        Ast::Fact(name, _) => derived.get(&name.text).copied().unwrap_or_default().over(0),
        Ast::Not(f) | Ast::Prev(f) | Ast::Once(f) | Ast::Hist(f) | Ast::Run(f, _) => {
            size(f, derived).over(0)
        }
        Ast::And(all) | Ast::Or(all) => all
            .iter()
            .fold(Size::default(), |s, f| s.beside(size(f, derived)))
            .over(0),
        Ast::Implies(a, b) | Ast::Since(a, b) => both(a, b).over(0),
        Ast::All(binders, f) | Ast::Some(binders, f) => size(f, derived).over(binders.len()),
    }
}
