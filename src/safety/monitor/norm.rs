//! From formulas to cell families: what a temporal operator remembers becomes a family of its own, the rest is brought
//! to negation normal form and taken apart into conjunctions.

use rustc_hash::FxHashMap;

use crate::safety::formula::{Binder, Formula, Slot, Term};
use crate::safety::verdict::RuleIx;
use crate::sim::vocab::{FactRead, Ix, Rels};

use super::atom::{Arg, Atom, Conj, DomId, FamIx, Lit, MAX_VARS, Pack, Part, When};
use super::dom::Doms;
use super::tree::{Draft, DraftPart, Tree, drafts};

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
    sub_depth: u32,
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

    /// Gives variables their places and takes what is fixed for the scene into their ranges.
    fn finish(&mut self, drafts: &[Draft], outer: &[(u16, DomId)]) -> Result<Vec<Conj>, Unfit> {
        let mut all = Vec::new();
        for draft in drafts {
            if let Some(conj) = self.finish_one(draft, outer)? {
                all.push(conj);
            }
        }
        Ok(all)
    }

    fn finish_one(&mut self, draft: &Draft, outer: &[(u16, DomId)]) -> Result<Option<Conj>, Unfit> {
        let mut used = Vec::new();
        super::tree::free_args(
            &[Draft {
                vars: Vec::new(),
                parts: draft.parts.clone(),
            }],
            &mut used,
        );
        let mut vars = outer.to_vec();
        // A variable nothing reads only needs a range that is not empty.
        vars.extend(draft.vars.iter().filter(|(v, _)| used.contains(v)));
        if vars.len() > MAX_VARS {
            return Err("it binds too many variables at once".into());
        }
        let mut parts = Vec::new();
        let first_own = if self.sub_depth == 0 { 0 } else { outer.len() };
        for part in &draft.parts {
            if let DraftPart::Lit(Lit {
                atom: Atom::Is(dom, Arg::Var(v)),
                neg,
                ..
            }) = part
                && let Some(at) = vars.iter().position(|(uid, _)| uid == v)
                && at >= first_own
            {
                vars[at].1 = self.doms.narrow(vars[at].1, *dom, !neg);
                continue;
            }
            parts.push(part);
        }
        self.same_range(&parts, &mut vars);
        if vars.iter().any(|v| self.doms.len(v.1) == 0) || never(&parts) {
            return Ok(None);
        }
        let mut placed = Vec::new();
        for part in parts {
            placed.push(match part {
                DraftPart::Lit(l) => Part::Lit(place(l, &vars)),
                DraftPart::Sub { neg, drafts } => {
                    let conjs = self.finish_sub(drafts, &vars)?;
                    match (conjs.is_empty(), *neg) {
                        (true, true) => continue,
                        (true, false) => return Ok(None),
                        _ => Part::Sub { neg: *neg, conjs },
                    }
                }
            });
        }
        Ok(Some(conj(placed, &vars, outer.len())))
    }

    /// Two variables that stand for the same node range over what both may be.
    fn same_range(&mut self, parts: &[&DraftPart], vars: &mut [(u16, DomId)]) {
        for part in parts {
            if let DraftPart::Lit(Lit {
                atom: Atom::Same(Arg::Var(a), Arg::Var(b)),
                neg: false,
                ..
            }) = part
                && self.sub_depth == 0
                && let Some(a) = vars.iter().position(|v| v.0 == *a)
                && let Some(b) = vars.iter().position(|v| v.0 == *b)
            {
                let both = self.doms.narrow(vars[a].1, vars[b].1, true);
                vars[a].1 = both;
                vars[b].1 = both;
            }
        }
    }

    fn finish_sub(&mut self, drafts: &[Draft], vars: &[(u16, DomId)]) -> Result<Vec<Conj>, Unfit> {
        self.sub_depth += 1;
        let conjs = self.finish(drafts, vars);
        self.sub_depth -= 1;
        conjs
    }
}

fn place(lit: &Lit, vars: &[(u16, DomId)]) -> Lit {
    let mut at = |arg: Arg| match arg {
        Arg::Me => Arg::Me,
        Arg::Var(uid) => Arg::Var(vars.iter().position(|v| v.0 == uid).unwrap_or(0) as u16),
    };
    Lit {
        atom: lit.atom.map(&mut at),
        neg: lit.neg,
        prev: lit.prev,
    }
}

/// Whether it needs an action at the start, where none was done.
fn never(parts: &[&DraftPart]) -> bool {
    let has = |test: fn(&Atom) -> bool| {
        let fits =
            |p: &&DraftPart| matches!(p, DraftPart::Lit(l) if !l.neg && !l.prev && test(&l.atom));
        parts.iter().any(fits)
    };
    has(|a| matches!(a, Atom::Act(..))) && has(|a| matches!(a, Atom::Start))
}

fn conj(parts: Vec<Part>, vars: &[(u16, DomId)], base: usize) -> Conj {
    let has = |test: fn(&Lit) -> bool| parts.iter().any(|p| matches!(p, Part::Lit(l) if test(l)));
    Conj {
        doms: vars.iter().map(|v| v.1).collect(),
        base,
        when: if has(|l| matches!(l.atom, Atom::End) && !l.neg) {
            When::End
        } else if has(|l| matches!(l.atom, Atom::Start) && !l.neg && !l.prev) {
            When::Start
        } else if has(|l| matches!(l.atom, Atom::Act(..)) && !l.neg && !l.prev) {
            When::Act
        } else {
            When::Any
        },
        settled: parts.iter().all(settled),
        early: parts.iter().map(early).max().unwrap_or(0),
        parts,
        full: Vec::new(),
        scan: Vec::new(),
    }
}

/// Whether it reads no cell of the position itself.
fn settled(part: &Part) -> bool {
    match part {
        Part::Lit(l) => l.prev || !matches!(l.atom, Atom::Cell(..)),
        Part::Sub { conjs, .. } => conjs.iter().all(|c| c.settled),
    }
}

fn early(part: &Part) -> u32 {
    match part {
        Part::Lit(l) => u32::from(l.prev) + u32::from(matches!(l.atom, Atom::Start)),
        Part::Sub { conjs, .. } => conjs.iter().map(|c| c.early).max().unwrap_or(0),
    }
}

/// The variables a formula reads but does not bind, in the order they appear.
fn free_slots(f: &Formula, bound: &mut Vec<Slot>, found: &mut Vec<Slot>) {
    let mut see = |t: &Term, bound: &[Slot]| {
        if let Term::Var(s) = t
            && !bound.contains(s)
            && !found.contains(s)
        {
            found.push(*s);
        }
    };
    match f {
        Formula::True | Formula::Start | Formula::End => {}
        Formula::Same(a, b) => {
            see(a, bound);
            see(b, bound);
        }
        Formula::Is(_, t) => see(t, bound),
        Formula::Base(_, args) | Formula::Tracked(_, args) => {
            for t in args {
                see(t, bound);
            }
        }
        Formula::Act(_, args) => args.iter().flatten().for_each(|t| see(t, bound)),
        Formula::Not(f)
        | Formula::Prev(f)
        | Formula::Once(f)
        | Formula::Hist(f)
        | Formula::Run(f, _) => {
            free_slots(f, bound, found);
        }
        Formula::And(all) | Formula::Or(all) => {
            for f in all {
                free_slots(f, bound, found);
            }
        }
        Formula::Since(f, g) => {
            free_slots(f, bound, found);
            free_slots(g, bound, found);
        }
        Formula::All(binders, f) | Formula::Some(binders, f) => {
            let before = bound.len();
            bound.extend(binders.iter().map(|b| b.slot));
            free_slots(f, bound, found);
            bound.truncate(before);
        }
    }
}

/// The formula with its variables numbered by appearance, so that equal ones share their cells.
fn renamed(f: &Formula, vars: &[(Slot, DomId)], names: &mut Vec<Slot>) -> Formula {
    let f_outer = f;
    if names.is_empty() {
        names.extend(vars.iter().map(|v| v.0));
    }
    let term = |t: &Term, names: &[Slot]| match t {
        Term::Me => Term::Me,
        Term::Var(s) => {
            let at = names
                .iter()
                .rposition(|n| n == s)
                .unwrap_or(usize::from(s.0));
            Term::Var(Slot(at as u8))
        }
    };
    let boxed = |f: &Formula, names: &mut Vec<Slot>| Box::new(renamed(f, vars, names));
    match f {
        Formula::True | Formula::Start | Formula::End => f.clone(),
        Formula::Same(a, b) => Formula::Same(term(a, names), term(b, names)),
        Formula::Is(g, t) => Formula::Is(*g, term(t, names)),
        Formula::Base(r, args) => Formula::Base(*r, args.map(|t| term(&t, names))),
        Formula::Tracked(i, args) => Formula::Tracked(*i, args.map(|t| term(&t, names))),
        Formula::Act(m, args) => Formula::Act(*m, args.map(|t| t.map(|t| term(&t, names)))),
        Formula::Not(f) => Formula::Not(boxed(f, names)),
        Formula::Prev(f) => Formula::Prev(boxed(f, names)),
        Formula::Once(f) => Formula::Once(boxed(f, names)),
        Formula::Hist(f) => Formula::Hist(boxed(f, names)),
        Formula::Run(f, k) => Formula::Run(boxed(f, names), *k),
        Formula::Since(f, g) => Formula::Since(boxed(f, names), boxed(g, names)),
        Formula::And(all) => Formula::And(all.iter().map(|f| renamed(f, vars, names)).collect()),
        Formula::Or(all) => Formula::Or(all.iter().map(|f| renamed(f, vars, names)).collect()),
        Formula::All(binders, f) | Formula::Some(binders, f) => {
            let all = matches!(f_outer, Formula::All(..));
            let before = names.len();
            names.extend(binders.iter().map(|b| b.slot));
            let inner = boxed(f, names);
            names.truncate(before);
            let binders = binders
                .iter()
                .enumerate()
                .map(|(i, b)| Binder {
                    slot: Slot((before + i) as u8),
                    guard: b.guard,
                })
                .collect();
            if all {
                Formula::All(binders, inner)
            } else {
                Formula::Some(binders, inner)
            }
        }
    }
}
