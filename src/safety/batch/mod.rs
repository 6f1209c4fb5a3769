//! The second evaluator: judges a run from nothing, straight from the definition of the language.
//!
//! It keeps the whole world of every position, asks every formula at every position by walking back through the run, and
//! remembers no answer. It is slow and meant to be obviously right: tests hold the monitor equal to it, and the rules'
//! examples are judged by it.

use std::collections::{BTreeMap, BTreeSet};

use super::book::{Book, BoundFact, Extra};
use super::formula::{Binder, Bound, Formula, Guard, MAX_SLOTS, Term, TrackedId};
use super::lang::bind::NotHere;
use super::ontology::members;
use super::rule::Rule;
use super::verdict::{Instance, MAX_OUTER, RuleIx};
use crate::sim::reading;
use crate::sim::scene::Scene;
use crate::sim::vocab::{DEEPEST, FactRead, Ix, Rels};
use crate::sim::world::{Action, World};

#[cfg(test)]
mod tests;

/// Rules and facts bound to a scene.
#[derive(Debug)]
pub struct Batch {
    rules: Vec<(RuleIx, Bound)>,
    /// By number of the fact; `None` where no rule needs it or the dialect lacks it.
    facts: Vec<Option<BoundFact>>,
    /// By number of the guard, ascending.
    members: Vec<Vec<Ix>>,
    absent: Vec<(RuleIx, NotHere)>,
}

impl Batch {
    /// Binds the wanted rules and the facts they need.
    pub fn new(book: &Book, scene: &Scene, wanted: impl Fn(&Rule) -> bool) -> Self {
        let dialect = scene.dialect();
        let (mut rules, mut absent) = (Vec::new(), Vec::new());
        let mut open = Vec::new();
        for (i, rule) in book.rules.iter().enumerate().filter(|(_, r)| wanted(r)) {
            let ix = RuleIx(i as u16);
            match book.bind(rule, dialect) {
                Ok(bound) => {
                    bound.body.tracked(&mut open);
                    rules.push((ix, bound));
                }
                Err(why) => absent.push((ix, why)),
            }
        }
        let mut facts: Vec<Option<BoundFact>> = vec![None; book.tracked.len()];
        while let Some(id) = open.pop() {
            let Some(place @ None) = facts.get_mut(usize::from(id.0)) else {
                continue;
            };
            if let Ok(fact) = book.bind_fact(id, dialect) {
                let formulas = [&fact.set, &fact.reset, &fact.during, &fact.start];
                for formula in formulas.into_iter().flatten() {
                    formula.tracked(&mut open);
                }
                *place = Some(fact);
            }
        }
        let mut used = vec![false; book.guards.len()];
        for (_, bound) in &rules {
            mark(&bound.outer, &bound.body, &mut used);
        }
        for fact in facts.iter().flatten() {
            for formula in [&fact.set, &fact.reset, &fact.during, &fact.start] {
                mark(
                    &fact.params,
                    formula.as_ref().unwrap_or(&Formula::True),
                    &mut used,
                );
            }
        }
        let of = |(guard, used): (&Guard, bool)| {
            if used {
                members(guard, &book.ontology, scene)
            } else {
                Vec::new()
            }
        };
        let members = book.guards.iter().zip(used).map(of).collect();
        Self {
            rules,
            facts,
            members,
            absent,
        }
    }

    /// Rules the dialect has no words for.
    pub fn absent(&self) -> &[(RuleIx, NotHere)] {
        &self.absent
    }

    /// How many instances a rule has in the scene.
    pub fn instances(&self, rule: RuleIx) -> usize {
        let found = self.rules.iter().find(|(r, _)| *r == rule);
        let size = |b: &Binder| self.range(*b).len();
        found.map_or(0, |(_, bound)| bound.outer.iter().map(size).product())
    }

    /// A run at its start. `extras` are tracked facts told by the scene or task.
    pub fn begin(&self, world: &World, extras: &[Extra]) -> Trace<'_> {
        let mut trace = Trace {
            batch: self,
            positions: vec![Position {
                world: world.clone(),
                action: None,
            }],
            kept: vec![vec![BTreeMap::new(); self.facts.len()]],
            ended: false,
        };
        for (i, fact) in self.facts.iter().enumerate() {
            let mut now = BTreeMap::new();
            if let Some(fact) = fact {
                let is_start = |env: &Env| {
                    let start = fact.start.as_ref();
                    start.is_some_and(|f| trace.holds(f, At::done(0), env))
                };
                trace.tuples(&fact.params, &mut |env| {
                    if is_start(env) {
                        now.insert(pair(env), 0);
                    }
                });
            }
            told(&mut now, i, extras, 0);
            trace.kept[0][i] = now;
        }
        trace
    }

    fn range(&self, binder: Binder) -> &[Ix] {
        self.members
            .get(usize::from(binder.guard.0))
            .map_or(&[], Vec::as_slice)
    }
}

/// Marks the guards that binders and a formula use.
fn mark(binders: &[Binder], formula: &Formula, used: &mut [bool]) {
    let mut add = |guard: usize| {
        if let Some(place) = used.get_mut(guard) {
            *place = true;
        }
    };
    for b in binders {
        add(usize::from(b.guard.0));
    }
    match formula {
        Formula::Is(guard, _) => add(usize::from(guard.0)),
        Formula::All(inner, _) | Formula::Some(inner, _) => {
            for b in inner {
                add(usize::from(b.guard.0));
            }
        }
        _ => {}
    }
    for part in formula.parts() {
        mark(&[], part, used);
    }
}

/// What variables stand for, by slot.
type Env = [Ix; MAX_SLOTS];

/// Nothing is bound.
const NOTHING: Env = [Ix::NONE; MAX_SLOTS];

/// The tuples a tracked fact holds of, with the position it was last made true.
type Kept = BTreeMap<[Ix; 2], u32>;

#[derive(Clone, Debug)]
struct Position {
    world: World,
    action: Option<Action>,
}

/// When a formula is asked: at a position, or at an attempt that left the position as it was.
#[derive(Clone, Copy)]
struct At {
    t: usize,
    attempt: Option<Action>,
}

impl At {
    const fn done(t: usize) -> Self {
        Self { t, attempt: None }
    }
}

/// A run as far as it has come.
#[derive(Clone, Debug)]
pub struct Trace<'b> {
    batch: &'b Batch,
    positions: Vec<Position>,
    /// By position and number of the fact.
    kept: Vec<Vec<Kept>>,
    ended: bool,
}

impl Trace<'_> {
    /// Adds the position after an executed action. `extras` are tracked facts that happenings of this step told.
    pub fn push(&mut self, action: Action, world: &World, extras: &[Extra]) {
        self.positions.push(Position {
            world: world.clone(),
            action: Some(action),
        });
        let t = self.positions.len() - 1;
        self.kept.push(self.kept[t - 1].clone());
        for i in 0..self.batch.facts.len() {
            let mut now = match &self.batch.facts[i] {
                Some(fact) => self.updated(fact, i, t),
                None => Kept::new(),
            };
            told(&mut now, i, extras, t as u32);
            self.kept[t][i] = now;
        }
    }

    /// What a fact holds of at `t`: set, then reset, then the standing condition, then age.
    fn updated(&self, fact: &BoundFact, i: usize, t: usize) -> Kept {
        let before = &self.kept[t - 1][i];
        let now_is = t as u32;
        let mut now = Kept::new();
        self.tuples(&fact.params, &mut |env| {
            let is =
                |f: &Option<Formula>| f.as_ref().is_some_and(|f| self.holds(f, At::done(t), env));
            let mut since = before.get(&pair(env)).copied();
            if is(&fact.set) {
                since = Some(now_is);
            }
            if is(&fact.reset) {
                since = None;
            }
            if is(&fact.during) {
                since = Some(now_is);
            }
            let young = |s: &u32| fact.lasts.is_none_or(|k| now_is - s <= k);
            if let Some(since) = since.filter(young) {
                now.insert(pair(env), since);
            }
        });
        now
    }

    /// Says that the run is over: `end` holds at its last position.
    pub const fn finish(&mut self) {
        self.ended = true;
    }

    /// The last position.
    pub const fn last(&self) -> usize {
        self.positions.len() - 1
    }

    /// Whether a tracked fact holds at a position; unused places are [`Ix::NONE`].
    pub fn tracked(&self, t: usize, fact: TrackedId, of: [Ix; 2]) -> bool {
        self.kept[t]
            .get(usize::from(fact.0))
            .is_some_and(|k| k.contains_key(&of))
    }

    /// The instances whose body is false at a position.
    pub fn broken(&self, t: usize) -> BTreeSet<Instance> {
        self.judged(At::done(t))
    }

    /// The instances whose body is false at an attempt the world refuses now. It is no position: `Y` reads the current
    /// one, counters of `run` and tracked facts stand as they are, `start` and `end` are false.
    pub fn attempt(&self, action: Action) -> BTreeSet<Instance> {
        self.judged(At {
            t: self.last(),
            attempt: Some(action),
        })
    }

    fn judged(&self, at: At) -> BTreeSet<Instance> {
        let mut found = BTreeSet::new();
        for (rule, bound) in &self.batch.rules {
            self.tuples(&bound.outer, &mut |env| {
                if !self.holds(&bound.body, at, env) {
                    let mut tuple = [Ix::NONE; MAX_OUTER];
                    tuple.copy_from_slice(&env[..MAX_OUTER]);
                    found.insert(Instance { rule: *rule, tuple });
                }
            });
        }
        found
    }

    /// Calls `f` with every tuple of the binders' ranges; slots that are not theirs are unbound.
    fn tuples(&self, binders: &[Binder], f: &mut dyn FnMut(&Env)) {
        self.some(binders, &mut NOTHING.clone(), &mut |env| {
            f(env);
            false
        });
    }

    /// Whether `f` holds for some extension of `env` by the binders.
    fn some(&self, binders: &[Binder], env: &mut Env, f: &mut dyn FnMut(&Env) -> bool) -> bool {
        let Some((first, rest)) = binders.split_first() else {
            return f(env);
        };
        for &node in self.batch.range(*first) {
            env[usize::from(first.slot.0)] = node;
            if self.some(rest, env, f) {
                return true;
            }
        }
        env[usize::from(first.slot.0)] = Ix::NONE;
        false
    }

    fn holds(&self, formula: &Formula, at: At, env: &Env) -> bool {
        let before = || match (at.attempt, at.t) {
            (Some(_), t) => Some(At::done(t)),
            (None, 0) => None,
            (None, t) => Some(At::done(t - 1)),
        };
        match formula {
            Formula::True => true,
            Formula::Start => at.t == 0 && at.attempt.is_none(),
            Formula::End => self.ended && at.t == self.last() && at.attempt.is_none(),
            Formula::Same(a, b) => self.node(*a, at, env) == self.node(*b, at, env),
            Formula::Is(guard, x) => {
                let set = self.batch.members.get(usize::from(guard.0));
                set.is_some_and(|s| s.binary_search(&self.node(*x, at, env)).is_ok())
            }
            Formula::Base(read, args) => {
                let [a, b] = args.map(|a| self.node(a, at, env));
                reads(&self.positions[at.t].world, *read, a, b)
            }
            Formula::Tracked(id, args) => {
                let arity = self.arity(*id);
                let of = std::array::from_fn(|i| {
                    if i < arity {
                        self.node(args[i], at, env)
                    } else {
                        Ix::NONE
                    }
                });
                self.tracked(at.t, *id, of)
            }
            Formula::Act(verbs, args) => {
                let done = at.attempt.or(self.positions[at.t].action);
                done.is_some_and(|done| {
                    let fits =
                        |arg: Option<Term>, is: Ix| arg.is_none_or(|a| self.node(a, at, env) == is);
                    verbs >> done.verb & 1 == 1 && fits(args[0], done.a) && fits(args[1], done.b)
                })
            }
            Formula::Not(f) => !self.holds(f, at, env),
            Formula::And(all) => all.iter().all(|f| self.holds(f, at, env)),
            Formula::Or(all) => all.iter().any(|f| self.holds(f, at, env)),
            Formula::Prev(f) => before().is_some_and(|b| self.holds(f, b, env)),
            Formula::Once(f) => {
                self.holds(f, at, env) || before().is_some_and(|b| self.holds(formula, b, env))
            }
            Formula::Hist(f) => {
                self.holds(f, at, env) && before().is_none_or(|b| self.holds(formula, b, env))
            }
            Formula::Since(f, g) => {
                self.holds(g, at, env)
                    || self.holds(f, at, env)
                        && before().is_some_and(|b| self.holds(formula, b, env))
            }
            Formula::Run(f, most) => self.row(f, at.t, env) <= *most,
            Formula::Some(binders, f) => {
                self.some(binders, &mut env.clone(), &mut |e| self.holds(f, at, e))
            }
            Formula::All(binders, f) => {
                !self.some(binders, &mut env.clone(), &mut |e| !self.holds(f, at, e))
            }
        }
    }

    /// At how many positions in a row up to `t` a formula held. An attempt moves no counter.
    fn row(&self, f: &Formula, t: usize, env: &Env) -> u32 {
        let held = (0..=t)
            .rev()
            .take_while(|&t| self.holds(f, At::done(t), env));
        held.count() as u32
    }

    fn node(&self, term: Term, at: At, env: &Env) -> Ix {
        match term {
            Term::Me => self.positions[at.t].world.me(),
            Term::Var(slot) => env[usize::from(slot.0)],
        }
    }

    fn arity(&self, id: TrackedId) -> usize {
        let fact = self.batch.facts.get(usize::from(id.0));
        fact.and_then(Option::as_ref).map_or(0, |f| f.params.len())
    }
}

/// The nodes a tracked fact's parameters stand for: its first two slots.
fn pair(env: &Env) -> [Ix; 2] {
    [env[0], env[1]]
}

/// What is told from outside wins over what the step did.
fn told(now: &mut Kept, fact: usize, extras: &[Extra], t: u32) {
    for extra in extras.iter().filter(|e| usize::from(e.fact.0) == fact) {
        if extra.on {
            now.insert(extra.of, t);
        } else {
            now.remove(&extra.of);
        }
    }
}

/// Reads a base fact.
fn reads(world: &World, read: FactRead, a: Ix, b: Ix) -> bool {
    let (g, me) = (world.graph(), world.me());
    let rules = world.dialect().rules;
    let near = world.dialect().near;
    let held = |n: Ix| rules.hands.iter().any(|&h| g.has(me, h, n));
    let room = |n: Ix| reading::room(g, if held(n) { me } else { n });
    match read {
        FactRead::State(state) => g.states(a).has(state),
        FactRead::Mine(state) => g.states(me).has(state),
        FactRead::Edge(rel) => g.has(a, rel, b) && !g.hot(b).room,
        FactRead::Near => g.has(a, near, b) || g.has(b, near, a),
        FactRead::Held => held(a),
        FactRead::InRoom => room(a) == Some(b),
        FactRead::SameRoom => room(a).is_some() && room(a) == room(b),
        FactRead::Within => within(world, a, b, DEEPEST),
    }
}

/// Whether `a` is on or in `b`, or on or in something that is, at most so many times.
fn within(world: &World, a: Ix, b: Ix, left: usize) -> bool {
    let rules = world.dialect().rules;
    let at = Rels::of(&[rules.on, rules.inside]);
    let g = world.graph();
    left > 0
        && at.iter().any(|rel| {
            g.targets(a, rel)
                .any(|y| !g.hot(y).room && (y == b || within(world, y, b, left - 1)))
        })
}
