//! A scene graph as it was loaded: nodes and edges in file order, before anything happens.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::base::diag::Diagnostic;
use crate::sim::happen::Scripted;
use crate::sim::vocab::{Dialect, Ix, NodeId, Props, Rel, States};

/// A point or an extent in metres, `[x, y, z]` with y up.
pub type Vec3 = [f64; 3];

/// One object, room or agent as loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its id in the file.
    pub id: NodeId,
    /// Its class, lower case with underscores.
    pub class: Arc<str>,
    /// The name the data set gives it, such as `sink_64`, where that is not made of class and id.
    pub title: Option<Arc<str>>,
    /// The category; only `Rooms` has a meaning for the simulator.
    pub category: Option<Arc<str>>,
    /// Its fixed properties.
    pub props: Props,
    /// Its states at the start.
    pub states: States,
    /// The published prefab name, kept for writing back.
    pub prefab: Option<Arc<str>>,
    /// Centre and size in metres.
    pub bounds: Option<(Vec3, Vec3)>,
    /// How much room it takes in cubic metres, where it is known.
    pub volume: Option<f64>,
    /// Hazard tags written on the node itself.
    pub tags: Vec<Arc<str>>,
    /// Fields of the file this program does not know, kept for writing back (JSON text by field name).
    pub extra: BTreeMap<String, String>,
}

impl Node {
    /// A node with nothing but an id and a class.
    pub fn new(id: i64, class: &str) -> Self {
        Self {
            id: NodeId(id),
            class: class.into(),
            title: None,
            category: None,
            props: Props::EMPTY,
            states: States::EMPTY,
            prefab: None,
            bounds: None,
            volume: None,
            tags: Vec::new(),
            extra: BTreeMap::new(),
        }
    }

    /// Whether this is a room.
    pub fn is_room(&self) -> bool {
        self.category.as_deref() == Some("Rooms")
    }

    /// The way people name a node: its title, else `class.id`.
    pub fn name(&self) -> String {
        match &self.title {
            Some(title) => title.as_ref().to_owned(),
            None => format!("{}.{}", self.class, self.id),
        }
    }

    /// `<class> (id)`, the way published messages and programs name a node.
    pub fn published(&self) -> String {
        format!("<{}> ({})", self.class, self.id)
    }
}

/// A directed edge between two nodes of the same scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The subject.
    pub from: NodeId,
    /// The relation.
    pub rel: Rel,
    /// The object.
    pub to: NodeId,
}

/// A loaded scene. [`Scene::new`] guarantees unique ids and that every edge has both ends.
#[derive(Clone, Debug)]
pub struct Scene {
    dialect: &'static Dialect,
    name: String,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    events: Vec<Scripted>,
    by_id: FxHashMap<NodeId, Ix>,
    order: Vec<u32>,
    short: Vec<Arc<str>>,
}

impl Scene {
    /// Checks ids and edges. Duplicate edges collapse, as in the published loader.
    ///
    /// # Errors
    /// A diagnostic naming the first duplicate id or dangling edge, or a scene without nodes or with too many.
    pub fn new(
        dialect: &'static Dialect,
        name: impl Into<String>,
        nodes: Vec<Node>,
        edges: Vec<Edge>,
    ) -> Result<Self, Diagnostic> {
        if nodes.is_empty() {
            return Err(Diagnostic::error("nodes", "the scene has no nodes")
                .help("add at least a room and a character"));
        }
        if nodes.len() > MAX_NODES {
            return Err(
                Diagnostic::error("nodes", format!("{} nodes are too many", nodes.len()))
                    .help(format!("the limit is {MAX_NODES}")),
            );
        }
        let mut file_index: FxHashMap<NodeId, usize> = FxHashMap::default();
        for (i, node) in nodes.iter().enumerate() {
            if let Some(before) = file_index.insert(node.id, i) {
                let message = format!("id {} is already used by nodes[{before}]", node.id);
                return Err(Diagnostic::error(format!("nodes[{i}].id"), message)
                    .help("give every node an id of its own"));
            }
        }
        for (i, e) in edges.iter().enumerate() {
            for (field, id) in [("from_id", e.from), ("to_id", e.to)] {
                if !file_index.contains_key(&id) {
                    let message = format!("no node has id {id}");
                    return Err(Diagnostic::error(format!("edges[{i}].{field}"), message)
                        .help("remove the edge or add the node"));
                }
            }
        }
        let mut order: Vec<u32> = (0..nodes.len() as u32).collect();
        order.sort_unstable_by_key(|&i| nodes[i as usize].id);
        let by_id = order
            .iter()
            .enumerate()
            .map(|(ix, &i)| (nodes[i as usize].id, Ix(ix as u32)))
            .collect();
        let mut seen: FxHashSet<Edge> =
            FxHashSet::with_capacity_and_hasher(edges.len(), FxBuildHasher);
        let edges = edges.into_iter().filter(|e| seen.insert(*e)).collect();
        let short = short_names(&nodes, &order);
        Ok(Self {
            dialect,
            name: name.into(),
            nodes,
            edges,
            events: Vec::new(),
            by_id,
            order,
            short,
        })
    }

    /// The dialect whose words the scene uses.
    pub fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// A short name for titles and messages, usually the file's.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All nodes, in file order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All edges, in file order, without duplicates.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// What comes to pass in this scene by itself, whatever the task.
    pub fn events(&self) -> &[Scripted] {
        &self.events
    }

    /// The same scene, in which this comes to pass by itself.
    #[must_use]
    pub fn with_events(mut self, events: Vec<Scripted>) -> Self {
        self.events = events;
        self
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: a scene has at least one node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node at an index (ascending by id).
    pub fn node(&self, ix: Ix) -> &Node {
        &self.nodes[self.order[ix.at()] as usize]
    }

    /// The shortest name that means this node alone: its title, its class where it is the only one, else `class.id`.
    pub fn short_name(&self, ix: Ix) -> &str {
        &self.short[ix.at()]
    }

    /// All indices, ascending by id.
    pub fn indices(&self) -> impl DoubleEndedIterator<Item = Ix> + use<> {
        (0..self.nodes.len() as u32).map(Ix)
    }

    /// The index of the node with that id.
    pub fn find(&self, id: NodeId) -> Option<Ix> {
        self.by_id.get(&id).copied()
    }

    /// The node with that id.
    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.find(id).map(|ix| self.node(ix))
    }

    /// All nodes of a class, ascending by id.
    pub fn of_class<'a>(&'a self, class: &'a str) -> impl Iterator<Item = Ix> + 'a {
        self.indices()
            .filter(move |&ix| &*self.node(ix).class == class)
    }

    /// The parts, for building a changed scene.
    pub fn into_parts(self) -> (String, Vec<Node>, Vec<Edge>) {
        (self.name, self.nodes, self.edges)
    }
}

fn short_names(nodes: &[Node], order: &[u32]) -> Vec<Arc<str>> {
    let mut count: BTreeMap<&str, u32> = BTreeMap::new();
    for node in nodes {
        *count.entry(&node.class).or_default() += 1;
    }
    let name = |node: &Node| match (&node.title, count.get(&*node.class)) {
        (Some(title), _) => title.clone(),
        (None, Some(1)) => node.class.clone(),
        _ => node.name().into(),
    };
    order.iter().map(|&i| name(&nodes[i as usize])).collect()
}

/// The largest scene an action log can address.
pub const MAX_NODES: usize = (1 << 26) - 1;
