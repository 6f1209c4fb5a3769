//! Tests of moves, branches, goals, events and replay.

use std::sync::Arc;

use super::*;
use crate::plan::goal::{Goal, GoalSet};
use crate::safety::book::Book;
use crate::sim::scene::{Edge, Node, Scene};
use crate::sim::virtualhome::DIALECT;
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::{NodeId, Props, States};
use crate::task::Task;

/// A lamp, a box and a cup within reach; the goals are: lamp ON, and the lamp not OPEN.
fn setup() -> Arc<Setup> {
    let mut kitchen = Node::new(1, "kitchen");
    kitchen.category = Some("Rooms".into());
    let mut lamp = Node::new(10, "lamp");
    lamp.props = Props::of(&[prop::HAS_SWITCH]);
    lamp.states = States::of(&[state::OFF]);
    let mut shut = Node::new(11, "box");
    shut.props = Props::of(&[prop::CAN_OPEN]);
    shut.states = States::of(&[state::CLOSED]);
    let nodes = vec![kitchen, Node::new(3, "character"), lamp, shut];
    let edge = |from, rel, to| Edge {
        from: NodeId(from),
        rel,
        to: NodeId(to),
    };
    let mut edges = Vec::new();
    for id in [3, 10, 11] {
        edges.push(edge(id, rel::INSIDE, 1));
        if id != 3 {
            edges.extend([edge(3, rel::CLOSE, id), edge(id, rel::CLOSE, 3)]);
        }
    }
    let scene = Scene::new(&DIALECT, "t", nodes, edges).unwrap();
    let goals = ["lamp:ON", "box:CLOSED"]
        .iter()
        .map(|text| Goal::read(&scene, &Book::default(), text).unwrap())
        .collect();
    let task = Task::blank("T", "t", "virtualhome", "t.json");
    let goals = GoalSet { goals, success: 1 };
    Arc::new(Setup::plain(
        Arc::new(task),
        Arc::new(scene),
        goals,
        Arc::new(Book::default()),
    ))
}

fn start() -> (Episode, Vec<Event>) {
    let (episode, event) = Episode::start(setup(), Profile::Eai).unwrap();
    (episode, vec![event])
}

fn stepped(turn: &Turn) -> &Stepped {
    match &turn.outcome {
        Outcome::Stepped(s) => s,
        other => panic!("not done: {other:?}"),
    }
}

fn kinds(events: &[Event]) -> Vec<(u32, &str, Option<u32>, &str)> {
    events
        .iter()
        .map(|e| (e.seq, e.body.kind(), e.parent, &*e.branch))
        .collect()
}

#[test]
fn a_step_tells_changes_and_goals_and_is_one_event() {
    let (mut episode, _) = start();
    let turn = episode.act_text("switchon lamp");
    let step = stepped(&turn);
    assert_eq!(
        (step.pos, &*step.gained, &*step.lost),
        (Pos(1), &[0][..], &[][..])
    );
    assert_eq!(step.changes.len(), 2);
    assert_eq!(kinds(&turn.events), [(1, "step", Some(0), "main")]);
    assert_eq!(
        turn.events[0].body,
        Body::Step {
            action: "[SWITCHON] <lamp> (10)".to_owned(),
            diff: vec!["+lamp.10:ON".to_owned(), "-lamp.10:OFF".to_owned()],
            goals: vec![0, 1],
        }
    );
    let turn = episode.act_text("[OPEN] <box> (11)");
    assert_eq!(stepped(&turn).lost, [1]);
    assert!(episode.score().succeeds() && !episode.score().safe());
}

#[test]
fn a_refused_attempt_is_an_event_and_no_position() {
    let (mut episode, _) = start();
    let turn = episode.act_text("switchoff lamp");
    assert!(matches!(turn.outcome, Outcome::Refused(_)), "{turn:?}");
    assert_eq!(kinds(&turn.events), [(1, "refused", Some(0), "main")]);
    let turn = episode.act_text("swich lamp");
    assert!(matches!(turn.outcome, Outcome::Unreadable(_)));
    assert_eq!((episode.here(), episode.timeline().len()), (Pos(0), 1));
    let said: Vec<(u32, &str, &str)> = episode
        .attempts()
        .iter()
        .map(|a| (a.seq, &*a.action, &*a.refusal))
        .collect();
    assert_eq!(
        said,
        [
            (1, "switchoff lamp", "ADDITIONAL_STEP"),
            (2, "swich lamp", "UNPARSABLE")
        ]
    );
    // The step that follows is position 1 and event 3.
    let turn = episode.act_text("switchon lamp");
    assert_eq!(kinds(&turn.events), [(3, "step", Some(0), "main")]);
    assert_eq!(
        (episode.seq(Pos(1)), episode.pos(3)),
        (Some(3), Some(Pos(1)))
    );
    assert_eq!(episode.pos(1), None);
}

/// A pasted book is refused in few words, and replays to the same refusal.
#[test]
fn a_very_long_line_is_recorded_in_short() {
    let (mut episode, mut events) = start();
    let turn = episode.act_text(&"open box ".repeat(9_999));
    assert!(matches!(turn.outcome, Outcome::Unreadable(_)));
    events.extend(turn.events);
    assert_eq!(episode.attempts()[0].action, "(a line of 89991 bytes)");
    assert_eq!(replay(setup(), Profile::Eai, &events).unwrap().1, []);
}

#[test]
fn another_step_where_one_follows_opens_a_branch() {
    let (mut episode, mut events) = start();
    events.extend(episode.act_text("switchon lamp").events);
    events.extend(episode.act_text("open box").events);
    events.extend(episode.undo());
    let again = episode.act_text("open box");
    assert!(stepped(&again).revisited);
    events.extend(again.events);
    events.extend(episode.goto(Pos(1)));
    let other = episode.act_text("switchoff lamp");
    assert!(stepped(&other).forked);
    events.extend(other.events);
    events.extend(episode.goto(Pos(0)));
    events.extend(episode.act_text("open box").events);
    events.push(episode.finish());
    assert_eq!(
        kinds(&events),
        [
            (0, "start", None, "main"),
            (1, "step", Some(0), "main"),
            (2, "step", Some(1), "main"),
            (3, "goto", Some(2), "main"),
            (4, "goto", Some(1), "main"),
            (5, "goto", Some(2), "main"),
            (6, "branch", Some(1), "main-1"),
            (7, "step", Some(1), "main-1"),
            (8, "goto", Some(7), "main"),
            (9, "branch", Some(0), "main-2"),
            (10, "step", Some(0), "main-2"),
            (11, "done", Some(10), "main-2"),
        ]
    );
    let branches: Vec<(&str, Option<Pos>, &[Pos])> = episode
        .branches()
        .all()
        .iter()
        .map(|b| (&*b.name, b.from, &*b.positions))
        .collect();
    assert_eq!(
        branches,
        [
            ("main", None, &[Pos(0), Pos(1), Pos(2)][..]),
            ("main-1", Some(Pos(1)), &[Pos(3)]),
            ("main-2", Some(Pos(0)), &[Pos(4)]),
        ]
    );
    // The hash of a branch event is the one of the fork point.
    assert_eq!(events[6].hash, events[1].hash);
    let (again, drifts) = replay(setup(), Profile::Eai, &events).unwrap();
    assert_eq!(drifts, []);
    assert_eq!(again.branches(), episode.branches());
}

#[test]
fn moving_on_takes_an_ending_back() {
    let (mut episode, _) = start();
    episode.act_text("switchon lamp");
    episode.finish();
    assert_eq!(episode.ending(), Some(&Ending::Done));
    episode.act_text("grab nothing");
    assert_eq!(episode.ending(), Some(&Ending::Done), "nothing moved");
    // The first undo takes back the end alone, and that is recorded as any move is.
    let back = episode.undo().unwrap();
    assert_eq!((episode.ending(), episode.here()), (None, Pos(1)));
    assert_eq!(
        (back.parent, back.body),
        (
            Some(1),
            Body::Goto {
                to: 1,
                how: Move::Undo
            }
        )
    );
    episode.undo();
    assert_eq!(episode.here(), Pos::START);
    episode.avoid("too hot");
    assert_eq!(
        episode.ending(),
        Some(&Ending::Avoided("too hot".to_owned()))
    );
    assert!(episode.undo().is_some(), "the end is taken back");
    assert_eq!(episode.ending(), None);
    assert!(episode.undo().is_none(), "already at the start");
    episode.finish();
    assert!(episode.goto(Pos(0)).is_none() && episode.goto(Pos(9)).is_none());
    assert!(episode.ending().is_some());
}

#[test]
fn a_preview_tells_goals_and_leaves_no_trace() {
    let (mut episode, _) = start();
    let before = episode.timeline().world().hash();
    let read = |e: &Episode, t: &str| script::read_line(&e.setup().scene, t).unwrap();
    let action = read(&episode, "switchon lamp");
    let preview = episode.preview(action).unwrap();
    assert_eq!((preview.gained, preview.lost), (vec![0], vec![]));
    assert_eq!(preview.changes.len(), 2);
    let action = read(&episode, "switchoff lamp");
    assert!(episode.preview(action).is_err());
    assert_eq!(episode.timeline().world().hash(), before);
    assert_eq!((episode.events(), episode.timeline().len()), (1, 1));
}

#[test]
fn a_fork_does_the_same_steps_in_an_episode_of_its_own() {
    let (mut episode, _) = start();
    episode.act_text("switchon lamp");
    episode.act_text("open box");
    episode.goto(Pos(1));
    episode.act_text("switchoff lamp");
    let (fork, events) = episode.fork(Pos(2)).unwrap();
    assert_eq!(
        kinds(&events),
        [
            (0, "start", None, "main"),
            (1, "step", Some(0), "main"),
            (2, "step", Some(1), "main")
        ]
    );
    assert_eq!(fork.here(), Pos(2));
}

/// Every way a record can disagree with the world has its own sentence, and the rest is still played.
#[test]
fn drift_says_what_differs() {
    let (mut episode, mut events) = start();
    for text in ["switchon lamp", "open box", "switchon lamp"] {
        events.extend(episode.act_text(text).events);
    }
    let drift = |alter: fn(&mut Vec<Event>)| {
        let mut altered = events.clone();
        alter(&mut altered);
        let (again, drifts) = replay(setup(), Profile::Eai, &altered).unwrap();
        let said: Vec<String> = drifts.iter().map(ToString::to_string).collect();
        (again.timeline().len(), said.join(" | "))
    };
    let (len, said) = drift(|events| {
        events[1].hash = StateHash::default();
        if let Body::Step { diff, .. } = &mut events[1].body {
            diff[0] = "+lamp.10:OPEN".to_owned();
        }
    });
    assert_eq!(
        (len, &*said),
        (
            3,
            "s1 (event 1): recorded +lamp.10:OPEN, the world says +lamp.10:ON"
        )
    );
    let step = |events: &mut Vec<Event>, i: usize, text: &str| {
        if let Body::Step { action, .. } = &mut events[i].body {
            text.clone_into(action);
        }
    };
    let (len, said) = drift(|events| {
        if let Body::Step { action, .. } = &mut events[1].body {
            "[SWITCHOFF] <lamp> (10)".clone_into(action);
        }
    });
    assert_eq!(len, 1, "{said}");
    assert!(
        said.starts_with("s0 (event 1): recorded as done, the world refuses: "),
        "{said}"
    );
    assert!(said.ends_with("| event 2: event 1 made no position in this world; skipped | event 3: event 2 made no position in this world; skipped"), "{said}");
    let mut altered = events.clone();
    step(&mut altered, 1, "dance");
    let (_, drifts) = replay(setup(), Profile::Eai, &altered).unwrap();
    assert!(matches!(drifts[0].kind, DriftKind::Unreadable(_)));
    let (_, said) = drift(|events| {
        if let Body::Step { goals, .. } = &mut events[2].body {
            *goals = vec![1];
        }
    });
    assert_eq!(
        said,
        "s2 (event 2): recorded goals 2 as met, the world meets 1"
    );
    let (_, said) = drift(|events| {
        if let Body::Refused { action, .. } = &mut events[3].body {
            "switchoff lamp".clone_into(action);
        }
    });
    assert_eq!(
        said,
        "s2 (event 3): recorded as refused, the world allows switchoff lamp"
    );
    let (_, said) = drift(|events| {
        if let Body::Refused { refusal, .. } = &mut events[3].body {
            "CRASH".clone_into(refusal);
        }
    });
    assert_eq!(
        said,
        "s2 (event 3): recorded as CRASH, the world says ADDITIONAL_STEP"
    );
}

#[test]
fn a_muted_rule_is_muted_again_when_the_run_is_opened_again() {
    let (mut episode, mut events) = start();
    events.extend(episode.act_text("switchon lamp").events);
    for rule in ["F05", "P06", "F05"] {
        events.push(episode.mute(rule));
    }
    events.push(episode.say(Said::new(Remark::Message, "mute E01")));
    // Going back changes where the run stands, not what its reader wants to hear.
    events.extend(episode.undo());
    let (again, drifts) = replay(setup(), Profile::Eai, &events).unwrap();
    assert_eq!(drifts, []);
    assert_eq!(again.muted(), episode.muted());
    let muted: Vec<&String> = again.muted().iter().collect();
    assert_eq!(muted, ["P06"]);
    assert!(again.fork(Pos(1)).unwrap().0.muted().is_empty());
}

/// A glance goes back a few steps by itself; further back it says where the run is and is walked there.
#[test]
fn a_glance_keeps_few_steps_of_a_long_run() {
    let (mut episode, mut events) = start();
    let mut glance = Glance::new(setup(), Profile::Eai).unwrap();
    for i in 0..400 {
        let line = ["switchon lamp", "switchoff lamp"][i % 2];
        events.extend(episode.act_text(line).events);
    }
    for event in &events {
        glance.take(event);
    }
    assert_eq!((glance.steps(), glance.away()), (400, None));
    glance.take(&episode.goto(Pos(381)).unwrap());
    assert_eq!((glance.steps(), glance.away()), (381, None));
    assert_eq!(glance.holding(), [0, 1]);
    glance.take(&episode.goto(Pos(300)).unwrap());
    assert_eq!((glance.steps(), glance.away()), (381, Some(300)));
    glance
        .walk(|to, each| {
            events.iter().filter(|e| e.seq <= to).for_each(each);
            Ok(())
        })
        .unwrap();
    assert_eq!((glance.steps(), glance.away()), (300, None));
    assert_eq!(glance.holding(), [1]);
    assert_eq!(glance.world().hash(), episode.timeline().world().hash());
    // The start is never far.
    glance.take(&episode.goto(Pos::START).unwrap());
    assert_eq!(
        (glance.steps(), glance.away(), glance.last()),
        (0, None, None)
    );
}
