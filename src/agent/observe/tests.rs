//! What is told, whole, of a small flat.

use crate::agent::observe::{Form, Scope, View};
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
