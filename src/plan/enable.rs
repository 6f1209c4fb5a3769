//! The way to a goal: the first action now allowed on the shortest chain of cures towards it.

use crate::plan::fact::{Body, Fact};
use crate::plan::goal::Ask;
use crate::sim::explain::{achieve, cures};
use crate::sim::virtualhome::words::rel;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

/// How many cures a chain may have before it is given up.
const LONGEST: usize = 12;

/// The next allowed action towards making a goal true; `None` when it holds already or no chain is known.
pub fn next_towards(world: &World, ask: &Ask) -> Option<Action> {
    let wanted = match ask {
        Ask::Fact(fact) => std::slice::from_ref(fact),
        Ask::All(facts) => facts.as_slice(),
        Ask::Done(_) | Ask::Never(_) => &[],
    };
    wanted
        .iter()
        .filter(|fact| !fact.holds(world.graph(), &()))
        .flat_map(|fact| aims(world, fact))
        .find_map(|aim| reachable(world, aim))
}

/// Follows refusals to their cures until something is allowed.
fn reachable(world: &World, aim: Action) -> Option<Action> {
    let mut at = aim;
    let mut seen = vec![aim];
    for _ in 0..LONGEST {
        let Err(refusal) = world.check(at) else {
            return Some(at);
        };
        at = cures(world, &refusal)
            .into_iter()
            .find(|c| !seen.contains(c))?;
        seen.push(at);
    }
    None
}

/// Actions whose effect is the fact.
fn aims(world: &World, fact: &Fact) -> Vec<Action> {
    let dialect = world.dialect();
    let act =
        |verb: &str, a: Ix, b: Ix| dialect.action(verb).map(|(verb, _)| Action { verb, a, b });
    let found: Vec<Option<Action>> = match (&fact.body, fact.negated) {
        (Body::State(nodes, state), false) => {
            nodes.iter().map(|&n| achieve(world, n, *state)).collect()
        }
        (Body::State(nodes, state), true) => {
            let opposite = dialect.opposite(*state);
            nodes
                .iter()
                .map(|&n| opposite.and_then(|s| achieve(world, n, s)))
                .collect()
        }
        (Body::Edge(from, rel, to), false) => from
            .iter()
            .flat_map(|&f| to.iter().map(move |&t| (f, t)))
            .map(|(f, t)| match *rel {
                rel::INSIDE => act("PUTIN", f, t),
                rel::CLOSE if f == world.me() => act("WALK", t, Ix::NONE),
                rel::CLOSE if t == world.me() => act("WALK", f, Ix::NONE),
                rel::ON | rel::CLOSE => act("PUTBACK", f, t),
                rel::FACING if f == world.me() => act("TURNTO", t, Ix::NONE),
                rel::HOLDS_RH | rel::HOLDS_LH => act("GRAB", t, Ix::NONE),
                _ => None,
            })
            .collect(),
        (Body::Tracked(..), _) => Vec::new(),
        (Body::Edge(from, ..), true) => from.iter().map(|&f| act("GRAB", f, Ix::NONE)).collect(),
    };
    found.into_iter().flatten().collect()
}
