//! Lie down on something. (Evolving Graph §4 LIE).

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::{need_close, need_free_place, need_not_in, need_prop};
use crate::sim::virtualhome::strict::hold::need_seat;
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Lie down on something.
pub(super) const LIE: ActionDef = ActionDef {
    name: "LIE",
    arity: 1,
    doc: "Lie down on something.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects,
    },
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_close(c, n)?;
    need_not_in(c, state::LYING, "{0} is lying")?;
    need_prop(c, n, prop::LIEABLE, "{0} is not lieable")?;
    need_free_place(c, n, places(c.graph.class(n)))?;
    Ok(Pass::YES)
}

/// How many things may be on it before there is no place left.
fn places(class: &str) -> usize {
    match class {
        "bed" => 3,
        "couch" | "bathtub" | "loveseat" | "sofa" => 2,
        _ => 1,
    }
}

fn effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    tx.add(me, rel::ON, n);
    tx.set(me, state::SITTING, false);
    tx.set(me, state::LYING, true);
}

/// In reach, not in this posture yet, a place free, and not up elsewhere.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_prop(c, n, prop::LIEABLE, "{0} is not lieable")?;
    need_not_in(c, state::LYING, "{0} is lying")?;
    need_seat(c, n, places(c.graph.class(n)))?;
    Ok(Pass::YES)
}
