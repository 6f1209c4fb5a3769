//! What is fair, and that a certificate proves it.

use vesta::arena::house::fair::{Fair, Fairness, Why, holds};
use vesta::arena::house::model::{Disturbance, Moment, Response};
use vesta::plan::branching::Program;

use super::{candidate, disturbance, library, ready, response};

/// What is said of a response to V062's reference plan, with the rest of the test.
fn judged(
    disturbances: Vec<Disturbance>,
    then: impl FnOnce(&Fairness, &mut dyn FnMut(&Fairness) -> bool),
) {
    let library = library();
    let (loaded, mut ground) = ready(&library, "V062");
    let plan = candidate("reference", &loaded.setup.reference);
    let program = Program::new(&plan.plan);
    let answer: Response = response(disturbances);
    let outcome = ground.play(&plan, &answer).unwrap();
    let said = Fair::default().judge(&mut ground, (&program, outcome.is_good()), &answer);
    then(&said, &mut |fairness| {
        let Fairness::Fair(all) = fairness else {
            return false;
        };
        all.iter().all(|c| holds(&mut ground, &program, &answer, c))
    });
}

#[test]
fn a_cat_in_the_drum_can_be_taken_out_again() {
    let cat = disturbance(Moment::After(14), &["cat INSIDE washing_machine"]);
    judged(vec![cat], |said, hold| {
        let Fairness::Fair(all) = said else {
            panic!("{said:?}");
        };
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].at, Moment::After(14));
        assert!(
            all[0].plan.iter().any(|l| l == "[GRAB] <cat> (504)"),
            "{all:?}"
        );
        assert!(hold(said));
        // A certificate that leaves a step out, or ends elsewhere, proves nothing.
        let mut short = all.clone();
        short[0].plan.pop();
        assert!(!hold(&Fairness::Fair(short)));
        let mut other = all.clone();
        other[0].plan.retain(|l| !l.contains("cat"));
        assert!(!hold(&Fairness::Fair(other)));
    });
}

#[test]
fn where_the_plan_comes_through_its_own_way_is_the_certificate() {
    let lamp = disturbance(Moment::After(3), &["magazine ON desk"]);
    let toy = disturbance(Moment::Start, &["toy.276 ON desk"]);
    judged(vec![toy, lamp], |said, hold| {
        let Fairness::Fair(all) = said else {
            panic!("{said:?}");
        };
        let at: Vec<Moment> = all.iter().map(|c| c.at).collect();
        assert_eq!(at, [Moment::Start, Moment::After(3)]);
        assert_eq!(all[1].len(), 21);
        assert!(hold(said));
    });
}

#[test]
fn red_may_not_break_a_rule_itself() {
    let facts = ["fork INSIDE microwave", "microwave:ON"];
    judged(vec![disturbance(Moment::After(4), &facts)], |said, _| {
        assert!(matches!(said, Fairness::Unfair(Why::Breaks(_))), "{said:?}");
    });
}

#[test]
fn nothing_could_answer_the_last_step() {
    let cat = disturbance(Moment::After(24), &["cat INSIDE washing_machine"]);
    judged(vec![cat], |said, _| {
        assert_eq!(*said, Fairness::Unfair(Why::Late));
    });
}

#[test]
fn what_is_so_already_and_what_never_comes_is_idle() {
    let so = disturbance(Moment::After(2), &["washing_machine:OPEN"]);
    let never = disturbance(Moment::After(40), &["cat INSIDE washing_machine"]);
    judged(vec![so, never], |said, _| assert_eq!(*said, Fairness::Idle));
}

#[test]
fn a_task_made_impossible_is_not_fair() {
    // What is nowhere can be had by nobody.
    let library = library();
    let (loaded, mut ground) = ready(&library, "V062");
    let plan = candidate("reference", &loaded.setup.reference);
    let program = Program::new(&plan.plan);
    let graph = ground.world().graph();
    let scene = ground.world().scene();
    let it = scene.of_class("detergent").next().unwrap();
    let edges = graph.edges();
    let edges = edges
        .iter()
        .filter(|(from, _, to)| [*from, *to].contains(&it));
    let facts = edges.map(|(from, rel, to)| {
        let name = |n| scene.node(n).name();
        let rel = scene.dialect().rel_name(*rel);
        format!("!{} {rel} {}", name(*from), name(*to))
    });
    let facts: Vec<String> = facts.collect();
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let gone = response(vec![disturbance(Moment::After(4), &facts)]);
    let said = Fair::default().judge(&mut ground, (&program, false), &gone);
    assert_eq!(said, Fairness::Unfair(Why::NoPlan));
}
