//! From formulas to cell families: what a temporal operator remembers becomes a family of its own, the rest is brought
//! to negation normal form and taken apart into conjunctions.

use rustc_hash::FxHashMap;

use crate::safety::formula::{Binder, Formula, Slot, Term};
use crate::safety::verdict::RuleIx;
use crate::sim::vocab::{FactRead, Ix, Rels};

use super::atom::{Arg, Atom, Conj, DomId, FamIx, Pack};
use super::dom::Doms;
use super::slots::{free_slots, renamed};
use super::tree::{Tree, drafts};

/// What a family's cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Broken instances of a rule.
    Body(RuleIx),
    /// The formula held once.
    Once,
    /// The second formula held, and the first (`keep`) ever since.
    Since,
    /// The formula has held for more than so many positions.
    Run(u32),
    /// The formula holds.
    View,
    /// A tracked fact, and how many steps it outlives what set it. `keep` is what resets it.
    Tracked(Option<u32>),
}

/// Cells with the same definition, one for every tuple of its ranges.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub(super) kind: Kind,
    pub(super) keys: Vec<DomId>,
    /// Any of these makes a cell hold.
    pub(super) on: Vec<Conj>,
    /// The second formula of its kind.
    pub(super) keep: Vec<Conj>,
    /// What makes it hold at the start.
    pub(super) start: Vec<Conj>,
}

/// Why a formula cannot be watched.
pub(super) type Unfit = String;

/// Collects families.
pub(super) struct Norm {
    pub(super) doms: Doms,
    pub(super) guards: Vec<DomId>,
    pub(super) families: Vec<Family>,
    /// Families in the order they are settled.
    pub(super) order: Vec<FamIx>,
    /// Per tracked fact its family.
    pub(super) tracked: Vec<FamIx>,
    /// Tracked facts from here on are not settled yet where formulas of tracked facts are evaluated.
    pub(super) settled: usize,
    pub(super) pack: Pack,
    pub(super) me: Ix,
    /// Families that read a fact which is settled later: they are read one position later only, and settled after it.
    late: FxHashMap<FamIx, usize>,
    /// The latest such fact the family being made reads; outside of temporal operators nothing waits.
    waits: Option<usize>,
    nested: u32,
    made: FxHashMap<(Formula, Vec<DomId>), FamIx>,
    scope: Vec<(Slot, u16, DomId)>,
    uid: u16,
    pub(super) sub_depth: u32,
}

impl Norm {
    pub(super) fn new(doms: Doms, guards: Vec<DomId>, pack: Pack, me: Ix) -> Self {
        Self {
            doms,
            guards,
            families: Vec::new(),
            order: Vec::new(),
            tracked: Vec::new(),
            settled: 0,
            pack,
            me,
            late: FxHashMap::default(),
            waits: None,
            nested: 0,
            made: FxHashMap::default(),
            scope: Vec::new(),
            uid: 0,
            sub_depth: 0,
        }
    }

    /// Begins a family over these variables and gives their numbers.
    pub(super) fn open(&mut self, vars: &[(Slot, DomId)]) -> Vec<u16> {
        self.scope.clear();
        self.uid = 0;
        vars.iter()
            .map(|&(slot, dom)| self.declare(slot, dom))
            .collect()
    }

    fn declare(&mut self, slot: Slot, dom: DomId) -> u16 {
        let uid = self.uid;
        self.uid = self.uid.saturating_add(1);
        self.scope.push((slot, uid, dom));
        uid
    }

    pub(super) fn guard(&self, binder: Binder) -> DomId {
        self.guards
            .get(usize::from(binder.guard.0))
            .copied()
            .unwrap_or(0)
    }

    fn arg(&self, term: Term) -> Result<Arg, Unfit> {
        let Term::Var(slot) = term else {
            return Ok(Arg::Me);
        };
        let found = self.scope.iter().rev().find(|s| s.0 == slot);
        found
            .map(|&(_, uid, _)| Arg::Var(uid))
            .ok_or_else(|| "it reads a variable that nothing binds".into())
    }

    /// The formula, or its contrary, now or (where something came before) one position earlier.
    pub(super) fn tree(&mut self, f: &Formula, neg: bool, prev: bool) -> Result<Tree, Unfit> {
        Ok(match f {
            Formula::True => Tree::truth(!neg),
            Formula::Not(f) => self.tree(f, !neg, prev)?,
            Formula::And(all) => {
                let parts = self.trees(all, neg, prev)?;
                if neg {
                    Tree::any(parts)
                } else {
                    Tree::all(parts)
                }
            }
            Formula::Or(any) => {
                let parts = self.trees(any, neg, prev)?;
                if neg {
                    Tree::all(parts)
                } else {
                    Tree::any(parts)
                }
            }
            // `A x. f` is "for no x not f"; its contrary is "for some x not f".
            Formula::All(binders, f) => self.quantified(binders, f, (!neg, true, prev))?,
            Formula::Some(binders, f) => self.quantified(binders, f, (neg, false, prev))?,
            Formula::Prev(f) if !prev => {
                let inner = self.tree(f, neg, true)?;
                if inner.starts(neg) {
                    inner
                } else if neg {
                    Tree::any(vec![Tree::lit(Atom::Start, false, false), inner])
                } else {
                    Tree::all(vec![Tree::lit(Atom::Start, true, false), inner])
                }
            }
            Formula::Prev(_)
            | Formula::Once(_)
            | Formula::Hist(_)
            | Formula::Since(..)
            | Formula::Run(..) => self.remembered(f, neg, prev)?,
            atom => self.leaf(atom, neg, prev)?,
        })
    }

    fn trees(&mut self, all: &[Formula], neg: bool, prev: bool) -> Result<Vec<Tree>, Unfit> {
        all.iter().map(|f| self.tree(f, neg, prev)).collect()
    }

    fn quantified(
        &mut self,
        binders: &[Binder],
        f: &Formula,
        (none, inner_neg, prev): (bool, bool, bool),
    ) -> Result<Tree, Unfit> {
        let before = self.scope.len();
        let vars: Vec<(u16, DomId)> = binders
            .iter()
            .map(|&b| {
                let dom = self.guard(b);
                (self.declare(b.slot, dom), dom)
            })
            .collect();
        let inner = self.tree(f, inner_neg, prev);
        self.scope.truncate(before);
        let empty = vars.iter().any(|v| self.doms.len(v.1) == 0);
        Ok(Tree::quantified(vars, inner?, (none, empty)))
    }

    fn leaf(&mut self, f: &Formula, neg: bool, prev: bool) -> Result<Tree, Unfit> {
        let atom = match f {
            Formula::Start => Atom::Start,
            // The end is never followed by anything.
            Formula::End if prev => return Ok(Tree::truth(neg)),
            Formula::End => Atom::End,
            Formula::Same(a, b) => {
                let (a, b) = (self.arg(*a)?, self.arg(*b)?);
                if a == b {
                    return Ok(Tree::truth(!neg));
                }
                Atom::Same(a, b)
            }
            Formula::Is(guard, t) => {
                let dom = self.guards.get(usize::from(guard.0)).copied();
                let dom = dom.ok_or("it reads a set that does not exist")?;
                match self.arg(*t)? {
                    Arg::Me => {
                        return Ok(Tree::truth(self.doms.get(dom).has(self.me) != neg));
                    }
                    arg @ Arg::Var(_) => Atom::Is(dom, arg),
                }
            }
            Formula::Base(read, [a, b]) => {
                let (a, b) = (self.arg(*a)?, self.arg(*b)?);
                match read {
                    FactRead::State(s) => Atom::State(*s, a),
                    FactRead::Mine(s) => Atom::State(*s, Arg::Me),
                    FactRead::Edge(r) => Atom::Rel(Rels::of(&[*r]), a, b),
                    FactRead::Near => Atom::Near(a, b),
                    FactRead::Held => Atom::Held(a),
                    FactRead::InRoom => Atom::InRoom(a, b),
                    FactRead::SameRoom => Atom::SameRoom(a, b),
                    FactRead::Within => Atom::Within(a, b),
                }
            }
            Formula::Act(verbs, args) => {
                let mut bound = [None; 2];
                for (to, from) in bound.iter_mut().zip(args) {
                    *to = from.map(|t| self.arg(t)).transpose()?;
                }
                Atom::Act(*verbs, bound)
            }
            Formula::Tracked(id, args) => {
                let i = usize::from(id.0);
                let fam = *self.tracked.get(i).ok_or("it reads an unknown fact")?;
                let arity = self
                    .families
                    .get(usize::from(fam))
                    .map_or(0, |f| f.keys.len());
                let mut to = Vec::new();
                for t in args.iter().take(arity) {
                    to.push(self.arg(*t)?);
                }
                // A fact that is settled later still shows its earlier value.
                let prev = prev || (i >= self.settled && self.nested == 0);
                if !prev && i >= self.settled {
                    self.waits = self.waits.max(Some(i));
                }
                return Ok(Tree::lit(Atom::Cell(fam, to), neg, prev));
            }
            _ => return Err("it cannot be taken apart".into()),
        };
        let prev = prev && !atom.is_static();
        Ok(Tree::lit(atom, neg, prev))
    }

    /// A temporal operator: a literal on the cells of a family of its own.
    fn remembered(&mut self, f: &Formula, neg: bool, prev: bool) -> Result<Tree, Unfit> {
        if let Formula::Hist(inner) = f {
            let never = Formula::Once(Box::new(Formula::Not(inner.clone())));
            return self.remembered(&never, !neg, prev);
        }
        let mut free = Vec::new();
        free_slots(f, &mut Vec::new(), &mut free);
        let mut vars = Vec::new();
        let mut args = Vec::new();
        for slot in free {
            let found = self.scope.iter().rev().find(|s| s.0 == slot);
            let &(_, uid, dom) = found.ok_or("it reads a variable that nothing binds")?;
            vars.push((slot, dom));
            args.push(Arg::Var(uid));
        }
        let fam = self.temporal(f, &vars)?;
        let late = self.late.get(&fam).copied().filter(|i| *i >= self.settled);
        let prev = prev || (late.is_some() && self.nested == 0);
        if !prev {
            self.waits = self.waits.max(late);
        }
        // A counter's cell holds when the run is too long.
        let neg = neg != matches!(f, Formula::Run(..));
        Ok(Tree::lit(Atom::Cell(fam, args), neg, prev))
    }

    fn temporal(&mut self, f: &Formula, vars: &[(Slot, DomId)]) -> Result<FamIx, Unfit> {
        let keys: Vec<DomId> = vars.iter().map(|v| v.1).collect();
        let mut names = Vec::new();
        let canon = (renamed(f, vars, &mut names), keys.clone());
        if let Some(&fam) = self.made.get(&canon) {
            return Ok(fam);
        }
        if keys.len() > self.pack.room().min(8) {
            return Err("a temporal operator in it spans too many variables".into());
        }
        let outside = (std::mem::take(&mut self.scope), self.uid, self.waits.take());
        self.nested += 1;
        let made = self.family_of(f, vars);
        self.nested -= 1;
        let waits = self.waits;
        (self.scope, self.uid, self.waits) = outside;
        let fam = made?;
        if let Some(i) = waits {
            self.late.insert(fam, i);
            self.order.retain(|f| *f != fam);
        }
        self.made.insert(canon, fam);
        Ok(fam)
    }

    fn family_of(&mut self, f: &Formula, vars: &[(Slot, DomId)]) -> Result<FamIx, Unfit> {
        let (kind, on, keep) = match f {
            Formula::Once(f) => (Kind::Once, &**f, None),
            Formula::Since(f, g) => (Kind::Since, &**g, Some(&**f)),
            Formula::Run(f, k) => (Kind::Run(*k), &**f, None),
            other => (Kind::View, other, None),
        };
        let on = self.conjs(on, false, vars)?;
        let keep = keep.map_or(Ok(Vec::new()), |f| self.conjs(f, false, vars))?;
        self.put(Family {
            kind,
            keys: vars.iter().map(|v| v.1).collect(),
            on,
            keep,
            start: Vec::new(),
        })
    }

    pub(super) fn put(&mut self, family: Family) -> Result<FamIx, Unfit> {
        let fam = FamIx::try_from(self.families.len()).map_err(|_| "there are too many rules")?;
        self.families.push(family);
        self.order.push(fam);
        Ok(fam)
    }

    /// Families that waited for this fact, in the order they were made.
    pub(super) fn waiting_for(&self, fact: usize) -> Vec<FamIx> {
        let all = (0..self.families.len()).map(|i| i as FamIx);
        all.filter(|f| self.late.get(f) == Some(&fact)).collect()
    }

    /// The conjunctions of a formula over these variables.
    pub(super) fn conjs(
        &mut self,
        f: &Formula,
        neg: bool,
        vars: &[(Slot, DomId)],
    ) -> Result<Vec<Conj>, Unfit> {
        let uids = self.open(vars);
        let tree = self.tree(f, neg, false)?;
        let keys: Vec<(u16, DomId)> = uids.into_iter().zip(vars.iter().map(|v| v.1)).collect();
        self.finish(&drafts(&tree), &keys)
    }
}
