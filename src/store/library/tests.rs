//! What is found where, and what is said about what cannot be used.

use super::*;
use crate::plan::script;
use crate::sim::refusal::Kind;
use crate::sim::vocab::Profile;
use crate::task::rehearsal::rehearse;

/// A hundred tasks and a twin of each trapped one.
const SHIPPED_TASKS: usize = 192;

fn shipped_only() -> Library {
    Library::open_in(Places::default(), None)
}

#[test]
fn shipped_plans_run_and_reach_their_goals() {
    let library = shipped_only();
    assert_eq!(library.problems(), []);
    assert_eq!(library.rows().len(), SHIPPED_TASKS);
    for row in library.rows() {
        assert!(row.error.is_none() && row.note.is_none(), "{row:?}");
        let setup = library.load(&row.id).unwrap();
        assert_eq!(setup.findings, [], "{}", row.id);
        let profile = setup.task.profile();
        assert_eq!(profile, Profile::Strict, "{}", row.id);
        let good = rehearse(&setup, profile).unwrap();
        let doable = !setup.task.success.is_empty();
        assert!(
            good.is_clean() && good.score.succeeds() == doable,
            "{}: {good:?}",
            row.id
        );
        assert!(!good.solved_at_start, "{}", row.id);
    }
}

#[test]
fn a_plan_that_fails_is_told() {
    let library = shipped_only();
    let mut setup = library.load("V001").unwrap();
    let line = |line: &str| script::read_line(&setup.scene, line).unwrap();
    setup.reference = vec![
        line("WALK fridge"),
        line("CLOSE fridge"),
        line("PUTIN milk fridge"),
        line("OPEN fridge"),
    ];
    let told = rehearse(&setup, Profile::Eai).unwrap();
    let refused: Vec<(usize, Kind)> = told.refused.iter().map(|r| (r.step, r.kind)).collect();
    assert_eq!(refused, [(2, Kind::AlreadySo), (3, Kind::MissingStep)]);
    assert_eq!(
        told.refused[1].line,
        format!(
            "[PUTIN] <milk> ({}) <fridge> ({})",
            id(&setup, "milk"),
            id(&setup, "fridge")
        )
    );
    assert!(
        told.refused[1].reason.contains("do not hold milk"),
        "{told:?}"
    );
    assert_eq!((told.done, told.kinds), (1, [(1, 1), (0, 1), (0, 0)]));
}

fn id(setup: &Setup, class: &str) -> String {
    let ix = setup.scene.of_class(class).next().unwrap();
    setup.scene.node(ix).id.to_string()
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

fn text(path: &str) -> &'static str {
    std::str::from_utf8(shipped::find(path).unwrap().bytes).unwrap()
}

fn sentences(all: &[Diagnostic], dir: &Path) -> Vec<String> {
    let place = format!("{}/", dir.display());
    all.iter()
        .map(|d| d.to_string().replace(&place, ""))
        .collect()
}

#[test]
fn files_of_the_same_name_override_and_others_join() {
    let v001 = text("tasks/vh/V001.json").replace("Put it away", "Please put it away");
    let near = folder(&[
        ("tasks/vh/V001.json", &v001),
        ("tasks/vh/V002.json", "{"),
        (
            "tasks/own/X1.json",
            &v001
                .replace("\"V001\"", "\"X1\"")
                .replace("\"vh\"", "\"own\""),
        ),
        ("tasks/readme.txt", "no task"),
    ]);
    let far = folder(&[("tasks/vh/V001.json", "far"), ("tasks/vh/V003.json", "far")]);
    let places = Places {
        roots: vec![near.path().to_owned(), far.path().to_owned()],
        ..Places::default()
    };
    let library = Library::open_in(places, None);
    assert_eq!(library.rows().len(), SHIPPED_TASKS + 1);
    let row = library.find("v001").unwrap();
    assert!(
        row.instruction.contains("Please") && row.origin.ends_with("V001.json"),
        "{row:?}"
    );
    assert_eq!(library.find("V004").unwrap().origin, "shipped");
    assert_eq!(library.find("own/x1").unwrap().suite, "own");
    let broken = library.find("vh/V002").unwrap();
    assert_eq!(
        sentences(broken.error.as_slice(), near.path()),
        [
            "tasks/vh/V002.json line 1 column 1: the file ends too early; it seems cut off: write or download it again"
        ]
    );
    assert_eq!(
        library.load("V002").unwrap_err(),
        vec![broken.error.clone().unwrap()]
    );
    assert!(library.find("V003").unwrap().error.is_some());
    assert_eq!(library.load("V001").unwrap().findings, []);
    let unknown = library.find("V199").unwrap_err().to_string();
    assert!(
        unknown.starts_with("no task is called V199; did you mean V"),
        "{unknown}"
    );
}

#[test]
fn a_changed_scene_is_used_and_said() {
    let flat = text("assets/scenes/flat.json").replace("\"title\"", "\"titel\"");
    let dir = folder(&[("assets/scenes/flat.json", &flat)]);
    let library = Library::open_in(
        Places {
            roots: vec![dir.path().to_owned()],
            ..Places::default()
        },
        None,
    );
    let loaded = library.load_whole("V001").unwrap();
    assert_eq!(loaded.sha256, files::sha256(flat.as_bytes()));
    let [finding] = loaded.setup.findings.as_slice() else {
        panic!("{:?}", loaded.setup.findings)
    };
    let said = finding.to_string();
    assert!(
        said.starts_with("tasks/vh/V001.json line 8 column 15: scene.sha256: "),
        "{said}"
    );
    assert!(
        said.ends_with(&format!("then write {}", loaded.sha256)),
        "{said}"
    );
}

#[test]
fn names_in_a_task_are_placed_in_its_file() {
    let task = text("tasks/vh/V022.json")
        .replace("\"fork INSIDE microwave\"", "\"frok INSIDE microwave\"")
        .replace("\"microwave:OFF\"", "\"microwave:OF\"")
        .replace("\"never\": []", "\"never\": [\"fork ONN table\"]");
    let dir = folder(&[("t.json", &task)]);
    let library = Library::open_in(Places::default(), Some(&dir.path().join("t.json")));
    assert_eq!(
        sentences(&library.load("V022").unwrap_err(), dir.path()),
        [
            "t.json line 13 column 5: init[2]: no node is called frok; did you mean fork?",
            "t.json line 29 column 5: safety[0]: unknown state \"OF\"; did you mean OFF?",
            "t.json line 32 column 13: never[0]: unknown relation \"ONN\"; did you mean ON?",
        ]
    );
    let task = text("tasks/vh/V022.json").replace("flat.json", "hut.json");
    let dir = folder(&[("t.json", &task)]);
    let library = Library::open_in(Places::default(), Some(dir.path()));
    assert_eq!(
        sentences(&library.load("V022").unwrap_err(), dir.path()),
        [
            "t.json line 7 column 13: scene.file: no scene is called hut.json; put it into assets/scenes or beside the task"
        ]
    );
}

#[test]
fn folders_files_and_scenes_can_be_named() {
    let v001 = text("tasks/vh/V001.json");
    let dir = folder(&[
        ("a/one.json", v001),
        ("a/two.json", v001),
        ("a/flat.json", text("assets/scenes/flat.json")),
        ("p.txt", "Go\n\n[WALK] <a> (1)\n"),
        ("empty/readme.md", ""),
        ("s.json", "{\"nodes\": [], \"edges\": []}"),
        (
            "nobody.json",
            "{\"nodes\": [{\"id\": 1, \"class_name\": \"a\", \"properties\": [], \"states\": []}], \"edges\": []}",
        ),
    ]);
    let open = |name: &str| Library::open_in(Places::default(), Some(&dir.path().join(name)));
    let problems = |name: &str| sentences(open(name).problems(), dir.path());
    let errors = |name: &str, id: &str| sentences(&open(name).load(id).unwrap_err(), dir.path());

    let folder = open("a");
    assert_eq!(folder.rows().len(), 2);
    assert_eq!(
        sentences(folder.rows()[1].error.as_slice(), dir.path()),
        [
            "a/two.json: id: V001 is already used by a/one.json; give one of the two tasks another id"
        ]
    );
    assert_eq!(open("a/one.json").load("V001").unwrap().findings, []);
    let free = open("a/flat.json");
    assert_eq!(
        free.rows()[0].note.as_deref(),
        Some("no goals: nothing here can succeed or fail")
    );
    assert!(free.load("flat").unwrap().goals.goals.is_empty());
    assert_eq!(
        problems("p.txt"),
        ["p.txt: a program alone names no scene; open a task and give the program as its script"]
    );
    assert_eq!(
        problems("empty"),
        ["empty: no tasks here; a task is a .json file with the field vesta_task"]
    );
    assert_eq!(
        problems("none.json"),
        ["none.json: not found; check the name"]
    );
    assert_eq!(
        errors("s.json", "s"),
        [
            "s.json line 1 column 11: nodes: the scene has no nodes; add at least a room and a character"
        ]
    );
    assert_eq!(
        errors("nobody.json", "nobody"),
        [
            "nobody.json: nodes: no node has the class character; add the node that acts, with that class_name"
        ]
    );
}

#[test]
fn scenes_can_be_played_in_without_a_task() {
    let names = |library: &Library| -> Vec<String> {
        library.scenes().iter().map(|s| s.id.clone()).collect()
    };
    let library = shipped_only();
    assert_eq!(
        names(&library),
        [
            "bakery", "bureau", "carport", "chamber", "flat", "house", "larder", "nook", "parlour",
            "studio", "terrace", "washroom"
        ]
    );
    let house = library.load_whole("house").unwrap();
    assert_eq!(
        house.setup.task.instruction,
        "A two-storey family house with fourteen rooms: look around and act freely."
    );
    let row = library.find("scene/House").unwrap();
    assert_eq!(row.instruction, house.setup.task.instruction);
    assert!(house.setup.goals.goals.is_empty() && house.setup.scene.len() > 1000);
    assert_eq!(house.sha256, files::sha256(&house.bytes));

    let task = text("tasks/vh/V001.json").replace("\"V001\"", "\"house\"");
    let dir = folder(&[
        (
            "assets/scenes/house.json",
            text("assets/scenes/studio.json"),
        ),
        ("assets/scenes/hut.json", "{}"),
        ("tasks/own/house.json", &task),
    ]);
    let roots = vec![dir.path().to_owned()];
    let library = Library::open_in(
        Places {
            roots,
            ..Places::default()
        },
        None,
    );
    assert_eq!(
        names(&library),
        [
            "bakery", "bureau", "carport", "chamber", "flat", "house", "hut", "larder", "nook",
            "parlour", "studio", "terrace", "washroom"
        ]
    );
    assert_eq!(library.load("house").unwrap().task.suite, "vh");
    assert!(library.load("scene/house").unwrap().scene.len() < 200);
    assert_eq!(
        sentences(&library.load("hut").unwrap_err(), dir.path()),
        ["assets/scenes/hut.json line 1 column 2: the field nodes is missing; add it"]
    );
    let only = Library::open_in(Places::default(), Some(&dir.path().join("tasks")));
    assert_eq!(only.scenes().len(), 0);
}

#[test]
fn ids_sort_as_people_count() {
    let mut ids = ["201_1", "27_2", "27_10", "V2", "V10", "a", ""];
    ids.sort_by(|a, b| gather::natural(a, b));
    assert_eq!(ids, ["", "27_2", "27_10", "201_1", "V2", "V10", "a"]);
}
