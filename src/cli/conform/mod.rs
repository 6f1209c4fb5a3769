//! `vesta conform KIND DIR`: replays recorded runs of the published code and says where this program differs.
//!
//! A kind is one file here and one line in [`KINDS`]. Folders have the layout described in their recordings' README;
//! files that are absent are named and skipped.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::Exit;
use crate::cli::out::Out;

mod advplan;
mod behavior;
mod graphs;
mod recording;
mod verdict;
mod virtualhome;

/// Flags of `vesta conform`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What is recorded: virtualhome, behavior or advplan
    kind: String,
    /// The folder of recordings
    dir: PathBuf,
    /// Only so many base seeds of advplan; else as many as are recorded
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    n_seeds: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Compares and prints; a difference is a finding.
///
/// # Errors
/// An unknown kind, or recordings that cannot be read.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let report = Report::of(&args.kind, &args.dir, args.n_seeds.map(usize::from))?;
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
    run: fn(&Path, Option<usize>, &mut Report) -> Result<()>,
}

/// All kinds.
pub const KINDS: &[Kind] = &[
    Kind {
        id: "virtualhome",
        doc: "Programs and altered programs on VirtualHome graphs (eai-eval 1.0.5).",
        run: |dir, _, report| virtualhome::run(dir, report),
    },
    Kind {
        id: "behavior",
        doc: "Plans, altered plans and random walks on BEHAVIOR's evolving graph (eai-eval 1.0.5).",
        run: |dir, _, report| behavior::run(dir, report),
    },
    Kind {
        id: "advplan",
        doc: "Tables, plans and draws of AdvPlan-Bench (CPython 3.12).",
        run: advplan::run,
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
    /// Files that were not compared, each with the reason.
    pub skipped: Vec<String>,
}

/// How many differences are told in full.
const TOLD: usize = 20;

impl Report {
    /// Compares one folder; of advplan so many base seeds, if not all.
    ///
    /// # Errors
    /// An unknown kind, or a recording that cannot be read.
    pub fn of(kind: &str, dir: &Path, n_seeds: Option<usize>) -> Result<Self> {
        let Some(kind) = KINDS.iter().find(|k| k.id == kind) else {
            let known: Vec<&str> = KINDS.iter().map(|k| k.id).collect();
            bail!("unknown kind {kind:?}; known are {}", known.join(", "));
        };
        if !dir.is_dir() {
            bail!("{}: no such folder", dir.display());
        }
        if n_seeds.is_some() && kind.id != "advplan" {
            bail!("--n-seeds belongs to advplan; {} has no seeds", kind.id);
        }
        let mut report = Self::default();
        (kind.run)(dir, n_seeds, &mut report)?;
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

    /// Names a file that is not there.
    fn absent(&mut self, path: &Path) {
        self.skipped.push(format!("{}: not there", path.display()));
    }

    /// Names a file that is not compared, and why.
    fn note(&mut self, what: String) {
        self.skipped.push(what);
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
            let _ = writeln!(out, "skipped {f}");
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
