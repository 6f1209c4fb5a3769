//! Cutting (Evolving Graph §4 CUT).

use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::{held, need_close, need_hand, need_prop};
use crate::sim::virtualhome::words::prop;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Cut food with a held knife.
pub(super) const CUT: ActionDef = ActionDef {
    name: "CUT",
    arity: 1,
    doc: "Cut food with a held knife.",
    unknown: Unknown::Coded,
    check,
    effects: nothing,
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_hand(c)?;
    need_close(c, n)?;
    need_prop(c, n, prop::EATABLE, "{0} is not eatable")?;
    need_prop(c, n, prop::CUTTABLE, "{0} is not cuttable")?;
    if held(c.graph, c.me).any(|h| c.graph.class(h).contains("knife")) {
        return Ok(Pass::YES);
    }
    Err(Refusal::new(
        Kind::MissingStep,
        Pre::HoldingKnife,
        "{0} is not holding a knife",
        [c.me, Ix::NONE],
    ))
}
