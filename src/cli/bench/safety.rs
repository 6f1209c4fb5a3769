//! `vesta bench safety`: what the hazard rules cost on top of the simulator, a step and a look ahead at a time.

use std::sync::Arc;

use anyhow::{Result, anyhow};

use crate::base::fold::StateHash;
use crate::cli::Exit;
use crate::cli::bench::sim::{cpu_ns, rebind, replicate};
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::safety::monitor::{Monitor, Moved, StepLog};
use crate::safety::rule::Grade;
use crate::safety::ward::Ward;
use crate::sim::graph::Item;
use crate::sim::scene::Scene;
use crate::sim::vocab::{Ix, Profile};
use crate::sim::world::{Action, World};
use crate::store::book;
use crate::store::library::Library;

/// Flags of `vesta bench safety`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// The scene whose steps and looks ahead are measured
    #[arg(long, default_value = "house")]
    scene: String,
    /// The scene whose growth is measured
    #[arg(long, default_value = "flat")]
    small: String,
    /// Steps of the walk
    #[arg(long, default_value_t = 200)]
    steps: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How often a round is repeated; the fastest counts, because neighbours can only make one slower.
const ROUNDS: usize = 30;
/// At how many places of the walk all actions are looked at.
const PLACES: usize = 10;

/// Measures.
///
/// # Errors
/// A scene cannot be read or has nothing to do in it.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let library = args.source.library();
    let scene = scene(&library, &args.scene)?;
    let mut lane = Lane::new(&scene, args.steps, None)?;
    let (step, floor) = lane.steps();
    let (undo, allocations) = lane.undo();
    let ahead = lane.ahead();
    let small = self::scene(&library, &args.small)?;
    let mut sizes = Vec::new();
    for copies in [1, 16] {
        let large = Arc::new(replicate(&small, copies)?);
        sizes.push(Lane::new(&large, args.steps, Some(&small))?);
    }
    let (mut one, mut many) = (f64::INFINITY, f64::INFINITY);
    // In turns, so that a busy neighbour slows both alike.
    for _ in 0..3 {
        one = one.min(sizes[0].steps().0);
        many = many.min(sizes[1].steps().0);
    }
    let growth = many / one;
    let us = |ns: f64| ns / 1e3;
    if args.json {
        out.json(&serde_json::json!({
            "nodes": scene.len(), "rules": lane.rules, "step_us": us(step), "step_without_rules_us": us(floor),
            "undo_us": us(undo), "allocations_per_step": allocations,
            "preview_all_ms": ahead.mean / 1e6, "preview_worst_ms": ahead.worst / 1e6,
            "preview_without_rules_ms": ahead.floor / 1e6, "previews": ahead.actions, "growth_16x": growth,
        }))?;
        return Ok(Exit::Fine);
    }
    out.line(&format!(
        "{} nodes, {} rules, a walk of {} steps",
        scene.len(),
        lane.rules,
        lane.acts.len()
    ))?;
    out.line(&format!(
        "step {:.2} us with diff and all rules ({:.2} us without rules), undo {:.2} us, {allocations:.3} allocations a step",
        us(step),
        us(floor),
        us(undo)
    ))?;
    out.line(&format!(
        "looking at every possible action: {:.2} ms for {} of them ({:.2} ms without rules), at the worst place {:.2} ms",
        ahead.mean / 1e6,
        ahead.actions,
        ahead.floor / 1e6,
        ahead.worst / 1e6
    ))?;
    out.line(&format!("growth x16 {growth:.2}"))?;
    Ok(Exit::Fine)
}

fn scene(library: &Library, name: &str) -> Result<Arc<Scene>> {
    let loaded = library.load(name).map_err(|all| {
        let first = all.first().map(ToString::to_string);
        anyhow!(first.unwrap_or_else(|| format!("{name} cannot be read")))
    })?;
    Ok(loaded.scene)
}

/// A walk through a scene, with the rules on guard.
struct Lane {
    world: World,
    monitor: Monitor,
    rules: usize,
    acts: Vec<Action>,
    logs: Vec<(StepLog, Vec<Item>, StateHash)>,
}

/// Looking ahead, in nanoseconds for all actions of a place together.
struct Ahead {
    mean: f64,
    worst: f64,
    floor: f64,
    actions: usize,
}

impl Lane {
    /// A seeded walk over all kinds of actions; of a copied scene in its first copy, as in the one it was copied from.
    fn new(scene: &Arc<Scene>, steps: usize, first: Option<&Scene>) -> Result<Self> {
        let mut world = World::new(scene, Profile::Strict)?;
        let ward = Ward::new(&book::book(), &world, Grade::Pedantic);
        let monitor = ward.monitor(&world, &[]);
        let mut acts = Vec::new();
        let mut small = match first {
            Some(first) => Some(World::new(&Arc::new(first.clone()), Profile::Strict)?),
            None => None,
        };
        let mut seed = 12_345_u64;
        for _ in 0..steps {
            let all = possible(small.as_ref().unwrap_or(&world));
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
            let bound = match &mut small {
                Some(small) => {
                    let bound = rebind(small.scene(), scene, action);
                    let _ = small.apply(action);
                    bound
                }
                None => Some(action),
            };
            if let Some(bound) = bound
                && world.apply(bound).is_ok()
            {
                acts.push(bound);
            }
        }
        let world = World::new(scene, Profile::Strict)?;
        let empty = || (StepLog::default(), Vec::new(), StateHash::default());
        Ok(Self {
            rules: ward.program().rules().len() - ward.program().idle_rules().len(),
            logs: acts.iter().map(|_| empty()).collect(),
            world,
            monitor,
            acts,
        })
    }

    fn forward(&mut self, watch: bool) {
        for (action, (log, items, hash)) in self.acts.iter().zip(&mut self.logs) {
            *hash = self.world.hash();
            // It was done from this very state when the walk was made.
            let _ = self.world.apply(*action);
            items.clear();
            items.extend_from_slice(self.world.graph().last_items());
            if watch {
                self.monitor
                    .step(&self.world, &Moved::plain(*action, items), log);
            }
        }
    }

    fn back(&mut self, watch: bool) {
        for (log, items, hash) in self.logs.iter().rev() {
            if watch {
                self.monitor.undo(log);
            }
            self.world.take_back(items, *hash);
        }
    }

    /// Nanoseconds a step with rules, and without.
    fn steps(&mut self) -> (f64, f64) {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..ROUNDS {
            for (best, watch) in best.iter_mut().zip([true, false]) {
                let start = cpu_ns();
                self.forward(watch);
                *best = best.min((cpu_ns() - start) / self.acts.len() as f64);
                self.back(watch);
            }
        }
        (best[0], best[1])
    }

    /// Nanoseconds to take a step back, and allocations a step there and back.
    fn undo(&mut self) -> (f64, f64) {
        let mut best = f64::INFINITY;
        for _ in 0..ROUNDS {
            self.forward(true);
            let start = cpu_ns();
            self.back(true);
            best = best.min((cpu_ns() - start) / self.acts.len() as f64);
        }
        let mut count = |watch| {
            let all = allocation_counter::measure(|| {
                self.forward(watch);
                self.back(watch);
            });
            all.count_total as f64 / self.acts.len() as f64
        };
        let of_rules = count(true) - count(false);
        (best, of_rules)
    }

    /// All possible actions at some places of the walk, each done, judged and taken back.
    fn ahead(&mut self) -> Ahead {
        let mut all = Ahead {
            mean: 0.0,
            worst: 0.0,
            floor: 0.0,
            actions: 0,
        };
        let every = (self.acts.len() / PLACES).max(1);
        let mut log = StepLog::default();
        let mut items = Vec::new();
        let mut places = 0;
        for i in 0..self.acts.len() {
            if i % every == 0 {
                places += 1;
                let actions = possible(&self.world);
                let [with, without] = [true, false].map(|watch| {
                    let mut best = f64::INFINITY;
                    for _ in 0..5 {
                        let start = cpu_ns();
                        for &action in &actions {
                            self.look(action, (&mut items, &mut log), watch);
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
            items.clear();
            items.extend_from_slice(self.world.graph().last_items());
            self.monitor
                .step(&self.world, &Moved::plain(action, &items), &mut log);
        }
        let places: u32 = places.max(1);
        all.mean /= f64::from(places);
        all.floor /= f64::from(places);
        all.actions /= places as usize;
        all
    }

    fn look(&mut self, action: Action, (items, log): (&mut Vec<Item>, &mut StepLog), watch: bool) {
        let hash = self.world.hash();
        if self.world.apply(action).is_err() {
            return;
        }
        items.clear();
        items.extend_from_slice(self.world.graph().last_items());
        if watch {
            self.monitor
                .step(&self.world, &Moved::plain(action, items), log);
            self.monitor.undo(log);
        }
        self.world.take_back(items, hash);
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
