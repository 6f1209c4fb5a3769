//! `vesta show`: one saved run as text (`--plain`, the default), as JSON, or in the explorer.

use std::path::Path;

use anyhow::bail;
use serde_json::{Value, json};

use crate::app::parts::recording::lines as recording_lines;
use crate::app::parts::transcript;
use crate::app::runs::LoadedRun;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, explore, saved};
use crate::config::Env;
use crate::formats::run::{event_line, note_line, write_header};
use crate::formats::trace::{Trace, neutral};
use crate::runtime::jobs;
use crate::store::recordings;
use crate::store::runs::{self, SavedRun};

/// Flags of `vesta show`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The end of a run's id, the path of its folder, or a file that another tool recorded
    run: String,
    #[command(flatten)]
    saved: saved::Place,
    /// Print it as text; show does so without any flag, inspect where there is no terminal
    #[arg(long)]
    plain: bool,
    /// Print it as one JSON object
    #[arg(long, conflicts_with = "plain")]
    json: bool,
    /// Open it in the explorer
    #[arg(long, conflicts_with_all = ["plain", "json"])]
    open: bool,
}

impl Args {
    /// Whether it is to be printed.
    pub(super) const fn prints(&self) -> bool {
        self.plain || self.json
    }
}

/// Shows. [`Exit::Finding`] if the run is damaged or its re-execution differs.
///
/// # Errors
/// The run cannot be found or read.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    tell(args, args.open, env, out)
}

/// Opens a run, or prints it.
pub(super) fn tell(args: &Args, open: bool, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    let path = Path::new(&args.run);
    if path.is_file() && open {
        let of = (Source::default(), args.saved.clone());
        let line = format!("file recording \"{}\"", path.display());
        return explore::open(line, of, env, out);
    }
    if path.is_file() {
        return file(path, args.json, out);
    }
    let folder = runs::find(&args.saved.root()?, &args.run)?;
    if open {
        let of = (Source::default(), args.saved.clone());
        return explore::open(format!("inspect {}", folder.display()), of, env, out);
    }
    let run = SavedRun::read(&folder)?;
    if run.is_foreign() {
        return recorded(&run, args.json, out);
    }
    let run = jobs::loaded(run);
    if args.json {
        out.json(&as_json(&run))?;
    } else {
        for line in transcript::lines(&run) {
            out.line(&line)?;
        }
    }
    match &run.again {
        Ok(_) if run.is_fine() => Ok(Exit::Fine),
        Ok(_) => Ok(Exit::Finding),
        Err(why) => bail!("{why}"),
    }
}

/// A file that another tool recorded.
fn file(path: &Path, json: bool, out: &mut Out) -> anyhow::Result<Exit> {
    let (traces, notes) = recordings::read_file(path)?;
    for note in &notes {
        out.error(&note.to_string());
    }
    for (i, trace) in traces.iter().enumerate() {
        if i > 0 && !json {
            out.line("")?;
        }
        recording(trace, json, out)?;
    }
    Ok(if notes.is_empty() {
        Exit::Fine
    } else {
        Exit::Finding
    })
}

/// A run that others recorded.
fn recorded(run: &SavedRun, json: bool, out: &mut Out) -> anyhow::Result<Exit> {
    let trace = recordings::recording(&run.folder)?;
    if !json {
        out.line(&format!("run {}", run.header.id))?;
    }
    recording(&trace, json, out)?;
    for found in run.findings() {
        out.error(&found.to_string());
    }
    Ok(if run.findings().next().is_none() {
        Exit::Fine
    } else {
        Exit::Finding
    })
}

fn recording(trace: &Trace, json: bool, out: &mut Out) -> anyhow::Result<()> {
    if json {
        out.json(&serde_json::from_str(&neutral::text(trace))?)?;
        return Ok(());
    }
    for line in recording_lines(trace) {
        out.line(&line)?;
    }
    Ok(())
}

fn as_json(run: &LoadedRun) -> Value {
    // The files' own lines: what a program reads here is what it would read there.
    let lines = |text: String| serde_json::from_str::<Value>(&text).unwrap_or_default();
    let mut all = json!({
        "run": run.header.id,
        "header": lines(write_header(&run.header)),
        "events": run.events.iter().map(|e| lines(event_line(e))).collect::<Vec<_>>(),
        "notes": run.notes.iter().map(|n| lines(note_line(n))).collect::<Vec<_>>(),
        "findings": run.findings,
    });
    match &run.again {
        Ok(again) => {
            all["verified"] = json!(run.verified_words());
            all["fine"] = json!(run.is_fine());
            all["judgement"] = saved::judgement(&again.episode);
            all["goals"] = saved::goal_rows(&again.episode);
            all["warnings"] =
                saved::warning_rows(&again.episode.clone().warnings(), &again.episode);
        }
        Err(why) => all["error"] = json!(why),
    }
    all
}
