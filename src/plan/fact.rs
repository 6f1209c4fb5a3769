//! A fact as text: `bowl ON table`, `fork INSIDE microwave`, `lamp@bedroom:OFF`, each negated by a leading `!`.

use crate::plan::names;
use crate::sim::graph::{Change, Graph};
use crate::sim::scene::Scene;
use crate::sim::vocab::{Ix, Rel, State};

/// A fact about named nodes. A name may stand for several nodes; then any of them will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Whether the fact is wanted absent.
    pub negated: bool,
    /// What it says.
    pub body: Body,
}

/// What a fact says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Some of these nodes has the state.
    State(Vec<Ix>, State),
    /// Some `from` is in the relation to some `to`.
    Edge(Vec<Ix>, Rel, Vec<Ix>),
}

impl Fact {
    /// Reads a fact against a scene.
    ///
    /// # Errors
    /// What is wrong, with the nearest known word.
    pub fn read(scene: &Scene, text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (negated, text) = text
            .strip_prefix('!')
            .map_or((false, text), |rest| (true, rest.trim_start()));
        let dialect = scene.dialect();
        let words: Vec<&str> = text.split_whitespace().collect();
        let body = match words.as_slice() {
            [one] => {
                let (name, state) = one.rsplit_once(':').ok_or_else(|| {
                    format!("\"{text}\" is no fact; write node:STATE or node RELATION node")
                })?;
                let state = dialect
                    .state(state)
                    .ok_or_else(|| unknown("state", state, dialect.states))?;
                Body::State(names::all(scene, name)?, state)
            }
            [from, rel, to] => {
                let rel = dialect
                    .relation(rel)
                    .ok_or_else(|| unknown("relation", rel, dialect.relations))?;
                Body::Edge(names::all(scene, from)?, rel, names::all(scene, to)?)
            }
            _ => {
                return Err(format!(
                    "\"{text}\" is no fact; write node:STATE or node RELATION node"
                ));
            }
        };
        Ok(Self { negated, body })
    }

    /// Whether it holds: some node (pair) fits, or none when negated.
    pub fn holds(&self, graph: &Graph) -> bool {
        let some = match &self.body {
            Body::State(nodes, state) => nodes.iter().any(|&n| graph.states(n).has(*state)),
            Body::Edge(from, rel, to) => from
                .iter()
                .any(|&f| to.iter().any(|&t| graph.has(f, *rel, t))),
        };
        some != self.negated
    }

    /// Whether a change may make it true or false.
    pub fn is_touched(&self, change: Change) -> bool {
        // Names are resolved in ascending order.
        let among = |nodes: &[Ix], node: Ix| nodes.binary_search(&node).is_ok();
        match (&self.body, change) {
            (Body::State(nodes, state), Change::State(node, changed, _)) => {
                *state == changed && among(nodes, node)
            }
            (Body::Edge(from, rel, to), Change::Edge(f, changed, t, _)) => {
                *rel == changed && among(from, f) && among(to, t)
            }
            _ => false,
        }
    }

    /// All nodes it speaks of.
    pub fn nodes(&self) -> impl Iterator<Item = Ix> + '_ {
        let (from, to) = match &self.body {
            Body::State(nodes, _) => (nodes.as_slice(), &[][..]),
            Body::Edge(from, _, to) => (from.as_slice(), to.as_slice()),
        };
        from.iter().chain(to).copied()
    }

    /// Whether the fact speaks of this node.
    pub fn mentions(&self, node: Ix) -> bool {
        match &self.body {
            Body::State(nodes, _) => nodes.contains(&node),
            Body::Edge(from, _, to) => from.contains(&node) || to.contains(&node),
        }
    }
}

fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    let hint = names::nearest(&word.to_uppercase(), known.iter().copied()).map_or_else(
        || format!("; known are {}", known.join(", ")),
        |n| format!("; did you mean {n}?"),
    );
    format!("unknown {what} \"{word}\"{hint}")
}
