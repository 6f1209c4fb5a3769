//! Squeezing (Evolving Graph §4 SQUEEZE).

use crate::sim::graph::Graph;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::{class_in, is_clothes, need_close, need_fit, need_hand};
use crate::sim::virtualhome::strict::hold::need_empty_hand;
use crate::sim::virtualhome::strict::reach::need_reach;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Squeeze a cloth, a sponge or a tube.
pub(super) const SQUEEZE: ActionDef = ActionDef {
    name: "SQUEEZE",
    arity: 1,
    doc: "Squeeze a cloth, a sponge or a tube.",
    unknown: Unknown::Coded,
    eai: Law {
        check,
        effects: nothing,
    },
    strict: Law {
        check: strict,
        effects: nothing,
    },
};

/// Classes that can be squeezed without being cloth.
const SQUEEZABLE: &[&str] = &[
    "cleaning_solution",
    "tooth_paste",
    "shampoo",
    "food_peanut_butter",
    "dish_soap",
    "soap",
    "towel",
    "rag",
    "paper",
    "sponge",
    "food_lemon",
    "check",
];

/// Whether a thing can be squeezed: cloth, and what the list names.
pub fn is_squeezable(g: &Graph, n: Ix) -> bool {
    is_clothes(g, n) || class_in(g, n, SQUEEZABLE)
}

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_hand(c)?;
    need_close(c, n)?;
    need_fit(is_squeezable(c.graph, n), n, "{0} is not clothes")?;
    Ok(Pass::YES)
}

/// In reach, a hand free.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_fit(is_squeezable(c.graph, n), n, "{0} is not clothes")?;
    need_reach(c, n)?;
    need_empty_hand(c)?;
    Ok(Pass::YES)
}
