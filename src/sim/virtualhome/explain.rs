//! What cures a refusal and what achieves a fact in this dialect.

use crate::sim::reading::{Literal, held};
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::actions::cut::is_blade;
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::{Ix, Profile, State};
use crate::sim::world::{Action, World};

/// Actions that would satisfy the failed precondition, the most direct first. They need not be allowed now.
pub(super) fn cures(world: &World, refusal: &Refusal) -> Vec<Action> {
    let one = |verb: &str, n: Ix| action(world, verb, n, Ix::NONE);
    let found = match refusal.pre {
        Pre::Close(n) | Pre::SameRoom(n) => vec![one("WALK", n)],
        Pre::Holding(n) => vec![one("GRAB", n)],
        Pre::Worn(n) => vec![one("PUTON", n)],
        Pre::HoldingKnife => {
            let scene = world.scene();
            scene
                .indices()
                .filter(|&ix| world.graph().hot(ix).props.has(prop::GRABBABLE))
                .filter(|&ix| match world.profile() {
                    Profile::Eai => scene.node(ix).class.contains("knife"),
                    Profile::Strict => is_blade(&scene.node(ix).class),
                })
                .map(|ix| one("GRAB", ix))
                .take(1)
                .collect()
        }
        Pre::Room(n) if world.profile() == Profile::Strict => world
            .graph()
            .sources(n, world.dialect().rules.on)
            .map(|x| one("GRAB", x))
            .filter(|grab| grab.is_some_and(|g| world.check(g).is_ok()))
            .collect(),
        Pre::FreeHand => put_down(world),
        Pre::Facing(n) => vec![one("TURNTO", n)],
        Pre::NotShutIn(_, container) => vec![one("OPEN", container)],
        Pre::PathOpen(_, door) => vec![one("OPEN", door)],
        Pre::NotWithYou(n) if refusal.kind != Kind::AlreadySo => vec![one("DROP", n)],
        Pre::Standing | Pre::NotOnIt(_) => vec![one("STANDUP", Ix::NONE)],
        Pre::State(n, wanted) if refusal.kind != Kind::AlreadySo => vec![achieve(world, n, wanted)],
        Pre::NotState(n, state) => world
            .dialect()
            .opposite(state)
            .map(|s| achieve(world, n, s))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    };
    found.into_iter().flatten().collect()
}

/// The action that gives a node a state.
fn achieve(world: &World, n: Ix, wanted: State) -> Option<Action> {
    let verb = match wanted {
        state::OPEN => "OPEN",
        state::CLOSED => "CLOSE",
        state::ON => "SWITCHON",
        state::OFF => "SWITCHOFF",
        state::PLUGGED_IN => "PLUGIN",
        state::PLUGGED_OUT => "PLUGOUT",
        state::CLEAN => "WASH",
        _ => return None,
    };
    action(world, verb, n, Ix::NONE)
}

fn action(world: &World, verb: &str, a: Ix, b: Ix) -> Option<Action> {
    let (verb, _) = world.dialect().action(verb)?;
    Some(Action { verb, a, b })
}

/// Putting a held thing onto something near, else letting it go.
fn put_down(world: &World) -> Vec<Option<Action>> {
    let graph = world.graph();
    let Some(thing) = held(graph, world.me()).next() else {
        return Vec::new();
    };
    let onto = world
        .scene()
        .indices()
        .filter(|&ix| ix != thing && graph.hot(ix).props.has(prop::SURFACES))
        .filter_map(|ix| action(world, "PUTBACK", thing, ix))
        .find(|&put| world.check(put).is_ok());
    let mut found = vec![];
    found.extend(onto.map(Some));
    found.push(action(world, "DROP", thing, Ix::NONE));
    found
}

/// Actions whose effect is a fact or its absence.
pub(super) fn aims(world: &World, wanted: Literal) -> Vec<Action> {
    let one = |verb: &str, a: Ix, b: Ix| action(world, verb, a, b);
    let found = match wanted {
        Literal::State(n, state, true) => achieve(world, n, state),
        Literal::State(n, state, false) => world
            .dialect()
            .opposite(state)
            .and_then(|s| achieve(world, n, s)),
        Literal::Edge(f, rel, t, true) => match rel {
            rel::INSIDE => one("PUTIN", f, t),
            rel::CLOSE if f == world.me() => one("WALK", t, Ix::NONE),
            rel::CLOSE if t == world.me() => one("WALK", f, Ix::NONE),
            rel::ON | rel::CLOSE => one("PUTBACK", f, t),
            rel::FACING if f == world.me() => one("TURNTO", t, Ix::NONE),
            rel::HOLDS_RH | rel::HOLDS_LH => one("GRAB", t, Ix::NONE),
            _ => None,
        },
        Literal::Edge(f, ..) => one("GRAB", f, Ix::NONE),
    };
    found.into_iter().collect()
}
