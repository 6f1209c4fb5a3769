//! The live verdict is the batch verdict at every prefix of random runs, with all shipped rules and facts.
//!
//! Runs are played in small pieces cut out of the flat, half of them in each profile, with random tracked facts told at
//! the start. `VESTA_RUNS=10000 cargo test --release --test it live` plays that many.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use vesta::formats::scene::{self, Which};
use vesta::safety::batch::{Batch, Trace};
use vesta::safety::book::{Book, Extra};
use vesta::safety::monitor::StepLog;
use vesta::safety::rule::Grade;
use vesta::safety::verdict::Instance;
use vesta::safety::ward::{Lookout, Ward};
use vesta::sim::scene::Scene;
use vesta::sim::virtualhome::DIALECT;
use vesta::sim::virtualhome::words::rel;
use vesta::sim::vocab::{Ix, NodeId, Profile};
use vesta::sim::world::{Action, World};
use vesta::store::{book, shipped};

/// Splitmix: the same seed gives the same run everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % n.max(1) as u64) as usize
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A piece of the flat: rooms, floors, who acts, and some things, moved to the kitchen or bathroom so that they meet.
fn piece(flat: &Scene, dice: &mut Dice) -> Scene {
    let (name, nodes, edges) = flat.clone().into_parts();
    let fixed = [
        "character",
        "hands_both",
        "floor",
        "sink",
        "faucet",
        "stove",
        "microwave",
    ];
    let mut kept: BTreeSet<NodeId> = nodes
        .iter()
        .filter(|n| n.is_room() || fixed.contains(&&*n.class))
        .map(|n| n.id)
        .collect();
    for _ in 0..22 {
        kept.insert(nodes[dice.below(nodes.len())].id);
    }
    let nodes: Vec<_> = nodes.into_iter().filter(|n| kept.contains(&n.id)).collect();
    let edges = edges
        .into_iter()
        .filter(|e| kept.contains(&e.from) && kept.contains(&e.to))
        .collect();
    Scene::new(&DIALECT, name, nodes, edges).unwrap()
}

/// Tracked facts that a task might tell.
fn told(book: &Book, scene: &Scene, dice: &mut Dice) -> Vec<Extra> {
    let nodes: Vec<Ix> = scene.indices().collect();
    let mut all = Vec::new();
    for _ in 0..dice.below(5) {
        let word = dice.pick(&["HOT", "FULL", "BURNING", "WET", "COOKED", "night"]);
        let (fact, arity) = book.written(word).unwrap();
        let of = if arity == 1 {
            dice.pick(&nodes)
        } else {
            Ix::NONE
        };
        let extra = Extra {
            fact,
            of: [of, Ix::NONE],
            on: true,
        };
        if !all.contains(&extra) {
            all.push(extra);
        }
    }
    all
}

/// An action that is done, or refused: more often than not one about what is near.
fn action(world: &World, dice: &mut Dice, done: bool) -> Option<Action> {
    let all: Vec<Ix> = world.scene().indices().collect();
    let near: Vec<Ix> = world.graph().targets(world.me(), rel::CLOSE).collect();
    let verbs = [
        "WALK",
        "WALK",
        "WALK",
        "FIND",
        "GRAB",
        "GRAB",
        "PUTBACK",
        "PUTIN",
        "OPEN",
        "CLOSE",
        "SWITCHON",
        "SWITCHON",
        "SWITCHOFF",
        "PLUGIN",
        "PLUGOUT",
        "POUR",
        "WASH",
        "WIPE",
        "CUT",
        "EAT",
        "TOUCH",
        "DROP",
        "RUN",
        "SIT",
        "STANDUP",
        "LIE",
        "RINSE",
    ];
    for _ in 0..400 {
        let (verb, def) = DIALECT.action(dice.pick(&verbs)).unwrap();
        let mut target = || {
            if near.is_empty() || dice.below(4) == 0 {
                dice.pick(&all)
            } else {
                dice.pick(&near)
            }
        };
        let a = if def.arity > 0 { target() } else { Ix::NONE };
        let b = if def.arity > 1 { target() } else { Ix::NONE };
        let action = Action { verb, a, b };
        if world.check(action).is_ok() == done {
            return Some(action);
        }
    }
    None
}

fn agree(trace: &Trace<'_>, live: &Lookout, book: &Book, seed: u64) -> BTreeSet<Instance> {
    let t = trace.last();
    let batch = trace.broken(t);
    let now: BTreeSet<Instance> = live.monitor().broken().map(|(i, _)| i).collect();
    let named = |set: BTreeSet<Instance>| -> Vec<(String, Instance)> {
        let id = |i: &Instance| book.rules[usize::from(i.rule.0)].id.clone();
        set.into_iter().map(|i| (id(&i), i)).collect()
    };
    assert_eq!(named(now), named(batch.clone()), "seed {seed} position {t}");
    batch
}

fn run(seed: u64, book: &Arc<Book>, flat: &Scene) -> usize {
    let mut dice = Dice(seed);
    let scene = Arc::new(piece(flat, &mut dice));
    let profile = if seed.is_multiple_of(2) {
        Profile::Strict
    } else {
        Profile::Eai
    };
    let mut world = World::new(&scene, profile).unwrap();
    let start = told(book, &scene, &mut dice);
    let ward = Ward::new(book, &world, Grade::Pedantic);
    assert_eq!(ward.notes, []);
    let batch = Batch::new(book, &scene, |_| true);
    let mut trace = batch.begin(&world, &start);
    let mut live = Lookout::new(Arc::new(ward), &world, &start, &[], Vec::new());
    let mut last: Option<(Vec<_>, StepLog)> = None;
    let mut breaches = 0;
    for _ in 0..10 {
        let broken = agree(&trace, &live, book, seed);
        // What would be said of an attempt, and if the run ended here.
        if let Some(refused) = action(&world, &mut dice, false) {
            let new = |all: &mut dyn Iterator<Item = Instance>| -> BTreeSet<Instance> {
                all.filter(|i| !broken.contains(i)).collect()
            };
            let slow = new(&mut trace.attempt(refused).into_iter());
            let quick = new(&mut live.attempt(&world, refused).to_vec().into_iter());
            assert_eq!(
                quick,
                slow,
                "seed {seed} position {} {refused:?}",
                trace.last()
            );
        }
        let mut over = trace.clone();
        over.finish();
        let slow: BTreeSet<Instance> = over
            .broken(over.last())
            .difference(&broken)
            .copied()
            .collect();
        let items = last.as_ref().map(|(items, log)| (&items[..], log));
        let quick: BTreeSet<Instance> = live.monitor().at_end(&world, items).into_iter().collect();
        assert_eq!(quick, slow, "seed {seed}: the end at {}", trace.last());
        let Some(next) = action(&world, &mut dice, true) else {
            break;
        };
        world.apply(next).unwrap();
        let items = world.graph().last_items().to_vec();
        let mut log = StepLog::default();
        live.step(&world, next, &items, &mut log);
        trace.push(next, &world, &[]);
        breaches += log.turns().iter().filter(|t| t.broken).count();
        last = Some((items, log));
    }
    agree(&trace, &live, book, seed);
    breaches
}

#[test]
fn the_live_verdict_is_the_batch_verdict() {
    let runs: u64 = std::env::var_os("VESTA_RUNS")
        .and_then(|n| n.to_str()?.parse().ok())
        .unwrap_or(40);
    let read = book::read(Path::new("no such folder"), None, &[]);
    let file = shipped::find("assets/scenes/flat.json").unwrap();
    let (flat, _) = scene::read(&DIALECT, file.path, file.bytes, Which::Initial).unwrap();
    let breaches: usize = (0..runs)
        .map(|seed| run(seed, &read.book, &flat.scene))
        .sum();
    // Runs that never break anything would compare nothing.
    assert!(breaches as u64 > runs / 4, "{breaches}");
}
