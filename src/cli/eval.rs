//! `vesta eval`: an agent plays a whole suite; what it comes to is printed as the paper's tables.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use crate::agent::hold::Hold;
use crate::cli::agents::AgentArgs;
use crate::cli::out::{Out, complain};
use crate::cli::report::suite_of;
use crate::cli::{Exit, players, report};
use crate::runtime::live::suite::{self, Progress, Suite};
use crate::sim::vocab::Profile;
use crate::store::durable;

/// Flags of `vesta eval`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The suite: vh, b50, vh-twins, or a folder or file of tasks
    #[arg(long, value_name = "SUITE", default_value = "vh")]
    suite: String,
    #[command(flatten)]
    agent: AgentArgs,
    #[command(flatten)]
    model: players::ModelArgs,
    /// How many tasks at once
    #[arg(long, value_name = "K", default_value_t = 1)]
    jobs: usize,
    /// Only a part of the suite, the I-th of N: the same tasks on every machine
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(usize, usize)>,
    /// Only these tasks of the suite
    #[arg(long, value_name = "TASK,…", value_delimiter = ',')]
    only: Vec<String>,
    /// Where the runs go; what is there of the same agent is not played again. Else a folder named after suite and agent
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Whose semantics the world follows, eai or strict, in place of each task's usual one
    #[arg(long, value_parser = players::profile)]
    profile: Option<Profile>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text
        .split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts
        .filter(|(i, n): &(usize, usize)| (1..=*n).contains(i))
        .ok_or_else(|| "write for example 2/8: the second of eight parts".to_owned())
}

/// The tasks of a suite that are named.
fn only(tasks: &[String], named: &[String]) -> anyhow::Result<Vec<String>> {
    let is = |task: &str, name: &str| task == name || task.rsplit('/').next() == Some(name);
    for name in named {
        if !tasks.iter().any(|task| is(task, name)) {
            anyhow::bail!("--only {name}: the suite has no such task");
        }
    }
    let mut kept = tasks.to_vec();
    kept.retain(|task| named.iter().any(|name| is(task, name)));
    Ok(kept)
}

/// Plays and reports. [`Exit::Finding`] where a task has no run in the end.
///
/// # Errors
/// The suite or the agent cannot be used.
#[expect(
    clippy::disallowed_methods,
    reason = "progress is told with the time it will take"
)]
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    super::tell_rules(out);
    let card = args.agent.card(Hold::Off)?;
    let (library, mut tasks) = suite_of(&args.suite)?;
    if !args.only.is_empty() {
        tasks = only(&tasks, &args.only)?;
    }
    if let Some((i, n)) = args.shard {
        tasks = tasks.into_iter().skip(i - 1).step_by(n).collect();
    }
    let cast = args.model.cast(&card, None)?;
    // Whether it can play at all is told before anything is begun.
    cast.player(cast.card())?;
    let root = args.out.clone().unwrap_or_else(|| {
        let suite = args.suite.replace(['/', '.'], "_");
        PathBuf::from(format!(
            "eval-{suite}-{}",
            card.name().replace(['/', ':', ' '], "_")
        ))
    });
    // So is whether its runs can be written.
    let probe = root.join("vesta");
    durable::make_room(&probe)?;
    durable::can_save(&probe)?;
    let ids: Vec<String> = tasks
        .iter()
        .map(|t| t.rsplit('/').next().unwrap_or_default().to_owned())
        .collect();
    let (n, done, begun) = (tasks.len(), AtomicUsize::new(0), Instant::now());
    let say = Mutex::new(Out::new(out.symbols()));
    let told = move |task: &str, progress: Progress| {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        let left = begun.elapsed().as_secs_f64() / done as f64 * (n - done) as f64;
        let what = match progress {
            Progress::Known => "has a run".to_owned(),
            Progress::Played(run) => run,
            Progress::Failed(d) => format!("failed: {d}"),
        };
        if let Ok(mut out) = say.lock() {
            out.error(&format!("{done} of {n}, {left:.0} s left: {task}: {what}"));
        }
    };
    let suite = Suite {
        tasks,
        root: root.clone(),
        profile: args.profile,
        jobs: args.jobs,
        trouble: complain,
    };
    let all = suite::play(suite, library, cast, Arc::new(told))?;
    let told = report::told(&[root], &ids)?;
    if args.json {
        out.json(&told.json())?;
    } else {
        report::print(&told, out)?;
    }
    Ok(if all { Exit::Fine } else { Exit::Finding })
}
