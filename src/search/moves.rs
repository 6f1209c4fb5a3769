//! Which objects and actions matter: everything the goals lead to through the table, without grounding anything.

use std::collections::BTreeSet;

use crate::plan::fact::{Body, Fact};
use crate::search::aims::Aims;
use crate::search::need::Need;
use crate::search::table::{Lore, Role, Table, View, Way};
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

/// Objects that matter, and the actions that were met on the way to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relevant {
    /// The objects, ascending.
    pub objects: Vec<Ix>,
    /// Actions by number.
    verbs: Vec<bool>,
}

impl Relevant {
    /// The least set that holds everything the goals and `more` name and whatever the table needs to reach it.
    pub fn new(
        table: &Table,
        world: &World,
        aims: &Aims,
        (more, lore): (&[Need], Option<&Lore>),
    ) -> Self {
        let view = View {
            world,
            shadow: &(),
            aims,
            progress: 0,
            lore,
        };
        let mut seen: BTreeSet<Need> = BTreeSet::new();
        let mut todo: Vec<Need> = more.to_vec();
        for fact in aims.facts.iter().chain(aims.never.iter().flatten()) {
            facts(fact, &mut todo);
        }
        todo.extend((0..aims.acts.len()).map(|k| Need::Done(k as u8)));
        if let Some(lore) = lore {
            todo.extend(lore.needs.values().flatten().flatten().flatten());
            todo.extend(&lore.wanted);
        }
        let mut objects: BTreeSet<Ix> = aims.named().iter().copied().collect();
        let mut verbs = vec![false; world.dialect().actions.len()];
        let mut firsts = Vec::new();
        (table.firsts)(world, &mut firsts);
        objects.extend(firsts);
        let (mut ways, mut needs) = (Vec::new(), Vec::new());
        while let Some(need) = todo.pop() {
            if !seen.insert(need) {
                continue;
            }
            objects.extend(need.nodes());
            ways.clear();
            match (need, lore) {
                (Need::Kept(..), Some(lore)) => {
                    for deed in lore.deeds.get(&need).into_iter().flatten() {
                        ways.extend(deed.action.map(Way::by));
                        todo.extend_from_slice(&deed.needs);
                    }
                }
                _ => (table.ways)(&view, need, &mut ways),
            }
            for way in &ways {
                needs.clear();
                if !(table.needs)(&view, way.action, &mut needs) {
                    continue;
                }
                let targets = [way.action.a, way.action.b];
                objects.extend(targets.into_iter().filter(|n| n.is_some()));
                if let Some(verb) = verbs.get_mut(usize::from(way.action.verb)) {
                    *verb = true;
                }
                todo.extend(needs.iter().copied().chain(way.also.into_iter().flatten()));
            }
        }
        objects.remove(&world.me());
        Self {
            objects: objects.into_iter().collect(),
            verbs,
        }
    }

    /// Adds objects.
    pub(super) fn add(&mut self, more: impl Iterator<Item = Ix>, world: &World) {
        let me = world.me();
        self.objects
            .extend(more.filter(|&n| n.is_some() && n != me));
        self.objects.sort_unstable();
        self.objects.dedup();
    }

    /// The same with what lies around each object.
    #[must_use]
    pub fn wider(&self, table: &Table, world: &World) -> Self {
        let mut objects: BTreeSet<Ix> = self.objects.iter().copied().collect();
        let mut found = Vec::new();
        for &n in &self.objects {
            found.clear();
            (table.around)(world, n, &mut found);
            objects.extend(found.iter().copied());
        }
        objects.remove(&world.me());
        Self {
            objects: objects.into_iter().collect(),
            verbs: self.verbs.clone(),
        }
    }

    /// The same with every node of the scene.
    #[must_use]
    pub fn whole(&self, world: &World) -> Self {
        Self {
            objects: world
                .scene()
                .indices()
                .filter(|&n| n != world.me())
                .collect(),
            verbs: self.verbs.clone(),
        }
    }

    /// Whether these are all nodes but the agent.
    pub fn is_whole(&self, world: &World) -> bool {
        self.objects.len() + 1 >= world.scene().len()
    }

    /// The actions to try on these objects.
    pub fn moves(&self, table: &'static Table, world: &World) -> Moves {
        let mut moves = Moves {
            table,
            fixed: Vec::new(),
            pairs: Vec::new(),
            held: Vec::new(),
        };
        for (verb, def) in world.dialect().actions.iter().enumerate() {
            let met = self.verbs[verb];
            let verb = verb as u8;
            if !met && (table.role)(verb) != Role::Changes {
                continue;
            }
            let one = |a| Action {
                verb,
                a,
                b: Ix::NONE,
            };
            match def.arity {
                0 => moves.fixed.push(one(Ix::NONE)),
                1 => {
                    let fit = self.objects.iter().map(|&n| one(n));
                    moves.fixed.extend(fit.filter(|&a| (table.fits)(world, a)));
                }
                _ => moves.pairs.extend(self.objects.iter().map(|&b| (verb, b))),
            }
        }
        moves
    }
}

/// The facts a goal is about, as needs; of a long list of alternatives the first.
pub(super) fn facts(fact: &Fact, todo: &mut Vec<Need>) {
    match (&fact.body, fact.negated) {
        (Body::State(nodes, s), false) => todo.extend(nodes.iter().map(|&n| Need::State(n, *s))),
        (Body::State(nodes, s), true) => todo.extend(nodes.iter().map(|&n| Need::Lacks(n, *s))),
        (Body::Tracked(id, of, to), negated) => todo.extend(Need::kept(negated, *id, (of, to))),
        (Body::Edge(from, rel, to), negated) => {
            for &f in from {
                for &t in to {
                    todo.push(if negated {
                        Need::Apart(f, *rel, t)
                    } else {
                        Need::Edge(f, *rel, t)
                    });
                }
            }
        }
    }
}

/// The actions to try in every state.
#[derive(Clone, Debug)]
pub struct Moves {
    table: &'static Table,
    /// Actions without or with one target.
    fixed: Vec<Action>,
    /// Actions with two targets, the first of which is held: number and second target.
    pairs: Vec<(u8, Ix)>,
    held: Vec<Ix>,
}

impl Moves {
    /// Calls `each` with every action worth trying where the world stands.
    pub(super) fn list(&mut self, world: &World, out: &mut Vec<Action>) {
        out.clear();
        out.extend_from_slice(&self.fixed);
        self.held.clear();
        (self.table.firsts)(world, &mut self.held);
        for &a in &self.held {
            let fit = self.pairs.iter().filter(|(_, b)| *b != a);
            out.extend(fit.map(|&(verb, b)| Action { verb, a, b }));
        }
    }

    /// How many actions with at most one target there are.
    pub const fn len(&self) -> usize {
        self.fixed.len()
    }

    /// Whether there is nothing to try.
    pub const fn is_empty(&self) -> bool {
        self.fixed.is_empty() && self.pairs.is_empty()
    }
}
