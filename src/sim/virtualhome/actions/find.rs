//! Finding a thing: a look at what is near, else a walk (Evolving Graph §4 FIND).

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::virtualhome::actions::walk;
use crate::sim::virtualhome::facts::{is_close, need_close};
use crate::sim::virtualhome::strict::reach::is_near;
use crate::sim::virtualhome::words::{prop, rel};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Find a thing: look at it when it is near, walk to it otherwise.
pub(super) const FIND: ActionDef = ActionDef {
    name: "FIND",
    arity: 1,
    doc: "Find a thing: look at it when it is near, walk to it otherwise.",
    unknown: Unknown::Crash,
    eai: Law { check, effects },
    strict: Law {
        check: strict,
        effects: strict_effects,
    },
};

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    if at_hand(c, n) {
        need_close(c, n)?;
        Ok(Pass::YES)
    } else {
        walk::check(c, n, Ix::NONE)
    }
}

/// Worn, a body part, or near: no walk is needed.
fn at_hand(c: &Ctx<'_>, n: Ix) -> bool {
    c.graph.has(n, rel::ON, c.me) || c.graph.hot(n).props.has(prop::BODY_PART) || is_close(c, n)
}

fn effects(tx: &mut Tx<'_>, me: Ix, n: Ix, b: Ix) {
    // The profile plays no part in nearness of the published code, so any context over the same facts will do.
    let c = Ctx {
        graph: tx.graph(),
        me,
        profile: crate::sim::vocab::Profile::Eai,
    };
    if at_hand(&c, n) {
        tx.clear_out(me, rel::FACING);
        tx.add_both(me, rel::CLOSE, n);
    } else {
        walk::effects(tx, me, n, b);
    }
}

fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    if is_near(c.graph, c.me, n) {
        Ok(Pass::YES)
    } else {
        walk::strict(c, n, Ix::NONE)
    }
}

fn strict_effects(tx: &mut Tx<'_>, me: Ix, n: Ix, b: Ix) {
    if is_near(tx.graph(), me, n) {
        tx.clear_out(me, rel::FACING);
        if n != me {
            tx.add_both(me, rel::CLOSE, n);
        }
    } else {
        walk::strict_effects(tx, me, n, b);
    }
}
