//! `vesta resume`: goes on with a run whose runner was stopped or killed, from its last recorded event.

use std::time::Duration;

use crate::cli::out::Out;
use crate::cli::run::{Tell, play};
use crate::cli::{Exit, players, saved};
use crate::runtime::live::one;
use crate::store::runs::{self, SavedRun};

/// Flags of `vesta resume`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The end of a run's id, or the path of its folder
    run: String,
    #[command(flatten)]
    model: players::ModelArgs,
    #[command(flatten)]
    saved: saved::Place,
    /// Milliseconds between two acts, for those who watch
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pace: u64,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Goes on. [`Exit::Finding`] where the task was not solved safely.
///
/// # Errors
/// The run cannot be gone on with.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    let root = args.saved.root()?;
    let folder = runs::find(&root, &args.run)?;
    let run = SavedRun::read(&folder)?;
    let card = players::card_of(&run)?;
    let cast = args.model.cast(&card, args.saved.named())?;
    cast.skip(players::calls(&run));
    let (mut ready, _) = one::go_on(&folder, |card| cast.player(card))?;
    let tell = Tell {
        json: args.json,
        quiet: false,
        pace: Duration::from_millis(args.pace),
        detached: false,
    };
    play(&mut ready, &cast, tell, out)
}
