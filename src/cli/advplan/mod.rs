//! `vesta advplan`: the published two-sided benchmark.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::arena::advplan::audit::{Moved, audit};
use crate::arena::advplan::corpus::is_published;
use crate::arena::advplan::traces;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::store::typed as stored;

mod bench;
pub(super) mod folder;
pub(super) mod typed;

/// Flags of `vesta advplan`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

/// What to do.
#[derive(Debug, clap::Subcommand)]
enum What {
    /// Compute the benchmark and write its tables, with every plan and every part of every score
    Bench(bench::Args),
    /// Change every field of the scenarios and list which metrics move; a field that moves none is a finding
    Audit {
        /// Base seeds, five scenarios each
        #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=100))]
        n_seeds: u16,
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Make one plan again by its id, such as urban-103/council/5/red/2, list a scenario's plans or those of a file
    Show {
        /// The id of a plan or a scenario; or a file of typed plans, or the folder of a benchmark
        #[arg(value_name = "ID|FILE")]
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Compute every figure of a file of typed plans anew, or of a whole folder that bench wrote; what differs is a finding
    Verify {
        /// The file or folder
        path: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Does it.
///
/// # Errors
/// A file cannot be written, or there is no such id.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    match &args.what {
        What::Bench(args) => bench::run(args, out),
        What::Audit { n_seeds, json } => list(usize::from(*n_seeds), *json, out),
        What::Show { id, json } => match stored::meant(Path::new(id)) {
            Some(path) => typed::show(&path, *json, out),
            None => show(id, out),
        },
        What::Verify { path, json } => verify(path, *json, out),
    }
}

fn list(n_seeds: usize, json: bool, out: &mut Out) -> Result<Exit> {
    let all = audit(n_seeds);
    let inert = all.iter().any(|m| m.metrics.is_empty());
    if json {
        let record = |m: &Moved| {
            let moves: serde_json::Map<String, serde_json::Value> = m
                .metrics
                .iter()
                .map(|(name, n)| ((*name).to_owned(), (*n).into()))
                .collect();
            serde_json::json!({"field": m.edit.id, "change": m.edit.doc, "moves": moves})
        };
        out.json_list(&all.iter().map(record).collect::<Vec<_>>())?;
    } else {
        out.line(&format!(
            "of {} scenarios, in how many each metric moves",
            5 * n_seeds
        ))?;
        for m in &all {
            let moves: Vec<String> = m
                .metrics
                .iter()
                .map(|(name, n)| format!("{name} {n}"))
                .collect();
            let moves = if moves.is_empty() {
                "nothing moves".to_owned()
            } else {
                moves.join(", ")
            };
            out.line(&format!("{:<11} {moves}  ({})", m.edit.id, m.edit.doc))?;
        }
    }
    Ok(if inert { Exit::Finding } else { Exit::Fine })
}

/// A folder as a whole, else a file of typed plans.
///
/// # Errors
/// It cannot be read.
pub(super) fn verify(path: &Path, json: bool, out: &mut Out) -> Result<Exit> {
    if folder::is(path) {
        return folder::verify(path, json, out);
    }
    let file = stored::meant(path).unwrap_or_else(|| path.to_owned());
    typed::verify(&file, json, out)
}

fn show(id: &str, out: &mut Out) -> Result<Exit> {
    let Some(played) = traces::replay(id) else {
        bail!("no scenario is called {id:?}; an id begins like urban-100 or maritime-101/red/3");
    };
    let plans = traces::plans(&played);
    if id == played.scenario.profile.scenario_id {
        if !is_published(played.base) {
            out.line(
                "computed as published, but in no published table: its seed is none of those",
            )?;
        }
        for (id, plan) in &plans {
            out.line(&format!(
                "{id}  q {}  {}",
                plan.quality_score, plan.objective
            ))?;
        }
        return Ok(Exit::Fine);
    }
    let Some((id, plan)) = plans.iter().find(|(known, _)| known == id) else {
        let scenario = &played.scenario.profile.scenario_id;
        bail!("no plan is called {id:?}; vesta advplan show {scenario} lists them");
    };
    out.json(&traces::record(id, plan))?;
    Ok(Exit::Fine)
}
