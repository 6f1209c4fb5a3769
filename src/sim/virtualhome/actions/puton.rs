//! Putting clothes on (Evolving Graph §4 PUTON).

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::facts::{is_clothes, is_holding, need_fit, need_held};
use crate::sim::virtualhome::strict::hold::{need_apart, need_in_hand};
use crate::sim::virtualhome::words::rel;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Put on a held piece of clothing.
pub(super) const PUTON: ActionDef = ActionDef {
    name: "PUTON",
    arity: 1,
    doc: "Put on a held piece of clothing.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects: strict_effects,
    },
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_held(c, n)?;
    need_fit(is_clothes(c.graph, n), n, "{0} is not clothes")?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    tx.add(n, rel::ON, me);
    tx.remove(me, rel::HOLDS_RH, n);
    tx.remove(me, rel::HOLDS_LH, n);
}

/// Held, and not worn already.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_fit(is_clothes(c.graph, n), n, "{0} is not clothes")?;
    if !is_holding(c.graph, c.me, n) {
        need_apart(c, n)?;
    }
    need_in_hand(c, n)?;
    Ok(Pass::YES)
}

/// Worn, and free to be taken off and grabbed again.
fn strict_effects(tx: &mut Tx<'_>, me: Ix, n: Ix, b: Ix) {
    effects(tx, me, n, b);
    tx.remember(n, None);
}
