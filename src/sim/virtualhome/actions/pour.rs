//! Pouring (Evolving Graph §4 POUR); poured water leaves the hand for good, as published.

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::{class_in, need_close, need_fit, need_held};
use crate::sim::virtualhome::words::{prop, rel};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Pour a held thing into a vessel.
pub(super) const POUR: ActionDef = ActionDef {
    name: "POUR",
    arity: 2,
    doc: "Pour a held thing into a vessel.",
    unknown: Unknown::Coded,
    check,
    effects,
};

fn check(c: &Ctx<'_>, a: Ix, b: Ix) -> Result<Pass, Refusal> {
    let (from, to) = (c.graph.hot(a).props, c.graph.hot(b).props);
    need_fit(
        from.has(prop::POURABLE) || from.has(prop::DRINKABLE),
        a,
        "{0} is not pourable or drinkable",
    )?;
    let takes = to.has(prop::RECIPIENT) || class_in(c.graph, b, &["hands_both", "sponge", "face"]);
    need_fit(takes, b, "{0} is not recipient")?;
    need_held(c, a)?;
    need_close(c, b)?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, me: Ix, a: Ix, b: Ix) {
    tx.add(a, rel::INSIDE, b);
    if tx.graph().class(a) == "water" {
        tx.remove(me, rel::HOLDS_RH, a);
        tx.remove(me, rel::HOLDS_LH, a);
    }
}
