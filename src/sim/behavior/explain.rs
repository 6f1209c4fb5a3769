//! What cures a refusal and what achieves a fact in this dialect.

use crate::sim::behavior::facts::{LEFT, RIGHT, in_hand};
use crate::sim::behavior::words::{prop, rel, state};
use crate::sim::reading::Literal;
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::{Ix, State};
use crate::sim::world::{Action, World};

/// Actions that would satisfy the failed precondition, the most direct first. They need not be allowed now.
pub(super) fn cures(world: &World, refusal: &Refusal) -> Vec<Action> {
    let found = match refusal.pre {
        Pre::Holding(n) => vec![grasp(world, n)],
        Pre::NotShutIn(_, container) => vec![action(world, "OPEN", container, Ix::NONE)],
        Pre::FreeHand => put_down(world),
        Pre::Whole(n) => parts(world, n),
        Pre::Tool("knife") => tools(world, prop::SLICER, None),
        Pre::Tool("cleaning tool") => tools(world, prop::CLEANING_TOOL, None),
        Pre::Tool(_) => tools(world, prop::CLEANING_TOOL, Some(state::SOAKED)),
        Pre::State(n, wanted) if refusal.kind != Kind::AlreadySo => {
            vec![achieve(world, n, wanted, true)]
        }
        Pre::NotState(n, state) if refusal.kind != Kind::AlreadySo => {
            vec![achieve(world, n, state, false)]
        }
        _ => Vec::new(),
    };
    found.into_iter().flatten().collect()
}

/// Actions whose effect is a fact or its absence.
pub(super) fn aims(world: &World, wanted: Literal) -> Vec<Action> {
    let place = |verb: &str, from: Ix, to: Ix| match hand_of(world, from) {
        Some(hand) => action(world, &format!("{}_{verb}", side(hand)), to, Ix::NONE),
        None => grasp(world, from),
    };
    let found = match wanted {
        Literal::State(n, state, on) => achieve(world, n, state, on),
        Literal::Edge(f, rel, t, true) => match rel {
            rel::INSIDE => place("PLACE_INSIDE", f, t),
            rel::ONTOP | rel::ONFLOOR => place("PLACE_ONTOP", f, t),
            rel::NEXTTO => place("PLACE_NEXTTO", f, t),
            rel::UNDER => place("PLACE_UNDER", f, t),
            rel::HOLDS_RH => action(world, "RIGHT_GRASP", t, Ix::NONE),
            rel::HOLDS_LH => action(world, "LEFT_GRASP", t, Ix::NONE),
            _ => None,
        },
        Literal::Edge(f, ..) => grasp(world, f),
    };
    found.into_iter().collect()
}

fn action(world: &World, verb: &str, a: Ix, b: Ix) -> Option<Action> {
    let (verb, _) = world.dialect().action(verb)?;
    Some(Action { verb, a, b })
}

const fn side(hand: usize) -> &'static str {
    if hand == RIGHT { "RIGHT" } else { "LEFT" }
}

fn hand_of(world: &World, n: Ix) -> Option<usize> {
    [RIGHT, LEFT]
        .into_iter()
        .find(|&hand| in_hand(world.graph(), world.me(), hand) == Some(n))
}

/// Grasping with an empty hand, the right one first.
fn grasp(world: &World, n: Ix) -> Option<Action> {
    let free = [RIGHT, LEFT]
        .into_iter()
        .find(|&hand| in_hand(world.graph(), world.me(), hand).is_none());
    let hand = side(free.unwrap_or(RIGHT));
    action(world, &format!("{hand}_GRASP"), n, Ix::NONE)
}

/// The action that gives a node a state or takes it away.
fn achieve(world: &World, n: Ix, wanted: State, on: bool) -> Option<Action> {
    let verb = match (wanted, on) {
        (state::OPEN, true) => "OPEN",
        (state::OPEN, false) => "CLOSE",
        (state::TOGGLED_ON, true) => "TOGGLE_ON",
        (state::TOGGLED_ON, false) => "TOGGLE_OFF",
        (state::FROZEN, true) => "FREEZE",
        (state::FROZEN, false) => "UNFREEZE",
        (state::SOAKED, true) => "SOAK",
        (state::SOAKED, false) => "DRY",
        (state::COOKED, true) => "COOK",
        (state::SLICED, true) => "SLICE",
        (state::DUSTY | state::STAINED, false) => "CLEAN",
        _ => return None,
    };
    action(world, verb, n, Ix::NONE)
}

/// Putting what a hand holds onto something that carries things, else letting it go.
fn put_down(world: &World) -> Vec<Option<Action>> {
    let mut found = Vec::new();
    for hand in [RIGHT, LEFT] {
        let Some(thing) = in_hand(world.graph(), world.me(), hand) else {
            continue;
        };
        let onto = world
            .scene()
            .indices()
            .filter(|&ix| ix != thing && world.graph().sources(ix, rel::ONTOP).next().is_some())
            .filter_map(|ix| action(world, &format!("{}_PLACE_ONTOP", side(hand)), ix, Ix::NONE))
            .find(|&put| world.check(put).is_ok());
        found.extend(onto.map(Some));
    }
    for hand in [RIGHT, LEFT] {
        if let Some(thing) = in_hand(world.graph(), world.me(), hand) {
            found.push(action(
                world,
                &format!("{}_RELEASE", side(hand)),
                thing,
                Ix::NONE,
            ));
        }
    }
    found
}

fn parts(world: &World, whole: Ix) -> Vec<Option<Action>> {
    let mut parts: Vec<Ix> = world.graph().sources(whole, rel::PART_OF).collect();
    parts.sort_unstable();
    parts.into_iter().map(|part| grasp(world, part)).collect()
}

/// Taking up the first such tool within reach, or bringing one that is held into the state it needs.
fn tools(
    world: &World,
    mark: crate::sim::vocab::Prop,
    wanted: Option<State>,
) -> Vec<Option<Action>> {
    let g = world.graph();
    let tools = world
        .scene()
        .indices()
        .filter(|&ix| g.hot(ix).props.has(mark));
    let mut found = Vec::new();
    for tool in tools {
        match wanted {
            Some(state) if hand_of(world, tool).is_some() && !g.states(tool).has(state) => {
                found.push(achieve(world, tool, state, true));
            }
            _ if hand_of(world, tool).is_none() => found.push(grasp(world, tool)),
            _ => {}
        }
    }
    found
}
