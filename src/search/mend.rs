//! What would have kept a rule: from a broken instance back to facts that can be made otherwise.
//!
//! A rule's body is false for a tuple of nodes. Read from the outside in, the formula says which of its literals would
//! make it true; those the step itself made so are left out, because without them there is no step. What remains are
//! needs: the fork out of the microwave before it is switched on, a mitt in the hand before the hot bowl is taken.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use crate::safety::book::{Book, Shadow};
use crate::safety::formula::{Binder, Bound, Formula, GuardId, MAX_SLOTS, Term, TrackedId};
use crate::safety::ontology::members;
use crate::safety::verdict::{Instance, RuleIx};
use crate::search::need::Need;
use crate::search::table_of;
use crate::sim::graph::Change;
use crate::sim::vocab::{DEEPEST, Dialect, FactRead, Ix, Rel};
use crate::sim::world::{Action, World};

/// How many nodes a quantifier may range over to be looked at one by one.
const MOST: usize = 64;

/// The rules of a scene, bound, with the nodes their words stand for.
#[derive(Debug)]
pub struct Mender {
    bounds: FxHashMap<RuleIx, Bound>,
    guards: Vec<OnceCell<Vec<Ix>>>,
    deeds: Vec<[Vec<Deed>; 2]>,
    /// Tracked facts that end by themselves.
    passing: Vec<bool>,
}

/// An action that ends (first list) or begins (second list) a tracked fact.
#[derive(Clone, Debug)]
struct Deed {
    verbs: u64,
    args: [Arg; 2],
}

/// What an action's target must be.
#[derive(Clone, Copy, Debug)]
enum Arg {
    Any,
    Me,
    /// The fact's first parameter.
    Param,
    Guard(GuardId),
}

/// Where a formula is read.
struct At<'a> {
    world: &'a World,
    shadow: &'a dyn Shadow,
    book: &'a Book,
    /// What the last step changed.
    changed: &'a [Change],
    /// Whether the position before that step is meant.
    before: bool,
    /// Whether the run ends here.
    end: bool,
    slots: [Ix; MAX_SLOTS],
}

/// The needs that would do, if any: none at all where it is so already.
type Cure = Option<Vec<Need>>;

impl Mender {
    /// For the rules of a book in one dialect.
    pub fn new(book: &Book, dialect: &'static Dialect) -> Self {
        let rules = book.rules.iter().enumerate();
        let bounds = rules.filter_map(|(i, rule)| {
            let bound = book.bind(rule, dialect).ok()?;
            Some((RuleIx(i as u16), bound))
        });
        let deeds = (0..book.tracked.len()).map(|i| {
            let Ok(fact) = book.bind_fact(TrackedId(i as u8), dialect) else {
                return [Vec::new(), Vec::new()];
            };
            let collect = |formula: &Option<Formula>| {
                let mut found = Vec::new();
                if let Some(formula) = formula {
                    deeds(formula, &fact.params, &mut Vec::new(), &mut found);
                }
                found
            };
            [collect(&fact.reset), collect(&fact.set)]
        });
        let passing = book.tracked.iter().map(|t| t.lasts.is_some());
        Self {
            bounds: bounds.collect(),
            guards: vec![OnceCell::new(); book.guards.len()],
            deeds: deeds.collect(),
            passing: passing.collect(),
        }
    }

    fn range(&self, book: &Book, world: &World, guard: GuardId) -> &[Ix] {
        self.guards.get(usize::from(guard.0)).map_or(&[], |cell| {
            cell.get_or_init(|| members(book.guard(guard), &book.ontology, world.scene()))
        })
    }

    /// What would have kept an instance that the last step broke.
    pub fn before_step(
        &self,
        (world, shadow): (&World, &dyn Shadow),
        book: &Book,
        instance: &Instance,
    ) -> Cure {
        let changed = world.last_changes();
        self.cure((world, shadow), book, instance, (&changed, false))
    }

    /// What would discharge an instance that would be broken if the run ended here.
    pub fn before_end(
        &self,
        (world, shadow): (&World, &dyn Shadow),
        book: &Book,
        instance: &Instance,
    ) -> Cure {
        self.cure((world, shadow), book, instance, (&[], true))
    }

    fn cure(
        &self,
        (world, shadow): (&World, &dyn Shadow),
        book: &Book,
        instance: &Instance,
        (changed, end): (&[Change], bool),
    ) -> Cure {
        let bound = self.bounds.get(&instance.rule)?;
        let mut at = At {
            world,
            shadow,
            book,
            changed,
            before: false,
            end,
            slots: [Ix::NONE; MAX_SLOTS],
        };
        for (binder, &node) in bound.outer.iter().zip(&instance.tuple) {
            at.slots[usize::from(binder.slot.0)] = node;
        }
        self.mend(&bound.body, true, &mut at)
    }

    /// The fewest needs that make a formula so.
    fn mend(&self, f: &Formula, want: bool, at: &mut At<'_>) -> Cure {
        let fixed = |is: bool| (is == want).then(Vec::new);
        match f {
            Formula::True => fixed(true),
            Formula::Start => fixed(false),
            Formula::End => fixed(at.end),
            Formula::Same(a, b) => fixed(at.node(*a) == at.node(*b)),
            Formula::Is(guard, t) => {
                let range = self.range(at.book, at.world, *guard);
                fixed(range.binary_search(&at.node(*t)).is_ok())
            }
            Formula::Base(read, terms) => at.base(*read, terms.map(|t| at.node(t)), want),
            Formula::Tracked(id, terms) => {
                let of = terms.map(|t| at.node(t));
                let arity = at.book.tracked.get(usize::from(id.0))?.params.len();
                let of = [0, 1].map(|i| if i < arity { of[i] } else { Ix::NONE });
                if at.shadow.tracked(*id, of) == want {
                    return Some(Vec::new());
                }
                (of[1] == Ix::NONE).then(|| vec![Need::Kept(want, id.0, of[0])])
            }
            // The step itself is not to be undone; which one led to the position before is not known here.
            Formula::Act(..) => (at.before || at.end).then(Vec::new),
            Formula::Not(f) | Formula::Run(f, _) => self.mend(f, !want, at),
            Formula::And(all) if want => self.each(all, want, at),
            Formula::Or(all) if !want => self.each(all, want, at),
            Formula::And(all) | Formula::Or(all) => all
                .iter()
                .filter_map(|f| self.mend(f, want, at))
                .min_by_key(Vec::len),
            Formula::Prev(f) => {
                let outer = std::mem::replace(&mut at.before, true);
                let cure = self.mend(f, want, at);
                at.before = outer;
                cure
            }
            // The past cannot be mended; where several things must be so, it is taken to be.
            Formula::Once(f) if want => self.mend(f, true, at),
            Formula::Since(_, f) if want => self.mend(f, true, at),
            Formula::Once(_) | Formula::Hist(_) | Formula::Since(..) => Some(Vec::new()),
            Formula::All(binders, f) => self.tuples(binders, f, (want, want), at),
            Formula::Some(binders, f) => self.tuples(binders, f, (want, !want), at),
        }
    }

    fn each(&self, all: &[Formula], want: bool, at: &mut At<'_>) -> Cure {
        let mut needs = Vec::new();
        for f in all {
            needs.extend(self.mend(f, want, at)?);
        }
        Some(needs)
    }

    /// Makes a formula so for every tuple, or for one.
    fn tuples(
        &self,
        binders: &[Binder],
        f: &Formula,
        (want, every): (bool, bool),
        at: &mut At<'_>,
    ) -> Cure {
        let Some((first, rest)) = binders.split_first() else {
            return self.mend(f, want, at);
        };
        let range = self.range(at.book, at.world, first.guard).to_vec();
        if range.len() > MOST {
            return None;
        }
        let mut all = Vec::new();
        let mut best: Cure = None;
        for node in range {
            at.slots[usize::from(first.slot.0)] = node;
            let cure = self.tuples(rest, f, (want, every), at);
            if every {
                all.extend(cure?);
            } else if let Some(cure) = cure
                && best.as_ref().is_none_or(|b| cure.len() < b.len())
            {
                best = Some(cure);
            }
        }
        if every { Some(all) } else { best }
    }

    /// Actions that begin or end a tracked fact of a node.
    pub fn deeds(&self, world: &World, book: &Book, need: (bool, u8, Ix)) -> Vec<Action> {
        let (want, fact, of) = need;
        let Some(lists) = self.deeds.get(usize::from(fact)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for deed in &lists[usize::from(want)] {
            for (verb, def) in world.dialect().actions.iter().enumerate() {
                if deed.verbs & (1 << verb) == 0 {
                    continue;
                }
                let nodes = |n: usize| -> Vec<Ix> {
                    if usize::from(def.arity) <= n {
                        return vec![Ix::NONE];
                    }
                    match deed.args[n] {
                        Arg::Any => Vec::new(),
                        Arg::Me => vec![world.me()],
                        Arg::Param => vec![of],
                        Arg::Guard(g) => {
                            self.range(book, world, g).iter().copied().take(8).collect()
                        }
                    }
                };
                for a in nodes(0) {
                    for b in nodes(1) {
                        found.push(Action {
                            verb: verb as u8,
                            a,
                            b,
                        });
                    }
                }
            }
        }
        let passes = !want && self.passing.get(usize::from(fact)) == Some(&true);
        let table = table_of(world.dialect()).filter(|_| passes);
        found.extend(table.and_then(|t| (t.wait)(world)));
        found
    }
}

impl At<'_> {
    fn node(&self, t: Term) -> Ix {
        match t {
            Term::Me => self.world.me(),
            Term::Var(slot) => self.slots[usize::from(slot.0)],
        }
    }

    /// Whether the last step changed this fact.
    fn touched(&self, need: Need) -> bool {
        self.changed.iter().any(|c| match (*c, need) {
            (Change::State(n, s, _), Need::State(m, t) | Need::Lacks(m, t)) => n == m && s == t,
            (Change::Edge(from, rel, to, _), need) => {
                need == Need::Edge(from, rel, to) || need == Need::Apart(from, rel, to)
            }
            _ => false,
        })
    }

    /// A base fact: so already, or the need for it.
    fn base(&self, read: FactRead, [a, b]: [Ix; 2], want: bool) -> Cure {
        let me = self.world.me();
        let graph = self.world.graph();
        let need = match read {
            FactRead::State(s) if want => Need::State(a, s),
            FactRead::State(s) => Need::Lacks(a, s),
            FactRead::Mine(s) if want => Need::State(me, s),
            FactRead::Mine(s) => Need::Lacks(me, s),
            FactRead::Edge(r) => edge(want, (a, r, b)),
            FactRead::Near => edge(want, (a, self.world.dialect().near, b)),
            FactRead::Held => return self.held(a, want),
            FactRead::InRoom if a == me => edge(want, (me, self.inside(), b)),
            FactRead::Within => return self.within((a, b), want),
            FactRead::InRoom | FactRead::SameRoom => return want.then(Vec::new),
        };
        let now = need.holds(graph).unwrap_or(false);
        let touched = self.touched(need);
        match (now != (touched && self.before), touched && !self.before) {
            (true, _) => Some(Vec::new()),
            (false, true) => None,
            (false, false) => Some(vec![need]),
        }
    }

    fn inside(&self) -> Rel {
        self.world.dialect().rules.inside
    }

    fn held(&self, n: Ix, want: bool) -> Cure {
        let (graph, me) = (self.world.graph(), self.world.me());
        let hands = self.world.dialect().rules.hands;
        let now: Vec<Need> = hands
            .iter()
            .filter(|&&h| graph.has(me, h, n))
            .map(|&h| Need::Apart(me, h, n))
            .collect();
        let touched = hands.iter().any(|&h| self.touched(Need::Edge(me, h, n)));
        let held = now.is_empty() == (touched && self.before);
        match (held == want, want) {
            (true, _) => Some(Vec::new()),
            _ if touched && !self.before => None,
            (false, true) => Some(vec![Need::Held(n)]),
            (false, false) => Some(now),
        }
    }

    fn is_within(&self, a: Ix, b: Ix) -> bool {
        let rules = self.world.dialect().rules;
        let graph = self.world.graph();
        let mut at = vec![a];
        for _ in 0..DEEPEST {
            let up = |&n: &Ix| {
                graph
                    .targets(n, rules.on)
                    .chain(graph.targets(n, rules.inside))
                    .filter(|&t| !graph.hot(t).room)
                    .collect::<Vec<_>>()
            };
            at = at.iter().flat_map(up).collect();
            if at.contains(&b) {
                return true;
            }
        }
        false
    }

    /// Directly on or in: away from there; deeper ones are taken to be moved by their own support.
    fn within(&self, (a, b): (Ix, Ix), want: bool) -> Cure {
        let rules = self.world.dialect().rules;
        if want {
            return Some(vec![Need::Edge(a, rules.on, b)]);
        }
        let graph = self.world.graph();
        let mut needs = Vec::new();
        for r in [rules.on, rules.inside] {
            let supports = graph.targets(a, r).filter(|&t| !graph.hot(t).room);
            needs.extend(supports.map(|t| Need::Apart(a, r, t)));
        }
        if !self.is_within(a, b) {
            return Some(Vec::new());
        }
        let touched = needs.iter().any(|&n| self.touched(n));
        (!touched || self.before).then_some(needs)
    }
}

const fn edge(want: bool, (a, r, b): (Ix, Rel, Ix)) -> Need {
    if want {
        Need::Edge(a, r, b)
    } else {
        Need::Apart(a, r, b)
    }
}

/// The actions a formula waits for.
fn deeds(f: &Formula, params: &[Binder], inner: &mut Vec<Binder>, found: &mut Vec<Deed>) {
    match f {
        Formula::Act(verbs, args) => {
            let arg = |t: &Option<Term>| match t {
                None => Arg::Any,
                Some(Term::Me) => Arg::Me,
                Some(Term::Var(slot)) => {
                    if params.first().is_some_and(|p| p.slot == *slot) {
                        return Arg::Param;
                    }
                    let binder = inner.iter().find(|b| b.slot == *slot);
                    binder.map_or(Arg::Any, |b| Arg::Guard(b.guard))
                }
            };
            found.push(Deed {
                verbs: *verbs,
                args: [arg(&args[0]), arg(&args[1])],
            });
        }
        // What is denied is no deed.
        Formula::Not(_) => {}
        Formula::All(binders, f) | Formula::Some(binders, f) => {
            let before = inner.len();
            inner.extend_from_slice(binders);
            deeds(f, params, inner, found);
            inner.truncate(before);
        }
        _ => {
            for part in f.parts() {
                deeds(part, params, inner, found);
            }
        }
    }
}
