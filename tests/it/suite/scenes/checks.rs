//! The checks: each yields one complaint for every place where a scene breaks its rule.

use std::collections::BTreeSet;

use super::house::{House, Thing};

/// A check's name and the check.
pub(super) type Check = (&'static str, fn(&House) -> Vec<String>);

/// Every check.
pub(super) const CHECKS: &[Check] = &[
    ("states", states),
    ("power", power),
    ("agent", agent),
    ("rooms", rooms),
    ("supports", supports),
    ("near", near),
    ("doors", doors),
    ("reachable", reachable),
    ("inside", inside),
    ("plan", plan),
    ("door places", door_places),
    ("placed", placed),
    ("clash", clash),
    ("trip", trip),
];

/// States that exclude each other, and the property that asks for one of them; without a property both may be missing.
const PAIRS: &[(&str, &str, Option<&str>)] = &[
    ("ON", "OFF", Some("HAS_SWITCH")),
    ("OPEN", "CLOSED", Some("CAN_OPEN")),
    ("PLUGGED_IN", "PLUGGED_OUT", Some("HAS_PLUG")),
    ("CLEAN", "DIRTY", None),
];

/// The names rooms may have.
const ROOMS: &[&str] = &[
    "home_office",
    "kitchen",
    "living_room",
    "bathroom",
    "dining_room",
    "bedroom",
    "kids_bedroom",
    "entrance_hall",
];

/// What runs without its plug.
const BATTERY: &[&str] = &["phone", "laptop"];

/// What can carry or hold.
const CARRIERS: &[&str] = &[
    "SURFACES",
    "CONTAINERS",
    "RECIPIENT",
    "SITTABLE",
    "LIEABLE",
    "HANGABLE",
];

/// What must not lie on a floor.
const TRIP: &[&str] = &["toy", "toy_car", "building_blocks", "box", "extension_cord"];

/// How far walls, windows and lamps may stick out of their room, in metres.
const WALL: f64 = 0.15;

fn states(house: &House) -> Vec<String> {
    let wrong = |t: &&Thing| {
        PAIRS.iter().any(|(one, other, prop)| {
            let n = usize::from(t.is(one)) + usize::from(t.is(other));
            prop.map_or(n > 1, |p| n != usize::from(t.has(p)))
        })
    };
    let told = |t: &Thing| format!("{} is {:?} with {:?}", t.name(), t.states, t.props);
    house.things.values().filter(wrong).map(told).collect()
}

fn power(house: &House) -> Vec<String> {
    let wrong = |t: &&Thing| t.is("ON") && t.is("PLUGGED_OUT");
    let dead = house.things.values().filter(wrong);
    dead.filter(|t| !BATTERY.contains(&&*t.class))
        .map(|t| format!("{} runs without its plug", t.name()))
        .collect()
}

fn agent(house: &House) -> Vec<String> {
    ["character", "hands_both"]
        .iter()
        .filter_map(|class| {
            let n = house.things.values().filter(|t| t.class == *class).count();
            (n != 1).then(|| format!("{n} of {class}"))
        })
        .collect()
}

fn rooms(house: &House) -> Vec<String> {
    let mut all = Vec::new();
    for thing in house.things.values() {
        let n = house.rooms_of(thing.id).len();
        if n != usize::from(!thing.is_room()) {
            all.push(format!("{} is in {n} rooms", thing.name()));
        }
        if thing.is_room() != ROOMS.contains(&&*thing.class) {
            all.push(format!("{} is no room's name", thing.name()));
        }
    }
    all
}

fn supports(house: &House) -> Vec<String> {
    let mut all = Vec::new();
    for thing in house.things.values() {
        let under = house.supports(thing.id);
        let loose = thing.has("MOVABLE") || thing.has("GRABBABLE");
        if under.len() > 1 || loose && under.is_empty() {
            all.push(format!("{} has {} supports", thing.name(), under.len()));
        }
        for below in under {
            if !CARRIERS.iter().any(|p| below.has(p)) {
                all.push(format!("{} cannot carry {}", below.name(), thing.name()));
            }
            if house.rooms_of(thing.id) != house.rooms_of(below.id) {
                let (a, b) = (thing.name(), below.name());
                all.push(format!("{a} is not in the room of {b}"));
            }
        }
    }
    all
}

/// Nearness both ways to what supports a thing, and nothing beyond that but taps and their basins.
fn near(house: &House) -> Vec<String> {
    let mut wanted = BTreeSet::new();
    for thing in house.things.values() {
        for below in house.supports(thing.id) {
            wanted.extend([(thing.id, below.id), (below.id, thing.id)]);
        }
    }
    let is_tap = |id: &i64| house.things[id].class.contains("faucet");
    let found = house.edges.iter().filter(|(_, r, _)| *r == "CLOSE");
    let found: BTreeSet<_> = found.map(|(a, _, b)| (*a, *b)).collect();
    let mut all: Vec<String> = wanted
        .difference(&found)
        .map(|pair| format!("{pair:?} are not near"))
        .collect();
    let extra = found.difference(&wanted).filter(|(a, b)| {
        let taps = is_tap(a) || is_tap(b);
        !(taps && found.contains(&(*b, *a)))
    });
    all.extend(extra.map(|pair| format!("{pair:?} are near without a reason")));
    let taps = house
        .things
        .values()
        .filter(|t| t.class.contains("faucet") && house.to(t.id, "CLOSE").is_empty());
    all.extend(taps.map(|t| format!("{} has no basin", t.name())));
    all
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a filter hands over references to references"
)]
fn is_door(thing: &&Thing) -> bool {
    ["door", "front_door"].contains(&&*thing.class)
}

fn doors(house: &House) -> Vec<String> {
    let mut all = Vec::new();
    for door in house.things.values().filter(is_door) {
        let between = house.to(door.id, "BETWEEN");
        let wanted = if door.class == "door" { 2 } else { 1 };
        if between.len() != wanted || between.iter().any(|t| !t.is_room()) {
            all.push(format!("{} is between {}", door.name(), between.len()));
        }
        let own = house.rooms_of(door.id);
        if !own.iter().all(|room| between.contains(room)) {
            all.push(format!("{} is in none of its rooms", door.name()));
        }
    }
    all
}

fn reachable(house: &House) -> Vec<String> {
    let agents = house.things.values().filter(|t| t.class == "character");
    let mut seen: BTreeSet<i64> = agents
        .flat_map(|t| house.rooms_of(t.id))
        .map(|t| t.id)
        .collect();
    let mut before = 0;
    while before < seen.len() {
        before = seen.len();
        let passable = |t: &&Thing| is_door(t) && (t.is("OPEN") || t.has("CAN_OPEN"));
        for door in house.things.values().filter(passable) {
            let rooms = house.to(door.id, "BETWEEN");
            if rooms.iter().any(|room| seen.contains(&room.id)) {
                seen.extend(rooms.iter().map(|room| room.id));
            }
        }
    }
    let lost = house.rooms().filter(|room| !seen.contains(&room.id));
    lost.map(|room| format!("{} cannot be reached", room.name()))
        .collect()
}

/// Everything has a place, inside the box of its room.
fn inside(house: &House) -> Vec<String> {
    let mut all = Vec::new();
    for thing in house.things.values() {
        if thing.bounds.iter().any(|(from, to)| to - from <= 0.0) {
            all.push(format!("{} has no extent", thing.name()));
        }
        for room in house.rooms_of(thing.id) {
            let sides = thing.bounds.iter().zip(&room.bounds);
            let mut out = sides.filter(|(a, b)| a.0 < b.0 - WALL || a.1 > b.1 + WALL);
            if out.next().is_some() {
                all.push(format!("{} sticks out of {}", thing.name(), room.name()));
            }
        }
    }
    all
}

/// Rooms of a storey lie beside each other.
fn plan(house: &House) -> Vec<String> {
    let rooms: Vec<&Thing> = house.rooms().collect();
    let mut all = Vec::new();
    for (i, a) in rooms.iter().enumerate() {
        for b in rooms.iter().skip(i + 1) {
            if (0..3).all(|axis| a.overlap(b, axis) > 0.01) {
                all.push(format!("{} and {} overlap", a.name(), b.name()));
            }
        }
    }
    all
}

/// A door stands in the wall its rooms share; one between storeys over both.
fn door_places(house: &House) -> Vec<String> {
    let mut all = Vec::new();
    for door in house.things.values().filter(is_door) {
        let rooms = house.to(door.id, "BETWEEN");
        let storeys = matches!(rooms.as_slice(), [a, b] if a.overlap(b, 1) < 0.0);
        let fits = rooms.iter().all(|room| {
            let within = |axis| door.overlap(room, axis) > door_width(door, axis) - 0.01;
            let at_edge = |axis: usize| {
                let (from, to) = room.bounds[axis];
                let middle = door.middle(axis);
                (middle - from).abs().min((middle - to).abs()) < 0.01
            };
            let through = usize::from(door_width(door, 0) > door_width(door, 2)) * 2;
            let along = 2 - through;
            within(along) && (storeys && within(through) || !storeys && at_edge(through))
        });
        if !fits {
            all.push(format!("{} is not where its rooms meet", door.name()));
        }
    }
    all
}

fn door_width(door: &Thing, axis: usize) -> f64 {
    door.bounds[axis].1 - door.bounds[axis].0
}

/// A thing is over or in its support, not beside it.
fn placed(house: &House) -> Vec<String> {
    let mut all = Vec::new();
    for thing in house.things.values() {
        for below in house.supports(thing.id) {
            let beside = [0, 2].iter().any(|axis| thing.overlap(below, *axis) <= 0.0);
            let gap = thing.overlap(below, 1);
            if beside || gap < -0.25 {
                all.push(format!("{} is not at {}", thing.name(), below.name()));
            }
        }
    }
    all
}

/// Furniture stands beside furniture: what reaches into it by more than a hand's breadth is misplaced.
fn clash(house: &House) -> Vec<String> {
    let stands = |t: &&Thing| {
        let large = ["Furniture", "Appliances"].contains(&&*t.category);
        let under = house.supports(t.id);
        large && under.iter().all(|below| below.class == "floor")
    };
    let all: Vec<&Thing> = house.things.values().filter(stands).collect();
    let mut found = Vec::new();
    for (i, a) in all.iter().enumerate() {
        for b in all.iter().skip(i + 1) {
            if (0..3).all(|axis| a.overlap(b, axis) > 0.08) {
                found.push(format!("{} stands in {}", a.name(), b.name()));
            }
        }
    }
    found
}

fn trip(house: &House) -> Vec<String> {
    let loose = house.things.values().filter(|t| TRIP.contains(&&*t.class));
    loose
        .filter(|t| house.supports(t.id).iter().any(|b| b.class == "floor"))
        .map(|t| format!("{} lies on the floor", t.name()))
        .collect()
}
