//! Opening (Evolving Graph §4 OPEN).

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::facts::{class_in, need_close, need_fit, need_hand, need_state};
use crate::sim::virtualhome::strict::hold::need_empty_hand;
use crate::sim::virtualhome::strict::reach::{need_not_yet, need_reach, need_without};
use crate::sim::virtualhome::words::{prop, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Open a closed thing.
pub(super) const OPEN: ActionDef = ActionDef {
    name: "OPEN",
    arity: 1,
    doc: "Open a closed thing.",
    unknown: Unknown::Crash,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects,
    },
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

/// Machines whose door is locked while they run, and that do not start while it is open.
pub const INTERLOCKED: &[&str] = &[
    "microwave",
    "dishwasher",
    "washing_machine",
    "clothes_dryer",
];

/// In reach, a hand free, not open already; a running machine with an interlock is locked, all else opens, hot or not.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_fit(openable(c, n), n, "{0} can not be opened")?;
    need_not_yet(c, n, (state::OPEN, state::CLOSED), "{0} is not closed")?;
    need_reach(c, n)?;
    if class_in(c.graph, n, INTERLOCKED) {
        need_without(c, n, state::ON, "{0} is still on")?;
    }
    need_empty_hand(c)?;
    Ok(Pass::YES)
}
