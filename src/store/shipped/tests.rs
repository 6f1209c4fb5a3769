//! What is shipped is well formed, and nothing that lies in its folders was left out.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::*;
use crate::formats::{self, FORMATS, task};
use crate::store::files;

const SCHEMA: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/assets/schemas/task.schema.json"
));

#[test]
fn shipped_tasks_are_written_as_they_are() {
    for shipped in SHIPPED {
        if shipped.path.starts_with(TASKS) {
            let (read, notes) = task::read(shipped.path, shipped.bytes).unwrap();
            assert_eq!(notes, [], "{}", shipped.path);
            assert_eq!(
                task::write(&read),
                String::from_utf8_lossy(shipped.bytes),
                "{}",
                shipped.path
            );
        }
    }
}

/// As much of JSON Schema as our schema uses.
fn fits(schema: &Value, root: &Value, value: &Value, at: &str) {
    for (keyword, rule) in schema.as_object().unwrap() {
        match keyword.as_str() {
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                fits(&root["$defs"][name], root, value, at);
            }
            "const" => assert_eq!(value, rule, "{at}"),
            "enum" => assert!(rule.as_array().unwrap().contains(value), "{at}: {value}"),
            "type" => {
                let kind = match value {
                    Value::Null => "null",
                    Value::Bool(_) => "boolean",
                    Value::Number(n) if n.is_u64() || n.is_i64() => "integer",
                    Value::Number(_) => "number",
                    Value::String(_) => "string",
                    Value::Array(_) => "array",
                    Value::Object(_) => "object",
                };
                let one = rule.as_str() == Some(kind);
                assert!(
                    one || rule.as_array().is_some_and(|a| a.contains(&kind.into())),
                    "{at}"
                );
            }
            "required" => {
                for field in rule.as_array().unwrap() {
                    assert!(
                        value.get(field.as_str().unwrap()).is_some(),
                        "{at}: no {field}"
                    );
                }
            }
            "properties" => {
                for (name, value) in value.as_object().unwrap() {
                    fits(&rule[name], root, value, &format!("{at}.{name}"));
                }
            }
            "items" => {
                for value in value.as_array().unwrap() {
                    fits(rule, root, value, &format!("{at}[]"));
                }
            }
            "oneOf" => {
                let met = |one: &&Value| {
                    let fields = one["required"].as_array().unwrap();
                    fields
                        .iter()
                        .all(|f| value.get(f.as_str().unwrap()).is_some())
                };
                let count = rule.as_array().unwrap().iter().filter(met).count();
                assert_eq!(count, 1, "{at}: {value}");
            }
            "minimum" => assert!(value.as_u64() >= rule.as_u64(), "{at}: {value}"),
            "minLength" => assert!(!value.as_str().unwrap().is_empty(), "{at}"),
            // Patterns are those of `read`, which has read the file; texts for people say nothing about it.
            "pattern" | "$schema" | "title" | "description" | "default" | "$defs" => {}
            "additionalProperties" => assert_eq!(rule, &Value::Bool(false)),
            other => panic!("the schema uses {other}, which this check does not know"),
        }
    }
}

#[test]
fn shipped_tasks_fit_the_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    for shipped in SHIPPED {
        if shipped.path.starts_with(TASKS) {
            let value = serde_json::from_slice(shipped.bytes).unwrap();
            fits(&schema, &schema, &value, shipped.path);
        }
    }
}

#[test]
fn shipped_files_are_of_the_kind_their_folder_says() {
    for shipped in SHIPPED {
        let expected = if shipped.path.starts_with("tasks") {
            "task"
        } else {
            "scene"
        };
        assert_eq!(
            formats::sniff(shipped.bytes).map(|f| f.id),
            Some(expected),
            "{}",
            shipped.path
        );
        let format = FORMATS.iter().find(|f| f.id == expected).unwrap();
        (format.read)(shipped.path, shipped.bytes).unwrap();
    }
}

#[test]
fn every_file_of_the_shipped_folders_is_in_the_binary() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut on_disk = BTreeSet::new();
    let mut folders: Vec<_> = [SCENES, TASKS, ONTOLOGY, RULES]
        .map(|f| root.join(f))
        .into();
    while let Some(folder) = folders.pop() {
        let (own, inner) = files::entries(&folder).unwrap();
        folders.extend(inner);
        for path in own {
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            on_disk.insert(name.replace('\\', "/"));
        }
    }
    // The manual of the rule language is for people.
    on_disk.retain(|name| Path::new(name).extension().is_none_or(|e| e != "md"));
    let all = SHIPPED.iter().chain(KNOWLEDGE);
    let known: BTreeSet<String> = all.map(|s| s.path.to_owned()).collect();
    assert_eq!(known, on_disk);
    assert!(SHIPPED.is_sorted_by_key(|s| s.path));
    assert!(KNOWLEDGE.is_sorted_by_key(|s| s.path));
}
