//! `vesta verify`: plays saved runs again and compares every state hash.

use std::path::{Path, PathBuf};

use anyhow::bail;
use serde_json::{Value, json};

use crate::app::runs::LoadedRun;
use crate::base::diag::Diagnostic;
use crate::cli::out::Out;
use crate::cli::{Exit, saved};
use crate::formats::trace::foreign;
use crate::runtime::jobs;
use crate::store::runs::{self, SavedRun};
use crate::task::episode::Drift;

/// Flags of `vesta verify`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The ends of runs' ids, or paths of their folders; all runs if none is named
    run: Vec<String>,
    #[command(flatten)]
    saved: saved::Place,
    /// One JSON object a run
    #[arg(long)]
    json: bool,
}

/// Verifies. [`Exit::Finding`] if anything differs or was cut.
///
/// # Errors
/// A run cannot be found or played again; the others are verified first.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    let root = args.saved.root()?;
    let folders: Vec<(PathBuf, Option<Diagnostic>)> = if args.run.is_empty() {
        let rows = runs::list(&root)?;
        rows.into_iter().map(|r| (r.folder, None)).collect()
    } else {
        // One that cannot be found does not keep the others from being verified.
        let found = args.run.iter().map(|name| match runs::find(&root, name) {
            Ok(folder) => (folder, None),
            Err(d) => (PathBuf::from(name), Some(d)),
        });
        found.collect()
    };
    let mut exit = Exit::Fine;
    let (mut unreadable, mut recordings) = (0, 0);
    for (folder, unfound) in &folders {
        // Nobody asked for this one: what others recorded has no world to play it in, and no hashes.
        if args.run.is_empty() && is_recording(folder) {
            recordings += 1;
            continue;
        }
        let verified = match unfound {
            Some(d) => Err(anyhow::Error::msg(d.to_string())),
            None => one(folder),
        };
        match verified {
            Ok(verified) => {
                if !verified.is_fine() {
                    exit = Exit::Finding;
                }
                tell(args.json, folder, &verified, out)?;
            }
            Err(d) => {
                unreadable += 1;
                if args.json {
                    out.json(&json!({ "run": id(folder), "error": d.to_string() }))?;
                } else {
                    out.line(&format!("✗ {}: {d}", id(folder)))?;
                }
            }
        }
    }
    if recordings > 0 && !args.json {
        let runs = if recordings == 1 {
            "recording"
        } else {
            "recordings"
        };
        out.line(&format!(
            "{recordings} {runs} of other tools: nothing to verify"
        ))?;
    }
    if unreadable > 0 {
        anyhow::bail!("{unreadable} of {} runs cannot be verified", folders.len());
    }
    Ok(exit)
}

/// Whether another tool recorded the run.
fn is_recording(folder: &Path) -> bool {
    SavedRun::peek(folder).is_ok_and(|(header, _)| foreign::is_foreign(&header))
}

fn one(folder: &Path) -> anyhow::Result<LoadedRun> {
    let run = jobs::loaded(SavedRun::read(folder)?);
    match &run.again {
        Ok(_) => Ok(run),
        Err(why) => bail!("{why}"),
    }
}

fn id(folder: &Path) -> String {
    folder
        .file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

fn drifts(run: &LoadedRun) -> &[Drift] {
    run.again.as_ref().map_or(&[], |again| &again.drifts)
}

fn tell(json: bool, folder: &Path, run: &LoadedRun, out: &mut Out) -> std::io::Result<()> {
    if json {
        return out.json(&as_json(folder, run));
    }
    out.line(&format!("{} {}", id(folder), run.verified_words()))?;
    let drifts = drifts(run);
    for drift in drifts.iter().skip(1).take(9) {
        out.line(&format!("  ✗ {drift}"))?;
    }
    if drifts.len() > 10 {
        out.line(&format!("  and {} more", drifts.len() - 10))?;
    }
    for finding in &run.findings {
        out.line(&format!("  ! {finding}"))?;
    }
    Ok(())
}

fn as_json(folder: &Path, run: &LoadedRun) -> Value {
    let found = run.verified().ok();
    let drifts: Vec<Value> = drifts(run)
        .iter()
        .map(|d| json!({ "seq": d.seq, "pos": d.pos.map(|p| p.0), "message": d.to_string() }))
        .collect();
    json!({
        "run": id(folder), "fine": run.is_fine(),
        "agree": found.as_ref().map(|v| v.agree),
        "events": run.events.len(),
        "to": found.as_ref().map(|v| v.to.0),
        "drifts": drifts, "findings": run.findings, "other_engine": run.other_engine(),
    })
}
