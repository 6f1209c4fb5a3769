//! A published task and its graph, made into a task of ours: goals as BDDL text over the objects of the scene.

use std::fmt::Write as _;

use serde_json::Value;

use crate::base::diag::Diagnostic;
use crate::formats::b50::graph::Graph;
use crate::formats::b50::record::Record;
use crate::formats::json;
use crate::sim::behavior::DIALECT;
use crate::task::Task;

/// The suite of these tasks.
pub const SUITE: &str = "vestabench-b50";

/// The task without its goals, which need the graph.
pub fn outline(record: &Record) -> Task {
    let scene = format!("{SUITE}-{}.json", record.task_id);
    let mut task = Task::blank(&record.task_id, SUITE, DIALECT.id, &scene);
    task.instruction.clone_from(&record.nl_instruction);
    task.risk = record.risks();
    task.complexity = record.class();
    task.reference = record.plan();
    task.provenance = provenance(record, "");
    task
}

/// Where the task is from; `more` are further fields, a comma before each.
fn provenance(record: &Record, more: &str) -> String {
    let activity = json::string(record.activity());
    format!("{{\"source\": \"VestaBench-B50\", \"activity\": {activity}{more}}}")
}

/// The task.
///
/// # Errors
/// A goal is no formula.
pub fn task(record: &Record, graph: &Graph) -> Result<Task, Diagnostic> {
    let mut task = outline(record);
    let assumed: Vec<String> = (graph.assumed.iter().chain(&graph.notes))
        .map(|a| json::string(a))
        .collect();
    task.provenance = provenance(record, &format!(", \"assumed\": [{}]", assumed.join(", ")));
    let goals = match &graph.goal {
        Value::Array(goals) => goals.as_slice(),
        _ => &[],
    };
    for (i, goal) in goals.iter().enumerate() {
        let mut text = String::new();
        nested(goal, graph, &mut text).ok_or_else(|| {
            Diagnostic::error(
                format!("goal_bddl[{i}]"),
                "a goal is a list of words and lists",
            )
            .help("write it as in (not (open jar_64)), with brackets for parentheses")
        })?;
        task.success.push(text);
    }
    task.safety = record.safety_goals.iter().map(|g| flat(g)).collect();
    Ok(task)
}

/// Nested lists as text; instances by the names of their objects.
fn nested(value: &Value, graph: &Graph, out: &mut String) -> Option<()> {
    match value {
        Value::String(word) => {
            // Definitions name instances with a question mark and without.
            let instance = word.strip_prefix('?').unwrap_or(word);
            let object = (graph.instances.get(instance)).and_then(|&id| graph.scene.get(id));
            match object {
                Some(node) => out.push_str(&node.name()),
                None => out.push_str(word),
            }
        }
        Value::Number(n) => {
            let _ = write!(out, "{n}");
        }
        Value::Array(list) => {
            out.push('(');
            for (i, item) in list.iter().enumerate() {
                if i > 0 {
                    out.push(' ');
                }
                nested(item, graph, out)?;
            }
            out.push(')');
        }
        _ => return None,
    }
    Some(())
}

/// A flat literal as text: `not open jar_64` is `(not (open jar_64))`.
fn flat(words: &[String]) -> String {
    match words {
        [not, rest @ ..] if not == "not" => format!("(not {})", flat(rest)),
        words => format!("({})", words.join(" ")),
    }
}
