//! How the graph of a dialect is read by those who show it, explain it or advise on it: which room a thing is in, what is
//! within reach, what a refusal means and what would cure it. Whoever is above the simulator asks here, never a dialect.

use crate::sim::graph::Graph;
use crate::sim::refusal::Refusal;
use crate::sim::vocab::{Ix, Prop, Rel, State, States};
use crate::sim::world::{Action, Ctx, World};

/// The description a dialect gives of itself.
#[derive(Debug)]
pub struct Reading {
    /// The room a node is in, itself if it is one; circles and strays give nothing.
    pub room: fn(&Graph, Ix) -> Option<Ix>,
    /// Per node: whether it is within the agent's reach, as far as distance goes.
    pub near: fn(&Ctx<'_>) -> Vec<bool>,
    /// Actions that would satisfy the failed precondition, the most direct first. They need not be allowed now.
    pub cures: fn(&World, &Refusal) -> Vec<Action>,
    /// Actions whose effect is the fact, or its absence.
    pub aims: fn(&World, Literal) -> Vec<Action>,
    /// Whether people would hardly think of an action although the published code allows it.
    pub odd: fn(&World, Action) -> bool,
    /// How the agent rests, in a word.
    pub posture: fn(&World) -> &'static str,
    /// What ends a state: an advice.
    pub undo: &'static [(State, &'static str)],
    /// The action that brings the agent near a thing, if distance counts.
    pub approach: Option<&'static str>,
    /// How relations are told of a node, in that order; those not named are told by their names.
    pub ends: &'static [End],
    /// Relations that say where one looks rather than how things stand.
    pub glances: &'static [Rel],
    /// States every thing has while nothing is amiss: not worth a place in a row.
    pub ordinary: States,
    /// States of a thing at work or open: worth a look.
    pub active: States,
    /// The state of a shut door, or what it lacks.
    pub shut: Shut,
    /// Nodes with this property can be carried about.
    pub carried: Option<Prop>,
    /// Nodes with this property are people or pets.
    pub being: Option<Prop>,
    /// How goals and people see a state or a relation, where that differs from the bare graph.
    pub view: Option<View>,
}

/// What a state is seen to be where the bare graph says otherwise.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Whether a node is seen to have a state.
    pub state: fn(&Graph, Ix, State) -> bool,
    /// Whether a relation is seen to hold.
    pub edge: fn(&Graph, Ix, Rel, Ix) -> bool,
}

/// How a dialect says that a thing is shut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shut {
    /// It has the state.
    Has(State),
    /// It has the property of things that open, and lacks the state.
    Lacks(Prop, State),
}

/// A fact or its absence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A node has (`true`) or lacks a state.
    State(Ix, State, bool),
    /// A relation holds or does not.
    Edge(Ix, Rel, Ix, bool),
}

/// One kind of relation, seen from one of its ends.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The words for it.
    pub label: &'static str,
    /// The relation.
    pub rel: Rel,
    /// Whether the node is the subject.
    pub out: bool,
}

impl End {
    /// The relation seen from its subject.
    pub const fn out(label: &'static str, rel: Rel) -> Self {
        Self {
            label,
            rel,
            out: true,
        }
    }

    /// The relation seen from its object.
    pub const fn into(label: &'static str, rel: Rel) -> Self {
        Self {
            label,
            rel,
            out: false,
        }
    }
}

/// The room a node is in, itself if it is one.
pub fn room(g: &Graph, n: Ix) -> Option<Ix> {
    (g.dialect().reading.room)(g, n)
}

/// Per node: whether it is within reach, as far as distance goes.
pub fn near(c: &Ctx<'_>) -> Vec<bool> {
    (c.graph.dialect().reading.near)(c)
}

/// Everything in the agent's hands, right before left.
pub fn held(g: &Graph, me: Ix) -> impl Iterator<Item = Ix> + '_ {
    let hands = g.dialect().rules.hands;
    hands.iter().flat_map(move |&hand| g.targets(me, hand))
}

/// Whether a thing that can be shut is.
pub fn is_shut(g: &Graph, n: Ix) -> bool {
    let hot = g.hot(n);
    match g.dialect().reading.shut {
        Shut::Has(state) => hot.states.has(state),
        Shut::Lacks(prop, state) => hot.props.has(prop) && !hot.states.has(state),
    }
}

/// Whether a node is seen to have a state.
#[inline]
pub fn has_state(g: &Graph, n: Ix, state: State) -> bool {
    match g.dialect().reading.view {
        None => g.states(n).has(state),
        Some(view) => (view.state)(g, n, state),
    }
}

/// Whether a relation is seen to hold.
#[inline]
pub fn has_edge(g: &Graph, from: Ix, rel: Rel, to: Ix) -> bool {
    match g.dialect().reading.view {
        None => g.has(from, rel, to),
        Some(view) => (view.edge)(g, from, rel, to),
    }
}
