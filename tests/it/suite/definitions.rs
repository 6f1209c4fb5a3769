//! Definitions of activities on the command line: a package, a folder, a single file, and files that are wrong.
//!
//! The published package is looked at where `VESTA_BDDL_SDIST` names it; everything else is made here.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

const TEA: &str = "(define (problem making_tea_0)
  (:domain igibson)
  (:objects
    cup.n.01_1 cup.n.01_2 - cup.n.01
    stove.n.01_1 - stove.n.01
    floor.n.01_1 - floor.n.01
    agent.n.01_1 - agent.n.01)
  (:init
    (ontop cup.n.01_1 stove.n.01_1) (ontop cup.n.01_2 stove.n.01_1) (stained cup.n.01_2)
    (inroom stove.n.01_1 kitchen) (inroom floor.n.01_1 kitchen) (onfloor agent.n.01_1 floor.n.01_1))
  (:goal (and
    (toggled_on ?stove.n.01_1)
    (forall (?cup.n.01 - cup.n.01) (onfloor ?cup.n.01 ?floor.n.01_1)))))
";

const HIERARCHY: &str = r#"{"name": "entity.n.01", "children": [
  {"name": "cup.n.01", "igibson_categories": ["teacup"], "abilities": {"stainable": {}}},
  {"name": "stove.n.01", "igibson_categories": ["stove"], "abilities": {"toggleable": {}}},
  {"name": "floor.n.01", "igibson_categories": ["floors"], "abilities": {}}]}"#;

/// A package as it is unpacked, with these definitions by activity.
fn package(definitions: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("hierarchy_owned.json"), HIERARCHY).unwrap();
    for (activity, text) in definitions {
        let folder = dir.path().join("activity_definitions").join(activity);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("problem0.bddl"), text).unwrap();
    }
    dir
}

/// The exit code and everything that was printed.
fn vesta(args: &[&str], from: &Path) -> (Option<i32>, String) {
    let (command, flags) = args.split_first().unwrap();
    let output = Command::cargo_bin("vesta")
        .unwrap()
        .arg(command)
        .arg("--from")
        .arg(from)
        .args(flags)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout) + &text(&output.stderr),
    )
}

fn json(args: &[&str], from: &Path) -> Vec<Value> {
    let args = [args, &["--json"]].concat();
    let (_, text) = vesta(&args, from);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

#[test]
fn a_package_a_folder_and_a_file_hold_the_same_task() {
    let burnt = TEA.replace("(toggled_on ?stove.n.01_1)", "(burnt ?cup.n.01_1)");
    let dir = package(&[("making_tea", TEA), ("burning_tea", &burnt)]);
    let definitions = dir.path().join("activity_definitions");
    let file = definitions.join("making_tea/problem0.bddl");
    let archive = dir.path().join("bddl.tar.gz");
    let mut tar = tar::Builder::new(GzEncoder::new(
        std::fs::File::create(&archive).unwrap(),
        Compression::fast(),
    ));
    tar.append_dir_all("bddl-1.0.1/bddl/activity_definitions", &definitions)
        .unwrap();
    tar.append_path_with_name(
        dir.path().join("hierarchy_owned.json"),
        "bddl-1.0.1/bddl/hierarchy_owned.json",
    )
    .unwrap();
    tar.into_inner().unwrap().finish().unwrap();
    for from in [dir.path(), &definitions, &archive, &file] {
        let (code, text) = vesta(&["tasks"], from);
        let lines: Vec<&str> = text.lines().collect();
        let tea = lines.iter().position(|l| l.starts_with("making_tea bddl"));
        let tea = tea.unwrap_or_else(|| panic!("{text}"));
        assert!(lines[tea].ends_with("2+0 goals  Making tea."), "{text}");
        assert_eq!(lines[tea + 1].trim(), "✓ all 2 goals can be judged here");
        let whole = from != file;
        assert_eq!(code, Some(i32::from(whole)), "{text}");
        let told = "burning_tea/problem0.bddl line 12 column 6: the world behavior cannot judge 1 of 2 goals: goal 1 with \
                    (burnt ?cup.n.01_1); it judges inside, ";
        assert_eq!(text.contains(told), whole, "{text}");
        let reports = json(&["check", "making_tea"], from);
        let kinds: Vec<&str> = reports[0]["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| f["kind"].as_str().unwrap())
            .collect();
        assert_eq!(kinds, ["file_doubtful", "reference_missing"], "{reports:?}");
        let safe = reports[0]["checks"].as_array().unwrap().iter();
        let safe = safe.filter(|c| c["id"] == "certificate" && c["outcome"] == "holds");
        assert_eq!(safe.count(), 1, "{reports:?}");
    }
}

#[test]
fn a_file_without_a_hierarchy_is_judged_but_not_played() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tea.bddl");
    std::fs::write(&file, TEA).unwrap();
    let (code, text) = vesta(&["tasks"], &file);
    assert!(text.contains("✓ all 2 goals can be judged here"), "{text}");
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = vesta(&["check"], &file);
    assert!(
        text.contains("tea.bddl: no scene can be made of this definition alone; the states of its objects stand in"),
        "{text}"
    );
    assert_eq!(code, Some(1), "{text}");
    let other = package(&[("x", TEA)]);
    let beside = other.path().to_str().unwrap().to_owned();
    let (_, text) = vesta(&["check", "--graphs", &beside], &file);
    assert!(text.contains("reference_missing"), "{text}");
}

#[test]
fn what_is_wrong_is_one_sentence_with_file_line_and_column() {
    let deep = TEA.replace("(toggled_on ?stove.n.01_1)", &"(not ".repeat(1_000_000));
    for (text, told) in [
        (
            TEA.replace(")))))\n", "))))\n"),
            "line 1 column 1: this ( is never closed",
        ),
        (
            TEA.replace(")))))\n", "))))))\n"),
            "line 13 column 73: this ) closes nothing",
        ),
        (
            TEA.replace("cup.n.01_2 - cup", "cup.n.01_1 - cup"),
            "line 4 column 16: the object cup.n.01_1 is there twice, first in line 4",
        ),
        (
            TEA.replace("stove.n.01_1 - stove.n.01", "stove.n.01_1 - stov.n.01"),
            "line 5 column 20: unknown type stov.n.01; did you mean stove.n.01?",
        ),
        (deep, "nested deeper than"),
    ] {
        assert_ne!(text, TEA);
        let dir = package(&[("making_tea", &text)]);
        for from in [
            dir.path().to_owned(),
            dir.path()
                .join("activity_definitions/making_tea/problem0.bddl"),
        ] {
            for command in ["tasks", "check"] {
                let (code, printed) = vesta(&[command], &from);
                assert_eq!(code, Some(1), "{command}: {printed}");
                let all: Vec<&str> = printed.lines().filter(|l| l.contains(told)).collect();
                let [line] = all.as_slice() else {
                    panic!("{command}: {told}: {printed:.400}")
                };
                assert!(line.contains("problem0.bddl line "), "{line}");
                assert!(line.len() < 600, "{line:.400}");
            }
        }
    }
}

#[test]
fn a_folder_or_archive_without_definitions_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("other.tar.gz");
    let mut tar = tar::Builder::new(GzEncoder::new(
        std::fs::File::create(&archive).unwrap(),
        Compression::fast(),
    ));
    tar.append_dir_all("things", dir.path().join(".")).ok();
    tar.into_inner().unwrap().finish().unwrap();
    let (code, text) = vesta(&["tasks"], &archive);
    assert!(
        text.contains("holds no folder activity_definitions"),
        "{text}"
    );
    assert_eq!(code, Some(2));
}

#[test]
fn the_published_hundred_are_listed_and_what_cannot_be_judged_is_named() {
    let Some(sdist) = std::env::var_os("VESTA_BDDL_SDIST").map(PathBuf::from) else {
        return;
    };
    let rows = json(&["tasks"], &sdist);
    assert_eq!(rows.len(), 100);
    let wrong = rows.iter().filter(|row| !row["error"].is_null());
    let wrong: Vec<(&str, bool)> = wrong
        .map(|row| {
            let error = row["error"].as_str().unwrap();
            (row["id"].as_str().unwrap(), error.contains("(touching ?"))
        })
        .collect();
    assert_eq!(
        wrong,
        [("rearranging_furniture", true), ("sorting_mail", true)]
    );
    for row in rows.iter().filter(|row| row["error"].is_null()) {
        assert!(
            row["judged"]
                .as_str()
                .unwrap()
                .ends_with("can be judged here"),
            "{row}"
        );
    }
}
