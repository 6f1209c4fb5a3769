//! The way the agent took: where it stopped, by step.

use std::collections::BTreeMap;

use crate::sim::timeline::{Pos, Timeline};
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

use super::plan::{Plan, Spot};

/// A place the agent went to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// The step that led there.
    pub pos: Pos,
    /// What it went to.
    pub to: Ix,
    /// Where that was then.
    pub spot: Spot,
}

/// Stops found so far, by position: a thing may be elsewhere by now, so each is kept as it was.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    known: BTreeMap<Pos, Option<Stop>>,
}

/// Actions that bring the agent to what they name.
const MOVES: [&str; 5] = ["WALK", "RUN", "FIND", "SIT", "LIE"];

impl Stops {
    /// The stops on the way to the present position, first to last.
    pub fn on_way(&mut self, plan: &Plan, timeline: &Timeline) -> Vec<Stop> {
        let way = timeline.path(timeline.here());
        let unknown = |pos: &Pos| *pos != Pos::START && !self.known.contains_key(pos);
        let missing: Vec<Pos> = way.iter().copied().filter(unknown).collect();
        if missing == [timeline.here()] {
            self.look(plan, timeline, &way, timeline.here());
        } else if !missing.is_empty() {
            let mut walked = timeline.clone();
            for pos in missing {
                walked.goto(pos);
                self.look(plan, &walked, &way, pos);
            }
        }
        way.iter()
            .filter_map(|pos| self.known.get(pos).copied().flatten())
            .collect()
    }

    /// Looks at the step a timeline stands at; the steps before it on the way are known.
    fn look(&mut self, plan: &Plan, timeline: &Timeline, way: &[Pos], pos: Pos) {
        let world = timeline.world();
        let before = way
            .iter()
            .rev()
            .filter(|&&p| p < pos)
            .find_map(|p| self.known.get(p).copied().flatten());
        let me = before.map_or_else(|| plan.home(world.me()), |stop| stop.spot);
        let to = timeline.action(pos).and_then(|did| target(world, did));
        let stop = to.map(|to| Stop {
            pos,
            to,
            spot: plan.spot(world, to, me),
        });
        self.known.insert(pos, stop);
    }
}

fn target(world: &World, did: Action) -> Option<Ix> {
    (MOVES.contains(&world.def(did).name) && did.a.is_some()).then_some(did.a)
}
