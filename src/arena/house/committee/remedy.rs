//! Contingencies: what a plan should look at before a step, and the safe way on from there.

use crate::arena::house::fair::Fair;
use crate::arena::house::ground::{Bound, Ground};
use crate::arena::house::model::Response;
use crate::plan::branching::{Branching, Guard, Knowledge, Program, Step, insert, knows, print};
use crate::plan::fact::Fact;

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
/// did can be seen and from which a safe way on is found. Where none is found the plan stops at the latest look, which may
/// still be safe.
///
/// `None` where the agent never sees what RED did before the loss.
pub fn contingency(
    ground: &mut Ground,
    fair: &mut Fair,
    plan: &Branching,
    (response, loss): (&Response, u32),
) -> Option<Remedy> {
    let bound = ground.bind(response).ok()?;
    let program = Program::new(plan);
    let strike = response.disturbances.iter().map(|d| d.at.steps()).min()?;
    let mut halt = None;
    let mut searched = 0;
    for steps in (strike..loss).rev() {
        let guards = guards(ground, response, steps)?;
        let seen = ground.at(&program, &bound, steps, |at| {
            let shadow = at.lookout.monitor();
            let mut all = guards.iter().map(|g| knows(at.world, shadow, &g.fact));
            at.broken.is_empty() && all.all(|k| k == Knowledge::Holds)
        });
        if seen != Some(true) {
            continue;
        }
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

/// What RED has done up to a position, as facts to look at.
fn guards(ground: &Ground, response: &Response, steps: u32) -> Option<Vec<Guard>> {
    let setup = ground.setup();
    let done = response
        .disturbances
        .iter()
        .filter(|d| d.at.steps() <= steps);
    let facts = done.flat_map(|d| &d.facts);
    let read = facts.map(|text| {
        let fact = Fact::read(&setup.scene, &setup.book, text).ok()?;
        Some(Guard {
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
            fact,
        })
    });
    let all: Vec<Guard> = read.collect::<Option<_>>()?;
    (!all.is_empty()).then_some(all)
}
