//! `vesta conform KIND DIR`: replays recorded runs of the published code and says where this program differs.
//!
//! A kind is one file here and one line in [`KINDS`]. Folders have the layout described in their recordings' README;
//! files that are absent are named and skipped.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::Exit;
use crate::cli::out::Out;

mod behavior;
mod graphs;
mod recording;
mod verdict;
mod virtualhome;

/// Flags of `vesta conform`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What is recorded: virtualhome or behavior
    kind: String,
    /// The folder of recordings
    dir: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Compares and prints; a difference is a finding.
///
/// # Errors
/// An unknown kind, or recordings that cannot be read.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let report = Report::of(&args.kind, &args.dir)?;
    if args.json {
        out.json(&report.json())?;
    } else {
        report.text().lines().try_for_each(|line| out.line(line))?;
    }
    Ok(if report.agrees() {
        Exit::Fine
    } else {
        Exit::Finding
    })
}

/// A kind of recording.
#[derive(Debug)]
pub struct Kind {
    /// The word on the command line.
    pub id: &'static str,
    /// What is recorded.
    pub doc: &'static str,
    run: fn(&Path, &mut Report) -> Result<()>,
}

/// All kinds.
pub const KINDS: &[Kind] = &[
    Kind {
        id: "virtualhome",
        doc: "Programs and altered programs on VirtualHome graphs (eai-eval 1.0.5).",
        run: virtualhome::run,
    },
    Kind {
        id: "behavior",
        doc: "Plans, altered plans and random walks on BEHAVIOR's evolving graph (eai-eval 1.0.5).",
        run: behavior::run,
    },
];

/// One counted comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What was compared, such as `programs`.
    pub name: String,
    /// How many items agree in every field.
    pub agree: usize,
    /// How many items there are.
    pub total: usize,
    /// Whether a disagreement is a finding. Recordings of what we chose not to emulate are shown but do not count.
    pub counts: bool,
    /// A remark shown beside.
    pub note: String,
}

/// What a comparison found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The counts.
    pub sections: Vec<Section>,
    /// The first differences, each with file and line.
    pub differences: Vec<String>,
    /// Files that were not there.
    pub skipped: Vec<String>,
}

/// How many differences are told in full.
const TOLD: usize = 20;

impl Report {
    /// Compares one folder.
    ///
    /// # Errors
    /// An unknown kind, or a recording that cannot be read.
    pub fn of(kind: &str, dir: &Path) -> Result<Self> {
        let Some(kind) = KINDS.iter().find(|k| k.id == kind) else {
            let known: Vec<&str> = KINDS.iter().map(|k| k.id).collect();
            bail!("unknown kind {kind:?}; known are {}", known.join(", "));
        };
        if !dir.is_dir() {
            bail!("{}: no such folder", dir.display());
        }
        let mut report = Self::default();
        (kind.run)(dir, &mut report)?;
        if report.sections.is_empty() {
            bail!("{}: holds no recordings of kind {}", dir.display(), kind.id);
        }
        Ok(report)
    }

    /// Whether everything that counts agrees.
    pub fn agrees(&self) -> bool {
        self.sections
            .iter()
            .all(|s| !s.counts || s.agree == s.total)
    }

    fn differ(&mut self, what: impl FnOnce() -> String) {
        if self.differences.len() < TOLD {
            self.differences.push(what());
        }
    }

    /// The report as text, one fact a line.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for s in &self.sections {
            let beside = if s.counts {
                ""
            } else {
                "  (beside, does not count)"
            };
            let note = if s.note.is_empty() {
                String::new()
            } else {
                format!("  {}", s.note)
            };
            let _ = writeln!(out, "{:<24} {}/{}{beside}{note}", s.name, s.agree, s.total);
        }
        for f in &self.skipped {
            let _ = writeln!(out, "skipped {f}: not there");
        }
        for d in &self.differences {
            let _ = writeln!(out, "differs {d}");
        }
        out
    }

    /// The report as JSON.
    pub fn json(&self) -> serde_json::Value {
        let sections: Vec<_> = self
            .sections
            .iter()
            .map(|s| {
                serde_json::json!({"name": s.name, "agree": s.agree, "total": s.total, "counts": s.counts, "note": s.note})
            })
            .collect();
        serde_json::json!({
            "sections": sections, "skipped": self.skipped, "differences": self.differences, "agrees": self.agrees(),
        })
    }
}
