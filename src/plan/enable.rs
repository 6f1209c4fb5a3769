//! The way to a goal: the first action now allowed on the shortest chain of cures towards it.

use crate::plan::fact::{Body, Fact};
use crate::plan::goal::Ask;
use crate::sim::explain;
use crate::sim::reading::Literal;
use crate::sim::world::{Action, World};

/// How many cures a chain may have before it is given up.
const LONGEST: usize = 12;

/// The next allowed action towards making a goal true; `None` when it holds already or no chain is known.
pub fn next_towards(world: &World, ask: &Ask) -> Option<Action> {
    let missing;
    let wanted = match ask {
        Ask::Fact(fact) => std::slice::from_ref(fact),
        Ask::All(facts) => facts.as_slice(),
        Ask::Formula(bound) => {
            missing = bound.missing(world.graph());
            missing.as_slice()
        }
        Ask::Done(deed) => deed.given.as_slice(),
        Ask::Never(_) => &[],
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
        at = explain::cures(world, &refusal)
            .into_iter()
            .find(|c| !seen.contains(c))?;
        seen.push(at);
    }
    None
}

/// Actions whose effect is the fact.
fn aims(world: &World, fact: &Fact) -> Vec<Action> {
    let wanted = !fact.negated;
    let literals: Vec<Literal> = match &fact.body {
        Body::State(nodes, state) => {
            let one = |&n| Literal::State(n, *state, wanted);
            nodes.iter().map(one).collect()
        }
        Body::Edge(from, rel, to) => from
            .iter()
            .flat_map(|&f| to.iter().map(move |&t| Literal::Edge(f, *rel, t, wanted)))
            .collect(),
        Body::Tracked(..) => Vec::new(),
    };
    let mut found: Vec<Action> = Vec::new();
    for aim in literals.into_iter().flat_map(|l| explain::aims(world, l)) {
        if !found.contains(&aim) {
            found.push(aim);
        }
    }
    found
}
