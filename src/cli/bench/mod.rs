//! `vesta bench KIND`: measures what this program promises, on what it ships. Figures, never assertions.
//!
//! A kind is one file here, one variant of `Kind` and one arm in [`run`].

use anyhow::Result;

use crate::cli::Exit;
use crate::cli::out::Out;

pub mod formats;
pub mod inspect;
pub mod kill;
pub mod library;
mod pty;
pub mod safety;
pub mod sim;
pub mod solid;
pub mod ui;
pub mod watch;

/// Flags of `vesta bench`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    kind: Kind,
}

/// What to measure.
#[derive(Debug, clap::Subcommand)]
enum Kind {
    /// Reading long conversations in every format, against a plain skip of the same bytes
    Formats(formats::Args),
    /// Told steps lost when a writing run is killed at random moments
    Kill(kill::Args),
    /// A step with all hazard rules, and looking ahead at every possible action, in the house of 1,000 nodes
    Safety(safety::Args),
    /// Applied steps and undo on real programs, on scenes of growing size
    Sim(sim::Args),
    /// First frame, key to last byte and idling, in a pseudo terminal of 200x60
    Ui(ui::Args),
    /// A run of a gigabyte looked through in a pseudo terminal, beside less
    Inspect(inspect::Args),
    /// A library of thousands of runs: index, first answer, a key of a query, memory
    Library(library::Args),
    /// What is left of a run when the power goes at any moment
    Power(solid::power::Args),
    /// What becomes of a run when the n-th call to the disk fails
    Faults(solid::faults::Args),
    /// A run on a disk that is too small
    Full(solid::full::Args),
    /// Several processes on one folder of runs
    Crowd(solid::crowd::Args),
    /// Following runs that others are writing
    Watch(watch::Args),
}

/// Measures and prints.
///
/// # Errors
/// What is to be measured cannot be read or run.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    match &args.kind {
        Kind::Formats(args) => formats::run(args, out),
        Kind::Kill(args) => kill::run(args, out),
        Kind::Safety(args) => safety::run(args, out),
        Kind::Sim(args) => sim::run(args, out),
        Kind::Ui(args) => ui::run(args, out),
        Kind::Inspect(args) => inspect::run(args, out),
        Kind::Library(args) => library::run(args, out),
        Kind::Power(args) => solid::power::run(args, out),
        Kind::Faults(args) => solid::faults::run(args, out),
        Kind::Full(args) => solid::full::run(args, out),
        Kind::Crowd(args) => solid::crowd::run(args, out),
        Kind::Watch(args) => watch::run(args, out),
    }
}
