//! What the preview says about one task, as labelled lines.

use crate::app::jobs::LoadedTask;
use crate::app::library::{Library, TaskRow};
use crate::app::role::Role;
use crate::formats::task::provenance_words;
use crate::plan::goal::Goal;
use crate::task::Environment;

use super::rows;

/// One line of the preview; a long one is wrapped by whoever shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it tells; empty if it goes on with what the line before tells, `None` if it speaks for itself.
    pub label: Option<&'static str>,
    /// The words.
    pub text: String,
    /// What they are.
    pub role: Role,
}

fn line(label: &'static str, text: impl Into<String>) -> Line {
    Line {
        label: Some(label),
        text: text.into(),
        role: Role::Text,
    }
}

/// A line that speaks for itself.
pub(super) fn block(text: impl Into<String>, role: Role) -> Line {
    Line {
        label: None,
        text: text.into(),
        role,
    }
}

/// What a preview shows beyond the row; the task itself, with its scene, is not kept for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// The success goals in words.
    success: Vec<String>,
    /// The safety goals in words.
    safety: Vec<String>,
    /// The scene's file and size.
    scene: String,
    /// Where it comes from, in words, a line each.
    provenance: Vec<String>,
    /// What could not be used of it.
    findings: Vec<String>,
}

impl Detail {
    /// What there is to say about a task that was read.
    pub fn of(loaded: &LoadedTask) -> Self {
        let setup = &loaded.setup;
        let all: Vec<String> = setup.goals.goals.iter().map(Goal::words).collect();
        let (success, safety) = all.split_at(setup.goals.success.min(all.len()));
        let (file, nodes) = (&setup.task.scene.file, setup.scene.len());
        Self {
            success: success.to_vec(),
            safety: safety.to_vec(),
            scene: format!("{file}, {nodes} nodes, {}", setup.task.dialect),
            provenance: provenance_words(&setup.task.provenance),
            findings: setup.findings.iter().map(ToString::to_string).collect(),
        }
    }
}

/// What has been read of a task beyond its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// Nothing yet.
    Pending,
    /// All of it.
    Done(Detail),
    /// Why it cannot be read.
    Failed(String),
}

/// The lines about a task, the most telling first.
pub fn lines(library: &Library, task: &TaskRow, read: &Read) -> Vec<Line> {
    if let Some(fault) = &task.fault {
        return vec![
            block("this task cannot be opened", Role::Bad),
            block(fault.clone(), Role::Text),
        ];
    }
    let mut lines = vec![block(format!("“{}”", task.instruction), Role::Text)];
    match read {
        Read::Pending => lines.push(line("goals", "…")),
        Read::Failed(faults) => {
            lines.extend(faults.lines().map(|fault| block(fault, Role::Refused)));
        }
        Read::Done(detail) => goal_lines(task, detail, &mut lines),
    }
    lines.push(line("plan", plan(task)));
    let mut env = vec![task.environment.id().replace('_', " ")];
    env.extend((task.env_kind != "none").then(|| task.env_kind.clone()));
    env.extend((!task.risks.is_empty()).then(|| task.risks.join(" ")));
    lines.push(line("setting", env.join(" · ")));
    if let Read::Done(detail) = read {
        lines.push(line("scene", detail.scene.clone()));
    }
    lines.push(line("runs", runs(library, &task.id)));
    if let Some((run, verdict)) = library.verdict(&task.id) {
        let text = format!("{}, run {}", verdict.judgement.id(), run.tail);
        lines.push(line("verdict", text));
    }
    lines.extend(from(task, read));
    lines.extend(task.note.iter().map(|note| line("note", note.clone())));
    if let Read::Done(detail) = read {
        lines.extend(detail.findings.iter().map(|finding| Line {
            role: Role::Armed,
            ..line("note", finding.clone())
        }));
    }
    lines
}

/// The lines in two: what is asked, and what counts.
pub fn folded(lines: &[Line]) -> Vec<String> {
    let asked = lines.iter().take_while(|line| line.label.is_none());
    let asked: Vec<&str> = asked.map(|line| line.text.as_str()).collect();
    let mut counts = String::new();
    for line in lines.iter().skip(asked.len()) {
        let Some(label) = line.label else { break };
        let gap = match label {
            "" => ", ",
            _ if counts.is_empty() => "",
            _ => " · ",
        };
        let space = if label.is_empty() { "" } else { " " };
        counts = format!("{counts}{gap}{label}{space}{}", line.text);
    }
    vec![asked.join(" "), counts]
}

fn goal_lines(task: &TaskRow, detail: &Detail, lines: &mut Vec<Line>) {
    if task.environment == Environment::AdversarialInstruction {
        lines.push(line("success", "refuse it: [Avoid]"));
    }
    for (label, goals) in [("success", &detail.success), ("safety", &detail.safety)] {
        for (at, words) in goals.iter().enumerate() {
            let label = if at == 0 { label } else { "" };
            lines.push(line(label, words.clone()));
        }
    }
}

fn plan(task: &TaskRow) -> String {
    let size = match rows::size(task) {
        "" => String::new(),
        size => format!(", {size}"),
    };
    match task.steps {
        0 => "no reference plan".to_owned(),
        1 => format!("1 reference step{size}"),
        n => format!("{n} reference steps{size}"),
    }
}

/// `✓ 5 safe  ◇ 6 unsafe  ○ 3 other`, or that there is none.
fn runs(library: &Library, task: &str) -> String {
    let tally = library.tally(task);
    let parts: Vec<String> = [
        ("✓", tally.safe, "safe"),
        ("◇", tally.unsafe_success, "unsafe"),
        ("○", tally.rest, "not done"),
        ("!", tally.damaged, "damaged"),
    ]
    .into_iter()
    .filter(|(_, n, _)| *n > 0)
    .map(|(sign, n, word)| format!("{sign} {n} {word}"))
    .collect();
    if parts.is_empty() {
        "none yet".to_owned()
    } else {
        parts.join("  ")
    }
}

/// Where a task comes from, and what its file says about that.
fn from(task: &TaskRow, read: &Read) -> Vec<Line> {
    let origin = if task.origin == "shipped" {
        format!("shipped, suite {}", task.suite)
    } else {
        task.origin.clone()
    };
    let mut lines = vec![line("from", origin)];
    if let Read::Done(detail) = read {
        let told = detail.provenance.iter();
        lines.extend(told.map(|words| line("", words.clone())));
    }
    lines
}

/// The row of a task as one line of text, for `--plain`.
pub fn plain(library: &Library, task: &TaskRow) -> String {
    if let Some(fault) = &task.fault {
        return format!("task {} cannot be opened: {fault}", task.name());
    }
    let or = |text: &str, none: &str| {
        if text.is_empty() {
            none.to_owned()
        } else {
            text.to_owned()
        }
    };
    format!(
        "task {}, risks {}, size {}, goals {}, verdict {}, runs {}: {}",
        task.name(),
        or(&task.risks.join(" "), "none"),
        or(rows::size(task), "unknown"),
        rows::goals(task),
        rows::verdict(library, task).unwrap_or("none"),
        library.runs_of(&task.id).count(),
        task.instruction
    )
}
