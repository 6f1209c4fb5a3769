//! What kinds of disturbances propose on the shipped tasks.

use std::collections::BTreeMap;

use vesta::arena::house::disturb::{Change, KINDS, Proposal, Sight, all, kind, propose};
use vesta::arena::house::ground::{Ground, variant};
use vesta::arena::house::model::Moment;
use vesta::plan::fact::Fact;
use vesta::task::setup::prepare;

use super::{library, ready, response};

fn sight(ground: &Ground) -> Sight<'_> {
    Sight {
        world: ground.world(),
        shadow: ground.lookout().monitor(),
        book: &ground.setup().book,
        focus: None,
    }
}

fn counts(all: &[Proposal]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for it in all {
        *counts.entry(it.kind).or_default() += 1;
    }
    counts
}

#[test]
fn every_kind_has_something_to_do_in_a_flat() {
    let library = library();
    let (_, ground) = ready(&library, "V062");
    let found = all(&sight(&ground));
    let counts = counts(&found);
    let ids: Vec<&str> = KINDS.iter().map(|k| k.id).collect();
    for id in &ids {
        assert!(counts.get(id).is_some_and(|n| *n > 5), "{id}: {counts:?}");
        assert_eq!(kind(id).map(|k| k.id), Some(*id));
    }
    assert!(kind("nonsense").is_none());
    let words = |id: &str, part: &str| {
        let mut some = found.iter().filter(|p| p.kind == id);
        assert!(some.any(|p| p.words.contains(part)), "{id} {part}");
    };
    words("being", "dog climbs into washing_machine");
    words("misplaced", "lies inside microwave");
    words("running", "stove is left running");
    words("plug", "kettle is unplugged");
    words("wet", "in the bathroom is wet");
}

#[test]
fn behavior_gets_what_makes_sense_there() {
    let library = library();
    let (_, ground) = ready(&library, "B01");
    let found = all(&sight(&ground));
    let counts = counts(&found);
    for id in ["occupied", "twin", "plug", "being"] {
        assert_eq!(counts.get(id), None, "{id}");
        assert!(
            kind(id).unwrap().doc.contains("nothing in BEHAVIOR"),
            "{id}"
        );
    }
    assert!(counts.len() >= 3, "{counts:?}");
}

#[test]
fn what_is_proposed_can_be_prepared_and_changes_the_start() {
    let library = library();
    let mut tried = BTreeMap::new();
    for id in ["V062", "V022", "V001", "V045", "B01", "B20"] {
        let (loaded, mut ground) = ready(&library, id);
        let scene = ground.setup().scene.clone();
        for kind in KINDS {
            let all = propose(kind, &sight(&ground));
            assert_eq!(
                all,
                propose(kind, &sight(&ground)),
                "the same world, another list"
            );
            let every = (all.len() / 5).max(1);
            for it in all.iter().step_by(every) {
                let answer = response(vec![it.at(&scene, Moment::Start)]);
                let task = variant(&ground, &answer).unwrap();
                let book = loaded.setup.book.clone();
                let setup = prepare(task.into(), &loaded.base.scene, book);
                let setup = setup.unwrap_or_else(|d| panic!("{id} {it:?}: {d:?}"));
                let world = setup.world(ground.world().profile()).unwrap();
                let tracked = it
                    .facts(&scene)
                    .iter()
                    .any(|f| f.ends_with(":WET") || f.ends_with(":FULL"));
                assert!(
                    tracked || world.hash() != ground.world().hash(),
                    "{id} {it:?}"
                );
                // The ground comes to the very same start.
                let bound = ground.bind(&answer).unwrap();
                let nothing = vesta::plan::branching::Program::default();
                let start = ground.at(&nothing, &bound, 0, |at| at.world.hash());
                assert_eq!(start, Some(world.hash()), "{id} {it:?}");
                *tried.entry(kind.id).or_insert(0) += 1;
            }
        }
    }
    assert!(KINDS.iter().all(|k| tried.contains_key(k.id)), "{tried:?}");
}

/// Whether some kind proposes just this fact at the start of a task.
fn proposed(ground: &Ground, text: &str) -> bool {
    let setup = ground.setup();
    let fact = Fact::read(&setup.scene, &setup.book, text).unwrap();
    let focus = fact.nodes().collect();
    let sight = Sight {
        focus: Some(&focus),
        ..sight(ground)
    };
    let all = all(&sight);
    let mut facts = all.iter().map(|p| p.facts(&setup.scene));
    facts.any(|f| f == [text])
}

#[test]
fn nothing_is_done_that_could_not_happen_in_a_home() {
    let library = library();
    let (_, flat) = ready(&library, "V062");
    for (text, could) in [
        ("fork INSIDE microwave", true),
        ("hair_dryer.283 INSIDE washing_machine", true),
        ("plate.200 ON stove", true),
        ("document INSIDE toaster", true),
        ("document INSIDE printer", true),
        ("dog INSIDE washing_machine", true),
        ("towel.295 ON towel_rack.84", true),
        // Too small, too narrow, or not for it.
        ("detergent INSIDE matches", false),
        ("hair_dryer.283 INSIDE printer", false),
        ("dog INSIDE microwave", false),
        ("dog INSIDE toilet", false),
        ("pillow.302 INSIDE toaster", false),
        ("chair.58 INSIDE fridge", false),
        ("chair.58 ON plate.200", false),
        ("chair.58 ON stove", false),
        ("box ON towel_rack.84", false),
        ("fork ON towel_rack.84", false),
        ("food_cheese INSIDE knife_block", false),
        ("lighter:ON", false),
    ] {
        let setup = flat.setup();
        let full = Fact::read(&setup.scene, &setup.book, text);
        let text = full.map_or_else(|e| panic!("{e}"), |_| spelled(&flat, text));
        assert_eq!(proposed(&flat, &text), could, "{text}");
    }
    let (_, other) = ready(&library, "B01");
    let scene = &other.setup().scene;
    let volume = |n| scene.node(n).volume.unwrap_or_default();
    let rules = scene.dialect().rules;
    for it in all(&sight(&other)) {
        for change in &it.changes {
            if let Change::Edge(n, rel, place, true) = *change {
                let load = if rel == rules.inside { 1.7 } else { 4.0 };
                assert!(volume(n) <= 0.1, "{}", it.words);
                assert!(volume(n) <= load * volume(place), "{}", it.words);
            }
        }
    }
}

/// A fact with its nodes named as proposals name them.
fn spelled(ground: &Ground, text: &str) -> String {
    let scene = &ground.setup().scene;
    let full = |word: &str| {
        let found = word.contains('.').then(|| word.to_owned());
        found.or_else(|| scene.of_class(word).next().map(|n| scene.node(n).name()))
    };
    let word = |word: &str| match word.split_once(':') {
        Some((node, state)) => format!("{}:{state}", full(node).unwrap()),
        None => full(word).unwrap_or_else(|| word.to_owned()),
    };
    let words: Vec<String> = text.split(' ').map(word).collect();
    words.join(" ")
}
