//! The house rules, held by a test: layers, banned words, file lengths, module docs, registries.
//!
//! Every rule is a function from a path and its text to complaints, so that the tests below can show
//! that each of them does complain about a planted fault.

use std::io::Write as _;
use std::path::{Path, PathBuf};

mod rules;

/// A source file: its path below the package's root, and its text.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below a folder of the package.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap()
        .to_string_lossy()
        .into_owned()
}

/// Every Rust file of the package.
fn sources() -> Vec<Source> {
    ["src", "tests", "benches"]
        .iter()
        .flat_map(|folder| files(folder))
        .filter(|path| path.extension().is_some_and(|ext| ext == "rs"))
        .map(|path| Source {
            path: relative(&path),
            text: std::fs::read_to_string(&path).unwrap(),
        })
        .collect()
}

fn check(rule: impl Fn(&Source) -> Vec<String>) {
    let sources = sources();
    assert!(sources.len() > 100, "the sources were not found");
    let complaints: Vec<String> = sources.iter().flat_map(rule).collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn layers_look_down_only() {
    check(rules::arrows);
}

#[test]
fn pure_layers_are_pure() {
    check(rules::purity);
}

#[test]
fn cells_are_written_in_one_place() {
    check(rules::cells);
}

#[test]
fn only_runtime_waits_and_spawns() {
    check(rules::waiting);
}

#[test]
fn files_are_short() {
    check(rules::length);
    // Files that should be split when next touched.
    for source in sources() {
        let lines = source.text.lines().count();
        if lines > rules::WARN {
            let mut err = std::io::stderr().lock();
            let _ = writeln!(err, "warning: {} has {lines} lines", source.path);
        }
    }
}

#[test]
fn modules_say_what_they_own() {
    check(rules::module_docs);
}

#[test]
fn suppressions_have_reasons() {
    check(rules::suppressions);
}

#[test]
fn no_snapshot_waits_for_review() {
    let waiting: Vec<String> = files("tests")
        .iter()
        .chain(&files("src"))
        .filter(|path| path.to_string_lossy().ends_with(".snap.new"))
        .map(|path| relative(path))
        .collect();
    assert!(waiting.is_empty(), "{waiting:?}");
}

#[test]
fn every_screen_has_snapshots() {
    let names: Vec<String> = files("tests/it/snapshots")
        .iter()
        .map(|path| relative(path))
        .collect();
    for screen in vesta::app::screens::SCREENS {
        for shape in ["80x24", "120x40", "200x60", "colour", "mono", "plain"] {
            let name = format!("tests/it/snapshots/{}-{shape}.snap", screen.id());
            assert!(
                names.contains(&name),
                "{name} is missing: add a row to SAMPLES"
            );
        }
    }
}

#[test]
fn layers_are_documented() {
    let text = std::fs::read_to_string(root().join("src/ARCHITECTURE.md")).unwrap();
    for (layer, _) in rules::LAYERS {
        assert!(
            text.contains(&format!("`{layer}`")),
            "src/ARCHITECTURE.md says nothing about `{layer}`"
        );
    }
    let folders = std::fs::read_dir(root().join("src")).unwrap();
    for folder in folders
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
    {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            rules::LAYERS.iter().any(|(layer, _)| *layer == name),
            "{name} is in no layer"
        );
    }
}

#[test]
fn dependencies_have_reasons() {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert_eq!(rules::unexplained(&text), Vec::<String>::new());
}
