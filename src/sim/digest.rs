//! The canonical view of a state that conformance recordings use: SHA-256 over sorted lines of facts.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::sim::graph::Graph;

/// SHA-256 (64 hex digits) of the newline-joined, sorted lines `id|class|STATE,STATE` and `from|REL|to`.
pub fn digest(graph: &Graph) -> String {
    let (scene, dialect) = (graph.scene(), graph.dialect());
    let mut lines = Vec::with_capacity(scene.len() * 20);
    for ix in scene.indices() {
        let node = scene.node(ix);
        let mut states: Vec<&str> = graph
            .states(ix)
            .iter()
            .map(|s| dialect.state_name(s))
            .collect();
        states.sort_unstable();
        lines.push(format!("{}|{}|{}", node.id, node.class, states.join(",")));
    }
    for (from, rel, to) in graph.edges() {
        lines.push(format!(
            "{}|{}|{}",
            scene.node(from).id,
            dialect.rel_name(rel),
            scene.node(to).id
        ));
    }
    lines.sort_unstable();
    hex(&Sha256::digest(lines.join("\n").as_bytes()))
}

/// SHA-256 (64 hex digits) of bytes; names files by content.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(64), |mut text, b| {
        let _ = write!(text, "{b:02x}");
        text
    })
}
