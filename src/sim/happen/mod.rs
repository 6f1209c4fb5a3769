//! Scripted happenings: things that come to pass by themselves, at a step or when facts hold.
//!
//! A child comes through the gate, a pan catches fire, night falls. A happening is looked at after every executed step
//! and its effects belong to that step's position, so undo, replay, previews and search see the same world. How far each
//! has come is a counter in the graph's log; the state hash does not see it, [`crate::sim::world::World::key`] does.

use crate::sim::graph::{Graph, Tx};
use crate::sim::vocab::{Ix, Rel, Rels, State};

/// A happening as a scene or task file writes it; names are text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scripted {
    /// Unique in its file.
    pub id: String,
    /// What comes to pass, for people.
    pub words: String,
    /// After the n-th executed step, from 1.
    pub at: Option<u32>,
    /// When these facts all hold after a step.
    pub when: Vec<String>,
    /// That many steps later.
    pub after: u32,
    /// Facts made true, as in a task's `init`.
    pub then: Vec<String>,
}

/// A happening bound to a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// Unique among those of a world.
    pub id: String,
    /// What comes to pass, for people.
    pub words: String,
    /// When.
    pub when: When,
    /// What it changes, in order.
    pub effects: Vec<Effect>,
}

/// What sets a happening off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// The n-th executed step, from 1.
    Step(u32),
    /// All conditions hold after a step; that many steps later it comes to pass, whatever holds by then.
    All(Vec<Condition>, u32),
}

/// A fact of which any of several nodes will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Any of these.
    pub any: Vec<Literal>,
    /// Whether none of them may hold instead.
    pub negated: bool,
}

/// One fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// The node has the state.
    State(Ix, State),
    /// The edge holds.
    Edge(Ix, Rel, Ix),
}

/// One change a happening makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The node gains or loses the state; its opposite goes the other way.
    State(Ix, State, bool),
    /// The node leaves where it is, hands included, and comes onto or into the other; what it carries comes along.
    Place(Ix, Rel, Ix),
    /// The edge begins; nearness in both directions.
    Link(Ix, Rel, Ix),
    /// The edge ends; nearness in both directions.
    Cut(Ix, Rel, Ix),
}

/// A counter's value while nothing has set the happening off.
const WAITING: u32 = u32::MAX - 1;
/// A counter's value once it has come to pass.
const PAST: u32 = u32::MAX;

impl Happening {
    /// The counter at the start of a world.
    pub(super) const fn begin(&self) -> u32 {
        match self.when {
            When::Step(n) => n,
            When::All(..) => WAITING,
        }
    }
}

impl Literal {
    fn holds(self, g: &Graph) -> bool {
        match self {
            Self::State(node, state) => g.states(node).has(state),
            Self::Edge(from, rel, to) => g.has(from, rel, to),
        }
    }
}

impl Condition {
    fn holds(&self, g: &Graph) -> bool {
        self.any.iter().any(|l| l.holds(g)) != self.negated
    }
}

/// Lets everything happen whose time has come after a step. Conditions are read before any effect of this step's
/// happenings.
pub(super) fn pass(tx: &mut Tx<'_>, all: &[Happening]) {
    for (i, it) in all.iter().enumerate() {
        let left = tx.graph().clock(i);
        let next = match (&it.when, left) {
            (_, PAST) => continue,
            (When::All(conditions, after), WAITING) => {
                if !conditions.iter().all(|c| c.holds(tx.graph())) {
                    continue;
                }
                *after
            }
            (When::Step(_) | When::All(..), n) => n.saturating_sub(1),
        };
        tx.tick(i, if next == 0 { PAST } else { next });
    }
    for (i, it) in all.iter().enumerate() {
        if tx.graph().clock(i) == PAST && tx.ticked(i) {
            for &effect in &it.effects {
                make(tx, effect);
            }
        }
    }
}

/// Lets effects come to pass at once, in order.
pub(super) fn bring(tx: &mut Tx<'_>, effects: &[Effect]) {
    for &effect in effects {
        make(tx, effect);
    }
}

/// Whether a counter's value says that it has come to pass.
pub(super) const fn is_past(clock: u32) -> bool {
    clock == PAST
}

fn make(tx: &mut Tx<'_>, effect: Effect) {
    let dialect = tx.graph().dialect();
    match effect {
        Effect::State(node, state, on) => {
            tx.set(node, state, on);
            if let Some(other) = dialect.opposite(state).filter(|_| on) {
                tx.set(node, other, false);
            }
        }
        Effect::Link(from, rel, to) if rel == dialect.near => tx.add_both(from, rel, to),
        Effect::Link(from, rel, to) => tx.add(from, rel, to),
        Effect::Cut(from, rel, to) => {
            tx.remove(from, rel, to);
            if rel == dialect.near {
                tx.remove(to, rel, from);
            }
        }
        Effect::Place(what, rel, onto) => place(tx, what, rel, onto),
    }
}

fn place(tx: &mut Tx<'_>, what: Ix, rel: Rel, onto: Ix) {
    let dialect = tx.graph().dialect();
    let (rules, near) = (dialect.rules, dialect.near);
    if !rules.settles {
        lay(tx, what, rel, onto);
        return;
    }
    let room = room(tx.graph(), onto);
    let load = load(tx.graph(), what);
    if load.contains(&onto) {
        return;
    }
    for &moved in &load {
        let g = tx.graph();
        let leaves: Vec<(Ix, Rels, Rels)> = g.around(moved).collect();
        for (other, out, inc) in leaves {
            let inner = load.contains(&other);
            let support = [rules.on, rules.inside];
            for r in out.iter().filter(|r| support.contains(r)) {
                if moved == what || !inner {
                    tx.remove(moved, r, other);
                }
            }
            for r in inc.iter().filter(|r| rules.hands.contains(r)) {
                tx.remove(other, r, moved);
            }
            if !inner && (out.has(near) || inc.has(near)) {
                tx.remove(moved, near, other);
                tx.remove(other, near, moved);
            }
        }
        tx.remember(moved, None);
    }
    tx.add(what, rel, onto);
    if !tx.graph().hot(onto).room {
        tx.add_both(what, near, onto);
    }
    if let Some(room) = room {
        for &moved in &load {
            tx.add(moved, rules.inside, room);
        }
    }
}

/// Puts a thing somewhere in a dialect where it then is in that one place alone, with what it carries, as a task's `init`
/// does.
fn lay(tx: &mut Tx<'_>, what: Ix, rel: Rel, onto: Ix) {
    let dialect = tx.graph().dialect();
    let (rules, near) = (dialect.rules, dialect.near);
    if load(tx.graph(), what).contains(&onto) {
        return;
    }
    let leaves: Vec<(Ix, Rels, Rels)> = tx.graph().around(what).collect();
    for (other, out, inc) in leaves {
        let ends = |r: &Rel| *r == rules.on || *r == rules.inside || rules.places.has(*r);
        for r in out.iter().filter(ends) {
            tx.remove(what, r, other);
        }
        for r in inc.iter().filter(|r| rules.hands.contains(r) || *r == near) {
            tx.remove(other, r, what);
        }
    }
    tx.remember(what, None);
    tx.add(what, rel, onto);
}

/// A node with everything on or in it, at any depth.
fn load(g: &Graph, what: Ix) -> Vec<Ix> {
    let rules = g.dialect().rules;
    let mut all = vec![what];
    let mut i = 0;
    while let Some(&at) = all.get(i) {
        for rel in [rules.on, rules.inside] {
            for x in g.sources(at, rel) {
                if !all.contains(&x) {
                    all.push(x);
                }
            }
        }
        i += 1;
    }
    all.sort_unstable();
    all
}

/// The room a node is in, through any number of supports.
fn room(g: &Graph, n: Ix) -> Option<Ix> {
    let rules = g.dialect().rules;
    let mut seen = vec![n];
    let mut i = 0;
    while let Some(&at) = seen.get(i) {
        if g.hot(at).room {
            return Some(at);
        }
        for rel in [rules.inside, rules.on] {
            let mut up: Vec<Ix> = g.targets(at, rel).filter(|t| !seen.contains(t)).collect();
            up.sort_unstable();
            seen.extend(up);
        }
        i += 1;
    }
    None
}

#[cfg(test)]
mod tests;
