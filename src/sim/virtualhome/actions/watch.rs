//! Watching (Evolving Graph §4 WATCH).

use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::actions::nothing;
use crate::sim::virtualhome::facts::{
    class_in, facing_record, my_room, need_facing, need_prop, need_reachable, room,
};
use crate::sim::virtualhome::strict::reach::{need_same_room, need_sight};
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

/// Watch a thing one faces in the same room.
pub(super) const WATCH: ActionDef = ActionDef {
    name: "WATCH",
    arity: 1,
    doc: "Watch a thing one faces in the same room.",
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

fn check(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_prop(c, n, prop::LOOKABLE, "{0} not lookable")?;
    let here = my_room(c)?;
    let there =
        room(c.graph, n)?.ok_or_else(|| Refusal::crash("AssertionError", Pre::HasRoom(n), n))?;
    if here != there {
        let template = "char room {0} is not node room {1}";
        return Err(Refusal::new(
            Kind::Affordance,
            Pre::SameRoom(n),
            template,
            [here, there],
        ));
    }
    need_facing(c, n)?;
    let states = c.graph.states(c.me);
    let seated = states.has(state::SITTING) || states.has(state::LYING);
    if seated && !class_in(c.graph, n, &["computer"]) && !c.graph.has(c.me, rel::FACING, n) {
        let template = "{0} is not facing {1} while sitting";
        return Err(
            Refusal::new(Kind::MissingStep, Pre::Facing(n), template, [c.me, n])
                .recording(facing_record(c.me, n)),
        );
    }
    need_reachable(c, n)?;
    Ok(Pass::YES)
}

/// In the same room, faced directly, and in nothing closed.
fn strict(c: &Ctx<'_>, n: Ix, _: Ix) -> Result<Pass, Refusal> {
    need_prop(c, n, prop::LOOKABLE, "{0} not lookable")?;
    need_same_room(c, n)?;
    need_sight(c, n)?;
    Ok(Pass::YES)
}
