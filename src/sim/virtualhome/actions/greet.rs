//! Greeting (Evolving Graph §4 GREET): from any distance.

use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::need_prop;
use crate::sim::virtualhome::strict::reach::need_same_room;
use crate::sim::virtualhome::words::prop;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Greet a person.
pub(super) const GREET: ActionDef = ActionDef {
    name: "GREET",
    arity: 1,
    doc: "Greet a person.",
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
    need_prop(c, n, prop::PERSON, "{0} is not person")?;
    Ok(Pass::YES)
}

/// In the same room.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_prop(c, n, prop::PERSON, "{0} is not person")?;
    need_same_room(c, n)?;
    Ok(Pass::YES)
}
