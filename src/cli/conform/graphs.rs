//! The recorded graphs: one base and what differs per graph, beside small whole ones.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;

use crate::cli::conform::recording::lines;
use crate::sim::scene::{Edge, Node, Scene};
use crate::sim::virtualhome::DIALECT;
use crate::sim::vocab::{NodeId, Profile, States};
use crate::sim::world::World;

#[derive(Clone, Debug, Deserialize)]
struct RawNode {
    id: i64,
    class_name: String,
    category: Option<String>,
    properties: Vec<String>,
    states: Vec<String>,
}

type RawEdge = (i64, String, i64);

/// The base writes triples, the small graphs the published objects.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum AnyEdge {
    Triple(RawEdge),
    Object {
        from_id: i64,
        relation_type: String,
        to_id: i64,
    },
}

impl From<AnyEdge> for RawEdge {
    fn from(edge: AnyEdge) -> Self {
        match edge {
            AnyEdge::Triple(t) => t,
            AnyEdge::Object {
                from_id,
                relation_type,
                to_id,
            } => (from_id, relation_type, to_id),
        }
    }
}

#[derive(Debug, Deserialize)]
struct RawGraph {
    nodes: Vec<RawNode>,
    edges: Vec<AnyEdge>,
}

#[derive(Debug, Deserialize)]
struct Delta {
    id: String,
    #[serde(default)]
    states: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    add_nodes: Vec<RawNode>,
    #[serde(rename = "edges+", default)]
    edges_added: Vec<RawEdge>,
    #[serde(rename = "edges-", default)]
    edges_removed: Vec<RawEdge>,
}

/// All recorded graphs as worlds at their start, made on first use.
#[derive(Debug)]
pub(super) struct Graphs {
    base: RawGraph,
    deltas: BTreeMap<String, Delta>,
    whole: BTreeMap<String, RawGraph>,
    made: BTreeMap<String, World>,
}

impl Graphs {
    /// Reads the folder `graphs`.
    pub(super) fn open(dir: &Path) -> Result<Self> {
        let read = |path: &Path| -> Result<RawGraph> {
            let text = fs_err::read_to_string(path)?;
            serde_json::from_str(&text).with_context(|| path.display().to_string())
        };
        let base = read(&dir.join("base.json"))?;
        let mut deltas = BTreeMap::new();
        lines(&dir.join("deltas.jsonl.gz"), |_, d: Delta| {
            deltas.insert(d.id.clone(), d);
            Ok(())
        })?;
        let mut whole = BTreeMap::new();
        for name in ["syn1", "syn2"] {
            let path = dir.join(format!("{name}.json"));
            if path.exists() {
                whole.insert(name.to_owned(), read(&path)?);
            }
        }
        Ok(Self {
            base,
            deltas,
            whole,
            made: BTreeMap::new(),
        })
    }

    /// The world of a graph at its start.
    pub(super) fn world(&mut self, id: &str) -> Result<World> {
        if !self.made.contains_key(id) {
            let scene = Arc::new(self.scene(id)?);
            self.made
                .insert(id.to_owned(), World::new(&scene, Profile::Eai)?);
        }
        self.made
            .get(id)
            .cloned()
            .ok_or_else(|| anyhow!("graph {id} was not made"))
    }

    fn scene(&self, id: &str) -> Result<Scene> {
        if let Some(raw) = self.whole.get(id) {
            return scene(
                id,
                raw.nodes.clone(),
                raw.edges.iter().cloned().map(Into::into).collect(),
            );
        }
        let Some(delta) = self.deltas.get(id) else {
            bail!("no graph {id:?} is recorded")
        };
        let mut nodes = self.base.nodes.clone();
        for node in &mut nodes {
            if let Some(states) = delta.states.get(&node.id.to_string()) {
                node.states.clone_from(states);
            }
        }
        nodes.extend(delta.add_nodes.iter().cloned());
        let removed: std::collections::BTreeSet<&RawEdge> = delta.edges_removed.iter().collect();
        let mut edges: Vec<RawEdge> = self
            .base
            .edges
            .iter()
            .cloned()
            .map(RawEdge::from)
            .filter(|e| !removed.contains(e))
            .collect();
        edges.extend(delta.edges_added.iter().cloned());
        scene(id, nodes, edges)
    }
}

fn scene(id: &str, nodes: Vec<RawNode>, edges: Vec<RawEdge>) -> Result<Scene> {
    let nodes = nodes.into_iter().map(node).collect::<Result<Vec<_>>>()?;
    let edges = edges
        .into_iter()
        .map(|(from, rel, to)| {
            let rel = DIALECT
                .relation(&rel)
                .ok_or_else(|| anyhow!("unknown relation {rel:?}"))?;
            Ok(Edge {
                from: NodeId(from),
                rel,
                to: NodeId(to),
            })
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(Scene::new(&DIALECT, id, nodes, edges)?)
}

fn node(raw: RawNode) -> Result<Node> {
    let mut node = Node::new(raw.id, &raw.class_name);
    node.category = raw.category.map(Into::into);
    for p in &raw.properties {
        node.props = node.props.with(
            DIALECT
                .property(p)
                .ok_or_else(|| anyhow!("unknown property {p:?}"))?,
        );
    }
    let mut states = States::EMPTY;
    for s in &raw.states {
        states = states.with(
            DIALECT
                .state(s)
                .ok_or_else(|| anyhow!("unknown state {s:?}"))?,
        );
    }
    node.states = states;
    Ok(node)
}
