//! Typing (Evolving Graph §4 TYPE).

use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::{class_in, need_close, need_fit};
use crate::sim::virtualhome::strict::reach::need_reach;
use crate::sim::virtualhome::words::prop;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Type on a keyboard or a device.
pub(super) const TYPE: ActionDef = ActionDef {
    name: "TYPE",
    arity: 1,
    doc: "Type on a keyboard or a device.",
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
    let fits = class_in(c.graph, n, &["keyboard"]) || c.graph.hot(n).props.has(prop::HAS_SWITCH);
    need_fit(fits, n, "{0} does not have switch")?;
    Ok(Pass::YES)
}

/// In reach.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    let fits = class_in(c.graph, n, &["keyboard"]) || c.graph.hot(n).props.has(prop::HAS_SWITCH);
    need_fit(fits, n, "{0} does not have switch")?;
    need_reach(c, n)?;
    Ok(Pass::YES)
}
