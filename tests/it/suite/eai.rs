//! The published EAI tasks, straight from the downloaded wheel.
//!
//! Needs the wheel (`pip download --no-deps eai-eval==1.0.5`), named by `VESTA_EAI_WHEEL`; says so and passes without.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use vesta::check::finding::Kind;
use vesta::check::{Case, Effort, report};
use vesta::formats::scene::{self, Which};
use vesta::plan::script;
use vesta::sim::timeline::Timeline;
use vesta::sim::virtualhome::DIALECT;
use vesta::sim::vocab::Profile;
use vesta::sim::world::World;
use vesta::store::eai::Eai;
use vesta::store::library::{Library, Places};
use vesta::task::rehearsal::rehearse;

/// Says why a test does nothing.
#[expect(
    clippy::print_stdout,
    reason = "the reason of a skipped test belongs on its output"
)]
fn skip(reason: &str) {
    println!("skipped: {reason}");
}

fn wheel() -> Option<PathBuf> {
    let path = std::env::var_os("VESTA_EAI_WHEEL").map(PathBuf::from);
    if path.is_none() {
        skip("VESTA_EAI_WHEEL does not name the eai-eval 1.0.5 wheel");
    }
    path
}

fn library(wheel: &Path) -> Library {
    Library::open_in(Places::default(), Some(wheel))
}

#[test]
fn the_wheel_lists_342_tasks() {
    let Some(wheel) = wheel() else { return };
    let library = library(&wheel);
    assert_eq!(library.problems(), []);
    assert_eq!(library.rows().len(), 342);
    assert!(
        library
            .rows()
            .iter()
            .all(|r| r.error.is_none() && r.suite == "eai")
    );
    assert_eq!(library.eai().unwrap().version(), "1.0.5");
    let without: Vec<&str> = library
        .rows()
        .iter()
        .filter(|r| r.note.as_deref().is_some_and(|n| n.contains("no goals")))
        .map(|r| r.id.as_str())
        .collect();
    assert_eq!(without, ["84_1", "93_1", "339_1", "627_1"]);
    let row = library.find("27_2").unwrap();
    assert!(
        row.instruction
            .starts_with("Wash clothes: Walk to the kitchen"),
        "{row:?}"
    );
    assert_eq!((row.success, row.safety), (5, 0));
    assert_eq!(row.categories, ["object_states", "object_affordance"]);
}

#[test]
fn all_but_two_programs_run() {
    let Some(wheel) = wheel() else { return };
    let (eai, _) = Eai::open(&wheel).unwrap().unwrap();
    let mut refused = Vec::new();
    let mut count = 0;
    for item in eai.programs().unwrap() {
        let item = item.unwrap();
        let (file, notes) = scene::read(&DIALECT, &item.id, &item.graph, Which::Initial).unwrap();
        assert_eq!(notes, []);
        count += 1;
        let mut timeline = Timeline::new(World::new(&Arc::new(file.scene), Profile::Eai).unwrap());
        for line in &item.program.lines {
            let action = script::read_line(timeline.world().scene(), line).unwrap();
            if timeline.step(action).is_err() {
                refused.push(item.id.clone());
                break;
            }
        }
    }
    assert_eq!(count, 518);
    assert_eq!(refused, ["624_1", "688_1"]);
}

#[derive(Deserialize)]
struct Golden {
    id: String,
    eai: Counts,
    fair: Counts,
}

#[derive(Deserialize)]
struct Counts {
    node: usize,
    edge: usize,
    #[serde(default)]
    action: usize,
}

fn golden() -> BTreeMap<String, Golden> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/golden/virtualhome/goals.jsonl.gz");
    let Ok(file) = std::fs::File::open(&path) else {
        skip("no golden data");
        return BTreeMap::new();
    };
    let mut text = String::new();
    flate2::read::GzDecoder::new(file)
        .read_to_string(&mut text)
        .unwrap();
    text.lines()
        .map(|line| serde_json::from_str::<Golden>(line).unwrap())
        .map(|g| (g.id.clone(), g))
        .collect()
}

#[test]
fn reference_programs_reach_the_recorded_goals() {
    let Some(wheel) = wheel() else { return };
    let library = library(&wheel);
    let golden = golden();
    let (mut refused, mut differ) = (Vec::new(), Vec::new());
    for row in library.rows() {
        let setup = library
            .load(&row.id)
            .unwrap_or_else(|e| panic!("{}: {e:?}", row.id));
        assert_eq!(setup.findings, [], "{}", row.id);
        assert_eq!(
            (setup.goals.goals.len(), setup.reference.len()),
            (row.success, row.steps)
        );
        let result = rehearse(&setup, Profile::Eai).unwrap();
        if result.is_clean() {
            assert_eq!(result.done, row.steps, "{}", row.id);
        } else {
            refused.push(row.id.as_str());
        }
        let held = result.kinds.map(|(held, _)| held);
        if let Some(g) = golden.get(&row.id)
            && held != [g.fair.node, g.fair.edge, g.eai.action]
        {
            differ.push(format!("{}: {held:?}", row.id));
        }
    }
    assert_eq!(refused, ["688_1"]);
    assert_eq!(differ, [""; 0]);
}

#[test]
fn the_check_names_what_is_wrong_with_the_collection() {
    let Some(wheel) = wheel() else { return };
    let library = library(&wheel);
    let mut found: BTreeMap<Kind, Vec<&str>> = BTreeMap::new();
    for row in library.rows() {
        let setup = library.load(&row.id).unwrap();
        let case = Case::new(&setup, Profile::Eai, Effort::default(), &|| false).unwrap();
        for (_, finding) in report(&case).findings() {
            let tasks = found.entry(finding.kind).or_default();
            if tasks.last() != Some(&row.id.as_str()) {
                tasks.push(&row.id);
            }
        }
    }
    let named = |kind| found.get(&kind).cloned().unwrap_or_default();
    assert_eq!(named(Kind::NoGoals), ["84_1", "93_1", "339_1", "627_1"]);
    for kind in [
        Kind::ReferenceRefused,
        Kind::ReferenceFails,
        Kind::Contradictory,
    ] {
        assert_eq!(named(kind), ["688_1"], "{kind:?}");
    }
    assert_eq!(named(Kind::UnscorablePublished).len(), 37);
    assert_eq!(named(Kind::AlreadyTrue).len(), 97);
    assert_eq!(named(Kind::IdleScores), [""; 0]);
}
