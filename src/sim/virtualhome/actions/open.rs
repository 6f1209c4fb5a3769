//! Opening (Evolving Graph §4 OPEN).

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::facts::{class_in, need_close, need_fit, need_hand, need_state};
use crate::sim::virtualhome::words::{prop, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Open a closed thing.
pub(super) const OPEN: ActionDef = ActionDef {
    name: "OPEN",
    arity: 1,
    doc: "Open a closed thing.",
    unknown: Unknown::Crash,
    check,
    effects,
};

/// What can be opened or closed at all.
pub(super) fn openable(c: &Ctx<'_>, n: Ix) -> bool {
    c.graph.hot(n).props.has(prop::CAN_OPEN) || class_in(c.graph, n, &["desk", "window"])
}

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_fit(openable(c, n), n, "{0} can not be opened")?;
    need_close(c, n)?;
    need_hand(c)?;
    need_state(c, n, state::CLOSED, "{0} is not closed")?;
    if c.graph.states(n).has(state::ON) {
        return Err(Refusal::new(
            Kind::AlreadySo,
            Pre::NotState(n, state::ON),
            "{0} is still on",
            [n, Ix::NONE],
        ));
    }
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, _: Ix, n: Ix, _: Ix) {
    tx.set(n, state::CLOSED, false);
    tx.set(n, state::OPEN, true);
}
