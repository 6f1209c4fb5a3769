//! Contingencies: what a plan should look at before a step, and the safe way on from there.

use crate::arena::house::fair::Fair;
use crate::arena::house::ground::{Bound, Ground};
use crate::arena::house::model::Response;
use crate::plan::branching::{Branching, Guard, Knowledge, Program, Step, insert, knows, print};
use crate::plan::fact::{Body, Fact};
use crate::sim::vocab::Ix;
use crate::sim::world::World;

/// How many positions before a loss are searched from.
const SEARCHES: usize = 3;

/// A branch to put into a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// Before which step it goes, by executed steps from 1.
    pub before: u32,
    /// What is looked at there.
    pub guards: Vec<Guard>,
    /// What is done when that is seen.
    pub then: Vec<Step>,
}

impl Remedy {
    /// The branch itself.
    fn step(&self) -> Step {
        Step::If {
            all: self.guards.clone(),
            then: self.then.clone(),
            otherwise: Vec::new(),
        }
    }

    /// The branch as text, a line a step.
    pub fn lines(&self, ground: &Ground) -> Vec<String> {
        let plan = Branching {
            steps: vec![self.step()],
        };
        let text = print(&ground.setup().scene, &plan);
        text.lines().map(str::to_owned).collect()
    }

    /// The plan with the branch where its walk under a response has come.
    pub fn put_into(&self, ground: &mut Ground, plan: &Branching, bound: &Bound) -> Branching {
        let taken = ground.played(&Program::new(plan), bound);
        let place = taken
            .places
            .iter()
            .find(|(steps, _)| steps + 1 == self.before);
        insert(plan, place.map(|(_, order)| *order), vec![self.step()])
    }
}

/// A contingency against a response that makes a plan lose at a step: the latest look before that step at which what RED
/// did can be seen and from which a safe way on is found. What RED did is seen as such, or by what it took away: a bowl
/// that is not where it was. Where no way on is found the plan stops at the latest look, which may still be safe.
///
/// `None` where the agent sees nothing of it before the loss.
pub fn contingency(
    ground: &mut Ground,
    fair: &mut Fair,
    plan: &Branching,
    (response, loss): (&Response, u32),
) -> Option<Remedy> {
    let bound = ground.bind(response).ok()?;
    let program = Program::new(plan);
    let strike = response.disturbances.iter().map(|d| d.at.steps()).min()?;
    let missing = missing(ground, &program, response);
    let mut halt = None;
    let mut searched = 0;
    for steps in (strike..loss).rev() {
        let signs = [done(response, steps), missing.clone()];
        let signs: Vec<Vec<Guard>> = signs.iter().filter_map(|f| guards(ground, f)).collect();
        let seen = ground.at(&program, &bound, steps, |at| {
            let shadow = at.lookout.monitor();
            let holds = |g: &Guard| knows(at.world, shadow, &g.fact) == Knowledge::Holds;
            let mut signs = signs.into_iter().filter(|all| all.iter().all(holds));
            signs.next().filter(|_| at.broken.is_empty())
        });
        let Some(guards) = seen.flatten() else {
            continue;
        };
        let remedy = |then| Remedy {
            before: steps + 1,
            guards: guards.clone(),
            then,
        };
        if halt.is_none() {
            halt = Some(remedy(vec![Step::Stop]));
        }
        if searched == SEARCHES {
            break;
        }
        searched += 1;
        if let Some(on) = fair.complete(ground, (&program, &bound), steps) {
            let mut then: Vec<Step> = on.into_iter().map(Step::Act).collect();
            then.push(Step::Stop);
            return Some(remedy(then));
        }
    }
    halt
}

/// What RED has done up to a position.
fn done(response: &Response, steps: u32) -> Vec<String> {
    let done = response
        .disturbances
        .iter()
        .filter(|d| d.at.steps() <= steps);
    done.flat_map(|d| d.facts.clone()).collect()
}

/// What held of the things RED moves, just before it did, and does not hold afterwards.
fn missing(ground: &mut Ground, program: &Program, response: &Response) -> Vec<String> {
    let setup = ground.setup().clone();
    let nothing = ground.undisturbed();
    let mut all = Vec::new();
    for it in &response.disturbances {
        let moved = it.facts.iter().filter_map(|text| {
            let fact = Fact::read(&setup.scene, &setup.book, text).ok()?;
            let rules = setup.scene.dialect().rules;
            match &fact.body {
                Body::Edge(from, rel, _) if !fact.negated => {
                    let places = [rules.on, rules.inside].contains(rel);
                    from.first().copied().filter(|_| places)
                }
                _ => None,
            }
        });
        let moved: Vec<_> = moved.collect();
        let was = ground.at(program, &nothing, it.at.steps(), |at| {
            moved
                .iter()
                .flat_map(|&n| whereabouts(at.world, n))
                .collect()
        });
        let was: Vec<String> = was.unwrap_or_default();
        all.extend(
            was.iter()
                .filter(|t| !it.facts.contains(t))
                .map(|t| format!("!{t}")),
        );
    }
    all
}

/// Where a thing is, as facts: in whose hand, on or in what, rooms left out.
fn whereabouts(world: &World, node: Ix) -> Vec<String> {
    let (graph, dialect) = (world.graph(), world.dialect());
    let name = |n: Ix| world.scene().node(n).name();
    let mut all = Vec::new();
    for &hand in dialect.rules.hands {
        if graph.has(world.me(), hand, node) {
            all.push(format!(
                "{} {} {}",
                name(world.me()),
                dialect.rel_name(hand),
                name(node)
            ));
        }
    }
    for rel in [dialect.rules.on, dialect.rules.inside] {
        let mut places: Vec<Ix> = graph
            .targets(node, rel)
            .filter(|&t| !graph.hot(t).room)
            .collect();
        places.sort_unstable();
        let text =
            |place: &Ix| format!("{} {} {}", name(node), dialect.rel_name(rel), name(*place));
        all.extend(places.iter().map(text));
    }
    all
}

/// Facts to look at; `None` for none, and where one cannot be read.
fn guards(ground: &Ground, facts: &[String]) -> Option<Vec<Guard>> {
    let setup = ground.setup();
    let read = facts.iter().map(|text| {
        let fact = Fact::read(&setup.scene, &setup.book, text).ok()?;
        Some(Guard {
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
            fact,
        })
    });
    let all: Vec<Guard> = read.collect::<Option<_>>()?;
    (!all.is_empty()).then_some(all)
}
