//! `vesta advplan`: the published two-sided benchmark.

use anyhow::{Result, bail};

use crate::arena::advplan::traces;
use crate::cli::Exit;
use crate::cli::out::Out;

mod bench;

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
    /// Make one plan again by its id, such as urban-103/council/5/red/2, or list a scenario's plans
    Show {
        /// The id of a plan or a scenario
        id: String,
    },
}

/// Does it.
///
/// # Errors
/// A file cannot be written, or there is no such id.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    match &args.what {
        What::Bench(args) => bench::run(args, out),
        What::Show { id } => show(id, out),
    }
}

fn show(id: &str, out: &mut Out) -> Result<Exit> {
    let Some(played) = traces::replay(id) else {
        bail!("no scenario is called {id:?}; an id begins like urban-100 or maritime-101/red/3");
    };
    let plans = traces::plans(&played);
    if id == played.scenario.profile.scenario_id {
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
