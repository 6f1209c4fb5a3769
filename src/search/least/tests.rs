//! The bound against the simulator: no state is reached in fewer steps than the bound on everything that holds there.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::{Doing, least};
use crate::plan::fact::{Body, Fact};
use crate::plan::goal::{Ask, Goal, GoalSet};
use crate::safety::book::Book;
use crate::sim::behavior::DIALECT;
use crate::sim::refusal::Kind;
use crate::sim::scene::{Edge, Node, Scene};
use crate::sim::testing::{Dice, nook};
use crate::sim::vocab::{Ix, NodeId, Profile, Rel, State};
use crate::sim::world::{Action, World};

/// A box in a shut cupboard, an apple in the box, a knife and a rag on the counter.
fn pantry() -> Arc<Scene> {
    let node = |id, class: &str, volume: f64, props: &[&str], states: &[&str]| {
        let mut node = Node::new(id, class);
        node.title = Some(class.into());
        node.category = Some(format!("{}.n.01", class.split('_').next().unwrap()).into());
        node.volume = Some(volume);
        for p in props {
            node.props = node.props.with(DIALECT.property(p).unwrap());
        }
        for s in states {
            node.states = node.states.with(DIALECT.state(s).unwrap());
        }
        node
    };
    let apple = ["COOKABLE", "FREEZABLE", "SLICEABLE"];
    let part = ["COOKABLE", "FREEZABLE", "SLICEABLE", "PART"];
    let nodes = vec![
        node(0, "agent", 0.0, &[], &[]),
        node(1, "floor", 400.0, &["FLOOR"], &[]),
        node(2, "counter", 1.8, &["STAINABLE"], &["STAINED"]),
        node(3, "cupboard", 0.7, &["OPENABLE"], &[]),
        node(4, "box", 0.02, &["OPENABLE"], &["OPEN"]),
        node(5, "apple", 0.0004, &apple, &[]),
        node(6, "apple_part_0", 0.0002, &part, &[]),
        node(7, "apple_part_1", 0.0002, &part, &[]),
        node(8, "knife", 0.001, &["SLICER", "CLEANING_TOOL"], &[]),
    ];
    let edge = |from, rel: &str, to| Edge {
        from: NodeId(from),
        rel: DIALECT.relation(rel).unwrap(),
        to: NodeId(to),
    };
    let edges = vec![
        edge(2, "ONFLOOR", 1),
        edge(3, "ONFLOOR", 1),
        edge(4, "INSIDE", 3),
        edge(5, "INSIDE", 4),
        edge(8, "ONTOP", 2),
        edge(6, "PART_OF", 5),
        edge(7, "PART_OF", 5),
    ];
    Arc::new(Scene::new(&DIALECT, "pantry", nodes, edges).unwrap())
}

fn actions(scene: &Scene) -> Vec<Action> {
    let all: Vec<Ix> = scene.indices().collect();
    let none = vec![Ix::NONE];
    let mut found = Vec::new();
    for (verb, def) in DIALECT.actions.iter().enumerate() {
        let second = if def.arity > 1 { &all } else { &none };
        for &a in &all {
            let verb = verb as u8;
            found.extend(second.iter().map(|&b| Action { verb, a, b }));
        }
    }
    found
}

/// Whether a step succeeds; the world stands after it if so, else before it.
fn succeeds(world: &mut World, action: Action) -> bool {
    let before = world.clone();
    match world.apply(action) {
        Ok(note)
            if !note
                .as_ref()
                .is_some_and(|n| matches!(n.kind, Kind::Crash | Kind::Hang)) =>
        {
            true
        }
        _ => {
            *world = before;
            false
        }
    }
}

/// Everything that holds, and everything else denied.
fn everything(world: &World) -> Vec<Fact> {
    let mut all = Vec::new();
    let nodes: Vec<Ix> = world.scene().indices().collect();
    for &x in &nodes {
        let states = (0..DIALECT.published_states).map(|s| Body::State(vec![x], State(s)));
        let edges = nodes
            .iter()
            .flat_map(|&y| (0..7).map(move |r| Body::Edge(vec![x], Rel(r), vec![y])));
        for body in states.chain(edges) {
            let mut fact = Fact {
                negated: false,
                body,
            };
            fact.negated = !fact.holds(world.graph(), &());
            all.push(fact);
        }
    }
    all
}

fn goals(asks: Vec<Ask>) -> GoalSet {
    let goals = asks.into_iter().map(|ask| Goal {
        text: String::new(),
        ask,
    });
    let goals: Vec<Goal> = goals.collect();
    GoalSet {
        success: goals.len(),
        goals,
    }
}

/// Walks all states around a start and holds the bound on each against its distance; how often it was met exactly, by
/// distance.
fn hold(start: &World, most: usize) -> BTreeMap<usize, (usize, usize)> {
    let all = actions(start.scene());
    let mut seen = BTreeMap::from([(format!("{:?}", start.key()), 0_usize)]);
    let mut queue = VecDeque::from([(start.clone(), 0_usize)]);
    let mut exact: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    while let Some((world, depth)) = queue.pop_front() {
        let bound = least(start, &goals(vec![Ask::All(everything(&world))])).steps();
        assert!(bound <= depth, "{bound} > {depth}");
        let (met, of) = exact.entry(depth).or_default();
        *met += usize::from(bound == depth);
        *of += 1;
        if seen.len() >= most {
            continue;
        }
        for &action in &all {
            let mut next = world.clone();
            if succeeds(&mut next, action) {
                let key = format!("{:?}", next.key());
                if seen.insert(key, depth + 1).is_none() {
                    queue.push_back((next, depth + 1));
                }
            }
        }
    }
    exact
}

#[test]
fn no_state_is_nearer_than_its_bound() {
    let start = World::new(&pantry(), Profile::Eai).unwrap();
    let exact = hold(&start, 3_000);
    // It is no empty promise: many states are told to be as far away as they are.
    for (depth, many) in [(2, 80), (3, 600), (4, 30)] {
        assert!(exact[&depth].0 >= many, "{exact:?}");
    }
}

#[test]
fn nor_is_it_from_anywhere_else() {
    for (seed, scene) in (0..60).map(|n| (n, if n % 3 == 0 { nook() } else { pantry() })) {
        let mut dice = Dice(seed);
        let mut start = World::new(&scene, Profile::Eai).unwrap();
        for _ in 0..dice.below(400) {
            let action = dice.action(&scene);
            succeeds(&mut start, action);
        }
        let mut world = start.clone();
        let mut steps = 0;
        for _ in 0..2_000 {
            let action = dice.action(&scene);
            if succeeds(&mut world, action) {
                steps += 1;
                let bound = least(&start, &goals(vec![Ask::All(everything(&world))])).steps();
                assert!(bound <= steps, "seed {seed}: {bound} > {steps}");
            }
            if steps > 6 {
                break;
            }
        }
    }
}

fn bound(texts: &[&str]) -> Vec<usize> {
    let scene = pantry();
    let world = World::new(&scene, Profile::Eai).unwrap();
    let read = |text: &&str| Goal::read(&scene, &Book::default(), text).unwrap();
    let goals: Vec<Goal> = texts.iter().map(read).collect();
    let set = GoalSet {
        success: goals.len(),
        goals,
    };
    let found = least(&world, &set);
    found.duties.iter().map(|d| d.doings().len()).collect()
}

#[test]
fn what_takes_how_many_steps() {
    for (texts, sizes) in [
        // Open the cupboard, take the apple or a part of it, put that down.
        (&["apple ONTOP counter"][..], &[3, 3, 1][..]),
        (&["apple ONTOP counter", "!cupboard:OPEN"], &[3, 3, 1, 1]),
        (&["cupboard:OPEN", "cupboard:OPEN"], &[1]),
        (&["!counter:STAINED"], &[1]),
        (&["knife ONTOP counter"], &[]),
        (&["knife ONFLOOR floor", "knife INSIDE box"], &[1, 1, 1]),
        (&["knife NEXTTO box"], &[2, 2]),
        // Either way the knife is taken and put; the cupboard need not be opened.
        (
            &["(or (onfloor ?knife ?floor) (inside ?knife ?cupboard))"],
            &[1, 1],
        ),
        (
            &["(exists (?x - box.n.01) (and (inside ?knife ?x) (not (open ?cupboard))))"],
            &[1, 1, 1, 1],
        ),
        (
            &["(or (nextto ?knife ?box) (nextto ?knife ?counter))"],
            &[2, 2],
        ),
        (&["(or (open ?cupboard) (ontop ?knife ?counter))"], &[]),
        (&["!apple:SLICED"], &[]),
    ] {
        assert_eq!(bound(texts), sizes, "{texts:?}");
    }
}

#[test]
fn other_worlds_promise_nothing() {
    let scene = pantry();
    let world = World::new(&scene, Profile::Strict).unwrap();
    let goal = Goal::read(&scene, &Book::default(), "apple ONTOP counter").unwrap();
    let set = GoalSet {
        success: 1,
        goals: vec![goal],
    };
    assert_eq!(least(&world, &set).steps(), 0);
    let eai = World::new(&scene, Profile::Eai).unwrap();
    let found = least(&eai, &set);
    assert_eq!(
        found.words(&DIALECT),
        "1 to take up, 1 to put down, 1 to make open"
    );
    let cupboard = scene
        .indices()
        .find(|&n| scene.short_name(n) == "cupboard")
        .unwrap();
    let open = Doing::Turn(cupboard, DIALECT.state("OPEN").unwrap(), true);
    assert_eq!(found.duties.last().unwrap().doings(), [open]);
}
