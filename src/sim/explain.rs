//! A refusal in people's words, and the actions that would satisfy its failed precondition.

use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::virtualhome::actions::cut::is_blade;
use crate::sim::virtualhome::facts::{held, room_or_none};
use crate::sim::virtualhome::words::{prop, state};
use crate::sim::vocab::{Ix, Profile, State};
use crate::sim::world::{Action, World};

/// Why an action is refused and what to do, one sentence without a full stop; the agent is "you".
///
/// Names come from `name`, so that a screen can shorten them.
pub fn sentence(world: &World, refusal: &Refusal, name: &dyn Fn(Ix) -> String) -> String {
    let graph = world.graph();
    let dialect = world.dialect();
    match refusal.pre {
        Pre::Close(n) => format!("you are not close to {}: walk there", name(n)),
        Pre::Holding(n) => format!("you do not hold {}: grab it first", name(n)),
        Pre::HoldingAny if held(graph, world.me()).next().is_some() => {
            "you hold nothing else: grab something first".to_owned()
        }
        Pre::HoldingAny => "your hands are empty: grab something first".to_owned(),
        Pre::HoldingKnife => "you hold no knife: grab one first".to_owned(),
        Pre::FreeHand => {
            let full: Vec<String> = held(graph, world.me()).map(name).collect();
            format!("your hands are full ({}): put one down", full.join(", "))
        }
        Pre::Facing(n) => format!("you do not face {}: turn to it", name(n)),
        Pre::NotShutIn(n, container) => {
            format!(
                "{} is inside the closed {}: open it first",
                name(n),
                name(container)
            )
        }
        Pre::Standing => format!("you are {}: stand up first", posture(world)),
        Pre::Resting => "you neither sit nor lie: sit or lie down first".to_owned(),
        Pre::NotYet(_) => format!("you are already {}", posture(world)),
        Pre::Room(n) => format!("no place is free on {}", name(n)),
        Pre::State(n, wanted) => wants_state(world, refusal, n, wanted, &name(n)),
        Pre::NotState(n, trace) if dialect.traces().contains(&dialect.state_name(trace)) => {
            format!("{} is already {}", name(n), dialect.state_name(trace))
        }
        Pre::NotState(n, state) => format!(
            "{} is still {}: {}",
            name(n),
            dialect.state_name(state),
            undo_words(state)
        ),
        Pre::Worn(n) => format!("you do not wear {}: put it on first", name(n)),
        Pre::SameRoom(n) => match room_or_none(graph, n) {
            Some(room) => format!("{} is in {}: walk there", name(n), name(room)),
            None => format!("{} is in another room: walk there", name(n)),
        },
        Pre::NotTaken(n) => format!("{} counts as already grabbed, as published", name(n)),
        Pre::Taken(n) => format!(
            "{} was not grabbed before, so it has no place to go back to",
            name(n)
        ),
        Pre::HasRoom(n) => format!("{} is in no room", name(n)),
        Pre::NotWithYou(n) => with_you(refusal.kind, &name(n)),
        Pre::NotOnIt(n) => format!("you are on {}: stand up first", name(n)),
        Pre::Filled(n) => format!("nothing that flows is in {}: fill it first", name(n)),
        Pre::PathOpen(n, door) => format!(
            "the closed {} is in the way to {}: open it first",
            name(door),
            name(n)
        ),
        Pre::Tool(what) => format!("you hold no {what}: grab one first"),
        Pre::Within(n, place) => format!("{} is not in {place}: put it there first", name(n)),
        Pre::Size(n) => format!("{} has the wrong size for that", name(n)),
        Pre::Whole(n) => format!("{} is cut up: use its parts", name(n)),
        Pre::Laden => "nothing is on or in what you hold".to_owned(),
        Pre::Fit(_) | Pre::Exists | Pre::Implemented | Pre::Readable => plain(refusal, name),
    }
}

fn posture(world: &World) -> &'static str {
    if world.graph().states(world.me()).has(state::LYING) {
        "lying"
    } else {
        "sitting"
    }
}

fn with_you(kind: Kind, name: &str) -> String {
    match kind {
        Kind::AlreadySo => format!("you have {name} with you already"),
        _ => format!("you hold {name}: put it down first"),
    }
}

fn wants_state(world: &World, refusal: &Refusal, n: Ix, wanted: State, name: &str) -> String {
    let dialect = world.dialect();
    let opposite = dialect
        .opposite(wanted)
        .filter(|&o| world.graph().states(n).has(o));
    let word = dialect.state_name(wanted);
    match (refusal.kind, opposite) {
        (Kind::AlreadySo, Some(is)) => format!("{name} is already {}", dialect.state_name(is)),
        (_, Some(is)) => format!("{name} is {}: {}", dialect.state_name(is), undo_words(is)),
        (_, None) => format!("{name} is not {word}"),
    }
}

/// What ends a state.
fn undo_words(state: State) -> &'static str {
    match state {
        state::CLOSED => "open it first",
        state::OPEN => "close it first",
        state::ON => "switch it off first",
        state::OFF => "switch it on first",
        state::PLUGGED_IN => "pull its plug first",
        state::PLUGGED_OUT => "plug it in first",
        _ => "change that first",
    }
}

/// The published template with short names.
fn plain(refusal: &Refusal, name: &dyn Fn(Ix) -> String) -> String {
    match refusal.kind {
        Kind::Crash => format!("{}, as published", refusal.template),
        Kind::Hang => "never returns, as published".to_owned(),
        _ => refusal.text(name),
    }
}

/// Actions that would satisfy the failed precondition, the most direct first. They need not be allowed now.
pub fn cures(world: &World, refusal: &Refusal) -> Vec<Action> {
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
pub fn achieve(world: &World, n: Ix, wanted: State) -> Option<Action> {
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
