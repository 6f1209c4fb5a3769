//! The VirtualHome tasks published with the Embodied Agent Interface (eai-eval): goals, categories and programs of one
//! collection, made into tasks of ours.
//!
//! Where the files lie is the business of `store::eai`; here are only their contents. A goal index can be listed
//! without any graph; edge goals name nodes by id alone, so their text needs the scene.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::base::diag::Diagnostic;
use crate::formats::program::Program;
use crate::formats::task::is_word;
use crate::formats::{Read, json};
use crate::sim::scene::Scene;
use crate::sim::vocab::NodeId;
use crate::task::{Complexity, Environment, SceneRef, Task};

/// The suite of these tasks.
pub const SUITE: &str = "eai";

/// One task of the goal file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The id its files carry, such as `27_2`.
    pub id: String,
    /// The activity, such as `Wash clothes`.
    pub activity: String,
    /// The number of the scene it is set in.
    pub scene: String,
    /// Facts wanted at the end, in file order, without repeats.
    pub facts: Vec<Wanted>,
    /// Action goals: alternatives split by `|`, in order, without repeats.
    pub actions: Vec<String>,
}

/// A fact wanted at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A state of a node.
    State {
        /// The node.
        id: i64,
        /// Its class.
        class: String,
        /// The state's name.
        state: String,
    },
    /// A relation between two nodes.
    Edge {
        /// The subject.
        from: i64,
        /// The relation's name.
        relation: String,
        /// The object.
        to: i64,
    },
}

impl Entry {
    /// How many goals there are.
    pub fn goals(&self) -> usize {
        self.facts.len() + self.actions.len()
    }
}

#[derive(Deserialize)]
#[serde(expecting = "an object with the field vh_goal")]
struct RawTask {
    vh_goal: RawGoals,
}

#[derive(Deserialize)]
#[serde(expecting = "an object with the fields actions and goal")]
struct RawGoals {
    actions: Vec<String>,
    goal: Vec<RawGoal>,
}

#[derive(Deserialize)]
#[serde(expecting = "a goal: {id, class_name, state} or {from_id, relation_type, to_id}")]
struct RawGoal {
    id: Option<i64>,
    class_name: Option<String>,
    state: Option<String>,
    from_id: Option<i64>,
    relation_type: Option<String>,
    to_id: Option<i64>,
}

impl RawGoal {
    fn wanted(self) -> Option<Wanted> {
        if let (Some(id), Some(class), Some(state)) = (self.id, self.class_name, self.state) {
            return Some(Wanted::State { id, class, state });
        }
        Some(Wanted::Edge {
            from: self.from_id?,
            relation: self.relation_type?,
            to: self.to_id?,
        })
    }
}

/// Reads the goal file: `{"scene_1": {activity: {id: {"vh_goal": ...}}}}`.
///
/// # Errors
/// The file cannot be read at all. What is wrong with a single task is a warning, and the task is left out.
pub fn read_goals(name: &str, bytes: &[u8]) -> Result<Read<Vec<Entry>>, Diagnostic> {
    let bytes = json::without_mark(bytes);
    let fault = |e: &serde_json::Error| json::explain(bytes, e).in_file(name);
    let json::Fields(scenes) = serde_json::from_slice(bytes).map_err(|e| fault(&e))?;
    let mut entries = Vec::new();
    let mut notes = Vec::new();
    for (scene, raw) in scenes {
        let json::Fields(activities) = inner(raw, &scene).map_err(|d| d.in_file(name))?;
        for (activity, raw) in activities {
            let field = format!("{scene}.{activity}");
            let json::Fields(tasks) = inner(raw, &field).map_err(|d| d.in_file(name))?;
            for (id, raw) in tasks {
                match entry(&scene, &activity, &id, raw) {
                    Ok(entry) => entries.push(entry),
                    Err(d) => notes.push(d.in_file(name)),
                }
            }
        }
    }
    Ok((entries, notes))
}

/// A value inside the file; its lines count from the value's own start, so they are left out of messages.
fn inner<'f, T: Deserialize<'f>>(raw: &'f RawValue, field: &str) -> Result<T, Diagnostic> {
    serde_json::from_str(raw.get()).map_err(|e| {
        let d = json::explain(raw.get().as_bytes(), &e);
        let dot = if d.field.is_empty() { "" } else { "." };
        Diagnostic {
            field: format!("{field}{dot}{}", d.field),
            line: None,
            column: None,
            ..d
        }
    })
}

fn entry(scene: &str, activity: &str, id: &str, raw: &RawValue) -> Result<Entry, Diagnostic> {
    let field = format!("{scene}.{activity}.{id}");
    if !is_word(id) {
        return Err(Diagnostic::warning(
            field,
            "the id of this task is no file name; the task is left out",
        ));
    }
    let RawTask { vh_goal } = inner(raw, &field)?;
    let mut facts = Vec::new();
    for (i, goal) in vh_goal.goal.into_iter().enumerate() {
        let wanted = goal.wanted().ok_or_else(|| {
            Diagnostic::warning(
                format!("{field}.vh_goal.goal[{i}]"),
                "neither a state nor a relation; the task is left out",
            )
        })?;
        if !facts.contains(&wanted) {
            facts.push(wanted);
        }
    }
    let mut actions = Vec::new();
    for action in vh_goal.actions {
        if !actions.contains(&action) {
            actions.push(action);
        }
    }
    Ok(Entry {
        id: id.to_owned(),
        activity: activity.to_owned(),
        scene: scene.strip_prefix("scene_").unwrap_or(scene).to_owned(),
        facts,
        actions,
    })
}

/// Reads `{id: activity}`.
///
/// # Errors
/// The file cannot be read.
pub fn read_names(name: &str, bytes: &[u8]) -> Result<BTreeMap<String, String>, Diagnostic> {
    let bytes = json::without_mark(bytes);
    serde_json::from_slice(bytes).map_err(|e| json::explain(bytes, &e).in_file(name))
}

/// Reads `{id: [category]}`.
///
/// # Errors
/// The file cannot be read.
pub fn read_categories(
    name: &str,
    bytes: &[u8],
) -> Result<BTreeMap<String, Vec<String>>, Diagnostic> {
    let bytes = json::without_mark(bytes);
    serde_json::from_slice(bytes).map_err(|e| json::explain(bytes, &e).in_file(name))
}

/// What a collection says about one of its tasks.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    /// The goals.
    pub entry: &'s Entry,
    /// The program that solves it.
    pub program: &'s Program,
    /// Its categories.
    pub categories: &'s [String],
    /// The version of the package, empty where unknown.
    pub version: &'s str,
}

/// The task. Without a scene the goals stay empty: their text names classes that only the scene knows.
///
/// # Errors
/// A goal names a node the scene does not have.
pub fn task(source: Source<'_>, scene: Option<&Scene>) -> Result<Task, Diagnostic> {
    let entry = source.entry;
    let mut success = Vec::new();
    if let Some(scene) = scene {
        for fact in &entry.facts {
            success.push(goal(scene, fact).map_err(|d| d.in_file(scene.name()))?);
        }
        success.extend(entry.actions.iter().map(|a| format!("DO {a}")));
    }
    let categories: Vec<String> = source.categories.iter().map(|c| json::string(c)).collect();
    let provenance = format!(
        "{{\"source\": \"eai-eval\", \"version\": {}, \"activity\": {}, \"categories\": [{}]}}",
        json::string(source.version),
        json::string(&entry.activity),
        categories.join(", ")
    );
    Ok(Task {
        id: entry.id.clone(),
        suite: SUITE.to_owned(),
        dialect: crate::sim::virtualhome::DIALECT.id.to_owned(),
        scene: SceneRef {
            file: format!("{SUITE}-{}.json", entry.id),
            sha256: String::new(),
        },
        init: Vec::new(),
        events: Vec::new(),
        instruction: source.program.instruction(),
        environment: Environment::Normal,
        env_kind: "none".to_owned(),
        risk: Vec::new(),
        complexity: Some(Complexity::of_length(source.program.lines.len())),
        success,
        safety: Vec::new(),
        never: Vec::new(),
        process_rules: Vec::new(),
        reference: source.program.lines.clone(),
        naive: Vec::new(),
        twin_of: None,
        needs: None,
        provenance,
        extra: Vec::new(),
    })
}

/// The goal as text: `fridge.5:OPEN`, `milk.7 INSIDE fridge.5`.
fn goal(scene: &Scene, fact: &Wanted) -> Result<String, Diagnostic> {
    let name = |id: i64| {
        scene
            .get(NodeId(id))
            .map(crate::sim::scene::Node::name)
            .ok_or_else(|| {
                Diagnostic::error(
                    "",
                    format!("a goal names node {id}, which the scene does not have"),
                )
                .help("use goals and graph of the same version")
            })
    };
    match fact {
        Wanted::State { id, class, state } => {
            let found = name(*id)?;
            if found == format!("{class}.{id}") {
                Ok(format!("{found}:{state}"))
            } else {
                Err(Diagnostic::error(
                    "",
                    format!("a goal calls node {id} {class}, the scene calls it {found}"),
                )
                .help("use goals and graph of the same version"))
            }
        }
        Wanted::Edge { from, relation, to } => {
            Ok(format!("{} {relation} {}", name(*from)?, name(*to)?))
        }
    }
}

#[cfg(test)]
mod tests;
