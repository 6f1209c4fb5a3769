//! Looking (Evolving Graph §4 LOOKAT).

use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::need_facing;
use crate::sim::virtualhome::strict::reach::need_sight;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Look at a thing one faces.
pub(super) const LOOKAT: ActionDef = ActionDef {
    name: "LOOKAT",
    arity: 1,
    doc: "Look at a thing one faces.",
    unknown: Unknown::Coded,
    eai: Law {
        check,
        effects: nothing,
    },
    strict: Law {
        check: strict,
        effects: nothing,
    },
};

/// Faced, directly or by one thing between.
pub(super) fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_facing(c, n)?;
    Ok(Pass::YES)
}

/// Faced directly, and in nothing closed.
pub(super) fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_sight(c, n)?;
    Ok(Pass::YES)
}
