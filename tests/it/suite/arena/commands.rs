//! `vesta arena`: the same bytes on any number of threads, tables and objects.

use assert_cmd::Command;
use serde_json::Value;

/// Runs the program; its exit code, what it printed and what it complained of.
fn vesta(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("vesta").unwrap().args(args).output();
    let output = output.unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

const RUN: [&str; 10] = [
    "arena", "run", "V001", "V022", "V062", "--plans", "0", "--budget", "1,4", "--json",
];

#[test]
fn threads_change_no_byte() {
    let one = vesta(&RUN);
    let two = vesta(&[&RUN[..], &["--threads", "2"]].concat());
    assert_eq!(one, two);
    assert_eq!(one.0, Some(0));
    let all: Vec<Value> = serde_json::from_str(&one.1).unwrap();
    let tasks: Vec<&str> = all.iter().filter_map(|o| o["task"].as_str()).collect();
    assert_eq!(tasks, ["V001", "V022", "V062"]);
    let figures = &all[3];
    assert_eq!(figures["red"], "plan");
    let mut certificates = 0;
    for candidate in all
        .iter()
        .filter_map(|o| o["candidates"].as_array())
        .flatten()
    {
        let responses = candidate["responses"].as_array().unwrap();
        assert_eq!(responses.len(), 4);
        for it in responses {
            let own = it["certificates"].as_array().unwrap().len();
            assert_eq!(own > 0, it["red"] == "acted", "{it}");
            certificates += own as u64;
        }
    }
    assert!(certificates > 0);
    assert_eq!(figures["certificates"], certificates);
    let other = vesta(&[&RUN[..], &["--seed", "1"]].concat());
    assert_ne!(one.1, other.1);
}

#[test]
fn what_cannot_be_run_is_told() {
    let (code, _, said) = vesta(&["arena", "run", "V062", "--red", "psychic"]);
    assert_eq!(code, Some(2));
    assert!(
        said.contains("write one of blind, count, task, plan, reactive"),
        "{said}"
    );
    let (code, _, said) = vesta(&["arena", "run", "V999"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("V999"), "{said}");
    let (code, _, _) = vesta(&["arena", "run", "V062", "--budget", "0"]);
    assert_eq!(code, Some(2));
}

/// Holds a small arena of V022 with these flags more; its exit code, what it printed and complained of.
fn hold(flags: &[&str]) -> (Option<i32>, String, String) {
    const SMALL: [&str; 11] = [
        "arena",
        "hold",
        "V022",
        "--plans",
        "0",
        "--budget",
        "1",
        "--held-out",
        "0",
        "--rounds",
        "0",
    ];
    vesta(&[&SMALL[..], flags].concat())
}

#[test]
fn files_that_are_no_plans_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    for (name, bytes, wanted) in [
        (
            "empty",
            &b""[..],
            "empty: there is no step in this plan; give a text file with a step a line",
        ),
        (
            "words",
            b"# nothing yet\n\n",
            "words: there is no step in this plan",
        ),
        (
            "picture",
            b"\x89PNG\r\n\x1a\n\0\0",
            "picture: this is a picture, not a plan",
        ),
        (
            "typed",
            b"{\"plan\": {\"id\": \"x\"}}\n",
            "typed line 1: this is a file of typed plans (vesta arena show tells it), not a plan",
        ),
        (
            "task",
            b"{\n \"vesta_task\": 1,\n \"instruction\": \"x\"}\n",
            "task line 1: this is a task, not a plan",
        ),
        (
            "open",
            b"if fork INSIDE microwave then\n  grab fork\n",
            "open line 1 column 1: this if is never closed",
        ),
    ] {
        let path = file(name, bytes);
        let (code, out, _) = hold(&["--plan", &path]);
        assert_eq!(code, Some(1), "{name}: {out}");
        assert!(out.contains(wanted), "{name}: {out}");
    }
    let (_, out, _) = hold(&["--plan", &folder.path().display().to_string()]);
    assert!(out.contains("this is a folder; name a file"), "{out}");
}

#[test]
fn several_plans_are_several_candidates_and_twins_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (a, b) = (file("a", "walk microwave\n"), file("b", "walk fridge\n"));
    let (code, out, _) = hold(&["--plan", &a, "--plan", &b, "--json"]);
    assert_eq!(code, Some(0), "{out}");
    let all: Vec<Value> = serde_json::from_str(&out).unwrap();
    let names = all[0]["candidates"].as_array().unwrap().iter();
    let names: Vec<&str> = names.filter_map(|c| c["origin"]["file"].as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    let (code, out, _) = hold(&["--plan", &a, "--plan", &a]);
    assert_eq!(code, Some(1));
    assert!(out.contains("a: B3 has this very plan"), "{out}");
}

#[test]
fn settings_no_arena_can_be_held_with_are_refused_and_odd_ones_told() {
    for (flags, wanted) in [
        (
            ["--weights", "1e308,0,0,0"],
            "--weights, alpha: 1e308 is no number from -1000000 to 1000000",
        ),
        (
            ["--weights", "0,NaN,0,0"],
            "--weights, beta: NaN is no number",
        ),
        (["--weights", "0,0,0,0"], "--weights: all weights are 0"),
        (
            ["--payoffs", "inf,0,0"],
            "--payoffs, good: inf is no number",
        ),
        (["--payoffs", "1,2"], "--payoffs takes three numbers"),
    ] {
        let (code, _, said) = hold(&flags);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(wanted), "{said}");
    }
    let (code, out, _) = hold(&["--payoffs", "0,0.5,1"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("  ! payoffs are reversed"), "{out}");
    let (code, out, _) = hold(&["--weights=-1,0,0,0"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("  ! weights.alpha is negative"), "{out}");
}

/// The published simulator fails at some steps; then nothing is known of the rest, and the arena goes on.
#[test]
fn a_world_that_breaks_costs_one_cell() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crash");
    std::fs::write(&path, "walk microwave\n[LOOKAT_LONG] <microwave> (156)\n").unwrap();
    let (code, out, said) = hold(&["--profile", "eai", "--plan", &path.display().to_string()]);
    assert_eq!(code, Some(0), "{out}{said}");
    assert!(out.contains("broke at step"), "{out}");
}
