//! Saved runs on disk: one folder a run, `saved_runs/<id>/`.
//!
//! | file | what | written |
//! |---|---|---|
//! | `run.json` | the header | once, whole |
//! | `scene.json.gz` | the scene before the task's changes, so that a run needs no other file | once, whole |
//! | `events.jsonl` | what happened | a line an event, synced before it is acknowledged |
//! | `notes.jsonl` | verdicts and comments | a line a note, synced |
//! | `trace.json.gz` | of a recording of others: all of it, in the neutral form | once, whole |
//! | `timing.jsonl` | milliseconds since the beginning, by `seq` | a line an event, not synced |
//! | `lock` | held by the one writer | never |
//!
//! [`RunWriter`] begins a run, [`open`] goes on with one, [`SavedRun`] reads one, [`list`] and [`find`] look for them.

use std::path::{Path, PathBuf};

use crate::base::diag::Diagnostic;
use crate::formats::run::{EVENTS_FILE, HEADER_FILE, Judgement, NoteBody};
use crate::formats::task as task_file;
use crate::formats::trace::foreign;
use crate::query::shelf::tails;
use crate::store::arenas::{ARENA_FILE, STUDY_FILE};
use crate::store::files;
use crate::task::episode::{Body, Event};

pub mod live;
mod lock;
mod reader;
#[cfg(test)]
mod tests;
mod whole;
pub mod window;
mod writer;

pub(in crate::store) use reader::TIMING_FILE;
pub use reader::{Replayed, SCENE_FILE, SavedRun};
pub(super) use whole::put_whole;
pub use writer::{Access, NewRun, NotSaved, Opened, RunWriter, add_note, open, open_on, read_only};

/// The folder runs are kept in, beside the tasks.
pub const FOLDER: &str = "saved_runs";

/// Where runs go: `./saved_runs` where that folder exists, else the user's data folder.
///
/// # Errors
/// There is neither.
pub fn usual_root() -> Result<PathBuf, Diagnostic> {
    use etcetera::BaseStrategy as _;
    let here = Path::new(FOLDER);
    if here.is_dir() {
        return Ok(here.to_owned());
    }
    etcetera::choose_base_strategy()
        .map(|base| base.data_dir().join("vesta").join(FOLDER))
        .map_err(|e| {
            Diagnostic::error("", format!("no place for saved runs: {e}"))
                .help("make a folder saved_runs here or name one with --runs")
        })
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// It goes on.
    Open,
    /// The player called it done.
    Done,
    /// The player refused the instruction.
    Avoided,
    /// It stopped without either.
    Stopped,
}

impl Standing {
    /// The word screens use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
            Self::Avoided => "avoided",
            Self::Stopped => "stopped",
        }
    }
}

/// One run, as much of it as lists show. Nothing is re-executed for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// Its id, the name of its folder.
    pub id: String,
    /// The shortest end of the id, of at least four characters, that no other run's id has.
    pub tail: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The task's id.
    pub task: String,
    /// What the task asks.
    pub instruction: String,
    /// Who acted.
    pub agent: String,
    /// The profile of its world.
    pub profile: String,
    /// When it was begun, RFC 3339 in UTC.
    pub created: String,
    /// How it stands.
    pub standing: Standing,
    /// Steps from the start to where it stands.
    pub steps: usize,
    /// Refused attempts.
    pub refused: usize,
    /// Success goals that hold where it stands, and how many there are.
    pub success: (usize, usize),
    /// Safety goals that hold where it stands, and how many there are.
    pub safety: (usize, usize),
    /// Events that can be used.
    pub events: usize,
    /// The latest verdict filed on it.
    pub verdict: Option<Judgement>,
    /// When that verdict was filed, RFC 3339 in UTC; empty when unknown.
    pub judged: String,
    /// What is wrong with it.
    pub fault: Option<String>,
}

/// All runs in a folder, the newest first; none where the folder does not exist. A damaged run stays in the list.
///
/// # Errors
/// The folder cannot be read.
pub fn list(root: &Path) -> Result<Vec<RunRow>, Diagnostic> {
    let folders = folders(root)?;
    let ids: Vec<String> = folders.iter().map(|f| name(f)).collect();
    let mut rows: Vec<RunRow> = folders
        .iter()
        .zip(tails(&ids))
        .map(|(folder, tail)| row(folder, tail))
        .collect();
    rows.sort_by(|a, b| (&b.created, &b.id).cmp(&(&a.created, &a.id)));
    Ok(rows)
}

/// Bytes of events up to which a run is read to be listed.
const LISTED: u64 = 64 << 20;

fn row(folder: &Path, tail: String) -> RunRow {
    let mut row = RunRow {
        id: name(folder),
        tail,
        folder: folder.to_owned(),
        task: String::new(),
        instruction: String::new(),
        agent: String::new(),
        profile: String::new(),
        created: String::new(),
        standing: Standing::Open,
        steps: 0,
        refused: 0,
        success: (0, 0),
        safety: (0, 0),
        events: 0,
        verdict: None,
        judged: String::new(),
        fault: None,
    };
    let bytes = events_size(folder);
    if bytes > LISTED {
        match SavedRun::peek(folder) {
            Ok((header, _)) => {
                fill(&mut row, &SavedRun::unread(folder, header));
                let told = format!("{} MiB of events: listed without its steps", bytes >> 20);
                row.fault = Some(told);
            }
            Err(d) => row.fault = Some(d.to_string()),
        }
        return row;
    }
    match SavedRun::read(folder) {
        Ok(run) => fill(&mut row, &run),
        Err(d) => row.fault = Some(d.to_string()),
    }
    row
}

fn fill(row: &mut RunRow, run: &SavedRun) {
    row.agent.clone_from(&run.header.agent);
    row.profile.clone_from(&run.header.profile);
    row.created.clone_from(&run.header.created);
    row.fault = run.findings().next().map(ToString::to_string);
    match task_file::read(HEADER_FILE, run.header.task.as_bytes()) {
        // Its task names no world of ours, so it is no task file that could be read.
        _ if foreign::is_foreign(&run.header) => {
            row.task = run.header.task_id().unwrap_or_default();
            row.instruction = foreign::instruction(&run.header);
        }
        Ok((task, _)) => {
            row.task = task.id;
            row.instruction = task.instruction;
            (row.success.1, row.safety.1) = (task.success.len(), task.safety.len());
        }
        Err(d) => {
            row.task = run.header.task_id().unwrap_or_default();
            row.fault.get_or_insert_with(|| d.to_string());
        }
    }
    let events = &run.events.items;
    row.events = events.len();
    row.standing = standing(events);
    row.refused = events
        .iter()
        .filter(|e| matches!(e.body, Body::Refused { .. }))
        .count();
    let mut at = events.last().and_then(|e| match e.body {
        Body::Start { .. } | Body::Step { .. } => Some(e.seq),
        Body::Goto { to, .. } => Some(to),
        _ => e.parent,
    });
    let here = at.and_then(|seq| events.get(seq as usize));
    if let Some(goals) = here.and_then(|e| e.body.goals()) {
        let success = |g: &&u32| (**g as usize) < row.success.1;
        row.success.0 = goals.iter().filter(success).count();
        row.safety.0 = goals.len() - row.success.0;
    }
    // Parents are always earlier events, so this ends.
    while let Some(up) = at
        .and_then(|seq| events.get(seq as usize))
        .and_then(|e| e.parent)
    {
        row.steps += 1;
        at = Some(up);
    }
    let last = run.notes.items.iter().rev().find_map(|n| match &n.body {
        NoteBody::Verdict(v) => Some((v.verdict, n.created.clone())),
        _ => None,
    });
    if let Some((verdict, judged)) = last {
        row.verdict = Some(verdict);
        row.judged = judged;
    }
}

fn standing(events: &[Event]) -> Standing {
    let last = events.iter().rev().find_map(|e| match e.body {
        Body::Start { .. } | Body::Step { .. } | Body::Goto { .. } => Some(Standing::Open),
        Body::Done { .. } => Some(Standing::Done),
        Body::Avoid { .. } => Some(Standing::Avoided),
        Body::Stopped { .. } => Some(Standing::Stopped),
        _ => None,
    });
    last.unwrap_or(Standing::Open)
}

/// The run a person means: its id, any end of it that no other run has, or a path to its folder.
///
/// # Errors
/// None fits, or several do.
pub fn find(root: &Path, wanted: &str) -> Result<PathBuf, Diagnostic> {
    let path = Path::new(wanted);
    if path.join(HEADER_FILE).is_file() {
        return Ok(path.to_owned());
    }
    let wrong = |message: String, help: String| Err(Diagnostic::error("", message).help(help));
    if wanted.contains(std::path::MAIN_SEPARATOR) && path.is_dir() {
        let message = format!("{wanted} is no run: {HEADER_FILE} is missing there");
        return wrong(message, "name the folder of a run".to_owned());
    }
    let folders = folders(root)?;
    let fits: Vec<&PathBuf> = match folders.iter().find(|f| name(f) == wanted) {
        Some(exact) => vec![exact],
        None => folders
            .iter()
            .filter(|f| !wanted.is_empty() && name(f).ends_with(wanted))
            .collect(),
    };
    match fits.as_slice() {
        [one] => Ok((*one).clone()),
        [] => wrong(
            format!("no run in {} ends in {wanted:?}", root.display()),
            "write the end of a run's id, or the path of its folder".to_owned(),
        ),
        many => {
            let some: Vec<String> = many.iter().take(3).map(|f| name(f)).collect();
            wrong(
                format!("{wanted:?} fits {} runs: {}", many.len(), some.join(", ")),
                "write more of the end of one".to_owned(),
            )
        }
    }
}

/// The folders of runs in a folder; none where it does not exist.
///
/// # Errors
/// It cannot be read.
pub fn list_folders(root: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    if root.is_dir() {
        folders(root)
    } else {
        Ok(Vec::new())
    }
}

/// Bytes of a run's events; 0 where there is no such file.
pub fn events_size(folder: &Path) -> u64 {
    std::fs::metadata(folder.join(EVENTS_FILE)).map_or(0, |meta| meta.len())
}

/// The folders of runs; those whose name begins with a dot are still being made.
pub(in crate::store) fn folders(root: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let (_, mut folders) = files::entries(root)?;
    // Arenas and studies of arenas lie beside the runs; a run there is damaged only if it is one.
    let beside = |f: &PathBuf| {
        let has = |file: &str| f.join(file).is_file();
        !has(HEADER_FILE) && (has(ARENA_FILE) || has(STUDY_FILE))
    };
    folders.retain(|f| !name(f).starts_with('.') && !beside(f));
    Ok(folders)
}

pub(in crate::store) fn name(folder: &Path) -> String {
    folder
        .file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}
