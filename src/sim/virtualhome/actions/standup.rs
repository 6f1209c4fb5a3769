//! Standing up (Evolving Graph §4 STANDUP); the seat stays occupied, as published.

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::words::{rel, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Stand up from sitting or lying.
pub(super) const STANDUP: ActionDef = ActionDef {
    name: "STANDUP",
    arity: 0,
    doc: "Stand up from sitting or lying.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check,
        effects: strict_effects,
    },
};

fn check(c: &Ctx<'_>, _: Ix, _: Ix) -> Result<Pass, Refusal> {
    let states = c.graph.states(c.me);
    if states.has(state::SITTING) || states.has(state::LYING) {
        return Ok(Pass::YES);
    }
    Err(Refusal::new(
        Kind::AlreadySo,
        Pre::Resting,
        "{0} is not sitting",
        [c.me, Ix::NONE],
    ))
}

fn effects(tx: &mut Tx<'_>, me: Ix, _: Ix, _: Ix) {
    tx.set(me, state::SITTING, false);
    tx.set(me, state::LYING, false);
}

/// Up, and the seat is free.
fn strict_effects(tx: &mut Tx<'_>, me: Ix, a: Ix, b: Ix) {
    effects(tx, me, a, b);
    tx.clear_out(me, rel::ON);
}
