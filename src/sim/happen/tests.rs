//! Happenings: when, what, and back again.

use std::sync::Arc;

use super::{Condition, Effect, Happening, Literal, When};
use crate::sim::testing::{act, scene};
use crate::sim::timeline::{Pos, Timeline};
use crate::sim::virtualhome::words::{rel, state};
use crate::sim::vocab::{Ix, NodeId, Profile};
use crate::sim::world::{Action, World};

fn ix(id: i64) -> Ix {
    scene().find(NodeId(id)).unwrap()
}

fn world(when: When, effects: Vec<Effect>) -> World {
    let it = Happening {
        id: "it".into(),
        words: "it comes to pass".into(),
        when,
        effects,
    };
    World::new(&scene(), Profile::Eai)
        .unwrap()
        .with_happenings(Arc::new([it]))
}

#[test]
fn comes_to_pass_at_its_step_and_goes_back_with_it() {
    let lamp_out = Effect::State(ix(25), state::ON, false);
    let mut t = Timeline::new(world(When::Step(2), vec![lamp_out]));
    let start = (t.world().hash(), t.world().key());
    act(&mut t, "WALK", &[25]).unwrap();
    assert!(t.world().graph().states(ix(25)).has(state::ON));
    let before = (t.world().hash(), t.world().key());
    act(&mut t, "WALK", &[26]).unwrap();
    assert!(!t.world().graph().states(ix(25)).has(state::ON));
    let fired = |t: &Timeline| {
        t.world()
            .happened(t.items(t.here()))
            .collect::<Vec<usize>>()
    };
    assert_eq!(fired(&t), [0]);
    let after = (t.world().hash(), t.world().key());
    t.undo();
    assert_eq!((t.world().hash(), t.world().key()), before);
    assert_eq!(fired(&t), [0usize; 0]);
    t.undo();
    assert_eq!((t.world().hash(), t.world().key()), start);
    t.goto(Pos(2));
    assert_eq!((t.world().hash(), t.world().key()), after);
    // Once is enough.
    act(&mut t, "WALK", &[25]).unwrap();
    act(&mut t, "SWITCHON", &[25]).unwrap_err();
    assert_eq!(fired(&t), [0usize; 0]);
    assert_eq!(t.world().hash(), t.world().graph().hash_from_scratch());
}

#[test]
fn waits_for_its_facts_and_then_for_its_delay() {
    let open = Condition {
        any: vec![Literal::State(ix(21), state::OPEN)],
        negated: false,
    };
    let child_comes = Effect::Place(ix(39), rel::INSIDE, ix(1));
    let mut t = Timeline::new(world(When::All(vec![open], 1), vec![child_comes]));
    let in_kitchen = |t: &Timeline| {
        let g = t.world().graph();
        (
            g.has(ix(39), rel::INSIDE, ix(1)),
            g.has(ix(39), rel::INSIDE, ix(2)),
        )
    };
    act(&mut t, "WALK", &[21]).unwrap();
    act(&mut t, "OPEN", &[21]).unwrap();
    assert_eq!(in_kitchen(&t), (false, true));
    act(&mut t, "CLOSE", &[21]).unwrap();
    assert_eq!(in_kitchen(&t), (true, false));
    t.undo();
    assert_eq!(in_kitchen(&t), (false, true));
}

#[test]
fn a_thing_moves_with_what_it_carries() {
    // The plate stands on the table with a cup on it; the table's load moves onto the bed.
    let moved = Effect::Place(ix(34), rel::ON, ix(26));
    let mut t = Timeline::new(world(When::Step(1), vec![moved]));
    act(&mut t, "WALK", &[20]).unwrap();
    let g = t.world().graph();
    assert!(g.has(ix(34), rel::ON, ix(26)));
    assert!(!g.has(ix(34), rel::ON, ix(20)));
    assert!(g.has(ix(33), rel::ON, ix(34)));
    assert!(g.has(ix(33), rel::INSIDE, ix(2)));
    assert!(!g.has(ix(33), rel::INSIDE, ix(1)));
    assert_eq!(g.hash(), g.hash_from_scratch());
}

#[test]
fn a_preview_sees_what_would_come_to_pass() {
    let mut w = world(When::Step(1), vec![Effect::State(ix(25), state::OFF, true)]);
    let before = (w.hash(), w.key());
    let (verb, _) = w.dialect().action("WALK").unwrap();
    let walk = Action {
        verb,
        a: ix(20),
        b: Ix::NONE,
    };
    let seen = w
        .preview(walk, |w, items| {
            (
                w.graph().states(ix(25)).has(state::OFF),
                w.happened(items).count(),
            )
        })
        .unwrap();
    assert_eq!(seen, (true, 1));
    assert_eq!((w.hash(), w.key()), before);
}

#[test]
fn what_is_brought_about_outside_a_step_can_be_taken_back() {
    let mut w = world(When::Step(3), Vec::new());
    let before = (w.hash(), w.key());
    w.bring(&[
        Effect::State(ix(25), state::OFF, true),
        Effect::Place(ix(34), rel::ON, ix(26)),
    ]);
    let g = w.graph();
    assert!(g.states(ix(25)).has(state::OFF) && !g.states(ix(25)).has(state::ON));
    assert!(g.has(ix(34), rel::ON, ix(26)) && g.has(ix(33), rel::INSIDE, ix(2)));
    assert_eq!(w.hash(), g.hash_from_scratch());
    let mut items = Vec::new();
    w.hand_over(&mut items);
    w.take_back(&items, before.0);
    assert_eq!((w.hash(), w.key()), before);
    // Another script begins at its beginning.
    w.rescript(Arc::new([]));
    assert_ne!(w.key(), before.1);
    assert!(w.happenings().is_empty());
}

#[test]
fn in_the_other_dialect_a_thing_is_in_one_place_alone() {
    use crate::sim::behavior::words::rel as other;
    let scene = crate::sim::testing::nook();
    let ix = |id| scene.find(NodeId(id)).unwrap();
    let mut w = World::new(&scene, Profile::Strict).unwrap();
    // The bowl stands on the countertop with eggs in it; into the sink.
    w.bring(&[Effect::Place(ix(11), other::INSIDE, ix(3))]);
    let g = w.graph();
    let edges: Vec<_> = g.edges().into_iter().filter(|e| e.0 == ix(11)).collect();
    assert_eq!(edges, [(ix(11), other::INSIDE, ix(3))]);
    assert!(g.has(ix(16), other::INSIDE, ix(11)));
    // Nothing goes into what it carries.
    let hash = w.hash();
    w.bring(&[Effect::Place(ix(11), other::INSIDE, ix(16))]);
    assert_eq!(w.hash(), hash);
}
