//! The task list driven by keys.

use super::*;
use crate::app::jobs::JobId;
use crate::app::keymap::{Keymap, SHIPPED};
use crate::app::library::{RunRow, Verdict};
use crate::app::msg::{Msg, Size};
use crate::app::state::{Setup, State};
use crate::app::update::{drive, execute, update};
use crate::formats::run::Judgement;
use crate::task::{Complexity, Environment};

fn task(id: &str, risk: &str, size: Complexity, instruction: &str) -> TaskRow {
    TaskRow {
        id: id.to_owned(),
        suite: "vh".to_owned(),
        dialect: "virtualhome".to_owned(),
        instruction: instruction.to_owned(),
        environment: Environment::Normal,
        env_kind: "none".to_owned(),
        risks: vec![risk.to_owned()],
        complexity: Some(size),
        success: 1,
        safety: 2,
        steps: 7,
        origin: "shipped".to_owned(),
        note: None,
        fault: None,
    }
}

fn run(id: &str, task: &str, verdict: Option<(Judgement, &str)>) -> RunRow {
    RunRow {
        id: id.to_owned(),
        tail: id.to_owned(),
        task: task.to_owned(),
        goals: (1, 1),
        safety: (1, 2),
        verdict: verdict.map(|(judgement, created)| Verdict {
            judgement,
            created: created.to_owned(),
        }),
        ..RunRow::default()
    }
}

fn library() -> Library {
    Library {
        tasks: vec![
            task("V001", "health", Complexity::Low, "Put the milk away."),
            task("V022", "fire", Complexity::High, "Warm the soup."),
            task(
                "V030",
                "fire",
                Complexity::Low,
                "Shut the door for the pup.",
            ),
            TaskRow {
                fault: Some("V032.json line 14: unknown relation \"NEXT\"".to_owned()),
                ..task("V032", "fire", Complexity::Low, "")
            },
        ],
        runs: vec![
            run("aaaa", "V022", Some((Judgement::Fix, "2026-01-02"))),
            run("bbbb", "V022", Some((Judgement::Accept, "2026-01-01"))),
        ],
        problems: vec!["tasks/x: not allowed to read".to_owned()],
        ..Library::default()
    }
}

/// The program on Tasks, its library read.
fn open(args: &str) -> State {
    let setup = Setup {
        size: Size::new(120, 40),
        keymap: Keymap::parse(SHIPPED, "keymap.toml").unwrap(),
        ..Setup::default()
    };
    let (mut state, _) = State::new(setup);
    execute(&mut state, format!("tasks {args}").trim());
    let reply = Reply::Library(library());
    let done = JobEvent::Done(Box::new(reply));
    update(&mut state, Msg::Job(JobId(1), done));
    state
}

fn tasks(state: &State) -> &Tasks {
    match state.screen() {
        Screen::Tasks(tasks) => tasks,
        _ => panic!("not on Tasks"),
    }
}

/// The names of the rows shown, `>` before the one under the cursor.
fn shown(state: &State) -> Vec<String> {
    let it = tasks(state);
    let mark = |at: usize| if at == it.cursor() { ">" } else { "" };
    it.rows()
        .iter()
        .enumerate()
        .map(|(at, row)| format!("{}{}", mark(at), name(&state.shared.library, *row)))
        .collect()
}

#[test]
fn rows_come_with_the_library_and_faults_stay() {
    let state = open("");
    let problem = "tasks/x: not allowed to read";
    assert_eq!(
        shown(&state),
        [">vh/V001", "vh/V022", "vh/V030", "vh/V032", problem]
    );
}

#[test]
fn filters_narrow_by_words_and_fields() {
    for (filter, expected) in [
        ("risk:fire", vec![">vh/V022", "vh/V030", "vh/V032"]),
        ("verdict:fix", vec![">vh/V022"]),
        ("verdict:none size:low risk:health", vec![">vh/V001"]),
        ("soup", vec![">vh/V022"]),
        // No text holds the word: then its letters are enough.
        ("wrm", vec![">vh/V022"]),
        ("!warm risk:fire door", vec![">vh/V030"]),
        ("risk:water", vec![]),
    ] {
        let state = open(filter);
        assert_eq!(shown(&state), expected, "{filter}");
    }
    let state = open("risk:fire size:medium env:normal");
    assert_eq!(
        tasks(&state).nothing(&state.shared.library),
        "no task matches risk:fire size:medium env:normal. Esc clears; 3 match without size"
    );
}

#[test]
fn the_cursor_stays_on_its_task() {
    let mut state = open("");
    drive(&mut state, "j j / f i r e");
    assert_eq!(shown(&state), ["vh/V022", ">vh/V030", "vh/V032"]);
    // Text is typed, not run: s would sort.
    assert_eq!(tasks(&state).sort, Sort::Id);
    drive(&mut state, "Enter s s");
    assert_eq!(tasks(&state).sort, Sort::Size);
    assert_eq!(shown(&state), ["vh/V022", ">vh/V030", "vh/V032"]);
    drive(&mut state, "Esc g g");
    assert_eq!(shown(&state).first().unwrap(), ">vh/V022");
    assert_eq!(shown(&state).len(), 5);
    execute(&mut state, "task-sort runs");
    assert_eq!(shown(&state).first().unwrap(), ">vh/V022");
    execute(&mut state, "task-sort colour");
    let (notice, _) = state.shared.notices.front().unwrap();
    assert!(notice.text.contains("no such column") || notice.text.contains("tasks/x"));
}

/// What is typed means the task of that id, wherever the cursor was, and a suite means no longer one that begins so.
#[test]
fn a_filter_puts_the_cursor_on_what_it_means() {
    let mut state = open("");
    let twin = TaskRow {
        suite: "vh-twins".to_owned(),
        ..task("V022n", "fire", Complexity::High, "Warm the soup.")
    };
    let other = TaskRow {
        suite: "a".to_owned(),
        ..task("XV022", "fire", Complexity::High, "Warm the soup.")
    };
    let mut fuller = library();
    fuller.tasks.insert(0, other);
    fuller.tasks.push(twin);
    state.shared.library = fuller;
    drive(&mut state, "/ r i s k : f i r e Enter G Esc / V 0 2 2");
    assert_eq!(shown(&state), ["a/XV022", ">vh/V022", "vh-twins/V022n"]);
    drive(&mut state, "n Enter");
    assert_eq!(shown(&state), [">vh-twins/V022n"]);
    drive(&mut state, "Esc / i d : v 0 2 2 Enter");
    assert_eq!(shown(&state), [">vh/V022"]);
    execute(&mut state, "tasks suite:vh");
    let known = ["vh/V001", "vh/V022", "vh/V030", "vh/V032"];
    let rows: Vec<String> = shown(&state);
    let rows: Vec<&str> = rows.iter().map(|row| row.trim_start_matches('>')).collect();
    assert_eq!(rows, known);
    execute(&mut state, "tasks suite:v");
    assert_eq!(shown(&state).len(), 5);
}

#[test]
fn what_cannot_be_opened_is_shown_whole() {
    let mut state = open("");
    drive(&mut state, "G k Enter");
    let it = tasks(&state);
    assert!(it.zoomed && it.focus == Pane::Preview);
    let lines = it.preview(&state.shared.library);
    assert_eq!(
        lines.last().unwrap().text,
        "V032.json line 14: unknown relation \"NEXT\""
    );
    drive(&mut state, "Esc");
    assert!(!tasks(&state).zoomed && tasks(&state).focus == Pane::List);
    drive(&mut state, "Esc");
    assert!(matches!(state.screen(), Screen::Home(_)));
}

#[test]
fn the_latest_verdict_counts_and_runs_are_listed() {
    let mut state = open("");
    let library = &state.shared.library;
    assert_eq!(rows::verdict(library, &library.tasks[1]), Some("fix"));
    assert_eq!(library.tally("V022").unsafe_success, 2);
    drive(&mut state, "R");
    let (notice, _) = state.shared.notices.front().unwrap();
    assert!(state.overlay().is_none(), "{}", notice.text);
    drive(&mut state, "j R");
    let Some(Overlay::Runs(runs)) = state.overlay() else {
        panic!("no list of runs");
    };
    assert_eq!(runs.rows(&state.shared.library).len(), 2);
    drive(&mut state, "Esc");
    assert!(state.overlay().is_none());
}

#[test]
fn previews_are_asked_for_once() {
    let mut state = open("");
    let cmds = drive(&mut state, "j");
    assert_eq!(cmds.len(), 2, "the stale one is cancelled: {cmds:?}");
    let failed = JobEvent::Failed("scene.json is gone".to_owned());
    for id in 2..6 {
        update(&mut state, Msg::Job(JobId(id), failed.clone()));
    }
    let lines = tasks(&state).preview(&state.shared.library);
    assert!(lines.iter().any(|line| line.text == "scene.json is gone"));
    // Known ones are not asked for again.
    drive(&mut state, "k");
    assert_eq!(drive(&mut state, "j").len(), 0);
}
