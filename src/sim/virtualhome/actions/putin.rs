//! Put a held thing into another. (Evolving Graph §4 PUTIN).

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::put::{need_put, put};
use crate::sim::virtualhome::words::rel;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Put a held thing into another.
pub(super) const PUTIN: ActionDef = ActionDef {
    name: "PUTIN",
    arity: 2,
    doc: "Put a held thing into another.",
    unknown: Unknown::Coded,
    check,
    effects,
};

fn check(c: &Ctx<'_>, a: Ix, b: Ix) -> Result<Pass, Refusal> {
    need_put(c, a, b, rel::INSIDE)?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, me: Ix, a: Ix, b: Ix) {
    put(tx, me, a, b, rel::INSIDE);
}
