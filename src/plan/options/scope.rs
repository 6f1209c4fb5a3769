//! Which nodes are worth combining with every verb.

use crate::plan::fact::Fact;
use crate::plan::ledger::Ledger;
use crate::plan::options::Focus;
use crate::sim::reading::{held, near, room};
use crate::sim::timeline::Timeline;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

/// Which nodes are worth combining with every verb.
pub(super) struct Scope {
    pub(super) things: Vec<Ix>,
    /// What is held, with what it may be put on, into or next to.
    pub(super) pairs: Vec<(Ix, Ix)>,
    pub(super) held: Vec<Ix>,
    pub(super) near: Vec<bool>,
    /// Spoken of by a goal, or held.
    pub(super) wanted: Vec<bool>,
    pub(super) asked: Vec<Ix>,
    pub(super) verbs: Vec<u8>,
}

impl Scope {
    pub(super) fn new(timeline: &Timeline, ledger: &Ledger, focus: &Focus) -> Self {
        let world = timeline.world();
        let near = near(&world.ctx());
        let wanted = wanted(world, ledger);
        let mut asked: Vec<Ix> = focus.nodes.clone();
        asked.retain(|&n| n != world.me());
        asked.sort_unstable();
        asked.dedup();
        let all = || around(world, &near, &wanted);
        let mut things = if focus.only { Vec::new() } else { all() };
        things.extend(&asked);
        things.sort_unstable();
        things.dedup();
        let held: Vec<Ix> = held(world.graph(), world.me()).collect();
        let mut pairs = Vec::new();
        for &a in &held {
            // What is asked for and held may be put wherever one is.
            let targets = if focus.only && asked.contains(&a) {
                &all()
            } else {
                &things
            };
            pairs.extend(targets.iter().filter(|&&b| b != a).map(|&b| (a, b)));
        }
        Self {
            things,
            pairs,
            held,
            near,
            wanted,
            asked,
            verbs: focus.verbs.clone(),
        }
    }

    pub(super) fn is_near(&self, action: Action) -> bool {
        targets(action).all(|t| self.near[t.at()])
    }
}

pub(super) fn targets(action: Action) -> impl Iterator<Item = Ix> {
    [action.a, action.b].into_iter().filter(|t| t.is_some())
}

/// Per node whether a goal speaks of it or it is held.
fn wanted(world: &World, ledger: &Ledger) -> Vec<bool> {
    let mut wanted = vec![false; world.scene().len()];
    for goal in &ledger.goals().goals {
        for node in goal.facts().iter().flat_map(Fact::nodes) {
            wanted[node.at()] = true;
        }
    }
    for node in held(world.graph(), world.me()) {
        wanted[node.at()] = true;
    }
    wanted
}

/// What is near, wanted, a room or in the same room; ascending.
fn around(world: &World, near: &[bool], wanted: &[bool]) -> Vec<Ix> {
    let graph = world.graph();
    let here = room(graph, world.me());
    let in_room = |ix| here.is_some() && room(graph, ix) == here;
    world
        .scene()
        .indices()
        .filter(|&ix| ix != world.me())
        .filter(|&ix| near[ix.at()] || wanted[ix.at()] || graph.hot(ix).room || in_room(ix))
        .collect()
}
