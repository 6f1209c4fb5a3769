//! Plans with branches as text, and walking over them.

use proptest::prelude::*;

use crate::plan::branching::{
    Branching, Guard, Knowledge, Next, Program, Step, knows, print, read,
};
use crate::plan::fact::Fact;
use crate::plan::script::read_line;
use crate::safety::book::Book;
use crate::sim::testing::{act, scene, timeline};
use crate::sim::timeline::Timeline;

fn plan(text: &str) -> Branching {
    read(&scene(), &Book::default(), text).unwrap()
}

fn wrong(text: &str) -> String {
    read(&scene(), &Book::default(), text)
        .unwrap_err()
        .to_string()
}

fn guard(text: &str) -> Guard {
    Guard {
        text: text.to_owned(),
        fact: Fact::read(&scene(), &Book::default(), text).unwrap(),
    }
}

#[test]
fn text_in_both_forms() {
    let text = "
# look first
walk microwave
if knife INSIDE microwave then grab knife; putback knife table
IF  !microwave:OPEN &  ! cup ON plate then
  [OPEN] <microwave> (23)
else
  avoid it is   open
end
stop
";
    let act = |line: &str| Step::Act(read_line(&scene(), line).unwrap());
    let expected = Branching {
        steps: vec![
            act("walk microwave"),
            Step::If {
                all: vec![guard("knife INSIDE microwave")],
                then: vec![act("grab knife"), act("putback knife table")],
                otherwise: vec![],
            },
            Step::If {
                all: vec![guard("!microwave:OPEN"), guard("!cup ON plate")],
                then: vec![act("open microwave")],
                otherwise: vec![Step::Avoid("it is   open".to_owned())],
            },
            Step::Stop,
        ],
    };
    let read = plan(text);
    assert_eq!(read, expected);
    assert_eq!((read.len(), read.branches()), (4, 2));
    assert_eq!(
        print(&scene(), &read),
        "walk microwave
if knife INSIDE microwave then
  grab knife
  putback knife table
end
if !microwave:OPEN & !cup ON plate then
  open microwave
else
  avoid it is open
end
stop
"
    );
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let cases = [
        (
            "walk table\nfly table",
            "line 2 column 1: unknown action \"fly\"",
        ),
        (
            "  if table:OPN then stop",
            "line 1 column 6: unknown state \"OPN\"; did you mean ON?; a branch looks at facts as tasks write them",
        ),
        (
            "if fridge:OPEN then walk table; ",
            "line 1 column 33: a step is missing; write an action, stop, or avoid and why",
        ),
        (
            "if fridge:OPEN\nstop",
            "line 1 column 1: this if has no then; write if FACT then STEP, or if FACT then, steps below it, end",
        ),
        (
            "if fridge:OPEN then\nstop",
            "line 1 column 1: this if is never closed; write end below it",
        ),
        (
            "end",
            "line 1 column 1: there is no if to this end; leave it out",
        ),
        (
            "else",
            "line 1 column 1: there is no if to this else; write the if above it",
        ),
        (
            "if fridge:OPEN then\nelse\nelse",
            "line 3 column 1: this if has an else already; write end to close it",
        ),
        (
            "if fridge:OPEN then\nelse stop",
            "line 2 column 6: nothing may follow else here; write the steps on the lines below",
        ),
        (
            "stop now",
            "line 1 column 6: nothing may follow stop; leave it out",
        ),
        (
            "if fridge:OPEN then if fridge:ON then stop",
            "line 1 column 21: an if cannot stand inside a line; write it on a line of its own, below then",
        ),
        (
            "if fridge:OPEN & fridg:ON then stop",
            "line 1 column 18: no node is called fridg; did you mean fridge?; a branch looks at facts as tasks write them",
        ),
    ];
    for (text, says) in cases {
        assert_eq!(wrong(text), says, "{text}");
    }
    let deep = "if fridge:OPEN then\n".repeat(40);
    assert_eq!(
        wrong(&deep),
        "line 33 column 1: branches stand in each other more than 32 deep; make the plan flatter"
    );
    let long = "stop\n".repeat(10_001);
    assert_eq!(
        wrong(&long),
        "line 10001 column 1: the plan has more than 10000 steps; shorten it"
    );
}

/// The actions of a walk from where a timeline stands, each done.
fn walked(text: &str, t: &mut Timeline) -> (Vec<String>, String) {
    let program = Program::new(&plan(text));
    let mut place = 0;
    let mut done = Vec::new();
    loop {
        match program.next(&mut place, t.world(), &()) {
            Next::Act(action) => {
                done.push(t.world().line(action));
                let _ = t.step(action);
            }
            Next::Stop => return (done, "stop".to_owned()),
            Next::Avoid(why) => return (done, why.to_owned()),
        }
    }
}

#[test]
fn a_walk_takes_the_branch_that_is_seen() {
    let text = "
walk microwave
if microwave:CLOSED then open microwave else close microwave
if microwave:OPEN then
  if plate ON table then stop
  avoid never
end
walk table";
    let (done, end) = walked(text, &mut timeline());
    assert_eq!(done, ["[WALK] <microwave> (23)", "[OPEN] <microwave> (23)"]);
    assert_eq!(end, "stop");
    let (done, end) = walked("if lamp:OFF then stop else avoid it is on", &mut timeline());
    assert_eq!((done.len(), end.as_str()), (0, "it is on"));
    let (done, _) = walked("if lamp:OFF then stop\nwalk lamp", &mut timeline());
    assert_eq!(done.len(), 1);
}

#[test]
fn what_cannot_be_seen_is_not_known() {
    use Knowledge::{Fails, Holds, Unknown};
    let mut t = timeline();
    let know = |t: &Timeline, text: &str| knows(t.world(), &(), &guard(text).fact);
    // In the bedroom: the lamp is here, the table is not, the shirt lies on the bed.
    assert_eq!(know(&t, "lamp:ON"), Holds);
    assert_eq!(know(&t, "!lamp:ON"), Fails);
    assert_eq!(know(&t, "cup ON plate"), Unknown);
    assert_eq!(know(&t, "!cup ON bed"), Holds);
    assert_eq!(know(&t, "!cup ON plate"), Unknown);
    assert_eq!(know(&t, "shirt ON bed"), Holds);
    assert_eq!(know(&t, "shirt ON table"), Fails);
    assert_eq!(know(&t, "character INSIDE bedroom"), Holds);
    assert_eq!(know(&t, "apple INSIDE kitchen"), Unknown);
    act(&mut t, "WALK", &[21]).unwrap();
    // In the kitchen: the fridge is shut, so nobody knows what is in it, nor that a thing is not.
    assert_eq!(know(&t, "cup ON plate"), Holds);
    assert_eq!(know(&t, "milk INSIDE fridge"), Unknown);
    assert_eq!(know(&t, "!knife INSIDE fridge"), Holds);
    assert_eq!(know(&t, "!ghost INSIDE fridge"), Unknown);
    assert_eq!(know(&t, "apple:DIRTY"), Unknown);
    act(&mut t, "OPEN", &[21]).unwrap();
    assert_eq!(know(&t, "milk INSIDE fridge"), Holds);
    assert_eq!(know(&t, "apple:DIRTY"), Holds);
    assert_eq!(know(&t, "!ghost INSIDE fridge"), Holds);
    // What is not known takes the other way.
    let (done, _) = walked("if milk:OPEN then walk bed else walk table", &mut t);
    assert_eq!(done, ["[WALK] <table> (20)"]);
}

fn a_step() -> impl Strategy<Value = Step> {
    let lines = [
        "walk table",
        "grab knife",
        "putin milk fridge",
        "standup",
        "switchon lamp",
        "putback cup plate",
    ];
    let act = (0..lines.len()).prop_map(move |i| Step::Act(read_line(&scene(), lines[i]).unwrap()));
    let avoid =
        "[a-z!;&#.:]{0,6}( [a-z;&]{1,5}){0,3}".prop_map(|t| Step::Avoid(t.trim().to_owned()));
    let leaf = prop_oneof![4 => act, 1 => avoid, 1 => Just(Step::Stop)];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let facts = ["fridge:OPEN", "!knife INSIDE microwave", "cup ON plate"];
        let guards = prop::collection::vec(0..facts.len(), 1..3);
        let guards = guards.prop_map(move |all| all.into_iter().map(|i| guard(facts[i])).collect());
        let steps = || prop::collection::vec(inner.clone(), 0..4);
        (guards, steps(), steps()).prop_map(|(all, then, otherwise)| Step::If {
            all,
            then,
            otherwise,
        })
    })
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(steps in prop::collection::vec(a_step(), 0..6)) {
        let plan = Branching { steps };
        let text = print(&scene(), &plan);
        let again = read(&scene(), &Book::default(), &text);
        prop_assert_eq!(again.as_ref(), Ok(&plan), "{}", text);
    }

    #[test]
    fn no_text_breaks_the_reader(text in "(if |then|else|end|;|&|!|\n| |stop|avoid|walk table|é|fridge:OPEN){0,20}") {
        if let Ok(plan) = read(&scene(), &Book::default(), &text) {
            let again = read(&scene(), &Book::default(), &print(&scene(), &plan)).unwrap();
            prop_assert_eq!(again.steps.len(), plan.steps.len());
        }
    }
}
