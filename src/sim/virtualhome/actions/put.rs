//! What PUTBACK, PUTIN and PUTOBJBACK share (Evolving Graph §4).

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::facts::{need_close, need_held};
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::{Ix, Rel};
use crate::sim::world::Ctx;

/// Held, the destination near and, to put something in, open if it can be opened at all.
pub(super) fn need_put(c: &Ctx<'_>, a: Ix, b: Ix, how: Rel) -> Result<(), Refusal> {
    need_held(c, a)?;
    need_close(c, b)?;
    let shut = c.graph.hot(b).props.has(prop::CAN_OPEN) && !c.graph.states(b).has(state::OPEN);
    if how == rel::INSIDE && shut {
        let template = "{0} is not open or is not openable";
        return Err(Refusal::new(
            Kind::Affordance,
            Pre::State(b, state::OPEN),
            template,
            [b, Ix::NONE],
        ));
    }
    Ok(())
}

/// Leaves the hand, comes near the destination and into the relation. An older room edge stays, as published.
pub(super) fn put(tx: &mut Tx<'_>, me: Ix, a: Ix, b: Ix, how: Rel) {
    tx.remove(me, rel::HOLDS_RH, a);
    tx.remove(me, rel::HOLDS_LH, a);
    tx.add_both(me, rel::CLOSE, b);
    tx.add_both(a, rel::CLOSE, b);
    tx.add(a, how, b);
    tx.remember(a, None);
}
