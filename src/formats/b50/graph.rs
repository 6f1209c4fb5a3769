//! The graph JSON `b50-graph-1` of one task: objects with their states, relations, hands, assumptions and goal.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::base::diag::Diagnostic;
use crate::formats::{Read, json};
use crate::sim::behavior::DIALECT;
use crate::sim::behavior::words::{prop, rel};
use crate::sim::scene::{Edge, Node, Scene};
use crate::sim::vocab::{NodeId, Prop, Rel};

/// The value of `format`.
pub const FORMAT: &str = "b50-graph-1";

/// A task's graph as read.
#[derive(Debug)]
pub struct Graph {
    /// The task it belongs to.
    pub task: String,
    /// The activity, such as `mopping_floors`.
    pub activity: String,
    /// The graph as a scene: the agent first, then objects in the order of their scope, then rooms.
    pub scene: Scene,
    /// The instance of the definition each named object stands for, such as `sink.n.01_1`.
    pub instances: BTreeMap<String, NodeId>,
    /// The goal as nested lists, as JSON.
    pub goal: serde_json::Value,
    /// The facts of the start that are assumed, since the published packages are silent about them, such as
    /// `(open carton_0)`.
    pub assumed: Vec<String>,
    /// What else was assumed, in words.
    pub notes: Vec<String>,
}

/// A graph as its file tells it.
#[derive(Debug, Deserialize)]
pub(super) struct Raw {
    pub(super) format: String,
    pub(super) task_id: String,
    pub(super) activity: String,
    pub(super) agent_room: Option<String>,
    pub(super) objects: Vec<RawObject>,
    pub(super) relations: Vec<RawRelation>,
    #[serde(default)]
    pub(super) hands: BTreeMap<String, Option<String>>,
    #[serde(default)]
    pub(super) goal_bddl: serde_json::Value,
    #[serde(default)]
    pub(super) assumed_states: Vec<RawAssumed>,
    #[serde(default)]
    pub(super) notes: serde_json::Value,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RawObject {
    pub(super) name: String,
    pub(super) bddl: Option<String>,
    pub(super) category: String,
    pub(super) igibson_category: String,
    pub(super) kind: String,
    pub(super) whole: Option<String>,
    pub(super) states: BTreeMap<String, bool>,
    #[serde(default)]
    pub(super) slicer: bool,
    #[serde(default)]
    pub(super) cleaning_tool: bool,
    pub(super) volume_m3: f64,
    pub(super) room_type: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawRelation {
    pub(super) relation: String,
    pub(super) from: String,
    pub(super) to: String,
    #[serde(default)]
    pub(super) source: String,
}

/// A state that is assumed.
#[derive(Debug, Deserialize)]
pub(super) struct RawAssumed {
    pub(super) object: String,
    pub(super) state: String,
    pub(super) value: bool,
}

/// The `source` of a relation that is assumed.
pub(super) const ASSUMED: &str = "assumed";

/// Reads a graph; `name` is the file's, for messages.
///
/// # Errors
/// The bytes are no graph of this format, or name an unknown state, relation or object.
pub fn read(name: &str, bytes: &[u8]) -> Result<Read<Graph>, Diagnostic> {
    let raw: Raw = serde_json::from_slice(json::without_mark(bytes))
        .map_err(|e| json::explain(bytes, &e).in_file(name))?;
    if raw.format != FORMAT {
        return Err(Diagnostic::error(
            "format",
            format!("the format is {}", json::quote(&raw.format)),
        )
        .help(format!("known is {FORMAT}"))
        .in_file(name));
    }
    of_raw(raw).map_err(|d| d.in_file(name))
}

/// The graph its file tells of.
pub(super) fn of_raw(raw: Raw) -> Result<Read<Graph>, Diagnostic> {
    let mut nodes = vec![Node::new(0, DIALECT.rules.agent_class)];
    let mut ids: BTreeMap<String, NodeId> = BTreeMap::new();
    let mut instances = BTreeMap::new();
    for (i, object) in raw.objects.iter().enumerate() {
        let node = node(i, object)?;
        if ids.insert(object.name.clone(), node.id).is_some() {
            return Err(Diagnostic::error(
                format!("objects[{i}].name"),
                format!("{} is there twice", json::quote(&object.name)),
            )
            .help("give every object a name of its own"));
        }
        if let Some(instance) = &object.bddl {
            instances.insert(instance.clone(), node.id);
        }
        nodes.push(node);
    }
    let mut edges = Vec::new();
    for (i, object) in raw.objects.iter().enumerate() {
        if let Some(whole) = &object.whole {
            edges.push(Edge {
                from: nodes[i + 1].id,
                rel: rel::PART_OF,
                to: find(&ids, whole, &format!("objects[{i}].whole"))?,
            });
        }
    }
    for (i, r) in raw.relations.iter().enumerate() {
        let field = |part: &str| format!("relations[{i}].{part}");
        let label = DIALECT
            .relation(&r.relation.to_uppercase())
            .ok_or_else(|| {
                Diagnostic::error(
                    field("relation"),
                    format!("{} is no relation", json::quote(&r.relation)),
                )
                .help("known are inside, ontop, onfloor, under and nextto")
            })?;
        edges.push(Edge {
            from: find(&ids, &r.from, &field("from"))?,
            rel: label,
            to: find(&ids, &r.to, &field("to"))?,
        });
    }
    for (side, what) in &raw.hands {
        if let Some(what) = what {
            edges.push(Edge {
                from: NodeId(0),
                rel: hand(side)?,
                to: find(&ids, what, &format!("hands.{side}"))?,
            });
        }
    }
    rooms(&raw, &mut nodes, &mut edges);
    let scene = Scene::new(&DIALECT, raw.task_id.clone(), nodes, edges)?;
    let assumed = assumed(&raw);
    let notes = match raw.notes {
        serde_json::Value::Array(all) => {
            let texts = all.iter().filter_map(|n| n.as_str());
            texts.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    let graph = Graph {
        task: raw.task_id,
        activity: raw.activity,
        scene,
        instances,
        goal: raw.goal_bddl,
        assumed,
        notes,
    };
    Ok((graph, Vec::new()))
}

fn assumed(raw: &Raw) -> Vec<String> {
    let states = raw.assumed_states.iter().map(|s| {
        let fact = format!("({} {})", s.state, s.object);
        if s.value {
            fact
        } else {
            format!("(not {fact})")
        }
    });
    let relations = raw.relations.iter().filter(|r| r.source == ASSUMED);
    let relations = relations.map(|r| format!("({} {} {})", r.relation, r.from, r.to));
    states.chain(relations).collect()
}

/// Nodes are numbered as they stand in the scene.
fn id_at(index: usize) -> NodeId {
    NodeId(i64::try_from(index).unwrap_or(i64::MAX))
}

fn find(ids: &BTreeMap<String, NodeId>, name: &str, field: &str) -> Result<NodeId, Diagnostic> {
    ids.get(name).copied().ok_or_else(|| {
        Diagnostic::error(field, format!("no object is called {}", json::quote(name)))
            .help("name one of objects")
    })
}

fn hand(side: &str) -> Result<Rel, Diagnostic> {
    match side {
        "right" => Ok(rel::HOLDS_RH),
        "left" => Ok(rel::HOLDS_LH),
        _ => Err(
            Diagnostic::error("hands", format!("{} is no hand", json::quote(side)))
                .help("known are left and right"),
        ),
    }
}

fn node(i: usize, object: &RawObject) -> Result<Node, Diagnostic> {
    let mut node = Node::new(id_at(i + 1).0, &object.igibson_category);
    node.title = Some(object.name.as_str().into());
    node.category = Some(object.category.as_str().into());
    node.volume = Some(object.volume_m3);
    for (name, &holds) in &object.states {
        let state = DIALECT
            .state(&name.to_uppercase())
            .filter(|s| s.0 < DIALECT.published_states)
            .ok_or_else(|| {
                Diagnostic::error(
                    format!("objects[{i}].states"),
                    format!("{} is no state", json::quote(name)),
                )
                .help(format!(
                    "known are {}",
                    DIALECT.published().join(", ").to_lowercase()
                ))
            })?;
        node.props = node.props.with(Prop(state.0));
        if holds {
            node.states = node.states.with(state);
        }
    }
    let marks = [
        (object.slicer, prop::SLICER),
        (object.cleaning_tool, prop::CLEANING_TOOL),
        (object.kind == "floor", prop::FLOOR),
        (object.kind == "part", prop::PART),
    ];
    for (has, mark) in marks {
        if has {
            node.props = node.props.with(mark);
        }
    }
    Ok(node)
}

/// A room for every kind of room a floor names; the agent stands in its own.
fn rooms(raw: &Raw, nodes: &mut Vec<Node>, edges: &mut Vec<Edge>) {
    let mut made: BTreeMap<&str, NodeId> = BTreeMap::new();
    for (i, object) in raw.objects.iter().enumerate() {
        let Some(kind) = &object.room_type else {
            continue;
        };
        let id = *made.entry(kind).or_insert_with(|| {
            let id = id_at(nodes.len());
            let mut room = Node::new(id.0, kind);
            room.category = Some("Rooms".into());
            nodes.push(room);
            id
        });
        edges.push(Edge {
            from: id_at(i + 1),
            rel: rel::INSIDE,
            to: id,
        });
        if raw.agent_room.as_ref() == Some(&object.name) {
            edges.push(Edge {
                from: NodeId(0),
                rel: rel::INSIDE,
                to: id,
            });
        }
    }
}
