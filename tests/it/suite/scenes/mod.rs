//! The shipped scenes are homes one can live in: every check holds in each of them, and each check catches its fault.

use std::collections::BTreeMap;

use vesta::formats::scene::dialect;
use vesta::store::shipped::{SCENES, SHIPPED};

mod checks;
mod house;

use checks::CHECKS;
use house::House;

fn shipped() -> Vec<(&'static str, House)> {
    let scenes = SHIPPED.iter().filter(|s| s.path.starts_with(SCENES));
    // Houses have rooms, doors and places; the rooms of the other world have not.
    let houses = scenes.filter(|s| dialect(s.bytes).id == "virtualhome");
    houses
        .map(|s| (s.path, House::read(s.path, s.bytes)))
        .collect()
}

#[test]
fn every_check_holds_in_every_scene() {
    let scenes = shipped();
    assert!(scenes.len() >= 3);
    for (path, house) in &scenes {
        for (name, check) in CHECKS {
            let none: [&str; 0] = [];
            assert_eq!(check(house), none, "{name} in {path}");
        }
    }
}

#[test]
fn a_class_is_the_same_in_every_scene() {
    let scenes = shipped();
    let mut known = BTreeMap::new();
    for (path, house) in &scenes {
        for thing in house.things.values() {
            let kind = (&thing.category, &thing.props);
            let first = *known.entry(&thing.class).or_insert(kind);
            assert_eq!(first, kind, "{} in {path}", thing.name());
        }
    }
}

#[test]
fn the_sizes_are_those_promised() {
    let size = |name: &str| {
        let scenes = shipped();
        let found = scenes.iter().find(|(path, _)| path.ends_with(name));
        found.map(|(_, house)| house.things.len()).unwrap()
    };
    assert!((220..=280).contains(&size("/flat.json")));
    assert!((110..=140).contains(&size("/studio.json")));
    assert!(size("/house.json") > 1000);
    for scene in SHIPPED.iter().filter(|s| s.path.starts_with(SCENES)) {
        assert!(scene.bytes.len() < 1_500_000, "{}", scene.path);
    }
}

/// Something wrong with a home, and the check that must say so.
type Fault = (&'static str, fn(&mut House));

const FAULTS: &[Fault] = &[
    ("states", |h| {
        h.first("lamp").states.insert("ON");
    }),
    ("states", |h| {
        h.first("window").states.remove("CLOSED");
    }),
    ("states", |h| {
        h.first("pillow").states.insert("PLUGGED_IN");
    }),
    ("states", |h| {
        h.first("plate").states.insert("DIRTY");
    }),
    ("power", |h| {
        let lamp = h.first("lamp");
        lamp.states = ["ON", "PLUGGED_OUT"].into();
    }),
    ("agent", |h| h.first("character").class = "adult".to_owned()),
    ("rooms", |h| {
        let (lamp, hall) = (h.first("lamp").id, h.first("bathroom").id);
        h.edges.insert((lamp, "INSIDE", hall));
    }),
    ("rooms", |h| h.first("kitchen").class = "pantry".to_owned()),
    ("supports", |h| {
        let (pillow, floor) = (h.first("pillow").id, h.first("floor").id);
        h.edges.insert((pillow, "ON", floor));
    }),
    ("supports", |h| {
        let pillow = h.first("pillow").id;
        h.edges.retain(|(a, r, _)| *a != pillow || *r != "ON");
    }),
    ("supports", |h| h.first("coffee_table").props.clear()),
    ("near", |h| {
        let pillow = h.first("pillow").id;
        h.edges.retain(|(_, r, b)| *r != "CLOSE" || *b != pillow);
    }),
    ("near", |h| {
        let (pillow, toilet) = (h.first("pillow").id, h.first("toilet").id);
        h.edges.insert((pillow, "CLOSE", toilet));
    }),
    ("doors", |h| {
        let door = h.first("door").id;
        h.edges.retain(|(a, r, _)| *a != door || *r != "BETWEEN");
    }),
    ("reachable", |h| {
        let bathroom = h.first("bathroom").id;
        h.edges
            .retain(|(_, r, b)| *r != "BETWEEN" || *b != bathroom);
    }),
    ("inside", |h| {
        h.first("fridge").bounds[0] = (-3.0, -2.0);
    }),
    ("inside", |h| {
        h.first("fridge").bounds = Default::default();
    }),
    ("plan", |h| {
        h.first("kitchen").bounds[0].1 += 1.0;
    }),
    ("door places", |h| {
        let door = &mut h.first("door").bounds[2];
        *door = (door.0 + 9.0, door.1 + 9.0);
    }),
    ("door places", |h| {
        let door = &mut h.first("front_door").bounds;
        for axis in [0, 2] {
            door[axis] = (door[axis].0 + 0.3, door[axis].1 + 0.3);
        }
    }),
    ("placed", |h| {
        let pillow = &mut h.first("pillow").bounds[1];
        *pillow = (pillow.0 + 0.5, pillow.1 + 0.5);
    }),
    ("placed", |h| {
        let pillow = &mut h.first("pillow").bounds[0];
        *pillow = (pillow.0 + 3.0, pillow.1 + 3.0);
    }),
    ("clash", |h| {
        let fridge = h.first("fridge").bounds;
        h.first("washing_machine").bounds = fridge;
    }),
    ("trip", |h| {
        let (carried, floor) = (h.first("box").id, h.first("floor").id);
        h.edges.insert((carried, "ON", floor));
    }),
];

#[test]
fn every_check_catches_its_faults() {
    for (name, _) in CHECKS {
        assert!(FAULTS.iter().any(|(fault, _)| fault == name), "{name}");
    }
    for (path, sound) in shipped() {
        for (i, (name, plant)) in FAULTS.iter().enumerate() {
            let (_, check) = CHECKS.iter().find(|(known, _)| known == name).unwrap();
            let mut house = sound.clone();
            plant(&mut house);
            assert!(!check(&house).is_empty(), "fault {i}, {name}, in {path}");
        }
    }
}
