//! `vesta import`: tasks from elsewhere as files of one's own, to edit and keep.

use std::path::PathBuf;

use serde_json::json;

use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, tasks};
use crate::store::import::{Existing, import};
use crate::store::library::any_error;

/// Flags of `vesta import`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A folder of tasks, a task or scene file, a VestaBench-B50 file, an eai-eval installation or its wheel
    path: PathBuf,
    /// The folder that gets them: tasks in tasks/SUITE, scenes in assets/scenes
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The folder of initial graphs that belong to a VestaBench-B50 file; or, one each, the eai-eval 1.0.5 wheel and the
    /// bddl 1.0.1 archive that they are built from
    #[arg(long, value_name = "PATH")]
    graphs: Vec<PathBuf>,
    /// Only this task; may be given several times
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
    let library = tasks::open(
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
    let done = import(&library, &args.tasks, &args.out, existing)?;
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
            args.out.display()
        ))?;
    }
    Ok(if failed { Exit::Finding } else { Exit::Fine })
}
