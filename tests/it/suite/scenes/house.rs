//! A scene as the checks look at it: names spelt out, every node's room and supports beside it.

use std::collections::{BTreeMap, BTreeSet};

use vesta::formats::scene::{self, Which};
use vesta::sim::virtualhome::DIALECT;

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thing {
    pub(super) id: i64,
    pub(super) class: String,
    pub(super) category: String,
    pub(super) props: BTreeSet<&'static str>,
    pub(super) states: BTreeSet<&'static str>,
    /// From and to along x, y, z, in metres.
    pub(super) bounds: [(f64, f64); 3],
}

impl Thing {
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.class, self.id)
    }

    pub(super) fn has(&self, prop: &str) -> bool {
        self.props.contains(prop)
    }

    pub(super) fn is(&self, state: &str) -> bool {
        self.states.contains(state)
    }

    pub(super) fn is_room(&self) -> bool {
        self.category == "Rooms"
    }

    /// How far two boxes overlap along an axis; negative is the gap between them.
    pub(super) fn overlap(&self, other: &Self, axis: usize) -> f64 {
        let (a, b) = (self.bounds[axis], other.bounds[axis]);
        a.1.min(b.1) - a.0.max(b.0)
    }

    /// The middle along an axis.
    pub(super) fn middle(&self, axis: usize) -> f64 {
        f64::midpoint(self.bounds[axis].0, self.bounds[axis].1)
    }
}

/// A scene.
#[derive(Clone, Debug)]
pub(super) struct House {
    pub(super) things: BTreeMap<i64, Thing>,
    pub(super) edges: BTreeSet<(i64, &'static str, i64)>,
}

impl House {
    pub(super) fn read(name: &str, bytes: &[u8]) -> Self {
        let (file, notes) = scene::read(&DIALECT, name, bytes, Which::Initial).unwrap();
        assert_eq!(notes, [], "{name}");
        let things = file.scene.nodes().iter().map(|node| {
            let (center, size) = node.bounds.unwrap_or_default();
            let side = |i: usize| (center[i] - size[i] / 2.0, center[i] + size[i] / 2.0);
            let thing = Thing {
                id: node.id.0,
                class: node.class.to_string(),
                category: node.category.as_deref().unwrap_or_default().to_owned(),
                props: node.props.iter().map(|p| DIALECT.prop_name(p)).collect(),
                states: node.states.iter().map(|s| DIALECT.state_name(s)).collect(),
                bounds: [side(0), side(1), side(2)],
            };
            (node.id.0, thing)
        });
        let edge = |e: &vesta::sim::scene::Edge| (e.from.0, DIALECT.rel_name(e.rel), e.to.0);
        Self {
            things: things.collect(),
            edges: file.scene.edges().iter().map(edge).collect(),
        }
    }

    /// The rooms.
    pub(super) fn rooms(&self) -> impl Iterator<Item = &Thing> {
        self.things.values().filter(|t| t.is_room())
    }

    /// Where the edges of a relation lead to from a node.
    pub(super) fn to(&self, from: i64, relation: &'static str) -> Vec<&Thing> {
        self.edges
            .range((from, relation, i64::MIN)..=(from, relation, i64::MAX))
            .filter_map(|(_, _, to)| self.things.get(to))
            .collect()
    }

    /// The rooms a node is in.
    pub(super) fn rooms_of(&self, id: i64) -> Vec<&Thing> {
        let mut rooms = self.to(id, "INSIDE");
        rooms.retain(|t| t.is_room());
        rooms
    }

    /// What a node lies on or in, rooms apart.
    pub(super) fn supports(&self, id: i64) -> Vec<&Thing> {
        let mut all = self.to(id, "ON");
        all.extend(self.to(id, "INSIDE"));
        all.retain(|t| !t.is_room());
        all
    }

    /// The first node of a class; tests plant their faults there.
    pub(super) fn first(&mut self, class: &str) -> &mut Thing {
        let found = self.things.values_mut().find(|t| t.class == class);
        found.unwrap_or_else(|| panic!("no {class}"))
    }
}
