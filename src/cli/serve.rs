//! `vesta serve`: somebody else's agent plays through standard input and output.

use anyhow::Context as _;

use crate::agent::card::Card;
use crate::agent::hold::Hold;
use crate::cli::agents::some;
use crate::cli::out::{Out, complain};
use crate::cli::source::Source;
use crate::cli::{Exit, saved, tasks};
use crate::runtime::live::serve::Server;
use crate::runtime::live::speak;

/// Flags of `vesta serve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Speak the Model Context Protocol, instead of JSON lines: {"id":1,"call":"start","task":"V022"}
    #[arg(long)]
    mcp: bool,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    saved: saved::Place,
    /// Deeds in a run
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = some)]
    steps: u32,
    /// What is observed: full, room or near; then text, facts or json; diffs for no more than what is new
    #[arg(long, value_name = "WORDS", default_value = "full text diffs")]
    observe: String,
    /// Hold acts that would break a rule, as run does
    #[arg(long, value_name = "POLICY", default_value = "off", value_parser = Hold::parse)]
    hold: Hold,
    /// Who plays, as the run records it
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

/// Serves until standard input ends.
///
/// # Errors
/// The tasks cannot be listed, or standard input or output fails.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    super::tell_rules(out);
    let library = tasks::open(&args.source, out)?;
    let card = Card {
        model: args.agent.clone(),
        steps: args.steps,
        observe: args.observe.clone(),
        hold: args.hold.to_string(),
        ..Card::plain("client")
    };
    let mut server = Server::new(library, args.saved.root()?, &card, complain)?;
    speak::run(&mut server, args.mcp).context("standard input or output")?;
    Ok(Exit::Fine)
}
