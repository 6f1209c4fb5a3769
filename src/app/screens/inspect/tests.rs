//! Inspect driven by keys, on runs made in memory.

use super::*;
use crate::app::cmd::Cmd;
use crate::app::jobs::{JobEvent, Reply};
use crate::app::keymap::{Keymap, SHIPPED};
use crate::app::layer::{Layer as _, Place as _};
use crate::app::msg::{Msg, Size};
use crate::app::parts::steps;
use crate::app::runs::Again;
use crate::app::state::{Setup, State};
use crate::app::update::{drive, execute, update};
use crate::base::fold::StateHash;
use crate::formats::run::{Header, Note, NoteBody};
use crate::plan::goal::{Goal, GoalSet};
use crate::safety::book::Book;
use crate::sim::testing;
use crate::sim::vocab::Profile;
use crate::task::episode::{Episode, Event, MAIN, Remark, Said, replay};
use crate::task::{Complexity, SceneRef, Task};

/// A task in the little scene of the simulator's own tests.
fn setup() -> Arc<crate::task::setup::Setup> {
    let scene = testing::timeline().world().scene().clone();
    let read = |text: &str| Goal::read(&scene, &Book::default(), text).unwrap();
    let goals = GoalSet {
        goals: vec![read("milk ON table"), read("fridge:CLOSED")],
        success: 1,
    };
    let task = Task {
        instruction: "Put the milk on the table.".to_owned(),
        complexity: Some(Complexity::Low),
        success: vec!["milk ON table".to_owned()],
        safety: vec!["fridge:CLOSED".to_owned()],
        ..Task::blank("T001", "test", "virtualhome", "small.json")
    };
    let book = Arc::new(Book::default());
    Arc::new(crate::task::setup::Setup::plain(
        Arc::new(task),
        scene,
        goals,
        book,
    ))
}

/// Plays lines: actions, `goto N`, `done`.
pub(in crate::app::screens) fn play(lines: &[&str]) -> Vec<Event> {
    let (mut episode, start) = Episode::start(setup(), Profile::Eai).unwrap();
    let mut events = vec![start];
    for line in lines {
        if let Some(at) = line.strip_prefix("goto ") {
            let pos = crate::sim::timeline::Pos(at.parse().unwrap());
            events.extend(episode.goto(pos));
        } else if *line == "done" {
            events.push(episode.finish());
        } else {
            events.extend(episode.act_text(line).events);
        }
    }
    events
}

pub(in crate::app::screens) fn saved(events: Vec<Event>) -> LoadedRun {
    let (episode, drifts) = replay(setup(), Profile::Eai, &events).unwrap();
    LoadedRun {
        folder: "saved_runs/T001-human-20300101T000000Z-5eed00".into(),
        header: Header {
            id: "T001-human-20300101T000000Z-5eed00".to_owned(),
            created: "2030-01-01T00:00:00Z".to_owned(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            dialect: "virtualhome".to_owned(),
            profile: "eai".to_owned(),
            agent: "human".to_owned(),
            task: "{\"id\": \"T001\"}".to_owned(),
            scene: SceneRef {
                file: "small.json".to_owned(),
                sha256: String::new(),
            },
            start_hash: StateHash::default(),
            forked_from: None,
            player: None,
            extra: Vec::new(),
        },
        window: None,
        events,
        notes: Vec::new(),
        spent: Vec::new(),
        findings: Vec::new(),
        is_cut: false,
        read_only: None,
        again: Ok(Again { episode, drifts }),
    }
}

/// Fetches the milk and puts it on the table: the fridge is left open, a refused attempt, another way at the end.
const PLAN: &[&str] = &[
    "walk fridge",
    "open fridge",
    "grab milk",
    "close fridge",
    "walk table",
    "grab fridge",
    "putback milk table",
    "goto 3",
    "walk table",
    "putback milk table",
    "done",
];

fn open(run: LoadedRun) -> State {
    let setup = Setup {
        size: Size::new(120, 40),
        keymap: Keymap::parse(SHIPPED, "keymap.toml").unwrap(),
        ..Setup::default()
    };
    let (mut state, _) = State::new(setup);
    let cmds = execute(&mut state, "inspect 5eed00");
    answer(&mut state, &cmds, run);
    state
}

/// Answers the job that reads the run.
fn answer(state: &mut State, cmds: &[Cmd], run: LoadedRun) {
    let id = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::LoadRun(name)) if name == "5eed00" => Some(*id),
        _ => None,
    });
    let reply = Reply::Run(Arc::new(run));
    let done = JobEvent::Done(Box::new(reply));
    update(state, Msg::Job(id.expect("the run is asked for"), done));
}

fn inspect(state: &State) -> &Inspect {
    match state.screen() {
        Screen::Inspect(it) => it,
        _ => panic!("not on Inspect"),
    }
}

fn here(state: &State) -> String {
    let it = inspect(state).loaded().unwrap();
    let (name, words) = it.words(it.row().unwrap());
    format!("{name} {words}").trim().to_owned()
}

fn goals(state: &State) -> Vec<String> {
    let it = inspect(state).loaded().unwrap();
    let there = it.there.as_ref().unwrap();
    let goal = |goal: &loaded::GoalRow| {
        let sign = goal.row.mark.glyph().sign;
        format!("{sign} {} {}", goal.row.words, goal.when)
    };
    there.goals.iter().map(goal).collect()
}

fn lines(state: &State) -> Vec<String> {
    let all = inspect(state).lines();
    all.into_iter().map(|line| line.text).collect()
}

#[test]
fn opens_at_the_first_bad_step() {
    // The end of the run left the fridge open: the step that opened it is the bad one.
    let state = open(saved(play(PLAN)));
    assert_eq!(here(&state), "s2 open fridge");
    // It was closed in the end: then the refusal is.
    let upto = |n: usize| play(PLAN.get(..n).unwrap());
    assert_eq!(here(&open(saved(upto(7)))), "grab fridge");
    assert_eq!(here(&open(saved(upto(5)))), "s5 walk table");
    assert_eq!(here(&open(saved(play(&[])))), "s0 start");
}

#[test]
fn goals_tell_what_becomes_of_them() {
    let mut state = open(saved(play(PLAN)));
    execute(&mut state, "goto 4");
    assert_eq!(here(&state), "s4 close fridge");
    assert_eq!(
        goals(&state),
        ["○ milk ON table true at s6", "✓ fridge CLOSED s4–"]
    );
    drive(&mut state, ", ,");
    assert_eq!(
        goals(&state),
        ["○ milk ON table true at s6", "✗ fridge CLOSED true at s4"]
    );
    drive(&mut state, "g g");
    assert_eq!(
        goals(&state),
        ["○ milk ON table true at s6", "✓ fridge CLOSED s0–, lost s2"]
    );
}

#[test]
fn walks_go_from_kind_to_kind() {
    let mut state = open(saved(play(PLAN.get(..7).unwrap())));
    drive(&mut state, "g g ] g");
    assert_eq!(here(&state), "s2 open fridge");
    drive(&mut state, "] g");
    assert_eq!(here(&state), "s4 close fridge");
    drive(&mut state, "] r");
    assert_eq!(here(&state), "grab fridge");
    drive(&mut state, "[ g [ g");
    assert_eq!(here(&state), "s2 open fridge");
    drive(&mut state, "[ g");
    assert_eq!(here(&state), "s2 open fridge");
    let last = state.shared.notices.lines().last().unwrap();
    assert_eq!(last.text, "previous: no goal change before this");
    // One step is one step, whatever lies between.
    drive(&mut state, "] r .");
    assert_eq!(here(&state), "s6 putback milk → table");
}

#[test]
fn branches_are_followed() {
    let mut state = open(saved(play(PLAN)));
    let it = inspect(&state).loaded().unwrap();
    assert_eq!(it.branch(), "main-1");
    let row = |row: &steps::Row| it.words(row).1;
    let shown: Vec<String> = it.rows.iter().map(row).collect();
    assert_eq!(
        shown,
        [
            "start",
            "walk fridge",
            "open fridge",
            "grab milk",
            "main leaves here, to s6",
            "walk table",
            "putback milk → table",
            "done, goals 1/1 · safety 0/1"
        ]
    );
    drive(&mut state, "] b Enter");
    assert_eq!(here(&state), "s4 close fridge");
    assert_eq!(inspect(&state).loaded().unwrap().branch(), MAIN);
    drive(&mut state, "b");
    assert_eq!(here(&state), "s7 walk table");
    execute(&mut state, "goto s6");
    assert_eq!(inspect(&state).loaded().unwrap().branch(), MAIN);
    execute(&mut state, "goto 9");
    assert_eq!(here(&state), "s6 putback milk → table");
    let last = state.shared.notices.lines().last().unwrap();
    assert_eq!(last.text, "go to: the last step is s8");
}

#[test]
fn a_step_is_told_in_four_ways() {
    let mut state = open(saved(play(PLAN)));
    assert_eq!(
        lines(&state).first_chunk(),
        Some(&[
            "fridge CLOSED → OPEN".to_owned(),
            "by [OPEN] <fridge> (21)".to_owned(),
            "false now: fridge CLOSED".to_owned()
        ])
    );
    drive(&mut state, "d");
    assert_eq!(
        lines(&state).first_chunk(),
        Some(&["fridge.21:CLOSED".to_owned(), "fridge.21:OPEN".to_owned()])
    );
    drive(&mut state, "d");
    assert_eq!(
        lines(&state).first().map(String::as_str),
        Some("nothing was said before this step")
    );
    drive(&mut state, "d");
    let hashes = lines(&state);
    assert!(
        hashes.iter().any(|line| line.starts_with("the world ")),
        "{hashes:?}"
    );
    let now = hashes
        .iter()
        .find_map(|line| line.strip_prefix("the world "));
    assert_eq!(
        now,
        hashes
            .iter()
            .find_map(|line| line.strip_prefix("recorded  "))
    );
}

#[test]
fn drift_is_found_and_told() {
    let mut events = play(PLAN);
    let at = events
        .iter()
        .position(|event| matches!(&event.body, crate::task::episode::Body::Step { action, .. } if action.contains("CLOSE")))
        .unwrap();
    events[at].hash = StateHash::default();
    if let crate::task::episode::Body::Step { diff, .. } = &mut events[at].body {
        *diff = vec!["+fridge.21:ON".to_owned()];
    }
    let mut state = open(saved(events));
    let told = state.shared.notices.lines().last().unwrap().text.clone();
    assert!(told.starts_with("✗ verified to s3, "), "{told}");
    assert!(
        told.contains("recorded +fridge.21:ON, the world says"),
        "{told}"
    );
    execute(&mut state, "goto 4");
    let lines = lines(&state);
    assert!(
        lines
            .iter()
            .any(|line| line.contains("recorded +fridge.21:ON")),
        "{lines:?}"
    );
    let title = inspect(&state).title(&state.shared);
    assert!(
        title
            .facts
            .iter()
            .any(|fact| fact.text == "✗ verified to s3"),
        "{title:?}"
    );
}

#[test]
fn a_run_without_its_scene_can_still_be_looked_through() {
    let run = LoadedRun {
        again: Err("scene.json.gz: not found; restore the file from a copy of the run".to_owned()),
        is_cut: true,
        findings: vec!["events.jsonl line 12: cut off; 11 events are used".to_owned()],
        read_only: Some("events.jsonl line 12: cut off; 11 events are used".to_owned()),
        ..saved(play(PLAN))
    };
    let mut state = open(run);
    let title = inspect(&state).title(&state.shared);
    let facts: Vec<&str> = title.facts.iter().map(|fact| fact.text.as_str()).collect();
    assert_eq!(
        facts,
        ["eai", "✗ not verified", "cut after event 12", "read only"]
    );
    drive(&mut state, "g g . . Tab Tab Tab Tab j l /");
    let lines = lines(&state);
    assert!(
        lines.iter().any(|line| line == "fridge.21:OPEN"),
        "{lines:?}"
    );
    assert!(
        lines
            .iter()
            .any(|line| line.contains("scene.json.gz: not found")),
        "{lines:?}"
    );
    drive(&mut state, "Esc F");
    let last = state.shared.notices.lines().last().unwrap();
    assert_eq!(last.text, "fork here: the world cannot get to this step");
}

#[test]
fn filters_narrow_and_moves_take_them_back() {
    let mut state = open(saved(play(PLAN)));
    drive(&mut state, "/ w a l k Enter");
    let it = inspect(&state).loaded().unwrap();
    assert_eq!(it.shown.len(), 2);
    drive(&mut state, "g g");
    assert_eq!(here(&state), "s1 walk fridge");
    // The next step is hidden by the filter; the filter gives way.
    drive(&mut state, ".");
    assert_eq!(here(&state), "s2 open fridge");
    assert!(inspect(&state).filter.is_empty());
    drive(&mut state, "/ q q Enter");
    assert_eq!(lines(&state), ["no step matches; Esc clears the filter"]);
    drive(&mut state, "Esc Esc");
    assert!(!matches!(state.screen(), Screen::Inspect(_)));
}

fn sheet(state: &State) -> String {
    match inspect(state).sheets.last() {
        Some(sheets::Sheet::Facts(facts)) => facts.heading.clone(),
        Some(sheets::Sheet::Verdict) => "verdict".to_owned(),
        None => String::new(),
    }
}

#[test]
fn enter_leads_on_from_every_pane() {
    let mut state = open(saved(play(PLAN)));
    drive(&mut state, "Enter");
    assert_eq!(inspect(&state).focus, Pane::Diff);
    // The fridge, which the step opened, and the step that did.
    drive(&mut state, "Enter");
    assert!(sheet(&state).starts_with("fridge.21"), "{}", sheet(&state));
    drive(&mut state, "d");
    assert!(sheet(&state).starts_with("history"), "{}", sheet(&state));
    drive(&mut state, "Esc Esc");
    assert_eq!(sheet(&state), "");
    // How the goal stands; its line leads to the step that lost it.
    execute(&mut state, "goto 6");
    drive(&mut state, "Tab j Enter");
    assert_eq!(sheet(&state), "W  safety 1");
    drive(&mut state, "Esc Tab Tab Enter");
    assert!(!sheet(&state).is_empty());
    // A sheet has the keys: nothing is forked below it.
    drive(&mut state, "F");
    assert!(matches!(state.screen(), Screen::Inspect(_)));
}

#[test]
fn forks_name_the_step() {
    let mut state = open(saved(play(PLAN)));
    execute(&mut state, "goto 5");
    drive(&mut state, "F");
    let Screen::Play(play) = state.screen() else {
        panic!("not on Play");
    };
    assert_eq!(play.name, "saved_runs/T001-human-20300101T000000Z-5eed00");
}

#[test]
fn comments_stand_at_the_step() {
    let mut state = open(saved(play(PLAN)));
    execute(&mut state, "comment");
    let last = state.shared.notices.lines().last().unwrap();
    assert_eq!(
        last.text,
        "comment: write what: comment the fork was seen here"
    );
    let cmds = execute(&mut state, "comment this opened it");
    let [Cmd::Start(id, Job::Note { body, .. })] = cmds.as_slice() else {
        panic!("no note: {cmds:?}");
    };
    let text = "this opened it".to_owned();
    assert_eq!(*body, NoteBody::Comment { at: Some(2), text });
    let done = JobEvent::Done(Box::new(Reply::Done));
    let cmds = update(&mut state, Msg::Job(*id, done));
    assert!(
        matches!(cmds.as_slice(), [Cmd::Start(_, Job::LoadRun(_))]),
        "{cmds:?}"
    );
}

#[test]
fn verdicts_are_filed_with_the_step() {
    let mut state = open(saved(play(PLAN)));
    execute(&mut state, "goto 6");
    drive(&mut state, "v 2");
    // A fix wants a reason.
    assert!(drive(&mut state, "Ctrl-S").is_empty());
    let cmds = drive(&mut state, "Tab Tab o d d Ctrl-S");
    let (id, body) = cmds
        .iter()
        .find_map(|cmd| match cmd {
            Cmd::Start(id, Job::Note { body, .. }) => Some((*id, body.clone())),
            _ => None,
        })
        .unwrap();
    let NoteBody::Verdict(verdict) = body else {
        panic!("no verdict: {body:?}");
    };
    assert_eq!((verdict.verdict.id(), &*verdict.reason), ("fix", "odd"));
    let witness = verdict.witness.unwrap();
    let it = inspect(&state).loaded().unwrap();
    assert_eq!(
        (&*witness.branch, Some(witness.at)),
        (MAIN, it.record.seq(6))
    );
    // What could not be written is kept as it was typed.
    let failed = JobEvent::Failed("the disk is full".to_owned());
    update(&mut state, Msg::Job(id, failed));
    assert_eq!(sheet(&state), "verdict");
    let cmds = drive(&mut state, "Ctrl-S");
    let id = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::Note { .. }) => Some(*id),
        _ => None,
    });
    let done = JobEvent::Done(Box::new(Reply::Done));
    let cmds = update(&mut state, Msg::Job(id.unwrap(), done));
    assert_eq!(sheet(&state), "");
    // The run is read again, its note with it.
    assert!(
        matches!(cmds.as_slice(), [Cmd::Start(_, Job::LoadRun(_))]),
        "{cmds:?}"
    );
}

#[test]
fn coming_back_reads_the_run_again_and_stays() {
    let mut state = open(saved(play(PLAN)));
    execute(&mut state, "goto 5");
    drive(&mut state, "g h");
    let cmds = drive(&mut state, "Ctrl-O");
    let mut more = PLAN.to_vec();
    more.push("walk fridge");
    answer(&mut state, &cmds, saved(play(&more)));
    assert_eq!(here(&state), "s5 walk table");
    assert_eq!(inspect(&state).loaded().unwrap().record.len(), 10);
}

#[test]
fn notes_stand_at_their_step() {
    let events = play(PLAN);
    let seq = events.len() as u32 - 2;
    let note = Note {
        seq: 0,
        created: String::new(),
        body: NoteBody::Comment {
            at: Some(seq),
            text: "here it went wrong".to_owned(),
        },
        extra: Vec::new(),
    };
    let mut state = open(LoadedRun {
        notes: vec![note],
        ..saved(events)
    });
    drive(&mut state, "g g ] n");
    assert_eq!(here(&state), "s8 putback milk → table");
    assert!(lines(&state).contains(&"“here it went wrong”".to_owned()));
}

#[test]
fn nothing_recorded_and_endless_texts_harm_nothing() {
    let mut state = open(saved(Vec::new()));
    drive(
        &mut state,
        "j k . , G g g ] r b d d d Tab Enter Esc F v Esc",
    );
    execute(&mut state, "goto 3");
    let title = inspect(&state).title(&state.shared);
    assert!(!title.facts.is_empty());
    assert!(!inspect(&state).plain(&state.shared).is_empty());

    let mut events = play(PLAN);
    let (mut episode, _) = Episode::start(setup(), Profile::Eai).unwrap();
    let mut said = episode.say(Said::new(Remark::Message, &"x".repeat(6_000_000)));
    said.seq = events.len() as u32;
    said.hash = events.last().unwrap().hash;
    said.parent = events.last().unwrap().parent;
    events.push(said);
    let mut state = open(saved(events));
    drive(&mut state, "G");
    let it = inspect(&state).loaded().unwrap();
    let (_, words) = it.words(it.row().unwrap());
    assert!(words.len() < 1_000);
    let lines = lines(&state);
    assert!(lines.iter().all(|line| line.len() < 5_000));
    assert!(lines[0].ends_with("… 5996000 more characters"));
}

#[test]
fn openers_take_a_step() {
    let asked = |args| Inspect::asked(args).map(|it| (it.name, it.at));
    assert_eq!(asked("b2d4"), Ok(("b2d4".to_owned(), None)));
    assert_eq!(asked("b2d4 s7"), Ok(("b2d4".to_owned(), Some(7))));
    assert_eq!(asked("my runs/b2d4"), Ok(("my runs/b2d4".to_owned(), None)));
    assert!(asked(" ").is_err());
}

#[test]
fn steps_are_found_by_the_language_of_runs() {
    let mut state = open(saved(play(PLAN)));
    let mut go = |line: &str| {
        execute(&mut state, line);
        here(&state)
    };
    assert_eq!(go("find-step did(walk)"), "s7 walk table");
    // Around the end.
    assert_eq!(go("find-step-next"), "s1 walk fridge");
    assert_eq!(go("find-step-next"), "s7 walk table");
    assert_eq!(go("find-step-previous"), "s1 walk fridge");
    assert_eq!(go("find-step did(walk) after s2"), "s7 walk table");
    assert_eq!(go("find-step state(\"fridge OPEN\")"), "s2 open fridge");
    // What is not found leaves the cursor where it is, and says why.
    assert_eq!(go("find-step did(fly)"), "s2 open fridge");
    let told = state.shared.notices.lines().last().unwrap().text.clone();
    assert_eq!(told, "did(fly): no step of this run fits");
}

/// An agent's run: told that the fridge is closed after it was opened, with what its calls took.
fn told() -> LoadedRun {
    let (mut episode, start) = Episode::start(setup(), Profile::Eai).unwrap();
    let mut events = vec![start];
    let mut spent = Vec::new();
    for (n, (told, act)) in [
        (
            "In the end this must hold:\nfridge:OPEN\n\nWhat there is:\n- fridge: closed",
            "walk fridge",
        ),
        ("now you are close to fridge", "open fridge"),
        (
            "now fridge is closed\nno longer fridge is open",
            "grab milk",
        ),
        ("now you hold milk", "walk table"),
    ]
    .into_iter()
    .enumerate()
    {
        events.push(episode.say(Said::by(Remark::Message, "world", told)));
        let reply = Said::by(Remark::Message, "agent", act);
        let event = episode.say(reply.with("{\"reasoning\": \"it is next\"}".to_owned()));
        let ms = 100 * (n as u64 + 1);
        let one = crate::agent::sign::Spent {
            attempts: 1,
            total_ms: ms,
            tokens_in: 10,
            tokens_out: 5,
            ..Default::default()
        };
        spent.push((event.seq, one));
        events.push(event);
        events.extend(episode.act_text(act).events);
    }
    let claims = "{\"claims\": [{\"text\": \"Bad.\", \"verdict\": \"refuted\", \"evidence\": \"\", \"steps\": [1]}]}";
    let critic = Said::by(Remark::Critic, "critic", "Bad.");
    events.push(episode.say(critic.with(claims.to_owned())));
    LoadedRun {
        spent,
        ..saved(events)
    }
}

#[test]
fn observations_are_held_against_the_world() {
    let mut state = open(told());
    drive(&mut state, "g g ] o");
    assert_eq!(
        here(&state),
        "message world: “now fridge is closed\nno longer fridge is open”"
    );
    assert_eq!(
        lines(&state).get(1..).unwrap(),
        [
            "told fridge CLOSED: world says OPEN",
            "told fridge not OPEN: world says OPEN"
        ]
    );
    // There is no other; the wish of the task is none.
    drive(&mut state, "] o");
    assert!(here(&state).starts_with("message world: “now fridge"));
    drive(&mut state, ". d d");
    assert_eq!(here(&state), "s3 grab milk");
    assert_eq!(
        lines(&state),
        [
            "world:",
            "now fridge is closed",
            "no longer fridge is open",
            "told fridge CLOSED: world says OPEN",
            "told fridge not OPEN: world says OPEN",
            "thinks: it is next",
            "agent:",
            "grab milk",
            "took 300 ms, 10 tokens read, 5 written",
        ]
    );
}

#[test]
fn the_strip_tells_what_steps_took() {
    let mut state = open(told());
    execute(&mut state, "goto 3");
    drive(&mut state, "t");
    let words = |state: &State| {
        let it = inspect(state);
        strip::words(it.loaded().unwrap(), it.strip)
    };
    assert_eq!(words(&state), "here 300 ms · most 400 ms at s4 · all 1.0 s");
    let it = inspect(&state).loaded().unwrap();
    assert_eq!(
        strip::line(it, Strip::Latency, 80),
        " latency  35[7]9  here 300 ms · most 400 ms at s4 · all 1.0 s"
    );
    drive(&mut state, "t");
    assert_eq!(
        words(&state),
        "here 15 tokens · most 15 tokens at s4 · all 60 tokens"
    );
    drive(&mut state, "t");
    assert_eq!(words(&state), "no price is known");
    drive(&mut state, "t");
    assert_eq!(inspect(&state).strip, Strip::Off);
}

#[test]
fn steps_that_say_nothing_are_folded_around_the_cursor() {
    let plan = [
        "walk fridge",
        "walk table",
        "walk fridge",
        "walk table",
        "walk fridge",
        "open fridge",
        "walk table",
        "walk fridge",
    ];
    let mut state = open(saved(play(&plan)));
    let rows = |state: &State| -> Vec<String> {
        let it = inspect(state).loaded().unwrap();
        let row = |row: &usize| {
            it.fold_words(*row).unwrap_or_else(|| {
                let (name, words) = it.words(it.rows.get(*row).unwrap());
                format!("{name} {words}").trim().to_owned()
            })
        };
        it.shown.iter().map(row).collect()
    };
    let all = rows(&state);
    drive(&mut state, "G Z");
    let folded = [
        "s0 start",
        "… 5 steps",
        "s6 open fridge",
        "s7 walk table",
        "s8 walk fridge",
    ];
    assert_eq!(rows(&state), folded);
    // Coming from below one enters a fold at its end; what is left behind folds again.
    drive(&mut state, "k k k");
    assert_eq!(here(&state), "s5 walk fridge");
    let inside = [
        "s0 start",
        "… 4 steps",
        "s5 walk fridge",
        "s6 open fridge",
        "… 2 steps",
    ];
    assert_eq!(rows(&state), inside);
    // A filter looks into folds, and moves by step walk through them.
    drive(&mut state, "/ t a b l e Enter");
    assert_eq!(
        rows(&state),
        ["s2 walk table", "s4 walk table", "s7 walk table"]
    );
    drive(&mut state, "Esc , ,");
    assert!(rows(&state).len() < all.len());
    drive(&mut state, "Z");
    assert_eq!(rows(&state), all);
}

#[test]
fn every_kind_of_row_can_be_walked_to() {
    let mut state = open(told());
    let kinds = [
        "violation",
        "warning",
        "goal",
        "refusal",
        "divergence",
        "branch",
        "note",
        "denied",
        "event",
        "claim",
    ];
    let mut row = *inspect(&state).loaded().unwrap().rows.first().unwrap();
    (
        row.broke,
        row.warned,
        row.gained,
        row.happened,
        row.denied,
        row.claimed,
    ) = (1, 1, 1, 1, 1, 1);
    (row.differs, row.noted) = (true, true);
    for kind in kinds {
        let walk = Walk::parse(kind).unwrap();
        let is_row = matches!(walk, Walk::Refusal | Walk::Branch);
        assert_eq!(walk.fits(&row), !is_row, "{kind}");
    }
    for (key, kind) in [
        ("d", "divergence"),
        ("o", "observation denied"),
        ("e", "event"),
    ] {
        drive(&mut state, &format!("G ] {key}"));
        let told = &state.shared.notices.lines().last().unwrap().text;
        assert!(told.ends_with(&format!("no {kind} after this")), "{told}");
    }
    drive(&mut state, "g g C");
    assert_eq!(here(&state), "s1 walk fridge");
    assert!(
        lines(&state).contains(&"critic “Bad.” refuted".to_owned()),
        "{:?}",
        lines(&state)
    );
}

#[test]
fn a_lost_goal_leads_back_to_the_step_that_made_it_possible() {
    let state = open(saved(play(PLAN)));
    assert_eq!(here(&state), "s2 open fridge");
    let told = lines(&state);
    let at = told
        .iter()
        .position(|line| line.starts_with("why "))
        .unwrap();
    insta::assert_snapshot!(told.get(at..).unwrap().join("\n"));
}
