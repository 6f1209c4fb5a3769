//! `vesta resume`: goes on with a run whose runner was stopped or killed, from its last recorded event.

use std::time::Duration;

use anyhow::bail;

use crate::cli::out::{Out, complain};
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
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = players::pace)]
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
    super::tell_rules(out);
    let root = args.saved.root()?;
    let folder = runs::find(&root, &args.run)?;
    let run = SavedRun::read(&folder)?;
    let card = players::card_of(&run)?;
    if card.agent == "client" {
        bail!(
            "{}: somebody else's agent played this run through vesta serve and has gone; it cannot be gone on with, only \
             inspected",
            args.run
        );
    }
    let cast = args.model.cast(&card, args.saved.named())?;
    let (mut ready, answered) = one::go_on(&folder, |card| cast.player(card))?;
    cast.skip(&answered);
    ready.desk = ready.desk.complaining(complain);
    let tell = Tell {
        json: args.json,
        quiet: false,
        pace: Duration::from_millis(args.pace),
        detached: false,
    };
    play(&mut ready, &cast, tell, out)
}
