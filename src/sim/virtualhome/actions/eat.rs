//! Eating (Evolving Graph §4 EAT): food, or from something with food on it.

use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::{need_close, need_fit};
use crate::sim::virtualhome::words::{prop, rel};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Eat food, or from something with food on it.
pub(super) const EAT: ActionDef = ActionDef {
    name: "EAT",
    arity: 1,
    doc: "Eat food, or from something with food on it.",
    unknown: Unknown::Coded,
    check,
    effects: nothing,
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
