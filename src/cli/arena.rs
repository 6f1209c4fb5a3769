//! `vesta arena`: the arena in the explorer, or as text outside a terminal.

use std::io::{self, IsTerminal as _};

use anyhow::Result;

use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, explore, saved};
use crate::config::Env;

/// Flags of `vesta arena`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A scenario of the published benchmark, such as urban-100; else the list of them
    #[arg(value_name = "SCENARIO")]
    what: Option<String>,
    /// Text instead of the explorer
    #[arg(long)]
    plain: bool,
}

/// Opens it.
///
/// # Errors
/// The terminal cannot be used.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> Result<Exit> {
    let line = format!("arena {}", args.what.as_deref().unwrap_or_default());
    let line = line.trim().to_owned();
    let of = (Source::default(), saved::Place::default());
    let terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
    if terminal && !args.plain {
        explore::open(line, of, env, out)
    } else {
        explore::tell(line, of, env, out)
    }
}
