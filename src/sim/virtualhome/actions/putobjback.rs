//! Putting a thing back where it was taken from (Evolving Graph §4 PUTOBJBACK).

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::actions::put::{need_put, put};
use crate::sim::virtualhome::strict::hold;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Put a held thing back where it was taken from.
pub(super) const PUTOBJBACK: ActionDef = ActionDef {
    name: "PUTOBJBACK",
    arity: 1,
    doc: "Put a held thing back where it was taken from.",
    unknown: Unknown::Uncoded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects: strict_effects,
    },
};

/// A failing check leaves its message and code but the step succeeds without effect, as published.
fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    let Some(from) = c.graph.origin(n) else {
        return Err(Refusal::new(
            Kind::Uncoded,
            Pre::Taken(n),
            "{0} not grabbed",
            [n, Ix::NONE],
        ));
    };
    match need_put(c, n, from.at, from.rel) {
        Ok(()) => Ok(Pass::YES),
        Err(note) => Ok(Pass {
            note: Some(note),
            idle: true,
        }),
    }
}

fn effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    if let Some(from) = tx.graph().origin(n) {
        put(tx, me, n, from.at, from.rel);
    }
}

/// Held, taken from somewhere, and that place still takes it.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    hold::need_in_hand(c, n)?;
    let Some(from) = c.graph.origin(n) else {
        let pre = Pre::Taken(n);
        let text = "{0} not grabbed";
        return Err(Refusal::new(Kind::Affordance, pre, text, [n, Ix::NONE]));
    };
    hold::need_put(c, n, (from.rel, from.at))?;
    Ok(Pass::YES)
}

fn strict_effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    if let Some(from) = tx.graph().origin(n) {
        hold::put(tx, me, n, (from.rel, from.at));
    }
}
