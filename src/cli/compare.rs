//! `vesta compare`: two to six runs side by side, as text (`--plain`), as JSON, or in the explorer.

use std::io::{self, IsTerminal as _};

use crate::app::compare::{self, MOST, ToSave, Wanted, saved, told};
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, explore, saved as place};
use crate::compare::repair::{Effort, Found, repair};
use crate::config::Env;
use crate::runtime::jobs::{Sources, compared};

/// Flags of `vesta compare`.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The ends of runs' ids or paths of their folders, perhaps with /BRANCH; reference and naive are the task's plans,
    /// played now
    #[arg(required = true, value_name = "RUN")]
    run: Vec<String>,
    /// Add the reference plan of the first run's task
    #[arg(long)]
    reference: bool,
    /// The branch of each run in turn; - for the one the run stands on
    #[arg(long, value_name = "NAME")]
    branch: Vec<String>,
    /// Look for the smallest change that would have saved the first run
    #[arg(long)]
    repair: bool,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    saved: place::Place,
    /// Print as text; so does a command whose output is no terminal
    #[arg(long)]
    plain: bool,
    /// Print as one JSON object
    #[arg(long, conflicts_with = "plain")]
    json: bool,
    /// Open them in the explorer
    #[arg(long, conflicts_with_all = ["plain", "json", "repair"])]
    open: bool,
}

/// Compares. [`Exit::Finding`] if they differ.
///
/// # Errors
/// A run cannot be found or read, or there are too few or too many.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    let wanted = wanted(args).map_err(anyhow::Error::msg)?;
    let somebody = io::stdin().is_terminal() && io::stdout().is_terminal();
    if args.open || somebody && !(args.plain || args.json || args.repair) {
        let words: Vec<String> = wanted.iter().map(|w| compare::quoted(&w.word())).collect();
        let line = format!("compare {}", words.join(" "));
        return explore::open(line, (args.source.clone(), args.saved.clone()), env, out);
    }
    let sources = Sources::new(
        args.source.places(),
        args.source.from.clone(),
        args.saved.named(),
    );
    let mut all = compared(wanted, &sources).map_err(anyhow::Error::msg)?;
    if args.repair
        && let Some(side) = all.sides.first()
    {
        let found = look(&ToSave {
            lane: 0,
            run: side.loaded.run.clone(),
            actions: side.done().into_iter().map(|(_, action)| action).collect(),
        })?;
        let told = saved::Told::new(side, &found);
        all.saved.insert(0, told);
    }
    if args.json {
        out.json(&told::value(&mut all, (0, 1)))?;
    } else {
        for line in told::lines(&mut all, (0, 1)) {
            out.line(&line)?;
        }
    }
    let differ = (1..all.sides.len()).any(|lane| all.parting((0, lane)).first.is_some());
    Ok(if differ { Exit::Finding } else { Exit::Fine })
}

fn look(wanted: &ToSave) -> anyhow::Result<Found> {
    let again = wanted.run.again.as_ref();
    let again = again.map_err(|why| anyhow::anyhow!("--repair: {why}"))?;
    let setup = again.episode.setup();
    let profile = again.episode.timeline().world().profile();
    repair(setup, profile, &wanted.actions, Effort::default())
        .map_err(|d| anyhow::Error::msg(d.to_string()))
}

/// The lanes that are asked for.
fn wanted(args: &Args) -> Result<Vec<Wanted>, String> {
    let mut all: Vec<Wanted> = args.run.iter().map(|word| Wanted::parse(word)).collect();
    if args.branch.len() > all.len() {
        return Err(format!(
            "--branch: {} branches are named and {} runs; name one a run",
            args.branch.len(),
            all.len()
        ));
    }
    for (wanted, branch) in all.iter_mut().zip(&args.branch) {
        match wanted {
            _ if branch == "-" => {}
            Wanted::Run(run) => *wanted = Wanted::Branch(run.clone(), branch.clone()),
            other => {
                let word = other.word();
                return Err(format!(
                    "--branch {branch}: {word} is a plan and has no branches"
                ));
            }
        }
    }
    if args.reference {
        all.push(Wanted::Reference);
    }
    match all.len() {
        0 | 1 => Err("name two runs or more, or one and --reference".to_owned()),
        n if n > MOST => Err(format!(
            "{n} runs are named; at most {MOST} fit side by side"
        )),
        _ => Ok(all),
    }
}
