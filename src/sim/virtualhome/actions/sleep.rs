//! Sleeping (Evolving Graph §4 SLEEP).

use crate::sim::refusal::{Kind, Pre, Records, Refusal};
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::posture_record;
use crate::sim::virtualhome::words::state;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Sleep, sitting or lying.
pub(super) const SLEEP: ActionDef = ActionDef {
    name: "SLEEP",
    arity: 0,
    doc: "Sleep, sitting or lying.",
    unknown: Unknown::Coded,
    eai: Law {
        check,
        effects: nothing,
    },
    strict: Law {
        check,
        effects: nothing,
    },
};

/// Code 1 unless the agent sits or lies. Only the first record is looked up later, as published.
pub(super) fn check(c: &Ctx<'_>, _: Ix, _: Ix) -> Result<Pass, Refusal> {
    let states = c.graph.states(c.me);
    if states.has(state::SITTING) || states.has(state::LYING) {
        return Ok(Pass::YES);
    }
    Err(Refusal::new(
        Kind::MissingStep,
        Pre::Resting,
        "{0} is not lying or sitting",
        [c.me, Ix::NONE],
    )
    .recording(Records::one(posture_record(c.me, state::LYING, false))))
}
