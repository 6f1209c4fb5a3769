//! Taking a thing into a hand (Evolving Graph §4 GRAB); what lies on or in it falls off, as published.

use crate::sim::graph::{Graph, Origin, Tx};
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::facts::{
    free_hand, my_room, need_close, need_fit, need_hand, need_reachable, room,
};
use crate::sim::virtualhome::strict::hold::{self, graspable, need_apart, need_empty_hand};
use crate::sim::virtualhome::strict::reach::{here, is_floor, is_within, need_reach, place};
use crate::sim::virtualhome::words::{rel, state};
use crate::sim::vocab::{Ix, Rels};
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Take a thing into an empty hand.
pub(super) const GRAB: ActionDef = ActionDef {
    name: "GRAB",
    arity: 1,
    doc: "Take a thing into an empty hand.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects: strict_effects,
    },
};

const TAKEN_OFF: Rels = Rels::of(&[
    rel::ON,
    rel::INSIDE,
    rel::CLOSE,
    rel::HOLDS_LH,
    rel::HOLDS_RH,
]);

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_fit(graspable(c.graph, n), n, "{0} is not grabbable")?;
    if c.graph.origin(n).is_some() {
        return Err(Refusal::new(
            Kind::AlreadySo,
            Pre::NotTaken(n),
            "{0} already grabbed",
            [n, Ix::NONE],
        ));
    }
    need_close(c, n)?;
    need_reachable(c, n)?;
    need_hand(c)?;
    my_room(c)?;
    Ok(Pass::YES)
}

/// Where a thing is taken from: the first non-room it is on, else in, else near.
fn origin(g: &Graph, n: Ix) -> Option<Origin> {
    [rel::ON, rel::INSIDE, rel::CLOSE]
        .into_iter()
        .find_map(|r| {
            let at = g.targets(n, r).filter(|&t| !g.hot(t).room).min()?;
            Some(Origin { at, rel: r })
        })
}

fn effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    let g = tx.graph();
    let (from, hand, here) = (origin(g, n), free_hand(g, me), room(g, me).ok().flatten());
    tx.clear_all(n, TAKEN_OFF);
    tx.add_both(me, rel::CLOSE, n);
    if let Some(hand) = hand {
        tx.add(me, hand, n);
    }
    if let Some(here) = here {
        tx.add(n, rel::INSIDE, here);
    }
    if let Some(from) = from {
        tx.add_both(me, rel::CLOSE, from.at);
        tx.remember(n, Some(from));
    }
}

/// In reach, not with the agent already nor under it, a hand free.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_fit(graspable(c.graph, n), n, "{0} is not grabbable")?;
    need_apart(c, n)?;
    if is_within(c.graph, c.me, n) {
        let text = "{0} is on {1}";
        return Err(Refusal::new(
            Kind::MissingStep,
            Pre::NotOnIt(n),
            text,
            [c.me, n],
        ));
    }
    need_reach(c, n)?;
    need_empty_hand(c)?;
    here(c)?;
    Ok(Pass::YES)
}

/// Into the hand with its load, beside the agent; what was spilled is so no longer.
fn strict_effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    let g = tx.graph();
    let (from, hand, here) = (hold::origin(g, n), free_hand(g, me), place(g, me));
    hold::lift(tx, me, n);
    if let Some(hand) = hand {
        tx.add(me, hand, n);
    }
    hold::bring(tx, me, n, here);
    if let Some(from) = from.filter(|f| !is_floor(tx.graph(), f.at)) {
        tx.add_both(me, rel::CLOSE, from.at);
    }
    tx.remember(n, from);
    tx.set(n, state::SPILLED, false);
}
