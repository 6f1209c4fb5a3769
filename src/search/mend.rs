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
use crate::search::deeds::Turns;
use crate::search::need::Need;
use crate::sim::graph::Change;
use crate::sim::vocab::{DEEPEST, Dialect, FactRead, Ix, Rel};
use crate::sim::world::World;

/// How many nodes a quantifier may range over to be looked at one by one.
const MOST: usize = 64;

/// The rules of a scene, bound, with the nodes their words stand for.
#[derive(Debug)]
pub struct Mender {
    bounds: FxHashMap<RuleIx, Bound>,
    guards: Vec<OnceCell<Vec<Ix>>>,
    /// What the goals name, ascending.
    named: Vec<Ix>,
    /// What begins and ends each tracked fact.
    pub(super) turns: Vec<Option<Turns>>,
}

/// What a cure is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The step just done is to break nothing.
    Step,
    /// The run is to break nothing by ending here.
    End,
    /// A time that runs is to stop.
    Running,
    /// A fact is to come about wherever the world stands: what holds already is named too.
    Cause,
}

/// Where a formula is read.
pub(super) struct At<'a> {
    world: &'a World,
    shadow: &'a dyn Shadow,
    book: &'a Book,
    /// What the last step changed.
    changed: &'a [Change],
    /// Whether the position before that step is meant.
    before: bool,
    /// What is asked for.
    mode: Mode,
    slots: [Ix; MAX_SLOTS],
}

/// Lists of needs, any of which would do if it holds whole: an empty list where it is so already, no list at all where
/// nothing would do.
pub type Cures = Vec<Vec<Need>>;

/// How many cures are kept side by side.
const CURES: usize = 12;

fn already() -> Cures {
    vec![Vec::new()]
}

/// Either of these: so already if one is.
fn either(mut all: Cures, more: Cures) -> Cures {
    if all.first().is_some_and(Vec::is_empty) {
        return all;
    }
    if more.iter().any(Vec::is_empty) {
        return already();
    }
    all.extend(more);
    all.sort_by_key(Vec::len);
    all.dedup();
    all.truncate(CURES);
    all
}

/// Both of these: each cure of the one with each of the other.
fn both(all: &[Vec<Need>], more: &[Vec<Need>]) -> Cures {
    let mut joined = Vec::new();
    for one in all {
        for other in more {
            let mut cure = one.clone();
            cure.extend(other.iter().filter(|n| !one.contains(n)));
            joined.push(cure);
        }
    }
    joined.sort_by_key(Vec::len);
    joined.dedup();
    joined.truncate(CURES);
    joined
}

impl Mender {
    /// For the rules of a book in one dialect.
    pub fn new(book: &Book, dialect: &'static Dialect) -> Self {
        let rules = book.rules.iter().enumerate();
        let bounds = rules.filter_map(|(i, rule)| {
            let bound = book.bind(rule, dialect).ok()?;
            Some((RuleIx(i as u16), bound))
        });
        let facts = 0..book.tracked.len();
        Self {
            bounds: bounds.collect(),
            guards: vec![OnceCell::new(); book.guards.len()],
            named: Vec::new(),
            turns: facts
                .map(|i| Turns::new(book, TrackedId(i as u8), dialect))
                .collect(),
        }
    }

    /// Minds what goals name: ascending.
    pub fn mind(&mut self, named: Vec<Ix>) {
        self.named = named;
    }

    pub(super) fn range(&self, book: &Book, world: &World, guard: GuardId) -> &[Ix] {
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
    ) -> Cures {
        let changed = world.last_changes();
        self.cure((world, shadow), book, instance, (&changed, Mode::Step))
    }

    /// What would stop the time of an instance that is running out.
    pub fn in_time(
        &self,
        (world, shadow): (&World, &dyn Shadow),
        book: &Book,
        instance: &Instance,
    ) -> Cures {
        self.cure((world, shadow), book, instance, (&[], Mode::Running))
    }

    /// What makes a formula about one node so, wherever the world stands.
    pub(super) fn causes(
        &self,
        (world, shadow): (&World, &dyn Shadow),
        book: &Book,
        (f, want): (&Formula, bool),
        (param, of): (Option<&Binder>, Ix),
    ) -> Cures {
        let mut at = At {
            world,
            shadow,
            book,
            changed: &[],
            before: false,
            mode: Mode::Cause,
            slots: [Ix::NONE; MAX_SLOTS],
        };
        if let Some(binder) = param {
            at.slots[usize::from(binder.slot.0)] = of;
        }
        self.mend(f, want, &mut at)
    }

    /// What would discharge an instance that would be broken if the run ended here.
    pub fn before_end(
        &self,
        (world, shadow): (&World, &dyn Shadow),
        book: &Book,
        instance: &Instance,
    ) -> Cures {
        self.cure((world, shadow), book, instance, (&[], Mode::End))
    }

    fn cure(
        &self,
        (world, shadow): (&World, &dyn Shadow),
        book: &Book,
        instance: &Instance,
        (changed, mode): (&[Change], Mode),
    ) -> Cures {
        let Some(bound) = self.bounds.get(&instance.rule) else {
            return Vec::new();
        };
        let mut at = At {
            world,
            shadow,
            book,
            changed,
            before: false,
            mode,
            slots: [Ix::NONE; MAX_SLOTS],
        };
        for (binder, &node) in bound.outer.iter().zip(&instance.tuple) {
            at.slots[usize::from(binder.slot.0)] = node;
        }
        self.mend(&bound.body, true, &mut at)
    }

    /// What makes a formula so.
    fn mend(&self, f: &Formula, want: bool, at: &mut At<'_>) -> Cures {
        let fixed = |is: bool| if is == want { already() } else { Vec::new() };
        match f {
            Formula::True => fixed(true),
            Formula::Start => fixed(false),
            Formula::End => fixed(at.mode == Mode::End),
            Formula::Same(a, b) => fixed(at.node(*a) == at.node(*b)),
            Formula::Is(guard, t) => {
                let range = self.range(at.book, at.world, *guard);
                fixed(range.binary_search(&at.node(*t)).is_ok())
            }
            Formula::Base(read, terms) => at.base(*read, terms.map(|t| at.node(t)), want),
            Formula::Tracked(id, terms) => at.tracked(*id, terms.map(|t| at.node(t)), want),
            // The step itself is not to be undone; which one led to the position before is not known here.
            Formula::Act(..) if at.before || at.mode == Mode::End => already(),
            // Time that runs is stopped while it runs; the step with which it ran out is not to blame.
            Formula::Run(..) if matches!(at.mode, Mode::Step | Mode::End) => Vec::new(),
            Formula::Not(f) | Formula::Run(f, _) => self.mend(f, !want, at),
            Formula::And(all) if want => self.each(all, want, at),
            Formula::Or(all) if !want => self.each(all, want, at),
            Formula::And(all) | Formula::Or(all) => all
                .iter()
                .fold(Vec::new(), |cures, f| either(cures, self.mend(f, want, at))),
            Formula::Prev(f) => {
                let outer = std::mem::replace(&mut at.before, true);
                let cures = self.mend(f, want, at);
                at.before = outer;
                cures
            }
            // What happened once is made so by happening now. The rest of the past cannot be mended: where it must
            // have been otherwise nothing would do, and where it must have been so all along it is taken to be.
            Formula::Once(f) | Formula::Since(_, f) if want => self.mend(f, true, at),
            Formula::Since(f, _) => self.mend(f, false, at),
            Formula::Act(..) | Formula::Once(_) => Vec::new(),
            Formula::Hist(_) => already(),
            Formula::All(binders, f) => self.tuples(binders, f, (want, want), at),
            Formula::Some(binders, f) => self.tuples(binders, f, (want, !want), at),
        }
    }

    fn each(&self, all: &[Formula], want: bool, at: &mut At<'_>) -> Cures {
        let mut cures = already();
        for f in all {
            cures = both(&cures, &self.mend(f, want, at));
            if cures.is_empty() {
                break;
            }
        }
        cures
    }

    /// Makes a formula so for every tuple, or for one.
    fn tuples(
        &self,
        binders: &[Binder],
        f: &Formula,
        (want, every): (bool, bool),
        at: &mut At<'_>,
    ) -> Cures {
        let Some((first, rest)) = binders.split_first() else {
            return self.mend(f, want, at);
        };
        let range = self.range(at.book, at.world, first.guard);
        let mut all = if every { already() } else { Vec::new() };
        // Of many that would do, those that the goals name come first.
        let named = self.named.iter().filter(|n| range.binary_search(n).is_ok());
        let many = !every && range.len() > MOST;
        let rest_of = range.iter().filter(|_| !many);
        for &node in named.filter(|_| !every).chain(rest_of) {
            at.slots[usize::from(first.slot.0)] = node;
            let cures = self.tuples(rest, f, (want, every), at);
            let so = cures.first().is_some_and(Vec::is_empty);
            match (every, so) {
                (true, true) => {}
                (true, false) => all = both(&all, &cures),
                (false, true) => return cures,
                (false, false) => all = either(all, cures),
            }
            if every && all.is_empty() {
                break;
            }
        }
        all
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
    fn base(&self, read: FactRead, [a, b]: [Ix; 2], want: bool) -> Cures {
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
            FactRead::InRoom | FactRead::SameRoom if want => return already(),
            FactRead::InRoom | FactRead::SameRoom => return Vec::new(),
        };
        if self.mode == Mode::Cause {
            return vec![vec![need]];
        }
        let now = need.holds(graph).unwrap_or(false);
        let touched = self.touched(need);
        match (now != (touched && self.before), touched && !self.before) {
            (true, _) => already(),
            (false, true) => Vec::new(),
            (false, false) => vec![vec![need]],
        }
    }

    /// A tracked fact of one node, or of none.
    fn tracked(&self, id: TrackedId, of: [Ix; 2], want: bool) -> Cures {
        let Some(fact) = self.book.tracked.get(usize::from(id.0)) else {
            return Vec::new();
        };
        let arity = fact.params.len();
        let of = [0, 1].map(|i| if i < arity { of[i] } else { Ix::NONE });
        if self.mode != Mode::Cause && self.shadow.tracked(id, of) == want {
            already()
        } else if of[1] == Ix::NONE {
            vec![vec![Need::Kept(want, id.0, of[0])]]
        } else {
            Vec::new()
        }
    }

    fn inside(&self) -> Rel {
        self.world.dialect().rules.inside
    }

    fn held(&self, n: Ix, want: bool) -> Cures {
        let (graph, me) = (self.world.graph(), self.world.me());
        let hands = self.world.dialect().rules.hands;
        if self.mode == Mode::Cause {
            let empty = || hands.iter().map(|&h| Need::Apart(me, h, n)).collect();
            return vec![if want { vec![Need::Held(n)] } else { empty() }];
        }
        let now: Vec<Need> = hands
            .iter()
            .filter(|&&h| graph.has(me, h, n))
            .map(|&h| Need::Apart(me, h, n))
            .collect();
        let touched = hands.iter().any(|&h| self.touched(Need::Edge(me, h, n)));
        let held = now.is_empty() == (touched && self.before);
        match (held == want, want) {
            (true, _) => already(),
            _ if touched && !self.before => Vec::new(),
            (false, true) => vec![vec![Need::Held(n)]],
            (false, false) => vec![now],
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
    fn within(&self, (a, b): (Ix, Ix), want: bool) -> Cures {
        let rules = self.world.dialect().rules;
        if want {
            if self.mode != Mode::Cause && self.is_within(a, b) {
                return already();
            }
            return vec![
                vec![Need::Edge(a, rules.inside, b)],
                vec![Need::Edge(a, rules.on, b)],
            ];
        }
        if self.mode == Mode::Cause {
            let apart = [rules.on, rules.inside].map(|r| Need::Apart(a, r, b));
            return vec![apart.to_vec()];
        }
        let graph = self.world.graph();
        let mut needs = Vec::new();
        for r in [rules.on, rules.inside] {
            let supports = graph.targets(a, r).filter(|&t| !graph.hot(t).room);
            needs.extend(supports.map(|t| Need::Apart(a, r, t)));
        }
        if !self.is_within(a, b) {
            return already();
        }
        let touched = needs.iter().any(|&n| self.touched(n));
        if touched && !self.before {
            Vec::new()
        } else {
            vec![needs]
        }
    }
}

const fn edge(want: bool, (a, r, b): (Ix, Rel, Ix)) -> Need {
    if want {
        Need::Edge(a, r, b)
    } else {
        Need::Apart(a, r, b)
    }
}
