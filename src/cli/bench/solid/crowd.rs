//! `vesta bench crowd`: several processes on one folder of runs.
//!
//! In every round two to eight processes open the same run at the same time and play on in it; one of them, at random, is
//! killed. No event may stand between those of another process, everything told is there, the run goes on afterwards, and
//! a lock that a killed process held is free at once.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::power::Scratch;
use super::{Acts, Fault, Faults};
use crate::base::chance::Chance;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::store::disk::Disk;
use crate::store::runs::{self, Access, SavedRun};

/// Flags of `vesta bench crowd`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many runs
    #[arg(long, value_name = "N", default_value_t = 1000)]
    n: u32,
    /// The task to play
    #[arg(long, default_value = "V022")]
    task: String,
    /// Chooses how many processes, and which dies
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plant what must be noticed: the lock is removed while it is held, so that others find none
    #[arg(long)]
    fault: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Steps each process tries to play.
const STEPS: usize = 12;

/// Crowds and counts. [`Exit::Finding`] if records interleave or something told was lost.
///
/// # Errors
/// The harness itself could not work.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let acts = Acts::of(&args.task, 4)?;
    let place = Scratch::new("crowd")?;
    let scripts = [("a", "undo\nredo\n"), ("b", "goto 1\ngoto 3\n")];
    let scripts = scripts.map(|(name, lines)| (place.path(name), lines.repeat(STEPS / 2)));
    for (script, lines) in &scripts {
        std::fs::write(script, lines)?;
    }
    let mut chance = Chance::new(args.seed);
    let mut faults = Faults::default();
    let (mut processes, mut wrote, mut turned_away) = (0_u64, 0_u64, 0_u64);
    for n in 0..args.n {
        let root = place.path("runs");
        let mut writer = acts
            .begin(&Disk::default(), &root)
            .map_err(anyhow::Error::msg)?;
        writer.append(acts.events.get(1..).unwrap_or_default())?;
        let folder = writer.folder().to_owned();
        drop(writer);
        let many = 2 + chance.below(7);
        let victim = chance.below(many);
        let mut children: Vec<Child> = (0..many)
            .zip(scripts.iter().cycle())
            .map(|(_, (script, _))| start(&folder, &root, script))
            .collect::<Result<_>>()?;
        for _ in 0..if args.fault { 40 } else { 0 } {
            // It may not be there yet.
            let _ = std::fs::remove_file(folder.join("lock"));
            std::thread::sleep(Duration::from_millis(1));
        }
        if chance.below(2) == 0
            && let Some(child) = children.get_mut(victim)
        {
            std::thread::sleep(Duration::from_micros(chance.below(30_000) as u64));
            child.kill()?;
        }
        let mut told = 0;
        for child in &mut children {
            processes += 1;
            let saved = told_by(child)?;
            if saved > 0 {
                wrote += 1;
            } else {
                turned_away += 1;
            }
            told += saved;
        }
        if let Err(fault) = judge(&folder, acts.events.len() + told) {
            faults.count(&format!("run {n}, {many} processes"), &fault);
        }
        std::fs::remove_dir_all(&root)?;
    }
    if args.json {
        let mut value = faults.json();
        value["runs"] = json!(args.n);
        value["processes"] = json!(processes);
        value["wrote"] = json!(wrote);
        value["read_only"] = json!(turned_away);
        out.json(&value)?;
    } else {
        out.line(&format!(
            "{} runs, {processes} processes: {wrote} wrote, {turned_away} got it read only or were killed",
            args.n
        ))?;
        for line in faults.lines() {
            out.line(&line)?;
        }
    }
    Ok(if faults.any() {
        Exit::Finding
    } else {
        Exit::Fine
    })
}

fn start(run: &Path, root: &Path, script: &Path) -> Result<Child> {
    let mut play = Command::new(std::env::current_exe()?);
    play.arg("play")
        .arg(run)
        .arg("--json")
        .arg("--script")
        .arg(script);
    play.arg("--runs").arg(root);
    play.stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    play.spawn().context("another process of this program")
}

/// How many events a process told to be written.
fn told_by(child: &mut Child) -> Result<usize> {
    let mut saved = 0;
    if let Some(from) = child.stdout.take() {
        for line in BufReader::new(from).lines() {
            let Ok(row) = serde_json::from_str::<Value>(&line?) else {
                continue;
            };
            saved += usize::from(row["saved"].as_bool() == Some(true) && row["seq"].is_u64());
        }
    }
    child.wait()?;
    Ok(saved)
}

/// Whether the run is whole, has at least so many events, plays again as recorded, and can be gone on with.
fn judge(folder: &Path, at_least: usize) -> Result<(), Fault> {
    let opened = runs::open(folder).map_err(|d| Fault::Unreadable(d.to_string()))?;
    if let Access::ReadOnly(why) = opened.access {
        return Err(Fault::Unreadable(why));
    }
    let run = SavedRun::read(folder).map_err(|d| Fault::Unreadable(d.to_string()))?;
    let found = run.events.items.len();
    if found < at_least {
        let words = format!("{at_least} events were told, {found} are there");
        return Err(Fault::Lost(words));
    }
    let again = run.replay().map_err(|d| Fault::Unreadable(d.to_string()))?;
    match again.drifts.first() {
        Some(drift) => Err(Fault::Wrong(drift.to_string())),
        None => Ok(()),
    }
}
