//! What an agent knows where it stands: what is in its room and not shut away, what it holds, and itself.

use crate::plan::fact::{Body, Fact};
use crate::safety::book::Shadow;
use crate::sim::graph::Graph;
use crate::sim::reading::{self, is_shut, room};
use crate::sim::vocab::{Ix, Rel};
use crate::sim::world::World;

/// What an agent knows of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// It sees that it holds.
    Holds,
    /// It sees that it does not hold.
    Fails,
    /// It cannot see it from here.
    Unknown,
}

/// How far up a thing is followed.
const HIGHEST: usize = 32;

/// Whether the agent perceives a thing: itself, what it holds, the room it is in, and what is in that room and not inside
/// something shut. Where a world knows no rooms, everything is in one.
pub fn perceives(world: &World, node: Ix) -> bool {
    let (graph, me) = (world.graph(), world.me());
    if node == me || reading::held(graph, me).any(|held| held == node) {
        return true;
    }
    let here = room(graph, me);
    if graph.hot(node).room {
        return here.is_none() || here == Some(node);
    }
    let near = here.is_none() || room(graph, node) == here || is_way_out(world, here, node);
    near && !is_shut_away(graph, node)
}

/// A door of the room, which may be booked in the room behind it.
fn is_way_out(world: &World, here: Option<Ix>, node: Ix) -> bool {
    let between = world.dialect().rules.between;
    between
        .zip(here)
        .is_some_and(|(rel, here)| world.graph().has(node, rel, here))
}

fn is_shut_away(graph: &Graph, node: Ix) -> bool {
    let rules = graph.dialect().rules;
    let mut all = vec![node];
    let mut i = 0;
    while let Some(&at) = all.get(i) {
        i += 1;
        for rel in [rules.inside, rules.on] {
            for up in graph.targets(at, rel) {
                if graph.hot(up).room || all.contains(&up) || all.len() >= HIGHEST {
                    continue;
                }
                if rel == rules.inside && is_shut(graph, up) {
                    return true;
                }
                all.push(up);
            }
        }
    }
    false
}

/// What the agent knows of a fact where the world stands. Of a fact about several things any of which will do: it holds if
/// one of them is seen to be so, and fails if all are seen not to be.
pub fn knows(world: &World, shadow: &dyn Shadow, fact: &Fact) -> Knowledge {
    let (mut some, mut all) = (false, true);
    let mut look = |known: bool, holds: bool| {
        some |= known && holds;
        all &= known;
    };
    let graph = world.graph();
    match &fact.body {
        Body::State(nodes, state) => {
            for &n in nodes {
                look(perceives(world, n), reading::has_state(graph, n, *state));
            }
        }
        Body::Edge(from, rel, to) => {
            for &f in from {
                for &t in to {
                    let holds = reading::has_edge(graph, f, *rel, t);
                    look(relation_is_known(world, f, *rel, t), holds);
                }
            }
        }
        Body::Tracked(id, from, to) => {
            let none = [Ix::NONE];
            let or_none = |list: &'_ [Ix]| {
                if list.is_empty() {
                    none.to_vec()
                } else {
                    list.to_vec()
                }
            };
            for f in or_none(from) {
                for t in or_none(to) {
                    let known = [f, t].iter().all(|n| !n.is_some() || perceives(world, *n));
                    look(known, shadow.tracked(*id, [f, t]));
                }
            }
        }
    }
    match (some, all, fact.negated) {
        (true, _, false) | (false, true, true) => Knowledge::Holds,
        (true, _, true) | (false, true, false) => Knowledge::Fails,
        (false, false, _) => Knowledge::Unknown,
    }
}

/// Whether it can be seen that a relation holds or not: where the first thing is, is seen by looking at it; what is on or
/// in the second one by looking there, unless that is shut or a room, in which things are hidden.
fn relation_is_known(world: &World, from: Ix, rel: Rel, to: Ix) -> bool {
    if perceives(world, from) {
        return true;
    }
    let graph = world.graph();
    let inside = world.dialect().rules.inside;
    let hides = rel == inside && (graph.hot(to).room || is_shut(graph, to));
    !hides && perceives(world, to)
}
