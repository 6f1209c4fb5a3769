//! What the screen asks for, shows and opens.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::app::cmd::Cmd;
use crate::app::jobs::{Job, JobEvent, JobId, Reply};
use crate::app::keymap::{Keymap, SHIPPED};
use crate::app::msg::{Msg, Size};
use crate::app::overlays::Overlay;
use crate::app::state::{Setup, State};
use crate::app::update::{drive, execute, update};
use crate::eval::case::{Case, End, Part};
use crate::eval::told::Told;
use crate::task::Environment;

fn case(who: &str, task: &str, success: usize) -> Case {
    Case {
        run: format!("{task}-{}", who.replace(' ', "-")),
        task: task.to_owned(),
        suite: "vh".to_owned(),
        environment: Environment::Normal,
        env_kind: "none".to_owned(),
        risk: vec!["fire".to_owned()],
        complexity: Some("low"),
        who: who.to_owned(),
        one_go: false,
        guidelines: true,
        end: End::Done,
        success: Part::new(success, 2),
        safety: Part::new(1, 1),
        succeeds: success == 2,
        deeds: 9,
        trials: 1,
        broken: BTreeSet::new(),
        advised: BTreeSet::new(),
        ignored: BTreeSet::new(),
        needless: false,
        faults: BTreeMap::new(),
        interventions: BTreeMap::new(),
        spent: None,
        failure: None,
    }
}

fn reported() -> Reply {
    let cases = vec![
        case("m react", "V001", 2),
        case("m react", "V002", 1),
        case("planner", "V001", 2),
    ];
    let expected = ["V001", "V002"].map(str::to_owned);
    let places = cases
        .iter()
        .map(|c| (c.run.clone(), PathBuf::from("some runs").join(&c.run)));
    Reply::Report(Arc::new(Reported {
        folders: vec!["some runs".to_owned()],
        places: places.collect(),
        told: Told::new(cases, vec!["x: cannot be read".to_owned()], &expected),
    }))
}

fn start(line: &str) -> (State, Vec<(JobId, Job)>) {
    let (mut state, _) = State::new(Setup {
        size: Size::new(120, 40),
        keymap: Keymap::parse(SHIPPED, "keymap.toml").unwrap(),
        ..Setup::default()
    });
    let jobs = jobs(execute(&mut state, line));
    (state, jobs)
}

fn jobs(cmds: Vec<Cmd>) -> Vec<(JobId, Job)> {
    let started = cmds.into_iter().filter_map(|cmd| match cmd {
        Cmd::Start(id, job) => Some((id, job)),
        _ => None,
    });
    started.collect()
}

fn open() -> State {
    let (mut state, jobs) = start("report");
    let [(id, Job::Report(_))] = jobs.as_slice() else {
        panic!("{jobs:?}")
    };
    let done = JobEvent::Done(Box::new(reported()));
    update(&mut state, Msg::Job(*id, done));
    state
}

fn screen(state: &State) -> &Report {
    match state.screen() {
        Screen::Report(it) => it,
        other => panic!("{other:?}"),
    }
}

#[test]
fn folders_are_words_or_stand_in_quotes() {
    let (_, jobs) = start("report a/b \"my runs\" c");
    let asked = ["a/b", "my runs", "c"].map(PathBuf::from).to_vec();
    assert_eq!(jobs.first().map(|(_, job)| job), Some(&Job::Report(asked)));
    assert_eq!(
        folders("\"a").unwrap_err(),
        "report: a quotation mark is not closed"
    );
}

#[test]
fn pages_are_the_tables_and_what_is_missing() {
    let mut state = open();
    let report = screen(&state);
    let ids: Vec<&str> = report.tables().iter().map(|t| t.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "main",
            "environment",
            "complexity",
            "risk",
            "process",
            "errors",
            "pairs"
        ]
    );
    assert_eq!(
        report.notes(),
        [
            "planner: 1 of 2 tasks have no run: V002",
            "x: cannot be read"
        ]
    );
    // One step back from the first is the last: the notes.
    drive(&mut state, "[ j");
    assert!(screen(&state).shown().is_none());
    assert_eq!(
        state.screen().layer().row_text(&state.shared).as_deref(),
        Some("x: cannot be read")
    );
    drive(&mut state, "] ]");
    assert_eq!(
        screen(&state).shown().map(|t| t.id.as_str()),
        Some("environment")
    );
}

#[test]
fn columns_are_walked_and_bars_have_only_rates() {
    let mut state = open();
    let head = |state: &State| {
        let report = screen(state);
        report.shown().unwrap().columns[report.column].head.clone()
    };
    assert_eq!(head(&state), "runs");
    drive(&mut state, "h");
    assert_eq!(head(&state), "runs");
    // Nobody made a plan at once: delivery has no rate.
    drive(&mut state, "p");
    assert_eq!(head(&state), "success macro");
    assert!(screen(&state).printed(screen(&state).column).is_some());
    drive(&mut state, "l l l l l l l");
    assert_eq!(head(&state), "finished");
    // A table without rates goes back to numbers.
    drive(&mut state, "] ] ] ] ]");
    assert_eq!(
        screen(&state).shown().map(|t| t.id.as_str()),
        Some("errors")
    );
    assert!(!screen(&state).plots);
}

#[test]
fn a_row_opens_its_runs_and_they_open_in_inspect() {
    let mut state = open();
    drive(&mut state, "Enter");
    let Some(Overlay::Behind(behind)) = state.overlay() else {
        panic!("{:?}", state.overlay())
    };
    let tasks: Vec<(&str, &str)> = behind
        .runs
        .iter()
        .map(|one| (one.task.as_str(), one.standing()))
        .collect();
    assert_eq!(tasks, [("V001", "success, safe"), ("V002", "no success")]);
    let cmds = drive(&mut state, "j Enter");
    let wanted = Job::LoadRun("some runs/V002-m-react".to_owned());
    assert!(jobs(cmds).iter().any(|(_, job)| *job == wanted));
    assert!(matches!(state.screen(), Screen::Inspect(_)));
    // The report is as it was when one comes back.
    assert_eq!(jobs(drive(&mut state, "Ctrl-O")).len(), 0);
    assert_eq!(screen(&state).list.cursor, 0);
}

#[test]
fn files_are_written_where_one_says() {
    let mut state = open();
    drive(&mut state, "E");
    assert!(
        matches!(state.overlay(), Some(Overlay::Prompt(line)) if line.edit.text() == "report-save report")
    );
    let cmds = drive(&mut state, "s Enter");
    let asked = jobs(cmds);
    let [(id, Job::SaveReport(all, folder))] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    assert_eq!(folder, &PathBuf::from("reports"));
    assert_eq!(all.told.files().len(), 7 * 5 + 2);
    let saved = Reply::ReportSaved("reports".to_owned(), 37);
    let done = JobEvent::Done(Box::new(saved));
    update(&mut state, Msg::Job(*id, done));
    let told = state.shared.notices.front().map(|(n, _)| n.text.clone());
    assert_eq!(told.as_deref(), Some("reports: 37 files written"));
}

#[test]
fn neither_runs_nor_times_reach_the_files() {
    let Reply::Report(all) = reported() else {
        panic!()
    };
    for (name, text) in all.told.files() {
        for case in &all.told.cases {
            assert!(!text.contains(&case.run), "{name}: {}", case.run);
        }
        assert!(
            !text.contains("some runs") && !text.contains("x: cannot"),
            "{name}"
        );
    }
}

fn overlay(state: &State) -> Option<&Overlay> {
    state.overlay()
}

#[test]
fn why_tells_the_formula_and_the_runs_that_count() {
    let mut state = open();
    drive(&mut state, "l W");
    let Some(Overlay::Formula(formula)) = overlay(&state) else {
        panic!("no formula")
    };
    // The first column of numbers is the count of runs, then delivery, which no stepwise agent has.
    assert_eq!(formula.numbers.head, "delivery");
    assert_eq!(formula.numbers.shares, []);
    drive(&mut state, "Esc l W");
    let Some(Overlay::Formula(formula)) = overlay(&state) else {
        panic!("no formula")
    };
    assert_eq!(formula.numbers.head, "success macro");
    assert_eq!(
        formula.numbers.lines[..2],
        [
            "success macro = tasks with all success criteria / tasks",
            "= 1 / 2 = 50.00 %"
        ]
    );
    let shares: Vec<(&str, usize)> = formula
        .numbers
        .shares
        .iter()
        .map(|share| (share.task.as_str(), share.n))
        .collect();
    assert_eq!(shares, [("V001", 1), ("V002", 0)]);
    let jobs = jobs(drive(&mut state, "j Enter"));
    let opened = jobs.iter().find_map(|(_, job)| match job {
        Job::LoadRun(run) => Some(run.as_str()),
        _ => None,
    });
    assert_eq!(opened, Some("some runs/V002-m-react"));
}

#[test]
fn new_starts_what_a_suite_misses() {
    let mut state = open();
    drive(&mut state, "n");
    let Some(Overlay::Launch(launch)) = overlay(&state) else {
        panic!("nothing is asked")
    };
    let crate::app::overlays::launch::Ask::Sure(_, about) = &launch.ask else {
        panic!("{launch:?}")
    };
    assert_eq!(about[0], "planner: 1 of 2 tasks have no run: V002");
    assert_eq!(
        about[1],
        "what they cost is not known: no run of this agent is priced"
    );
    let started = jobs(drive(&mut state, "Enter"));
    let wanted = crate::app::launch::Launch::Missing {
        suite: "vh".to_owned(),
        tasks: vec!["V002".to_owned()],
        like: PathBuf::from("some runs/V001-planner"),
    };
    let [(id, Job::Launch(launched))] = started.as_slice() else {
        panic!("{started:?}")
    };
    assert_eq!(*launched, wanted);
    // A second Enter does not start it again; what went wrong stays to be read.
    assert_eq!(jobs(drive(&mut state, "Enter")), []);
    let failed = JobEvent::Failed("no key".to_owned());
    update(&mut state, Msg::Job(*id, failed));
    let Some(Overlay::Launch(launch)) = overlay(&state) else {
        panic!("it is gone")
    };
    assert_eq!(launch.fault.as_deref(), Some("no key"));
}
