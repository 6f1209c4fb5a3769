//! `vesta inspect`: one saved run in the explorer, at its first bad step; as `vesta show` prints it where there is no
//! terminal or printing was asked for.

use std::io::{self, IsTerminal as _};

use crate::cli::out::Out;
use crate::cli::{Exit, show};
use crate::config::Env;

/// Flags of `vesta inspect`.
#[derive(Debug, clap::Args)]
#[group(id = "inspect")]
pub struct Args {
    #[command(flatten)]
    show: show::Args,
}

/// Opens, or prints.
///
/// # Errors
/// The run cannot be found or read.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    let somebody = io::stdin().is_terminal() && io::stdout().is_terminal();
    show::tell(&args.show, somebody && !args.show.prints(), env, out)
}
