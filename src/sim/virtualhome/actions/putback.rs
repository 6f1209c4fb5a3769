//! Put a held thing onto another. (Evolving Graph §4 PUTBACK).

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::put::{need_put, put};
use crate::sim::virtualhome::words::rel;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Put a held thing onto another.
pub(super) const PUTBACK: ActionDef = ActionDef {
    name: "PUTBACK",
    arity: 2,
    doc: "Put a held thing onto another.",
    unknown: Unknown::Coded,
    check,
    effects,
};

fn check(c: &Ctx<'_>, a: Ix, b: Ix) -> Result<Pass, Refusal> {
    need_put(c, a, b, rel::ON)?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, me: Ix, a: Ix, b: Ix) {
    put(tx, me, a, b, rel::ON);
}
