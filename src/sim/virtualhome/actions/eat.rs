//! Eating (Evolving Graph §4 EAT): food, or from something with food on it.

use crate::sim::graph::{Graph, Tx};
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::{need_close, need_fit};
use crate::sim::virtualhome::strict::reach::{need_reach, need_unshut, need_untraced};
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Eat food, or from something with food on it.
pub(super) const EAT: ActionDef = ActionDef {
    name: "EAT",
    arity: 1,
    doc: "Eat food, or from something with food on it.",
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
    need_close(c, n)?;
    let g = c.graph;
    let eatable = |x| g.hot(x).props.has(prop::EATABLE);
    if eatable(n) || g.sources(n, rel::ON).any(eatable) {
        return Ok(Pass::YES);
    }
    let empty = g.sources(n, rel::ON).next().is_none();
    let template = if empty {
        "{0} is not eatable"
    } else {
        "none of object on {0} is eatable"
    };
    need_fit(false, n, template)?;
    Ok(Pass::YES)
}

/// In reach: food, or something with food on or in it that is not eaten yet.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    let g = c.graph;
    let foods = foods(g, n);
    need_fit(!foods.is_empty(), n, "{0} is not eatable")?;
    need_reach(c, n)?;
    match foods.iter().find(|&&x| !g.states(x).has(state::EATEN)) {
        Some(&food) => need_unshut(c, food)?,
        None => need_untraced(c, foods[0], state::EATEN)?,
    }
    Ok(Pass::YES)
}

/// The thing itself if it is food, else the food on and in it if it can be taken in the hand, ascending.
fn foods(g: &Graph, n: Ix) -> Vec<Ix> {
    let eatable = |&x: &Ix| g.hot(x).props.has(prop::EATABLE);
    if eatable(&n) {
        return vec![n];
    }
    // One eats from a plate or a pan, not from the counter.
    if !g.hot(n).props.has(prop::GRABBABLE) {
        return Vec::new();
    }
    let served = g.sources(n, rel::ON).chain(g.sources(n, rel::INSIDE));
    let mut all: Vec<Ix> = served.filter(eatable).collect();
    all.sort_unstable();
    all
}

fn strict_effects(tx: &mut Tx<'_>, _: Ix, n: Ix, _: Ix) {
    let g = tx.graph();
    let next = foods(g, n)
        .into_iter()
        .find(|&x| !g.states(x).has(state::EATEN));
    if let Some(food) = next {
        tx.set(food, state::EATEN, true);
    }
}
