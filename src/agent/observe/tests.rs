//! What is told, whole, of a small flat.

use crate::agent::observe::{Form, Scope, View, heard};
use crate::plan::script::read_line;
use crate::sim::testing::scene;
use crate::sim::vocab::Profile;
use crate::sim::world::World;

fn world() -> World {
    World::new(&scene(), Profile::Eai).unwrap()
}

fn step(world: &mut World, line: &str) {
    let action = read_line(world.scene(), line).unwrap();
    world.apply(action).unwrap();
}

#[test]
fn the_room_is_told_in_every_form() {
    let view = View::of(&world(), Scope::Room);
    let all: Vec<String> = Form::ALL.into_iter().map(|f| view.text(f)).collect();
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn what_is_shut_away_or_out_of_reach_is_not_told() {
    let mut world = world();
    step(&mut world, "walk kitchen");
    let sees = |world: &World, scope, name: &str| {
        let ix = crate::plan::names::resolve(world.scene(), name).unwrap();
        View::of(world, scope).sees(ix)
    };
    // In the closed fridge, or inside the open box inside it.
    assert!(sees(&world, Scope::Full, "milk"));
    assert!(!sees(&world, Scope::Room, "milk"));
    assert!(!sees(&world, Scope::Room, "apple"));
    // In the room, but not within reach; in another room.
    assert!(sees(&world, Scope::Room, "knife"));
    assert!(!sees(&world, Scope::Near, "microwave"));
    assert!(!sees(&world, Scope::Room, "lamp"));
    step(&mut world, "walk fridge");
    step(&mut world, "open fridge");
    assert!(sees(&world, Scope::Room, "milk"));
    assert!(sees(&world, Scope::Near, "fridge"));
    assert!(sees(&world, Scope::Near, "bedroom"));
}

#[test]
fn only_what_is_new_is_told() {
    let mut world = world();
    step(&mut world, "walk fridge");
    let before = View::of(&world, Scope::Room);
    step(&mut world, "open fridge");
    let opened = View::of(&world, Scope::Room);
    let told: Vec<String> = Form::ALL
        .into_iter()
        .map(|form| opened.news(&opened.since(&before), form))
        .collect();
    insta::assert_snapshot!(told.join("\n\n"));
    assert!(opened.since(&opened).is_empty());
    step(&mut world, "walk bedroom");
    let gone = View::of(&world, Scope::Room);
    // The milk did not leave the fridge because one left the kitchen.
    let news = gone.since(&opened);
    let lost: Vec<String> = news.lost.iter().map(|&f| gone.written(f)).collect();
    assert_eq!(lost, ["character INSIDE kitchen"]);
}

#[test]
fn the_other_world_is_told_by_its_own_descriptions() {
    let world = World::new(&crate::sim::testing::nook(), Profile::Strict).unwrap();
    let view = View::of(&world, Scope::Room);
    insta::assert_snapshot!(format!(
        "{}\n\n{}",
        view.text(Form::Text),
        view.text(Form::Facts)
    ));
}

#[test]
fn what_is_told_is_heard_again_and_never_denied() {
    let flat = world();
    let nook = World::new(&crate::sim::testing::nook(), Profile::Strict).unwrap();
    for world in [flat, nook] {
        let view = View::of(&world, Scope::Room);
        for form in Form::ALL {
            let text = format!("What there is:\n{}", view.text(form));
            let claims = heard::claims(world.scene(), world.me(), &text);
            assert!(claims.len() > 4, "{form:?}: {claims:?}");
            assert_eq!(heard::denied(&world, &text), [], "{form:?}");
        }
    }
}

#[test]
fn what_is_not_so_any_more_is_denied_and_what_is_not_understood_is_not() {
    let mut world = world();
    step(&mut world, "walk fridge");
    let before = View::of(&world, Scope::Room);
    step(&mut world, "open fridge");
    let told = |text: &str| -> Vec<String> {
        let all = heard::denied(&world, text);
        let one = |d: &heard::Denied| format!("{} | {}", d.said, d.world);
        all.iter().map(one).collect()
    };
    for form in Form::ALL {
        assert_eq!(
            told(&before.text(form)),
            ["fridge CLOSED | OPEN"],
            "{form:?}"
        );
    }
    let opened = View::of(&world, Scope::Room);
    for form in Form::ALL {
        assert_eq!(told(&opened.news(&opened.since(&before), form)), [""; 0]);
        let back = before.news(&before.since(&opened), form);
        let first = told(&back).into_iter().next();
        assert_eq!(first.as_deref(), Some("fridge CLOSED | OPEN"), "{form:?}");
    }
    // Plain sentences count as well; wishes, rules and what names nothing known do not.
    assert_eq!(told("The fridge is closed."), ["fridge CLOSED | OPEN"]);
    assert_eq!(told("milk is on table"), ["milk ON table | not ON table"]);
    assert_eq!(told("You hold milk."), ["you HOLD milk | not held"]);
    let none: [&str; 0] = [];
    assert_eq!(told("In the end this must hold:\nfridge:CLOSED"), none);
    assert_eq!(told("fridge:CLOSED"), none);
    assert_eq!(told("The fridge seems closed.\nfridge is closed"), none);
    assert_eq!(told("the unicorn is closed"), none);
}
