//! Task files: what is read, kept, refused and written, and that the schema says the same.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::formats::DIALECTS;
use crate::sim::happen::Scripted;

const V022: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tasks/vh/V022.json"));
const SCHEMA: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/assets/schemas/task.schema.json"
));

fn fault(text: &str) -> String {
    read("t.json", text.as_bytes()).unwrap_err().to_string()
}

/// The same file with one field changed.
fn with(field: &str, value: &str) -> String {
    let mut all: Value = serde_json::from_str(V022).unwrap();
    all[field] = serde_json::from_str(value).unwrap();
    serde_json::to_string_pretty(&all).unwrap()
}

#[test]
fn few_fields_are_needed() {
    let text = r#"{"vesta_task": 1, "id": "a", "suite": "b", "dialect": "virtualhome",
      "scene": {"file": "flat.json"}, "instruction": "Go.", "environment": "normal", "success": [], "safety": []}"#;
    let (task, notes) = read("t.json", text.as_bytes()).unwrap();
    assert_eq!(notes, []);
    assert_eq!(
        (
            task.env_kind.as_str(),
            task.complexity,
            task.provenance.as_str()
        ),
        ("none", None, "null")
    );
    assert_eq!(read("t.json", write(&task).as_bytes()).unwrap().0, task);
}

#[test]
fn unknown_fields_survive_and_slips_are_named() {
    let text =
        with("zeta", r#"{"a": [1, 2.50, {}], "b": []}"#).replacen("\"naive\"", "\"niave\"", 1);
    let (task, notes) = read("t.json", text.as_bytes()).unwrap();
    assert_eq!(task.extra.len(), 2);
    assert_eq!(
        task.extra[1],
        ("zeta".into(), r#"{"a": [1, 2.5, {}], "b": []}"#.into())
    );
    let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "t.json line 61 column 12: niave: this field is not known and only kept; did you mean naive?"
        ]
    );
    let again = write(&task);
    assert_eq!(read("t.json", again.as_bytes()).unwrap().0, task);
    assert!(again.ends_with("  \"zeta\": {\n    \"a\": [\n      1,\n      2.5,\n      {}\n    ],\n    \"b\": []\n  }\n}\n"), "{again}");
}

#[test]
fn every_fault_is_one_sentence() {
    for (text, sentence) in [
        (
            String::new(),
            "t.json: the file is empty; give a file that was written completely",
        ),
        (
            "{}".into(),
            "t.json line 1 column 2: the field vesta_task is missing; add it",
        ),
        (
            "7".into(),
            "t.json line 1 column 1: found integer `7`, expected a task: an object with the field vesta_task",
        ),
        (
            with("vesta_task", "2"),
            "t.json line 2 column 17: vesta_task: version 2 is not known; this program reads version 1; a newer one may read this file",
        ),
        (
            with("vesta_task", "\"1\""),
            "t.json line 2 column 17: vesta_task: found string \"1\", expected a whole number",
        ),
        (
            with("id", "\"../x\""),
            "t.json line 3 column 9: id: \"../x\" cannot name a task or suite; use 1 to 80 letters, digits, _, - and dots, the first no dot",
        ),
        (
            with("dialect", "\"virtualhme\""),
            "t.json line 5 column 14: dialect: unknown dialect \"virtualhme\"; did you mean virtualhome?",
        ),
        (
            with("environment", "\"adverserial\""),
            "t.json line 16 column 18: environment: unknown environment \"adverserial\"; did you mean adversarial?",
        ),
        (
            with("risk", "[\"fire\", \"sun\"]"),
            "t.json line 20 column 5: risk[1]: unknown risk \"sun\"; known are physical, electrical, health, fire, water, security",
        ),
        (
            with("complexity", "\"huge\""),
            "t.json line 22 column 17: complexity: unknown complexity \"huge\"; known are low, medium, high",
        ),
        (
            with("profile", "\"strikt\""),
            "t.json line 82 column 14: profile: unknown profile \"strikt\"; did you mean strict?",
        ),
        (
            with("instruction", "\" \""),
            "t.json line 15 column 18: instruction: the text is empty; say what the agent is asked to do",
        ),
        (
            with("success", "[1]"),
            "t.json line 24 column 5: success[0]: found integer `1`, expected a text in quotes",
        ),
        (
            with("success", "\"x\""),
            "t.json line 23 column 14: success: found string \"x\", expected a list",
        ),
        (
            with("scene", "{\"file\": \"/etc/passwd\"}"),
            "t.json line 7 column 13: scene.file: \"/etc/passwd\" is no file name inside a scene folder; write the bare name, such as \"flat.json\"",
        ),
        (
            with("scene", "{\"file\": \"a.json\", \"sha256\": \"7\"}"),
            "t.json line 8 column 15: scene.sha256: \"7\" is no SHA-256; write 64 hex digits, or \"\" to accept any content",
        ),
        (
            V022.replace("\"success\"", "\"sucess\""),
            "t.json line 82 column 1: the field success is missing; add it",
        ),
        (
            V022.replace("\"safety\"", "\"success\""),
            "t.json line 28 column 3: success: the field success stands here twice; remove one of them",
        ),
    ] {
        assert_eq!(fault(&text), sentence, "{text}");
    }
}

#[test]
fn depth_does_no_harm() {
    let deep = format!("{}1{}", "[".repeat(20_000), "]".repeat(20_000));
    let text = V022.replace(
        "\"twin_of\": null",
        &format!("\"twin_of\": null, \"deep\": {deep}"),
    );
    let (task, _) = read("t.json", text.as_bytes()).unwrap();
    let again = write(&task);
    assert!(again.len() < 80 * text.len());
    assert_eq!(read("t.json", again.as_bytes()).unwrap().0, task);
}

#[test]
fn a_field_is_placed_in_its_file() {
    let d = placed(V022.as_bytes(), Diagnostic::error("safety[1]", "wrong"));
    let line = V022.lines().nth(d.line.unwrap() as usize - 1).unwrap();
    assert_eq!(line.trim(), "\"!fork INSIDE microwave\"");
    let whole = placed(V022.as_bytes(), Diagnostic::error("never[3]", "wrong"));
    assert!(
        V022.lines()
            .nth(whole.line.unwrap() as usize - 1)
            .unwrap()
            .contains("\"never\"")
    );
}

#[test]
fn the_schema_says_what_is_read() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    assert!(
        properties
            .keys()
            .map(String::as_str)
            .eq(FIELDS.iter().copied())
    );
    let words = |path: &str| -> BTreeSet<String> {
        let list = schema.pointer(path).unwrap().as_array().unwrap();
        list.iter()
            .filter_map(|v| v.as_str().map(str::to_owned))
            .collect()
    };
    let known = |all: &mut dyn Iterator<Item = &str>| all.map(str::to_owned).collect();
    assert_eq!(
        words("/properties/risk/items/enum"),
        known(&mut RISKS.iter().copied())
    );
    assert_eq!(
        words("/properties/dialect/enum"),
        known(&mut DIALECTS.iter().map(|d| d.id))
    );
    assert_eq!(
        words("/properties/environment/enum"),
        known(&mut Environment::ALL.iter().map(|e| e.id()))
    );
    assert_eq!(
        words("/properties/profile/enum"),
        known(&mut Profile::ALL.iter().map(|p| p.id()))
    );
    assert_eq!(
        words("/properties/complexity/enum"),
        known(&mut Complexity::ALL.iter().map(|c| c.id()))
    );
    let full: Value = serde_json::from_str(V022).unwrap();
    for field in words("/required") {
        let mut less = full.clone();
        less.as_object_mut().unwrap().remove(&field);
        assert!(
            fault(&less.to_string()).contains(&format!("{field} is missing")),
            "{field}"
        );
    }
}

fn event() -> impl Strategy<Value = Scripted> {
    let texts = || prop::collection::vec(any::<String>(), 0..3);
    let at = prop::option::of(any::<u32>());
    (
        any::<(String, String)>(),
        at,
        texts(),
        any::<u32>(),
        texts(),
    )
        .prop_map(|((id, words), at, when, after, then)| Scripted {
            id,
            words,
            at,
            when,
            after,
            then,
        })
}

fn any_task() -> impl Strategy<Value = Task> {
    let texts = || prop::collection::vec(any::<String>(), 0..3);
    let raw = || prop::sample::select(vec!["null", "[1, {\"a\": -2.5}]", "\"\\n \\u00e9\"", "{}"]);
    (
        ("[A-Za-z0-9_-]{1,9}", "[a-z]{1,4}", texts(), "\\PC*[a-z]"),
        (
            0_usize..3,
            any::<String>(),
            prop::sample::subsequence(RISKS, 0..6),
            prop::option::of(0_usize..3),
        ),
        (texts(), texts(), texts(), texts(), texts(), texts()),
        (
            prop::option::of(any::<String>()),
            raw(),
            prop::collection::vec(("[A-Z]{1,5}", raw()), 0..3),
            prop::collection::vec(event(), 0..3),
        ),
        prop::sample::select(vec![
            "",
            "7f7995183072b6d9cf050cf9bdf445fee30dcd040a0cbc79ed947cb59e801506",
        ]),
    )
        .prop_map(
            |((id, suite, init, instruction), kind, lists, rest, sha256)| Task {
                id,
                suite,
                dialect: "virtualhome".to_owned(),
                scene: SceneRef {
                    file: "a/b c.json".to_owned(),
                    sha256: sha256.to_owned(),
                },
                init,
                events: rest.3,
                instruction,
                environment: Environment::ALL[kind.0],
                env_kind: kind.1,
                risk: kind.2.into_iter().map(str::to_owned).collect(),
                complexity: kind.3.map(|i| Complexity::ALL[i]),
                success: lists.0,
                safety: lists.1,
                never: lists.2,
                process_rules: lists.3,
                reference: lists.4,
                naive: lists.5,
                needs: rest.0.as_ref().map(|_| Profile::Strict),
                twin_of: rest.0,
                provenance: rest.1.to_owned(),
                extra: rest.2.into_iter().map(|(k, v)| (k, v.to_owned())).collect(),
            },
        )
}

proptest! {
    #[test]
    fn written_tasks_read_back_the_same(task in any_task()) {
        let text = write(&task);
        let (again, _) = read("t.json", text.as_bytes()).unwrap();
        prop_assert_eq!(&again, &task);
        prop_assert_eq!(write(&again), text);
    }

    #[test]
    fn damaged_tasks_never_panic(cut in 0_usize..1800, at in 0_usize..1800, byte in any::<u8>()) {
        let mut bytes = V022.as_bytes().to_vec();
        if let Some(b) = bytes.get_mut(at) {
            *b = byte;
        }
        bytes.truncate(cut);
        if let Err(d) = read("t", &bytes) {
            prop_assert!(!d.to_string().contains(char::is_control), "{}", d);
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read("x", &bytes).map_err(|d| d.to_string());
    }
}
