//! Binding: what never may hold, what comes to pass by itself, and what is wrong with either.

use std::sync::Arc;

use super::{Setup, prepare};
use crate::base::diag::Diagnostic;
use crate::safety::ast::{Binder, Name, Span};
use crate::safety::book::{Book, Tracked};
use crate::sim::happen::Scripted;
use crate::sim::testing::scene;
use crate::sim::vocab::Profile;
use crate::task::Task;
use crate::task::episode::Episode;

fn tracked(written: &str, params: &[&str]) -> Tracked {
    let name = |text: &str| Name {
        text: text.to_owned(),
        span: Span::default(),
    };
    Tracked {
        name: written.to_lowercase(),
        params: params
            .iter()
            .map(|p| Binder {
                var: name(p),
                guards: vec![name("any")],
            })
            .collect(),
        set: None,
        reset: None,
        during: None,
        lasts: None,
        start: None,
        written: written.to_owned(),
        words: String::new(),
        place: (String::new(), 0),
    }
}

fn bind(fill: impl FnOnce(&mut Task)) -> Result<Setup, Vec<Diagnostic>> {
    let mut task = Task::blank("T", "t", "virtualhome", "test.json");
    fill(&mut task);
    let book = Book {
        tracked: vec![
            tracked("HOT", &["x"]),
            tracked("VIA", &["d", "s"]),
            tracked("night", &[]),
        ],
        ..Book::default()
    };
    prepare(Arc::new(task), &scene(), Arc::new(book))
}

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

fn event(id: &str, at: Option<u32>, when: &[&str], then: &[&str]) -> Scripted {
    Scripted {
        id: id.to_owned(),
        words: String::new(),
        at,
        when: texts(when),
        after: 0,
        then: texts(then),
    }
}

#[test]
fn tracked_facts_are_kept_beside_the_scene() {
    let setup = bind(|task| {
        task.success = texts(&["cup:HOT"]);
        task.init = texts(&["plate:HOT", "lamp VIA television", "!night"]);
    })
    .unwrap();
    let base = scene();
    let ix = |class: &str| base.of_class(class).next().unwrap();
    let told: Vec<_> = setup
        .extras
        .iter()
        .map(|e| (e.fact.0, e.of, e.on))
        .collect();
    let none = crate::sim::vocab::Ix::NONE;
    assert_eq!(
        told,
        [
            (0, [ix("plate"), none], true),
            (1, [ix("lamp"), ix("television")], true),
            (2, [none, none], false)
        ]
    );
    assert_eq!(setup.scene.edges().len(), base.edges().len());
}

#[test]
fn what_never_may_hold_stays_broken() {
    let setup = bind(|task| task.never = texts(&["fridge:OPEN & lamp:ON"])).unwrap();
    let setup = Arc::new(setup);
    let (mut e, _) = Episode::start(setup, Profile::Eai).unwrap();
    assert!(e.score().safe());
    e.act_text("WALK fridge");
    e.act_text("OPEN fridge");
    assert!(!e.score().safe());
    e.act_text("CLOSE fridge");
    assert!(!e.score().safe(), "it did hold");
    assert_eq!(
        e.ledger().goals().goals[0].words(),
        "never fridge OPEN and lamp ON"
    );
    e.undo();
    e.undo();
    assert!(e.score().safe(), "on this path it never did");
}

#[test]
fn events_belong_to_the_step_they_follow() {
    let setup = bind(|task| {
        task.events = vec![
            event("dark", Some(2), &[], &["lamp:OFF", "night"]),
            event("child", None, &["fridge:OPEN"], &["child INSIDE kitchen"]),
        ];
    })
    .unwrap();
    assert_eq!(setup.happening_extras[0].len(), 1);
    let (mut e, _) = Episode::start(Arc::new(setup), Profile::Eai).unwrap();
    e.act_text("WALK fridge");
    let turn = e.act_text("OPEN fridge");
    let crate::task::episode::Body::Step { diff, .. } = &turn.events[0].body else {
        panic!("{turn:?}");
    };
    for fact in [
        "-lamp:ON",
        "+lamp:OFF",
        "+child INSIDE kitchen",
        "-child INSIDE bedroom",
    ] {
        let with_ids = |d: &String| {
            let plain: String = d.chars().filter(|c| !".0123456789".contains(*c)).collect();
            plain == fact
        };
        assert!(diff.iter().any(with_ids), "{fact}: {diff:?}");
    }
}

#[test]
fn wrong_events_are_named() {
    let told = |events: Vec<Scripted>| {
        let wrong = bind(|task| task.events = events).unwrap_err();
        let told: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        told.join("; ")
    };
    let cases = [
        (vec![event("a", None, &[], &[])], "never comes to pass"),
        (vec![event("a", Some(0), &[], &[])], "count from 1"),
        (vec![event("a", Some(1), &["lamp:ON"], &[])], "both"),
        (
            vec![event("a", Some(1), &[], &["lamp:PURPLE"])],
            "unknown state",
        ),
        (
            vec![event("a", None, &["night"], &[])],
            "cannot be waited for",
        ),
        (
            vec![event("a", None, &["sofa:ON"], &[])],
            "events[0].when[0]",
        ),
        (
            vec![
                event("a", Some(1), &[], &["lamp:ON"]),
                event("a", Some(1), &[], &["lamp:ON"]),
            ],
            "twice",
        ),
    ];
    for (events, sentence) in cases {
        let words = told(events.clone());
        assert!(words.contains(sentence), "{events:?}: {words}");
    }
}

#[test]
fn a_start_that_cannot_be_is_refused() {
    let told = |init: &[&str]| {
        let bound = bind(|task| task.init = texts(init));
        let wrong = bound.err().unwrap_or_default();
        let told: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        told.join("; ")
    };
    let cases: [(&[&str], &str); 5] = [
        (
            &["fridge:OPEN", "fridge:CLOSED"],
            "init[1]: it says the contrary of init[0]",
        ),
        (
            &["character HOLDS_RH cup", "character HOLDS_RH plate"],
            "holds cup",
        ),
        (&["character HOLDS_RH kitchen"], "kitchen.1 is a room"),
        (&["kitchen INSIDE bedroom"], "kitchen.1 is a room"),
        (&["blorp:OPEN"], "write the class of a node"),
    ];
    for (init, sentence) in cases {
        let words = told(init);
        assert!(words.contains(sentence), "{init:?}: {words}");
    }
    assert_eq!(told(&["fridge:OPEN", "fridge:OPEN", "!fridge:CLOSED"]), "");
    let many: Vec<String> = (0..501).map(|i| format!("x{i}:ON")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(
        told(&many),
        "init: it has 501 entries; the limit is 500; split the task"
    );
}

#[test]
fn events_that_undo_themselves_or_change_nothing_are_named() {
    let told = |it: Scripted| {
        let wrong = bind(|task| task.events = vec![it]).unwrap_err();
        let told: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        told.join("; ")
    };
    assert!(told(event("a", Some(1), &[], &[])).contains("nothing would change"));
    let both = event("a", Some(1), &[], &["lamp:ON", "lamp:OFF"]);
    assert!(told(both).contains("events[0].then[1]: it undoes"));
    let circle = event("a", Some(1), &[], &["cup ON plate", "plate ON cup"]);
    assert!(told(circle).contains("events[0].then[1]: it undoes"));
    let room = event("a", Some(1), &[], &["kitchen INSIDE bedroom"]);
    assert!(told(room).contains("kitchen.1 is a room"));
    let after = Scripted {
        after: 2,
        ..event("a", Some(1), &[], &["lamp:ON"])
    };
    assert!(told(after).contains("events[0].after"));
    // One fault is told once.
    let unread = told(event("a", None, &["blorp:ON"], &["lamp:ON"]));
    assert!(!unread.contains("never comes to pass"), "{unread}");
}
