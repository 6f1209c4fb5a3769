//! What many actions check (Evolving Graph for BEHAVIOR, §4), in the published order.

use crate::sim::behavior::forest::{above, rides};
use crate::sim::behavior::strict::need_there;
use crate::sim::behavior::words::{prop, rel, state};
use crate::sim::graph::Graph;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::{Ix, Prop, Rel, State};
use crate::sim::world::Ctx;

/// The number of the right hand, where an action has one for each hand.
pub const RIGHT: usize = 0;
/// The number of the left hand.
pub const LEFT: usize = 1;

/// The relation of the agent to what a hand holds.
pub const fn hand(number: usize) -> Rel {
    if number == RIGHT {
        rel::HOLDS_RH
    } else {
        rel::HOLDS_LH
    }
}

/// What a hand holds.
pub fn in_hand(g: &Graph, me: Ix, number: usize) -> Option<Ix> {
    g.first_target(me, hand(number))
}

/// Whether both hands hold something.
pub fn is_full(g: &Graph, me: Ix) -> bool {
    in_hand(g, me, RIGHT).is_some() && in_hand(g, me, LEFT).is_some()
}

/// Everything in the hands, right before left.
pub fn held(g: &Graph, me: Ix) -> impl Iterator<Item = Ix> + '_ {
    [RIGHT, LEFT]
        .into_iter()
        .filter_map(move |h| in_hand(g, me, h))
}

/// Whether this is a floor.
pub fn is_floor(g: &Graph, x: Ix) -> bool {
    g.hot(x).props.has(prop::FLOOR)
}

/// Whether the object has such a state at all: the property of the same number.
pub fn has_key(g: &Graph, x: Ix, state: State) -> bool {
    g.hot(x).props.has(Prop(state.0))
}

/// Whether the object is shut: it can be open and is not.
pub fn is_shut(g: &Graph, x: Ix) -> bool {
    has_key(g, x, state::OPEN) && !g.states(x).has(state::OPEN)
}

/// Its size in cubic metres; without one it is no obstacle to anything.
pub fn volume(g: &Graph, x: Ix) -> f64 {
    g.scene().node(x).volume.unwrap_or(0.0)
}

/// Whether the published name of an object contains a word: the published code tells kinds of things apart in this way.
pub fn is_named(g: &Graph, x: Ix, word: &str) -> bool {
    let node = g.scene().node(x);
    match &node.title {
        Some(title) => title.contains(word),
        None => node.class.contains(word),
    }
}

/// Whether an object is on or in something of one of these names that fits.
pub fn is_under(g: &Graph, x: Ix, words: &[&str], fits: impl Fn(Ix) -> bool) -> bool {
    above(g, x).any(|(_, up)| words.iter().any(|w| is_named(g, up, w)) && fits(up))
}

/// A refusal about one object with the published reason.
pub const fn refuse(kind: Kind, pre: Pre, reason: &'static str, x: Ix) -> Refusal {
    Refusal::new(kind, pre, reason, [x, Ix::NONE])
}

/// The published code knows objects, floors and parts only.
pub fn need_object(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    if x == c.me || c.graph.hot(x).room {
        return Err(Refusal::crash("KeyError", Pre::Exists, x));
    }
    Ok(())
}

/// *Reach*: not shut in at any height, and not an object whose parts are wanted.
pub fn need_reach(c: &Ctx<'_>, x: Ix) -> Result<(), Refusal> {
    let g = c.graph;
    if is_floor(g, x) {
        return Ok(());
    }
    need_there(c, x)?;
    if let Some((_, shut)) = above(g, x).find(|&(kind, up)| kind == rel::INSIDE && is_shut(g, up)) {
        return Err(refuse(
            Kind::MissingStep,
            Pre::NotShutIn(x, shut),
            "Object is inside a closed object",
            x,
        ));
    }
    if g.states(x).has(state::SLICED) && !is_named(g, x, "part") {
        return Err(refuse(
            Kind::Affordance,
            Pre::Whole(x),
            "Object is sliced, you need to interact with parts of it",
            x,
        ));
    }
    Ok(())
}

/// *Hold*: this hand holds something, and the target is not it and does not ride on or in it. The held thing.
pub fn need_load(c: &Ctx<'_>, number: usize, target: Ix) -> Result<Ix, Refusal> {
    let g = c.graph;
    let Some(load) = in_hand(g, c.me, number) else {
        return Err(refuse(
            Kind::MissingStep,
            Pre::HoldingAny,
            "Robot is not holding anything (PLACE)",
            Ix::NONE,
        ));
    };
    if rides(g, target, load) {
        return Err(refuse(
            Kind::MissingStep,
            Pre::NotWithYou(target),
            "Release target obj first before place (PLACE)",
            target,
        ));
    }
    Ok(load)
}

/// *Busy*: a hand is free, the object has the state, and not yet this value of it.
pub fn need_change(c: &Ctx<'_>, x: Ix, state: State, to: bool) -> Result<(), Refusal> {
    let g = c.graph;
    if is_full(g, c.me) {
        return Err(refuse(
            Kind::MissingStep,
            Pre::FreeHand,
            "Robot's both hands are full (HIGH_LEVEL_ACTION)",
            x,
        ));
    }
    if !has_key(g, x, state) {
        return Err(refuse(
            Kind::Affordance,
            Pre::Fit(x),
            "Object does not have target state (HIGH_LEVEL_ACTION)",
            x,
        ));
    }
    if g.states(x).has(state) == to {
        let pre = if to {
            Pre::NotState(x, state)
        } else {
            Pre::State(x, state)
        };
        return Err(refuse(
            Kind::AlreadySo,
            pre,
            "Object's state is already satisfied (HIGH_LEVEL_ACTION)",
            x,
        ));
    }
    Ok(())
}
