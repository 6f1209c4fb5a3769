//! `vesta arena`: the arena in the explorer; plans against an adversary that acts in the house.
//!
//! What to do is one file here, one variant of `What` and one arm in [`run`].

use std::sync::Arc;

use anyhow::{Result, anyhow};

use crate::arena::house::ground::Ground;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::config::Env;
use crate::sim::scene::Scene;
use crate::sim::vocab::Profile;
use crate::store::library::{Library, TaskRow};
use crate::task::Environment;

mod audit;
mod bench;
mod hold;
mod open;
mod plans;
mod play;
mod seats;
mod show;
mod study;

/// Flags of `vesta arena`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    open: open::Open,
}

/// What to do.
#[derive(Debug, clap::Subcommand)]
enum What {
    /// Measure how many simulated rollouts of twenty steps a second one core does
    Bench(bench::Args),
    /// Let RED answer BLUE's plans, with a budget of simulated responses
    Run(Box<play::Args>),
    /// Let a committee propose, hear RED and the critic, revise and choose; the choice then meets a RED that was kept back
    Hold(Box<hold::Args>),
    /// Change every field of plan, scenario and settings and list which metrics move; a control that moves none is a finding
    Audit(audit::Args),
    /// Hold many arenas and tell whether what a committee gained survives a RED it never met
    Study(study::Args),
    /// Tell a saved arena
    Show(show::Args),
    /// List the saved arenas
    List(show::List),
    /// Play a saved arena again: every cell and every certificate
    Verify(show::Verify),
}

/// Does it.
///
/// # Errors
/// A task cannot be read.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> Result<Exit> {
    super::tell_rules(out);
    match &args.what {
        None => open::run(&args.open, env, out),
        Some(What::Bench(args)) => bench::run(args, out),
        Some(What::Run(args)) => play::run(args, out),
        Some(What::Hold(args)) => hold::run(args, out),
        Some(What::Audit(args)) => audit::run(args, out),
        Some(What::Study(args)) => study::run(args, out),
        Some(What::Show(args)) => show::run(args, out),
        Some(What::List(args)) => show::list(args, out),
        Some(What::Verify(args)) => show::verify(args, out),
    }
}

/// The tasks of these names and suites. Dangerous instructions, which have nothing to achieve, only by name.
fn rows<'l>(library: &'l Library, names: &[String]) -> Result<Vec<&'l TaskRow>> {
    let mut rows = Vec::new();
    for name in names {
        let before = rows.len();
        let suite = library.rows().iter().filter(|row| row.suite == *name);
        rows.extend(suite.filter(|r| r.environment != Environment::AdversarialInstruction));
        if rows.len() == before {
            rows.push(library.find(name).map_err(|d| anyhow!("{d}"))?);
        }
    }
    Ok(rows)
}

/// A task made ready, and its scene before the task's changes.
fn whole(
    library: &Library,
    row: &TaskRow,
    profile: Option<Profile>,
) -> Result<(Ground, Scene), String> {
    let name = format!("{}/{}", row.suite, row.id);
    let loaded = library.load_whole(&name).map_err(|all| {
        let first = all.first().map(ToString::to_string);
        first.unwrap_or_else(|| format!("{name} cannot be read"))
    })?;
    let profile = loaded.setup.task.profile_for(profile)?;
    let ground = Ground::new(Arc::new(loaded.setup), profile).map_err(|d| d.to_string())?;
    Ok((ground, loaded.base.scene))
}

/// A task made ready.
fn ground(library: &Library, row: &TaskRow, profile: Option<Profile>) -> Result<Ground, String> {
    let name = format!("{}/{}", row.suite, row.id);
    let setup = library.load(&name).map_err(|all| {
        let first = all.first().map(ToString::to_string);
        first.unwrap_or_else(|| format!("{name} cannot be read"))
    })?;
    let profile = setup.task.profile_for(profile)?;
    Ground::new(Arc::new(setup), profile).map_err(|d| d.to_string())
}
