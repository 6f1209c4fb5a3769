//! What a search is after: goals made ready to be asked quickly, and the nodes that would do where a goal leaves the
//! choice open.

use std::cell::OnceCell;

use crate::plan::fact::{Body, Fact};
use crate::plan::goal::{Ask, Deed, GoalSet, Seen};
use crate::safety::book::Shadow;
use crate::search::need::Need;
use crate::search::table::{Role, Table};
use crate::sim::vocab::{Ix, Rel};
use crate::sim::world::{Action, World};

/// How many nodes stand for "any node" where a goal leaves the choice open.
const POOL: usize = 4;

/// How many ways to a goal are looked at for one that goes with the goals before it.
const LOOKED_AT: usize = 256;

/// How many actions an action goal may be met by.
const WAYS: usize = 16;

/// What a search is after.
#[derive(Clone, Debug)]
pub struct Aims {
    table: &'static Table,
    /// Facts that must hold at the end.
    pub(super) facts: Vec<Fact>,
    /// Whether some goal may be met otherwise than these facts say.
    open: bool,
    /// Facts that must hold together at no step.
    pub(super) never: Vec<Vec<Fact>>,
    /// Actions that must be done, in order.
    pub(super) acts: Vec<Act>,
    /// What goals want put where.
    spots: Vec<(Ix, Rel, Ix)>,
    /// Everything the goals name, ascending.
    named: Vec<Ix>,
    /// All nodes, the nearest first; made when it is first asked for.
    ranked: OnceCell<Vec<Ix>>,
    /// Per action: nodes that would do, if one is needed; each made when it is first asked for.
    pools: Vec<OnceCell<Vec<Ix>>>,
}

/// An action that must be done.
#[derive(Clone, Debug)]
pub(super) struct Act {
    deed: Deed,
    /// What must hold as it is done, as far as it can be told as needs.
    pub(super) needs: Vec<Need>,
    /// Actions of which every line fits, one bit each.
    verbs: u64,
    /// Whether the rest of the line matters.
    textual: bool,
    /// Actions that would meet it, the best first.
    pub(super) candidates: Vec<Action>,
}

impl Aims {
    /// Makes goals ready. Success and safety goals count alike.
    pub fn new(world: &World, table: &'static Table, goals: &GoalSet) -> Self {
        let mut aims = Self {
            table,
            facts: Vec::new(),
            open: false,
            never: Vec::new(),
            acts: Vec::new(),
            spots: Vec::new(),
            named: Vec::new(),
            ranked: OnceCell::new(),
            pools: vec![OnceCell::new(); world.dialect().actions.len()],
        };
        for goal in &goals.goals {
            match &goal.ask {
                Ask::Fact(fact) => aims.facts.push(fact.clone()),
                Ask::All(facts) => aims.facts.extend_from_slice(facts),
                // One of its ways; the others are ways to the same goal.
                Ask::Formula(bound) => {
                    let fits = |way: &Vec<Fact>| !aims.clashes(world, way);
                    let holds = |way: &Vec<Fact>| {
                        let graph = world.graph();
                        way.iter().all(|f| f.holds(graph, &())) && fits(way)
                    };
                    // A way that is met already asks for nothing.
                    let met = bound.ways().take(LOOKED_AT).find(holds);
                    let first = || bound.ways().next();
                    let way = met
                        .or_else(|| bound.ways().take(LOOKED_AT).find(fits))
                        .or_else(first);
                    aims.facts.extend(way.unwrap_or_default());
                    aims.open |= bound.ways().nth(1).is_some();
                }
                Ask::Done(deed) => aims.acts.push(Act::new(world, deed)),
                Ask::Never(facts) => aims.never.push(facts.clone()),
            }
        }
        for fact in &aims.facts {
            if let (false, Body::Edge(from, rel, to)) = (fact.negated, &fact.body)
                && from.len() * to.len() <= WAYS
            {
                let pairs = from
                    .iter()
                    .flat_map(|&f| to.iter().map(move |&t| (f, *rel, t)));
                aims.spots.extend(pairs);
            }
        }
        let never = aims.never.iter().flatten();
        let given = aims.acts.iter().flat_map(|a| &a.deed.given);
        let facts = aims.facts.iter().chain(never).chain(given);
        aims.named = facts.flat_map(Fact::nodes).collect();
        aims.named.sort_unstable();
        aims.named.dedup();
        for i in 0..aims.acts.len() {
            aims.acts[i].candidates = aims.candidates(world, &aims.acts[i]);
        }
        aims
    }

    /// Whether facts want a thing in another place than those before do, or the contrary of one.
    fn clashes(&self, world: &World, way: &[Fact]) -> bool {
        let rules = world.dialect().rules;
        let place = |f: &Fact| match (&f.body, f.negated) {
            (Body::Edge(from, rel, to), false) if *rel == rules.on || *rel == rules.inside => {
                match (from.as_slice(), to.as_slice()) {
                    (&[what], &[at]) => Some((what, *rel, at)),
                    _ => None,
                }
            }
            _ => None,
        };
        let wanted: Vec<_> = self.facts.iter().filter_map(place).collect();
        let moved = |f: &Fact| {
            let it = place(f);
            it.is_some_and(|it| wanted.iter().any(|w| w.0 == it.0 && *w != it))
        };
        let denied = |f: &Fact| {
            let mut before = self.facts.iter();
            before.any(|g| g.body == f.body && g.negated != f.negated)
        };
        // Of the relations that end when a thing is moved, one holds of a pair at most.
        let label = |f: &Fact| match (&f.body, f.negated) {
            (Body::Edge(from, rel, to), false) if rules.places.has(*rel) => {
                Some((from.clone(), to.clone(), *rel))
            }
            _ => None,
        };
        let labels: Vec<_> = self.facts.iter().filter_map(label).collect();
        let relabelled = |f: &Fact| {
            let it = label(f);
            it.is_some_and(|(from, to, rel)| {
                let pair = labels.iter().filter(|l| l.0 == from && l.1 == to);
                pair.into_iter().any(|l| l.2 != rel)
            })
        };
        way.iter().any(|f| moved(f) || denied(f) || relabelled(f))
    }

    /// Nodes that would do as the first target of an action: those the goals name if any fits, else the nearest.
    pub fn pool(&self, world: &World, verb: u8) -> &[Ix] {
        self.pools
            .get(usize::from(verb))
            .map_or(&[], |p| p.get_or_init(|| self.fill_pool(world, verb)))
    }

    /// Where goals want a thing, by ON or INSIDE or whatever they say.
    pub fn spots(&self, thing: Ix) -> impl Iterator<Item = (Rel, Ix)> + '_ {
        self.spots
            .iter()
            .filter(move |(a, ..)| *a == thing)
            .map(|&(_, rel, b)| (rel, b))
    }

    /// Everything the goals name, ascending.
    pub fn named(&self) -> &[Ix] {
        &self.named
    }

    /// Everything that facts or action goals name, ascending; of actions that may be done in many ways nothing.
    pub fn all_named(&self) -> Vec<Ix> {
        let sole = self.acts.iter().filter(|a| a.candidates.len() == 1);
        let deeds = sole.flat_map(|a| &a.candidates);
        let targets = deeds.flat_map(|a| [a.a, a.b]).filter(|n| n.is_some());
        let mut all: Vec<Ix> = self.named.iter().copied().chain(targets).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What an action goal may be met by.
    pub fn done_by(&self, act: u8) -> &[Action] {
        self.acts
            .get(usize::from(act))
            .map_or(&[], |a| a.candidates.as_slice())
    }

    /// How far the action goals have come after one more action, which was just done.
    #[inline]
    pub(super) fn advance(
        &self,
        progress: usize,
        (world, action): (&World, Action),
        shadow: &dyn Shadow,
    ) -> usize {
        let mut at = progress;
        let graph = world.graph();
        while self.acts.get(at).is_some_and(|act| {
            act.fits(world, action) && act.deed.given.iter().all(|f| f.holds(graph, shadow))
        }) {
            at += 1;
        }
        at
    }

    /// Whether all goals hold.
    pub(super) fn met(&self, seen: Seen<'_>, progress: usize) -> bool {
        let Seen { graph, shadow } = seen;
        progress >= self.acts.len() && self.facts.iter().all(|f| f.holds(graph, shadow))
    }

    /// Whether two facts that must hold at the end never can: one that is the other's denial, or the same thing in two
    /// hands, which it never comes to be.
    pub(super) fn contradict(&self, world: &World) -> bool {
        let hands = world.dialect().rules.hands;
        let held = |f: &Fact| match (&f.body, f.negated) {
            (Body::Edge(from, rel, to), false) if hands.contains(rel) => {
                match (from.as_slice(), to.as_slice()) {
                    (&[who], &[what]) => Some((who, *rel, what)),
                    _ => None,
                }
            }
            _ => None,
        };
        let clash = |a: &Fact, b: &Fact| match (held(a), held(b)) {
            (Some((who, hand, what)), Some((other, second, thing))) => {
                (who, what) == (other, thing)
                    && hand != second
                    && !(world.graph().has(who, hand, what) || world.graph().has(who, second, what))
            }
            _ => a.body == b.body && a.negated != b.negated,
        };
        let facts = &self.facts;
        !self.open && (1..facts.len()).any(|i| (0..i).any(|k| clash(&facts[k], &facts[i])))
    }

    /// Whether something holds that never must.
    pub(super) fn forbidden(&self, seen: Seen<'_>) -> bool {
        let Seen { graph, shadow } = seen;
        let never = &self.never;
        never
            .iter()
            .any(|all| all.iter().all(|f| f.holds(graph, shadow)))
    }

    fn fill_pool(&self, world: &World, verb: u8) -> Vec<Ix> {
        let named = self.named.iter().copied();
        let named: Vec<Ix> = named.filter(|&n| self.fits(world, verb, n)).collect();
        if named.is_empty() {
            self.nearest(world, verb).take(POOL).collect()
        } else {
            named
        }
    }

    fn fits(&self, world: &World, verb: u8, a: Ix) -> bool {
        let one = Action {
            verb,
            a,
            b: Ix::NONE,
        };
        a != world.me() && (self.table.fits)(world, one)
    }

    /// All nodes that would do as the first target of an action, the nearest at the start first.
    pub fn nearest<'a>(&'a self, world: &'a World, verb: u8) -> impl Iterator<Item = Ix> + 'a {
        let ranked = self.ranked.get_or_init(|| {
            let rank = |n| ((self.table.rank)(world, n), n);
            let mut all: Vec<(u8, Ix)> = world.scene().indices().map(rank).collect();
            all.sort_unstable();
            all.into_iter().map(|(_, n)| n).collect()
        });
        let all = ranked.iter().copied();
        all.filter(move |&n| self.fits(world, verb, n))
    }

    /// The actions an action goal may be met by, from the pools.
    fn candidates(&self, world: &World, act: &Act) -> Vec<Action> {
        let mut found = Vec::new();
        for (verb, def) in world.dialect().actions.iter().enumerate() {
            let verb = verb as u8;
            let named = act.verbs & (1 << verb) != 0;
            if !named && !act.names(&format!("[{}]", def.name), "[") {
                continue;
            }
            let spoken = |n: &Ix| act.names(&format!("<{}>", world.scene().node(*n).class), "<");
            let all: Vec<Ix> = if act.textual {
                world.scene().indices().filter(spoken).collect()
            } else {
                self.pool(world, verb).to_vec()
            };
            let firsts = if def.arity == 0 { vec![Ix::NONE] } else { all };
            for a in firsts {
                let seconds = if def.arity > 1 {
                    let first = Action {
                        verb,
                        a,
                        b: Ix::NONE,
                    };
                    self.seconds(world, first, act)
                } else {
                    vec![Ix::NONE]
                };
                for b in seconds {
                    let action = Action { verb, a, b };
                    if act.fits(world, action) && (self.table.fits)(world, action) {
                        found.push(action);
                    }
                }
            }
        }
        // Published names before their aliases.
        found.sort_by_key(|a| (self.table.role)(a.verb) == Role::Alias);
        found.truncate(WAYS);
        found
    }

    /// Nodes that fit as second targets: those the action goal speaks of, else those any goal names first.
    fn seconds(&self, world: &World, first: Action, act: &Act) -> Vec<Ix> {
        let fits = |b: &Ix| *b != first.a && (self.table.fits)(world, Action { b: *b, ..first });
        if act.textual {
            let met = |b: &Ix| act.fits(world, Action { b: *b, ..first });
            let all = world.scene().indices().filter(met).filter(fits);
            let all: Vec<Ix> = all.take(WAYS).collect();
            if all.len() < WAYS {
                return all;
            }
        }
        let named: Vec<Ix> = self.named.iter().copied().filter(fits).collect();
        if !named.is_empty() {
            return named;
        }
        let mut all: Vec<(u8, Ix)> = world
            .scene()
            .indices()
            .filter(fits)
            .map(|b| ((self.table.rank)(world, b), b))
            .collect();
        all.sort_unstable();
        all.truncate(POOL);
        all.into_iter().map(|(_, b)| b).collect()
    }
}

impl Act {
    fn new(world: &World, deed: &Deed) -> Self {
        let mut act = Self {
            deed: deed.clone(),
            needs: deed.given.iter().filter_map(need).collect(),
            verbs: 0,
            textual: false,
            candidates: Vec::new(),
        };
        for text in &deed.texts {
            let mut known = false;
            for (verb, def) in world.dialect().actions.iter().enumerate() {
                if format!("[{}]", def.name).contains(text.as_str()) {
                    act.verbs |= 1 << verb;
                    known = true;
                }
            }
            act.textual |= !known;
        }
        act
    }

    /// Whether this part of a line may be asked for: some text has it, or no part of that kind.
    fn names(&self, part: &str, kind: &str) -> bool {
        let mut texts = self.deed.texts.iter();
        self.textual && texts.any(|t| t.contains(part) || !t.contains(kind))
    }

    /// Whether the line is one that it asks for.
    fn fits(&self, world: &World, action: Action) -> bool {
        if self.verbs & (1 << action.verb) != 0 {
            return true;
        }
        if !self.textual {
            return false;
        }
        let line = world.line(action);
        self.deed.texts.iter().any(|t| line.contains(t.as_str()))
    }
}

/// A fact as a need, where it is about one node or pair.
fn need(fact: &Fact) -> Option<Need> {
    match (&fact.body, fact.negated) {
        (Body::State(nodes, s), no) => match (nodes.as_slice(), no) {
            (&[n], false) => Some(Need::State(n, *s)),
            (&[n], true) => Some(Need::Lacks(n, *s)),
            _ => None,
        },
        (Body::Edge(from, r, to), no) => match (from.as_slice(), to.as_slice(), no) {
            (&[f], &[t], false) => Some(Need::Edge(f, *r, t)),
            (&[f], &[t], true) => Some(Need::Apart(f, *r, t)),
            _ => None,
        },
        (Body::Tracked(..), _) => None,
    }
}
