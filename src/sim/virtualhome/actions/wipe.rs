//! Wiping (Evolving Graph §4 WIPE): with anything in the hands.

use crate::sim::refusal::{Kind, Pre, Record, Records, Refusal};
use crate::sim::virtualhome::actions::wash;
use crate::sim::virtualhome::facts::{HANDS, held, need_close};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Wipe a near thing with something held.
pub(super) const WIPE: ActionDef = ActionDef {
    name: "WIPE",
    arity: 1,
    doc: "Wipe a near thing with something held.",
    unknown: Unknown::Coded,
    check,
    effects: wash::effects,
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
