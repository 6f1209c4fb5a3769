//! Taking clothes off (Evolving Graph §4 PUTOFF); they end in no hand, as published.

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Record, Records, Refusal};
use crate::sim::virtualhome::facts::{free_hand, is_clothes, need_fit};
use crate::sim::virtualhome::strict::hold::need_empty_hand;
use crate::sim::virtualhome::words::rel;
use crate::sim::vocab::{Ix, Rels};
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Take off a worn piece of clothing.
pub(super) const PUTOFF: ActionDef = ActionDef {
    name: "PUTOFF",
    arity: 1,
    doc: "Take off a worn piece of clothing.",
    unknown: Unknown::Coded,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects: strict_effects,
    },
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    if !c.graph.has(n, rel::ON, c.me) {
        let record = Record::Edge {
            from: n,
            rels: Rels::of(&[rel::ON]),
            to: c.me,
            negate: false,
        };
        return Err(Refusal::new(
            Kind::MissingStep,
            Pre::Worn(n),
            "{0} is not on {1}",
            [n, c.me],
        )
        .recording(Records::one(record)));
    }
    need_fit(is_clothes(c.graph, n), n, "{0} is not clothes")?;
    Ok(Pass::YES)
}

fn effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    tx.remove(n, rel::ON, me);
}

/// Worn, and a hand free to take it.
fn strict(c: &Ctx<'_>, n: Ix, b: Ix) -> Result<Pass, Refusal> {
    need_fit(is_clothes(c.graph, n), n, "{0} is not clothes")?;
    let pass = check(c, n, b)?;
    need_empty_hand(c)?;
    Ok(pass)
}

/// From the body into the hand.
fn strict_effects(tx: &mut Tx<'_>, me: Ix, n: Ix, b: Ix) {
    effects(tx, me, n, b);
    if let Some(hand) = free_hand(tx.graph(), me) {
        tx.add(me, hand, n);
    }
    tx.add_both(me, rel::CLOSE, n);
}
