//! `vesta advplan` and `vesta conform advplan`: a slice of the recordings agrees, an altered one is told apart, and every
//! row can be made again from its ids.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

/// Where the recordings lie beside a checkout of this project.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/golden/advplan");

/// The recordings; says why a test does nothing where there are none.
#[expect(
    clippy::print_stdout,
    reason = "the reason of a skipped test belongs on its output"
)]
fn golden() -> Option<&'static Path> {
    let dir = Path::new(GOLDEN);
    if !dir.is_dir() {
        println!("skipped: no golden data");
        return None;
    }
    Some(dir)
}

/// Runs the program; its exit code and what it printed.
fn vesta(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::cargo_bin("vesta")
        .unwrap()
        .args(args)
        .output()
        .unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    (output.status.code(), text)
}

fn conform(dir: &Path, n_seeds: &str) -> (Option<i32>, String) {
    let dir = dir.to_str().unwrap();
    vesta(&["conform", "advplan", dir, "--n-seeds", n_seeds])
}

/// The benchmark of two base seeds, written to a folder.
fn bench(dir: &Path) -> String {
    let (code, text) = vesta(&[
        "advplan",
        "bench",
        "--n-seeds",
        "2",
        "--out",
        dir.to_str().unwrap(),
    ]);
    assert_eq!(code, Some(0), "{text}");
    text
}

#[test]
fn a_slice_of_the_recordings_agrees() {
    let Some(dir) = golden() else { return };
    let (code, text) = conform(dir, "2");
    for line in [
        "rows.csv                 420/420",
        "budget_curve.csv         450/450",
        "rubric_validation.csv    480/480",
        "framing.csv              300/300",
        "rng.json                 3588/3588",
        "rng_calltrace_seed100.json 5214/5214",
        "noop_audit.json          18/18",
        "summary.csv: made with 30 base seeds, compared are 2",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn the_whole_recording_agrees() {
    let Some(dir) = golden() else { return };
    let (code, text) = conform(dir, "30");
    assert!(text.contains("summary.csv              204/204"), "{text}");
    assert_eq!(code, Some(0), "{text}");
}

/// A folder with our own tables as a recording, which anybody can check.
fn own() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    bench(dir.path());
    dir
}

#[test]
fn every_altered_cell_is_noticed() {
    let dir = own();
    let (code, text) = vesta(&["conform", "advplan", dir.path().to_str().unwrap()]);
    assert_eq!(code, Some(0), "{text}");
    for (file, from, to, told) in [
        (
            "rows.csv",
            "0.5507364141130886",
            "0.5507364141130887",
            "line 2 advantage_single",
        ),
        (
            "summary.csv",
            "blue_path_optionality,",
            "blue_path,",
            "line 11 metric",
        ),
        (
            "terrain_summary.csv",
            "maritime,2,",
            "maritime,2.0,",
            "line 3 n_scenarios",
        ),
        (
            "council_rows.csv",
            ",True\r\n",
            ",true\r\n",
            "line 2 blue_wins",
        ),
    ] {
        let path: PathBuf = dir.path().join(file);
        let good = std::fs::read_to_string(&path).unwrap();
        let bad = good.replacen(from, to, 1);
        assert_ne!(good, bad, "{from} is not in {file}");
        std::fs::write(&path, bad).unwrap();
        let (code, text) = vesta(&["conform", "advplan", dir.path().to_str().unwrap()]);
        std::fs::write(&path, good).unwrap();
        assert!(text.contains(told), "{told}: {text}");
        assert_eq!(code, Some(1), "{text}");
    }
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let dir = own();
    let rows = dir.path().join("rows.csv");
    std::fs::write(&rows, "a\r\n1\r\n").unwrap();
    let (code, text) = vesta(&["conform", "advplan", dir.path().to_str().unwrap()]);
    assert!(text.contains("rows.csv: has 1 rows"), "{text}");
    assert_eq!(code, Some(2));
    std::fs::remove_file(&rows).unwrap();
    std::fs::write(dir.path().join("rng.json"), "{").unwrap();
    let (code, text) = conform(dir.path(), "2");
    assert!(text.contains("rng.json"), "{text}");
    assert_eq!(code, Some(2));
    let dir = dir.path().to_str().unwrap();
    let (code, text) = vesta(&["conform", "behavior", dir, "--n-seeds", "2"]);
    assert!(text.contains("--n-seeds belongs to advplan"), "{text}");
    assert_eq!(code, Some(2));
}

#[test]
fn the_same_seeds_give_the_same_bytes() {
    let (one, two) = (own(), own());
    let names = |dir: &Path| -> Vec<_> {
        let mut names: Vec<_> = std::fs::read_dir(dir)
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(one.path()).len(), 13);
    assert_eq!(names(one.path()), names(two.path()));
    for name in names(one.path()) {
        let read = |dir: &Path| std::fs::read(dir.join(&name)).unwrap();
        assert!(read(one.path()) == read(two.path()), "{name:?}");
    }
}

#[test]
fn a_row_is_made_again_from_its_ids() {
    let dir = own();
    let rows = std::fs::read_to_string(dir.path().join("council_rows.csv")).unwrap();
    let row: Vec<&str> = rows.lines().nth(7).unwrap().split(',').collect();
    let show = |id: &str| -> Value {
        let (code, text) = vesta(&["advplan", "show", id]);
        assert_eq!(code, Some(0), "{text}");
        serde_json::from_str(&text).unwrap()
    };
    let (blue, red) = (show(row[2]), show(row[3]));
    let quality = |plan: &Value| plan["quality"].as_f64().unwrap();
    let advantage = (quality(&blue) - quality(&red) + 2.0) / 4.0;
    assert_eq!(row[4], advantage.to_string());
    assert_eq!(row[5], format!("{:?}", blue["alignment"].as_f64().unwrap()));
    let plans = std::fs::read_to_string(dir.path().join("plans.jsonl")).unwrap();
    let kept = plans
        .lines()
        .find(|l| l.starts_with(&format!("{{\"id\":\"{}\"", row[2])));
    assert_eq!(serde_json::from_str::<Value>(kept.unwrap()).unwrap(), blue);

    for odd in ["moon-1", "urban-100/blue/9"] {
        let (code, text) = vesta(&["advplan", "show", odd]);
        assert!(text.contains(odd), "{text}");
        assert_eq!(code, Some(2), "{text}");
    }
}
