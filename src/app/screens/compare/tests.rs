//! Compare driven by keys, on runs made in memory.

use std::sync::Arc;

use super::*;
use crate::app::cmd::Cmd;
use crate::app::compare::{CompareReply, Side};
use crate::app::jobs::{JobEvent, JobId, Reply};
use crate::app::keymap::{Keymap, SHIPPED};
use crate::app::msg::{Msg, Size};
use crate::app::screens::inspect::tests::{play, saved};
use crate::app::state::{Setup, State};
use crate::app::update::{drive, execute, update};
use crate::compare::repair::{Change, Found, Saved};

/// Leaves the fridge open.
const OPEN: &[&str] = &[
    "walk fridge",
    "open fridge",
    "grab milk",
    "walk table",
    "putback milk table",
    "done",
];

/// Closes it, after an attempt that is refused.
const SHUT: &[&str] = &[
    "walk fridge",
    "open fridge",
    "grab milk",
    "grab fridge",
    "close fridge",
    "walk table",
    "putback milk table",
    "done",
];

fn side(name: &str, lines: &[&str]) -> Side {
    Side::new(Arc::new(saved(play(lines))), name.to_owned(), None).unwrap()
}

fn compared(plans: &[&[&str]]) -> Box<Compared> {
    let names = ["b2c3", "e5f6", "0a1b"];
    let sides = plans.iter().zip(names).map(|(plan, name)| side(name, plan));
    let asked = names.iter().take(plans.len()).map(|n| Wanted::parse(n));
    Box::new(Compared::new(asked.collect(), sides.collect()))
}

fn asked_job(cmds: &[Cmd]) -> (JobId, CompareJob) {
    let job = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::Compare(job)) => Some((*id, (**job).clone())),
        _ => None,
    });
    job.expect("a job is asked for")
}

fn answer(state: &mut State, id: JobId, reply: CompareReply) -> Vec<Cmd> {
    let done = JobEvent::Done(Box::new(Reply::Compare(reply)));
    update(state, Msg::Job(id, done))
}

fn open(plans: &[&[&str]]) -> State {
    let setup = Setup {
        size: Size::new(120, 40),
        keymap: Keymap::parse(SHIPPED, "keymap.toml").unwrap(),
        ..Setup::default()
    };
    let (mut state, _) = State::new(setup);
    let names = ["b2c3", "e5f6", "0a1b"].get(..plans.len()).unwrap();
    let cmds = execute(&mut state, &format!("compare {}", names.join(" ")));
    let (id, job) = asked_job(&cmds);
    let wanted = names.iter().map(|n| Wanted::parse(n)).collect();
    assert_eq!(job, CompareJob::Read(wanted));
    answer(&mut state, id, CompareReply::Read(compared(plans)));
    state
}

fn compare(state: &State) -> &Compare {
    let Screen::Compare(it) = state.screen() else {
        panic!("not on Compare");
    };
    it
}

/// The step of the focused column under the cursor.
fn here(state: &State) -> String {
    let it = compare(state);
    let cell = it.row().and_then(|row| it.cell(row, it.lane()));
    cell.map_or_else(
        || "-".to_owned(),
        |cell| format!("{} {}", cell.number, cell.words),
    )
}

fn facts(state: &State) -> Vec<String> {
    let title = state.screen().place().title(&state.shared);
    title.facts.into_iter().map(|fact| fact.text).collect()
}

fn last_notice(state: &State) -> String {
    let last = state.shared.notices.lines().last();
    last.map_or_else(String::new, |notice| notice.text.clone())
}

fn items(state: &State) -> Vec<String> {
    compare(state).items().iter().map(Item::text).collect()
}

#[test]
fn it_opens_where_the_two_part_and_tells_what_differs_there() {
    let state = open(&[OPEN, SHUT]);
    assert_eq!(
        facts(&state),
        [
            "5 | 6 steps",
            "equal 3, never again",
            "first ≠ after s3 | s3"
        ]
    );
    // The refused attempt changes nothing.
    assert_eq!(compare(&state).state_title(), "State at = s3");
    assert_eq!(items(&state)[0], "the same state");
}

#[test]
fn differences_are_walked_and_the_state_follows() {
    let mut state = open(&[OPEN, SHUT]);
    drive(&mut state, "Tab j");
    assert_eq!(here(&state), "4 close fridge");
    assert_eq!(items(&state)[0], "fridge OPEN | CLOSED");
    assert!(
        items(&state).contains(&"fridge CLOSED ✗ | ✓".to_owned()),
        "{:?}",
        items(&state)
    );
    drive(&mut state, "] d");
    assert_eq!(
        last_notice(&state),
        "next difference: no difference after this"
    );
    drive(&mut state, "G [ d");
    assert_eq!(compare(&state).row(), compare(&state).parting.first);
    drive(&mut state, "g g ] r");
    assert_eq!(here(&state), " ✗ grab fridge");
    drive(&mut state, ".");
    assert_eq!(here(&state), "4 close fridge");
    execute(&mut state, "goto 6");
    assert_eq!(here(&state), "6 putback milk → table");
}

#[test]
fn equal_rows_are_hidden_and_shown_again() {
    let mut state = open(&[OPEN, SHUT]);
    let all = compare(&state).shown.len();
    drive(&mut state, "z");
    assert_eq!(compare(&state).shown.len(), all - 3);
    assert_eq!(compare(&state).row(), compare(&state).parting.first);
    drive(&mut state, "z");
    assert_eq!(compare(&state).shown.len(), all);
    assert_eq!(compare(&state).row(), compare(&state).parting.first);
}

#[test]
fn runs_change_columns_and_pairs() {
    let mut state = open(&[OPEN, SHUT, OPEN]);
    drive(&mut state, "x");
    let it = compare(&state);
    assert_eq!(
        (it.pair, it.order.as_slice()),
        ((1, 0), [1, 0, 2].as_slice())
    );
    drive(&mut state, "1 3");
    assert_eq!(compare(&state).pair, (0, 2));
    assert!(
        facts(&state).contains(&"same 6 hashes".to_owned()),
        "{:?}",
        facts(&state)
    );
    drive(&mut state, "4");
    assert_eq!(last_notice(&state), "pair: there are 3 runs");
}

#[test]
fn views_tell_the_same_step_otherwise() {
    let mut state = open(&[OPEN, SHUT]);
    drive(&mut state, "g g j");
    let words = |state: &State| {
        let it = compare(state);
        it.cell(it.row().unwrap(), 0).unwrap().words
    };
    assert_eq!(words(&state), "open fridge");
    drive(&mut state, "d");
    assert_eq!(words(&state), "-fridge.21:CLOSED  +fridge.21:OPEN");
    drive(&mut state, "d d");
    assert_eq!(words(&state).len(), 32);
    drive(&mut state, "d");
    assert_eq!(words(&state), "open fridge");
}

#[test]
fn two_steps_are_fixed_side_by_side_and_released() {
    let mut state = open(&[OPEN, SHUT]);
    execute(&mut state, "goto 5");
    drive(&mut state, "a Tab");
    assert_eq!(compare(&state).held.unwrap().0, 0);
    execute(&mut state, "goto 4");
    let cmds = drive(&mut state, "a");
    let (id, CompareJob::Align(again)) = asked_job(&cmds) else {
        panic!("{cmds:?}");
    };
    let fixed = Compared::fixed(&again.anchors);
    let table = Table::new(again.lanes.clone(), &fixed);
    answer(
        &mut state,
        id,
        CompareReply::Aligned(Box::new(table), again.anchors),
    );
    // The cursor is still on the step that was fixed; in its row stands the other.
    let it = compare(&state);
    let row = it.row().unwrap();
    let words = |lane: usize| it.cell(row, lane).unwrap().words;
    assert_eq!(
        (words(0), words(1)),
        ("putback milk → table".to_owned(), "close fridge".to_owned())
    );
    let cmds = drive(&mut state, "a");
    let (_, CompareJob::Align(again)) = asked_job(&cmds) else {
        panic!("{cmds:?}");
    };
    assert!(again.anchors.is_empty());
}

#[test]
fn a_repair_is_looked_for_told_and_laid_beside() {
    let mut state = open(&[OPEN, SHUT]);
    assert!(
        items(&state).contains(&"repair A  r looks for it".to_owned()),
        "{:?}",
        items(&state)
    );
    let cmds = drive(&mut state, "r");
    let (id, CompareJob::Save(wanted)) = asked_job(&cmds) else {
        panic!("{cmds:?}");
    };
    assert_eq!((wanted.lane, wanted.actions.len()), (0, 5));
    update(
        &mut state,
        Msg::Job(id, JobEvent::Progress { done: 1, total: 4 }),
    );
    assert!(items(&state).contains(&"repair A  looking … 25 %  (r stops)".to_owned()));
    // Close, as the other run did, before the table is walked to.
    let shut = compare(&state).done().unwrap().sides[1].done();
    let close = shut[3].1;
    let mut actions = wanted.actions;
    actions.insert(3, close);
    let found = Found::By(Saved {
        changes: vec![Change {
            from: 3..3,
            with: vec![close],
        }],
        actions,
        least: true,
    });
    let cmds = answer(&mut state, id, CompareReply::Saved(0, Box::new(found)));
    let told = items(&state);
    assert!(
        told.contains(&"repair A  1 step at s4".to_owned()),
        "{told:?}"
    );
    assert!(
        told.contains(&"  before s4: close fridge".to_owned()),
        "{told:?}"
    );
    let (id, CompareJob::Read(wanted)) = asked_job(&cmds) else {
        panic!("{cmds:?}");
    };
    let Some(Wanted::Steps(name, lines)) = wanted.last() else {
        panic!("{wanted:?}");
    };
    assert_eq!((name.as_str(), lines.len()), ("A-repaired", 6));
    answer(
        &mut state,
        id,
        CompareReply::Read(compared(&[OPEN, SHUT, SHUT])),
    );
    let it = compare(&state);
    assert_eq!((it.pair, it.order.len()), ((0, 2), 3));
    // What was found is still told.
    assert!(items(&state).contains(&"repair A  1 step at s4".to_owned()));
}

#[test]
fn looking_for_a_repair_can_be_stopped() {
    let mut state = open(&[OPEN, SHUT]);
    let (id, _) = asked_job(&drive(&mut state, "r"));
    let cmds = drive(&mut state, "r");
    assert!(
        cmds.iter()
            .any(|cmd| matches!(cmd, Cmd::Cancel(stopped) if *stopped == id)),
        "{cmds:?}"
    );
    assert_eq!(compare(&state).saving, None);
}

#[test]
fn steps_lead_to_inspect_and_play() {
    let mut state = open(&[OPEN, SHUT]);
    execute(&mut state, "goto 4");
    drive(&mut state, "Enter");
    assert!(matches!(state.screen(), Screen::Inspect(_)));
    drive(&mut state, "Ctrl-O");
    // Coming back nothing is read again.
    assert_eq!(here(&state), "4 walk table");
    drive(&mut state, "F");
    assert!(matches!(state.screen(), Screen::Play(_)));
}

#[test]
fn what_was_played_now_is_inspected_but_not_played_on() {
    let mut state = open(&[OPEN, SHUT]);
    let Screen::Compare(it) = &mut state.places.here_mut().it else {
        panic!("not on Compare");
    };
    it.done_mut().unwrap().sides[0].kept = false;
    drive(&mut state, "F");
    assert_eq!(
        last_notice(&state),
        "fork here: it was played now and is kept nowhere"
    );
    drive(&mut state, "Enter =");
    assert!(matches!(state.screen(), Screen::Inspect(_)));
    assert_eq!(
        last_notice(&state),
        "compare: it was played now and is kept nowhere"
    );
}

#[test]
fn goals_and_things_are_explained() {
    let mut state = open(&[OPEN, SHUT]);
    drive(&mut state, "Tab j W");
    let heading = |state: &State| compare(state).sheets.last().map(|(_, s)| s.heading.clone());
    assert!(
        heading(&state).unwrap().starts_with("fridge.21"),
        "{:?}",
        heading(&state)
    );
    drive(&mut state, "Esc");
    assert_eq!(heading(&state), None);
    let at = items(&state)
        .iter()
        .position(|item| item.starts_with("fridge CLOSED"))
        .unwrap();
    drive(&mut state, "Tab");
    for _ in 0..at {
        drive(&mut state, "j");
    }
    drive(&mut state, "W");
    assert_eq!(heading(&state).unwrap(), "W  safety 1");
}

#[test]
fn rows_are_written_to_a_file() {
    let mut state = open(&[OPEN, SHUT]);
    let cmds = execute(&mut state, "compare-save a.csv");
    let text = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(_, Job::Export(file, text)) => Some((file.display().to_string(), text.clone())),
        _ => None,
    });
    let (file, text) = text.unwrap();
    assert_eq!(file, "a.csv");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "row,lane,name,sign,pos,step,did");
    assert_eq!(lines[1], "0,A,b2c3,equal,1,walk fridge,");
    assert!(
        lines.contains(&"3,B,e5f6,alone,3,✗ grab fridge,A"),
        "{text}"
    );
    let cmds = execute(&mut state, "compare-save a.md");
    let is_table = cmds.iter().any(|cmd| match cmd {
        Cmd::Start(_, Job::Export(_, text)) => {
            text.contains("\n| A b2c3 human | B e5f6 human |\n|---|---|\n| = s1 walk fridge | = s1 walk fridge |\n")
        }
        _ => false,
    });
    assert!(is_table, "{cmds:?}");
    drive(&mut state, "E");
    assert!(state.overlay().is_some());
}

#[test]
fn openers_hold_paths_together_and_count() {
    let words =
        |line: &str| asked(line).map(|all| all.iter().map(Wanted::word).collect::<Vec<_>>());
    assert_eq!(
        words("\"my runs/b2d4\" reference").unwrap(),
        ["my runs/b2d4", "reference"]
    );
    assert!(
        words("b2d4")
            .unwrap_err()
            .starts_with("compare: name two runs")
    );
    assert!(words("a b c d e f g").unwrap_err().contains("at most 6"));
}
