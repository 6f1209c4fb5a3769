//! `vesta arena SCENARIO`: the arena in the explorer, or as text outside a terminal.

use std::io::{self, IsTerminal as _};
use std::path::Path;

use anyhow::Result;

use crate::arena::advplan::file::PLANS_FILE;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, advplan, explore, saved};
use crate::config::Env;
use crate::store::typed;

/// Flags of `vesta arena` without a subcommand.
#[derive(Debug, clap::Args)]
pub(super) struct Open {
    /// A scenario of the published benchmark, such as urban-100, a task, such as V062, or a file or folder of arenas;
    /// else the benchmark
    #[arg(value_name = "SCENARIO|TASK|FILE")]
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
    let asked = args.what.as_deref().unwrap_or_default();
    let terminal = io::stdout().is_terminal() && io::stdin().is_terminal() && !args.plain;
    // A folder of the benchmark means the plans in it; plans of another make are listed where there is no terminal.
    let line = match typed::meant(Path::new(asked)) {
        Some(path) if !terminal && !path.ends_with(PLANS_FILE) => {
            return advplan::typed::show(&path, false, out);
        }
        Some(path) => format!("council {}", path.display()),
        None => format!("arena {asked}"),
    };
    let line = line.trim().to_owned();
    let of = (args.source.clone(), args.saved.clone());
    if terminal {
        explore::open(line, of, env, out)
    } else {
        explore::tell(line, of, env, out)
    }
}
