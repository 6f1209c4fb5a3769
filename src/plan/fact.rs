//! A fact as text: `bowl ON table`, `fork INSIDE microwave`, `lamp@bedroom:OFF`, each negated by a leading `!`.

use crate::plan::names;
use crate::safety::book::{Book, Shadow};
use crate::safety::formula::TrackedId;
use crate::sim::graph::{Change, Graph};
use crate::sim::reading;
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
    /// A tracked fact holds of some of these: `pan:HOT`, `heater VIA strip`, `night`. Unused lists are empty.
    Tracked(TrackedId, Vec<Ix>, Vec<Ix>),
}

impl Fact {
    /// Reads a fact against a scene; tracked facts are those of the book.
    ///
    /// # Errors
    /// What is wrong, with the nearest known word.
    pub fn read(scene: &Scene, book: &Book, text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (negated, text) = text
            .strip_prefix('!')
            .map_or((false, text), |rest| (true, rest.trim_start()));
        let dialect = scene.dialect();
        let words: Vec<&str> = text.split_whitespace().collect();
        let tracked = |word: &str, arity: usize| {
            let (id, takes) = book.written(word)?;
            (takes == arity).then_some(id)
        };
        let body = match words.as_slice() {
            [one] if tracked(one, 0).is_some() => {
                let id = tracked(one, 0).unwrap_or(TrackedId(0));
                Body::Tracked(id, Vec::new(), Vec::new())
            }
            [one] => {
                let (name, state) = one.rsplit_once(':').ok_or_else(|| {
                    format!("\"{text}\" is no fact; write node:STATE or node RELATION node")
                })?;
                match (dialect.state(state), tracked(state, 1)) {
                    (Some(state), _) => Body::State(names::all(scene, name)?, state),
                    (None, Some(id)) => Body::Tracked(id, names::all(scene, name)?, Vec::new()),
                    (None, None) => {
                        let known = words_of(dialect.states, book, 1);
                        return Err(unknown("state", state, &known));
                    }
                }
            }
            [from, rel, to] => {
                let (from, to) = (names::all(scene, from), names::all(scene, to));
                match (dialect.relation(rel), tracked(rel, 2)) {
                    (Some(rel), _) => Body::Edge(from?, rel, to?),
                    (None, Some(id)) => Body::Tracked(id, from?, to?),
                    (None, None) => {
                        let known = words_of(dialect.relations, book, 2);
                        return Err(unknown("relation", rel, &known));
                    }
                }
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
    pub fn holds(&self, graph: &Graph, shadow: &dyn Shadow) -> bool {
        let some = match &self.body {
            Body::State(nodes, state) => {
                nodes.iter().any(|&n| reading::has_state(graph, n, *state))
            }
            Body::Edge(from, rel, to) => from
                .iter()
                .any(|&f| to.iter().any(|&t| reading::has_edge(graph, f, *rel, t))),
            Body::Tracked(id, from, to) => {
                let none = [Ix::NONE];
                let or_none = |list: &'_ [Ix]| -> Vec<Ix> {
                    let list = if list.is_empty() { &none[..] } else { list };
                    list.to_vec()
                };
                let to = or_none(to);
                or_none(from)
                    .into_iter()
                    .any(|f| to.iter().any(|&t| shadow.tracked(*id, [f, t])))
            }
        };
        some != self.negated
    }

    /// Whether a change may make it true or false. Tracked facts may change with any step.
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
            (Body::Tracked(..), _) => true,
            _ => false,
        }
    }

    /// All nodes it speaks of.
    pub fn nodes(&self) -> impl Iterator<Item = Ix> + '_ {
        let (from, to) = match &self.body {
            Body::State(nodes, _) => (nodes.as_slice(), &[][..]),
            Body::Edge(from, _, to) | Body::Tracked(_, from, to) => {
                (from.as_slice(), to.as_slice())
            }
        };
        from.iter().chain(to).copied()
    }

    /// Whether the fact speaks of this node.
    pub fn mentions(&self, node: Ix) -> bool {
        match &self.body {
            Body::State(nodes, _) => nodes.contains(&node),
            Body::Edge(from, _, to) | Body::Tracked(_, from, to) => {
                from.contains(&node) || to.contains(&node)
            }
        }
    }
}

/// The dialect's words and those of tracked facts that speak of so many nodes.
fn words_of<'a>(dialect: &[&'a str], book: &'a Book, arity: usize) -> Vec<&'a str> {
    let tracked = book.tracked.iter().filter(|t| t.params.len() == arity);
    // Some facts are for rules only: no task can write them.
    let tracked = tracked
        .map(|t| t.written.as_str())
        .filter(|word| !word.is_empty());
    dialect.iter().copied().chain(tracked).collect()
}

fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    let hint = names::nearest(&word.to_uppercase(), known.iter().copied()).map_or_else(
        || format!("; known are {}", known.join(", ")),
        |n| format!("; did you mean {n}?"),
    );
    format!("unknown {what} \"{word}\"{hint}")
}
