//! VirtualHome scene graphs as JSON: `{"nodes": [...], "edges": [...]}`, or one of the two graphs of an
//! `{"init_graph": ..., "final_graph": ...}` file.
//!
//! State, relation and property names are upper-cased on load and must be known, as in the published loader; duplicate
//! ids, which that loader lets through, are refused. Traces of what was
//! done (EATEN …), no states of a published graph, are kept among the tags. Fields this program does not know survive
//! reading and writing.
//! Start with [`read`] and [`write()`].

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::base::diag::Diagnostic;
use crate::formats::{DIALECTS, Document, Format, Read, json, scripted};
use crate::sim::scene::{Edge, Node, Scene, Vec3};
use crate::sim::vocab::Dialect;

mod de;
mod quick;

/// Scenes among the kinds of file.
pub const FORMAT: Format = Format {
    id: "scene",
    title: "VirtualHome scene graph",
    extensions: &["json"],
    sniff,
    read: |name, bytes| {
        let (file, notes) = read(dialect(bytes), name, bytes, Which::Initial)?;
        Ok((Document::Scene(file), notes))
    },
};

/// The version of scene files that carry one; graphs from elsewhere carry none.
const VERSION: &str = "1";

/// Which graph of a file with two is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// `init_graph`.
    Initial,
    /// `final_graph`.
    Final,
}

/// Unknown fields in file order, each as JSON text on one line.
pub type Extra = Vec<(String, String)>;

/// A scene with what its file says beyond it.
#[derive(Clone, Debug)]
pub struct SceneFile {
    /// The scene.
    pub scene: Scene,
    /// Other fields beside `nodes` and `edges`.
    pub extra: Extra,
    /// Other fields on edges.
    pub edge_extra: BTreeMap<Edge, Extra>,
}

impl From<Scene> for SceneFile {
    fn from(scene: Scene) -> Self {
        let dialect = scene.dialect();
        let mut extra = Extra::new();
        if dialect.id != DIALECTS[0].id {
            extra.push(("dialect".to_owned(), json::string(dialect.id)));
        }
        Self {
            scene,
            extra,
            edge_extra: BTreeMap::new(),
        }
    }
}

impl SceneFile {
    /// The text of an unknown string field beside `nodes` and `edges`, such as `title`.
    pub fn text(&self, field: &str) -> Option<String> {
        let (_, raw) = self.extra.iter().find(|(name, _)| name == field)?;
        serde_json::from_str(raw).ok()
    }
}

/// The farthest a place may lie from the origin, in metres; more is no place in a house.
const FAR: f64 = 100_000.0;

/// Where a node stands and how large it is, in metres: its `bounding_box`, else its `position` or the one in its
/// `obj_transform`, a point without size.
pub fn place_of(node: &Node) -> Option<(Vec3, Vec3)> {
    #[derive(serde::Deserialize)]
    struct Transform {
        position: Vec3,
    }
    let read = || {
        let point = node
            .extra
            .get("position")
            .map(|raw| serde_json::from_str(raw).ok());
        let moved = node.extra.get("obj_transform").map(|raw| {
            let read = serde_json::from_str::<Transform>(raw);
            read.ok().map(|transform| transform.position)
        });
        point
            .flatten()
            .or_else(|| moved.flatten())
            .map(|at| (at, [0.0; 3]))
    };
    let known = |at: &Vec3| at.iter().all(|v| v.is_finite() && v.abs() <= FAR);
    node.bounds
        .or_else(read)
        .filter(|(centre, size)| known(centre) && known(size))
}

/// Reads a scene; `name` is the file's, used as the scene's name and in messages.
///
/// # Errors
/// One sentence: file, line, field, what is wrong, what to do.
pub fn read(
    dialect: &'static Dialect,
    name: &str,
    bytes: &[u8],
    which: Which,
) -> Result<Read<SceneFile>, Diagnostic> {
    let bytes = json::without_mark(bytes);
    let text = json::text(bytes).map_err(|d| d.in_file(name))?;
    let graph =
        de::graph(dialect, text, which).map_err(|e| json::explain(bytes, &e).in_file(name))?;
    let place = |d: Diagnostic| {
        let d = d.in_file(name);
        let field = format!("{}{}", graph.inside, d.field);
        match json::locate(bytes, &field) {
            Some((line, column)) => Diagnostic { field, ..d }.at(line, Some(column)),
            None => d,
        }
    };
    check_version(&graph.extra).map_err(place)?;
    check_dialect(dialect, &graph.extra).map_err(place)?;
    let mut notes: Vec<Diagnostic> = graph.notes.into_iter().map(place).collect();
    let written = graph.edges.len();
    let scene = Scene::new(dialect, name, graph.nodes, graph.edges).map_err(place)?;
    if scene.edges().len() < written {
        let lost = written - scene.edges().len();
        let words = if lost == 1 {
            "1 edge stands".to_owned()
        } else {
            format!("{lost} edges stand")
        };
        notes.push(
            Diagnostic::warning("edges", format!("{words} there twice and counts once"))
                .help("remove the repetition")
                .in_file(name),
        );
    }
    let scene = match graph.extra.iter().find(|(name, _)| name == "events") {
        Some((name, raw)) => {
            let events: Vec<scripted::Raw> = serde_json::from_str(raw)
                .map_err(|e| place(Diagnostic::error(name.as_str(), e.to_string())))?;
            scene.with_events(events.into_iter().map(Into::into).collect())
        }
        None => scene,
    };
    let file = SceneFile {
        scene,
        extra: graph.extra,
        edge_extra: graph.edge_extra,
    };
    Ok((file, notes))
}

/// The title of a scene, if the head of its file, of [`HEAD`] bytes, tells one as [`write()`] writes it. No node is read.
pub fn title(bytes: &[u8]) -> Option<String> {
    head(bytes)?.title
}

/// The dialect of a scene by the head of its file; VirtualHome's graphs, which name none, are the usual ones.
pub fn dialect(bytes: &[u8]) -> &'static Dialect {
    let named = head(bytes).and_then(|h| super::dialect(&h.dialect?));
    named.unwrap_or(DIALECTS[0])
}

#[derive(serde::Deserialize)]
struct Head {
    title: Option<String>,
    dialect: Option<String>,
}

fn head(bytes: &[u8]) -> Option<Head> {
    let bytes = json::without_mark(bytes);
    let bytes = bytes.get(..HEAD).unwrap_or(bytes);
    let nodes = bytes.windows(NODES.len()).position(|w| w == NODES)?;
    let before = bytes.get(..nodes)?.trim_ascii_end().strip_suffix(b",")?;
    let head = [before, b"}"].concat();
    serde_json::from_slice(&head).ok()
}

/// How much of a file [`title`] looks at.
pub const HEAD: usize = 4 << 10;

/// What comes after the fields a scene file begins with.
const NODES: &[u8] = b"\"nodes\"";

fn check_version(extra: &Extra) -> Result<(), Diagnostic> {
    match extra.iter().find(|(name, _)| name == "vesta_scene") {
        Some((name, version)) if version != VERSION => Err(Diagnostic::error(
            name,
            format!("version {} is not known", json::quote(version)),
        )
        .help(format!(
            "this program reads version {VERSION}; a newer one may read this file"
        ))),
        _ => Ok(()),
    }
}

fn check_dialect(dialect: &Dialect, extra: &Extra) -> Result<(), Diagnostic> {
    match extra.iter().find(|(name, _)| name == "dialect") {
        Some((name, raw)) if *raw != json::string(dialect.id) => Err(Diagnostic::error(
            name,
            format!("the scene is one of {raw}, not of {}", dialect.id),
        )
        .help("name the same dialect in the task and in its scene")),
        _ => Ok(()),
    }
}

fn sniff(bytes: &[u8]) -> bool {
    json::has_field(bytes, "nodes")
        || json::has_field(bytes, "edges")
        || json::has_field(bytes, "init_graph")
}

/// Writes a scene: one node a line, one edge a line, always in the same order.
pub fn write(file: &SceneFile) -> String {
    let scene = &file.scene;
    let mut out = String::with_capacity(scene.len() * 220 + scene.edges().len() * 64);
    out.push('{');
    for (name, raw) in &file.extra {
        let _ = write!(out, "{}: {raw},\n ", json::string(name));
    }
    out.push_str("\"nodes\": [");
    for (i, node) in scene.nodes().iter().enumerate() {
        out.push_str(if i == 0 { "\n  " } else { ",\n  " });
        write_node(&mut out, scene.dialect(), node);
    }
    out.push_str("\n ],\n \"edges\": [");
    let none = Extra::new();
    for (i, edge) in scene.edges().iter().enumerate() {
        out.push_str(if i == 0 { "\n  " } else { ",\n  " });
        let _ = write!(
            out,
            "{{\"from_id\": {}, \"relation_type\": \"{}\", \"to_id\": {}",
            edge.from,
            scene.dialect().rel_name(edge.rel),
            edge.to
        );
        for (name, raw) in file.edge_extra.get(edge).unwrap_or(&none) {
            let _ = write!(out, ", {}: {raw}", json::string(name));
        }
        out.push('}');
    }
    out.push_str("\n ]\n}\n");
    out
}

fn write_node(out: &mut String, dialect: &Dialect, node: &Node) {
    let _ = write!(
        out,
        "{{\"id\": {}, \"class_name\": {}, \"category\": {}, \"properties\": ",
        node.id,
        json::string(&node.class),
        optional(node.category.as_deref()),
    );
    names(out, node.props.iter().map(|p| dialect.prop_name(p)));
    out.push_str(", \"states\": ");
    let (traces, states): (Vec<_>, Vec<_>) = (node.states.iter().map(|s| dialect.state_name(s)))
        .partition(|name| dialect.traces().contains(name));
    names(out, states.into_iter());
    let _ = write!(
        out,
        ", \"prefab_name\": {}, \"bounding_box\": ",
        optional(node.prefab.as_deref())
    );
    match node.bounds {
        // A box without extent is the `position` field, which is among the unknown ones.
        Some((center, size)) if size != NO_SIZE || !node.extra.contains_key("position") => {
            let _ = write!(
                out,
                "{{\"center\": {}, \"size\": {}}}",
                vector(center),
                vector(size)
            );
        }
        _ => out.push_str("null"),
    }
    if !(node.tags.is_empty() && traces.is_empty()) {
        out.push_str(", \"tags\": ");
        names(out, node.tags.iter().map(|t| &**t).chain(traces));
    }
    if let Some(title) = &node.title {
        let _ = write!(out, ", \"title\": {}", json::string(title));
    }
    if let Some(volume) = node.volume {
        let _ = write!(out, ", \"volume_m3\": {volume:?}");
    }
    for (name, raw) in &node.extra {
        let _ = write!(out, ", {}: {raw}", json::string(name));
    }
    out.push('}');
}

/// The extent of a node that only has a position.
const NO_SIZE: Vec3 = [0.0; 3];

fn names<'a>(out: &mut String, items: impl Iterator<Item = &'a str>) {
    out.push('[');
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        out.push_str(&json::string(item));
    }
    out.push(']');
}

fn optional(text: Option<&str>) -> String {
    text.map_or_else(|| "null".to_owned(), json::string)
}

/// `{:?}` writes the shortest digits that read back as the same number.
fn vector(v: Vec3) -> String {
    format!("[{:?}, {:?}, {:?}]", v[0], v[1], v[2])
}

#[cfg(test)]
mod tests;
