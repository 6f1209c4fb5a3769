//! Lie down on something. (Evolving Graph §4 LIE).

use crate::sim::graph::Tx;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::facts::{need_close, need_prop};
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Pass, Unknown};

/// Lie down on something.
pub(super) const LIE: ActionDef = ActionDef {
    name: "LIE",
    arity: 1,
    doc: "Lie down on something.",
    unknown: Unknown::Coded,
    check,
    effects,
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_close(c, n)?;
    if c.graph.states(c.me).has(state::LYING) {
        return Err(Refusal::new(
            Kind::AlreadySo,
            Pre::NotYet(state::LYING),
            "{0} is lying",
            [c.me, Ix::NONE],
        ));
    }
    need_prop(c, n, prop::LIEABLE, "{0} is not lieable")?;
    if c.graph.sources(n, rel::ON).count() >= places(c.graph.class(n)) {
        return Err(Refusal::new(
            Kind::MissingStep,
            Pre::Room(n),
            "Too many things on {0}",
            [n, Ix::NONE],
        ));
    }
    Ok(Pass::YES)
}

/// How many things may be on it before there is no place left.
fn places(class: &str) -> usize {
    match class {
        "bed" => 3,
        "couch" | "bathtub" | "loveseat" | "sofa" => 2,
        _ => 1,
    }
}

fn effects(tx: &mut Tx<'_>, me: Ix, n: Ix, _: Ix) {
    tx.add(me, rel::ON, n);
    tx.set(me, state::SITTING, false);
    tx.set(me, state::LYING, true);
}
