//! The program driven by keys, on jobs that answer when the test says so.

use super::cmd::Cmd;
use super::jobs::{Job, JobEvent, JobId, Reply};
use super::key::script;
use super::keymap::{Keymap, SHIPPED};
use super::library::{Library, Loading, RunRow};
use super::msg::{Msg, Signal, Size};
use super::overlays::Overlay;
use super::state::{Setup, State};
use super::update::{drive, execute, update};

fn state() -> (State, Vec<Cmd>) {
    State::new(Setup {
        size: Size::new(80, 24),
        keymap: Keymap::parse(SHIPPED, "keymap.toml").unwrap(),
        ..Setup::default()
    })
}

fn last_notice(state: &State) -> String {
    state
        .shared
        .notices
        .lines()
        .next_back()
        .map_or_else(String::new, |n| n.text.clone())
}

#[test]
fn the_library_arrives_once_and_stale_replies_are_dropped() {
    let (mut state, cmds) = state();
    assert_eq!(cmds, [Cmd::Start(JobId(1), Job::LoadLibrary)]);
    let library = |n| {
        let runs = vec![RunRow::default(); n];
        JobEvent::Done(Box::new(Reply::Library(Library {
            runs,
            ..Library::default()
        })))
    };
    update(&mut state, Msg::Job(JobId(7), library(3)));
    assert_eq!(state.shared.library.loading, Loading::Running);
    update(
        &mut state,
        Msg::Job(JobId(1), JobEvent::Progress { done: 1, total: 2 }),
    );
    update(&mut state, Msg::Job(JobId(1), library(2)));
    assert_eq!(state.shared.library.runs.len(), 2);
    update(&mut state, Msg::Job(JobId(1), library(5)));
    assert_eq!(state.shared.library.runs.len(), 2);
    assert!(!state.is_busy());
}

#[test]
fn a_failed_library_says_so() {
    let (mut state, _) = state();
    update(
        &mut state,
        Msg::Job(
            JobId(1),
            JobEvent::Failed("saved_runs: permission denied".into()),
        ),
    );
    assert_eq!(
        state.shared.library.loading,
        Loading::Failed("saved_runs: permission denied".into())
    );
    assert!(state.shared.notices.front().is_some());
}

#[test]
fn places_are_walked_back_and_forward() {
    let (mut state, _) = state();
    let first = state.place_id();
    drive(&mut state, "g h");
    let second = state.place_id();
    assert_ne!(first, second);
    drive(&mut state, "Ctrl-O");
    assert_eq!(state.place_id(), first);
    drive(&mut state, "Ctrl-O");
    assert_eq!(
        last_notice(&state),
        "back: there is no place before this one"
    );
    drive(&mut state, "Ctrl-N");
    assert_eq!(state.place_id(), second);
    drive(&mut state, "Ctrl-O g h");
    drive(&mut state, "Ctrl-N");
    assert_eq!(
        last_notice(&state),
        "forward: there is no place after this one"
    );
    assert!(!drive(&mut state, "q").contains(&Cmd::Quit));
    assert_eq!(state.place_id(), first);
    assert_eq!(drive(&mut state, "q"), [Cmd::Quit]);
}

#[test]
fn overlays_take_the_keys_and_give_them_back() {
    let (mut state, _) = state();
    drive(&mut state, "?");
    assert!(matches!(state.overlay(), Some(Overlay::Help(_))));
    assert_eq!(drive(&mut state, "q"), []);
    assert!(state.overlay().is_none());
    drive(&mut state, "Ctrl-P");
    drive(&mut state, "q ? Esc");
    assert!(state.overlay().is_none(), "letters are text in the palette");
    assert_eq!(
        drive(&mut state, "? Ctrl-L Ctrl-Z"),
        [Cmd::Redraw, Cmd::Suspend]
    );
}

#[test]
fn the_command_line_runs_completes_and_remembers() {
    let (mut state, _) = state();
    assert_eq!(drive(&mut state, ": redraw Enter"), [Cmd::Redraw]);
    assert_eq!(drive(&mut state, ": qui Tab Enter"), [Cmd::Quit]);
    assert_eq!(drive(&mut state, ": Up Up Enter"), [Cmd::Redraw]);
    assert_eq!(state.shared.history, ["quit", "redraw"]);
    drive(&mut state, ": half Esc :");
    let Some(Overlay::Prompt(prompt)) = state.overlay() else {
        panic!("no prompt")
    };
    assert_eq!(prompt.edit.text(), "half", "a draft is kept");
    drive(&mut state, "Ctrl-U nonsense Space 1 Enter");
    assert_eq!(last_notice(&state), "nonsense: there is no such command");
    drive(&mut state, ": palette-run Enter");
    assert_eq!(last_notice(&state), "run: belongs to: Palette");
}

#[test]
fn the_palette_finds_and_runs() {
    let (mut state, _) = state();
    assert_eq!(drive(&mut state, "Ctrl-P redr Enter"), [Cmd::Redraw]);
    assert!(state.overlay().is_none());
    drive(&mut state, "Ctrl-P qqqq Enter");
    assert_eq!(last_notice(&state), "run: nothing matches");
    assert!(state.overlay().is_some());
}

#[test]
fn help_runs_its_rows() {
    let (mut state, _) = state();
    assert_eq!(drive(&mut state, "? / whole Enter Enter"), [Cmd::Redraw]);
    assert!(state.overlay().is_none());
}

#[test]
fn a_prefix_waits_for_its_second_key() {
    let (mut state, _) = state();
    update(&mut state, Msg::Tick(1_000));
    drive(&mut state, "g");
    assert_eq!(state.deadline(), Some(1_300));
    state.take_dirty();
    update(&mut state, Msg::Tick(1_299));
    assert!(
        !state.shows_which_key() && !state.take_dirty(),
        "nothing to draw before"
    );
    update(&mut state, Msg::Tick(1_300));
    assert!(state.shows_which_key() && state.take_dirty());
    assert_eq!(state.deadline(), None);
    drive(&mut state, "Esc");
    assert!(state.pending().is_empty());
    assert_eq!(drive(&mut state, "g Ctrl-C"), [Cmd::Quit]);
    drive(&mut state, "g x");
    assert_eq!(
        last_notice(&state),
        "g x is not bound here: ? shows the keys"
    );
}

#[test]
fn home_says_why_nothing_opens() {
    let (mut state, _) = state();
    let runs = vec![
        RunRow {
            id: "r1".into(),
            ..RunRow::default()
        },
        RunRow::default(),
    ];
    let reply = Reply::Library(Library {
        runs,
        ..Library::default()
    });
    update(
        &mut state,
        Msg::Job(JobId(1), JobEvent::Done(Box::new(reply))),
    );
    drive(&mut state, "Tab Enter");
    assert_eq!(last_notice(&state), "open: nothing to open here");
}

#[test]
fn signals_and_circles_end() {
    let (mut state, _) = state();
    assert_eq!(
        update(&mut state, Msg::Signal(Signal::Terminate)),
        [Cmd::Quit]
    );
    assert_eq!(update(&mut state, Msg::Signal(Signal::Hangup)), [Cmd::Quit]);
    assert_eq!(
        update(&mut state, Msg::Signal(Signal::Continue)),
        [Cmd::Redraw]
    );
    assert_eq!(execute(&mut state, "nothing such"), []);
}

#[test]
fn random_keys_harm_nothing() {
    // A small generator of our own: the same keys every time.
    let mut seed = 1_u64;
    let mut next = |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % n
    };
    let keys = script(
        "j k g G h Tab Shift-Tab Enter Esc ? / : ! Ctrl-P Ctrl-O Ctrl-N Ctrl-U Ctrl-W Ctrl-A Up Down PgDn PgUp Home End Backspace Delete a e Space q ] [ , . + _ Ctrl-L",
    );
    let (mut state, _) = state();
    for now in 0..5_000 {
        let key = keys.get(next(keys.len())).copied().unwrap();
        update(&mut state, Msg::Tick(now * 37));
        update(&mut state, Msg::Key(key));
        assert!(state.overlays().len() <= 1, "overlays do not pile up");
        let _ = super::hints::footer(&state);
        let _ = super::hints::which_key(&state);
    }
}
