//! Drinking (Evolving Graph §4 DRINK); an empty cup is fine.

use crate::sim::graph::{Graph, Tx};
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::{need_fit, need_held};
use crate::sim::virtualhome::strict::hold::{contents, need_filled, need_in_hand};
use crate::sim::virtualhome::strict::reach::need_untraced;
use crate::sim::virtualhome::words::{prop, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Drink a held drink or from a held vessel.
pub(super) const DRINK: ActionDef = ActionDef {
    name: "DRINK",
    arity: 1,
    doc: "Drink a held drink or from a held vessel.",
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
    let props = c.graph.hot(n).props;
    let fits = props.has(prop::DRINKABLE) || props.has(prop::RECIPIENT);
    need_fit(fits, n, "{0} is not drinkable or not recipient")?;
    need_held(c, n)?;
    Ok(Pass::YES)
}

/// Held: a drink that is not drunk yet, or an open vessel with something in it that flows.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    let g = c.graph;
    let props = g.hot(n).props;
    let fits = props.has(prop::DRINKABLE) || props.has(prop::RECIPIENT);
    need_fit(fits, n, "{0} is not drinkable or not recipient")?;
    need_in_hand(c, n)?;
    if props.has(prop::RECIPIENT) {
        need_filled(c, n, !drinks(g, n).is_empty())?;
    } else if drinks(g, n).is_empty() {
        need_untraced(c, n, state::DRUNK)?;
    }
    Ok(Pass::YES)
}

/// What a sip empties: the drink itself, or what is in the vessel. Water never runs out.
fn drinks(g: &Graph, n: Ix) -> Vec<Ix> {
    let mut all = if g.hot(n).props.has(prop::RECIPIENT) {
        contents(g, n)
    } else {
        vec![n]
    };
    all.retain(|&x| !g.states(x).has(state::DRUNK) || g.class(x) == "water");
    all
}

fn strict_effects(tx: &mut Tx<'_>, _: Ix, n: Ix, _: Ix) {
    for x in drinks(tx.graph(), n) {
        tx.set(x, state::DRUNK, true);
    }
}
