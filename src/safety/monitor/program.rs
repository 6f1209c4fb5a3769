//! A book bound to a scene: cell families in order, ranges, plans, and who reads what.

use std::sync::Arc;

use crate::safety::book::BoundFact;
use crate::safety::formula::{Bound, Formula, Slot};
use crate::safety::verdict::{MAX_OUTER, RuleIx};
use crate::sim::vocab::{Dialect, Ix, Rels};
use crate::sim::world::World;

use super::atom::{Atom, DomId, FamIx, Lit, Pack, Part, When};
use super::budget;
use super::dom::Doms;
use super::lists::Listed;
use super::norm::{Family, Kind, Norm, Unfit};
use super::plan::Planner;
use super::readers::{Collect, Readers};
use super::view::{self, Words};

/// What a program is made of, already bound to the dialect.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The nodes of every guard, ascending.
    pub guards: Vec<Vec<Ix>>,
    /// Tracked facts in the order of their updates.
    pub facts: Vec<BoundFact>,
    /// Rules to watch.
    pub rules: Vec<(RuleIx, Bound)>,
}

/// Rules bound to a scene. Shared by all monitors of that scene.
#[derive(Debug)]
pub struct Program {
    pub(super) doms: Doms,
    pub(super) families: Vec<Family>,
    /// Per tracked fact its family.
    pub(super) tracked: Vec<FamIx>,
    /// Families of rule bodies.
    pub(super) bodies: Vec<FamIx>,
    /// By rank: families whose cells grow older.
    pub(super) counting: Vec<u64>,
    /// Verbs of actions that some formula asks for one position later.
    pub(super) echo: u64,
    /// Per family: whether its conjunctions that no action makes true read the position before.
    pub(super) lasting: Vec<bool>,
    /// Families that may move up to this position without a change.
    pub(super) early: Vec<(u32, FamIx)>,
    /// Conjunctions that may begin to hold up to this position without a change.
    pub(super) early_scans: Vec<(u32, FamIx, u16)>,
    pub(super) readers: Readers,
    /// Families in the order they are settled, and per family its place in it.
    pub(super) order: Vec<FamIx>,
    pub(super) rank: Vec<u16>,
    pub(super) listed: Listed,
    pub(super) pack: Pack,
    pub(super) words: Words,
    pub(super) me: Ix,
    pub(super) rules: Vec<(RuleIx, Bound)>,
    pub(super) idle: Vec<RuleIx>,
}

/// Why a rule or a tracked fact is not watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unwatched {
    /// A rule, and the reason in words.
    Rule(RuleIx, String),
    /// A tracked fact by number, and the reason in words.
    Fact(usize, String),
    /// A rule that would cost too much in this scene, and how much in words.
    Costly(RuleIx, String),
    /// The same of a tracked fact.
    CostlyFact(usize, String),
}

impl Program {
    /// Binds rules to the scene of a world that stands at its start. Rules and facts over their budget are left out.
    pub fn compile(mut input: Input, world: &World) -> (Self, Vec<Unwatched>) {
        let mut costly = Vec::new();
        loop {
            let (program, mut wrong) = Self::bind(input.clone(), world);
            let over = program.over(world);
            if over.is_empty() {
                wrong.splice(0..0, costly);
                return (program, wrong);
            }
            for it in &over {
                match it {
                    Unwatched::Costly(rule, _) => input.rules.retain(|r| r.0 != *rule),
                    Unwatched::CostlyFact(fact, _) => {
                        if let Some(fact) = input.facts.get_mut(*fact) {
                            // It keeps its place: rules that read it are left out too, but facts are numbered.
                            let params = std::mem::take(&mut fact.params);
                            *fact = BoundFact {
                                params,
                                ..BoundFact::default()
                            };
                        }
                    }
                    Unwatched::Rule(..) | Unwatched::Fact(..) => {}
                }
            }
            costly.extend(over);
        }
    }

    /// The rules and facts that would cost too much in this scene.
    fn over(&self, world: &World) -> Vec<Unwatched> {
        let rooms = view::rooms(world.graph(), self.words, self.me);
        let over = budget::over(self, (world.graph(), &rooms));
        if over.iter().all(Option::is_none) {
            return Vec::new();
        }
        let mut all = Vec::new();
        for (fam, family) in self.families.iter().enumerate() {
            let Some(why) = budget::reached(fam as FamIx, &self.families, &over) else {
                continue;
            };
            match family.kind {
                Kind::Body(rule) => all.push(Unwatched::Costly(rule, why.clone())),
                Kind::Tracked(_) => {
                    let place = self.tracked.iter().position(|t| usize::from(*t) == fam);
                    all.extend(place.map(|i| Unwatched::CostlyFact(i, why.clone())));
                }
                _ => {}
            }
        }
        all
    }

    fn bind(input: Input, world: &World) -> (Self, Vec<Unwatched>) {
        let mut doms = Doms::default();
        let guards = input.guards.into_iter().map(|g| doms.put(g)).collect();
        let pack = Pack::new(world.scene().len());
        let mut norm = Norm::new(doms, guards, pack, world.me());
        let mut wrong = Vec::new();
        facts(&mut norm, &input.facts, &mut wrong);
        let mut idle = Vec::new();
        for (rule, bound) in &input.rules {
            match body(&mut norm, *rule, bound) {
                Ok(true) => {}
                Ok(false) => idle.push(*rule),
                Err(why) => wrong.push(Unwatched::Rule(*rule, why)),
            }
        }
        let Norm {
            doms,
            mut families,
            tracked,
            order,
            ..
        } = norm;
        let mut rank = vec![0; families.len()];
        for (i, fam) in order.iter().enumerate() {
            rank[usize::from(*fam)] = i as u16;
        }
        let words = words(world.dialect());
        let rooms = view::rooms(world.graph(), words, world.me());
        let mut listed = Listed::default();
        let mut planner = Planner::new(&doms, (world.graph(), &rooms), &mut listed);
        for f in &mut families {
            let parts = [&mut f.on, &mut f.keep, &mut f.start];
            parts.into_iter().flatten().for_each(|c| planner.plan(c));
        }
        let readers = collect(&families, planner, world);
        listed.finish(&doms, world.scene());
        let rules = input.rules;
        let program = Self {
            bodies: numbers(&families, |f| matches!(f.kind, Kind::Body(_))),
            echo: echo(&families),
            lasting: families.iter().map(is_lasting).collect(),
            counting: counting(&families, &order),
            early: early(&families),
            early_scans: early_scans(&families),
            listed,
            words,
            me: world.me(),
            doms,
            families,
            tracked,
            readers,
            order,
            rank,
            pack,
            rules,
            idle,
        };
        (program, wrong)
    }

    /// The rules it was made of, with what they are bound to.
    pub fn rules(&self) -> &[(RuleIx, Bound)] {
        &self.rules
    }

    /// Rules without an instance in this scene.
    pub fn idle_rules(&self) -> &[RuleIx] {
        &self.idle
    }

    /// What a rule was bound to; `None` when it is not watched.
    pub fn bound(&self, rule: RuleIx) -> Option<&Bound> {
        let found = self.rules.iter().find(|r| r.0 == rule);
        found.map(|(_, bound)| bound)
    }

    /// How many cell families and readers there are, for measurements.
    pub const fn size(&self) -> (usize, usize) {
        (self.families.len(), self.readers.all.len())
    }

    /// A program that watches nothing.
    pub fn empty(world: &World) -> Arc<Self> {
        Arc::new(Self::compile(Input::default(), world).0)
    }
}

/// Later facts may be read before they are settled, so every family gets its number first and its turn afterwards.
fn facts(norm: &mut Norm, all: &[BoundFact], wrong: &mut Vec<Unwatched>) {
    for fact in all {
        let keys = fact.params.iter().map(|b| norm.guard(*b)).collect();
        let family = Family {
            kind: Kind::Tracked(fact.lasts),
            keys,
            on: Vec::new(),
            keep: Vec::new(),
            start: Vec::new(),
        };
        if let Ok(fam) = norm.put(family) {
            norm.tracked.push(fam);
        }
    }
    norm.order.clear();
    for (i, fact) in all.iter().enumerate() {
        norm.settled = i;
        if let Err(why) = one_fact(norm, i, fact) {
            wrong.push(Unwatched::Fact(i, why));
        }
        norm.order.extend(norm.tracked.get(i));
        let waiting = norm.waiting_for(i);
        norm.order.extend(waiting);
    }
    norm.settled = all.len();
}

fn one_fact(norm: &mut Norm, i: usize, fact: &BoundFact) -> Result<(), Unfit> {
    let Some(&fam) = norm.tracked.get(i) else {
        return Err("there are too many facts".into());
    };
    let vars: Vec<(Slot, DomId)> = fact
        .params
        .iter()
        .map(|b| (b.slot, norm.guard(*b)))
        .collect();
    let none = Formula::Not(Box::new(Formula::True));
    let part = |f: &Option<Formula>| f.clone().unwrap_or_else(|| none.clone());
    // Set and not reset at once, or held up.
    let on = Formula::Or(vec![
        Formula::And(vec![
            part(&fact.set),
            Formula::Not(Box::new(part(&fact.reset))),
        ]),
        part(&fact.during),
    ]);
    let on = norm.conjs(&on, false, &vars)?;
    let keep = norm.conjs(&part(&fact.reset), false, &vars)?;
    let start = norm.conjs(&part(&fact.start), false, &vars)?;
    let family = &mut norm.families[usize::from(fam)];
    (family.on, family.keep, family.start) = (on, keep, start);
    Ok(())
}

/// False when the rule has no instance in the scene.
fn body(norm: &mut Norm, rule: RuleIx, bound: &Bound) -> Result<bool, Unfit> {
    if bound.outer.len() > MAX_OUTER {
        return Err(format!("it has more than {MAX_OUTER} outer variables"));
    }
    let vars: Vec<(Slot, DomId)> = bound
        .outer
        .iter()
        .map(|b| (b.slot, norm.guard(*b)))
        .collect();
    if vars.iter().any(|v| norm.doms.len(v.1) == 0) {
        return Ok(false);
    }
    let on = norm.conjs(&bound.body, true, &vars)?;
    if on.is_empty() {
        return Ok(false);
    }
    norm.put(Family {
        kind: Kind::Body(rule),
        keys: vars.iter().map(|v| v.1).collect(),
        on,
        keep: Vec::new(),
        start: Vec::new(),
    })?;
    Ok(true)
}

fn collect(families: &[Family], planner: Planner<'_>, world: &World) -> Readers {
    let dialect = world.dialect();
    let lists = |n: usize| vec![Vec::new(); n];
    let mut collect = Collect {
        planner,
        me: world.me(),
        all: Vec::new(),
        states: lists(dialect.states.len()),
        first: lists(dialect.relations.len()),
        second: lists(dialect.relations.len()),
        near: Vec::new(),
        held: Vec::new(),
        room: Vec::new(),
        within: Vec::new(),
        acts: vec![Vec::new(); dialect.actions.len()],
        cells: vec![Vec::new(); families.len()],
        families,
    };
    collect.collect();
    collect.finish(world.scene().len())
}

fn numbers(families: &[Family], fits: impl Fn(&Family) -> bool) -> Vec<FamIx> {
    let all = families.iter().enumerate();
    all.filter(|(_, f)| fits(f))
        .map(|(i, _)| i as FamIx)
        .collect()
}

fn counting(families: &[Family], order: &[FamIx]) -> Vec<u64> {
    let mut bits = vec![0; families.len() / 64 + 1];
    for (rank, &fam) in order.iter().enumerate() {
        let kind = families[usize::from(fam)].kind;
        if matches!(kind, Kind::Run(_) | Kind::Tracked(Some(_))) {
            bits[rank / 64] |= 1 << (rank % 64);
        }
    }
    bits
}

/// Calls `f` with every literal of a part.
fn each_lit(part: &Part, f: &mut dyn FnMut(&Lit)) {
    match part {
        Part::Lit(lit) => f(lit),
        Part::Sub { conjs, .. } => {
            let parts = conjs.iter().flat_map(|c| &c.parts);
            parts.for_each(|p| each_lit(p, f));
        }
    }
}

fn echo(families: &[Family]) -> u64 {
    let mut verbs = 0;
    let conjs = families.iter().flat_map(|f| f.on.iter().chain(&f.keep));
    for part in conjs.flat_map(|c| &c.parts) {
        each_lit(part, &mut |lit| {
            if let (Atom::Act(mask, _), true) = (&lit.atom, lit.prev) {
                verbs |= mask;
            }
        });
    }
    verbs
}

fn is_lasting(family: &Family) -> bool {
    let mut prev = false;
    let conjs = family.on.iter().filter(|c| c.when == When::Any);
    for part in conjs.flat_map(|c| &c.parts) {
        each_lit(part, &mut |lit| prev |= lit.prev);
    }
    prev
}

fn early(families: &[Family]) -> Vec<(u32, FamIx)> {
    let of = |f: &Family| f.on.iter().chain(&f.keep).map(|c| c.early).max();
    let all = families.iter().enumerate();
    all.filter_map(|(i, f)| Some((of(f).filter(|e| *e > 0)?, i as FamIx)))
        .collect()
}

fn early_scans(families: &[Family]) -> Vec<(u32, FamIx, u16)> {
    let mut all = Vec::new();
    for (fam, f) in families.iter().enumerate() {
        for (i, c) in f.on.iter().enumerate() {
            if c.early > 0 && c.when == When::Any {
                all.push((c.early, fam as FamIx, i as u16));
            }
        }
    }
    all
}

fn words(dialect: &'static Dialect) -> Words {
    let rules = dialect.rules;
    Words {
        near: dialect.near,
        inside: rules.inside,
        at: Rels::of(&[rules.on, rules.inside]),
        hands: Rels::of(rules.hands),
    }
}
