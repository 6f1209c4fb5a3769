//! The command line: which subcommand, which exit code.
//!
//! Without a subcommand Vesta opens the explorer. Every subcommand is one file with an `Args` struct and
//! a `run(&Args, &mut Out) -> anyhow::Result<Exit>`, one variant of `Sub` and one arm in [`main`].
//! Text for people goes through [`out::Out`], which makes foreign text safe; errors are one line.

pub mod advplan;
pub mod agents;
pub mod arena;
pub mod bench;
mod cast;
pub mod certificates;
pub mod check;
pub mod compare;
pub mod conform;
pub mod eval;
pub mod explore;
pub mod export;
pub mod formats;
pub mod import;
pub mod inspect;
pub mod kinds;
pub mod label;
pub mod out;
pub mod plan;
pub mod play;
pub mod players;
pub mod profiles;
pub mod prompts;
pub mod report;
pub mod resume;
pub mod rules;
pub mod run;
pub mod runs;
pub mod saved;
pub mod serve;
pub mod show;
pub mod source;
pub mod steer;
pub mod tasks;
pub mod verify;
pub mod watch;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::cli::out::Out;
use crate::config::Env;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Fine,
    /// It worked and found something: a violation, a difference.
    Finding,
    /// A number of its own: a signal ended the session.
    Code(u8),
}

/// A terminal explorer for household tasks in an executable scene graph.
#[derive(Debug, Parser)]
#[command(name = "vesta", version, about, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    sub: Option<Sub>,
    #[command(flatten)]
    explore: explore::Args,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
enum Sub {
    /// The published two-sided benchmark, reproduced to the last digit
    Advplan(advplan::Args),
    /// List who can play, and how models are led
    Agents(kinds::Args),
    /// Plans against an adversary that acts in the house
    Arena(arena::Args),
    /// Measure the simulator on real programs
    Bench(bench::Args),
    /// Prove tasks sound, or say what is wrong with them
    Check(check::Args),
    /// Lay runs side by side: where they part, what follows, what would have saved one
    Compare(compare::Args),
    /// Replay recorded runs of the published code and count where we agree
    Conform(conform::Args),
    /// Let an agent play a whole suite, and score it
    Eval(eval::Args),
    /// Write a run in the format of another tool
    Export(export::Args),
    /// List the formats that are read and written, and what each loses
    Formats(formats::Args),
    /// Take in recordings of other tools as runs, or tasks as files of your own
    Import(import::Args),
    /// Open a saved run at its first bad step
    Inspect(inspect::Args),
    /// Label failed runs one after another; labels in and out as tables; how far reviewers agree
    Label(label::Args),
    /// Search for plans, or prove that there is none
    Plan(plan::Args),
    /// Play a task by a script, or open it
    Play(play::Args),
    /// Show in what the profiles differ
    Profiles(profiles::Args),
    /// What models are told: list, show, check
    Prompts(prompts::Args),
    /// Tell what runs come to, as the paper's tables
    Report(report::Args),
    /// Go on with a run whose runner was stopped or killed
    Resume(resume::Args),
    /// Let an agent play a task, and watch it
    Run(run::Args),
    /// List, narrow, group and count every saved run
    Runs(runs::Args),
    /// The hazard rules in force: list, show, test, check
    Rules(rules::Args),
    /// Let somebody else's agent play, by JSON lines or the Model Context Protocol
    Serve(serve::Args),
    /// Print a saved run
    Show(show::Args),
    /// Step in on a run that somebody plays: veto, pass, pause, message, end
    Steer(steer::Args),
    /// List what there is to play
    Tasks(tasks::Args),
    /// Play saved runs again and compare every state hash
    Verify(verify::Args),
    /// Watch the runs that agents play now, and step in
    Watch(watch::Args),
}

/// Says what is wrong with the user's own rules: what is judged now is judged without them.
fn tell_rules(out: &mut Out) {
    for problem in &crate::store::book::usual().problems {
        out.error(&problem.to_string());
    }
}

/// Prints clap's help, version or complaint, which may quote the arguments; the exit code.
fn usage(err: &clap::Error) -> u8 {
    let text = crate::base::text::print_safe(&err.render().to_string());
    let printed = if err.use_stderr() {
        write!(io::stderr().lock(), "{text}")
    } else {
        write!(io::stdout().lock(), "{text}")
    };
    // A reader that has gone wanted no more help.
    let _ = printed;
    u8::try_from(err.exit_code()).unwrap_or(2)
}

/// Reads the arguments, runs what they ask for; the exit code: 0 fine, 1 finding, 2 error.
pub fn main() -> ExitCode {
    crate::runtime::panics::install_headless();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(err) => {
            return ExitCode::from(usage(&err));
        }
    };
    let env = Env::read();
    crate::store::book::configured(env.config_folder());
    let mut out = Out::new(env.look().symbols);
    let exit = match cli.sub {
        Some(sub) => match sub {
            Sub::Advplan(args) => advplan::run(&args, &mut out),
            Sub::Arena(args) => arena::run(&args, &env, &mut out),
            Sub::Agents(args) => kinds::run(&args, &mut out),
            Sub::Bench(args) => bench::run(&args, &mut out),
            Sub::Check(args) => check::run(&args, &mut out),
            Sub::Compare(args) => compare::run(&args, &env, &mut out),
            Sub::Conform(args) => conform::run(&args, &mut out),
            Sub::Export(args) => export::run(&args, &env, &mut out),
            Sub::Formats(args) => formats::run(&args, &mut out),
            Sub::Import(args) => import::run(&args, &mut out),
            Sub::Inspect(args) => inspect::run(&args, &env, &mut out),
            Sub::Label(args) => label::run(&args, &env, &mut out),
            Sub::Plan(args) => plan::run(&args, &mut out),
            Sub::Play(args) => play::run(&args, &env, &mut out),
            Sub::Prompts(args) => prompts::run(&args, &mut out),
            Sub::Profiles(args) => profiles::run(&args, &mut out),
            Sub::Eval(args) => eval::run(&args, &mut out),
            Sub::Report(args) => report::run(&args, &mut out),
            Sub::Resume(args) => resume::run(&args, &mut out),
            Sub::Run(args) => run::run(&args, &env, &mut out),
            Sub::Runs(args) => runs::run(&args, &env, &mut out),
            Sub::Rules(args) => rules::run(&args, &env, &mut out),
            Sub::Serve(args) => serve::run(&args, &mut out),
            Sub::Show(args) => show::run(&args, &env, &mut out),
            Sub::Steer(args) => steer::run(&args, &mut out),
            Sub::Watch(args) => watch::run(&args, &env, &mut out),
            Sub::Tasks(args) => tasks::run(&args, &mut out),
            Sub::Verify(args) => verify::run(&args, &mut out),
        },
        None => explore::run(&cli.explore, &env, &mut out),
    };
    match exit {
        Ok(Exit::Fine) => ExitCode::SUCCESS,
        Ok(Exit::Finding) => ExitCode::from(1),
        Ok(Exit::Code(code)) => ExitCode::from(code),
        // Whoever read our output has had enough: that is no error of ours.
        Err(err) if out::is_broken_pipe(&err) => ExitCode::SUCCESS,
        Err(err) => {
            out.error(&format!("{err:#}"));
            ExitCode::from(2)
        }
    }
}
