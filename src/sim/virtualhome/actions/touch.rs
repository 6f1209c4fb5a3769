//! Touching (Evolving Graph §4 TOUCH).

use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::{need_close, need_reachable};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Touch a near thing.
pub(super) const TOUCH: ActionDef = ActionDef {
    name: "TOUCH",
    arity: 1,
    doc: "Touch a near thing.",
    unknown: Unknown::Coded,
    check,
    effects: nothing,
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_close(c, n)?;
    need_reachable(c, n)?;
    Ok(Pass::YES)
}
