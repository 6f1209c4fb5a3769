//! Pouring (Evolving Graph §4 POUR); poured water leaves the hand for good, as published.

use crate::sim::graph::{Graph, Tx};
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::{class_in, need_close, need_fit, need_held};
use crate::sim::virtualhome::strict::hold::{
    contents, flows, need_filled, need_in_hand, need_open, put,
};
use crate::sim::virtualhome::strict::reach::{is_within, need_reach};
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Pour a held thing into a vessel.
pub(super) const POUR: ActionDef = ActionDef {
    name: "POUR",
    arity: 2,
    doc: "Pour a held thing into a vessel.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects: strict_effects,
    },
};

fn check(c: &Ctx<'_>, a: Ix, b: Ix) -> Result<Pass, Refusal> {
    let (from, to) = (c.graph.hot(a).props, c.graph.hot(b).props);
    need_fit(
        from.has(prop::POURABLE) || from.has(prop::DRINKABLE),
        a,
        "{0} is not pourable or drinkable",
    )?;
    let takes = to.has(prop::RECIPIENT) || class_in(c.graph, b, &["hands_both", "sponge", "face"]);
    need_fit(takes, b, "{0} is not recipient")?;
    need_held(c, a)?;
    need_close(c, b)?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, me: Ix, a: Ix, b: Ix) {
    tx.add(a, rel::INSIDE, b);
    if tx.graph().class(a) == "water" {
        tx.remove(me, rel::HOLDS_RH, a);
        tx.remove(me, rel::HOLDS_LH, a);
    }
}

/// What flows is poured itself, from a vessel its contents; into an open vessel, or over anything else.
fn strict(c: &Ctx<'_>, a: Ix, b: Ix) -> Result<Pass, Refusal> {
    let g = c.graph;
    let vessel = g.hot(a).props.has(prop::RECIPIENT);
    need_fit(vessel || flows(g, a), a, "{0} is not pourable or drinkable")?;
    need_fit(!g.hot(b).room, b, "{0} is a room: use its floor")?;
    need_fit(b != c.me, b, "nothing can be poured over {0}")?;
    need_in_hand(c, a)?;
    need_fit(!is_within(g, b, a), b, "{0} is what is to be poured")?;
    if vessel {
        need_filled(c, a, !contents(g, a).is_empty())?;
    }
    need_reach(c, b)?;
    if takes(g, b) {
        need_open(c, b)?;
    }
    Ok(Pass::YES)
}

/// Whether what is poured stays inside: a vessel, a container, a basin, or what soaks it up.
pub fn takes(g: &Graph, b: Ix) -> bool {
    let props = g.hot(b).props;
    props.has(prop::RECIPIENT)
        || props.has(prop::CONTAINERS)
        || class_in(g, b, &["hands_both", "sponge", "face", "sink", "bathtub"])
}

fn strict_effects(tx: &mut Tx<'_>, me: Ix, a: Ix, b: Ix) {
    let g = tx.graph();
    let (all, inside) = if g.hot(a).props.has(prop::RECIPIENT) {
        (contents(g, a), takes(g, b))
    } else {
        (vec![a], takes(g, b))
    };
    for x in all {
        put(tx, me, x, (if inside { rel::INSIDE } else { rel::ON }, b));
        tx.set(x, state::POURED, true);
        tx.set(x, state::SPILLED, !inside);
    }
}
