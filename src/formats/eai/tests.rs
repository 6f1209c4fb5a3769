//! The published goal file.

use proptest::prelude::*;

use super::*;
use crate::sim::scene::Node;
use crate::sim::virtualhome::DIALECT;

const GOALS: &str = r#"{"scene_1": {"Drink": {"7_1": {"vh_goal": {"actions": ["DRINK", "LOOKAT|WATCH", "DRINK"],
  "goal": [{"id": 2, "class_name": "cup", "state": "CLEAN"}, {"from_id": 2, "relation_type": "ON", "to_id": 3},
           {"from_id": 2, "relation_type": "ON", "to_id": 3}]}, "tl_goal": null},
  "8_1": {"vh_goal": {"actions": [], "goal": []}, "tl_goal": null}}}}"#;

fn scene() -> Scene {
    let nodes = vec![
        Node::new(2, "cup"),
        Node::new(3, "table"),
        Node::new(4, "character"),
    ];
    Scene::new(&DIALECT, "g.json", nodes, Vec::new()).unwrap()
}

fn program() -> Program {
    Program {
        title: "Drink".to_owned(),
        description: vec!["Have some water.".to_owned()],
        lines: vec!["[DRINK] <cup> (2)".to_owned(); 11],
    }
}

fn made(entry: &Entry, scene: Option<&Scene>) -> Result<Task, Diagnostic> {
    let source = Source {
        entry,
        program: &program(),
        categories: &["object_states".to_owned()],
        version: "1.0.5",
    };
    task(source, scene)
}

#[test]
fn goals_become_facts_and_doings() {
    let (entries, notes) = read_goals("g", GOALS.as_bytes()).unwrap();
    assert_eq!(notes, []);
    assert_eq!(entries.iter().map(Entry::goals).collect::<Vec<_>>(), [4, 0]);
    let task = made(&entries[0], Some(&scene())).unwrap();
    assert_eq!(
        task.success,
        [
            "cup.2:CLEAN",
            "cup.2 ON table.3",
            "DO DRINK",
            "DO LOOKAT|WATCH"
        ]
    );
    assert_eq!(task.instruction, "Drink: Have some water.");
    assert_eq!(
        (task.id.as_str(), task.complexity),
        ("7_1", Some(Complexity::Medium))
    );
    assert!(
        task.provenance.contains("\"version\": \"1.0.5\""),
        "{}",
        task.provenance
    );
    assert_eq!(made(&entries[0], None).unwrap().success, [""; 0]);
}

#[test]
fn goals_that_do_not_fit_are_named() {
    let change = |from: &str, to: &str| {
        let text = GOALS.replace(from, to);
        let (entries, _) = read_goals("g", text.as_bytes()).unwrap();
        made(&entries[0], Some(&scene())).unwrap_err().to_string()
    };
    assert_eq!(
        change("\"to_id\": 3", "\"to_id\": 9"),
        "g.json: a goal names node 9, which the scene does not have; use goals and graph of the same version"
    );
    assert_eq!(
        change("\"cup\"", "\"mug\""),
        "g.json: a goal calls node 2 mug, the scene calls it cup.2; use goals and graph of the same version"
    );
    let notes = |from: &str, to: &str| {
        let (entries, notes) = read_goals("g", GOALS.replace(from, to).as_bytes()).unwrap();
        (
            entries.len(),
            notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        )
    };
    assert_eq!(
        notes("\"state\": \"CLEAN\"", "\"stat\": \"CLEAN\""),
        (1, vec!["g: scene_1.Drink.7_1.vh_goal.goal[0]: neither a state nor a relation; the task is left out".to_owned()])
    );
    assert_eq!(notes("7_1", "../7_1").0, 1);
    assert_eq!(
        notes("\"DRINK\", \"L", "7, \"L").1,
        ["g: scene_1.Drink.7_1.vh_goal.actions[0]: found integer `7`, expected a text in quotes"]
    );
}

proptest! {
    #[test]
    fn damaged_goals_never_panic(cut in 0_usize..600, at in 0_usize..600, byte in any::<u8>()) {
        let mut bytes = GOALS.as_bytes().to_vec();
        if let Some(b) = bytes.get_mut(at) {
            *b = byte;
        }
        bytes.truncate(cut);
        let _ = read_goals("g", &bytes).map_err(|d| d.to_string());
        let _ = read_names("g", &bytes).map_err(|d| d.to_string());
        let _ = read_categories("g", &bytes).map_err(|d| d.to_string());
    }
}
