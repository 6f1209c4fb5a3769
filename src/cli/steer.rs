//! `vesta steer`: steps in on a run that somebody plays, from a script.

use crate::agent::session::Control;
use crate::cli::out::Out;
use crate::cli::{Exit, saved};
use crate::store::runs;
use crate::store::runs::live::steer;

/// Flags of `vesta steer`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The end of a run's id, or the path of its folder
    run: String,
    /// What to do: `veto`, `pass`, `pass_on_branch`, `pause`, `resume`, `step`, `message`, `take_over`, `act`,
    /// `hand_back`, `hold` or `end`
    what: String,
    /// What goes with it: a reason, a message, an act, a hold policy
    text: Vec<String>,
    #[command(flatten)]
    saved: saved::Place,
}

/// Sends it; the run records what came of it.
///
/// # Errors
/// There is no such run, nobody plays it, or this is no way to step in.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    let control = Control::parse(&args.what, &args.text.join(" ")).map_err(anyhow::Error::msg)?;
    let folder = runs::find(&args.saved.root()?, &args.run)?;
    steer(&folder, &control)?;
    out.line(&format!("sent: {}", control.id()))?;
    Ok(Exit::Fine)
}
