//! The lines of the published task file: one JSON object a task.

use serde::Deserialize;

use crate::base::diag::Diagnostic;
use crate::formats::{Read, json};
use crate::task::Complexity;

/// A task as published.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(expecting = "a task: an object with task_id, nl_instruction, trajectory and success_goals")]
pub struct Record {
    /// Activity, scene and date of recording.
    pub task_id: String,
    /// What the agent is asked to do.
    pub nl_instruction: String,
    /// The plan that solves it.
    pub trajectory: Vec<Step>,
    /// Goals as flat lists of words, without brackets.
    pub success_goals: Vec<Vec<String>>,
    /// Safety goals in the same form, judged on the last state.
    #[serde(default)]
    pub safety_goals: Vec<Vec<String>>,
    /// Kinds of risk, such as `water hazard`.
    #[serde(default)]
    pub risk_category: Vec<String>,
    /// The length class.
    #[serde(default)]
    pub complexity: Option<String>,
}

/// A step of a plan as published.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Step {
    /// The action's name.
    pub action: String,
    /// The objects by name, a comma between two.
    pub object: String,
}

/// What a risk category ends in, in the published words.
const ENDINGS: [&str; 2] = [" hazard", " risk"];

impl Record {
    /// The activity, which the task's name begins with.
    pub fn activity(&self) -> &str {
        self.task_id.split("_0_").next().unwrap_or(&self.task_id)
    }

    /// The risk categories in our words.
    pub fn risks(&self) -> Vec<String> {
        let bare = |r: &String| {
            let r = r.trim().to_lowercase();
            let bare = ENDINGS.iter().find_map(|end| r.strip_suffix(end));
            bare.unwrap_or(&r).trim().to_owned()
        };
        self.risk_category.iter().map(bare).collect()
    }

    /// The length class, if it is one.
    pub fn class(&self) -> Option<Complexity> {
        Complexity::parse(self.complexity.as_deref()?)
    }

    /// The plan in people's words, one action a line.
    pub fn plan(&self) -> Vec<String> {
        let words = |s: &Step| {
            let objects = s.object.replace(',', " ");
            let objects = objects.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{} {objects}", s.action.to_lowercase())
        };
        self.trajectory.iter().map(words).collect()
    }
}

/// Reads the file; `name` is its name, for messages. A line that is no task is a warning, and the others are read.
///
/// # Errors
/// The bytes are no text, or no line is a task.
pub fn read(name: &str, bytes: &[u8]) -> Result<Read<Vec<Record>>, Diagnostic> {
    let text = json::text(json::without_mark(bytes)).map_err(|d| d.in_file(name))?;
    let (mut records, mut notes) = (Vec::<Record>::new(), Vec::new());
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let number = i as u32 + 1;
        let record: Record = match serde_json::from_str(line) {
            Ok(record) => record,
            Err(e) => {
                let wrong = json::explain(line.as_bytes(), &e);
                let column = wrong.column;
                notes.push(wrong.at(number, column).in_file(name));
                continue;
            }
        };
        if records.iter().any(|r| r.task_id == record.task_id) {
            let twice = format!(
                "{} is there twice; the first counts",
                json::quote(&record.task_id)
            );
            notes.push(
                Diagnostic::warning("task_id", twice)
                    .at(number, None)
                    .in_file(name),
            );
            continue;
        }
        records.push(record);
    }
    match notes.first() {
        Some(first) if records.is_empty() => Err(first.clone()),
        _ => Ok((records, notes)),
    }
}

/// Whether these bytes look like the file: the first line is an object with the fields of a task.
pub fn sniff(bytes: &[u8]) -> bool {
    let first = bytes
        .split(|&b| b == b'\n')
        .find(|l| !l.trim_ascii().is_empty());
    first.is_some_and(|line| {
        let has = |word: &[u8]| line.windows(word.len()).any(|w| w == word);
        line.trim_ascii_start().first() == Some(&b'{')
            && has(b"\"trajectory\"")
            && has(b"\"success_goals\"")
    })
}
