//! `vesta verify`: plays saved runs again and compares every state hash.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::out::Out;
use crate::cli::{Exit, saved};
use crate::sim::timeline::Pos;
use crate::store::runs::{self, Replayed, SavedRun};

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

/// What became of one run.
#[derive(Debug)]
pub struct Verified {
    /// The run played again, and what differs.
    pub again: Replayed,
    /// Events that re-executed to the recorded hash.
    pub agree: usize,
    /// Events that can be used.
    pub events: usize,
    /// The last position before the first difference.
    pub to: u32,
    /// What was cut or skipped.
    pub findings: Vec<String>,
    /// The engine that recorded it, if it was another.
    pub other_engine: Option<String>,
}

impl Verified {
    /// Verifies a run.
    ///
    /// # Errors
    /// It cannot be played again at all.
    pub fn of(run: &SavedRun) -> Result<Self, crate::base::diag::Diagnostic> {
        let again = run.replay()?;
        let events = run.events.items.len();
        let off: BTreeSet<u32> = again.drifts.iter().map(|d| d.seq).collect();
        let first = off.first().copied().unwrap_or(u32::MAX);
        let to = (0..first.min(events as u32))
            .rev()
            .find_map(|seq| again.episode.pos(seq))
            .unwrap_or(Pos::START);
        let engine = env!("CARGO_PKG_VERSION");
        Ok(Self {
            agree: events - off.len(),
            events,
            to: to.0,
            again,
            findings: run.findings().map(ToString::to_string).collect(),
            other_engine: (run.header.engine != engine).then(|| run.header.engine.clone()),
        })
    }

    /// Whether every hash agrees and nothing was cut.
    pub fn is_fine(&self) -> bool {
        self.again.drifts.is_empty() && self.findings.is_empty() && self.events > 0
    }

    /// The result in one line.
    pub fn words(&self) -> String {
        let Some(first) = self.again.drifts.first() else {
            let mark = if self.is_fine() { '✓' } else { '✗' };
            return format!("{mark} verified {}/{} hashes", self.agree, self.events);
        };
        let engine = self.other_engine.as_ref().map_or_else(String::new, |e| {
            format!(" (engine {e} → {})", env!("CARGO_PKG_VERSION"))
        });
        format!(
            "✗ verified to s{}, {}/{} hashes; {first}{engine}",
            self.to, self.agree, self.events
        )
    }
}

/// Verifies. [`Exit::Finding`] if anything differs or was cut.
///
/// # Errors
/// A run cannot be found or played again; the others are verified first.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    let root = args.saved.root()?;
    let folders: Vec<PathBuf> = if args.run.is_empty() {
        let rows = runs::list(&root)?;
        rows.into_iter().map(|r| r.folder).collect()
    } else {
        let found = args.run.iter().map(|name| runs::find(&root, name));
        found.collect::<Result<_, _>>()?
    };
    let mut exit = Exit::Fine;
    let mut unreadable = 0;
    for folder in &folders {
        match one(folder) {
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
    if unreadable > 0 {
        anyhow::bail!("{unreadable} of {} runs cannot be verified", folders.len());
    }
    Ok(exit)
}

fn one(folder: &Path) -> Result<Verified, crate::base::diag::Diagnostic> {
    Verified::of(&SavedRun::read(folder)?)
}

fn id(folder: &Path) -> String {
    folder
        .file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

fn tell(json: bool, folder: &Path, verified: &Verified, out: &mut Out) -> std::io::Result<()> {
    if json {
        return out.json(&as_json(folder, verified));
    }
    out.line(&format!("{} {}", id(folder), verified.words()))?;
    for drift in verified.again.drifts.iter().skip(1).take(9) {
        out.line(&format!("  ✗ {drift}"))?;
    }
    if verified.again.drifts.len() > 10 {
        out.line(&format!("  and {} more", verified.again.drifts.len() - 10))?;
    }
    for finding in &verified.findings {
        out.line(&format!("  ! {finding}"))?;
    }
    Ok(())
}

fn as_json(folder: &Path, verified: &Verified) -> Value {
    let drifts: Vec<Value> = verified
        .again
        .drifts
        .iter()
        .map(|d| json!({ "seq": d.seq, "pos": d.pos.map(|p| p.0), "message": d.to_string() }))
        .collect();
    json!({
        "run": id(folder), "fine": verified.is_fine(), "agree": verified.agree,
        "events": verified.events, "to": verified.to, "drifts": drifts,
        "findings": verified.findings, "other_engine": verified.other_engine,
    })
}
