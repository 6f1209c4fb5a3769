//! A collection of one task, as a folder and named in all the ways.

use super::*;
use crate::store::library::{Library, Places};

const GOALS_TEXT: &str = r#"{"scene_1": {"Drink": {"7_1": {"vh_goal": {"actions": ["DRINK"],
  "goal": [{"from_id": 65, "relation_type": "CLOSE", "to_id": 2}]}, "tl_goal": null},
  "8_1": {"vh_goal": {"actions": [], "goal": []}, "tl_goal": null}}}}"#;
const GRAPH: &str = r#"{"init_graph": {"nodes": [
  {"id": 1, "class_name": "kitchen", "category": "Rooms", "properties": [], "states": []},
  {"id": 2, "class_name": "cup", "properties": ["GRABBABLE", "RECIPIENT"], "states": ["CLEAN"]},
  {"id": 65, "class_name": "character", "properties": [], "states": []}],
  "edges": [{"from_id": 2, "relation_type": "INSIDE", "to_id": 1}, {"from_id": 65, "relation_type": "INSIDE", "to_id": 1}]},
  "final_graph": {}}"#;

/// Site-packages with one program, and goals for two.
fn packages() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: String, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let data = format!("{PACKAGE}/{DATA}");
    let set = format!("TrimmedTestScene1_graph/{RESULTS}");
    write(format!("{PACKAGE}/{GOALS}"), GOALS_TEXT);
    write("eai_eval-1.0.5.dist-info/METADATA".to_owned(), "");
    write(
        format!("{data}/{PROGRAMS}/{set}/file7_1.txt"),
        "Drink\nNow.\n\n\n[WALK] <cup> (1.2)\n",
    );
    write(format!("{data}/{GRAPHS}/{set}/file7_1.json"), GRAPH);
    dir
}

#[test]
fn an_installed_package_is_read_where_it_lies() {
    let dir = packages();
    for path in [dir.path().to_owned(), dir.path().join(PACKAGE)] {
        let (eai, notes) = Eai::open(&path).unwrap().unwrap();
        assert_eq!(eai.version(), "1.0.5", "{path:?}");
        assert_eq!(eai.entries().len(), 2);
        // The two indices are absent: said, not fatal.
        assert_eq!(notes.len(), 2);
        let programs: Vec<Conformance> = eai.programs().unwrap().map(Result::unwrap).collect();
        assert_eq!(programs.len(), 1);
        assert_eq!(
            (programs[0].id.as_str(), programs[0].graph.len()),
            ("7_1", GRAPH.len())
        );

        let library = Library::open_in(Places::default(), Some(&path));
        let loaded = library.load_whole("7_1").unwrap();
        let task = &loaded.setup.task;
        assert_eq!(task.success, ["character.65 CLOSE cup.2", "DO DRINK"]);
        assert_eq!(
            (task.instruction.as_str(), loaded.setup.reference.len()),
            ("Drink: Now.", 1)
        );
        assert_eq!(task.scene.sha256, loaded.sha256);
        let missing = library
            .find("8_1")
            .unwrap()
            .error
            .clone()
            .unwrap()
            .to_string();
        assert!(missing.contains("file8_1.txt: not found"), "{missing}");
    }
}

#[test]
fn other_folders_are_something_else() {
    let dir = tempfile::tempdir().unwrap();
    assert!(Eai::open(dir.path()).unwrap().is_none());
    let wheel = dir.path().join("x.whl");
    std::fs::write(&wheel, b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0").unwrap();
    let library = Library::open_in(Places::default(), Some(&wheel));
    let said = library.problems()[0].to_string();
    assert!(said.ends_with("x.whl: this archive holds no eai-eval tasks; name the wheel that pip download eai-eval==1.0.5 fetches"), "{said}");
    std::fs::create_dir_all(dir.path().join(PACKAGE).join("resources/virtualhome")).unwrap();
    assert!(
        Eai::open(dir.path())
            .unwrap_err()
            .to_string()
            .contains("accurate.json: not found")
    );
}
