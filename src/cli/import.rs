//! `vesta import`: recordings of other tools as runs, and tasks from elsewhere as files of one's own, to edit and keep.

use std::path::{Path, PathBuf};

use anyhow::bail;
use serde_json::{Value, json};

use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::tasks::open;
use crate::cli::{Exit, play, saved};
use crate::formats::trace::pddl;
use crate::store::import::{Existing, import};
use crate::store::library::any_error;
use crate::store::recordings;

/// Flags of `vesta import`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A recording of any format that vesta formats lists, or a folder of such; else a folder of tasks, a task or scene
    /// file, a VestaBench-B50 file, an eai-eval installation or its wheel
    path: PathBuf,
    /// For tasks, the folder that gets them: tasks in tasks/SUITE, scenes in assets/scenes
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    saved: saved::Place,
    /// The folder of initial graphs that belong to a VestaBench-B50 file; or, one each, the eai-eval 1.0.5 wheel and the
    /// bddl 1.0.1 archive that they are built from
    #[arg(long, value_name = "PATH")]
    graphs: Vec<PathBuf>,
    /// Only this task; may be given several times. For the plan of a planner, the task it is for: the plan is played
    #[arg(long = "task", value_name = "ID")]
    tasks: Vec<String>,
    /// Write over files that are there already
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Imports and says what was written.
///
/// # Errors
/// The source cannot be read, a file is in the way, or the disk refuses.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    let path = &args.path;
    let recordings = if path.is_dir() && args.out.is_none() {
        let found = recordings::below(path)?;
        if found.is_empty() {
            bail!(
                "{}: no recording lies there; to import tasks, name a folder for them with --out",
                path.display()
            );
        }
        found
    } else if path.is_file() && (args.out.is_none() || recordings::sniff_file(path).is_some()) {
        vec![path.clone()]
    } else {
        Vec::new()
    };
    if let ([task], [file], None) = (args.tasks.as_slice(), recordings.as_slice(), &args.out) {
        let (traces, notes) = recordings::read_file(file)?;
        for note in notes {
            out.error(&note.to_string());
        }
        if let Some(plan) = traces.iter().find(|t| t.format == pddl::FORMAT.id) {
            return play::plan(task, plan, &args.saved, args.json, out);
        }
    }
    match (&args.out, recordings.is_empty()) {
        (_, false) => runs(args, &recordings, out),
        (Some(folder), true) => tasks(args, folder, out),
        (None, true) => bail!("{}: not found; check the name", path.display()),
    }
}

/// Takes recordings in as runs. A file that cannot be read does not keep the others out.
fn runs(args: &Args, recordings: &[PathBuf], out: &mut Out) -> anyhow::Result<Exit> {
    let root = args.saved.root()?;
    let (mut taken, mut problems) = (Vec::new(), Vec::new());
    for path in recordings {
        match recordings::read_file(path) {
            Ok((traces, notes)) => {
                problems.extend(notes);
                for trace in &traces {
                    match recordings::take_in(&root, trace) {
                        Ok(run) => taken.push(run),
                        Err(d) => problems.push(d.in_file(&path.display().to_string())),
                    }
                }
            }
            Err(d) => problems.push(d),
        }
    }
    for problem in &problems {
        out.error(&problem.to_string());
    }
    if args.json {
        let rows: Vec<Value> = taken
            .iter()
            .map(|t| json!({"run": t.id, "known": t.known, "ours": t.ours}))
            .collect();
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        out.json(&json!({"runs": rows, "problems": problems}))?;
    } else {
        for run in &taken {
            let what = match (run.known, run.ours) {
                (true, _) => "is there already",
                (false, true) => "is back",
                (false, false) => "taken in",
            };
            out.line(&format!("{} {what}", run.id))?;
        }
    }
    let failed = any_error(&problems);
    if failed && taken.is_empty() {
        bail!("nothing was imported");
    }
    Ok(if failed { Exit::Finding } else { Exit::Fine })
}

fn tasks(args: &Args, folder: &Path, out: &mut Out) -> anyhow::Result<Exit> {
    let library = open(
        &Source {
            from: Some(args.path.clone()),
            graphs: args.graphs.clone(),
        },
        out,
    )?;
    let existing = if args.force {
        Existing::Replace
    } else {
        Existing::Keep
    };
    let done = import(&library, &args.tasks, folder, existing)?;
    let failed = any_error(&done.problems);
    if args.json {
        let names = |paths: &[PathBuf]| -> Vec<String> {
            paths.iter().map(|p| p.display().to_string()).collect()
        };
        let problems: Vec<String> = done.problems.iter().map(ToString::to_string).collect();
        out.json(&json!({
            "tasks": names(&done.tasks), "scenes": names(&done.scenes), "problems": problems,
        }))?;
    } else {
        for problem in &done.problems {
            out.error(&problem.to_string());
        }
        out.line(&format!(
            "wrote {} tasks and {} scenes below {}",
            done.tasks.len(),
            done.scenes.len(),
            folder.display()
        ))?;
    }
    Ok(if failed { Exit::Finding } else { Exit::Fine })
}
