//! Scenes to play in: small made-up ones and the shipped flat.

use std::sync::Arc;

use proptest::prelude::*;
use vesta::formats::scene::{self, Which};
use vesta::plan::goal::{Goal, GoalSet};
use vesta::safety::book::Book;
use vesta::sim::scene::{Edge, Node, Scene};
use vesta::sim::virtualhome::DIALECT;
use vesta::sim::virtualhome::words::rel;
use vesta::sim::vocab::{NodeId, Props, Rel, State};
use vesta::task::Task;
use vesta::task::setup::Setup;

/// A task without content.
pub(crate) fn task(id: &str) -> Task {
    Task::blank(id, "made-up", DIALECT.id, "made-up.json")
}

/// A task in a scene, with goals as text: `success` first, the rest is safety.
pub(crate) fn setup(scene: Scene, success: &[&str], safety: &[&str]) -> Arc<Setup> {
    let goals = success
        .iter()
        .chain(safety)
        .filter_map(|text| Goal::read(&scene, &Book::default(), text).ok())
        .collect();
    let read = |texts: &[&str]| {
        texts
            .iter()
            .filter(|t| Goal::read(&scene, &Book::default(), t).is_ok())
            .count()
    };
    let goals = GoalSet {
        goals,
        success: read(success),
    };
    Arc::new(Setup::plain(
        Arc::new(task("made-up")),
        Arc::new(scene),
        goals,
        Arc::new(Book::default()),
    ))
}

const CLASSES: [&str; 6] = ["cup", "box", "lamp", "chair", "plug", "rag"];

/// A scene of two rooms, somebody who acts and a few things of random use, in random states and places.
pub(crate) fn made_up() -> impl Strategy<Value = Arc<Setup>> {
    let thing = (0..CLASSES.len(), any::<u32>(), any::<u16>(), any::<u32>());
    prop::collection::vec(thing, 1..9).prop_map(|things| {
        let mut nodes = vec![Node::new(1, "kitchen"), Node::new(2, "hall")];
        for room in &mut nodes {
            room.category = Some("Rooms".into());
        }
        nodes.push(Node::new(3, "character"));
        let mut edges = vec![edge(3, rel::INSIDE, 1)];
        for (i, (class, props, states, place)) in (0_i64..).zip(things) {
            let id = 10 + i;
            let mut node = Node::new(id, CLASSES[class]);
            // Half of all properties, so that many actions fit and many do not.
            node.props = Props(props & ((1 << DIALECT.properties.len()) - 1));
            for bit in 0..DIALECT.states.len() as u8 {
                let (state, free) = (State(bit), states & (1 << bit) != 0);
                let opposite = DIALECT.opposite(state);
                if free && !opposite.is_some_and(|o| node.states.has(o)) {
                    node.states = node.states.with(state);
                }
            }
            let room = 1 + i64::from(place & 1);
            edges.push(edge(id, rel::INSIDE, room));
            if i > 0 && place & 2 != 0 {
                let onto = 10 + i64::from(place >> 8) % i;
                let how = if place & 4 == 0 { rel::ON } else { rel::INSIDE };
                edges.extend([edge(id, how, onto), edge(id, rel::CLOSE, onto)]);
                edges.push(edge(onto, rel::CLOSE, id));
            }
            if room == 1 && place & 8 != 0 {
                edges.extend([edge(3, rel::CLOSE, id), edge(id, rel::CLOSE, 3)]);
            }
            nodes.push(node);
        }
        let scene = Scene::new(&DIALECT, "made-up", nodes, edges).expect("a sound scene");
        setup(
            scene,
            &["lamp:ON", "cup ON box", "DO GRAB|TOUCH"],
            &["!lamp:OPEN", "character CLOSE cup"],
        )
    })
}

fn edge(from: i64, rel: Rel, to: i64) -> Edge {
    Edge {
        from: NodeId(from),
        rel,
        to: NodeId(to),
    }
}

/// The shipped flat.
pub(crate) fn flat() -> Scene {
    let bytes = include_bytes!("../../../../assets/scenes/flat.json");
    let (file, _) = scene::read(&DIALECT, "flat", bytes, Which::Initial).expect("a sound scene");
    file.scene
}
