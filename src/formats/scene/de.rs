//! The typed reading of a graph: no intermediate tree, names turned into bits while the parser stands on them, so that
//! its line and column are those of the word at fault.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

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
    bytes: &[u8],
    which: Which,
) -> Result<Graph, serde_json::Error> {
    let cx = Cx {
        dialect,
        words: RefCell::default(),
        notes: RefCell::default(),
    };
    let mut de = serde_json::Deserializer::from_slice(bytes);
    let mut graph = Top { cx: &cx, which }.deserialize(&mut de)?;
    de.end()?;
    graph.notes = cx.notes.take();
    Ok(graph)
}

/// What all readers of one file share.
struct Cx {
    dialect: &'static Dialect,
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

/// Reads one of some known field names, or another.
struct Key<'k>(&'k [&'static str]);

enum Field {
    Known(usize),
    Other(String),
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Field;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Field, D::Error> {
        de.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Field;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Field, E> {
        Ok(self
            .0
            .iter()
            .position(|name| *name == text)
            .map_or_else(|| Field::Other(text.to_owned()), Field::Known))
    }
}

/// Puts a value in its slot; a second one is an error.
fn once<T, E: Error>(slot: &mut Option<T>, value: T, name: &'static str) -> Result<(), E> {
    if slot.replace(value).is_some() {
        return Err(E::duplicate_field(name));
    }
    Ok(())
}

fn keep<'de, A: MapAccess<'de>>(map: &mut A, name: String) -> Result<(String, String), A::Error> {
    let raw: &RawValue = map.next_value()?;
    Ok((name, json::one_line(raw.get())))
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
];

/// A node while its fields come in.
#[derive(Default)]
struct Parts {
    /// One bit a field of [`NODE`].
    seen: u8,
    id: Option<i64>,
    class: Option<Arc<str>>,
    category: Option<Arc<str>>,
    props: Option<Props>,
    states: Option<States>,
    prefab: Option<Arc<str>>,
    bounds: Option<(Vec3, Vec3)>,
    tags: Vec<Arc<str>>,
    extra: BTreeMap<String, String>,
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
            _ => self.tags = map.next_value_seed(Texts(cx))?,
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
            category: self.category,
            props: self.props.ok_or_else(|| E::missing_field("properties"))?,
            states: self.states.ok_or_else(|| E::missing_field("states"))?,
            prefab: self.prefab,
            bounds,
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
        de.deserialize_seq(self)
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

/// A kind of word of a dialect.
trait Kind {
    const ONE: &'static str;
    const MANY: &'static str;
    fn names(dialect: &Dialect) -> &'static [&'static str];
}

impl Kind for State {
    const ONE: &'static str = "state";
    const MANY: &'static str = "a list of states";
    fn names(dialect: &Dialect) -> &'static [&'static str] {
        dialect.states
    }
}

impl Kind for Prop {
    const ONE: &'static str = "property";
    const MANY: &'static str = "a list of properties";
    fn names(dialect: &Dialect) -> &'static [&'static str] {
        dialect.properties
    }
}

impl Kind for Rel {
    const ONE: &'static str = "relation";
    const MANY: &'static str = "a list of relations";
    fn names(dialect: &Dialect) -> &'static [&'static str] {
        dialect.relations
    }
}

/// One word of a kind, as its bit.
struct Word<'c, K>(&'c Cx, PhantomData<K>);

impl<'c, K> Word<'c, K> {
    const fn new(cx: &'c Cx) -> Self {
        Self(cx, PhantomData)
    }
}

impl<'de, K: Kind> DeserializeSeed<'de> for Word<'_, K> {
    type Value = u8;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<u8, D::Error> {
        de.deserialize_str(self)
    }
}

impl<K: Kind> Visitor<'_> for Word<'_, K> {
    type Value = u8;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {} in quotes", K::ONE)
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<u8, E> {
        let names = K::names(self.0.dialect);
        let at = |word: &str| names.iter().position(|n| *n == word);
        // The published loader upper-cases first.
        at(text)
            .or_else(|| at(&text.to_uppercase()))
            .map(|i| i as u8)
            .ok_or_else(|| unknown(K::ONE, text, names))
    }
}

fn unknown<E: Error>(what: &str, text: &str, names: &[&str]) -> E {
    let short: String = text.chars().take(64).collect();
    let cure = nearest(&short.to_uppercase(), names.iter().copied()).map_or_else(
        || format!("known are {}", names.join(", ")),
        |n| format!("did you mean {n}?"),
    );
    json::wrong(format!("unknown {what} {}", json::quote(text)), &cure)
}

/// A list of words of a kind, as bits.
struct Words<'c, K>(&'c Cx, PhantomData<K>);

impl<'c, K> Words<'c, K> {
    const fn new(cx: &'c Cx) -> Self {
        Self(cx, PhantomData)
    }
}

impl<'de, K: Kind> DeserializeSeed<'de> for Words<'_, K> {
    type Value = u32;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<u32, D::Error> {
        de.deserialize_seq(self)
    }
}

impl<'de, K: Kind> Visitor<'de> for Words<'_, K> {
    type Value = u32;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(K::MANY)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<u32, A::Error> {
        let mut bits = 0;
        while let Some(bit) = seq.next_element_seed(Word::<K>::new(self.0))? {
            bits |= 1 << bit;
        }
        Ok(bits)
    }
}

/// A whole number.
struct Whole;

impl<'de> DeserializeSeed<'de> for Whole {
    type Value = i64;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<i64, D::Error> {
        de.deserialize_i64(self)
    }
}

impl Visitor<'_> for Whole {
    type Value = i64;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<i64, E> {
        Ok(value)
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<i64, E> {
        i64::try_from(value)
            .map_err(|_| json::wrong(format!("{value} is too large"), "use a smaller id"))
    }
}

/// A shared text.
struct Text<'c>(&'c Cx);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = Arc<str>;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Arc<str>, D::Error> {
        de.deserialize_str(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = Arc<str>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text in quotes")
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Arc<str>, E> {
        Ok(self.0.intern(text))
    }
}

/// A list of texts.
struct Texts<'c>(&'c Cx);

impl<'de> DeserializeSeed<'de> for Texts<'_> {
    type Value = Vec<Arc<str>>;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Self::Value, D::Error> {
        de.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Texts<'_> {
    type Value = Vec<Arc<str>>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of texts")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(text) = seq.next_element_seed(Text(self.0))? {
            all.push(text);
        }
        Ok(all)
    }
}

/// Something, or null.
struct Maybe<S>(S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Maybe<S> {
    type Value = Option<S::Value>;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Self::Value, D::Error> {
        de.deserialize_option(self)
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for Maybe<S> {
    type Value = Option<S::Value>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or null")
    }
    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_some<D: Deserializer<'de>>(self, de: D) -> Result<Self::Value, D::Error> {
        self.0.deserialize(de).map(Some)
    }
}

/// Centre and size.
struct Bounds<'c>(&'c Cx);

impl<'de> DeserializeSeed<'de> for Bounds<'_> {
    type Value = (Vec3, Vec3);
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<Self::Value, D::Error> {
        de.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Bounds<'_> {
    type Value = (Vec3, Vec3);
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a box: an object with center and size, three numbers each")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut center, mut size) = (None, None);
        while let Some(field) = map.next_key_seed(Key(&["center", "size"]))? {
            match field {
                Field::Known(0) => once(&mut center, map.next_value()?, "center")?,
                Field::Known(_) => once(&mut size, map.next_value()?, "size")?,
                Field::Other(name) => {
                    map.next_value::<IgnoredAny>()?;
                    self.0.notes.borrow_mut().push(Diagnostic::warning(
                        "nodes",
                        format!(
                            "the field {} of a bounding_box is not kept",
                            json::quote(&name)
                        ),
                    ));
                }
            }
        }
        Ok((
            center.ok_or_else(|| Error::missing_field("center"))?,
            size.ok_or_else(|| Error::missing_field("size"))?,
        ))
    }
}
