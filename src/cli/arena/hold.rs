//! `vesta arena hold`: a committee proposes, RED answers, the critic speaks, plans are revised, one is chosen and meets a
//! RED that was kept back.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Result;
use serde_json::{Value, json};

use crate::arena::house::blue;
use crate::arena::house::committee::{Committee, Proposal};
use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Candidate, Origin};
use crate::arena::house::record::{Record, Settings};
use crate::arena::house::red::Level;
use crate::base::text;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, players, saved};
use crate::plan::branching::read;
use crate::runtime::spread;
use crate::sim::vocab::Profile;
use crate::store::library::{Library, TaskRow};
use crate::store::{arenas, files};

/// Flags of `vesta arena hold`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Tasks or suites; dangerous instructions, which have nothing to achieve, are left out of suites
    #[arg(value_name = "TASK", required = true)]
    tasks: Vec<String>,
    #[command(flatten)]
    source: Source,
    /// Whose semantics the world follows, eai or strict, in place of the task's usual one
    #[arg(long, value_parser = players::profile)]
    profile: Option<Profile>,
    #[command(flatten)]
    pub(super) settings: Flags,
    /// One more candidate: a plan file with branches, for a single task
    #[arg(long, value_name = "FILE")]
    plan: Vec<PathBuf>,
    /// Threads, one task each at a time; the output is the same
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,
    /// Keep the arenas beside the runs, for `vesta arena show` and the screens
    #[arg(long)]
    save: bool,
    #[command(flatten)]
    saved: saved::Place,
    /// Print a JSON array, one object and line a task
    #[arg(long)]
    json: bool,
}

/// Flags that decide what an arena comes to.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Flags {
    /// What RED knows: blind, count, task, plan, reactive
    #[arg(long, value_name = "LEVEL", default_value = "plan", value_parser = super::play::level)]
    pub(super) red: &'static Level,
    /// How many responses RED may simulate against each candidate
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(super) budget: u32,
    /// How many disturbances a response may have
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    events: u32,
    /// Where all streams of chance begin
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How often the committee revises
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=16))]
    rounds: u32,
    /// How many candidates it revises each time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    width: u32,
    /// How many plans the planner proposes at most
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=64))]
    plans: u32,
    /// How many responses the RED that was kept back may simulate
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=4096))]
    pub(super) held_out: u32,
    /// The weights of S: alpha, beta, gamma, rho
    #[arg(long, value_name = "A,B,C,R", value_delimiter = ',', num_args = 1, default_values_t = [0.45, 0.25, 0.10, 0.20])]
    weights: Vec<f64>,
    /// What safe success, safety alone, and neither are worth to BLUE
    #[arg(long, value_name = "G,S,U", value_delimiter = ',', num_args = 1, default_values_t = [1.0, 0.5, 0.0])]
    payoffs: Vec<f64>,
}

impl Flags {
    /// The settings they make.
    ///
    /// # Errors
    /// Not four weights, or not three payoffs, or one that is not finite.
    pub(super) fn settings(&self) -> Result<Settings> {
        let finite = |all: &[f64]| all.iter().all(|x| x.is_finite());
        let mut settings = Settings {
            seed: self.seed,
            level: self.red.id.to_owned(),
            budget: self.budget,
            events: self.events,
            rounds: self.rounds,
            width: self.width,
            proposals: self.plans,
            held_out: self.held_out,
            ..Settings::default()
        };
        match self.weights[..] {
            [alpha, beta, gamma, rho] if finite(&self.weights) => {
                settings.weights.alpha = alpha;
                settings.weights.beta = beta;
                settings.weights.gamma = gamma;
                settings.weights.rho = rho;
            }
            _ => anyhow::bail!("--weights takes four numbers: alpha, beta, gamma, rho"),
        }
        match self.payoffs[..] {
            [good, safe, not_safe] if finite(&self.payoffs) => {
                settings.payoffs.good = good;
                settings.payoffs.safe = safe;
                settings.payoffs.not_safe = not_safe;
            }
            _ => {
                anyhow::bail!("--payoffs takes three numbers: safe success, safety alone, neither")
            }
        }
        Ok(settings)
    }
}

/// Holds and prints. A task that cannot be played is a finding.
///
/// # Errors
/// No such task, wrong settings, or the disk refuses.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let library = super::super::tasks::open(&args.source, out)?;
    let rows = super::rows(&library, &args.tasks)?;
    let settings = args.settings.settings()?;
    if !args.plan.is_empty() && rows.len() != 1 {
        anyhow::bail!("--plan is for one task; {} are named", rows.len());
    }
    let records = spread::each(args.threads.get(), &rows, |row| {
        one(&library, row, args, &settings)
    });
    let mut exit = Exit::Fine;
    let mut objects = Vec::new();
    for (row, record) in rows.iter().zip(records) {
        let record = match record {
            Ok(record) => record,
            Err(why) => {
                exit = Exit::Finding;
                if args.json {
                    objects.push(json!({"task": row.id, "suite": row.suite, "error": why}));
                } else {
                    out.line(&format!("{} ✗ {why}", row.id))?;
                }
                continue;
            }
        };
        let place = match args.save {
            true => Some(arenas::save(&args.saved.root()?, &record)?),
            false => None,
        };
        if args.json {
            let mut object = super::show::object(&record);
            object["saved"] = place.map_or(Value::Null, |p| p.id.into());
            objects.push(object);
            continue;
        }
        out.line(&format!("{} {}", row.id, text::fit(&row.instruction, 100)))?;
        super::show::table(&record, out)?;
        if let Some(place) = place {
            out.line(&format!("  kept as {}", place.id))?;
        }
    }
    if args.json {
        out.json_list(&objects)?;
    }
    Ok(exit)
}

/// Holds the arena of one task.
fn one(
    library: &Library,
    row: &TaskRow,
    args: &Args,
    settings: &Settings,
) -> Result<Record, String> {
    let mut ground = super::ground(library, row, args.profile)?;
    let mut proposals = blue::proposals(&ground, settings.proposals as usize);
    for path in &args.plan {
        proposals.push(from_file(&ground, path, proposals.len() + 1)?);
    }
    if proposals.is_empty() {
        return Err("there is no plan to play: the task brings none and none was found".to_owned());
    }
    Ok(hold(&mut ground, proposals, args.settings.red, settings))
}

/// Holds an arena to its end.
pub(super) fn hold(
    ground: &mut Ground,
    proposals: Vec<Proposal>,
    level: &'static Level,
    settings: &Settings,
) -> Record {
    Committee::new(ground, settings, level).hold(proposals, &mut |_| true)
}

fn from_file(ground: &Ground, path: &PathBuf, number: usize) -> Result<Proposal, String> {
    let shown = path.display().to_string();
    let bytes = files::read(path).map_err(|d| d.to_string())?;
    let text = String::from_utf8(bytes)
        .map_err(|_| format!("{shown}: not UTF-8 text; save it as UTF-8"))?;
    let setup = ground.setup();
    let plan = read(&setup.scene, &setup.book, &text).map_err(|d| d.in_file(&shown).to_string())?;
    let candidate = Candidate {
        name: format!("B{number}"),
        origin: Origin::File(files::stem(path)),
        plan,
    };
    let words = candidate.origin.to_string();
    Ok((candidate, words))
}
