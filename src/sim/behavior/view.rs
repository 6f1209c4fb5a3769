//! What goals, people and agents see of a state (Evolving Graph for BEHAVIOR, §3): the states, the plain edges, and one edge
//! to the direct place of each thing, in `strict` to every thing it is inside of. A thing that was cut up is seen through
//! its parts.

use crate::sim::behavior::actions::parts;
use crate::sim::behavior::facts::has_key;
use crate::sim::behavior::forest;
use crate::sim::behavior::strict;
use crate::sim::behavior::words::{rel, state};
use crate::sim::graph::Graph;
use crate::sim::vocab::{Ix, Rel, Rels, State};

/// The parts a thing is seen through: none unless it was cut up.
fn lens(g: &Graph, x: Ix) -> Vec<Ix> {
    if !g.states(x).has(state::SLICED) {
        return Vec::new();
    }
    parts(g, x)
}

/// Whether a thing is seen to have a state.
pub fn has_state(g: &Graph, x: Ix, state: State) -> bool {
    let own = |n| has_key(g, n, state) && g.states(n).has(state);
    let parts = lens(g, x);
    if parts.is_empty() {
        own(x)
    } else {
        parts.into_iter().all(own)
    }
}

/// Whether a relation is seen to hold.
pub fn holds(g: &Graph, from: Ix, rel: Rel, to: Ix) -> bool {
    let parts = lens(g, from);
    if parts.is_empty() {
        own(g, from).has(rel, to)
    } else {
        parts.into_iter().all(|part| own(g, part).has(rel, to))
    }
}

/// The outgoing edges of one object.
struct Own<'g> {
    g: &'g Graph,
    x: Ix,
}

const fn own(g: &Graph, x: Ix) -> Own<'_> {
    Own { g, x }
}

impl Own<'_> {
    fn has(&self, rel: Rel, to: Ix) -> bool {
        let links = Rels::of(&[rel::ONTOP, rel::INSIDE]);
        if rel == rel::INSIDE && strict::on(self.g) {
            forest::above(self.g, self.x).any(|(kind, up)| kind == rel && up == to)
        } else if links.has(rel) {
            forest::parent(self.g, self.x) == Some((rel, to))
        } else {
            self.g.has(self.x, rel, to)
        }
    }
}
