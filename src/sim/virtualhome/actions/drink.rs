//! Drinking (Evolving Graph §4 DRINK); an empty cup is fine.

use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::{need_fit, need_held};
use crate::sim::virtualhome::words::prop;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Drink a held drink or from a held vessel.
pub(super) const DRINK: ActionDef = ActionDef {
    name: "DRINK",
    arity: 1,
    doc: "Drink a held drink or from a held vessel.",
    unknown: Unknown::Coded,
    check,
    effects: nothing,
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    let props = c.graph.hot(n).props;
    let fits = props.has(prop::DRINKABLE) || props.has(prop::RECIPIENT);
    need_fit(fits, n, "{0} is not drinkable or not recipient")?;
    need_held(c, n)?;
    Ok(Pass::YES)
}
