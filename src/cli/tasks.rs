//! `vesta tasks`: what there is to play, from the usual places or from any folder, file or wheel.

use anyhow::bail;
use serde_json::{Value, json};

use crate::base::diag::Severity;
use crate::base::text;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::store::library::{Library, TaskRow, any_error};
use crate::task::Complexity;
use crate::task::rehearsal::{Rehearsal, rehearse};

/// Flags of `vesta tasks`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Load every task and run its reference plan: what is refused, which goals hold at the end
    #[arg(long)]
    check: bool,
    /// Print a JSON array, one object and line a task
    #[arg(long)]
    json: bool,
}

/// Lists and prints. A task that cannot be used, or whose plan fails, is a finding.
///
/// # Errors
/// Nothing can be listed.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    let library = open(&args.source, out)?;
    let mut exit = Exit::Fine;
    let mut all = Vec::new();
    for row in library.rows() {
        let checked = args.check.then(|| check(&library, row));
        let sound = row.error.is_none()
            && checked
                .as_ref()
                .is_none_or(|c| c.as_ref().is_ok_and(Rehearsal::is_clean));
        if !sound {
            exit = Exit::Finding;
        }
        if args.json {
            all.push(object(row, checked.as_ref()));
        } else {
            print(row, checked.as_ref(), out)?;
        }
    }
    if args.json {
        out.json_list(&all)?;
    } else {
        let n = library.rows().len();
        let tasks = if n == 1 { "task" } else { "tasks" };
        let scenes: Vec<&str> = library.scenes().iter().map(|s| &*s.id).collect();
        out.line(&match scenes.as_slice() {
            [] => format!("{n} {tasks}"),
            all => format!("{n} {tasks}; to play freely in: {}", all.join(", ")),
        })?;
    }
    Ok(exit)
}

/// Opens a library; what is wrong with it goes to standard error.
///
/// # Errors
/// Nothing can be listed.
pub(super) fn open(source: &Source, out: &mut Out) -> anyhow::Result<Library> {
    let library = source.library();
    if let ([], [first, ..]) = (library.rows(), library.problems())
        && any_error(library.problems())
    {
        bail!("{first}");
    }
    for problem in library.problems() {
        out.error(&problem.to_string());
    }
    Ok(library)
}

/// A reference plan's outcome, or why the task cannot be loaded.
type Checked = Result<Rehearsal, String>;

fn check(library: &Library, row: &TaskRow) -> Checked {
    let name = format!("{}/{}", row.suite, row.id);
    let setup = library.load(&name).map_err(|wrong| {
        let first = wrong.first().map(ToString::to_string).unwrap_or_default();
        match wrong.len() {
            0 | 1 => first,
            n => format!("{first} (and {} more)", n - 1),
        }
    })?;
    if let Some(finding) = setup
        .findings
        .iter()
        .find(|d| d.severity >= Severity::Warning)
    {
        return Err(finding.to_string());
    }
    rehearse(&setup, setup.task.profile()).map_err(|d| d.to_string())
}

fn print(row: &TaskRow, checked: Option<&Checked>, out: &mut Out) -> std::io::Result<()> {
    if let Some(error) = &row.error {
        return out.line(&format!("{} ✗ {error}", id_cell(&row.id)));
    }
    let goals = match (row.success, row.safety) {
        (0, 0) => "no goals".to_owned(),
        (success, safety) => format!("{success}+{safety} goals"),
    };
    let size = row.complexity.map_or("-", |c| c.id());
    out.line(&format!(
        "{} {} {} {} {} {}",
        id_cell(&row.id),
        text::pad(&row.suite, 5),
        text::pad(row.environment.id(), 11),
        text::pad(size, 6),
        text::pad(&goals, 10),
        row.instruction
    ))?;
    let indent = " ".repeat(ID + 1);
    if let Some(note) = &row.note {
        out.line(&format!("{indent}! {note}"))?;
    }
    if let Some(judged) = &row.judged {
        out.line(&format!("{indent}✓ {judged}"))?;
    }
    match checked {
        None => Ok(()),
        Some(Err(why)) => out.line(&format!("{indent}✗ {why}")),
        Some(Ok(result)) => {
            let score = result.score;
            out.line(&format!(
                "{indent}{} {} of {} steps, success {}/{}, safety {}/{}",
                if result.is_clean() { "✓" } else { "✗" },
                result.done,
                row.steps,
                score.success,
                score.success_of,
                score.safety,
                score.safety_of
            ))?;
            for r in &result.refused {
                out.line(&format!(
                    "{indent}  step {} {}: {}",
                    r.step, r.line, r.reason
                ))?;
            }
            Ok(())
        }
    }
}

/// An id in its column; one that is longer is written whole, because people type it.
fn id_cell(id: &str) -> String {
    if text::width(id) > ID {
        return id.to_owned();
    }
    text::pad(id, ID)
}

/// The width of the id's column.
const ID: usize = 8;

fn object(row: &TaskRow, checked: Option<&Checked>) -> Value {
    let mut value = json!({
        "id": row.id,
        "suite": row.suite,
        "dialect": row.dialect,
        "environment": row.environment.id(),
        "env_kind": row.env_kind,
        "risk": row.risk,
        "complexity": row.complexity.map(Complexity::id),
        "goals": {"success": row.success, "safety": row.safety},
        "steps": row.steps,
        "categories": row.categories,
        "instruction": row.instruction,
        "origin": row.origin,
        "note": row.note,
        "judged": row.judged,
        "error": row.error.as_ref().map(ToString::to_string),
    });
    if let Some(checked) = checked {
        value["check"] = match checked {
            Err(why) => json!({ "error": why }),
            Ok(result) => outcome(result),
        };
    }
    value
}

fn outcome(result: &Rehearsal) -> Value {
    let refused: Vec<Value> = result
        .refused
        .iter()
        .map(|r| json!({"step": r.step, "line": r.line, "kind": r.kind.name(), "reason": r.reason}))
        .collect();
    let kind = |i: usize| json!([result.kinds[i].0, result.kinds[i].1]);
    let score = result.score;
    json!({
        "steps": result.done,
        "refused": refused,
        "success": [score.success, score.success_of],
        "safety": [score.safety, score.safety_of],
        "solved_at_start": result.solved_at_start,
        "held": {"states": kind(0), "relations": kind(1), "actions": kind(2)},
    })
}
