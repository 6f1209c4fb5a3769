//! Runs small enough to be judged by hand.

use super::*;
use crate::safety::book::Book;
use crate::safety::testing::FILES;
use crate::sim::scene::{Edge, Node};
use crate::sim::virtualhome::DIALECT;
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::{NodeId, Profile, Props, States};
use std::sync::Arc;

const ME: i64 = 1;
const CUP: i64 = 3;
const LAMP: i64 = 4;

/// A room with a cup and a lamp that is off, both in reach.
fn world() -> World {
    let mut room = Node::new(2, "kitchen");
    room.category = Some("Rooms".into());
    let mut cup = Node::new(CUP, "cup");
    cup.props = Props::of(&[prop::GRABBABLE]);
    let mut lamp = Node::new(LAMP, "lamp");
    lamp.props = Props::of(&[prop::HAS_SWITCH]);
    lamp.states = States::of(&[state::OFF]);
    let edge = |from, rel, to| Edge {
        from: NodeId(from),
        rel,
        to: NodeId(to),
    };
    let mut edges = vec![
        edge(ME, rel::INSIDE, 2),
        edge(CUP, rel::INSIDE, 2),
        edge(LAMP, rel::INSIDE, 2),
    ];
    for near in [CUP, LAMP] {
        edges.push(edge(ME, rel::CLOSE, near));
        edges.push(edge(near, rel::CLOSE, ME));
    }
    let nodes = vec![Node::new(ME, "character"), room, cup, lamp];
    let scene = Scene::new(&DIALECT, "room", nodes, edges).unwrap();
    World::new(&Arc::new(scene), Profile::Eai).unwrap()
}

fn book(formula: &str, facts: &str) -> Book {
    let rule = format!(
        "{facts}\nrule X\n  title: T\n  risk: fire\n  severity: 1\n  grade: core\n  kind: INV\n  says: S.\n  formula: {formula}\n"
    );
    let mut files: Vec<(&str, &str)> = FILES
        .iter()
        .copied()
        .filter(|(n, _)| n.ends_with("ont") || n.ends_with("facts.rules"))
        .collect();
    files.push(("x.rules", &rule));
    let (book, wrong) = Book::load(&files);
    assert_eq!(wrong, []);
    book
}

/// At which positions a formula (of no outer variable) is false, when these actions are done one after the other.
fn false_at(formula: &str, facts: &str, actions: &str) -> Vec<usize> {
    let book = book(&format!("H({formula})"), facts);
    let mut world = world();
    let batch = Batch::new(&book, world.scene(), |_| true);
    let mut trace = batch.begin(&world, &[]);
    for word in actions.split_whitespace() {
        let action = action(&world, word);
        world.apply(action).unwrap();
        trace.push(action, &world, &[]);
    }
    trace.finish();
    (0..=trace.last())
        .filter(|&t| !trace.broken(t).is_empty())
        .collect()
}

/// `on`, `off`, `grab`, `drop`, `look`.
fn action(world: &World, word: &str) -> Action {
    let (name, id) = match word {
        "on" => ("SWITCHON", LAMP),
        "off" => ("SWITCHOFF", LAMP),
        "grab" => ("GRAB", CUP),
        "drop" => ("DROP", CUP),
        _ => ("TOUCH", CUP),
    };
    let (verb, _) = DIALECT.action(name).unwrap();
    let a = world.scene().find(NodeId(id)).unwrap();
    Action {
        verb,
        a,
        b: Ix::NONE,
    }
}

#[test]
fn operators_mean_what_the_manual_says() {
    let on = "(E l:lamp. on(l))";
    let is = |formula: String, actions: &str| false_at(&formula, "", actions);
    // The lamp is on at 1, 2 and 4.
    let run = "on look off on off";
    assert_eq!(is(format!("!{on}"), run), [1, 2, 4]);
    assert_eq!(is(format!("!Y {on}"), run), [2, 3, 5]);
    assert_eq!(is(format!("Y {on}"), run), [0, 1, 4]);
    assert_eq!(is(format!("!O {on}"), run), [1, 2, 3, 4, 5]);
    assert_eq!(is(format!("H !{on}"), run), [1, 2, 3, 4, 5]);
    assert_eq!(is(format!("run({on}) <= 1"), run), [2]);
    assert_eq!(is(format!("run({on}) <= 2"), run), [] as [usize; 0]);
    assert_eq!(is(format!("run(!{on}) <= 0"), run), [0, 3, 5]);
    assert_eq!(is(format!("!({on} S act(SWITCHON))"), run), [1, 2, 4]);
    assert_eq!(is("!start".to_owned(), run), [0]);
    assert_eq!(is("!end".to_owned(), run), [5]);
    assert_eq!(is("!act(SWITCHON|TOUCH)".to_owned(), run), [1, 2, 4]);
    assert_eq!(is("E c:cup. !act(TOUCH,c)".to_owned(), run), [2]);
    assert_eq!(is("A x:cup, y:lamp. x=y".to_owned(), "look"), [0, 1]);
    assert_eq!(
        is(
            "A x:cup|lamp, y:cup|lamp. (x=y -> sameroom(me,x))".to_owned(),
            "look"
        ),
        [] as [usize; 0]
    );
}

#[test]
fn tracked_facts_are_set_reset_held_and_age_in_this_order() {
    let facts = |rest: &str| format!("tracked t\n  means: t\n{rest}");
    let is = |rest: &str, run: &str| false_at("!t", &facts(rest), run);
    let on = "E l:lamp. on(l)";
    assert_eq!(is("  set: act(SWITCHON)\n", "look on off look"), [2, 3, 4]);
    assert_eq!(
        is(
            "  set: act(SWITCHON)\n  reset: act(SWITCHOFF)\n",
            "on off look"
        ),
        [1]
    );
    // Set and reset by the same step: it does not hold.
    assert_eq!(
        is("  set: act(SWITCHON)\n  reset: act(SWITCHON)\n", "on off"),
        [] as [usize; 0]
    );
    // The standing condition wins over the reset.
    assert_eq!(
        is(
            &format!("  reset: act(TOUCH)\n  while: {on}\n"),
            "on look off look"
        ),
        [1, 2, 3]
    );
    // It lasts two steps after it was last made true; position 0 counts for `start`, not for `while`.
    assert_eq!(
        is("  set: act(SWITCHON)\n  lasts: 2\n", "on look look look"),
        [1, 2, 3]
    );
    assert_eq!(is("  start: true\n  lasts: 1\n", "look look"), [0, 1]);
    assert_eq!(is(&format!("  while: !({on})\n"), "look on"), [1, 2]);
}

#[test]
fn an_attempt_is_no_position() {
    let book = book(
        "A c:cup. H(!(act(GRAB,c) & Y held(c)) & run(held(c)) <= 2 & (O act(DROP) -> !act(GRAB)))",
        "",
    );
    let mut world = world();
    let batch = Batch::new(&book, world.scene(), |_| true);
    let grab = action(&world, "grab");
    let look = action(&world, "look");
    let mut trace = batch.begin(&world, &[]);
    // Y reads the current position, where the cup is not held yet.
    assert!(trace.attempt(grab).is_empty());
    world.apply(grab).unwrap();
    trace.push(grab, &world, &[]);
    assert_eq!(trace.attempt(grab).len(), 1);
    assert!(trace.attempt(look).is_empty());
    world.apply(look).unwrap();
    trace.push(look, &world, &[]);
    // Held for two positions; an attempt does not make it three.
    assert!(trace.attempt(look).is_empty());
    world.apply(look).unwrap();
    trace.push(look, &world, &[]);
    assert_eq!(trace.broken(3).len(), 1);
}

#[test]
fn what_is_told_wins_over_what_was_done() {
    let book = book("H !night", "");
    let night = book.tracked_id("night").unwrap();
    let told = |on| Extra {
        fact: night,
        of: [Ix::NONE; 2],
        on,
    };
    let world = world();
    let batch = Batch::new(&book, world.scene(), |_| true);
    let look = action(&world, "look");
    let mut trace = batch.begin(&world, &[told(true)]);
    trace.push(look, &world, &[]);
    trace.push(look, &world, &[told(false)]);
    trace.push(look, &world, &[]);
    let broken: Vec<bool> = (0..=3).map(|t| !trace.broken(t).is_empty()).collect();
    assert_eq!(broken, [true, true, false, false]);
}
