//! The canonical view of a state that conformance recordings use: SHA-256 over sorted lines of facts.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::sim::graph::Graph;

/// SHA-256 (64 hex digits) of the newline-joined, sorted lines `id|class|STATE,STATE` and `from|REL|to`. Traces, which the
/// published graph does not know, are left out.
pub fn digest(graph: &Graph) -> String {
    let (scene, dialect) = (graph.scene(), graph.dialect());
    let ids: Vec<String> = scene
        .indices()
        .map(|ix| scene.node(ix).id.to_string())
        .collect();
    let mut text = String::with_capacity(scene.len() * 400);
    let mut ends = Vec::with_capacity(scene.len() * 20);
    for ix in scene.indices() {
        let mut states: Vec<&str> = graph
            .states(ix)
            .iter()
            .filter(|s| s.0 < dialect.published_states)
            .map(|s| dialect.state_name(s))
            .collect();
        states.sort_unstable();
        let _ = write!(
            text,
            "{}|{}|{}",
            ids[ix.at()],
            scene.node(ix).class,
            states.join(",")
        );
        ends.push(text.len());
    }
    for (from, rel, to) in graph.edges() {
        for part in [
            &*ids[from.at()],
            "|",
            dialect.rel_name(rel),
            "|",
            &*ids[to.at()],
        ] {
            text.push_str(part);
        }
        ends.push(text.len());
    }
    let mut start = 0;
    let mut lines: Vec<&[u8]> = ends
        .into_iter()
        .map(|end| {
            let line = &text.as_bytes()[start..end];
            start = end;
            line
        })
        .collect();
    lines.sort_unstable();
    hex(&Sha256::digest(lines.join(&b'\n')))
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
