//! Under `strict` the world stays one a home can be in, wherever one goes at random; and every step can be taken back.

use std::collections::BTreeMap;
use std::sync::Arc;

use vesta::formats::scene::{Which, dialect, read};
use vesta::sim::explain::cures;
use vesta::sim::graph::Graph;
use vesta::sim::profile::Profile;
use vesta::sim::scene::Scene;
use vesta::sim::timeline::{Pos, Timeline};
use vesta::sim::virtualhome::DIALECT;
use vesta::sim::virtualhome::facts::{HANDS, all_close};
use vesta::sim::virtualhome::strict::reach::{place, supports};
use vesta::sim::virtualhome::words::{prop, rel, state};
use vesta::sim::vocab::Ix;
use vesta::sim::world::{Action, World};
use vesta::store::shipped::{SCENES, SHIPPED};

fn scenes() -> Vec<Arc<Scene>> {
    let scenes = SHIPPED.iter().filter(|s| s.path.starts_with(SCENES));
    let scenes = scenes.filter(|s| dialect(s.bytes).id == DIALECT.id);
    scenes
        .map(|s| {
            Arc::new(
                read(&DIALECT, s.path, s.bytes, Which::Initial)
                    .unwrap()
                    .0
                    .scene,
            )
        })
        .collect()
}

fn start(scene: &Arc<Scene>) -> Timeline {
    Timeline::new(World::new(scene, Profile::Strict).unwrap())
}

/// Splitmix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.below(all.len())])
    }
}

/// An action that is worth a try: mostly on what is near, first of all on what is held.
fn some_action(dice: &mut Dice, world: &World) -> Action {
    let (graph, me) = (world.graph(), world.me());
    let all: Vec<Ix> = world.scene().indices().collect();
    let near = all_close(&world.ctx());
    let near: Vec<Ix> = all.iter().copied().filter(|n| near[n.at()]).collect();
    let held: Vec<Ix> = all
        .iter()
        .copied()
        .filter(|&n| graph.rels(me, n).0 & HANDS.0 != 0)
        .collect();
    let verb = dice.below(DIALECT.actions.len()) as u8;
    let pick = |dice: &mut Dice, pools: [&[Ix]; 3]| {
        let pool = pools[dice.below(3)];
        dice.of(pool).or_else(|| dice.of(&all)).unwrap_or(Ix::NONE)
    };
    let arity = DIALECT.actions[usize::from(verb)].arity;
    let first = if arity == 2 { &held } else { &near };
    Action {
        verb,
        a: if arity > 0 {
            pick(dice, [first, &near, &all])
        } else {
            Ix::NONE
        },
        b: if arity > 1 {
            pick(dice, [&near, &near, &all])
        } else {
            Ix::NONE
        },
    }
}

/// What is wrong with the places of things, one sentence each.
fn faults(world: &World) -> Vec<String> {
    let (g, me) = (world.graph(), world.me());
    let mut found = Vec::new();
    for n in world.scene().indices() {
        let name = world.scene().node(n).name();
        let carriers = supports(g, n).count();
        let hands = usize::from(g.rels(me, n).0 & HANDS.0 != 0);
        let moves = g.hot(n).props.has(prop::GRABBABLE);
        if carriers + hands > 1 || moves && carriers + hands != 1 {
            found.push(format!(
                "{name} has {carriers} supports and is in {hands} hands"
            ));
        }
        let rooms: Vec<Ix> = g
            .targets(n, rel::INSIDE)
            .filter(|&t| g.hot(t).room)
            .collect();
        if !g.hot(n).room && rooms.len() != 1 {
            found.push(format!("{name} is in {} rooms", rooms.len()));
        }
        let along = hands == 1 || g.hot(n).props.has(prop::BODY_PART);
        if along && place(g, n) != place(g, me) {
            found.push(format!("{name} is not where the agent is"));
        }
        for s in supports(g, n).filter(|&s| place(g, s) != place(g, n)) {
            found.push(format!(
                "{name} is not where {} is",
                world.scene().node(s).name()
            ));
        }
        if is_in_itself(g, n) {
            found.push(format!("{name} is in itself"));
        }
    }
    let seated = g.states(me).has(state::SITTING) || g.states(me).has(state::LYING);
    if seated != (g.targets(me, rel::ON).count() == 1) {
        found.push("the agent sits on nothing, or stands on a seat".to_owned());
    }
    found
}

fn is_in_itself(g: &Graph, n: Ix) -> bool {
    let mut above: Vec<Ix> = supports(g, n).collect();
    let mut i = 0;
    while i < above.len() {
        for x in supports(g, above[i]) {
            if x == n {
                return true;
            }
            if !above.contains(&x) {
                above.push(x);
            }
        }
        i += 1;
    }
    false
}

fn view(world: &World) -> String {
    let g = world.graph();
    let nodes: Vec<_> = world
        .scene()
        .indices()
        .map(|n| (g.states(n), g.origin(n)))
        .collect();
    format!("{:?} {nodes:?} {}", g.edges(), g.hash())
}

#[test]
fn at_random_things_stay_in_one_place_each() {
    let mut done: BTreeMap<&str, usize> = BTreeMap::new();
    for (seed, scene) in scenes().iter().enumerate() {
        let big = scene.len() > 500;
        let mut dice = Dice(seed as u64);
        let mut t = start(scene);
        assert_eq!(faults(t.world()), Vec::<String>::new());
        for _ in 0..if big { 3_000 } else { 12_000 } {
            let action = some_action(&mut dice, t.world());
            if t.step_anew(action).is_err() {
                continue;
            }
            let world = t.world();
            *done.entry(world.def(action).name).or_default() += 1;
            let none: [String; 0] = [];
            assert_eq!(faults(world), none, "{}", world.line(action));
            assert_eq!(world.hash(), world.graph().hash_from_scratch());
        }
        let (end, last) = (view(t.world()), t.here());
        t.goto(Pos::START);
        assert_eq!(view(t.world()), view(start(scene).world()));
        t.goto(last);
        assert_eq!(view(t.world()), end);
    }
    // Nearly every action must have been possible somewhere, or the walk proved nothing.
    let total: usize = done.values().sum();
    assert!(total > 2_000 && done.len() >= 38, "{total} {done:?}");
}

/// The control: the checks above see the faults that `eai` makes.
#[test]
fn the_published_world_has_such_faults() {
    let scene = &scenes()[0];
    let mut dice = Dice(5);
    let mut t = Timeline::new(World::new(scene, Profile::Eai).unwrap());
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..6_000 {
        let action = some_action(&mut dice, t.world());
        let _ = t.step_anew(action);
    }
    for fault in faults(t.world()) {
        let kind = ["supports", "rooms", "where"]
            .into_iter()
            .find(|k| fault.contains(k));
        *kinds.entry(kind.unwrap_or("other")).or_default() += 1;
    }
    assert!(kinds.len() >= 3, "{kinds:?}");
}

/// Whatever is a missing step has a cure that, followed to its own cures, ends in something one can do now.
#[test]
fn a_missing_step_can_be_made_up_for() {
    let scene = &scenes()[0];
    let mut dice = Dice(11);
    let mut t = start(scene);
    let mut cured: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..6_000 {
        let action = some_action(&mut dice, t.world());
        let Err(refusal) = t.step_anew(action) else {
            continue;
        };
        if !matches!(refusal.kind.code(), Some(0 | 1)) {
            continue;
        }
        let kind = format!("{:?}", refusal.pre);
        let kind = kind.split('(').next().unwrap_or_default().to_owned();
        let mut wanted = cures(t.world(), &refusal);
        let mut ends = wanted.is_empty();
        for _ in 0..12 {
            let Some(next) = wanted.first().copied() else {
                break;
            };
            match t.world().check(next) {
                Ok(_) => {
                    ends = true;
                    break;
                }
                Err(r) => wanted = cures(t.world(), &r),
            }
        }
        assert!(ends, "{}: {refusal:?}", t.world().line(action));
        *cured.entry(kind).or_default() += 1;
    }
    assert!(cured.len() >= 6, "{cured:?}");
}

/// A scene whose rooms no door joins is an open plan; a door of one side blocks nothing.
#[test]
fn without_doors_nothing_blocks() {
    let scene = &scenes()[0];
    let (name, mut nodes, mut edges) = Scene::clone(scene).into_parts();
    let doors: Vec<_> = nodes.iter_mut().filter(|n| &*n.class == "door").collect();
    let ids: Vec<_> = doors.iter().map(|n| n.id).collect();
    for door in doors {
        door.states = door.states.without(state::OPEN).with(state::CLOSED);
    }
    let walk = |scene: Scene| {
        let mut t = start(&Arc::new(scene));
        let bed = t.world().scene().of_class("closet").next().unwrap();
        let (verb, _) = DIALECT.action("WALK").unwrap();
        let b = Ix::NONE;
        t.step(Action { verb, a: bed, b }).is_ok()
    };
    let shut = Scene::new(&DIALECT, name.clone(), nodes.clone(), edges.clone()).unwrap();
    assert!(!walk(shut));
    edges.retain(|e| e.rel != rel::BETWEEN);
    assert!(walk(
        Scene::new(&DIALECT, name.clone(), nodes.clone(), edges.clone()).unwrap()
    ));
    for from in ids {
        let to = nodes[0].id;
        edges.push(vesta::sim::scene::Edge {
            from,
            rel: rel::BETWEEN,
            to,
        });
    }
    assert!(walk(Scene::new(&DIALECT, name, nodes, edges).unwrap()));
}

/// A trace is a fact of its own: among the tags of a file, never among its states, and no part of the published view.
#[test]
fn traces_are_kept_as_tags() {
    use vesta::formats::scene::{SceneFile, write};
    use vesta::sim::digest::digest;
    let scene = &scenes()[0];
    let (name, mut nodes, edges) = Scene::clone(scene).into_parts();
    let apple = nodes
        .iter_mut()
        .find(|n| &*n.class == "food_apple")
        .unwrap();
    let id = apple.id;
    apple.states = apple.states.with(state::CUT).with(state::EATEN);
    apple.tags = vec!["sweet".into()];
    let cut = Scene::new(&DIALECT, name, nodes, edges).unwrap();
    let text = write(&SceneFile::from(cut.clone()));
    assert!(text.contains("\"tags\": [\"sweet\", \"EATEN\", \"CUT\"]"));
    let (again, notes) = read(&DIALECT, "a.json", text.as_bytes(), Which::Initial).unwrap();
    assert_eq!(notes, []);
    let apple = again.scene.get(id).unwrap();
    assert_eq!(apple.states, cut.get(id).unwrap().states);
    assert_eq!(apple.tags, ["sweet".into()]);
    let as_state = text.replace(
        "\"states\": [\"DIRTY\"]",
        "\"states\": [\"DIRTY\", \"CUT\"]",
    );
    let refused = read(&DIALECT, "a.json", as_state.as_bytes(), Which::Initial).unwrap_err();
    assert!(
        refused.to_string().contains("unknown state \"CUT\""),
        "{refused}"
    );
    let digest_of = |scene: &Scene| digest(start(&Arc::new(scene.clone())).world().graph());
    assert_eq!(digest_of(&cut), digest_of(scene));
}
