//! Plain edges: at most one label from one object to another; a later one takes its place.

use crate::sim::behavior::words::rel;
use crate::sim::graph::{Graph, Tx};
use crate::sim::vocab::{Ix, Rel, Rels};

/// The labels.
pub const LABELS: Rels = Rels::of(&[rel::ONFLOOR, rel::UNDER, rel::NEXTTO]);

/// Writes a label.
pub fn write(tx: &mut Tx<'_>, from: Ix, label: Rel, to: Ix) {
    for other in LABELS.iter().filter(|&r| r != label) {
        tx.remove(from, other, to);
    }
    tx.add(from, label, to);
}

/// Writes a label both ways.
pub fn write_both(tx: &mut Tx<'_>, a: Ix, label: Rel, b: Ix) {
    write(tx, a, label, b);
    write(tx, b, label, a);
}

/// Whether any plain edge begins or ends at an object.
pub fn has_any(g: &Graph, x: Ix) -> bool {
    LABELS
        .iter()
        .any(|l| g.targets(x, l).next().is_some() || g.sources(x, l).next().is_some())
}

/// The floor an object stands on by a plain edge.
pub fn floor_of(g: &Graph, x: Ix) -> Option<Ix> {
    g.first_target(x, rel::ONFLOOR)
}
