//! `vesta arena SCENARIO`: the arena in the explorer, or as text outside a terminal.

use std::io::{self, IsTerminal as _};

use anyhow::Result;

use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, explore, saved};
use crate::config::Env;

/// Flags of `vesta arena` without a subcommand.
#[derive(Debug, clap::Args)]
pub(super) struct Open {
    /// A scenario of the published benchmark, such as urban-100, or a task, such as V062; else the benchmark
    #[arg(value_name = "SCENARIO|TASK")]
    what: Option<String>,
    /// Text instead of the explorer
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    saved: saved::Place,
}

/// Opens it.
///
/// # Errors
/// The terminal cannot be used.
pub(super) fn run(args: &Open, env: &Env, out: &mut Out) -> Result<Exit> {
    let line = format!("arena {}", args.what.as_deref().unwrap_or_default());
    let line = line.trim().to_owned();
    let of = (args.source.clone(), args.saved.clone());
    let terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
    if terminal && !args.plain {
        explore::open(line, of, env, out)
    } else {
        explore::tell(line, of, env, out)
    }
}
