//! Long runs: what is found in their files, windows played again from a moment, and Inspect on them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use vesta::app::screens::Screen;
use vesta::app::state::State;
use vesta::formats::run::survey::{Mark, Sight, Survey, gravest, nearest};
use vesta::formats::run::{EVENTS_FILE, event_line};
use vesta::runtime::jobs::Sources;
use vesta::sim::timeline::Pos;
use vesta::store::library::{Library, Places};
use vesta::store::runs::window::{self, BETWEEN, Listener};
use vesta::store::runs::{self, NewRun, RunWriter};
use vesta::task::episode::record::Record;
use vesta::task::episode::{Body, Episode, Event, Outcome, Remark, Said, replay_from};

use crate::support::{self, Shape};

struct Patient;

impl Listener for Patient {
    fn is_cancelled(&self) -> bool {
        false
    }

    fn read(&self, _: u64, _: u64) {}
}

fn begun(task: &str) -> (Episode, Episode, Event) {
    let library = Library::open_in(Places::default(), None);
    let setup = Arc::new(library.load_whole(task).unwrap().setup);
    let profile = setup.task.profile();
    let awaiting = Episode::awaiting(setup.clone(), profile).unwrap();
    let (episode, start) = Episode::start(setup, profile).unwrap();
    (awaiting, episode, start)
}

/// What decides how a run goes on, and what is told of the place it stands at.
fn standing(it: &mut Episode) -> (String, u64, Vec<u32>, Vec<String>) {
    let here = it.here();
    let key = it.timeline().world().key().to_string();
    let told = it
        .warnings()
        .iter()
        .map(|w| format!("{} {:?}", w.rule.id, w.standing))
        .collect();
    (key, it.lookout().monitor().key(), it.holding(here), told)
}

#[test]
fn a_run_picked_up_anywhere_goes_on_as_the_whole_one_does() {
    for task in ["V022", "V062", "V032", "B35", "V051"] {
        let (awaiting, mut whole, start) = begun(task);
        let setup = whole.setup().clone();
        let plan = if setup.naive.is_empty() {
            &setup.reference
        } else {
            &setup.naive
        };
        let mut events = vec![start];
        for action in plan {
            events.extend(whole.act(*action).events);
        }
        for at in 1..events.len() {
            let (past, rest) = events.split_at(at);
            let (before, drifts) = replay_from(&awaiting, None, past).unwrap();
            assert_eq!(drifts, []);
            let Some(moment) = before.moment(&awaiting) else {
                panic!("{task}: no moment after event {at}");
            };
            let mut picked = awaiting.at_moment(&moment);
            let mut before = before;
            assert_eq!(
                standing(&mut picked),
                standing(&mut before),
                "{task} at event {at}"
            );
            // Undo and redo within what is known lead back to the same.
            let (mut on, drifts) = replay_from(&awaiting, Some(&moment), rest).unwrap();
            assert_eq!(drifts, [], "{task} from event {at}");
            let end = standing(&mut on);
            assert_eq!(end, standing(&mut whole), "{task} from event {at}");
            on.goto(moment.pos);
            assert_eq!(
                standing(&mut on),
                standing(&mut before),
                "{task} back at event {at}"
            );
            on.goto(whole.here());
            assert_eq!(standing(&mut on), end, "{task} and on again");
            for event in &events {
                if let Some(pos) = on.pos(event.seq) {
                    assert_eq!(
                        whole.pos(event.seq),
                        Some(pos),
                        "{task}: names of positions"
                    );
                    assert_eq!(on.seq(pos), Some(event.seq));
                }
            }
        }
    }
}

#[test]
fn what_was_before_the_moment_cannot_be_gone_back_to() {
    let (awaiting, mut whole, start) = begun("V022");
    let plan = whole.setup().reference.clone();
    let mut events = vec![start];
    for action in plan.iter().take(4) {
        events.extend(whole.act(*action).events);
    }
    let (before, _) = replay_from(&awaiting, None, &events[..4]).unwrap();
    let moment = before.moment(&awaiting).unwrap();
    events.extend(whole.goto(Pos(1)));
    let why = replay_from(&awaiting, Some(&moment), &events[4..])
        .unwrap_err()
        .to_string();
    assert!(why.contains("goes back to a step long before"), "{why}");
}

/// A run of about so many events: rounds of walking, opening and shutting, something said, an attempt refused.
fn long(root: &Path, count: u32) -> (PathBuf, Vec<Event>) {
    let library = Library::open_in(Places::default(), None);
    let loaded = library.load_whole("V022").unwrap();
    let profile = loaded.setup.task.profile();
    let setup = Arc::new(loaded.setup.clone());
    let (mut episode, start) = Episode::start(setup, profile).unwrap();
    let mut events = vec![start];
    let lines = [
        "walk microwave",
        "open microwave",
        "close microwave",
        "walk fork",
    ];
    let mut n = 0;
    while (events.len() as u32) < count {
        for line in lines {
            let turn = episode.act_text(line);
            assert!(
                matches!(turn.outcome, Outcome::Stepped(_)),
                "{line}: {:?}",
                turn.outcome
            );
            events.extend(turn.events);
            n += 1;
            if n % 50 == 7 {
                events.extend(episode.act_text("putin kettle microwave").events);
            }
            if n % 3 == 0 {
                let text = format!("thought {n} of a Zebra");
                events.push(episode.say(Said::by(Remark::Message, "agent", &text)));
            }
        }
        if n == 400 {
            // The fork lies in it.
            for line in [
                "walk microwave",
                "switchon microwave",
                "switchoff microwave",
            ] {
                let turn = episode.act_text(line);
                assert!(
                    matches!(turn.outcome, Outcome::Stepped(_)),
                    "{line}: {:?}",
                    turn.outcome
                );
                events.extend(turn.events);
            }
        }
    }
    let new = NewRun {
        agent: "human",
        task: &loaded.setup.task,
        base: &loaded.base,
        profile,
        forked_from: None,
        player: None,
    };
    let writer = RunWriter::create(root, new, &events).unwrap();
    (writer.folder().to_owned(), events)
}

fn surveyed(events: &[Event]) -> Survey {
    let mut survey = Survey::default();
    for event in events {
        survey.line(event_line(event).as_bytes());
    }
    survey
}

#[test]
fn a_file_of_events_is_known_without_reading_one() {
    let root = tempfile::tempdir().unwrap();
    let (folder, events) = long(root.path(), 3_000);
    let survey = window::survey(&folder, &Patient).unwrap().unwrap();
    assert_eq!(survey, surveyed(&events));
    let record = Record::new(&events);
    assert_eq!(survey.events() as usize, events.len());
    assert_eq!(survey.positions() as usize, record.len());
    let refused: Vec<u32> = events
        .iter()
        .filter(|e| matches!(e.body, Body::Refused { .. }))
        .map(|e| e.seq)
        .collect();
    let found = survey
        .marks()
        .iter()
        .filter(|mark| mark.1 == Sight::Refused);
    assert_eq!(found.map(|mark| mark.0).collect::<Vec<_>>(), refused);
    let changes: Vec<u32> = events
        .windows(2)
        .filter_map(|_| None)
        .chain(changes(&events))
        .collect();
    let found = survey.marks().iter().filter(|mark| mark.1 == Sight::Goal);
    assert_eq!(found.map(|mark| mark.0).collect::<Vec<_>>(), changes);
    assert_eq!(survey.first_bad(), refused.first().copied());
    // Any window, and the event of any step.
    for (first, count) in [
        (0, 10),
        (255, 3),
        (256, 700),
        (1_111, 1),
        (2_999, 50),
        (9_999, 5),
    ] {
        let (lines, before) =
            window::events(&folder, survey.before(first), (first, count)).unwrap();
        let from = (first as usize).min(events.len());
        let to = (from + count as usize).min(events.len());
        assert_eq!(lines.items, events[from..to], "{count} from {first}");
        assert_eq!(lines.findings, []);
        let made = events[..from]
            .iter()
            .filter(|e| e.body.makes_position())
            .count();
        assert_eq!(before as usize, made, "positions before {first}");
    }
    for step in [0, 1, 500, record.len() as u32 - 1] {
        let found = window::event_of(&folder, survey.before_step(step), step).unwrap();
        assert_eq!(found, record.seq(step), "s{step}");
    }
    assert_eq!(
        window::event_of(&folder, survey.before_step(u32::MAX), u32::MAX).unwrap(),
        None
    );
    // Words, both ways, small letters for large ones.
    let find = |words, from, forward| {
        window::find(&folder, &survey, (words, from, forward), &Patient).unwrap()
    };
    let said = |text: &str| {
        let has = |e: &&Event| matches!(&e.body, Body::Remark(said) if said.text == text);
        events.iter().find(has).map(|e| e.seq)
    };
    assert_eq!(
        find("thought 600 of", 0, true),
        said("thought 600 of a Zebra")
    );
    assert_eq!(
        find("zebra", 2_000, false),
        events[..2_000]
            .iter()
            .rev()
            .find(|e| matches!(e.body, Body::Remark(_)))
            .map(|e| e.seq)
    );
    assert_eq!(find("ZEBRA", 0, true), None);
    assert_eq!(find("thought 3 of", 2_000, true), None);
}

/// The events after which other goals hold than after the step before.
fn changes(events: &[Event]) -> Vec<u32> {
    let mut before: Option<Vec<u32>> = None;
    let mut all = Vec::new();
    for event in events {
        let Some(goals) = event.body.goals() else {
            continue;
        };
        if before.as_deref().is_some_and(|before| before != goals) {
            all.push(event.seq);
        }
        before = Some(goals.to_vec());
    }
    all
}

#[test]
fn following_finds_moments_and_what_broke_rules() {
    let root = tempfile::tempdir().unwrap();
    let (folder, events) = long(root.path(), 3_000);
    let (awaiting, ..) = begun("V022");
    let (mut moments, mut marks, mut followed): (Vec<_>, Vec<Mark>, _) =
        (Vec::new(), Vec::new(), 0);
    let ended = window::follow(&folder, &awaiting, &Patient, |part| {
        moments.extend(part.moments);
        marks.extend(part.marks);
        followed = part.events;
    });
    assert_eq!(ended.unwrap(), None);
    assert_eq!(followed as usize, events.len());
    assert_eq!(moments.len(), events.len() / BETWEEN as usize);
    let (mut whole, _) = replay_from(&awaiting, None, &events).unwrap();
    for moment in &moments {
        let at = moment.events as usize;
        let (mut on, drifts) = replay_from(&awaiting, Some(moment), &events[at..]).unwrap();
        assert_eq!(drifts, []);
        assert_eq!(standing(&mut on), standing(&mut whole), "from event {at}");
        assert!(moment.bytes() < 16 << 10, "{} bytes", moment.bytes());
    }
    let broke: Vec<u32> = events
        .iter()
        .filter(|e| matches!(e.body, Body::Step { .. }))
        .filter(|e| {
            whole
                .pos(e.seq)
                .is_some_and(|pos| !whole.broken_at(pos).is_empty())
        })
        .map(|e| e.seq)
        .collect();
    assert_eq!(marks.iter().map(|mark| mark.0).collect::<Vec<_>>(), broke);
    assert!(
        marks.iter().any(|mark| mark.1 == Sight::Violation),
        "the fork in the microwave"
    );
}

#[test]
fn marks_are_walked_and_summed_up() {
    let marks = [
        (3, Sight::Goal),
        (5, Sight::Refused),
        (9, Sight::Goal),
        (9, Sight::Violation),
    ];
    assert_eq!(nearest(&marks, Sight::Goal, 3, true), Some(9));
    assert_eq!(nearest(&marks, Sight::Goal, 9, false), Some(3));
    assert_eq!(nearest(&marks, Sight::Goal, 9, true), None);
    assert_eq!(gravest(&marks, &(0..6)), Some(Sight::Refused));
    assert_eq!(gravest(&marks, &(6..10)), Some(Sight::Violation));
    assert_eq!(gravest(&marks, &(10..20)), None);
}

/// Where even a short run counts as long.
fn sources(root: &Path) -> Sources {
    let mut sources = Sources::in_folders(Places::default(), Some(root.to_owned()));
    sources.whole = Some(1);
    sources
}

fn opened(root: &Path, name: &str, keys: &[&str]) -> State {
    let mut script = vec![name];
    script.extend(keys);
    support::settled(Shape::of(120, 40), &script, &sources(root))
}

/// What the screen says in words.
fn said(state: &State) -> String {
    let place = state.screen().place();
    let title = place.title(&state.shared);
    let facts: Vec<&str> = title.facts.iter().map(|fact| fact.text.as_str()).collect();
    let rail = place.rail(&state.shared);
    format!(
        "{} | {} | {}",
        facts.join(", "),
        rail.tail,
        place.row_text(&state.shared).unwrap_or_default()
    )
}

#[test]
fn inspect_opens_a_long_run_at_its_first_breach_and_goes_anywhere() {
    let root = tempfile::tempdir().unwrap();
    let (folder, events) = long(root.path(), 2_400);
    let id = runs::list_folders(root.path()).unwrap()[0]
        .file_name()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    assert!(folder.ends_with(&id));
    let line = format!("inspect {id}");
    let (awaiting, ..) = begun("V022");
    let (whole, _) = replay_from(&awaiting, None, &events).unwrap();
    let breach = events.iter().find(|e| {
        whole.pos(e.seq).is_some_and(|pos| {
            whole
                .broken_at(pos)
                .iter()
                .any(|i| whole.lookout().ward().grade(i.rule) == vesta::safety::rule::Grade::Core)
        })
    });
    let breach = breach.unwrap().seq;
    let state = opened(root.path(), &line, &[]);
    let at = |state: &State| said(state);
    assert!(
        at(&state).contains(&format!("event {breach} of {}", events.len())),
        "{}",
        at(&state)
    );
    assert!(at(&state).contains("verified"), "{breach}: {}", at(&state));
    assert!(at(&state).contains("switchon microwave"), "{}", at(&state));
    let Screen::Inspect(inspect) = state.screen() else {
        panic!("not Inspect")
    };
    assert!(
        inspect.loaded().unwrap().there.is_some(),
        "the world there is known"
    );
    let mut state = state;
    let sources = &sources(root.path());
    for (keys, wanted) in [
        ("g g", "event 0 of"),
        ("G", &*format!("event {} of", events.len() - 1)),
        (": g o t o Space 1 0 0 0 Enter", "s1000 "),
        ("g g ] r", "event"),
        ("g g / t h o u g h t Space 6 0 0 Enter", "thought 600 of"),
    ] {
        support::keys(&mut state, keys, sources);
        assert!(said(&state).contains(wanted), "{keys}: {}", said(&state));
    }
    // Down and down, across the edge of the window.
    support::keys(&mut state, "g g", sources);
    support::keys(&mut state, "Ctrl-D ".repeat(80).trim(), sources);
    let Screen::Inspect(inspect) = state.screen() else {
        panic!("not Inspect")
    };
    let it = inspect.loaded().unwrap();
    assert!(it.row().unwrap().seq > 1_000, "{}", said(&state));
    assert!(it.run.window.unwrap().event > 400 && it.there.is_some());
}

#[test]
fn a_step_of_a_long_run_is_opened_by_its_name() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = long(root.path(), 2_000);
    let id = folder.file_name().unwrap().to_string_lossy().into_owned();
    let state = opened(root.path(), &format!("inspect {id} s1200"), &[]);
    assert!(said(&state).contains("s1200 "), "{}", said(&state));
}

#[test]
fn a_long_run_that_is_damaged_is_shown_as_far_as_it_goes() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = long(root.path(), 2_000);
    let file = folder.join(EVENTS_FILE);
    let mut bytes = std::fs::read(&file).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    let id = folder.file_name().unwrap().to_string_lossy().into_owned();
    let state = opened(root.path(), &format!("inspect {id}"), &["keys g g"]);
    assert!(
        said(&state).contains("✗ verified to event"),
        "{}",
        said(&state)
    );
    assert!(said(&state).contains("event 0 of"), "{}", said(&state));
    let told: Vec<&str> = state
        .shared
        .notices
        .lines()
        .map(|notice| notice.text.as_str())
        .collect();
    assert!(
        told.iter().any(|text| text.contains("events.jsonl")),
        "{told:?}"
    );
}
