//! Following runs without a screen: this very program is started as the writer, here they are followed, and the time and
//! room that takes are measured.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use rustix::time::{ClockId, clock_gettime};

use crate::agent::card::Card;
use crate::agent::sign::Sign;
use crate::base::diag::Diagnostic;
use crate::store::library::{Library, Loaded};
use crate::store::runs::live::{Follow, Signs};
use crate::store::runs::{self, NewRun, RunWriter};
use crate::task::episode::Episode;

use super::Args;

/// Measures.
///
/// # Errors
/// The runs cannot be written or followed.
pub(super) fn measure(args: &Args) -> Result<Figures> {
    let dir = std::env::temp_dir().join(format!("vesta-follow-{}", std::process::id()));
    std::fs::create_dir_all(&dir).with_context(|| dir.display().to_string())?;
    let mut writer = Command::new(std::env::current_exe()?)
        .args(["bench", "watch", "--task", &args.task])
        .args(["--runs", &args.runs.to_string()])
        .args(["--rate", &args.rate.to_string()])
        .arg("--write")
        .arg(&dir)
        .stdin(Stdio::null())
        .spawn()?;
    let followed = follow(args, &dir);
    writer.kill()?;
    writer.wait()?;
    std::fs::remove_dir_all(&dir).with_context(|| dir.display().to_string())?;
    followed
}

/// What was measured.
pub(super) struct Figures {
    pub(super) seconds: f64,
    pub(super) events: usize,
    /// Per cent of one core.
    pub(super) cpu: f64,
    /// Resident memory, KiB.
    pub(super) half: u64,
    pub(super) end: u64,
    /// Bytes that memory grew by with each event of the second half.
    pub(super) slope: f64,
    /// The longest look at all runs, microseconds.
    pub(super) worst: f64,
}

fn follow(args: &Args, dir: &Path) -> Result<Figures> {
    let mut follows = Vec::new();
    for _ in 0..600 {
        follows = runs::list(dir)?;
        if follows.len() == args.runs {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    anyhow::ensure!(follows.len() == args.runs, "the writer did not begin");
    let mut follows: Vec<Follow> = follows.iter().map(|row| Follow::new(&row.folder)).collect();
    let wait = Duration::from_secs(1) / args.looks.max(1);
    let (begun, busy) = (clock(ClockId::Monotonic), clock(ClockId::ProcessCPUTime));
    let (mut events, mut half, mut worst) = (0, None, 0.0_f64);
    loop {
        let before = clock(ClockId::Monotonic);
        for follow in &mut follows {
            let news = follow.poll();
            if let Some(fault) = news.fault {
                return Err(fault.into());
            }
            events += news.events.len();
        }
        let after = clock(ClockId::Monotonic);
        worst = worst.max((after - before) * 1e6);
        if after - begun >= args.seconds {
            let busy = clock(ClockId::ProcessCPUTime) - busy;
            let seconds = after - begun;
            let end = resident();
            let (half, then) = half.unwrap_or((end, 0));
            let more = events.saturating_sub(then).max(1);
            return Ok(Figures {
                seconds,
                events,
                cpu: busy / seconds * 100.0,
                half,
                end,
                slope: (end.saturating_sub(half) * 1024) as f64 / more as f64,
                worst,
            });
        }
        if after - begun >= args.seconds / 2.0 {
            half.get_or_insert_with(|| (resident(), events));
        }
        thread::sleep(wait);
    }
}

/// Writes runs until it is ended.
pub(super) fn write(args: &Args, dir: &Path) -> Result<()> {
    let library = Library::open(None);
    let first = |all: Vec<Diagnostic>| {
        let none = || Diagnostic::error("", "the task cannot be opened");
        all.into_iter().next().unwrap_or_else(none)
    };
    let Loaded { setup, base, .. } = library.load_whole(&args.task).map_err(first)?;
    let profile = setup.task.profile_for(None).map_err(anyhow::Error::msg)?;
    let setup = Arc::new(setup);
    let card = Card::plain("planner").json();
    let mut hands = Vec::new();
    for _ in 0..args.runs {
        let (mut episode, start) = Episode::start(setup.clone(), profile)?;
        let new = NewRun {
            agent: "planner",
            task: &setup.task,
            base: &base,
            profile,
            forked_from: None,
            player: Some(&card),
        };
        let mut writer = RunWriter::create(dir, new, &[start])?;
        let wait = Duration::from_secs(1) / args.rate.max(1);
        hands.push(thread::spawn(move || {
            let signs = Signs::begin(writer.folder());
            let lines = episode.setup().task.reference.clone();
            for line in lines.iter().cycle() {
                thread::sleep(wait);
                signs.give(&Sign::Text(line.clone()));
                let turn = episode.act_text(line);
                if writer.append(&turn.events).is_err() {
                    return;
                }
            }
        }));
    }
    for hand in hands {
        let _ = hand.join();
    }
    Ok(())
}

/// Seconds of a clock.
fn clock(of: ClockId) -> f64 {
    let t = clock_gettime(of);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

/// Resident memory of this process, KiB; 0 where the system does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    let number = line.and_then(|l| l.split_whitespace().next());
    number.and_then(|n| n.parse().ok()).unwrap_or(0)
}
