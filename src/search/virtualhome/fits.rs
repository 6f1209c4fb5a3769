//! What can be done with what at all, whatever is done before.

use super::state::strict;
use super::verbs as v;
use crate::sim::graph::Graph;
use crate::sim::virtualhome::actions::squeeze::is_squeezable;
use crate::sim::virtualhome::facts::{class_in, is_clothes};
use crate::sim::virtualhome::strict::hold::{carries, flows, takes};
use crate::sim::virtualhome::words::prop;
use crate::sim::vocab::{Ix, Prop};
use crate::sim::world::{Action, World};

/// Whether the first target has what the action asks of it; with a second target, whether that has too. A missing
/// second target is left out of account.
pub(super) fn fits(world: &World, action: Action) -> bool {
    let g = world.graph();
    let Action { verb, a, b } = action;
    let has = |p| a.is_some() && g.hot(a).props.has(p);
    let strict = strict(world);
    let first = match verb {
        v::SIT => has(prop::SITTABLE),
        v::LIE => has(prop::LIEABLE),
        v::GRAB | v::DROP | v::RELEASE | v::PUTBACK | v::PUTIN | v::PUTOBJBACK => graspable(g, a),
        v::OPEN | v::CLOSE => has(prop::CAN_OPEN) || class_in(g, a, &["desk", "window"]),
        v::SWITCHON | v::SWITCHOFF => has(prop::HAS_SWITCH),
        v::PLUGIN | v::PLUGOUT => has(prop::HAS_PLUG),
        v::DRINK => graspable(g, a) && (has(prop::DRINKABLE) || has(prop::RECIPIENT)),
        v::READ => graspable(g, a) && has(prop::READABLE),
        v::EAT => has(prop::EATABLE) || strict && has(prop::GRABBABLE),
        v::CUT => has(prop::EATABLE) && has(prop::CUTTABLE),
        v::POUR if strict => graspable(g, a) && (has(prop::RECIPIENT) || flows(g, a)),
        v::POUR => graspable(g, a) && (has(prop::POURABLE) || has(prop::DRINKABLE)),
        v::TYPE => has(prop::HAS_SWITCH) || class_in(g, a, &["keyboard"]),
        v::WATCH => has(prop::LOOKABLE),
        v::LOOKAT_SHORT | v::LOOKAT_LONG => strict,
        v::PUSH if !strict => true,
        v::PUSH | v::PULL | v::MOVE => {
            has(prop::MOVABLE) || class_in(g, a, &["button", "chair", "curtain"])
        }
        v::SQUEEZE => is_squeezable(g, a),
        v::PUTON | v::PUTOFF => is_clothes(g, a),
        v::GREET => has(prop::PERSON),
        _ => true,
    };
    first
        && (!b.is_some()
            || if strict {
                strict_second(g, action)
            } else {
                second(g, verb, b)
            })
}

/// What the strict semantics ask of a destination.
fn strict_second(g: &Graph, action: Action) -> bool {
    let Action { verb, a, b } = action;
    if g.hot(b).room || a == b {
        return false;
    }
    match verb {
        v::PUTBACK => carries(g, a, b),
        v::PUTIN => takes(g, a, b),
        _ => true,
    }
}

/// What POUR asks of the vessel; putting is possible anywhere as published, and `needs` says more.
fn second(g: &Graph, verb: u8, b: Ix) -> bool {
    match verb {
        v::POUR => {
            g.hot(b).props.has(prop::RECIPIENT) || class_in(g, b, &["hands_both", "sponge", "face"])
        }
        _ => true,
    }
}

/// Whether a thing can be taken in a hand at all.
pub(super) fn graspable(g: &Graph, a: Ix) -> bool {
    a.is_some() && (g.hot(a).props.has(prop::GRABBABLE) || class_in(g, a, &["water", "child"]))
}

/// Whether a node has a property.
pub(super) fn has(g: &Graph, n: Ix, p: Prop) -> bool {
    g.hot(n).props.has(p)
}
