//! A walk through a scene with everything that follows a step, done again and again.

use std::hint::black_box;
use std::sync::Arc;

use anyhow::{Result, anyhow};

use crate::base::fold::StateHash;
use crate::cli::bench::sim::{cpu_ns, rebind};
use crate::plan::fact::Body;
use crate::plan::goal::{Ask, Goal, GoalSet};
use crate::plan::ledger::Ledger;
use crate::safety::monitor::StepLog;
use crate::safety::rule::Grade;
use crate::safety::verdict::Instance;
use crate::safety::ward::{Lookout, Ward};
use crate::sim::graph::Item;
use crate::sim::scene::Scene;
use crate::sim::timeline::Timeline;
use crate::sim::vocab::{Ix, Profile};
use crate::sim::world::{Action, World};
use crate::store::book;

/// How often a round is repeated; the fastest counts, because neighbours can only make one slower.
const ROUNDS: usize = 30;
/// At how many places of the walk all actions are looked at.
const PLACES: usize = 10;

/// A walk through a scene, with the rules on guard and goals to be met.
pub(super) struct Lane {
    world: World,
    lookout: Lookout,
    goals: GoalSet,
    /// How many rules have something to say in the scene.
    pub(super) rules: usize,
    acts: Vec<Action>,
    logs: Vec<(StepLog, Vec<Item>, StateHash)>,
}

/// Nanoseconds a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    /// With diff, ledger and rules.
    pub(super) step: f64,
    /// The world's change alone.
    pub(super) floor: f64,
    /// World and rules taken back.
    pub(super) undo: f64,
    /// Allocations of the rules, there and back.
    pub(super) allocations: f64,
}

/// Looking ahead, in nanoseconds for all actions of a place together.
pub(super) struct Ahead {
    pub(super) mean: f64,
    pub(super) worst: f64,
    pub(super) floor: f64,
    pub(super) actions: usize,
}

impl Lane {
    /// A seeded walk over all kinds of actions in `first`, done in `scene`, which holds at least the same ids.
    pub(super) fn new(
        scene: &Arc<Scene>,
        steps: usize,
        (first, goals): (&Arc<Scene>, &GoalSet),
    ) -> Result<Self> {
        let mut small = World::new(first, Profile::Strict)?;
        let mut world = World::new(scene, Profile::Strict)?;
        let ward = Arc::new(Ward::new(&book::book(), &world, Grade::Pedantic));
        let rules = ward.program().rules().len() - ward.program().idle_rules().len();
        let lookout = Lookout::new(ward, &world, &[], &[], Vec::new());
        let mut acts = Vec::new();
        let mut seed = 12_345_u64;
        for _ in 0..steps {
            let all = possible(&small);
            let mut verbs: Vec<u8> = all.iter().map(|a| a.verb).collect();
            verbs.dedup();
            let verb = verbs.get(roll(&mut seed, verbs.len()));
            let some: Vec<Action> = all
                .iter()
                .filter(|a| Some(&a.verb) == verb)
                .copied()
                .collect();
            let Some(&action) = some.get(roll(&mut seed, some.len())) else {
                return Err(anyhow!("nothing can be done in {}", scene.name()));
            };
            let _ = small.apply(action);
            if let Some(action) = rebind(first, scene, action)
                && world.apply(action).is_ok()
            {
                acts.push(action);
            }
        }
        let empty = || (StepLog::default(), Vec::new(), StateHash::default());
        Ok(Self {
            world: World::new(scene, Profile::Strict)?,
            lookout,
            goals: moved(goals, first, scene),
            rules,
            logs: acts.iter().map(|_| empty()).collect(),
            acts,
        })
    }

    /// The scene walked through.
    pub(super) fn scene(&self) -> &Scene {
        self.world.scene()
    }

    /// How many goals the ledger keeps.
    pub(super) const fn goals(&self) -> usize {
        self.goals.goals.len()
    }

    /// How long the walk is.
    pub(super) const fn steps_done(&self) -> usize {
        self.acts.len()
    }

    fn forward(&mut self, watch: bool) {
        for (action, (log, items, hash)) in self.acts.iter().zip(&mut self.logs) {
            *hash = self.world.hash();
            // It was done from this very state when the walk was made.
            let _ = self.world.apply(*action);
            items.clear();
            items.extend_from_slice(self.world.graph().last_items());
            if watch {
                self.lookout.step(&self.world, *action, items, log);
            }
        }
    }

    fn back(&mut self, watch: bool) {
        for (log, items, hash) in self.logs.iter().rev() {
            if watch {
                self.lookout.undo(log);
            }
            self.world.take_back(items, *hash);
        }
    }

    /// What a step costs, there and back.
    pub(super) fn steps(&mut self) -> Times {
        let steps = self.acts.len() as f64;
        let mut best = Times {
            step: f64::INFINITY,
            floor: f64::INFINITY,
            undo: f64::INFINITY,
            allocations: 0.0,
        };
        for _ in 0..ROUNDS {
            best.step = best.step.min(self.whole() / steps);
            let start = cpu_ns();
            self.forward(false);
            best.floor = best.floor.min((cpu_ns() - start) / steps);
            self.back(false);
            self.forward(true);
            let start = cpu_ns();
            self.back(true);
            best.undo = best.undo.min((cpu_ns() - start) / steps);
        }
        let mut count = |watch| {
            let all = allocation_counter::measure(|| {
                self.forward(watch);
                self.back(watch);
            });
            all.count_total as f64 / steps
        };
        best.allocations = count(true) - count(false);
        best
    }

    /// Nanoseconds for the walk with all that follows each step: log, diff, rules and ledger.
    fn whole(&mut self) -> f64 {
        let mut timeline = Timeline::new(self.world.clone());
        let mut ledger = Ledger::new(self.goals.clone(), &timeline, self.lookout.monitor());
        let start = cpu_ns();
        for (&action, (log, ..)) in self.acts.iter().zip(&mut self.logs) {
            let _ = timeline.step_anew(action);
            black_box(timeline.changes_here());
            let items = timeline.items(timeline.here());
            self.lookout.step(timeline.world(), action, items, log);
            ledger.record(&timeline, self.lookout.monitor());
        }
        let took = cpu_ns() - start;
        for (log, ..) in self.logs.iter().rev() {
            self.lookout.undo(log);
        }
        took
    }

    /// All possible actions at some places of the walk, each done, judged and taken back.
    pub(super) fn ahead(&mut self) -> Ahead {
        let mut all = Ahead {
            mean: 0.0,
            worst: 0.0,
            floor: 0.0,
            actions: 0,
        };
        let every = (self.acts.len() / PLACES).max(1);
        let mut log = StepLog::default();
        let mut places = 0;
        for i in 0..self.acts.len() {
            if i % every == 0 {
                places += 1;
                let actions = possible(&self.world);
                let [with, without] = [true, false].map(|watch| {
                    let mut best = f64::INFINITY;
                    for _ in 0..5 {
                        let start = cpu_ns();
                        let due = self.lookout.due();
                        for &action in &actions {
                            self.look(action, &due, watch);
                        }
                        best = best.min(cpu_ns() - start);
                    }
                    best
                });
                all.mean += with;
                all.worst = all.worst.max(with);
                all.floor += without;
                all.actions += actions.len();
            }
            let action = self.acts[i];
            let _ = self.world.apply(action);
            let items = self.world.graph().last_items();
            self.lookout.step(&self.world, action, items, &mut log);
        }
        let places: u32 = places.max(1);
        all.mean /= f64::from(places);
        all.floor /= f64::from(places);
        all.actions /= places as usize;
        all
    }

    /// Looks at what an action would break at worst.
    fn look(&mut self, action: Action, due: &[Instance], watch: bool) {
        let Self { world, lookout, .. } = self;
        let _ = black_box(world.preview(action, |world, items| {
            let worst = |it: &Lookout, log: &StepLog| it.danger(log, due);
            watch.then(|| lookout.ahead(world, action, items, worst))
        }));
    }
}

/// The goals about the same nodes of another scene; those about nodes it lacks are left out.
fn moved(goals: &GoalSet, from: &Scene, to: &Scene) -> GoalSet {
    let over = |nodes: &[Ix]| -> Option<Vec<Ix>> {
        let id = |n: &Ix| to.find(from.node(*n).id);
        let mut all: Vec<Ix> = nodes.iter().map(id).collect::<Option<_>>()?;
        all.sort_unstable();
        Some(all)
    };
    let one = |goal: &Goal| {
        let mut goal = goal.clone();
        if let Ask::Fact(fact) = &mut goal.ask {
            fact.body = match &fact.body {
                Body::State(nodes, state) => Body::State(over(nodes)?, *state),
                Body::Edge(a, rel, b) => Body::Edge(over(a)?, *rel, over(b)?),
                Body::Tracked(id, a, b) => Body::Tracked(*id, over(a)?, over(b)?),
            };
        }
        Some(goal)
    };
    let all: Vec<Goal> = goals.goals.iter().filter_map(one).collect();
    GoalSet {
        success: all.len(),
        goals: all,
    }
}

/// Everything that can be done now.
fn possible(world: &World) -> Vec<Action> {
    let nodes: Vec<Ix> = world.scene().indices().collect();
    let hands = world.dialect().rules.hands;
    let held: Vec<Ix> = hands
        .iter()
        .flat_map(|h| world.graph().targets(world.me(), *h))
        .collect();
    let mut all = Vec::new();
    for (verb, def) in world.dialect().actions.iter().enumerate() {
        let verb = verb as u8;
        let mut offer = |a, b| {
            let action = Action { verb, a, b };
            if world.check(action).is_ok() {
                all.push(action);
            }
        };
        match def.arity {
            0 => offer(Ix::NONE, Ix::NONE),
            1 => {
                for &a in &nodes {
                    offer(a, Ix::NONE);
                }
            }
            _ => {
                for &a in &held {
                    for &b in &nodes {
                        offer(a, b);
                    }
                }
            }
        }
    }
    all
}

fn roll(seed: &mut u64, n: usize) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % n.max(1)
}
