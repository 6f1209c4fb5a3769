//! In what two states of one scene differ.

use crate::sim::graph::{Change, Graph};
use crate::sim::vocab::{Ix, Rel};

/// What turns the first state into the second: the facts that only one of them has, `true` with those of the second.
/// Sorted: states first.
pub fn apart(a: &Graph, b: &Graph) -> Vec<Change> {
    let mut changes = Vec::new();
    for node in (0..a.scene().len() as u32).map(Ix) {
        let (old, new) = (a.states(node), b.states(node));
        let lost = old.iter().filter(|s| !new.has(*s));
        changes.extend(lost.map(|s| Change::State(node, s, false)));
        let gained = new.iter().filter(|s| !old.has(*s));
        changes.extend(gained.map(|s| Change::State(node, s, true)));
    }
    let (old, new) = (a.edges(), b.edges());
    let (mut i, mut j) = (0, 0);
    // Both lists are sorted.
    loop {
        match (old.get(i), new.get(j)) {
            (Some(was), Some(is)) if was == is => (i, j) = (i + 1, j + 1),
            (Some(was), is) if is.is_none_or(|is| was < is) => {
                changes.push(edge(*was, false));
                i += 1;
            }
            (_, Some(is)) => {
                changes.push(edge(*is, true));
                j += 1;
            }
            // Both are at their end: the second arm takes what only the first has left.
            (_, None) => break,
        }
    }
    changes
}

const fn edge((from, rel, to): (Ix, Rel, Ix), on: bool) -> Change {
    Change::Edge(from, rel, to, on)
}
