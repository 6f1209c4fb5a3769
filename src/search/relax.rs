//! The relaxed plan: a set of actions that would meet all goals if no action undid anything.
//!
//! Found by backward chaining through the dialect's table, each need once a state. Its size guides the search; those of
//! its actions whose needs hold now are the helpful ones. No planning graph and no grounding: only what the goals lead
//! to is ever looked at.

use crate::plan::fact::Body;
use crate::safety::formula::TrackedId;
use crate::search::need::{Need, Want};
use crate::search::table::{Table, View, Way};
use crate::sim::vocab::Ix;
use crate::sim::world::Action;

/// Stands for "cannot be reached".
pub(super) const NEVER: u32 = u32::MAX;

/// How a need stands in one state.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Steps towards it, shared ones counted twice; [`NEVER`] while it is being looked at.
    cost: u32,
    /// The cheapest way.
    action: Action,
    /// That way's needs, in [`Relaxer::needs`].
    needs: (u32, u32),
    /// Whether it is being looked at, and whether it is in the plan already.
    open: bool,
    used: bool,
}

/// Finds relaxed plans; keeps its memory from state to state.
#[derive(Debug)]
pub struct Relaxer {
    table: &'static Table,
    memo: Memo,
    slots: Vec<Slot>,
    ways: Vec<Way>,
    needs: Vec<Need>,
    /// The relaxed plan, each action once, and whether its needs hold now.
    plan: Vec<(Action, bool)>,
    /// Whether a need led back to itself, so that "cannot be reached" holds only inside that circle.
    circled: bool,
    wanted: Vec<Need>,
    /// How many goals no row leads to.
    loose: u32,
}

impl Relaxer {
    /// For worlds of the table's dialect.
    pub fn new(table: &'static Table) -> Self {
        Self {
            table,
            memo: Memo::default(),
            slots: Vec::new(),
            ways: Vec::new(),
            needs: Vec::new(),
            plan: Vec::new(),
            circled: false,
            wanted: Vec::new(),
            loose: 0,
        }
    }

    /// The size of the relaxed plan for all goals and for what rules want, or `None` if a goal cannot be reached at all.
    pub fn solve(&mut self, view: &View<'_>, more: &[Want]) -> Option<u32> {
        self.memo.clear();
        self.slots.clear();
        self.ways.clear();
        self.needs.clear();
        self.plan.clear();
        self.wanted.clear();
        self.loose = 0;
        for i in 0..view.aims.facts.len() {
            self.want(view, i)?;
        }
        let acts = view.progress..view.aims.acts.len();
        self.wanted.extend(acts.map(|k| Need::Done(k as u8)));
        for i in 0..self.wanted.len() {
            if self.cost(view, self.wanted[i]) == NEVER {
                return None;
            }
        }
        for want in more {
            self.guess(view, want);
        }
        for i in 0..self.wanted.len() {
            self.take(view, self.wanted[i]);
        }
        Some(self.plan.len() as u32 + self.loose)
    }

    /// Adds what a rule wants: of several lists the cheapest. It is a guess: it may come about in a way no row knows.
    fn guess(&mut self, view: &View<'_>, want: &Want) {
        let Some((pick, cost)) = self.cheapest_list(view, &want.cures) else {
            self.loose += HARD;
            return;
        };
        if cost == NEVER {
            self.loose += HARD;
        }
        if let Some(left) = want.left {
            // The less time is left, the more it matters.
            self.loose += match left.checked_sub(cost) {
                None => 2 * HARD,
                Some(spare) => SPARE.saturating_sub(spare),
            };
        }
        self.wanted.extend_from_slice(&want.cures[pick]);
    }

    /// The list that is reached in the fewest steps, and how many.
    fn cheapest_list(&mut self, view: &View<'_>, lists: &[Vec<Need>]) -> Option<(usize, u32)> {
        let mut best: Option<(usize, u32)> = None;
        for (i, list) in lists.iter().enumerate() {
            let mut cost = 0_u32;
            for &need in list {
                cost = cost.saturating_add(self.cost(view, need));
            }
            if best.is_none_or(|(_, c)| cost < c) {
                best = Some((i, cost));
            }
            if cost == 0 {
                break;
            }
        }
        best
    }

    /// The relaxed plan of the last state, with whether each action's needs hold now.
    pub fn plan(&self) -> &[(Action, bool)] {
        &self.plan
    }

    /// Adds what the `i`-th goal still needs: of several ways to meet it the cheapest.
    fn want(&mut self, view: &View<'_>, i: usize) -> Option<()> {
        let fact = &view.aims.facts[i];
        let graph = view.world.graph();
        match (&fact.body, fact.negated) {
            (Body::State(nodes, s), true) => {
                let still = nodes.iter().filter(|&&n| graph.states(n).has(*s));
                self.wanted.extend(still.map(|&n| Need::Lacks(n, *s)));
                Some(())
            }
            (Body::Edge(from, r, to), true) => {
                for &f in from {
                    let still = graph.targets(f, *r).filter(|t| to.contains(t));
                    self.wanted.extend(still.map(|t| Need::Apart(f, *r, t)));
                }
                Some(())
            }
            _ if fact.holds(graph, view.shadow) => Some(()),
            (Body::Tracked(id, of, to), _) => {
                let kept = Need::kept(fact.negated, *id, (of, to));
                let cures = if fact.negated {
                    vec![kept]
                } else {
                    kept.into_iter().map(|n| vec![n]).collect()
                };
                self.guess(view, &Want { cures, left: None });
                Some(())
            }
            (Body::State(nodes, s), false) => {
                self.cheapest(view, nodes.iter().map(|&n| Need::State(n, *s)))
            }
            (Body::Edge(from, r, to), false) => {
                let pairs = from
                    .iter()
                    .flat_map(|&f| to.iter().map(move |&t| Need::Edge(f, *r, t)));
                self.cheapest(view, pairs)
            }
        }
    }

    fn cheapest(&mut self, view: &View<'_>, needs: impl Iterator<Item = Need>) -> Option<()> {
        let mut best: Option<(u32, Need)> = None;
        for need in needs.take(MOST) {
            let cost = self.cost(view, need);
            if best.is_none_or(|(c, _)| cost < c) {
                best = Some((cost, need));
            }
        }
        let (_, need) = best.filter(|(cost, _)| *cost != NEVER)?;
        self.wanted.push(need);
        Some(())
    }

    /// Steps towards a need.
    fn cost(&mut self, view: &View<'_>, need: Need) -> u32 {
        let key = need.key();
        if let Some(at) = self.memo.get(key) {
            let slot = self.slots[at as usize];
            self.circled |= slot.open;
            return slot.cost;
        }
        let at = self.slots.len();
        let holds = self.holds(view, need);
        self.slots.push(Slot {
            cost: if holds { 0 } else { NEVER },
            action: NOTHING,
            needs: (0, 0),
            open: !holds,
            used: holds,
        });
        self.memo.set(key, at as u32);
        if holds {
            return 0;
        }
        let outer = std::mem::replace(&mut self.circled, false);
        let first = self.ways.len();
        if let (Need::Kept(..), Some(lore)) = (need, view.lore) {
            for deed in lore.deeds.get(&need).into_iter().flatten() {
                self.look(view, at, (deed.action, [None; 2], &deed.needs));
            }
        } else {
            (self.table.ways)(view, need, &mut self.ways);
        }
        // An action goal may say what must hold as it is done.
        let given = match need {
            Need::Done(k) => view.aims.acts.get(usize::from(k)),
            _ => None,
        };
        let given = given.map_or(&[][..], |act| act.needs.as_slice());
        for i in first..self.ways.len() {
            let way = self.ways[i];
            self.look(view, at, (Some(way.action), way.also, given));
        }
        self.ways.truncate(first);
        let slot = &mut self.slots[at];
        slot.open = false;
        let cost = slot.cost;
        if cost == NEVER && self.circled {
            // Not proven: the same need may be asked again from outside of the circle.
            self.memo.forget(key);
        }
        self.circled |= outer;
        cost
    }

    /// Takes a way as the best so far if it is cheaper.
    fn look(
        &mut self,
        view: &View<'_>,
        at: usize,
        (action, also, more): (Option<Action>, [Option<Need>; 2], &[Need]),
    ) {
        let lore = action.zip(view.lore);
        if lore.is_some_and(|(a, l)| l.banned.contains(&a)) {
            return;
        }
        let learned = lore.and_then(|(a, l)| l.needs.get(&a));
        let learned = learned.map_or(&[][..], Vec::as_slice);
        let mut picks = [0_usize; RULES];
        if !learned.is_empty() {
            let start = self.needs.len();
            let may = action.is_none_or(|a| (self.table.needs)(view, a, &mut self.needs));
            self.needs.truncate(start);
            if !may {
                return;
            }
            for (pick, lists) in picks.iter_mut().zip(learned) {
                *pick = self.cheapest_list(view, lists).map_or(0, |(i, _)| i);
            }
        }
        let start = self.needs.len();
        if !action.is_none_or(|a| (self.table.needs)(view, a, &mut self.needs)) {
            self.needs.truncate(start);
            return;
        }
        self.needs.extend(also.into_iter().flatten());
        self.needs.extend_from_slice(more);
        let own = self.needs.len();
        for (&pick, lists) in picks.iter().zip(learned) {
            self.needs.extend(lists.get(pick).into_iter().flatten());
        }
        let end = self.needs.len();
        let best = self.slots[at].cost;
        let mut cost = u32::from(action.is_some());
        for i in start..end {
            let one = self.cost(view, self.needs[i]);
            let guess = i >= own && one == NEVER;
            cost = cost.saturating_add(if guess { HARD } else { one });
            if cost >= best {
                return;
            }
        }
        let slot = &mut self.slots[at];
        slot.cost = cost.max(1);
        slot.action = action.unwrap_or(NOTHING);
        slot.needs = (start as u32, end as u32);
    }

    /// Puts a need's cheapest way into the plan; whether it held already.
    fn take(&mut self, view: &View<'_>, need: Need) -> bool {
        let Some(at) = self.memo.get(need.key()) else {
            return false;
        };
        let slot = self.slots[at as usize];
        if slot.cost == 0 {
            return true;
        }
        if slot.used || slot.cost == NEVER {
            return false;
        }
        self.slots[at as usize].used = true;
        let mut ready = true;
        for i in slot.needs.0..slot.needs.1 {
            let need = self.needs[i as usize];
            ready &= self.take(view, need);
        }
        // A later action goal is of no use before its turn.
        if let Need::Done(k) = need {
            ready &= usize::from(k) == view.progress;
        }
        if slot.action == NOTHING {
            return false;
        }
        match self.plan.iter_mut().find(|(a, _)| *a == slot.action) {
            Some((_, was)) => *was |= ready,
            None => self.plan.push((slot.action, ready)),
        }
        false
    }

    #[inline]
    fn holds(&self, view: &View<'_>, need: Need) -> bool {
        match need {
            Need::Own(kind, n) => (self.table.holds)(view, kind, n),
            Need::Done(k) => usize::from(k) < view.progress,
            Need::Held(n) => {
                let world = view.world;
                let hands = world.dialect().rules.hands.iter();
                let graph = world.graph();
                hands.into_iter().any(|&h| graph.has(world.me(), h, n))
            }
            Need::Kept(want, fact, n) => {
                view.shadow.tracked(TrackedId(fact), [n, Ix::NONE]) == want
            }
            _ => need.holds(view.world.graph()).unwrap_or(false),
        }
    }
}

/// Steps that stand for what a rule wants and no row leads to.
const HARD: u32 = 4;

/// With fewer steps to spare than this, running time weighs.
const SPARE: u32 = 3;

/// How many rules an action may have broken to be minded.
pub(super) const RULES: usize = 8;

/// How many ways to meet one goal are weighed.
const MOST: usize = 64;

const NOTHING: Action = Action {
    verb: u8::MAX,
    a: Ix::NONE,
    b: Ix::NONE,
};

/// From need keys to slots, emptied in no time.
#[derive(Debug)]
struct Memo {
    cells: Vec<(u64, u32, u32)>,
    stamp: u32,
    len: usize,
}

impl Default for Memo {
    fn default() -> Self {
        Self {
            cells: vec![(0, 0, 0); 128],
            stamp: 1,
            len: 0,
        }
    }
}

impl Memo {
    fn clear(&mut self) {
        self.len = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.cells.fill((0, 0, 0));
            self.stamp = 1;
        }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.cells.len() - 1;
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.cells[at].1 == self.stamp && self.cells[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    #[inline]
    fn get(&self, key: u64) -> Option<u32> {
        let (_, stamp, slot) = self.cells[self.place(key)];
        (stamp == self.stamp && slot != GONE).then_some(slot)
    }

    fn forget(&mut self, key: u64) {
        let at = self.place(key);
        self.cells[at].2 = GONE;
    }

    fn set(&mut self, key: u64, slot: u32) {
        if (self.len + 1) * 2 > self.cells.len() {
            let old = std::mem::take(&mut self.cells);
            self.cells = vec![(0, 0, 0); old.len() * 2];
            for (key, stamp, slot) in old {
                if stamp == self.stamp {
                    let at = self.place(key);
                    self.cells[at] = (key, stamp, slot);
                }
            }
        }
        let at = self.place(key);
        self.len += usize::from(self.cells[at].1 != self.stamp);
        self.cells[at] = (key, self.stamp, slot);
    }
}

/// A forgotten cell.
const GONE: u32 = u32::MAX;
