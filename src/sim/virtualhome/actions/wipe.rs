//! Wiping (Evolving Graph §4 WIPE): with anything in the hands.

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Record, Records, Refusal};
use crate::sim::virtualhome::actions::wash;
use crate::sim::virtualhome::facts::{HANDS, held, need_close};
use crate::sim::virtualhome::strict::reach::need_reach;
use crate::sim::virtualhome::words::{rel, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Wipe a near thing with something held.
pub(super) const WIPE: ActionDef = ActionDef {
    name: "WIPE",
    arity: 1,
    doc: "Wipe a near thing with something held.",
    unknown: Unknown::Coded,
    eai: Law {
        check,
        effects: wash::effects,
    },
    strict: Law {
        check: strict,
        effects: strict_effects,
    },
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_close(c, n)?;
    if held(c.graph, c.me).next().is_some() {
        return Ok(Pass::YES);
    }
    let record = Record::Edge {
        from: c.me,
        rels: HANDS,
        to: Ix::NONE,
        negate: false,
    };
    let template = "{0} does not hold anything in hands";
    Err(Refusal::new(
        Kind::MissingStep,
        Pre::HoldingAny,
        template,
        [c.me, Ix::NONE],
    )
    .recording(Records::one(record)))
}

/// In reach, with something in the hands that is not the thing itself.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_reach(c, n)?;
    if held(c.graph, c.me).any(|h| h != n) {
        return Ok(Pass::YES);
    }
    let text = "{0} does not hold anything in hands";
    Err(Refusal::new(
        Kind::MissingStep,
        Pre::HoldingAny,
        text,
        [c.me, Ix::NONE],
    ))
}

/// Clean, and nothing spilled on it any more.
fn strict_effects(tx: &mut Tx<'_>, me: Ix, n: Ix, b: Ix) {
    wash::effects(tx, me, n, b);
    for x in tx.graph().sources(n, rel::ON).collect::<Vec<_>>() {
        tx.set(x, state::SPILLED, false);
    }
}
