//! Undo is identity, the incremental hash equals a recomputed one, history is a tree.

use std::sync::Arc;

use pretty_assertions::assert_eq;

use crate::sim::graph::Change;
use crate::sim::refusal::Record;
use crate::sim::scene::{Edge, Node, Scene};
use crate::sim::testing::{Dice, act, acts, scene, timeline};
use crate::sim::timeline::{Pos, Timeline};
use crate::sim::virtualhome::DIALECT;
use crate::sim::vocab::{Ix, NodeId, Profile, Props, Rel, Rels, State, States};
use crate::sim::world::World;

/// Everything that can be asked of a state: the edges, the states, the origins and the hash.
fn view(t: &Timeline) -> String {
    let g = t.world().graph();
    let nodes: Vec<_> = g
        .scene()
        .indices()
        .map(|ix| (g.states(ix), g.origin(ix)))
        .collect();
    format!("{:?} {nodes:?} {}", g.edges(), g.hash())
}

/// Walks at random through a timeline; returns how many steps were done.
fn wander(t: &mut Timeline, dice: &mut Dice, moves: usize) -> usize {
    let scene = t.world().scene().clone();
    let mut done = 0;
    for _ in 0..moves {
        match dice.below(10) {
            0 => drop(t.undo()),
            1 => drop(t.redo()),
            2 => drop(t.goto(Pos(dice.below(t.len()) as u32))),
            _ => done += usize::from((0..30).any(|_| t.step(dice.action(&scene)).is_ok())),
        }
        let g = t.world().graph();
        assert_eq!(g.hash(), g.hash_from_scratch());
    }
    done
}

/// Replays the path to every position from the start and compares all that can be asked.
fn agrees_with_replay(t: &mut Timeline) -> bool {
    (0..t.len() as u32).map(Pos).all(|pos| {
        let mut fresh = Timeline::new(World::new(&scene(), Profile::Eai).unwrap());
        for p in t.path(pos) {
            if let Some(a) = t.action(p) {
                fresh.step(a).unwrap();
            }
        }
        t.goto(pos);
        view(t) == view(&fresh)
    })
}

/// Reading the log answers what going back step by step does, for any fact at any position.
#[test]
fn whether_a_fact_ever_held_can_be_read_from_the_log() {
    let mut dice = Dice(11);
    let mut t = timeline();
    wander(&mut t, &mut dice, 400);
    let nodes = t.world().scene().len();
    let (mut yes, mut no) = (0, 0);
    for _ in 0..4_000 {
        t.goto(Pos(dice.below(t.len()) as u32));
        let mut node = || Ix(dice.below(nodes) as u32);
        let (from, to) = (node(), node());
        let negate = dice.below(4) == 0;
        let record = match dice.below(3) {
            0 => Record::State {
                node: from,
                state: State(dice.below(10) as u8),
                negate,
            },
            1 => Record::Edge {
                from: t.world().me(),
                rels: Rels::of(&[Rel(dice.below(8) as u8)]),
                to: Ix::NONE,
                negate,
            },
            _ => Record::Edge {
                from,
                rels: Rels(dice.below(256) as u8),
                to,
                negate,
            },
        };
        let found = t.once(record);
        assert_eq!(found, t.once_on_the_way(record), "{record:?}");
        assert_eq!(found, t.once(record), "{record:?}");
        *(if found { &mut yes } else { &mut no }) += 1;
    }
    assert!(yes > 400 && no > 400, "{yes} {no}");
}

#[test]
fn any_walk_through_history_equals_a_fresh_replay() {
    let mut dice = Dice(7);
    let mut steps = 0;
    for _ in 0..60 {
        let mut t = timeline();
        steps += wander(&mut t, &mut dice, 40);
        assert!(agrees_with_replay(&mut t));
    }
    assert!(steps > 1000, "only {steps} steps were possible");
}

/// The control: when one undo forgets one item, the same comparison notices.
#[test]
fn a_forgotten_item_is_noticed() {
    let mut t = timeline();
    acts(&mut t, &[("WALK", &[30]), ("GRAB", &[30])]);
    let items = t.items(t.here()).to_vec();
    t.world_mut().toggle(&items[1..]);
    t.world_mut().toggle(&items);
    assert!(!agrees_with_replay(&mut t));
}

#[test]
fn a_failed_or_previewed_action_leaves_no_trace() {
    let mut dice = Dice(3);
    let mut t = timeline();
    let all = scene();
    for _ in 0..3000 {
        let before = view(&t);
        let action = dice.action(&all);
        let allowed = t
            .world_mut()
            .preview(action, |w, items| w.graph().changes(items))
            .ok();
        assert_eq!(view(&t), before);
        if t.step_anew(action).is_ok() {
            assert_eq!(Some(t.changes_here()), allowed);
        } else {
            assert_eq!(view(&t), before);
            assert_eq!(allowed, None);
        }
    }
}

fn node_id(i: usize) -> NodeId {
    NodeId(i64::try_from(i).unwrap() * 3 + 1)
}

/// A scene nobody would build: any edges, also loops and cycles, any properties and states.
fn wild_scene(dice: &mut Dice) -> Arc<Scene> {
    let n = 3 + dice.below(9);
    let classes = [
        "kitchen", "water", "knife", "desk", "couch", "plate", "computer",
    ];
    let nodes = (0..n)
        .map(|id| {
            let mut node = Node::new(node_id(id).0, classes[dice.below(classes.len())]);
            if id == 1 {
                node.class = "character".into();
            }
            if dice.below(4) == 0 {
                node.category = Some("Rooms".into());
            }
            node.props = Props(dice.below(1 << 23) as u32 | dice.below(1 << 23) as u32);
            node.states = States(dice.below(1 << 10) as u16);
            node
        })
        .collect();
    let edges = (0..dice.below(40))
        .map(|_| {
            let mut id = || node_id(dice.below(n));
            let (from, to) = (id(), id());
            Edge {
                from,
                rel: Rel(dice.below(8) as u8),
                to,
            }
        })
        .collect();
    Arc::new(Scene::new(&DIALECT, "wild", nodes, edges).unwrap())
}

/// Everything the lists answer, asked of the plain edge list instead.
fn lists_agree(t: &Timeline) {
    let g = t.world().graph();
    let edges = g.edges();
    for ix in g.scene().indices() {
        for rel in (0..8).map(Rel) {
            let sorted = |mut v: Vec<Ix>| {
                v.sort_unstable();
                v
            };
            let out = edges
                .iter()
                .filter(|e| e.0 == ix && e.1 == rel)
                .map(|e| e.2)
                .collect();
            let inc = edges
                .iter()
                .filter(|e| e.2 == ix && e.1 == rel)
                .map(|e| e.0)
                .collect();
            assert_eq!(sorted(g.targets(ix, rel).collect()), sorted(out));
            assert_eq!(sorted(g.sources(ix, rel).collect()), sorted(inc));
        }
        let around: usize = g
            .around(ix)
            .map(|(_, a, b)| (a.0.count_ones() + b.0.count_ones()) as usize)
            .sum();
        let ends =
            edges.iter().filter(|e| e.0 == ix).count() + edges.iter().filter(|e| e.2 == ix).count();
        assert_eq!(around, ends);
    }
    assert_eq!(g.hash(), g.hash_from_scratch());
}

#[test]
fn lists_and_hash_hold_on_scenes_nobody_would_build() {
    let mut dice = Dice(11);
    let mut done = 0;
    for _ in 0..300 {
        let scene = wild_scene(&mut dice);
        let mut t = Timeline::new(World::new(&scene, Profile::Eai).unwrap());
        lists_agree(&t);
        for _ in 0..60 {
            match dice.below(8) {
                0 => drop(t.undo()),
                1 => drop(t.goto(Pos(dice.below(t.len()) as u32))),
                _ => done += usize::from(t.step_anew(dice.action(&scene)).is_ok()),
            }
            lists_agree(&t);
        }
    }
    assert!(done > 1000, "only {done} steps were possible");
}

#[test]
fn going_another_way_keeps_the_old_one() {
    let mut t = timeline();
    acts(&mut t, &[("WALK", &[20]), ("GRAB", &[30])]);
    assert!(t.undo());
    let done = act(&mut t, "GRAB", &[33]).unwrap();
    assert!(done.forked && !done.revisited);
    assert_eq!(t.children(Pos(1)), [Pos(2), Pos(3)]);
    assert!(t.undo());
    assert_eq!(
        t.next(),
        Some(Pos(3)),
        "redo follows the branch last visited"
    );
    let again = act(&mut t, "GRAB", &[30]).unwrap();
    assert_eq!((again.pos, again.revisited), (Pos(2), true));
    assert!(t.undo() && t.redo());
    assert_eq!(t.here(), Pos(2));
    assert_eq!(t.path(Pos(3)), [Pos(0), Pos(1), Pos(3)]);
    assert!(!t.goto(Pos(9)));
}

#[test]
fn changes_name_what_a_step_did() {
    let mut t = timeline();
    acts(&mut t, &[("WALK", &[23]), ("OPEN", &[23])]);
    let open = t.world().dialect().state("OPEN").unwrap();
    let closed = t.world().dialect().state("CLOSED").unwrap();
    let microwave = t
        .world()
        .scene()
        .find(crate::sim::vocab::NodeId(23))
        .unwrap();
    assert_eq!(
        t.changes_here(),
        [
            Change::State(microwave, closed, false),
            Change::State(microwave, open, true)
        ]
    );
    acts(&mut t, &[("WALK", &[20])]);
    assert_eq!(t.since(microwave, open), Pos(2));
}

#[test]
fn a_step_is_kept_in_few_bytes() {
    let mut t = timeline();
    wander(&mut t, &mut Dice(1), 4000);
    let per_step = t.bytes() as f64 / (t.len() - 1) as f64;
    assert!(per_step < 64.0, "{per_step} bytes a step");
}
