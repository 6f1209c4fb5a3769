//! Reading (Evolving Graph §4 READ).

use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::{need_held, need_prop};
use crate::sim::virtualhome::strict::hold::need_in_hand;
use crate::sim::virtualhome::words::prop;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Read a held thing.
pub(super) const READ: ActionDef = ActionDef {
    name: "READ",
    arity: 1,
    doc: "Read a held thing.",
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
    need_prop(c, n, prop::READABLE, "{0} is not readable")?;
    need_held(c, n)?;
    Ok(Pass::YES)
}

/// Held, by what can be.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_prop(c, n, prop::READABLE, "{0} is not readable")?;
    need_in_hand(c, n)?;
    Ok(Pass::YES)
}
