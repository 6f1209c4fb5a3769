//! What single actions do, quirks included (numbers as in the list of the specification, section 9).

use pretty_assertions::assert_eq;

use crate::sim::refusal::{Kind, Pre};
use crate::sim::testing::{act, action, acts, facts, timeline};
use crate::sim::virtualhome::DIALECT;

fn refusal(t: &mut crate::sim::timeline::Timeline, name: &str, ids: &[i64]) -> (Kind, String) {
    let r = act(t, name, ids).expect_err("refused");
    (r.kind, r.published(t.world().scene()).unwrap_or_default())
}

#[test]
fn walking_moves_the_agent_and_brings_support_container_and_body_near() {
    let mut t = timeline();
    acts(&mut t, &[("WALK", &[30])]);
    assert_eq!(
        facts(&t, 10),
        [
            "11 CLOSE", "20 CLOSE", "30 CLOSE", "CLOSE 11", "CLOSE 20", "CLOSE 30", "INSIDE 1"
        ]
    );
    acts(&mut t, &[("WALK", &[21])]);
    // An openable target brings what is inside near although it is shut.
    assert_eq!(
        facts(&t, 10),
        [
            "11 CLOSE", "21 CLOSE", "22 CLOSE", "32 CLOSE", "CLOSE 11", "CLOSE 21", "CLOSE 22",
            "CLOSE 32", "INSIDE 1"
        ]
    );
}

#[test]
fn a_held_thing_arrives_in_the_room_that_was_left() {
    let mut t = timeline();
    acts(&mut t, &[("WALK", &[30]), ("GRAB", &[30]), ("WALK", &[26])]);
    assert_eq!(
        facts(&t, 30),
        ["10 CLOSE", "10 HOLDS_RH", "CLOSE 10", "INSIDE 1"]
    );
    acts(&mut t, &[("DROP", &[30])]);
    assert_eq!(
        facts(&t, 30),
        ["10 CLOSE", "CLOSE 10", "INSIDE 1", "INSIDE 2"]
    );
}

#[test]
fn grabbing_takes_off_what_lies_on_it_and_remembers_where_it_was() {
    let mut t = timeline();
    acts(&mut t, &[("WALK", &[34]), ("GRAB", &[34])]);
    assert_eq!(
        facts(&t, 34),
        ["10 CLOSE", "10 HOLDS_RH", "CLOSE 10", "INSIDE 1"]
    );
    assert_eq!(facts(&t, 33), ["INSIDE 1", "ON 20"]);
    acts(&mut t, &[("PUTOBJBACK", &[34])]);
    assert!(facts(&t, 34).contains(&"ON 20".to_owned()));
    assert_eq!(
        refusal(&mut t, "PUTOBJBACK", &[34]),
        (Kind::Uncoded, "<plate> (34) not grabbed".into())
    );
}

#[test]
fn shut_things_are_out_of_reach_one_level_deep() {
    let mut t = timeline();
    acts(&mut t, &[("WALK", &[21])]);
    let r = act(&mut t, "GRAB", &[22]).unwrap_err();
    let ix = |id| {
        t.world()
            .scene()
            .find(crate::sim::vocab::NodeId(id))
            .unwrap()
    };
    // Q13: the record names the box, which is open itself, so the order of steps gets the blame.
    assert_eq!(
        (r.kind, r.pre),
        (Kind::WrongOrder, Pre::NotShutIn(ix(22), ix(21)))
    );
    // Q5: the apple is in an open box in the shut fridge, and that does not count.
    acts(&mut t, &[("WALK", &[31]), ("GRAB", &[31])]);
}

#[test]
fn both_hands_and_no_more() {
    let mut t = timeline();
    acts(&mut t, &[("WALK", &[20]), ("GRAB", &[30]), ("GRAB", &[33])]);
    let text = "<character> (10) does not have a free hand".to_owned();
    assert_eq!(refusal(&mut t, "GRAB", &[37]), (Kind::WrongOrder, text));
    assert_eq!(refusal(&mut t, "GRAB", &[30]).0, Kind::AlreadySo);
}

#[test]
fn sitting_blocks_walking_and_the_seat_stays_taken() {
    let mut t = timeline();
    acts(&mut t, &[("WALK", &[24]), ("SIT", &[24])]);
    assert!(facts(&t, 10).contains(&"FACING 38".to_owned()));
    assert_eq!(
        refusal(&mut t, "WALK", &[20]),
        (Kind::WrongOrder, "<character> (10) is sitting".into())
    );
    acts(&mut t, &[("STANDUP", &[])]);
    assert_eq!(
        refusal(&mut t, "SIT", &[24]),
        (Kind::MissingStep, "Too many things on <chair> (24)".into())
    );
}

#[test]
fn devices() {
    let mut t = timeline();
    acts(&mut t, &[("WALK", &[23])]);
    assert_eq!(
        refusal(&mut t, "CLOSE", &[23]),
        (Kind::AlreadySo, "<microwave> (23) is not open".into())
    );
    acts(
        &mut t,
        &[("OPEN", &[23]), ("SWITCHON", &[23]), ("CLOSE", &[23])],
    );
    assert_eq!(
        refusal(&mut t, "OPEN", &[23]),
        (Kind::AlreadySo, "<microwave> (23) is still on".into())
    );
    // Q18: pulling the plug of a running device succeeds and leaves a code.
    let done = act(&mut t, "PLUGOUT", &[23]).unwrap();
    assert_eq!(done.note.map(|n| n.kind), Some(Kind::AlreadySo));
    assert_eq!(
        facts(&t, 23)
            .iter()
            .filter(|f| !f.contains(' '))
            .collect::<Vec<_>>(),
        ["CLOSED", "ON", "PLUGGED_OUT"]
    );
    acts(&mut t, &[("WALK", &[38])]);
    assert_eq!(
        refusal(&mut t, "SWITCHON", &[38]),
        (Kind::AlreadySo, "<television> (38) is unplugged".into())
    );
}

#[test]
fn pouring_water_empties_the_hand_for_good() {
    let mut t = timeline();
    acts(
        &mut t,
        &[("WALK", &[20]), ("GRAB", &[37]), ("POUR", &[37, 33])],
    );
    assert!(facts(&t, 37).contains(&"INSIDE 33".to_owned()));
    assert_eq!(
        refusal(&mut t, "GRAB", &[37]),
        (Kind::AlreadySo, "<water> (37) already grabbed".into())
    );
}

#[test]
fn crashes_and_silence_of_the_original_are_refusals() {
    let mut t = timeline();
    assert_eq!(
        refusal(&mut t, "LOOKAT_LONG", &[20]),
        (Kind::Crash, String::new())
    );
    assert_eq!(
        refusal(&mut t, "WALK", &[36]),
        (Kind::Uncoded, String::new())
    );
    let (verb, _) = DIALECT.action("RUN").unwrap();
    let ghost = crate::sim::world::Target {
        class: "cat".into(),
        id: crate::sim::vocab::NodeId(999),
    };
    assert_eq!(
        t.world()
            .bind(verb, std::slice::from_ref(&ghost))
            .unwrap_err()
            .kind,
        Kind::Crash
    );
    let (verb, _) = DIALECT.action("GRAB").unwrap();
    let unseen = t.world().bind(verb, &[ghost]).unwrap_err();
    assert_eq!(
        unseen.published(t.world().scene()),
        Some("<cat> (999) cannot be found".into())
    );
}

#[test]
fn every_action_has_a_name_a_sentence_and_its_own_arity() {
    let mut names = std::collections::BTreeSet::new();
    for def in DIALECT.actions {
        assert!(names.insert(def.name), "{} is registered twice", def.name);
        assert!(def.doc.ends_with('.') && def.doc.len() > 8, "{}", def.name);
        let expected = match def.name {
            "PUTBACK" | "PUTIN" | "POUR" => 2,
            "STANDUP" | "SLEEP" | "WAKEUP" => 0,
            _ => 1,
        };
        assert_eq!(def.arity, expected, "{}", def.name);
    }
    assert_eq!(names.len(), 45);
}

#[test]
fn an_action_prints_as_a_program_line() {
    let t = timeline();
    let a = action(t.world().scene(), "PUTIN", &[32, 21]);
    assert_eq!(t.world().line(a), "[PUTIN] <milk> (32) <fridge> (21)");
}
