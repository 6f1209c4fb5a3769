//! Runs in the formats of other tools and back, by the program; and, where `VESTA_PEERS_PYTHON` names a Python with
//! inspect-ai and mini-swe-agent, files made and opened by those.

use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use vesta::formats::trace;

/// What a command printed, what it said, and its exit code.
fn ran(dir: &Path, args: &[&str]) -> (String, String, i32) {
    let output = Command::new(cargo_bin("vesta"))
        .args(args)
        .current_dir(dir)
        .env("HOME", dir)
        .env("XDG_DATA_HOME", dir.join("data"))
        .env("VESTA_CONFIG_DIR", dir)
        .env("LANG", "C.UTF-8")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code().unwrap(),
    )
}

/// A folder with one run of the planner in it: the run's id.
fn played(dir: &Path) -> String {
    std::fs::create_dir(dir.join("saved_runs")).unwrap();
    let (_, said, code) = ran(dir, &["run", "V001", "--agent", "planner"]);
    assert_eq!(code, 0, "{said}");
    let mut runs = std::fs::read_dir(dir.join("saved_runs")).unwrap();
    let run = runs.next().unwrap().unwrap();
    run.file_name().into_string().unwrap()
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_run_comes_back_whole_from_every_format() {
    let dir = tempfile::tempdir().unwrap();
    let id = played(dir.path());
    // A plan alone is no run.
    let both = |f: &&trace::Format| f.read.is_some() && f.write.is_some() && f.id != "pddl";
    for format in trace::FORMATS.iter().filter(both) {
        let name = format!("out.{}", format.extension);
        let (_, said, code) = ran(
            dir.path(),
            &["export", &id, "--format", format.id, "--out", &name],
        );
        assert_eq!(code, 0, "{}: {said}", format.id);
        let into = format!("back-{}", format.id);
        let (told, said, code) = ran(dir.path(), &["import", &name, "--runs", &into]);
        assert_eq!(
            (told, said.as_str(), code),
            (format!("{id} is back\n"), "", 0),
            "{}",
            format.id
        );
        let (from, to) = (
            dir.path().join("saved_runs").join(&id),
            dir.path().join(into).join(&id),
        );
        for file in ["run.json", "events.jsonl", "timing.jsonl"] {
            assert_eq!(
                text(&from.join(file)),
                text(&to.join(file)),
                "{} {file}",
                format.id
            );
        }
        assert_eq!(
            std::fs::read(from.join("scene.json.gz")).unwrap(),
            std::fs::read(to.join("scene.json.gz")).unwrap()
        );
        let (verified, _, code) = ran(dir.path(), &["verify", to.to_str().unwrap()]);
        assert_eq!(code, 0, "{verified}");
    }
}

#[test]
fn what_is_lost_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let id = played(dir.path());
    let (told, said, code) = ran(
        dir.path(),
        &[
            "export", &id, "--format", "atif", "--out", "a.json", "--json",
        ],
    );
    assert_eq!((said.as_str(), code), ("", 0));
    let told: Value = serde_json::from_str(&told).unwrap();
    let names: Vec<&str> = told["losses"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l["field"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "created", "id", "name", "outcome", "run", "scores", "task", "world"
        ]
    );
    let (_, said, _) = ran(
        dir.path(),
        &["export", &id, "--format", "itf", "--out", "a.itf.json"],
    );
    assert!(
        said.contains("vesta: itf: facts that never change: left out\n"),
        "{said}"
    );
    let (_, said, code) = ran(dir.path(), &["export", &id, "--format", "atiff"]);
    assert_eq!(
        (said.as_str(), code),
        (
            "vesta: no format is called \"atiff\"; did you mean atif?\n",
            2
        )
    );
}

#[test]
fn a_recording_is_imported_once_listed_and_shown() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("saved_runs")).unwrap();
    std::fs::create_dir(dir.path().join("talks")).unwrap();
    let talk = "[{\"role\":\"user\",\"content\":\"open\\u001b[2J it\"},{\"role\":\"assistant\",\"content\":\"done\"}]";
    std::fs::write(dir.path().join("talks/a.txt"), talk).unwrap();
    std::fs::write(dir.path().join("talks/none.json"), "{\"a\":1}").unwrap();
    let (told, said, code) = ran(dir.path(), &["import", "talks"]);
    assert_eq!((said.as_str(), code), ("", 0));
    let id = told.strip_suffix(" taken in\n").unwrap().to_owned();
    let (told, _, _) = ran(dir.path(), &["import", "talks"]);
    assert_eq!(told, format!("{id} is there already\n"));
    let (shown, said, code) = ran(dir.path(), &["show", &id]);
    assert_eq!((said.as_str(), code), ("", 0));
    assert!(shown.contains("    open␛[2J it\n"), "{shown}");
    assert!(!shown.contains('\u{1b}'));
    let (_, said, code) = ran(dir.path(), &["verify", &id]);
    assert_eq!(code, 2, "{said}");
    let (back, said, code) = ran(
        dir.path(),
        &["export", &id, "--format", "openai", "--out", "b.json"],
    );
    assert_eq!(
        (back.as_str(), said.as_str(), code),
        ("wrote b.json\n", "", 0)
    );
    let (told, _, _) = ran(dir.path(), &["import", "b.json", "--json"]);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["runs"][0]["run"], Value::from(id));
}

#[expect(
    clippy::print_stdout,
    reason = "the reason of a skipped test belongs on its output"
)]
fn peers(args: &[&str]) -> Option<String> {
    let Some(python) = std::env::var_os("VESTA_PEERS_PYTHON") else {
        println!("skipped: VESTA_PEERS_PYTHON names no Python with inspect-ai and mini-swe-agent");
        return None;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/peers.py");
    let output = Command::new(python)
        .arg(script)
        .args(args)
        .env("MSWEA_SILENT_STARTUP", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn files_of_the_real_tools_open_here() {
    let dir = tempfile::tempdir().unwrap();
    let made = dir.path().join("made");
    if peers(&["make", made.to_str().unwrap()]).is_none() {
        return;
    }
    let read = |name: &str| {
        let (traces, notes) = vesta::store::recordings::read_file(&made.join(name)).unwrap();
        (traces, notes.len())
    };
    let (packed, notes) = read("made.eval");
    // The one score that is no number, in each sample.
    assert_eq!((packed.len(), notes), (2, 2));
    let (plain, notes) = read("made.json");
    assert_eq!((plain.len(), notes), (2, 1));
    for (a, b) in packed.iter().zip(plain.iter().rev()) {
        assert_eq!(a.id, b.id);
        let texts = |t: &trace::Trace| t.turns.iter().map(|t| t.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(a), texts(b));
        assert_eq!(a.scores, b.scores);
        assert_eq!((a.totals.input, a.totals.ms), (Some(22), Some(1500)));
        let acts = &a.turns[2];
        assert_eq!(
            (acts.reasoning.as_str(), acts.calls[0].name.as_str()),
            ("The fridge first.", "open")
        );
        assert!(acts.observations[0].text.starts_with("a long observation"));
    }
    let (mini, notes) = read("made.traj.json");
    assert_eq!((mini.len(), notes), (1, 0));
    let acts = &mini[0].turns[2];
    assert_eq!(acts.calls[0].arguments, "{\"command\":\"echo fridge\"}");
    assert!(acts.observations[0].text.contains("fridge"));
    assert_eq!(
        (mini[0].outcome.as_str(), mini[0].totals.cost),
        ("Submitted", Some(2.0))
    );
}

#[test]
fn our_files_open_in_the_real_tools() {
    let dir = tempfile::tempdir().unwrap();
    let id = played(dir.path());
    let formats = [
        ("inspect", "a.eval"),
        ("inspect-json", "b.json"),
        ("mini-swe", "c.traj.json"),
    ];
    let mut files: Vec<PathBuf> = Vec::new();
    for (format, name) in formats {
        let (_, said, code) = ran(
            dir.path(),
            &["export", &id, "--format", format, "--out", name],
        );
        assert_eq!(code, 0, "{said}");
        files.push(dir.path().join(name));
    }
    let names: Vec<&str> = files.iter().map(|f| f.to_str().unwrap()).collect();
    let Some(told) = peers(&[&["open"], names.as_slice()].concat()) else {
        return;
    };
    let told: Vec<Value> = told
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    assert_eq!(told.len(), 3);
    for log in &told[..2] {
        let sample = &log["samples"][0];
        assert_eq!(
            (&log["status"], &sample["id"]),
            (&"success".into(), &id.as_str().into())
        );
        assert_eq!(sample["calls"][0], "walk");
        assert_eq!(sample["scores"]["success"], 1.0);
        assert!(sample["texts"][0].as_str().unwrap().starts_with("The milk"));
    }
    assert_eq!(told[2]["reader"], "mini-swe-agent");
    let roles = told[2]["roles"].as_array().unwrap();
    assert_eq!(roles[..4], ["user", "assistant", "tool", "assistant"]);
}
