//! Jobs about tasks: what the store has, in the words of the screens.

use std::sync::Arc;

use super::Sources;
use crate::app::arena::house::{House, Value};
use crate::app::jobs::{LoadedTask, Reply};
use crate::app::library::{ArenaRow, Library, Loading, RunRow, SceneRow, TaskRow, Verdict};
use crate::app::notice::Notice;
use crate::base::diag::Diagnostic;
use crate::store::{arenas, book, library as store, runs};

/// Lists tasks and runs.
pub(super) fn library(sources: &Sources) -> Library {
    let tasks = sources.reread();
    let (runs, runs_fault) = match sources.runs().and_then(|root| runs::list(&root)) {
        Ok(rows) => (rows.into_iter().map(run_row).collect(), None),
        Err(d) => (Vec::new(), Some(d.to_string())),
    };
    // Where the folder cannot be read the runs say so.
    let arenas = sources.runs().and_then(|root| arenas::rows(&root));
    Library {
        arenas: arenas.map_or_else(
            |_| Vec::new(),
            |all| all.into_iter().map(arena_row).collect(),
        ),
        tasks: tasks.rows().iter().map(row).collect(),
        scenes: tasks.scenes().iter().map(scene_row).collect(),
        runs,
        runs_fault,
        problems: tasks.problems().iter().map(Diagnostic::to_string).collect(),
        rules: book::usual().problems.iter().map(reported).collect(),
        loading: Loading::Done,
        ..Library::default()
    }
}

/// A finding as a notice that can be followed to its place.
fn reported(found: &Diagnostic) -> Notice {
    let line = found.line.unwrap_or(1);
    let at = (!found.file.is_empty()).then(|| format!("{}:{line}", found.file));
    Notice::warn(found.to_string()).about(at)
}

fn run_row(run: runs::RunRow) -> RunRow {
    let judged = run.judged;
    // Only what has not ended can be live, and what a person plays is gone on with, not watched.
    let open = run.standing == runs::Standing::Open && run.agent != "human";
    let live = open && runs::live::is_running(&run.folder);
    RunRow {
        id: run.id,
        tail: run.tail,
        task: run.task,
        agent: run.agent,
        created: run.created,
        steps: run.steps,
        goals: run.success,
        safety: run.safety,
        state: if live { "live" } else { run.standing.word() }.to_owned(),
        verdict: run.verdict.map(|judgement| Verdict {
            judgement,
            created: judged,
        }),
        fault: run.fault,
    }
}

fn arena_row(arena: arenas::ArenaRow) -> ArenaRow {
    let row = ArenaRow {
        id: arena.saved.id,
        written: arena.written,
        ..ArenaRow::default()
    };
    let record = match arena.record {
        None => return row,
        Some(Err(d)) => {
            return ArenaRow {
                fault: Some(d.to_string()),
                ..row
            };
        }
        Some(Ok(record)) => record,
    };
    let last = House::last_round(&record);
    let (task, level) = (record.task.clone(), record.settings.level.clone());
    let chosen = record.choice.as_ref().map(|c| c.selected.clone());
    let house = House::new(Arc::new(record), last);
    ArenaRow {
        task,
        level,
        size: (house.rows.len(), house.columns.len()),
        value: house
            .value
            .as_ref()
            .map_or_else(|| "–".to_owned(), Value::words),
        chosen: chosen.unwrap_or_default(),
        ..row
    }
}

fn scene_row(scene: &store::TaskRow) -> SceneRow {
    SceneRow {
        name: scene.id.clone(),
        text: scene.instruction.clone(),
    }
}

fn row(task: &store::TaskRow) -> TaskRow {
    TaskRow {
        id: task.id.clone(),
        suite: task.suite.clone(),
        dialect: task.dialect.clone(),
        instruction: task.instruction.clone(),
        environment: task.environment,
        env_kind: task.env_kind.clone(),
        risks: task.risk.clone(),
        complexity: task.complexity,
        success: task.success,
        safety: task.safety,
        steps: task.steps,
        origin: task.origin.clone(),
        note: task.note.clone(),
        fault: task.error.as_ref().map(Diagnostic::to_string),
    }
}

/// Reads one task with its scene.
pub(super) fn load(sources: &Sources, name: &str) -> Result<Reply, String> {
    loaded(sources, name).map(|task| Reply::Task(Arc::new(task)))
}

/// One task bound to its scene.
pub(super) fn loaded(sources: &Sources, name: &str) -> Result<LoadedTask, String> {
    let loaded = sources
        .library()
        .load_whole(name)
        .map_err(|wrong| sentences(&wrong))?;
    Ok(LoadedTask {
        setup: loaded.setup,
        base: loaded.base,
        sha256: loaded.sha256,
    })
}

/// Several findings in one notice: the first in full, the number of the others.
fn sentences(wrong: &[Diagnostic]) -> String {
    let first = wrong
        .first()
        .map_or_else(String::new, Diagnostic::to_string);
    match wrong.len() {
        0 | 1 => first,
        n => format!("{first} (and {} more)", n - 1),
    }
}
