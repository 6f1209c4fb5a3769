//! The plan of the test scene, with and without positions.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::labels::labels;
use super::*;
use crate::sim::scene::Scene;
use crate::sim::testing::{acts, scene, timeline};
use crate::sim::timeline::{Pos, Timeline};
use crate::sim::virtualhome::DIALECT;
use crate::sim::vocab::{NodeId, Profile};

fn ix(world: &World, id: i64) -> Ix {
    world.scene().find(NodeId(id)).unwrap()
}

/// The test scene with boxes of two rooms above each other and a few things placed.
fn placed() -> Timeline {
    let (name, mut nodes, edges) = Scene::clone(&scene()).into_parts();
    let boxes = [
        (1, [2.0, 1.3, 2.0], [4.0, 2.6, 4.0]),
        (2, [2.0, 4.3, 2.0], [4.0, 2.6, 4.0]),
        (10, [1.0, 3.9, 1.0], [0.4, 1.7, 0.4]),
        (20, [1.0, 0.4, 1.0], [1.0, 0.8, 1.0]),
        (21, [3.5, 0.9, 0.5], [0.6, 1.8, 0.6]),
        (30, [1.1, 0.9, 1.1], [0.1, 0.1, 0.1]),
        // Nowhere near the fridge it is said to be in.
        (32, [9.0, 0.9, 9.0], [0.1, 0.1, 0.1]),
    ];
    for (id, centre, size) in boxes {
        let node = nodes.iter_mut().find(|n| n.id == NodeId(id)).unwrap();
        node.bounds = Some((centre, size));
    }
    let scene = Arc::new(Scene::new(&DIALECT, name, nodes, edges).unwrap());
    Timeline::new(World::new(&scene, Profile::Eai).unwrap())
}

fn near(spot: Spot, x: f64, z: f64) -> bool {
    (spot.x - x).abs() < 0.5 && (spot.z - z).abs() < 0.5
}

#[test]
fn letters_are_one_to_a_class_and_furniture_chooses_first() {
    let scene = scene();
    let labels = labels(&scene);
    let all: BTreeSet<&String> = labels.values().collect();
    assert_eq!(all.len(), labels.len());
    assert_eq!(labels["table"], "Ta");
    assert_eq!(labels["television"], "Te");
    // The kitchen has Ki, so the knife goes on.
    assert_eq!(labels["knife"], "Kn");
}

#[test]
fn things_are_where_the_file_says_unless_something_else_holds_them() {
    let mut t = placed();
    let plan = Plan::new(t.world());
    assert!(!plan.invented);
    assert_eq!(plan.storeys, 2);
    let at = |t: &Timeline, id: i64| {
        let world = t.world();
        let me = plan.home(world.me());
        plan.spot(world, ix(world, id), me)
    };
    assert!(near(at(&t, 30), 1.1, 1.1));
    assert_eq!(at(&t, 30).storey, 0);
    assert_eq!(at(&t, 10).storey, 1);
    assert!(
        near(at(&t, 32), 3.5, 0.5),
        "by its fridge: {:?}",
        at(&t, 32)
    );
    // The microwave has no place of its own: it stands somewhere in its room.
    let room = plan.room(ix(t.world(), 1)).unwrap();
    let microwave = at(&t, 23);
    assert!(microwave.x > room.x.0 && microwave.x < room.x.1);
    // What is held is with whoever holds it, what is put down is where it was put.
    acts(&mut t, &[("WALK", &[20]), ("GRAB", &[30])]);
    let mut stops = Stops::default();
    let way = stops.on_way(&plan, &t);
    assert_eq!(way.len(), 1);
    assert!(near(way[0].spot, 1.0, 1.0));
    let me = way[0].spot;
    assert!(near(
        plan.spot(t.world(), ix(t.world(), 30), me),
        me.x,
        me.z
    ));
    acts(
        &mut t,
        &[("WALK", &[21]), ("OPEN", &[21]), ("PUTIN", &[30, 21])],
    );
    assert!(near(at(&t, 30), 3.5, 0.5));
    // The way is found alike step by step and all at once.
    let twice = stops.on_way(&plan, &t);
    assert_eq!(twice, Stops::default().on_way(&plan, &t));
    assert_eq!(twice.iter().map(|s| s.pos.0).collect::<Vec<_>>(), [1, 3]);
    // Taken back, it is shorter again.
    t.goto(Pos(2));
    assert_eq!(stops.on_way(&plan, &t).len(), 1);
}

#[test]
fn without_positions_rooms_are_packed_and_things_spread() {
    let t = timeline();
    let plan = Plan::new(t.world());
    assert!(plan.invented);
    assert_eq!(plan.storeys, 1);
    let (kitchen, bedroom) = (&plan.rooms[0], &plan.rooms[1]);
    assert!(kitchen.x.1 <= bedroom.x.0 || kitchen.z.1 <= bedroom.z.0);
    let spot = |id| plan.home(ix(t.world(), id));
    let spots: Vec<Spot> = [20, 21, 23, 24].into_iter().map(spot).collect();
    for (at, one) in spots.iter().enumerate() {
        assert!(one.x > kitchen.x.0 && one.x < kitchen.x.1, "{one:?}");
        assert!(spots.iter().skip(at + 1).all(|other| other != one));
    }
}
