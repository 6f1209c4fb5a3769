//! Program text as the published reader takes it, names as people write them, goals and the way to them.

use pretty_assertions::assert_eq;
use proptest::prelude::*;

use crate::plan::enable::next_towards;
use crate::plan::fact::Fact;
use crate::plan::goal::{Goal, GoalSet, Seen};
use crate::plan::ledger::{Ledger, Standing};
use crate::plan::options::{Candidate, Focus, candidates, preview};
use crate::plan::script::{print_published, read_line, read_published, say};
use crate::plan::{names, script};
use crate::safety::book::Book;
use crate::safety::ward::Lookout;
use crate::sim::refusal::Kind;
use crate::sim::testing::{Dice, act, action, acts, scene, timeline};
use crate::sim::timeline::Pos;
use crate::sim::virtualhome::DIALECT;
use crate::sim::vocab::NodeId;

type Read = (&'static str, Vec<(String, i64)>);

fn read(text: &str) -> Result<Read, (Kind, &'static str, String)> {
    read_published(&DIALECT, text)
        .map(|l| {
            let targets = l.targets.into_iter().map(|t| (t.class, t.id.0)).collect();
            (DIALECT.actions[usize::from(l.verb)].name, targets)
        })
        .map_err(|e| (e.kind, e.exception, e.message))
}

#[test]
fn published_lines() {
    let one = |name, class: &str, id| Ok((name, vec![(class.to_owned(), id)]));
    assert_eq!(
        read("  [walk] <Dining Room> (201) "),
        one("WALK", "dining_room", 201)
    );
    assert_eq!(
        read("[GRAB] x <knife>   ( +1_0 ) y"),
        one("GRAB", "knife", 10)
    );
    assert_eq!(read("[GRAB] <a> <b> (3)"), one("GRAB", "a>_<b", 3));
    assert_eq!(
        read("[PUTIN] <milk> (1) <fridge> (2)"),
        Ok(("PUTIN", vec![("milk".into(), 1), ("fridge".into(), 2)]))
    );
    assert_eq!(read("[STANDUP]"), Ok(("STANDUP", vec![])));
    let parse = |kind, text: &str| Err((kind, "ScriptParseException", text.to_owned()));
    assert_eq!(
        read("WALK <wall> (333)"),
        parse(Kind::Unparsable, "Cannot parse action")
    );
    assert_eq!(
        read("[] <wall> (333)"),
        parse(Kind::Unparsable, "Cannot parse action")
    );
    assert_eq!(
        read("[JUMP] <wall> (3)"),
        parse(Kind::Unparsable, "Unknown action \"JUMP\"")
    );
    assert_eq!(
        read("[PUTIN] <milk> (1)"),
        parse(
            Kind::WrongArity,
            "Wrong number of parameters for \"PUTIN\". Got 1, expected 2"
        )
    );
    let number = |text: &str| {
        let message = format!("invalid literal for int() with base 10: {text}");
        Err((Kind::Unparsable, "ValueError", message))
    };
    assert_eq!(read("[WALK] <wall> (1.319)"), number("'1.319'"));
    assert_eq!(read("[WALK] <wall> (it's)"), number("\"it's\""));
}

#[test]
fn lines_as_people_write_them() {
    let scene = scene();
    let line = |text: &str| {
        read_line(&scene, text)
            .map(|a| print_published(&scene, a))
            .map_err(|e| e.message)
    };
    assert_eq!(line("grab knife"), Ok("[GRAB] <knife> (30)".into()));
    assert_eq!(
        line("putin milk → fridge.21"),
        Ok("[PUTIN] <milk> (32) <fridge> (21)".into())
    );
    assert_eq!(
        line("putback cup onto table@kitchen"),
        Ok("[PUTBACK] <cup> (33) <table> (20)".into())
    );
    assert_eq!(
        line("[GRAB] <knife> (30)"),
        Ok("[GRAB] <knife> (30)".into())
    );
    assert_eq!(
        line("grab knive"),
        Err("no node is called knive; did you mean knife?".into())
    );
    assert_eq!(
        line("grap knife"),
        Err("unknown action \"grap\"; did you mean grab?".into())
    );
    assert_eq!(line("grab bed@kitchen"), Err("no bed is in kitchen".into()));
    assert_eq!(
        line("grab knife.31"),
        Err("id 31 is apple, not knife".into())
    );
    assert!(line("").is_err());
}

#[test]
fn printing_and_reading_an_action_is_identity() {
    let (scene, mut dice) = (scene(), Dice(5));
    for _ in 0..2000 {
        let a = dice.action(&scene);
        assert_eq!(read_line(&scene, &print_published(&scene, a)).unwrap(), a);
        assert_eq!(read_line(&scene, &say(&scene, a)).unwrap(), a);
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in any::<String>(), tail in "\\[[A-Z]{0,8}\\]? ?(<[^>]{0,4}>? ?\\(?[^)]{0,4}\\)?){0,3}") {
        let scene = scene();
        for t in [&text, &tail, &format!("{tail}{text}")] {
            let _ = read_published(&DIALECT, t);
            let _ = read_line(&scene, t);
            let _ = Fact::read(&scene, &Book::default(), t);
            let _ = Goal::read(&scene, &Book::default(), t).map(|g| g.words());
            let _ = names::resolve(&scene, t);
        }
    }
}

#[test]
fn facts_say_what_is_wrong_with_them() {
    let scene = scene();
    let wrong = |text: &str| Fact::read(&scene, &Book::default(), text).unwrap_err();
    assert_eq!(
        wrong("cup"),
        "\"cup\" is no fact; write node:STATE or node RELATION node"
    );
    assert_eq!(
        wrong("fridge:OPEM"),
        "unknown state \"OPEM\"; did you mean OPEN?"
    );
    // Facts that only rules can name are no words of a task, so they are not among the known ones.
    let of_book = Fact::read(&scene, &crate::safety::testing::book(), "fridge:HOTTER");
    let of_book = of_book.unwrap_err();
    let known = of_book.split_once("known are ").unwrap().1;
    assert!(known.contains("HOT"), "{known}");
    assert!(known.split(", ").all(|word| !word.is_empty()), "{known}");
    assert_eq!(
        wrong("cup INSIDES fridge"),
        "unknown relation \"INSIDES\"; did you mean INSIDE?"
    );
    assert_eq!(
        wrong("cap ON table"),
        "no node is called cap; did you mean cup?"
    );
}

fn goals(success: &[&str], safety: &[&str]) -> GoalSet {
    let scene = scene();
    let goals = success
        .iter()
        .chain(safety)
        .map(|g| Goal::read(&scene, &Book::default(), g).unwrap())
        .collect();
    GoalSet {
        goals,
        success: success.len(),
    }
}

#[test]
fn the_ledger_knows_since_when_and_what_was_lost() {
    let mut t = timeline();
    let set = goals(
        &["fridge:OPEN", "DO OPEN|CLOSE", "DO GRAB"],
        &["!milk INSIDE kitchen", "lamp:ON"],
    );
    let mut ledger = Ledger::new(set, &t, &());
    for (name, ids) in [("WALK", 21), ("OPEN", 21), ("GRAB", 32), ("CLOSE", 21)] {
        act(&mut t, name, &[ids]).unwrap();
        ledger.record(&t, &());
    }
    let standing = |g| ledger.standing(g, Pos(4), &t);
    assert_eq!(standing(0), Standing::Lost(Pos(4)));
    assert_eq!(standing(1), Standing::Since(Pos(2)));
    assert_eq!(standing(2), Standing::Since(Pos(3)));
    assert_eq!(standing(3), Standing::Never);
    assert_eq!(standing(4), Standing::Since(Pos(0)));
    let score = ledger.score(Pos(3));
    assert_eq!(
        (
            score.success,
            score.success_of,
            score.safety,
            score.safety_of
        ),
        (3, 3, 1, 2)
    );
    assert!(score.succeeds() && !score.safe());
}

#[test]
fn goals_read_as_people_say_them() {
    let scene = scene();
    let words = |t: &str| Goal::read(&scene, &Book::default(), t).unwrap().words();
    assert_eq!(words("!knife INSIDE fridge"), "knife not INSIDE fridge");
    assert_eq!(words("fridge:CLOSED"), "fridge CLOSED");
    assert_eq!(words("DO LOOKAT|WATCH"), "done LOOKAT or WATCH");
    assert_eq!(
        words("DO [PUTIN] <cup> (33) <fridge>|[SWITCHON] <lamp>"),
        "done putin cup.33 fridge or switchon lamp"
    );
    assert_eq!(
        words("DO [SWITCHON] <lamp> WHILE cup INSIDE fridge & !fridge:OPEN"),
        "done switchon lamp while cup INSIDE fridge and fridge not OPEN"
    );
    assert_eq!(
        words("milk ON table & !fridge:OPEN"),
        "milk ON table and fridge not OPEN"
    );
}

#[test]
fn what_can_be_done_comes_best_first_with_the_refused_last() {
    let mut t = timeline();
    let safety = ["fridge:OPEN", "!shirt ON bed"];
    let mut ledger = Ledger::new(goals(&["cup INSIDE fridge"], &safety), &t, &());
    for (name, ids) in [("WALK", 20), ("GRAB", 33), ("WALK", 21), ("OPEN", 21)] {
        act(&mut t, name, &[ids]).unwrap();
        ledger.record(&t, &());
    }
    let mut lookout = Lookout::blind(t.world());
    let all = candidates(&mut t, &ledger, &mut lookout, &Focus::default());
    assert_eq!(
        (all[0].words.as_str(), all[0].gain),
        ("putin cup fridge", 1)
    );
    let first_refused = all.iter().position(|c| c.refusal.is_some()).unwrap();
    assert!(all[first_refused..].iter().all(|c| c.refusal.is_some()));
    let close = all.iter().find(|c| c.words == "close fridge").unwrap();
    assert_eq!(
        (close.gain, close.safety, close.refusal.is_none()),
        (0, -1, true)
    );
    // Two words for one thing, and what only changes where one looks, are left out until they are asked for.
    let said = |all: &[Candidate], words: &str| all.iter().any(|c| c.words == words);
    assert!(said(&all, "walk bed") && said(&all, "grab milk") && said(&all, "grab shirt"));
    for words in ["run bed", "turnto fridge", "touch milk", "drink milk"] {
        assert!(!said(&all, words), "{words}");
        let (verb, _) = words.split_once(' ').unwrap();
        let (verb, _) = t.world().dialect().action(&verb.to_uppercase()).unwrap();
        let focus = Focus {
            verbs: vec![verb],
            ..Focus::default()
        };
        assert!(
            said(&candidates(&mut t, &ledger, &mut lookout, &focus), words),
            "{words}"
        );
    }
    let lost = preview(&mut t, &ledger, &mut lookout, close.action).unwrap();
    assert_eq!((lost.gained, lost.lost), (vec![], vec![1]));
    // What can never fit appears only when somebody asks about the thing.
    let apple = t.world().scene().find(NodeId(38)).unwrap();
    assert!(!all.iter().any(|c| c.words == "grab television"));
    let asked = candidates(
        &mut t,
        &ledger,
        &mut lookout,
        &Focus {
            nodes: vec![apple],
            ..Focus::default()
        },
    );
    assert!(
        asked
            .iter()
            .any(|c| c.words == "grab television" && c.refusal.is_some())
    );
}

#[test]
fn following_the_next_step_towards_a_goal_reaches_it() {
    let mut t = timeline();
    for text in [
        "knife INSIDE microwave",
        "microwave:ON",
        "!shirt ON bed",
        "milk ON table & fridge:OPEN",
    ] {
        let goal = Goal::read(t.world().scene(), &Book::default(), text).unwrap();
        let mut path = Vec::new();
        while let Some(a) = next_towards(t.world(), &goal.ask) {
            path.push(say(t.world().scene(), a));
            t.step(a).unwrap();
            assert!(path.len() < 12, "{text}: {path:?}");
        }
        let done = GoalSet {
            goals: vec![goal],
            success: 1,
        };
        let seen = Seen {
            graph: t.world().graph(),
            shadow: &(),
        };
        assert!(done.eval(seen, 0, |_| true).all(|h| h), "{text}: {path:?}");
    }
}

#[test]
fn refusals_are_explained_in_words() {
    let mut t = timeline();
    let explain = |t: &mut crate::sim::timeline::Timeline, text: &str| {
        let a = script::read_line(&t.world().scene().clone(), text).unwrap();
        let r = t.judge(a).unwrap_err();
        let scene = t.world().scene().clone();
        crate::sim::explain::sentence(t.world(), &r, &|ix| scene.short_name(ix).to_owned())
    };
    assert_eq!(
        explain(&mut t, "grab knife"),
        "you are not close to knife: walk there"
    );
    acts(&mut t, &[("WALK", &[21])]);
    assert_eq!(
        explain(&mut t, "grab milk"),
        "milk is inside the closed fridge: open it first"
    );
    assert_eq!(explain(&mut t, "grab table"), "table is not grabbable");
    acts(&mut t, &[("WALK", &[23])]);
    assert_eq!(
        explain(&mut t, "close microwave"),
        "microwave is already CLOSED"
    );
    assert_eq!(explain(&mut t, "read cup"), "cup is not readable");
    let a = action(t.world().scene(), "PUTIN", &[33, 23]);
    let r = t.judge(a).unwrap_err();
    assert_eq!(crate::sim::explain::cures(t.world(), &r).len(), 1);
}

#[test]
fn a_deed_counts_only_while_what_it_asks_for_holds() {
    let mut t = timeline();
    let deed = "DO [SWITCHON] <microwave> WHILE cup INSIDE microwave";
    let mut ledger = Ledger::new(goals(&[deed], &[]), &t, &());
    let mut lookout = Lookout::blind(t.world());
    let microwave = names::resolve(&scene(), "microwave").unwrap();
    let id = scene().node(microwave).id.0;
    for (name, ids) in [("WALK", vec![33]), ("GRAB", vec![33]), ("WALK", vec![id])] {
        act(&mut t, name, &ids).unwrap();
        ledger.record(&t, &());
    }
    let (on, here) = (read_line(&scene(), "switchon microwave").unwrap(), t.here());
    let ahead = preview(&mut t, &ledger, &mut lookout, on).unwrap();
    assert_eq!(ahead.gained, [0; 0], "it is empty");
    act(&mut t, "SWITCHON", &[id]).unwrap();
    ledger.record(&t, &());
    assert!(!ledger.holds(0, t.here()));
    t.goto(here);
    for (name, ids) in [
        ("OPEN", vec![id]),
        ("PUTIN", vec![33, id]),
        ("CLOSE", vec![id]),
    ] {
        act(&mut t, name, &ids).unwrap();
        ledger.record(&t, &());
    }
    let ahead = preview(&mut t, &ledger, &mut lookout, on).unwrap();
    assert_eq!(ahead.gained, [0]);
    act(&mut t, "SWITCHON", &[id]).unwrap();
    ledger.record(&t, &());
    assert!(ledger.holds(0, t.here()));
}
