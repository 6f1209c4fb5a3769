//! `vesta bench inspect`: a run of a gigabyte looked through in a pseudo terminal, beside `less` on the same file.
//!
//! The run is a real one: somebody walks about the home of a task and opens and shuts what is there, with something said after
//! every act and now and then an attempt that is refused, until it has so many events; it can be verified. It is made once and
//! used again where it lies.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use serde_json::json;

use crate::cli::Exit;
use crate::cli::bench::pty::Session;
use crate::cli::out::Out;
use crate::formats::run::EVENTS_FILE;
use crate::sim::vocab::Ix;
use crate::sim::world::Action;
use crate::store::disk::Disk;
use crate::store::library::Library;
use crate::store::runs::{self, NewRun, RunWriter};
use crate::task::episode::{Episode, Event, Outcome, Remark, Said};

/// Flags of `vesta bench inspect`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many events the run has
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    events: u32,
    /// Bytes of what is said after every act
    #[arg(long, value_name = "BYTES", default_value_t = 300)]
    said: usize,
    /// The task to play
    #[arg(long, default_value = "V022")]
    task: String,
    /// The folder the run is kept in
    #[arg(long, value_name = "DIR")]
    keep: PathBuf,
    /// Times each thing is measured
    #[arg(long, value_name = "N", default_value_t = 10)]
    n: usize,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Measures and prints.
///
/// # Errors
/// The run cannot be made, or a program cannot be started in a pseudo terminal.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let root = args.keep.join("saved_runs");
    let folder = match runs::list_folders(&root)?.into_iter().next() {
        Some(folder) => folder,
        None => make(args, &root)?,
    };
    let file = folder.join(EVENTS_FILE);
    let bytes = runs::events_size(&folder);
    let me = std::env::current_exe().context("this program's own file is not known")?;
    let (run, path) = (folder.display().to_string(), file.display().to_string());
    let ours = measure(args, &me, &["inspect", &run], &OURS)?;
    let far = far(args, &me, &["inspect", &run])?;
    let less = measure(args, Path::new("less"), &["-S", &path], &LESS).ok();
    if args.json {
        out.json(&json!({
            "bytes": bytes, "vesta": ours.json(), "far": far.json(), "less": less.as_ref().map(Figures::json),
        }))?;
        return Ok(Exit::Fine);
    }
    out.line(&format!("{path}: {} MiB", bytes >> 20))?;
    out.line(&format!("vesta  {}", ours.words()))?;
    out.line(&format!("       {}", far.words()))?;
    match &less {
        Some(less) => out.line(&format!("less   {}", less.words()))?,
        None => out.line("less is not here")?,
    }
    Ok(Exit::Fine)
}

/// What is said last.
const LAST: &str = "nothing is left to be opened";

/// Plays the run and writes it.
fn make(args: &Args, root: &Path) -> Result<PathBuf> {
    /// Events written, and synced, at once.
    const AT_ONCE: usize = 4096;
    let loaded = Library::open(None).load_whole(&args.task).map_err(|all| {
        let first = all.first().map_or_else(String::new, ToString::to_string);
        anyhow!("{}: {first}", args.task)
    })?;
    let profile = loaded.setup.task.profile();
    let setup = std::sync::Arc::new(loaded.setup.clone());
    let (mut episode, start) = Episode::start(setup, profile).map_err(|d| anyhow!("{d}"))?;
    let new = NewRun {
        agent: "human",
        task: &loaded.setup.task,
        base: &loaded.base,
        profile,
        forked_from: None,
        player: None,
    };
    let writer = RunWriter::create_on(&Disk::default(), root, new, &[start]);
    let mut writer = writer.map_err(|d| anyhow!("{d}"))?;
    let deeds = deeds(&episode);
    if deeds.is_empty() {
        return Err(anyhow!(
            "{}: nothing can be opened and shut there",
            args.task
        ));
    }
    let words = "I look around and think about what has to come next. ";
    let mut pending: Vec<Event> = Vec::new();
    let (mut n, mut acts) = (1_u32, 0_u32);
    while n < args.events {
        for &action in &deeds {
            pending.extend(episode.act(action).events);
            acts += 1;
            if acts % 997 == 0 {
                // Once more what was just done: mostly refused.
                pending.extend(episode.act(action).events);
            }
            let text = format!("event {n}: {}", words.repeat(args.said / words.len()));
            pending.push(episode.say(Said::by(Remark::Message, "agent", &text)));
            n = pending.last().map_or(n, |event| event.seq + 1);
        }
        if pending.len() >= AT_ONCE {
            writer.append(&pending)?;
            pending.clear();
        }
    }
    pending.push(episode.say(Said::by(Remark::Message, "agent", LAST)));
    writer.append(&pending)?;
    Ok(writer.folder().to_owned())
}

/// Walks to things that can be opened and shut, each opened and shut: again and again possible.
fn deeds(episode: &Episode) -> Vec<Action> {
    let (world, mut all) = (episode.timeline().world(), Vec::new());
    let verb = |name: &str| {
        let actions = world.dialect().actions.iter();
        actions
            .zip(0..)
            .find(|(def, _)| def.name == name)
            .map(|(_, at)| at)
    };
    let (Some(walk), Some(open), Some(close)) = (verb("WALK"), verb("OPEN"), verb("CLOSE")) else {
        return all;
    };
    let act = |verb: u8, a: Ix| Action {
        verb,
        a,
        b: Ix::NONE,
    };
    let mut trial = episode.clone();
    for node in world.scene().indices() {
        let round = [act(walk, node), act(open, node), act(close, node)];
        let done = round.map(|action| trial.act(action).outcome);
        if done
            .iter()
            .all(|outcome| matches!(outcome, Outcome::Stepped(_)))
        {
            all.extend(round);
        }
    }
    all
}

/// What a program is asked by keys, and what shows that it has answered.
struct Keys {
    /// What the first screen of events holds.
    first: &'static [u8],
    down: &'static [u8],
    page: &'static [u8],
    end: &'static [u8],
    top: &'static [u8],
    quit: &'static [u8],
}

const OURS: Keys = Keys {
    first: b"event 1: I look",
    down: b"j",
    page: b"\x04",
    end: b"G",
    top: b"gg",
    quit: b"qq",
};

const LESS: Keys = Keys {
    first: b"\"start\"",
    down: b"j",
    page: b" ",
    end: b"G",
    top: b"g",
    quit: b"q",
};

/// What was measured, in milliseconds of wall clock; medians but for what says otherwise.
#[derive(Debug, Default)]
struct Figures {
    /// Start of the process to the first event on the screen, its pages not in memory.
    cold: f64,
    /// The same with them there.
    first: f64,
    down: f64,
    page: f64,
    /// The longest of all keys.
    longest: f64,
    /// To the last line.
    end: f64,
    /// Resident memory, after all that.
    resident: Option<u64>,
}

impl Figures {
    fn words(&self) -> String {
        let memory = self.resident.map_or(0, |kib| kib >> 10);
        format!(
            "first screen {:.1} ms (cold {:.1})   j {:.2}   page {:.2}   longest key {:.1}   end {:.1} ms   {memory} MiB",
            self.first, self.cold, self.down, self.page, self.longest, self.end
        )
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "first_screen_ms": self.first, "cold_ms": self.cold, "down_ms": self.down,
            "page_ms": self.page, "longest_key_ms": self.longest, "end_ms": self.end,
            "resident_kib": self.resident,
        })
    }
}

const PATIENCE: Duration = Duration::from_secs(30);

/// How long a key is waited for that may change nothing.
const SOON: Duration = Duration::from_millis(500);

fn measure(args: &Args, program: &Path, line: &[&str], keys: &Keys) -> Result<Figures> {
    let dir = args.keep.clone();
    let open = |cold: bool| -> Result<(Session, f64)> {
        if cold && let Some(folder) = runs::list_folders(&dir.join("saved_runs"))?.first() {
            let file = std::fs::File::open(folder.join(EVENTS_FILE))?;
            // Best effort: where the system keeps its pages the figure is a warm one.
            let _ = rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed);
        }
        let session = Session::start(program, line, &dir)?;
        let (at, _) = session.wait(keys.first, PATIENCE)?;
        let took = (at - session.started()).as_secs_f64() * 1e3;
        Ok((session, took))
    };
    let median = |cold: bool| -> Result<f64> {
        let mut all = Vec::new();
        for _ in 0..args.n {
            let (mut session, took) = open(cold)?;
            session.press(keys.quit)?;
            all.push(took);
        }
        Ok(middle(&mut all))
    };
    let mut figures = Figures {
        cold: median(true)?,
        first: median(false)?,
        ..Figures::default()
    };
    let (mut session, _) = open(true)?;
    let mut longest = 0.0_f64;
    let mut press = |session: &mut Session, key: &[u8], times: usize, patience| -> Result<f64> {
        let mut all = Vec::new();
        for _ in 0..times {
            let at = session.press(key)?;
            // A key that changes nothing sends nothing, which is as it should be and no time at all.
            if let Ok((answered, _)) = session.wait(b"", patience) {
                all.push((answered - at).as_secs_f64() * 1e3);
            }
            session.listen(Duration::from_millis(15));
        }
        longest = all.iter().copied().fold(longest, f64::max);
        Ok(middle(&mut all))
    };
    figures.down = press(&mut session, keys.down, args.n * 10, SOON)?;
    figures.page = press(&mut session, keys.page, args.n * 4, SOON)?;
    figures.end = press(&mut session, keys.end, 1, PATIENCE)?;
    session.listen(Duration::from_secs(2));
    // In turn, so that every key changes something.
    for _ in 0..args.n {
        press(&mut session, keys.top, 1, SOON)?;
        press(&mut session, keys.end, 1, SOON)?;
    }
    figures.longest = longest;
    figures.resident = session.resident();
    Ok(figures)
}

/// What was measured once the run was played again in the background.
#[derive(Debug, Default)]
struct Far {
    /// Seconds until all of it was played again.
    followed: f64,
    /// To any step with the world there: median and longest, in milliseconds.
    jump: (f64, f64),
    /// To words near the end, in milliseconds.
    found: f64,
    /// Resident memory then.
    resident: Option<u64>,
}

impl Far {
    fn words(&self) -> String {
        let memory = self.resident.map_or(0, |kib| kib >> 10);
        let (middle, longest) = self.jump;
        format!(
            "all played again after {:.1} s   any step {middle:.1} ms (longest {longest:.1})   words at the end found in {:.0} ms   {memory} MiB",
            self.followed, self.found
        )
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "followed_s": self.followed, "jump_ms": self.jump.0, "longest_jump_ms": self.jump.1,
            "found_ms": self.found, "resident_kib": self.resident,
        })
    }
}

/// Goes far in a run that was played again: to steps here and there, and to words near its end.
fn far(args: &Args, program: &Path, line: &[&str]) -> Result<Far> {
    /// Nothing comes for so long once an answer is there.
    const QUIET: Duration = Duration::from_millis(150);
    let mut session = Session::start(program, line, &args.keep)?;
    // The title tells every per cent, so that silence says it is done.
    let done = session.settle(Duration::from_millis(2_500));
    let started = session.started();
    let since =
        |at: Option<Instant>, from: Instant| at.map_or(f64::NAN, |at| (at - from).as_secs_f64());
    let mut far = Far {
        followed: since(done, started),
        ..Far::default()
    };
    let (mut all, mut step) = (Vec::new(), 12_345_u64);
    for _ in 0..args.n * 5 {
        // Steps all over the run, in no order.
        step = (step * 48_271) % 2_147_483_647;
        let to = step % u64::from(args.events / 2 - 1_000) + 1;
        session.press(format!(":goto {to}").as_bytes())?;
        session.settle(QUIET);
        let at = session.press(b"\r")?;
        all.push(since(session.settle(QUIET), at) * 1e3);
    }
    far.jump.1 = all.iter().copied().fold(0.0, f64::max);
    far.jump.0 = middle(&mut all);
    session.press(b"gg/")?;
    session.settle(QUIET);
    session.press(LAST.as_bytes())?;
    session.settle(QUIET);
    let at = session.press(b"\r")?;
    far.found = since(session.settle(Duration::from_millis(700)), at) * 1e3;
    far.resident = session.resident();
    session.press(b"qq")?;
    Ok(far)
}

fn middle(all: &mut [f64]) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}
