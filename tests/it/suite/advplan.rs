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

/// A file of typed plans of its own; its figures do not follow where `said` is none of them.
fn typed(said: &str, quality: &str) -> String {
    let action = r#"{"action_type":"recon","category":"intelligence","asset_id":"a"}"#;
    let plan = format!(
        r#"{{"force":"blue","actions":[{action}],"chain":[{{"step_index":0,"action":{action}}}],"objective":"look","quality_score":{quality}}}"#
    );
    format!(
        "{{\"vesta_arena\":1,\"kind\":\"advplan\",\"scenario\":\"a bridge\"}}\n{{\"id\":\"B1\",\"vertex_parsimony\":{said},\"plan\":{plan}}}\n"
    )
}

/// `vesta arena DOES FILE` of a file with this text; its exit code and what it printed.
fn arena(does: &str, text: &str) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.jsonl");
    fs_err::write(&path, text).unwrap();
    vesta(&["arena", does, path.to_str().unwrap()])
}

#[test]
fn a_whole_folder_is_computed_anew_and_a_changed_digit_is_found() {
    let dir = tempfile::tempdir().unwrap();
    bench(dir.path());
    let name = dir.path().to_str().unwrap();
    let (code, text) = vesta(&["arena", "verify", name]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("replayed ✓ digits: 10 scenarios"), "{text}");
    let change = |file: &str, from: &str, to: &str| {
        let path = dir.path().join(file);
        let text = fs_err::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} {from}");
        fs_err::write(path, text.replacen(from, to, 1)).unwrap();
    };
    change(
        "council_rows.csv",
        "0.5038528635141303",
        "0.5038528635141304",
    );
    change("plans.jsonl", "\"priority\":1", "\"priority\":2");
    change("details.json", "\"n_seeds\": 2", "\"n_seeds\": 3");
    fs_err::remove_file(dir.path().join("framing.csv")).unwrap();
    let (code, text) = vesta(&["arena", "verify", name]);
    assert_eq!(code, Some(1), "{text}");
    for told in [
        "✗ council_rows.csv         199/200",
        "line 2 selected_advantage: the file says 0.5038528635141304, computed 0.5038528635141303",
        "✗ plans.jsonl              539/540",
        "line 1 plan.actions[0].priority: the file says 2, computed 1",
        "n_seeds: the file says 3, computed 2",
        "framing.csv is not there",
        "replayed ✗ 4 differ",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let plans = dir.path().join("plans.jsonl");
    let (code, text) = vesta(&["advplan", "verify", plans.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("line 1 urban-100/blue/0: another plan than its id makes: actions differ"),
        "{text}"
    );
}

#[test]
fn a_file_of_typed_plans_is_listed_and_computed_anew() {
    let (code, text) = arena("show", &typed("0.5", "0.2"));
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("a bridge: 1 plans; what the file says follows"),
        "{text}"
    );
    assert!(
        text.contains("■ B1   blue       .600   .258   .087   .000   .500   .000"),
        "{text}"
    );
    let (code, text) = arena("verify", &typed("0.5", "0.2"));
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("replayed ✓ digits: 1 plans, 1 figures"),
        "{text}"
    );
    let (code, text) = arena("verify", &typed("0.25", "0.2"));
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("≠ line 2 B1: vertex_parsimony: the file says 0.25, computed 0.5"),
        "{text}"
    );
}

#[test]
fn scores_of_typed_plans_that_are_no_numbers_are_shown_as_such() {
    let (code, text) = arena("show", &typed("\"Infinity\"", "\"NaN\""));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("? B1   blue        NaN   .258"), "{text}");
    assert!(
        text.contains("≠ vertex_parsimony: the file says inf, computed 0.5"),
        "{text}"
    );
}

#[test]
fn a_hostile_file_of_typed_plans_is_one_sentence_on_every_way_in() {
    let circle =
        typed("0.5", "0.2").replace("\"step_index\":0,", "\"step_index\":0,\"depends_on\":[0],");
    for way in ["show", "verify"] {
        let (code, text) = arena(way, &circle);
        assert_eq!(code, Some(2), "{text}");
        assert!(
            text.contains("mine.jsonl line 2: plan.chain[0].depends_on: the steps wait for each other: 0 → 0; take"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}
