//! `vesta compare` from the outside, and repairs of the plans that walk into shipped traps.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;

use serde_json::Value;
use vesta::compare::repair::{Effort, Found, repair};
use vesta::store::library::{Library, Places};
use vesta::task::episode::Episode;

use super::played::{only, play, vesta};

/// A run of these lines, in a folder of its own.
fn run(runs: &Path, name: &str, task: &str, lines: &[&str]) -> PathBuf {
    let folder = runs.join(name);
    play(task, &folder, &(lines.join("\n") + "\n"), &[]);
    only(&folder)
}

fn compare(runs: &[&Path], flags: &[&str]) -> Output {
    vesta()
        .arg("compare")
        .args(runs)
        .args(flags)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The last four letters of a run's id.
fn tail(run: &Path) -> String {
    let name = run.file_name().unwrap().to_str().unwrap();
    name.get(name.len() - 4..).unwrap().to_owned()
}

#[test]
fn a_forgotten_step_is_one_difference_and_one_repair() {
    let runs = tempfile::tempdir().unwrap();
    // V001: the fridge is left open.
    let naive = plan("V001", |s| s.naive.clone());
    let naive: Vec<&str> = naive.iter().map(String::as_str).chain(["done"]).collect();
    let a = run(runs.path(), "a", "V001", &naive);
    let output = compare(&[&a], &["--reference", "--plain", "--repair"]);
    let said = text(&output).replace(&tail(&a), "TAIL");
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/snapshots"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("compared-v001", said);
    });
    assert_eq!(output.status.code(), Some(1));
}

/// A plan of a task as lines.
fn plan(
    task: &str,
    of: fn(&vesta::task::setup::Setup) -> Vec<vesta::sim::world::Action>,
) -> Vec<String> {
    let setup = Library::open_in(Places::default(), None)
        .load(task)
        .unwrap();
    let setup = Arc::new(setup);
    let (episode, _) = Episode::start(Arc::clone(&setup), setup.task.profile()).unwrap();
    let world = episode.timeline().world();
    of(&setup)
        .into_iter()
        .map(|action| world.line(action))
        .collect()
}

#[test]
fn the_same_run_is_the_same_and_its_branch_is_not() {
    let runs = tempfile::tempdir().unwrap();
    let lines = ["walk fridge", "open fridge", "undo", "walk table", "done"];
    let a = run(runs.path(), "a", "V001", &lines);
    let output = compare(&[&a, &a], &["--plain"]);
    assert!(
        text(&output).contains("same 3 hashes\n"),
        "{}",
        text(&output)
    );
    assert_eq!(output.status.code(), Some(0));
    let branch = format!("{}/main-1", a.display());
    let output = compare(&[&a, Path::new(&branch)], &["--plain", "--branch", "main"]);
    let said = text(&output);
    assert!(
        said.contains("first ≠ s2 | s3, equal 1, never again"),
        "{said}"
    );
    assert!(
        said.contains("\n≠  s2  open fridge  -1 safety | ≠  s3  walk table"),
        "{said}"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn programs_read_lanes_rows_and_state() {
    let runs = tempfile::tempdir().unwrap();
    let a = run(runs.path(), "a", "V001", &["walk fridge", "open fridge"]);
    let b = run(runs.path(), "b", "V001", &["walk fridge", "done"]);
    let output = compare(&[&a, &b], &["--json"]);
    let value: Value = serde_json::from_str(&text(&output)).unwrap();
    assert_eq!(value["pairs"][0]["first"], 1);
    assert_eq!(value["pairs"][0]["equal"], 1);
    assert_eq!(value["rows"][0][0]["sign"], "=");
    assert_eq!(value["rows"][1][0]["text"], "open fridge");
    let fridge = value["state"]["facts"][0].clone();
    assert_eq!(
        (&fridge["what"], &fridge["a"], &fridge["b"]),
        (&"fridge".into(), &"OPEN".into(), &"CLOSED".into())
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn different_tasks_are_said_to_be_and_aligned_by_class() {
    let runs = tempfile::tempdir().unwrap();
    let a = run(runs.path(), "a", "V001", &["walk fridge", "open fridge"]);
    let b = run(runs.path(), "b", "V022", &["walk fridge", "open fridge"]);
    let said = text(&compare(&[&a, &b], &["--plain"]));
    let told =
        "! different tasks: A is V001, B is V022; steps are aligned by action and class alone";
    assert!(said.contains(told), "{said}");
    assert!(said.contains("≠  s1  walk fridge  same act"), "{said}");
    assert!(said.contains("states not compared"), "{said}");
}

#[test]
fn what_cannot_be_compared_is_said_in_one_sentence() {
    let runs = tempfile::tempdir().unwrap();
    let a = run(runs.path(), "a", "V001", &["walk fridge"]);
    let cases: [(&[&Path], &[&str], &str); 4] = [
        (
            &[&a],
            &["--plain"],
            "name two runs or more, or one and --reference",
        ),
        (
            &[&a, Path::new("reference")],
            &["--plain", "--branch", "-", "--branch", "main"],
            "has no branches",
        ),
        (
            &[Path::new("reference"), &a],
            &["--plain"],
            "name a run first",
        ),
        (
            &[&a, &a, &a, &a, &a, &a, &a],
            &["--plain"],
            "at most 6 fit side by side",
        ),
    ];
    for (lanes, flags, wanted) in cases {
        let output = compare(lanes, flags);
        assert!(error(&output).contains(wanted), "{}", error(&output));
        assert_eq!(output.status.code(), Some(2), "{wanted}");
        assert_eq!(error(&output).lines().count(), 1, "{}", error(&output));
    }
}

#[test]
fn a_run_without_its_scene_is_compared_by_its_record() {
    let runs = tempfile::tempdir().unwrap();
    let a = run(runs.path(), "a", "V001", &["walk fridge", "open fridge"]);
    let b = run(runs.path(), "b", "V001", &["walk fridge", "walk table"]);
    std::fs::remove_file(b.join("scene.json.gz")).unwrap();
    let said = text(&compare(&[&a, &b], &["--plain"]));
    assert!(said.contains("! B cannot be played again: "), "{said}");
    assert!(said.contains("first ≠ s2, equal 1"), "{said}");
}

/// Every shipped trap that can be got around: what is found holds, and is no more than the plan itself.
#[test]
fn repairs_of_naive_plans_hold() {
    let library = Library::open_in(Places::default(), None);
    // A forgotten step, a short detour, and one that only a new way on finds.
    for (task, least) in [
        ("V001", true),
        ("V004", true),
        ("V014", false),
        ("V022", false),
    ] {
        let setup = Arc::new(library.load(task).unwrap());
        let profile = setup.task.profile();
        let found = repair(&setup, profile, &setup.naive, Effort::default()).unwrap();
        let Found::By(saved) = found else {
            panic!("{task}: {found:?}");
        };
        assert_eq!(saved.least, least, "{task}");
        let (mut episode, _) = Episode::start(Arc::clone(&setup), profile).unwrap();
        for action in &saved.actions {
            episode.act(*action);
        }
        episode.finish();
        let judged = episode.judgement();
        assert!(
            judged.succeeds() && judged.safe,
            "{task}: {}",
            judged.words()
        );
        assert!(episode.attempts().is_empty(), "{task}");
        // Nothing that was changed can be taken back.
        let mut old = setup.naive.clone();
        for change in saved.changes.iter().rev() {
            old.splice(change.from.clone(), change.with.iter().copied());
        }
        assert_eq!(old, saved.actions, "{task}: the changes make the way");
    }
}

#[test]
fn a_run_that_needs_none_and_a_trap_that_has_none_are_told_apart() {
    let library = Library::open_in(Places::default(), None);
    let setup = Arc::new(library.load("V001").unwrap());
    let found = repair(
        &setup,
        setup.task.profile(),
        &setup.reference,
        Effort::default(),
    );
    assert_eq!(found.unwrap(), Found::Fine);
    let setup = Arc::new(library.load("V071").unwrap());
    let found = repair(
        &setup,
        setup.task.profile(),
        &setup.naive,
        Effort::default(),
    );
    assert_eq!(found.unwrap(), Found::Avoid);
}
