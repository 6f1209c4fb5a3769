//! Touching (Evolving Graph §4 TOUCH).

use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::{need_close, need_reachable};
use crate::sim::virtualhome::strict::reach::need_reach;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Touch a near thing.
pub(super) const TOUCH: ActionDef = ActionDef {
    name: "TOUCH",
    arity: 1,
    doc: "Touch a near thing.",
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

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_close(c, n)?;
    need_reachable(c, n)?;
    Ok(Pass::YES)
}

/// In reach.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_reach(c, n)?;
    Ok(Pass::YES)
}
