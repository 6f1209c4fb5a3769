//! Sit down on something. (Evolving Graph §4 SIT).

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::{need_close, need_free_place, need_not_in, need_prop};
use crate::sim::virtualhome::strict::hold::need_seat;
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Sit down on something.
pub(super) const SIT: ActionDef = ActionDef {
    name: "SIT",
    arity: 1,
    doc: "Sit down on something.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects,
    },
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_close(c, n)?;
    need_not_in(c, state::SITTING, "{0} is sitting")?;
    need_prop(c, n, prop::SITTABLE, "{0} is not sittable")?;
    need_free_place(c, n, places(c.graph.class(n)))?;
    Ok(Pass::YES)
}

/// How many things may be on it before there is no place left.
fn places(class: &str) -> usize {
    match class {
        "couch" | "bed" | "sofa" => 4,
        "loveseat" | "pianobench" | "bench" => 2,
        _ => 1,
    }
}

fn effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    tx.add(me, rel::ON, n);
    let mut i = 0;
    while let Some((f, out)) = tx.graph().neighbour_at(n, rel::FACING, false, i) {
        if out.has(rel::FACING) {
            tx.add(me, rel::FACING, f);
        }
        i += 1;
    }
    tx.set(me, state::LYING, false);
    tx.set(me, state::SITTING, true);
}

/// In reach, not in this posture yet, a place free, and not up elsewhere.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_prop(c, n, prop::SITTABLE, "{0} is not sittable")?;
    need_not_in(c, state::SITTING, "{0} is sitting")?;
    need_seat(c, n, places(c.graph.class(n)))?;
    Ok(Pass::YES)
}
