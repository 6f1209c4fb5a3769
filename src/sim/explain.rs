//! A refusal in people's words, and the actions that would satisfy its failed precondition.

use crate::sim::reading::{Literal, held, room};
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::{Ix, State};
use crate::sim::world::{Action, World};

/// Why an action is refused and what to do, one sentence without a full stop; the agent is "you".
///
/// Names come from `name`, so that a screen can shorten them.
pub fn sentence(world: &World, refusal: &Refusal, name: &dyn Fn(Ix) -> String) -> String {
    let graph = world.graph();
    let dialect = world.dialect();
    let take = dialect.speech.take;
    match refusal.pre {
        Pre::Close(n) => format!("you are not close to {}: walk there", name(n)),
        Pre::Holding(n) => format!("you do not hold {}: {take} it first", name(n)),
        Pre::HoldingAny if held(graph, world.me()).next().is_some() => {
            format!("you hold nothing else: {take} something first")
        }
        Pre::HoldingAny => format!("your hands are empty: {take} something first"),
        Pre::HoldingKnife => format!("you hold no knife: {take} one first"),
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
            undo_words(world, state)
        ),
        Pre::Worn(n) => format!("you do not wear {}: put it on first", name(n)),
        Pre::SameRoom(n) => match room(graph, n) {
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
        Pre::Tool(what) => format!("you hold no {what}: {take} one first"),
        Pre::Within(n, place) => format!("{} is not in {place}: put it there first", name(n)),
        Pre::Size(n) => format!("{} has the wrong size for that", name(n)),
        Pre::Whole(n) => format!("{} is cut up: use its parts", name(n)),
        Pre::Warm(n) => format!("{} is kept cold: take it out first", name(n)),
        Pre::Laden => "nothing is on or in what you hold".to_owned(),
        Pre::Fit(_) | Pre::Exists | Pre::Implemented | Pre::Readable => plain(refusal, name),
    }
}

fn posture(world: &World) -> &'static str {
    (world.dialect().reading.posture)(world)
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
        (_, Some(is)) => format!(
            "{name} is {}: {}",
            dialect.state_name(is),
            undo_words(world, is)
        ),
        (_, None) => format!("{name} is not {word}"),
    }
}

/// What ends a state.
fn undo_words(world: &World, state: State) -> &'static str {
    let known = world.dialect().reading.undo.iter();
    known
        .into_iter()
        .find(|(s, _)| *s == state)
        .map_or("change that first", |(_, words)| words)
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
    (world.dialect().reading.cures)(world, refusal)
}

/// Actions whose effect is a fact or its absence.
pub fn aims(world: &World, wanted: Literal) -> Vec<Action> {
    (world.dialect().reading.aims)(world, wanted)
}
