//! Cutting (Evolving Graph §4 CUT).

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::{held, need_close, need_hand, need_prop};
use crate::sim::virtualhome::strict::hold::need_empty_hand;
use crate::sim::virtualhome::strict::reach::{need_reach, need_untraced};
use crate::sim::virtualhome::words::{prop, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Cut food with a held knife.
pub(super) const CUT: ActionDef = ActionDef {
    name: "CUT",
    arity: 1,
    doc: "Cut food with a held knife.",
    unknown: Unknown::Coded,
    eai: Law {
        check,
        effects: nothing,
    },
    strict: Law {
        check: strict,
        effects: strict_effects,
    },
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

/// What has a blade and a handle.
const BLADES: &[&str] = &["cleaver", "scissors"];

/// Whether one can cut with it.
pub fn is_blade(class: &str) -> bool {
    class.ends_with("knife") || BLADES.contains(&class)
}

/// In reach, not cut yet, a blade in one hand and the other free to hold the food.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_prop(c, n, prop::EATABLE, "{0} is not eatable")?;
    need_prop(c, n, prop::CUTTABLE, "{0} is not cuttable")?;
    need_untraced(c, n, state::CUT)?;
    need_reach(c, n)?;
    if !held(c.graph, c.me).any(|h| is_blade(c.graph.class(h))) {
        let text = "{0} is not holding a knife";
        return Err(Refusal::new(
            Kind::MissingStep,
            Pre::HoldingKnife,
            text,
            [c.me, Ix::NONE],
        ));
    }
    need_empty_hand(c)?;
    Ok(Pass::YES)
}

fn strict_effects(tx: &mut Tx<'_>, _: Ix, n: Ix, _: Ix) {
    tx.set(n, state::CUT, true);
}
