//! The typed reading of a graph: no intermediate tree, names turned into bits while the parser stands on them, so that
//! its line and column are those of the word at fault.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::Deserialize as _;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

mod atoms;

use self::atoms::{Bounds, Field, Key, Maybe, Text, Texts, Whole, Word, Words, keep, once};
use super::{Extra, Which};
use crate::base::diag::Diagnostic;
use crate::formats::json;
use crate::plan::names::nearest;
use crate::sim::scene::{Edge, Node, Vec3};
use crate::sim::vocab::{Dialect, NodeId, Prop, Props, Rel, State, States};

/// A graph as read, not yet checked as a whole.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    pub(super) extra: Extra,
    pub(super) edge_extra: BTreeMap<Edge, Extra>,
    pub(super) notes: Vec<Diagnostic>,
    /// The field the graph was in, with a dot; empty when it is the whole file.
    pub(super) inside: &'static str,
}

/// Reads the one graph, or the chosen one of two.
pub(super) fn graph(
    dialect: &'static Dialect,
    text: &str,
    which: Which,
) -> Result<Graph, serde_json::Error> {
    match read(dialect, text, which, true) {
        // The short way gave up: the general one reads the edges, or tells what is wrong and where.
        Err(_) => read(dialect, text, which, false),
        graph => graph,
    }
}

fn read(
    dialect: &'static Dialect,
    text: &str,
    which: Which,
    quick: bool,
) -> Result<Graph, serde_json::Error> {
    let cx = Cx {
        dialect,
        quick,
        words: RefCell::default(),
        notes: RefCell::default(),
    };
    let mut de = serde_json::Deserializer::from_str(text);
    let mut graph = Top { cx: &cx, which }.deserialize(&mut de)?;
    de.end()?;
    graph.notes = cx.notes.take();
    Ok(graph)
}

/// What all readers of one file share.
struct Cx {
    dialect: &'static Dialect,
    /// Whether edges are read the short way, which knows only one shape.
    quick: bool,
    words: RefCell<FxHashSet<Arc<str>>>,
    notes: RefCell<Vec<Diagnostic>>,
}

impl Cx {
    /// One shared copy of each text: a scene repeats few classes many times.
    fn intern(&self, text: &str) -> Arc<str> {
        let mut words = self.words.borrow_mut();
        if let Some(known) = words.get(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        words.insert(new.clone());
        new
    }
}

/// The whole file, or one graph of two.
struct Top<'c> {
    cx: &'c Cx,
    which: Which,
}

impl<'de> DeserializeSeed<'de> for Top<'_> {
    type Value = Graph;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Graph, D::Error> {
        de.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Top<'_> {
    type Value = Graph;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the fields nodes and edges")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Graph, A::Error> {
        const FIELDS: &[&str] = &["nodes", "edges", "init_graph", "final_graph"];
        let (mut nodes, mut edges, mut inner) = (None, None, None);
        let mut graph = Graph::default();
        let chosen = match self.which {
            Which::Initial => 2,
            Which::Final => 3,
        };
        while let Some(field) = map.next_key_seed(Key(FIELDS))? {
            match field {
                Field::Known(0) => {
                    once(&mut nodes, map.next_value_seed(Nodes(self.cx))?, "nodes")?;
                }
                Field::Known(1) => {
                    let list = Edges(self.cx, &mut graph.edge_extra);
                    once(&mut edges, map.next_value_seed(list)?, "edges")?;
                }
                Field::Known(n) if n == chosen => {
                    once(&mut inner, map.next_value_seed(Inner(self.cx))?, FIELDS[n])?;
                }
                Field::Known(_) => {
                    map.next_value::<IgnoredAny>()?;
                }
                Field::Other(name) => graph.extra.push(keep(&mut map, name)?),
            }
        }
        match (nodes, edges, inner) {
            (None, None, Some(inner)) => Ok(Graph {
                inside: if chosen == 2 {
                    "init_graph."
                } else {
                    "final_graph."
                },
                ..inner
            }),
            (Some(nodes), Some(edges), None) => Ok(Graph {
                nodes,
                edges,
                ..graph
            }),
            (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => Err(json::wrong(
                "the file has both a graph and fields nodes or edges beside it",
                "keep one of the two forms",
            )),
            (Some(_), None, None) => Err(Error::missing_field("edges")),
            (None, _, None) => Err(Error::missing_field("nodes")),
        }
    }
}

/// A graph inside a file of two.
struct Inner<'c>(&'c Cx);

impl<'de> DeserializeSeed<'de> for Inner<'_> {
    type Value = Graph;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Graph, D::Error> {
        de.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Inner<'_> {
    type Value = Graph;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the fields nodes and edges")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Graph, A::Error> {
        let (mut nodes, mut edges) = (None, None);
        let mut graph = Graph::default();
        while let Some(field) = map.next_key_seed(Key(&["nodes", "edges"]))? {
            match field {
                Field::Known(0) => once(&mut nodes, map.next_value_seed(Nodes(self.0))?, "nodes")?,
                Field::Known(_) => {
                    let list = Edges(self.0, &mut graph.edge_extra);
                    once(&mut edges, map.next_value_seed(list)?, "edges")?;
                }
                Field::Other(name) => graph.extra.push(keep(&mut map, name)?),
            }
        }
        Ok(Graph {
            nodes: nodes.ok_or_else(|| Error::missing_field("nodes"))?,
            edges: edges.ok_or_else(|| Error::missing_field("edges"))?,
            ..graph
        })
    }
}

struct Nodes<'c>(&'c Cx);

impl<'de> DeserializeSeed<'de> for Nodes<'_> {
    type Value = Vec<Node>;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Vec<Node>, D::Error> {
        de.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Nodes<'_> {
    type Value = Vec<Node>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<Node>, A::Error> {
        let mut nodes = Vec::with_capacity(320);
        while let Some(node) = seq.next_element_seed(NodeSeed(self.0, nodes.len()))? {
            nodes.push(node);
        }
        Ok(nodes)
    }
}

/// The node at that place of the list.
struct NodeSeed<'c>(&'c Cx, usize);

impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
    type Value = Node;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Node, D::Error> {
        de.deserialize_map(self)
    }
}

const NODE: &[&str] = &[
    "id",
    "class_name",
    "category",
    "properties",
    "states",
    "prefab_name",
    "bounding_box",
    "tags",
    "title",
    "volume_m3",
];

/// A node while its fields come in.
#[derive(Default)]
struct Parts {
    /// One bit a field of [`NODE`].
    seen: u16,
    id: Option<i64>,
    class: Option<Arc<str>>,
    category: Option<Arc<str>>,
    props: Option<Props>,
    states: Option<States>,
    prefab: Option<Arc<str>>,
    bounds: Option<(Vec3, Vec3)>,
    title: Option<Arc<str>>,
    volume: Option<f64>,
    tags: Vec<Arc<str>>,
    /// The tags that are traces of what was done.
    traces: States,
    extra: BTreeMap<String, String>,
}

/// Takes the traces out of a node's tags.
fn traces(dialect: &Dialect, tags: &mut Vec<Arc<str>>) -> States {
    let mut found = States::EMPTY;
    tags.retain(|tag| match dialect.trace(tag) {
        Some(trace) => {
            found = found.with(trace);
            false
        }
        None => true,
    });
    found
}

/// A size that can be one.
fn volume<E: Error>(volume: Option<f64>) -> Result<Option<f64>, E> {
    match volume {
        Some(v) if !v.is_finite() || v < 0.0 => Err(json::wrong(
            "volume_m3 is no size",
            "write cubic metres, 0 or more",
        )),
        volume => Ok(volume),
    }
}

impl Parts {
    fn take<'de, A: MapAccess<'de>>(
        &mut self,
        cx: &Cx,
        field: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        if self.seen & (1 << field) != 0 {
            return Err(Error::duplicate_field(NODE[field]));
        }
        self.seen |= 1 << field;
        match field {
            0 => self.id = Some(map.next_value_seed(Whole)?),
            1 => self.class = Some(map.next_value_seed(Text(cx))?),
            2 => self.category = map.next_value_seed(Maybe(Text(cx)))?,
            3 => self.props = Some(Props(map.next_value_seed(Words::<Prop>::new(cx))?)),
            4 => {
                let bits = map.next_value_seed(Words::<State>::new(cx))?;
                self.states = Some(States(bits as u16));
            }
            5 => self.prefab = map.next_value_seed(Maybe(Text(cx)))?,
            6 => self.bounds = map.next_value_seed(Maybe(Bounds(cx)))?,
            8 => self.title = map.next_value_seed(Maybe(Text(cx)))?,
            9 => self.volume = volume(map.next_value()?)?,
            _ => {
                self.tags = map.next_value_seed(Texts(cx))?;
                self.traces = traces(cx.dialect, &mut self.tags);
            }
        }
        Ok(())
    }

    fn node<E: Error>(self) -> Result<Node, E> {
        let id = self.id.ok_or_else(|| E::missing_field("id"))?;
        let class = self.class.ok_or_else(|| E::missing_field("class_name"))?;
        if class.is_empty() {
            return Err(json::wrong(
                "class_name is empty",
                "name the class, such as \"table\"",
            ));
        }
        let states = self.states.ok_or_else(|| E::missing_field("states"))?;
        let position = self.extra.get("position").map(|raw| {
            serde_json::from_str::<Vec3>(raw).map_err(|_| {
                json::wrong(
                    "position is no list of three numbers",
                    "write [x, y, z] in metres",
                )
            })
        });
        let bounds = match (self.bounds, position.transpose()?) {
            (None, Some(center)) => Some((center, super::NO_SIZE)),
            (bounds, _) => bounds,
        };
        Ok(Node {
            id: NodeId(id),
            class,
            title: self.title,
            category: self.category,
            props: self.props.ok_or_else(|| E::missing_field("properties"))?,
            states: States(states.0 | self.traces.0),
            prefab: self.prefab,
            bounds,
            volume: self.volume,
            tags: self.tags,
            extra: self.extra,
        })
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_> {
    type Value = Node;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node: an object with id, class_name, properties and states")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut parts = Parts::default();
        while let Some(field) = map.next_key_seed(Key(NODE))? {
            match field {
                Field::Known(n) => parts.take(self.0, n, &mut map)?,
                Field::Other(name) => {
                    let (name, raw) = keep(&mut map, name)?;
                    if let Some(meant) = nearest(&name, NODE.iter().copied()) {
                        self.0.notes.borrow_mut().push(
                            Diagnostic::warning(
                                format!("nodes[{}].{name}", self.1),
                                "this field is not known and only kept".to_owned(),
                            )
                            .help(format!("did you mean {meant}?")),
                        );
                    }
                    parts.extra.insert(name, raw);
                }
            }
        }
        parts.node()
    }
}

struct Edges<'c>(&'c Cx, &'c mut BTreeMap<Edge, Extra>);

impl<'de> DeserializeSeed<'de> for Edges<'_> {
    type Value = Vec<Edge>;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Vec<Edge>, D::Error> {
        if !self.0.quick {
            return de.deserialize_seq(self);
        }
        let raw = <&RawValue>::deserialize(de)?;
        super::quick::edges(raw.get(), self.0.dialect).ok_or_else(|| Error::custom("not plain"))
    }
}

impl<'de> Visitor<'de> for Edges<'_> {
    type Value = Vec<Edge>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of edges")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<Edge>, A::Error> {
        let mut edges = Vec::with_capacity(6_000);
        while let Some((edge, extra)) = seq.next_element_seed(EdgeSeed(self.0))? {
            if !extra.is_empty() {
                self.1.insert(edge, extra);
            }
            edges.push(edge);
        }
        Ok(edges)
    }
}

struct EdgeSeed<'c>(&'c Cx);

impl<'de> DeserializeSeed<'de> for EdgeSeed<'_> {
    type Value = (Edge, Extra);
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Self::Value, D::Error> {
        de.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for EdgeSeed<'_> {
    type Value = (Edge, Extra);
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an edge: an object with from_id, relation_type and to_id")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        const FIELDS: &[&str] = &["from_id", "relation_type", "to_id"];
        let (mut from, mut rel, mut to) = (None, None, None);
        let mut extra = Extra::new();
        while let Some(field) = map.next_key_seed(Key(FIELDS))? {
            match field {
                Field::Known(0) => once(&mut from, map.next_value_seed(Whole)?, FIELDS[0])?,
                Field::Known(1) => {
                    let word = map.next_value_seed(Word::<Rel>::new(self.0))?;
                    once(&mut rel, Rel(word), FIELDS[1])?;
                }
                Field::Known(_) => once(&mut to, map.next_value_seed(Whole)?, FIELDS[2])?,
                Field::Other(name) => extra.push(keep(&mut map, name)?),
            }
        }
        let edge = Edge {
            from: NodeId(from.ok_or_else(|| Error::missing_field(FIELDS[0]))?),
            rel: rel.ok_or_else(|| Error::missing_field(FIELDS[1]))?,
            to: NodeId(to.ok_or_else(|| Error::missing_field(FIELDS[2]))?),
        };
        Ok((edge, extra))
    }
}
