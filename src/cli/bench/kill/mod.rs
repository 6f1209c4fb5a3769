//! `vesta bench kill`: kills a writing run at random moments and counts what was lost.
//!
//! Each round starts this very program as a scripted play that tells every step once it is on the disk, kills it
//! (SIGKILL) a random time later, and reads the run back: every told step must be there with its hash, the run must be
//! readable, and playing it again must give the recorded states. Three rounds of four go on with the run of the round
//! before, so that reopening is tried as often as beginning. `--fault` plants the fault that this must catch: steps
//! told before they are written.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use crate::base::diag::Diagnostic;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::store::library::Library;
use crate::store::runs::{self, SavedRun};

mod agents;
mod endpoint;

/// Flags of `vesta bench kill`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How often to kill
    #[arg(long, value_name = "N", default_value_t = 1000)]
    n: u32,
    /// The task to play
    #[arg(long, default_value = "V022")]
    task: String,
    /// Chooses the moments
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plant what must be noticed: steps told before they are written; with --agents, runs that are cut short
    #[arg(long)]
    fault: bool,
    /// Kill agents at play instead, and go on with their runs
    #[arg(long)]
    agents: bool,
    /// Where to write the runs; a temporary folder else, removed when nothing was lost
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// What was counted.
#[derive(Debug, Default)]
struct Counts {
    kills: u32,
    told: u64,
    lost: u64,
    unreadable: u32,
    torn: u32,
    unborn: u32,
    /// Milliseconds to read a run and play it again, sorted at the end.
    reopen: Vec<f64>,
    faults: Vec<String>,
}

/// How many steps a script has; more than a round can play before it is killed.
const SCRIPT: usize = 20_000;

/// How many faults are told in full.
const TOLD: usize = 5;

/// Kills and counts. [`Exit::Finding`] if a told step was lost or a run became unreadable.
///
/// # Errors
/// The harness itself could not work.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let dir = args.dir.clone().unwrap_or_else(|| {
        let name = format!("vesta-kill-{}", std::process::id());
        std::env::temp_dir().join(name)
    });
    std::fs::create_dir_all(&dir).with_context(|| dir.display().to_string())?;
    if args.agents {
        let exit = agents::run(args, &dir, out)?;
        return leave(args, &dir, exit, out);
    }
    let script = dir.join("script.txt");
    std::fs::write(&script, lines(&args.task)?).with_context(|| script.display().to_string())?;
    let mut counts = Counts::default();
    let mut random = Random(args.seed);
    let mut root = PathBuf::new();
    for n in 0..args.n {
        // A run that was never begun cannot be gone on with.
        let fresh = n % 4 == 0 || folder(&root)?.is_none();
        if fresh {
            root = dir.join(format!("round-{n}"));
        }
        round(args, &script, &root, &mut random, &mut counts)?;
        if counts.faults.len() > TOLD {
            break;
        }
    }
    counts.reopen.sort_by(f64::total_cmp);
    let fine = counts.lost == 0 && counts.unreadable == 0;
    tell(args, &counts, out)?;
    let exit = if fine { Exit::Fine } else { Exit::Finding };
    leave(args, &dir, exit, out)
}

/// Removes a temporary folder unless something is to be found there.
fn leave(args: &Args, dir: &Path, exit: Exit, out: &mut Out) -> Result<Exit> {
    if exit == Exit::Fine && args.dir.is_none() {
        std::fs::remove_dir_all(dir).with_context(|| dir.display().to_string())?;
    } else if exit != Exit::Fine {
        out.error(&format!("the runs are kept in {}", dir.display()));
    }
    Ok(exit)
}

/// The task's reference plan over and over, with moves back and forks between.
fn lines(task: &str) -> Result<String> {
    let setup = Library::open(None).load(task).map_err(|all| {
        all.into_iter()
            .next()
            .unwrap_or_else(|| Diagnostic::error("", "?"))
    })?;
    let plan: Vec<&str> = setup.task.reference.iter().map(String::as_str).collect();
    let mut text = String::new();
    for i in 0.. {
        for &line in &plan {
            text += line;
            text += "\nundo\nlookat nothing\nredo\n";
        }
        let _ = writeln!(text, "goto {}", i % 7);
        if text.len() > SCRIPT * 12 {
            break;
        }
    }
    Ok(text)
}

fn round(
    args: &Args,
    script: &Path,
    root: &Path,
    random: &mut Random,
    counts: &mut Counts,
) -> Result<()> {
    let subject = folder(root)?.map_or_else(|| args.task.clone(), |f| f.display().to_string());
    let mut play = Command::new(std::env::current_exe()?);
    play.args(["play", &subject, "--json", "--script"])
        .arg(script);
    play.arg("--runs").arg(root);
    if args.fault {
        play.args(["--debug-fault", "ack-early"]);
    }
    play.stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = play.spawn()?;
    let told = watch(&mut child, random)?;
    counts.kills += 1;
    counts.told += told.len() as u64;
    judge(root, &told, counts)
}

/// Reads what the child tells, kills it at a random moment, and yields what it told: numbers and hashes.
fn watch(child: &mut Child, random: &mut Random) -> Result<Vec<(u32, String)>> {
    let mut told = Vec::new();
    let mut from = child.stdout.take().map(BufReader::new);
    let mut next = |told: &mut Vec<(u32, String)>| match from.as_mut() {
        Some(from) => read(from, told),
        None => Ok(false),
    };
    // One round of five strikes anywhere from the start of the process on, the others while it writes.
    if random.below(5) == 0 {
        thread::sleep(Duration::from_micros(random.below(60_000)));
    } else {
        let steps = random.below(40) as usize;
        while told.len() < steps && next(&mut told)? {}
        thread::sleep(Duration::from_micros(random.below(3_000)));
    }
    child.kill()?;
    while next(&mut told)? {}
    child.wait()?;
    Ok(told)
}

/// One line of the child; false at its end. An unfinished line was not told.
fn read(from: &mut BufReader<ChildStdout>, told: &mut Vec<(u32, String)>) -> Result<bool> {
    let mut line = String::new();
    if from.read_line(&mut line)? == 0 || !line.ends_with('\n') {
        return Ok(false);
    }
    let row: Value = serde_json::from_str(&line).context("the child's answer")?;
    if let (Some(seq), Some(true), Some(hash)) = (
        row["seq"].as_u64().and_then(|s| u32::try_from(s).ok()),
        row["saved"].as_bool(),
        row["hash"].as_str(),
    ) {
        told.push((seq, hash.to_owned()));
    }
    Ok(true)
}

/// Reads the run back and compares.
fn judge(root: &Path, told: &[(u32, String)], counts: &mut Counts) -> Result<()> {
    let Some(folder) = folder(root)? else {
        counts.unborn += 1;
        if !told.is_empty() {
            counts.lost += told.len() as u64;
            counts
                .faults
                .push(format!("{}: no run at all", root.display()));
        }
        return Ok(());
    };
    let before = now();
    let read = SavedRun::read(&folder).and_then(|run| {
        let again = run.replay()?;
        Ok((run, again))
    });
    counts.reopen.push((now() - before) * 1e3);
    let (run, again) = match read {
        Ok(read) => read,
        Err(d) => {
            counts.unreadable += 1;
            counts.faults.push(d.to_string());
            return Ok(());
        }
    };
    let events = &run.events.items;
    let lost = told.iter().filter(|(seq, hash)| {
        let found = events.get(*seq as usize).map(|e| e.hash.to_string());
        found.as_ref() != Some(hash)
    });
    let lost = lost.count() as u64;
    if lost > 0 {
        let last = told.last().map_or(0, |t| t.0);
        counts.faults.push(format!(
            "{}: {lost} told steps lost: told up to event {last}, {} are there",
            folder.display(),
            events.len()
        ));
    }
    counts.lost += lost;
    counts.torn += u32::from(run.events.torn);
    let damaged = run.findings().find(|_| !run.events.torn);
    let drift = again.drifts.first().map(ToString::to_string);
    if let Some(why) = damaged.map(ToString::to_string).or(drift) {
        counts.unreadable += 1;
        counts.faults.push(why);
    }
    Ok(())
}

/// The one run in a folder, if it was begun.
fn folder(root: &Path) -> Result<Option<PathBuf>> {
    Ok(runs::list(root)?.into_iter().next().map(|row| row.folder))
}

fn tell(args: &Args, counts: &Counts, out: &mut Out) -> Result<()> {
    let at = |part: usize| {
        let last = counts.reopen.len().saturating_sub(1);
        counts.reopen.get(last * part / 100).copied().unwrap_or(0.0)
    };
    if args.json {
        out.json(&json!({
            "kills": counts.kills, "told": counts.told, "lost": counts.lost,
            "unreadable": counts.unreadable, "torn": counts.torn, "before_start": counts.unborn,
            "reopen_ms_p50": at(50), "reopen_ms_max": at(100), "faults": counts.faults,
        }))?;
        return Ok(());
    }
    out.line(&format!(
        "{} kills, {} steps told: {} lost, {} runs unreadable",
        counts.kills, counts.told, counts.lost, counts.unreadable
    ))?;
    out.line(&format!(
        "{} torn ends cut, {} killed before the run began; read and played again in {:.1} ms (median), {:.1} ms (longest)",
        counts.torn, counts.unborn, at(50), at(100)
    ))?;
    for fault in &counts.faults {
        out.line(&format!("✗ {fault}"))?;
    }
    Ok(())
}

/// Seconds of a steady clock.
fn now() -> f64 {
    let t = clock_gettime(ClockId::Monotonic);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

/// A small generator: the moments need no better one.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % n
    }
}
