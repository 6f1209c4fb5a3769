//! Put a held thing onto another. (Evolving Graph §4 PUTBACK).

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::put::{need_put, put};
use crate::sim::virtualhome::strict::hold;
use crate::sim::virtualhome::words::rel;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Put a held thing onto another.
pub(super) const PUTBACK: ActionDef = ActionDef {
    name: "PUTBACK",
    arity: 2,
    doc: "Put a held thing onto another.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects: strict_effects,
    },
};

fn check(c: &Ctx<'_>, a: Ix, b: Ix) -> Result<Pass, Refusal> {
    need_put(c, a, b, rel::ON)?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, me: Ix, a: Ix, b: Ix) {
    put(tx, me, a, b, rel::ON);
}

/// The destination takes it, see [`hold::need_put`].
fn strict(c: &Ctx<'_>, a: Ix, b: Ix) -> Result<Pass, Refusal> {
    hold::need_put(c, a, (rel::ON, b))?;
    Ok(Pass::YES)
}

fn strict_effects(tx: &mut Tx<'_>, me: Ix, a: Ix, b: Ix) {
    hold::put(tx, me, a, (rel::ON, b));
}
