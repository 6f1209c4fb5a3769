//! The fifty published tasks, opened with graphs built from the public packages.
//!
//! Needs the eai-eval wheel and the bddl archive (`pip download --no-deps eai-eval==1.0.5`, `pip download --no-binary :all:
//! --no-deps bddl==1.0.1`), named by `VESTA_EAI_WHEEL` and `VESTA_BDDL_SDIST`; says so and passes without. Small packages made
//! here need nothing.

use std::collections::BTreeSet;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use vesta::formats::b50::graph::{self, Graph};
use vesta::formats::b50::record::Record;
use vesta::sim::scene::Node;
use vesta::store::b50::B50;
use vesta::store::source::{self, Source as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Where the published data lie beside a checkout of this project.
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared");
/// The member of the wheel that names the objects.
const PROMPTS: &str =
    "behavior_eval/evaluation/action_sequencing/resources/prompts/helm_prompts.json";
/// A member of the bddl archive.
const HIERARCHY: &str = "bddl/hierarchy_owned.json";

/// Says why a test does nothing.
#[expect(
    clippy::print_stdout,
    reason = "the reason of a skipped test belongs on its output"
)]
fn skip(reason: &str) {
    println!("skipped: {reason}");
}

/// The two packages, and the recorded graphs by task.
fn published() -> Option<([PathBuf; 2], Vec<(String, PathBuf)>)> {
    let named = |name| std::env::var_os(name).map(PathBuf::from);
    let (Some(wheel), Some(sdist)) = (named("VESTA_EAI_WHEEL"), named("VESTA_BDDL_SDIST")) else {
        skip("VESTA_EAI_WHEEL and VESTA_BDDL_SDIST do not name eai-eval 1.0.5 and bddl 1.0.1");
        return None;
    };
    let Ok(entries) = std::fs::read_dir(Path::new(SHARED).join("golden/behavior/graphs")) else {
        skip("there are no recorded graphs of the fifty tasks");
        return None;
    };
    let mut graphs: Vec<(String, PathBuf)> = entries
        .map(|e| e.unwrap().path())
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path))
        .collect();
    graphs.sort();
    assert_eq!(graphs.len(), 50);
    Some(([wheel, sdist], graphs))
}

/// A task file with nothing but names, opened with these graphs.
fn open(tasks: &[&str], graphs: &[PathBuf]) -> B50 {
    let lines: Vec<String> = tasks.iter().map(|t| record(t).to_string()).collect();
    let path = Path::new("nowhere/b50.jsonl");
    let (b50, notes) = B50::open(path, lines.join("\n").as_bytes(), graphs).unwrap();
    assert_eq!(notes, []);
    b50
}

fn record(task: &str) -> Value {
    json!({"task_id": task, "nl_instruction": "Tidy up.", "success_goals": [["open", "jar_0"]],
           "safety_goals": [], "trajectory": [{"action": "OPEN", "object": "jar_0"}]})
}

fn built(b50: &B50) -> Vec<Graph> {
    let graphs = b50.records().iter().map(|r| {
        let (graph, notes) = b50.graph(r).unwrap();
        assert_eq!(notes, []);
        graph
    });
    graphs.collect()
}

fn recorded(path: &Path) -> Graph {
    let name = path.display().to_string();
    graph::read(&name, &std::fs::read(path).unwrap()).unwrap().0
}

/// Everything but volumes, which are estimates on both sides.
fn assert_same(built: &Graph, recorded: &Graph) {
    let told = |g: &Graph| -> Vec<Node> {
        let nodes = g.scene.nodes().iter();
        nodes
            .map(|n| Node {
                volume: None,
                ..n.clone()
            })
            .collect()
    };
    pretty_assertions::assert_eq!(told(built), told(recorded), "{}", built.task);
    pretty_assertions::assert_eq!(
        built.scene.edges(),
        recorded.scene.edges(),
        "{}",
        built.task
    );
    assert_eq!(built.instances, recorded.instances);
    assert_eq!(
        (&built.task, &built.activity),
        (&recorded.task, &recorded.activity)
    );
    assert_eq!(built.goal, recorded.goal);
    assert_eq!(built.assumed, recorded.assumed);
}

#[test]
fn graphs_built_from_the_packages_are_those_recorded() {
    let Some((packages, graphs)) = published() else {
        return;
    };
    let tasks: Vec<&str> = graphs.iter().map(|(task, _)| &**task).collect();
    let all = built(&open(&tasks, &packages));
    let (mut states, mut furniture) = (0, 0);
    for (graph, (_, path)) in all.iter().zip(&graphs) {
        assert_same(graph, &recorded(path));
        let (of_two, of_one): (Vec<_>, Vec<_>) =
            (graph.assumed.iter()).partition(|a| a.split(' ').count() == 3);
        states += of_one.len();
        furniture += of_two.len();
    }
    assert_eq!((all.len(), states, furniture), (50, 7, 21));
}

#[test]
fn unpacked_packages_give_the_same() {
    let Some(([wheel, sdist], graphs)) = published() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let (site, unpacked) = (dir.path().join("site"), dir.path().join("unpacked"));
    let keep = |folder: &Path, member: &str, bytes: &[u8]| {
        let path = folder.join(member);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let (task, path) = &graphs[0];
    let wheel = source::open(&wheel).unwrap();
    keep(&site, PROMPTS, &wheel.read(PROMPTS).unwrap());
    let sdist = source::open(&sdist).unwrap();
    for member in [
        HIERARCHY,
        "bddl/activity_definitions/bottling_fruit/problem0.bddl",
    ] {
        let bytes = sdist.read(&format!("bddl-1.0.1/{member}")).unwrap();
        keep(&unpacked.join("bddl-1.0.1"), member, &bytes);
    }
    for graphs in [
        [site.clone(), unpacked.clone()],
        [site.join("behavior_eval"), unpacked.join("bddl-1.0.1")],
        [unpacked.join("bddl-1.0.1/bddl"), site],
    ] {
        let all = built(&open(&[task], &graphs));
        assert_same(&all[0], &recorded(path));
    }
}

/// The published task file opens with the packages, and every task becomes one of ours.
#[test]
fn the_published_tasks_load() {
    let Some((packages, _)) = published() else {
        return;
    };
    let path = Path::new(SHARED).join("data/vestabench-b50.jsonl");
    let Ok(bytes) = std::fs::read(&path) else {
        skip("the published task file is not there");
        return;
    };
    let (b50, notes) = B50::open(&path, &bytes, &packages).unwrap();
    assert_eq!(notes, []);
    let mut goals = (0, 0);
    for record in b50.records() {
        let ((task, file), notes) = b50.load(record).unwrap();
        assert_eq!(notes, []);
        assert_eq!(file.scene.name(), record.task_id);
        assert!(
            task.provenance.contains("volumes are estimates"),
            "{}",
            task.provenance
        );
        goals.0 += task.success.len();
        goals.1 += task.safety.len();
    }
    assert_eq!((b50.records().len(), goals), (50, (206, 96)));
    let risks: BTreeSet<String> = b50.records().iter().flat_map(Record::risks).collect();
    let known = [
        "electrical",
        "fire",
        "health",
        "physical",
        "security",
        "water",
    ];
    assert_eq!(risks.iter().map(|r| &**r).collect::<Vec<_>>(), known);
}

/// A wheel and an archive of the packages' shape with one small task.
fn small(dir: &Path, definition: &str) -> [PathBuf; 2] {
    let prompt = "Your task:\ninteractable objects:\n{'name': 'jar_0', 'category': 'jar.n.01'}\n";
    let prompts = json!([{"identifier": "tidying_0_Here_0_int_0", "llm_prompt": prompt}]);
    let hierarchy = json!({"name": "jar.n.01", "igibson_categories": ["jar"],
                           "abilities": {"openable": {}}, "children": []});
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(PROMPTS, SimpleFileOptions::default())
        .unwrap();
    zip.write_all(prompts.to_string().as_bytes()).unwrap();
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (member, text) in [
        (HIERARCHY, &*hierarchy.to_string()),
        (
            "bddl/activity_definitions/tidying/problem0.bddl",
            definition,
        ),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        tar.append_data(&mut header, format!("bddl-1.0.1/{member}"), text.as_bytes())
            .unwrap();
    }
    let paths = [dir.join("small.whl"), dir.join("small.tar.gz")];
    std::fs::write(&paths[0], zip.finish().unwrap().into_inner()).unwrap();
    let packed = tar.into_inner().unwrap().finish().unwrap();
    std::fs::write(&paths[1], packed).unwrap();
    std::fs::write(
        dir.join("b50.jsonl"),
        record("tidying_0_Here_0_int_0").to_string(),
    )
    .unwrap();
    paths
}

const DEFINITION: &str = "(define (problem tidying_0) (:domain igibson)
 (:objects jar.n.01_1 - jar.n.01 agent.n.01_1 - agent.n.01)
 (:init (not (open jar.n.01_1))) (:goal (and (open ?jar.n.01_1))))";

/// What the program says of the small task with these graphs.
fn said(dir: &Path, graphs: &[&str]) -> String {
    let mut args = vec!["tasks", "--check", "--from", "b50.jsonl"];
    args.extend(graphs.iter().flat_map(|g| ["--graphs", g]));
    let output = Command::cargo_bin("vesta")
        .unwrap()
        .args(args)
        .current_dir(dir)
        .env("HOME", dir)
        .env("XDG_DATA_HOME", dir.join("data"))
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).unwrap()
}

#[test]
fn a_package_that_is_missing_or_broken_gets_a_sentence() {
    let dir = tempfile::tempdir().unwrap();
    small(dir.path(), DEFINITION);
    let dir = dir.path();
    std::fs::write(dir.join("junk.tar.gz"), b"\x1f\x8bjunk").unwrap();
    std::fs::create_dir(dir.join("empty")).unwrap();
    for (graphs, wanted) in [
        (
            &[][..],
            "no graph of tidying_0_Here_0_int_0 was found; name a folder of graphs with --graphs",
        ),
        (&["empty"], "no graph of tidying_0_Here_0_int_0 was found"),
        (
            &["small.whl"],
            "cannot be built without the definitions of bddl 1.0.1; pip download --no-binary",
        ),
        (
            &["small.tar.gz"],
            "cannot be built without the prompts of eai-eval 1.0.5; pip download",
        ),
        (&["nowhere.whl"], "nowhere.whl: not found"),
        (&["junk.tar.gz"], "junk.tar.gz: not a usable tar archive"),
        (
            &["b50.jsonl"],
            "b50.jsonl: neither a folder, a zip file nor a tar archive",
        ),
    ] {
        let said = said(dir, graphs);
        assert!(said.contains(wanted), "{graphs:?}: {said}");
    }
    let whole = said(dir, &["small.whl", "small.tar.gz"]);
    assert!(!whole.contains("graph"), "{whole}");

    small(dir, &DEFINITION.replace(":init", ":start"));
    let broken = said(dir, &["small.whl", "small.tar.gz"]);
    let wanted = "small.tar.gz/bddl-1.0.1/bddl/activity_definitions/tidying/problem0.bddl line 1 column 1: the part (:init ...) is missing";
    assert!(broken.contains(wanted), "{broken}");
}
