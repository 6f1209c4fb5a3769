//! What never changes while a world runs: the scene, and tables derived from it once.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::fold::{Key, StateHash};
use crate::sim::graph::pair::Pair;
use crate::sim::graph::zones::Plan;
use crate::sim::scene::Scene;
use crate::sim::vocab::{Ix, Profile, Rel, SceneRules, State};

/// What never changes while a world runs: the scene and per-node tables derived from it.
#[derive(Debug)]
pub struct Base {
    /// The scene as loaded.
    pub scene: Arc<Scene>,
    /// The semantics in force.
    pub profile: Profile,
    /// Number of each distinct class, in order of first index.
    pub classes: Vec<Arc<str>>,
    /// The acting character, if the scene has one.
    pub agent: Option<Ix>,
    /// All nodes with a property that the dialect's walking rules bring near (body parts), ascending.
    pub carried_near: Vec<Ix>,
    /// The doors that join two rooms, ascending.
    pub passages: Vec<Passage>,
    /// The rooms they join.
    pub(super) plan: Plan,
    pub(super) class_of: Vec<u32>,
    pub(super) node_keys: Vec<Key>,
    pub(super) state_keys: Vec<Key>,
    pub(super) rel_keys: Vec<Key>,
    pub(super) start_key: StateHash,
    /// Per node: the key of "near the agent, both ways", the most frequent change of all.
    pub(super) near_agent: Vec<Key>,
    /// The near relation in both directions, as pair bits.
    pub(super) near_bits: u16,
}

/// A door that joins two rooms.
#[derive(Clone, Copy, Debug)]
pub struct Passage {
    /// The door.
    pub door: Ix,
    /// The rooms on its two sides.
    pub rooms: [Ix; 2],
}

impl Base {
    /// Derives the tables of a scene.
    pub fn new(scene: Arc<Scene>, profile: Profile) -> Self {
        let dialect = scene.dialect();
        let SceneRules {
            agent_class,
            carried_near,
            ..
        } = *dialect.rules;
        let mut classes: Vec<Arc<str>> = Vec::new();
        let mut numbers: FxHashMap<Arc<str>, u32> = FxHashMap::default();
        let mut class_of = Vec::with_capacity(scene.len());
        let mut start_key = StateHash::default();
        start_key.toggle(Key::of(dialect.id));
        let mut node_keys = Vec::with_capacity(scene.len());
        for ix in scene.indices() {
            let node = scene.node(ix);
            class_of.push(*numbers.entry(node.class.clone()).or_insert_with(|| {
                classes.push(node.class.clone());
                classes.len() as u32 - 1
            }));
            let key = Key::of(&node.name());
            start_key.toggle(key);
            node_keys.push(key);
        }
        let keys = |names: &[&str]| names.iter().map(|n| Key::of(n)).collect();
        let carried = scene
            .indices()
            .filter(|&ix| carried_near.is_some_and(|p| scene.node(ix).props.has(p)))
            .collect();
        let agent = scene.of_class(agent_class).next();
        let passages = passages(&scene);
        let mut base = Self {
            profile,
            plan: Plan::new(&passages, scene.len()),
            passages,
            classes,
            agent,
            carried_near: carried,
            class_of,
            node_keys,
            state_keys: keys(dialect.states),
            rel_keys: keys(dialect.relations),
            start_key,
            near_agent: Vec::new(),
            near_bits: 0x0101 << dialect.near.0,
            scene,
        };
        if let Some(me) = base.agent {
            let near = dialect.near;
            let both = |x| base.edge_key(me.at(), near, x) ^ base.edge_key(x, near, me.at());
            base.near_agent = (0..base.node_keys.len()).map(both).collect();
        }
        base
    }

    pub(super) fn state_key(&self, node: usize, state: State) -> Key {
        self.node_keys[node].with(self.state_keys[usize::from(state.0)])
    }

    pub(super) fn edge_key(&self, from: usize, rel: Rel, to: usize) -> Key {
        self.node_keys[from]
            .with(self.rel_keys[usize::from(rel.0)])
            .with(self.node_keys[to])
    }

    /// Adds or removes the facts of a pair's bits.
    #[inline]
    pub(super) fn toggle_pair(&self, hash: &mut StateHash, pair: &Pair, bits: u16) {
        let agent = self.agent.map_or(u32::MAX, |a| a.0);
        if bits == self.near_bits && (pair.a == agent) != (pair.b == agent) {
            let other = if pair.a == agent { pair.b } else { pair.a };
            hash.toggle(self.near_agent[other as usize]);
            return;
        }
        let mut left = bits;
        while left != 0 {
            let bit = left.trailing_zeros() as u8;
            left &= left - 1;
            let (from, to) = if bit < 8 {
                (pair.a, pair.b)
            } else {
                (pair.b, pair.a)
            };
            hash.toggle(self.edge_key(from as usize, Rel(bit & 7), to as usize));
        }
    }
}

/// Every door with its rooms, as the scene says at its start; doors of one side lead out of the scene.
fn passages(scene: &Scene) -> Vec<Passage> {
    let mut sides: BTreeMap<Ix, Vec<Ix>> = BTreeMap::new();
    let between = scene.dialect().rules.between;
    for e in scene.edges().iter().filter(|e| Some(e.rel) == between) {
        if let (Some(door), Some(room)) = (scene.find(e.from), scene.find(e.to))
            && scene.node(room).is_room()
        {
            sides.entry(door).or_default().push(room);
        }
    }
    sides
        .into_iter()
        .filter_map(|(door, rooms)| match rooms.as_slice() {
            &[a, b] => Some(Passage {
                door,
                rooms: [a, b],
            }),
            _ => None,
        })
        .collect()
}
