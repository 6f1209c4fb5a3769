//! The world of BEHAVIOR itself: facts and their order, the placement forest, hands, parts, each difference of `strict`; and
//! that undo is identity and the hash is that of the facts, wherever a walk leads.

use std::collections::BTreeSet;

use pretty_assertions::assert_eq;

use super::actions::parts;
use super::facts::{self, has_key, held, is_full, is_named, is_shut, is_under, volume};
use super::words::{rel, state};
use super::{DIALECT, forest, published, view};
use crate::sim::graph::Item;
use crate::sim::refusal::Kind;
use crate::sim::testing::{Dice, nook};
use crate::sim::timeline::{Pos, Timeline};
use crate::sim::vocab::{Ix, Profile};
use crate::sim::world::World;

/// A world with what was done in it.
struct Lab {
    world: World,
}

impl Lab {
    fn of(profile: Profile) -> Self {
        Self {
            world: World::new(&nook(), profile).unwrap(),
        }
    }

    fn at(&self, title: &str) -> Ix {
        published::find(self.world.scene(), title).unwrap_or_else(|| panic!("{title}"))
    }

    /// Does `open cabinet_7`; what came of it: nothing where it succeeded, the exception that broke it off, or the refusal.
    fn act(&mut self, text: &str) -> Option<(Kind, &'static str)> {
        let (verb, objects) = text.split_once(' ').unwrap();
        let action = published::bind(self.world.scene(), &verb.to_uppercase(), objects).unwrap();
        let told = match self.world.apply(action) {
            Ok(note) => note,
            Err(refusal) => Some(refusal),
        };
        told.map(|r| (r.kind, r.template))
    }

    /// Does several, all of which succeed.
    fn all(&mut self, texts: &[&str]) {
        for text in texts {
            assert_eq!(self.act(text), None, "{text}");
        }
    }

    /// All facts about things, as they are kept.
    fn facts(&self) -> BTreeSet<String> {
        let g = self.world.graph();
        let name = |ix| g.scene().short_name(ix);
        let mut all = BTreeSet::new();
        for x in g.scene().indices() {
            let states = g.states(x).iter();
            all.extend(states.map(|s| format!("{} {}", name(x), DIALECT.state_name(s))));
        }
        for (from, rel, to) in edges(&self.world) {
            all.insert(format!("{} {rel} {}", name(from), name(to)));
        }
        all
    }

    /// What an action changes: facts gone, then facts new.
    fn changes(&mut self, text: &str) -> (Option<(Kind, &'static str)>, Vec<String>) {
        let before = self.facts();
        let told = self.act(text);
        let after = self.facts();
        let gone = before.difference(&after).map(|f| format!("- {f}"));
        let new = after.difference(&before).map(|f| format!("+ {f}"));
        (told, gone.chain(new).collect())
    }
}

fn edges(world: &World) -> Vec<(Ix, &'static str, Ix)> {
    let g = world.graph();
    let mut all = Vec::new();
    for from in g.scene().indices() {
        for (to, out, _) in g.around(from) {
            all.extend(out.iter().map(|r| (from, DIALECT.rel_name(r), to)));
        }
    }
    all
}

const CRASH: Kind = Kind::Crash;

#[test]
fn facts_about_things() {
    let mut lab = Lab::of(Profile::Eai);
    let g = lab.world.graph();
    let (cabinet, cup, egg, bowl) = (
        lab.at("cabinet_7"),
        lab.at("cup_14"),
        lab.at("egg_16"),
        lab.at("bowl_11"),
    );
    assert!(has_key(g, cabinet, state::OPEN) && !has_key(g, cup, state::OPEN));
    assert!(is_shut(g, cabinet) && !is_shut(g, bowl));
    assert!((volume(g, cup) - 0.001).abs() < 1e-12);
    assert!(
        volume(g, lab.world.me()).abs() < 1e-12,
        "what has no size is in nobody's way"
    );
    assert!(is_named(g, bowl, "owl_1") && !is_named(g, bowl, "sink"));
    // At any height, and only where the thing fits.
    assert!(is_under(g, egg, &["sink", "countertop"], |_| true));
    assert!(!is_under(g, egg, &["countertop"], |up| up == bowl));
    assert!(
        !is_under(g, bowl, &["bowl"], |_| true),
        "nothing is under itself"
    );
    lab.all(&["right_grasp knife_10"]);
    let me = lab.world.me();
    assert!(!is_full(lab.world.graph(), me));
    lab.all(&["left_grasp rag_15"]);
    assert!(is_full(lab.world.graph(), me));
    let in_hands: Vec<Ix> = held(lab.world.graph(), me).collect();
    assert_eq!(in_hands, [lab.at("knife_10"), lab.at("rag_15")]);
    assert_eq!(
        facts::in_hand(lab.world.graph(), me, facts::LEFT),
        Some(in_hands[1])
    );
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "a table of steps and what they come to"
)]
fn checks_come_in_the_published_order() {
    let mut lab = Lab::of(Profile::Eai);
    let (affordance, missing, so) = (Kind::Affordance, Kind::MissingStep, Kind::AlreadySo);
    for (text, kind, reason) in [
        (
            "right_grasp floor_1",
            affordance,
            "Cannot grasp floor (GRASP)",
        ),
        (
            "right_grasp countertop_2",
            affordance,
            "Object too big to grasp (GRASP)",
        ),
        (
            "right_grasp cup_14",
            missing,
            "Object is inside a closed object",
        ),
        (
            "right_release cup_14",
            so,
            "Robot is not holding anything (RELEASE)",
        ),
        (
            "right_release fridge_4",
            missing,
            "Robot is not holding anything (RELEASE)",
        ),
        (
            "right_place_ontop cup_14",
            missing,
            "Robot is not holding anything (PLACE)",
        ),
        (
            "right_place_inside cabinet_7",
            missing,
            "Robot is not holding anything (PLACE)",
        ),
        (
            "open bowl_11",
            affordance,
            "Object does not have target state (HIGH_LEVEL_ACTION)",
        ),
        (
            "close cabinet_7",
            so,
            "Object's state is already satisfied (HIGH_LEVEL_ACTION)",
        ),
        ("slice apple_18", missing, "No slicer in inventory (SLICE)"),
        ("cook egg_16", missing, "Object not in a cooker (COOK)"),
        (
            "soak rag_15",
            missing,
            "Object not in toggled on sink or in a teapot(SOAK)",
        ),
        (
            "clean egg_16",
            affordance,
            "Object does not have target state (CLEAN)",
        ),
        (
            "clean bowl_11",
            so,
            "Object is not dusty or stained (CLEAN)",
        ),
        (
            "clean countertop_2",
            missing,
            "No soaked cleaner in inventory or object not in toggled on cleaner (CLEAN_STAIN)",
        ),
    ] {
        let (told, changed) = lab.changes(text);
        assert_eq!(told, Some((kind, reason)), "{text}");
        assert_eq!(changed, Vec::<String>::new(), "{text}");
    }
    lab.all(&["right_grasp box_13"]);
    for (text, kind, reason) in [
        ("right_grasp box_13", so, "Object already in hand (GRASP)"),
        (
            "left_grasp box_13",
            so,
            "Object already in other hand (GRASP)",
        ),
        (
            "right_grasp bowl_11",
            missing,
            "Release first before grasp (GRASP)",
        ),
        // Size before shut, both before what is held at all.
        (
            "right_place_inside cup_14",
            affordance,
            "Object too big to place inside target object (PLACE_INSIDE)",
        ),
        (
            "right_place_inside cabinet_7",
            missing,
            "Target object is closed (PLACE_INSIDE)",
        ),
        (
            "right_place_ontop box_13",
            missing,
            "Release target obj first before place (PLACE)",
        ),
        (
            "right_transfer_contents_ontop bowl_11",
            affordance,
            "Only holding one obj in right_hand, nothing to pour",
        ),
    ] {
        assert_eq!(lab.act(text), Some((kind, reason)), "{text}");
    }
    lab.all(&["left_grasp bowl_11"]);
    let full = "Robot's both hands are full (HIGH_LEVEL_ACTION)";
    assert_eq!(lab.act("open cabinet_7"), Some((missing, full)));
}

#[test]
fn the_forest_keeps_order_and_depth() {
    let mut lab = Lab::of(Profile::Eai);
    let (counter, bowl, egg, plum) = (
        lab.at("countertop_2"),
        lab.at("bowl_11"),
        lab.at("egg_16"),
        lab.at("plum_17"),
    );
    let g = lab.world.graph();
    assert_eq!(forest::parent(g, egg), Some((rel::INSIDE, bowl)));
    assert_eq!(forest::parent(g, counter), None, "a floor is no parent");
    let above: Vec<_> = forest::above(g, egg).collect();
    assert_eq!(above, [(rel::INSIDE, bowl), (rel::ONTOP, counter)]);
    assert_eq!(forest::first_child(g, bowl), Some(egg));
    assert!(forest::rides(g, egg, counter) && forest::rides(g, egg, egg));
    assert!(!forest::rides(g, counter, egg));
    // Taken out and put back, the egg is the younger one.
    lab.all(&["right_grasp egg_16", "right_place_inside bowl_11"]);
    let g = lab.world.graph();
    assert_eq!(forest::first_child(g, bowl), Some(plum));
    let mut children: Vec<Ix> = forest::children(g, bowl).collect();
    children.sort_unstable();
    assert_eq!(children, [egg, plum]);
    // Nothing comes to be on or in itself.
    let circle = forest::obstacle(g, bowl, Some(egg)).unwrap();
    assert_eq!(circle.kind, Kind::Hang);
    assert_eq!(forest::obstacle(g, egg, Some(counter)), None);
}

#[test]
fn what_is_put_inside_a_floor_is_lost() {
    let mut lab = Lab::of(Profile::Eai);
    lab.all(&["right_grasp knife_10"]);
    let (told, changed) = lab.changes("right_place_inside floor_1");
    assert_eq!(told, Some((CRASH, "AttributeError")));
    assert_eq!(changed, ["+ knife_10 LOST"]);
    let (g, knife) = (lab.world.graph(), lab.at("knife_10"));
    assert!(forest::is_lost(g, knife));
    // The hand keeps it; every later move in the forest fails where it would begin.
    let (told, changed) = lab.changes("right_place_ontop countertop_2");
    assert_eq!(told, Some((CRASH, "KeyError")));
    assert_eq!(changed, Vec::<String>::new());
    // A plain edge is no move.
    let (told, changed) = lab.changes("right_place_ontop floor_1");
    assert_eq!(told, None);
    assert_eq!(
        changed,
        ["- agent HOLDS_RH knife_10", "+ knife_10 ONFLOOR floor_1"]
    );
}

#[test]
fn hands_take_put_and_let_go() {
    let mut lab = Lab::of(Profile::Eai);
    let (told, changed) = lab.changes("left_grasp bowl_11");
    assert_eq!(told, None);
    // What is in it rides along.
    assert_eq!(
        changed,
        ["- bowl_11 ONTOP countertop_2", "+ agent HOLDS_LH bowl_11"]
    );
    let (_, changed) = lab.changes("left_place_nextto box_13");
    assert_eq!(
        changed,
        [
            "- agent HOLDS_LH bowl_11",
            "+ bowl_11 NEXTTO box_13",
            "+ bowl_11 ONTOP countertop_2",
            "+ box_13 NEXTTO bowl_11",
        ]
    );
    // One label a pair: under takes the place of beside, one way.
    lab.all(&["right_grasp bowl_11"]);
    let (_, changed) = lab.changes("right_place_under box_13");
    assert_eq!(
        changed,
        [
            "- agent HOLDS_RH bowl_11",
            "+ bowl_11 ONTOP countertop_2",
            "+ bowl_11 UNDER box_13",
        ]
    );
    lab.all(&["right_grasp bowl_11"]);
    let (_, changed) = lab.changes("right_place_nextto_ontop box_13,floor_1");
    assert_eq!(
        changed,
        [
            "- agent HOLDS_RH bowl_11",
            "+ bowl_11 NEXTTO box_13",
            "+ bowl_11 ONFLOOR floor_1",
            "+ box_13 NEXTTO bowl_11",
        ]
    );
    // Let go, it is nowhere.
    lab.all(&["right_grasp bowl_11"]);
    let (_, changed) = lab.changes("right_release bowl_11");
    assert_eq!(changed, ["- agent HOLDS_RH bowl_11"]);
    // What is five times as large falls off.
    lab.all(&[
        "open cabinet_7",
        "right_grasp cup_14",
        "right_place_ontop egg_16",
        "right_grasp egg_16",
    ]);
    let cup = lab.at("cup_14");
    assert_eq!(forest::parent(lab.world.graph(), cup), None);
}

#[test]
fn pouring_breaks_off_after_the_first_thing() {
    let mut lab = Lab::of(Profile::Eai);
    lab.all(&["right_grasp bowl_11"]);
    let (told, changed) = lab.changes("right_transfer_contents_inside saucepan_12");
    assert_eq!(told, Some((CRASH, "RuntimeError")));
    assert_eq!(
        changed,
        ["- egg_16 INSIDE bowl_11", "+ egg_16 INSIDE saucepan_12"]
    );
    let (told, changed) = lab.changes("right_transfer_contents_ontop countertop_2");
    assert_eq!(told, Some((CRASH, "RuntimeError")));
    assert_eq!(
        changed,
        ["- plum_17 INSIDE bowl_11", "+ plum_17 ONTOP countertop_2"]
    );
    assert_eq!(
        lab.act("right_transfer_contents_inside saucepan_12"),
        None,
        "empty"
    );
}

#[test]
fn a_thing_that_was_cut_is_seen_through_its_parts() {
    let mut lab = Lab::of(Profile::Eai);
    let (apple, first, second) = (
        lab.at("apple_18"),
        lab.at("apple_part_19"),
        lab.at("apple_part_20"),
    );
    assert_eq!(parts(lab.world.graph(), apple), [first, second]);
    lab.all(&["freeze apple_18", "right_grasp knife_10"]);
    let (told, changed) = lab.changes("slice apple_18");
    assert_eq!(told, None);
    assert_eq!(
        changed,
        [
            "- apple_18 ONTOP countertop_2",
            "+ apple_18 SLICED",
            "+ apple_part_19 FROZEN",
            "+ apple_part_19 ONTOP countertop_2",
            "+ apple_part_19 SLICED",
            "+ apple_part_20 FROZEN",
            "+ apple_part_20 ONTOP countertop_2",
            "+ apple_part_20 SLICED",
        ]
    );
    let sliced = "Object is sliced, you need to interact with parts of it";
    assert_eq!(
        lab.act("unfreeze apple_18"),
        Some((Kind::Affordance, sliced))
    );
    let seen = |lab: &Lab| {
        let (g, counter) = (lab.world.graph(), lab.at("countertop_2"));
        (
            view::has_state(g, apple, state::FROZEN),
            view::holds(g, apple, rel::ONTOP, counter),
        )
    };
    assert_eq!(seen(&lab), (true, true));
    // It is where both are, and what both are.
    lab.all(&["unfreeze apple_part_19"]);
    assert_eq!(seen(&lab), (false, true));
    lab.all(&["left_grasp apple_part_20", "left_place_inside bowl_11"]);
    assert_eq!(seen(&lab), (false, false));
}

#[test]
fn parts_of_a_whole_thing_are_pulled_back_when_it_is_cut() {
    let mut lab = Lab::of(Profile::Eai);
    lab.all(&[
        "left_grasp apple_part_19",
        "left_place_inside saucepan_12",
        "cook apple_part_19",
        "right_grasp knife_10",
        "slice apple_18",
    ]);
    let (g, part) = (lab.world.graph(), lab.at("apple_part_19"));
    assert_eq!(
        forest::parent(g, part),
        Some((rel::ONTOP, lab.at("countertop_2")))
    );
    assert!(
        !g.states(part).has(state::COOKED),
        "the whole's states count"
    );
}

/// What `strict` makes of the same steps, one by one.
#[test]
#[expect(
    clippy::too_many_lines,
    reason = "a table of steps and what they come to"
)]
fn strict_closes_each_hole() {
    for (id, steps, eai, strict) in [
        (
            "release-falls",
            &["right_grasp knife_10", "right_release knife_10"][..],
            &["- agent HOLDS_RH knife_10"][..],
            &["- agent HOLDS_RH knife_10", "+ knife_10 ONFLOOR floor_1"][..],
        ),
        (
            "contents-poured",
            &[
                "right_grasp bowl_11",
                "right_transfer_contents_inside saucepan_12",
            ],
            &["- egg_16 INSIDE bowl_11", "+ egg_16 INSIDE saucepan_12"],
            &[
                "- egg_16 INSIDE bowl_11",
                "- plum_17 INSIDE bowl_11",
                "+ egg_16 INSIDE saucepan_12",
                "+ plum_17 INSIDE saucepan_12",
            ],
        ),
        (
            "floor-inside",
            &["right_grasp knife_10", "right_place_inside floor_1"],
            &["+ knife_10 LOST"],
            &[],
        ),
        (
            "parts-after-slicing",
            &["right_grasp apple_part_19"],
            &["+ agent HOLDS_RH apple_part_19"],
            &[],
        ),
        (
            "cook-needs-heat",
            &[
                "right_grasp egg_16",
                "right_place_inside saucepan_12",
                "cook egg_16",
            ],
            &["+ egg_16 COOKED"],
            &[],
        ),
        (
            "freeze-needs-cold",
            &["freeze egg_16"],
            &["+ egg_16 FROZEN"],
            &[],
        ),
        (
            "dishwasher-whole-load",
            &[
                "open cabinet_7",
                "right_grasp cup_14",
                "right_place_ontop box_13",
                "right_grasp box_13",
                "open dishwasher_6",
                "right_place_inside dishwasher_6",
                "close dishwasher_6",
                "toggle_on dishwasher_6",
            ],
            &["+ dishwasher_6 TOGGLED_ON"],
            &["- cup_14 STAINED", "+ dishwasher_6 TOGGLED_ON"],
        ),
    ] {
        assert!(
            DIALECT.differences().any(|d| d.id == id),
            "{id} is told as a difference"
        );
        for (profile, expected) in [(Profile::Eai, eai), (Profile::Strict, strict)] {
            let mut lab = Lab::of(profile);
            let (last, before) = steps.split_last().unwrap();
            lab.all(before);
            let (told, changed) = lab.changes(last);
            assert_eq!(changed, expected, "{id} in {}", profile.id());
            let refused = told.is_some_and(|(kind, _)| kind != CRASH);
            assert_eq!(
                refused,
                expected.is_empty(),
                "{id} in {}: {told:?}",
                profile.id()
            );
        }
    }
}

#[test]
fn strict_sees_what_is_inside_at_any_depth() {
    for (profile, deep) in [(Profile::Eai, false), (Profile::Strict, true)] {
        let mut lab = Lab::of(profile);
        lab.all(&[
            "open fridge_4",
            "right_grasp bowl_11",
            "right_place_inside fridge_4",
        ]);
        let g = lab.world.graph();
        let (egg, fridge) = (lab.at("egg_16"), lab.at("fridge_4"));
        assert_eq!(view::holds(g, egg, rel::INSIDE, fridge), deep);
        assert!(view::holds(g, egg, rel::INSIDE, lab.at("bowl_11")));
        // Thawed and frozen where it is cold, and nowhere else.
        if profile == Profile::Strict {
            lab.all(&["freeze egg_16"]);
            let (told, _) = lab.changes("unfreeze egg_16");
            assert!(told.is_some());
        }
    }
}

#[test]
fn strict_makes_no_circles() {
    let steps = [
        "right_grasp apple_18",
        "right_place_ontop apple_part_19",
        "right_grasp knife_10",
        "slice apple_18",
    ];
    let run = |profile| {
        let mut lab = Lab::of(profile);
        steps.map(|s| lab.act(s).map(|(kind, _)| kind))
    };
    assert_eq!(run(Profile::Eai), [None, None, None, Some(Kind::Hang)]);
    let strict = run(Profile::Strict);
    assert_eq!(strict[0], None);
    assert!(
        strict[1].is_some() && !strict.contains(&Some(Kind::Hang)),
        "{strict:?}"
    );
}

/// Everything there is to a state.
fn whole(world: &World) -> String {
    let g = world.graph();
    let nodes = g.scene().indices();
    let nodes: Vec<_> = nodes.map(|ix| (g.states(ix), g.memo(ix))).collect();
    format!("{:?} {nodes:?} {}", g.edges(), g.hash())
}

#[test]
fn undo_is_identity_and_the_hash_is_that_of_the_facts() {
    for &profile in Profile::ALL {
        let (mut done, mut broken) = (0, 0);
        for seed in 0..20 {
            let mut dice = Dice(seed);
            let mut world = World::new(&nook(), profile).unwrap();
            let mut log: Vec<(String, Vec<Item>, crate::base::fold::StateHash)> = Vec::new();
            for _ in 0..400 {
                let action = dice.action(world.scene());
                let (before, hash) = (whole(&world), world.hash());
                match world.apply(action) {
                    Ok(note) => {
                        done += 1;
                        broken += usize::from(note.is_some_and(|n| n.kind == CRASH));
                        let items = world.graph().last_items().to_vec();
                        log.push((before, items, hash));
                    }
                    Err(_) => assert_eq!(whole(&world), before, "{}", world.line(action)),
                }
                let g = world.graph();
                assert_eq!(g.hash(), g.hash_from_scratch(), "{}", world.line(action));
            }
            while let Some((before, items, hash)) = log.pop() {
                world.take_back(&items, hash);
                assert_eq!(whole(&world), before);
            }
            assert_eq!(whole(&world), whole(&World::new(&nook(), profile).unwrap()));
        }
        assert!(done > 500, "{done} in {}", profile.id());
        assert_eq!(
            broken > 5,
            profile == Profile::Eai,
            "{broken} in {}",
            profile.id()
        );
    }
}

#[test]
fn any_walk_through_history_equals_a_fresh_replay() {
    for &profile in Profile::ALL {
        let mut dice = Dice(5);
        let scene = nook();
        let mut t = Timeline::new(World::new(&scene, profile).unwrap());
        for _ in 0..900 {
            match dice.below(12) {
                0 => drop(t.undo()),
                1 => drop(t.redo()),
                2 => drop(t.goto(Pos(dice.below(t.len()) as u32))),
                _ => drop((0..40).find(|_| t.step(dice.action(&scene)).is_ok())),
            }
        }
        assert!(t.len() > 300, "{}", t.len());
        for pos in (0..t.len() as u32).step_by(7).map(Pos) {
            let mut fresh = World::new(&scene, profile).unwrap();
            for action in t.path(pos).into_iter().filter_map(|p| t.action(p)) {
                fresh.apply(action).unwrap();
            }
            t.goto(pos);
            assert_eq!(whole(t.world()), whole(&fresh), "s{}", pos.0);
        }
    }
}
