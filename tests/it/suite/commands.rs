//! Commands without a screen: what they print, refuse and answer with.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// The program in a folder of its own, without the user's data.
fn vesta(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("vesta").unwrap();
    command
        .args(args)
        .current_dir(dir)
        .env("HOME", dir)
        .env("XDG_DATA_HOME", dir.join("data"))
        .env("LANG", "C.UTF-8");
    command
}

/// What a command printed, what it said, and its exit code.
fn ran(dir: &Path, args: &[&str]) -> (String, String, i32) {
    let output = vesta(dir, args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code().unwrap(),
    )
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

#[test]
fn tasks_are_listed_and_checked() {
    let dir = folder(&[]);
    let (text, said, code) = ran(dir.path(), &["tasks"]);
    assert_eq!((said.as_str(), code), ("", 0));
    assert_eq!(text.lines().count(), 193);
    assert!(
        text.contains("\nV001     vh    normal      low    1+1 goals  The milk"),
        "{text}"
    );
    assert!(
        text.ends_with("\n192 tasks; to play freely in: bakery, bureau, carport, chamber, flat, house, larder, nook, parlour, studio, terrace, \
             washroom\n"),
        "{text}"
    );
    let (text, said, code) = ran(dir.path(), &["tasks", "--check", "--json"]);
    assert_eq!((said.as_str(), code), ("", 0));
    let all: Value = serde_json::from_str(&text).unwrap();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 192);
    for task in all {
        assert_eq!(task["check"]["steps"], task["steps"]);
        assert_eq!(task["check"]["success"][0], task["goals"]["success"]);
        assert_eq!(task["check"]["safety"][0], task["goals"]["safety"]);
        assert_eq!(task["check"]["refused"], Value::Array(Vec::new()));
    }
}

#[test]
fn what_cannot_be_used_is_one_line_and_a_code() {
    let evil = "{\"vesta_task\": 1, \"id\": \"\u{1b}]0;x\u{7}\u{202e}\"}";
    let escaped = "{\"vesta_task\": 1, \"id\": \"\\u001b[2J\\u202e\"}";
    let dir = folder(&[
        ("tasks/own/a.json", evil),
        ("tasks/own/b.json", escaped),
        ("x.txt", ""),
    ]);
    for args in [
        &["tasks"][..],
        &["tasks", "--json"],
        &["tasks", "--from", "."],
    ] {
        let (text, said, code) = ran(dir.path(), args);
        assert_eq!((said.as_str(), code), ("", 1), "{args:?}");
        assert!(text.contains("own/a.json line 1 column 25"), "{text}");
        let foreign = |c: char| c != '\n' && c.is_control() || c == '\u{202e}';
        assert!(!text.contains(foreign), "{text:?}");
    }
    for (args, sentence) in [
        (
            &["tasks", "--from", "none"][..],
            "vesta: none: not found; check the name\n",
        ),
        (&["tasks", "--from", "x.txt"], ""),
        (
            &["import", "none", "--out", "o"],
            "vesta: none: not found; check the name\n",
        ),
        (
            &["import", "x.txt", "--out", "o", "--task", "y"],
            "vesta: no task is called y; did you mean x?\n",
        ),
    ] {
        let (_, said, code) = ran(dir.path(), args);
        let wanted = if sentence.is_empty() { 1 } else { 2 };
        assert_eq!((said.as_str(), code), (sentence, wanted), "{args:?}");
    }
}

#[test]
fn imported_tasks_are_the_users_own() {
    let dir = folder(&[]);
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("tasks/vh");
    let args = [
        "import",
        shipped.to_str().unwrap(),
        "--out",
        ".",
        "--task",
        "V001",
    ];
    let (text, said, code) = ran(dir.path(), &args);
    assert_eq!(
        (text.as_str(), said.as_str(), code),
        ("wrote 1 tasks and 1 scenes below .\n", "", 0)
    );
    let (text, _, code) = ran(dir.path(), &["tasks", "--check", "--json"]);
    assert_eq!(code, 0, "{text}");
    let all: Value = serde_json::from_str(&text).unwrap();
    let own = |t: &&Value| t["origin"] == "./tasks/vh/V001.json";
    let own: Vec<&Value> = all.as_array().unwrap().iter().filter(own).collect();
    assert_eq!(own.len(), 1);
    assert_eq!(own[0]["check"]["error"], Value::Null);
    std::fs::write(dir.path().join("tasks/vh/V001.json"), "mine").unwrap();
    let (_, said, code) = ran(dir.path(), &args);
    assert_eq!(code, 2);
    assert!(
        said.contains("V001.json: a file with other content is there already"),
        "{said}"
    );
}

#[test]
fn wrong_rules_of_ones_own_are_told_in_the_explorer_and_open_where_they_are_wrong() {
    let wrong = "rule X01 \"mine\"\n  risk fire\n  nonsense here\n";
    let dir = folder(&[("assets/rules/mine.rules", wrong)]);
    let (text, _, code) = ran(dir.path(), &["--plain"]);
    let told: Vec<&str> = text.lines().filter(|l| l.contains("mine.rules")).collect();
    assert_eq!(code, 0, "{text}");
    // One notice; the others are in the log alone.
    let first = told
        .iter()
        .find(|l| l.contains(" more: ! lists them)"))
        .unwrap();
    let (_, rest) = first.split_once("mine.rules line ").unwrap();
    let line: u32 = rest.split([' ', ':']).next().unwrap().parse().unwrap();
    // The notice stands in Play as well, and a key opens the file at that line.
    let play = ["--screen", "play V022", "--plain"];
    let (text, _, _) = ran(dir.path(), &play);
    assert!(text.contains(first), "{text}");
    let drawn = ["--screen", "play V022", "--size", "80x24", "--keys", "g !"];
    let (text, _, _) = ran(dir.path(), &drawn);
    let cursor = text.lines().find(|l| l.contains('▌')).unwrap();
    assert!(cursor.contains(&format!("▌ {line}  ")), "{text}");
    // Without faults nothing is said.
    let (text, _, _) = ran(folder(&[]).path(), &["--plain"]);
    assert!(!text.contains(".rules"), "{text}");
}

#[test]
fn the_start_of_play_is_printed_and_a_wrong_name_is_an_error() {
    let dir = folder(&[]);
    let (text, said, code) = ran(dir.path(), &["play", "V022", "--plain"]);
    assert_eq!((said.as_str(), code), ("", 0));
    let (same, _, _) = ran(dir.path(), &["--screen", "play V022", "--plain"]);
    assert_eq!(text, same);
    assert!(
        text.contains("goal 1 of 3 not yet: bowl.203 ON table"),
        "{text}"
    );
    let (text, _, _) = ran(dir.path(), &["play", "V022", "--plain", "--profile", "eai"]);
    assert!(text.contains("eai"), "{text}");
    let (text, _, code) = ran(dir.path(), &["play", "V0222", "--plain"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("V0222"), "{text}");
    // Nothing was played, so nothing is kept.
    assert!(!dir.path().join("data").exists());
}

#[test]
fn the_map_spreads_what_stands_in_a_room_by_its_floor_alone() {
    let dir = folder(&[]);
    let drawn = ["--screen", "play B35", "--size", "80x24", "--keys", "m"];
    let (text, _, code) = ran(dir.path(), &drawn);
    assert_eq!(code, 0);
    // Everything finds room, over the whole height of the kitchen.
    assert!(text.contains("┌ kitchen ──"), "{text}");
    let rows = |sign: &str| text.lines().position(|line| line.contains(sign)).unwrap();
    assert!(rows(" Bi ") > rows(" Ta ○") + 8, "{text}");
    assert!(!text.contains("open door"), "{text}");
}

#[test]
fn what_comes_to_pass_by_itself_is_told_before_the_step_that_it_follows() {
    let dir = folder(&[]);
    // V067: night falls after the first step, whichever it is; V002: after the second.
    let (text, _, _) = ran(dir.path(), &["play", "V067", "--plain"]);
    let ahead = |text: &str| {
        let line = text.lines().find(|l| l.starts_with("if you do"));
        line.unwrap().to_owned()
    };
    assert!(
        ahead(&text).contains("; by itself it gets dark outside"),
        "{text}"
    );
    let drawn = ["--screen", "play V067", "--size", "120x40"];
    let (text, _, _) = ran(dir.path(), &drawn);
    assert!(text.contains("▲ by itself: it gets dark outside"), "{text}");
    let (text, _, _) = ran(dir.path(), &["play", "V002", "--plain"]);
    assert!(!text.contains("by itself"), "{text}");
    let second = ["--screen", "play V002", "--plain", "--keys", "Enter"];
    let (text, _, _) = ran(dir.path(), &second);
    assert!(
        ahead(&text).contains("by itself it gets dark outside"),
        "{text}"
    );
}
