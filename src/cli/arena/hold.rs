//! `vesta arena hold`: a committee proposes, RED answers, the critic speaks, plans are revised, one is chosen and meets a
//! RED that was kept back.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};

use super::plans;
use super::seats::{self, Attempt};
use crate::agent::strategy::Settings as Prompting;
use crate::arena::house::agents::{Agents, Seat};
use crate::arena::house::blue;
use crate::arena::house::committee::score::Weights;
use crate::arena::house::committee::{Committee, Proposal};
use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Candidate, Origin, Payoffs};
use crate::arena::house::record::{Record, Settings};
use crate::arena::house::red::Level;
use crate::base::diag::Diagnostic;
use crate::base::text;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, players, saved};
use crate::plan::branching::read;
use crate::runtime::live::panel::Panel;
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
    /// One more candidate: a plan file with branches, for a single task; several make several candidates
    #[arg(long, value_name = "FILE")]
    plan: Vec<PathBuf>,
    /// One more candidate for its task: what a saved run attempted
    #[arg(long, value_name = "RUN")]
    run: Vec<String>,
    #[command(flatten, next_help_heading = "Agents")]
    agents: seats::Agents,
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
    /// Not four weights, or not three payoffs, or some that no arena can be held with.
    pub(super) fn settings(&self) -> Result<Settings> {
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
            [alpha, beta, gamma, rho] => {
                settings.weights = Weights {
                    alpha,
                    beta,
                    gamma,
                    rho,
                };
            }
            _ => anyhow::bail!("--weights takes four numbers: alpha, beta, gamma, rho"),
        }
        match self.payoffs[..] {
            [good, safe, not_safe] => {
                settings.payoffs = Payoffs {
                    good,
                    safe,
                    not_safe,
                };
            }
            _ => {
                anyhow::bail!("--payoffs takes three numbers: safe success, safety alone, neither")
            }
        }
        match settings.wrong() {
            Some((name, what)) => anyhow::bail!("--{}: {what}; write others", flag(name)),
            None => Ok(settings),
        }
    }
}

/// The flag a setting is given by, with its own name: `weights, alpha`.
fn flag(name: &str) -> String {
    name.replacen('.', ", ", 1)
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
    let mut attempts = Vec::new();
    for name in &args.run {
        let it = Attempt::read(&args.saved.root()?, name)?;
        let (suite, id) = &it.task;
        if !rows.iter().any(|r| r.id == *id && r.suite == *suite) {
            anyhow::bail!("--run {name}: it is of the task {suite}/{id}, which is not named");
        }
        attempts.push(it);
    }
    let panel = args.agents.panel()?;
    let asking = match &panel {
        Some(panel) => Some((panel, args.agents.prompting(panel)?)),
        None => None,
    };
    let sides = Sides { attempts, asking };
    let root = args.save.then(|| args.saved.root()).transpose()?;
    // Kept as soon as it is held: what was computed is not lost when somebody stops the rest.
    let records = spread::each(args.threads.get(), &rows, |row| {
        let held = one(&library, row, args, (&settings, &sides))?;
        let place = root.as_ref().map(|root| arenas::save(root, &held.record));
        let place = place.transpose().map_err(|d| d.to_string())?;
        Ok::<_, String>((held, place))
    });
    let mut exit = Exit::Fine;
    let mut objects = Vec::new();
    for (row, held) in rows.iter().zip(records) {
        let (Held { record, left_out }, place) = match held {
            Ok(held) => held,
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
        if !left_out.is_empty() {
            exit = Exit::Finding;
        }
        if args.json {
            let mut object = super::show::object(&record);
            object["saved"] = place.map_or(Value::Null, |p| p.id.into());
            object["left_out"] = left_out.into();
            objects.push(object);
            continue;
        }
        out.line(&format!("{} {}", row.id, text::fit(&row.instruction, 100)))?;
        for why in left_out {
            out.line(&format!("  ✗ {why}"))?;
        }
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

/// What takes part beside the offline sides.
struct Sides<'p> {
    attempts: Vec<Attempt>,
    asking: Option<(&'p Panel, Prompting)>,
}

/// An arena that was held.
struct Held {
    record: Record,
    /// What was to take part and could not, a sentence each.
    left_out: Vec<String>,
}

/// Holds the arena of one task.
fn one(
    library: &Library,
    row: &TaskRow,
    args: &Args,
    (settings, sides): (&Settings, &Sides<'_>),
) -> Result<Held, String> {
    let (mut ground, base) = super::whole(library, row, args.profile)?;
    let mut proposals = blue::proposals(&ground, settings.proposals as usize);
    let mut left_out = Vec::new();
    for path in &args.plan {
        let (candidate, words) = from_file(&ground, path, proposals.len() + 1)?;
        let same = |(c, _): &&Proposal| c.plan == candidate.plan;
        match proposals.iter().find(same) {
            Some((twin, _)) => left_out.push(format!(
                "left out: {}: {} has this very plan",
                path.display(),
                twin.name
            )),
            None => proposals.push((candidate, words)),
        }
    }
    let own = |it: &&Attempt| it.task.0 == row.suite && it.task.1 == row.id;
    for it in sides.attempts.iter().filter(own) {
        match it.candidate(&ground, format!("B{}", proposals.len() + 1)) {
            Ok(candidate) => {
                let words = candidate.origin.to_string();
                proposals.push((candidate, words));
            }
            Err(why) => left_out.push(format!("left out: {why}")),
        }
    }
    let Some((panel, prompting)) = &sides.asking else {
        let record = hold(&mut ground, some(proposals)?, args.settings.red, settings);
        return Ok(Held { record, left_out });
    };
    let mut table = panel.table(&row.id);
    let mut agents = Agents::new(&mut table, panel.prompts(), &base, panel.seated());
    let mut unheard = Vec::new();
    if agents.who(Seat::Blue).is_some() {
        let name = format!("B{}", proposals.len() + 1);
        match blue::from_agent(&ground, &mut agents, prompting, name) {
            Ok(proposal) => proposals.push(proposal),
            Err(it) => {
                left_out.push(format!("BLUE is left out: {}", it.why));
                unheard.push(it);
            }
        }
    }
    let record = Committee::new(&mut ground, settings, args.settings.red)
        .with(&mut agents)
        .noting(unheard)
        .hold(some(proposals)?, &mut |_| true);
    if let Some(why) = agents.failed {
        return Err(format!("the arena was not held to its end: {why}"));
    }
    if agents.silent {
        let all = record.unheard.iter().filter(|it| it.by == Seat::Critic);
        left_out.extend(all.map(|it| format!("not heard on {}: {}", it.candidate, it.why)));
    }
    Ok(Held { record, left_out })
}

/// The proposals, where there are any.
fn some(proposals: Vec<Proposal>) -> Result<Vec<Proposal>, String> {
    if proposals.is_empty() {
        return Err("there is no plan to play: the task brings none and none was found".to_owned());
    }
    Ok(proposals)
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

fn from_file(ground: &Ground, path: &Path, number: usize) -> Result<Proposal, String> {
    let shown = path.display().to_string();
    let bytes = files::read(path).map_err(|d| d.to_string())?;
    if let Some((line, what)) = plans::other(&bytes) {
        let what = format!("this is {what}, not a plan");
        let fault = Diagnostic::error("", what).help(plans::HELP);
        let fault = if line > 0 {
            fault.at(line, None)
        } else {
            fault
        };
        return Err(fault.in_file(&shown).to_string());
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| format!("{shown}: not UTF-8 text; save it as UTF-8"))?;
    let setup = ground.setup();
    let plan = read(&setup.scene, &setup.book, &text).map_err(|d| d.in_file(&shown).to_string())?;
    if plan.is_empty() {
        let fault = Diagnostic::error("", "there is no step in this plan").help(plans::HELP);
        return Err(fault.in_file(&shown).to_string());
    }
    let candidate = Candidate {
        name: format!("B{number}"),
        origin: Origin::File(files::stem(path)),
        plan,
    };
    let words = candidate.origin.to_string();
    Ok((candidate, words))
}
