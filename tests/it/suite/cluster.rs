//! A suite played in parts comes to the report of the suite played at once, byte for byte, also on Ray with one part killed.
//!
//! The Ray test needs a Python with `ray`, named by `VESTA_RAY_PYTHON`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A few tasks of each kind, refusals among them.
const TASKS: [&str; 6] = ["V001", "V004", "V022", "V030", "V075", "V080"];

/// Our own file; the suite is a folder of these tasks.
fn asset(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn suite(at: &Path) -> String {
    let folder = at.join("small");
    std::fs::create_dir(&folder).unwrap();
    for task in TASKS {
        let name = format!("{task}.json");
        std::fs::copy(asset("tasks/vh").join(&name), folder.join(&name)).unwrap();
    }
    folder.to_str().unwrap().to_owned()
}

fn program() -> PathBuf {
    assert_cmd::cargo::cargo_bin("vesta")
}

fn vesta(at: &Path, args: &[&str]) -> Output {
    let done = Command::new(program())
        .current_dir(at)
        .env("VESTA_CONFIG_DIR", at)
        .args(args)
        .output();
    done.unwrap()
}

/// Every file of a report by name.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let all = entries.map(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    });
    all.collect()
}

fn runs(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

/// Plays the suite at once and reports on it; the files of the report.
fn at_once(at: &Path, suite: &str) -> BTreeMap<String, String> {
    let played = vesta(
        at,
        &[
            "eval", "--suite", suite, "--agent", "random", "--out", "one", "--json",
        ],
    );
    assert_eq!(played.status.code(), Some(0), "{played:?}");
    let report = vesta(
        at,
        &["report", "one", "--suite", suite, "--out", "one-report"],
    );
    assert_eq!(report.status.code(), Some(0), "{report:?}");
    let files = files(&at.join("one-report"));
    // What eval says and what the report holds are the same.
    let said: serde_json::Value = serde_json::from_slice(&played.stdout).unwrap();
    let held: serde_json::Value = serde_json::from_str(&files["report.json"]).unwrap();
    assert_eq!(said, held);
    for key in [
        "delivery",
        "success_macro",
        "success_micro",
        "safety_macro",
        "safety_micro",
        "finished",
        "mean_steps",
    ] {
        assert!(said.get(key).is_some(), "{key}");
    }
    assert_eq!(said["runs"], TASKS.len());
    files
}

#[test]
fn parts_together_are_the_whole_and_nothing_is_played_twice() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let suite = suite(at);
    let whole = at_once(at, &suite);
    let mut parts = vec!["report", "--suite", &suite, "--out", "report"];
    let names: Vec<String> = (1..=4).map(|i| format!("shard-{i}")).collect();
    for (i, name) in (1..=4).zip(&names) {
        let shard = format!("{i}/4");
        let args = [
            "eval", "--suite", &suite, "--agent", "random", "--shard", &shard, "--out", name,
        ];
        for again in ["", "has a run"] {
            let played = vesta(at, &args);
            assert_eq!(played.status.code(), Some(0), "{played:?}");
            let told = String::from_utf8(played.stderr).unwrap();
            assert!(told.lines().all(|line| line.contains(again)), "{told}");
        }
        parts.push(name);
    }
    let counts: Vec<usize> = names.iter().map(|name| runs(&at.join(name))).collect();
    assert_eq!(counts, [2, 2, 1, 1]);
    let report = vesta(at, &parts);
    assert_eq!(report.status.code(), Some(0), "{report:?}");
    assert_eq!(files(&at.join("report")), whole);
    // Without one of the parts, what is missing is named.
    let report = vesta(
        at,
        &["report", "--suite", &suite, "shard-1", "shard-2", "shard-4"],
    );
    assert_eq!(report.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(report.stderr).unwrap(),
        "vesta: random: 1 of 6 tasks have no run: V022\n"
    );
}

#[test]
fn what_was_killed_is_gone_on_with_and_nothing_is_played_twice() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let suite = suite(at);
    let whole = at_once(at, &suite);
    let args = [
        "eval", "--suite", &suite, "--agent", "random", "--out", "cut", "--jobs", "2",
    ];
    // Killed again and again, each time a little later; then left alone.
    for wait in [1, 2, 3] {
        let mut eval = Command::new(program())
            .current_dir(at)
            .env("VESTA_CONFIG_DIR", at)
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while runs(&at.join("cut")) < wait && eval.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        eval.kill().unwrap();
        eval.wait().unwrap();
    }
    let begun = runs(&at.join("cut"));
    assert!((1..=TASKS.len()).contains(&begun), "{begun}");
    let played = vesta(at, &args);
    assert_eq!(played.status.code(), Some(0), "{played:?}");
    assert_eq!(runs(&at.join("cut")), TASKS.len());
    let report = vesta(
        at,
        &["report", "cut", "--suite", &suite, "--out", "cut-report"],
    );
    assert_eq!(report.status.code(), Some(0), "{report:?}");
    assert_eq!(files(&at.join("cut-report")), whole);
}

#[test]
fn what_cannot_be_played_is_told_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("file"), "").unwrap();
    let suites = "--suite nope: no such suite and no such file; there are ";
    for (args, told) in [
        (&["--suite", "nope"][..], suites),
        (
            &["--shard", "0/4"],
            "write for example 2/8: the second of eight parts",
        ),
        (
            &["--shard", "5/4"],
            "write for example 2/8: the second of eight parts",
        ),
        (
            &["--shard", "x"],
            "write for example 2/8: the second of eight parts",
        ),
        (&["--out", "file/runs"], "file"),
        (
            &["--agent", "nobody"],
            "there is no agent \"nobody\"; write one of planner, random, ",
        ),
        (
            &["--agent", "random", "--model", "m"],
            "--agent random: --model, --strategy and --critic are for chat models",
        ),
    ] {
        let done = vesta(at, &[&["eval"], args].concat());
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(said.contains(told), "{args:?}: {said}");
    }
    let done = vesta(at, &["report", "nowhere"]);
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(done.stderr).unwrap(),
        "vesta: nowhere: there is no such folder; name a folder of runs, or a run\n"
    );
}

/// Kills the process of a part once it has begun a run, and says whether it met one.
fn kill_a_part(runs_in: &Path, until: &mut dyn FnMut() -> bool) -> bool {
    while !until() {
        if runs(runs_in) > 0
            && let Some(pid) = part(runs_in)
        {
            let kill = Command::new("kill").args(["-9", &pid]).status();
            return kill.is_ok_and(|status| status.success());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

/// The process that plays into this folder.
fn part(folder: &Path) -> Option<String> {
    let wanted = folder.to_str()?.as_bytes();
    let program = program();
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let mut words = line.split(|b| *b == 0);
        let is_ours = words.next() == program.to_str().map(str::as_bytes);
        if is_ours && words.any(|word| word == wanted) {
            return entry.file_name().into_string().ok();
        }
    }
    None
}

#[expect(
    clippy::print_stdout,
    reason = "the reason of a skipped test belongs on its output"
)]
fn skip(reason: &str) {
    println!("skipped: {reason}");
}

#[test]
fn ray_comes_to_the_same_bytes_also_after_a_part_is_killed() {
    let Some(python) = std::env::var_os("VESTA_RAY_PYTHON") else {
        skip("VESTA_RAY_PYTHON names no Python with ray");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let suite = suite(at);
    let whole = at_once(at, &suite);
    let out = at.join("ray");
    let mut ray = Command::new(python)
        .arg(asset("assets/cluster/ray_eval.py"))
        .args(["--parts", "4", "--cpus", "0.25", "--out"])
        .arg(&out)
        .arg("--vesta")
        .arg(program())
        .args(["--", "--suite", &suite, "--agent", "random"])
        .env("VESTA_CONFIG_DIR", at)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let killed = kill_a_part(&out.join("shard-1"), &mut || {
        ray.try_wait().is_ok_and(|ended| ended.is_some())
    });
    let said = {
        let mut said = String::new();
        if let Some(mut errors) = ray.stderr.take() {
            std::io::Read::read_to_string(&mut errors, &mut said).unwrap();
        }
        said
    };
    assert_eq!(ray.wait().unwrap().code(), Some(0), "{said}");
    // A part that had ended before it could be killed would show nothing.
    assert!(killed, "no part was met while it played");
    assert_eq!(files(&out.join("report")), whole);
    let counts: Vec<usize> = (1..=4)
        .map(|i| runs(&out.join(format!("shard-{i}"))))
        .collect();
    assert_eq!(counts, [2, 2, 1, 1], "{said}");
}
