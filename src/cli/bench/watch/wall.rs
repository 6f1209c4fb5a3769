//! The wall in a pseudo terminal, before runs that go on.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use crate::cli::bench::pty::{Session, now};
use crate::formats::run::EVENTS_FILE;
use crate::store::{files, runs::live};

use super::Args;

/// The end of every frame.
const FRAME_END: &[u8] = b"\x1b[?2026l";

/// How long runs may take to begin, and the wall to show them.
const PATIENCE: Duration = Duration::from_mins(1);

/// After the first frame, the time until measuring begins: all rows are there, and the rooms of runs are warm.
const SETTLE: Duration = Duration::from_secs(3);

/// No key is pressed while a frame is under way: this long nothing is waited for before one.
const BEFORE: Duration = Duration::from_millis(30);

/// Between two keys.
const BETWEEN: Duration = Duration::from_millis(200);

/// Steps that no run takes in the time it is watched.
const STEPS: &str = "100000";

/// What was measured.
pub(super) struct Figures {
    pub(super) seconds: f64,
    /// Events the runs wrote meanwhile.
    pub(super) events: usize,
    pub(super) keys: usize,
    /// Key to the last byte of its frame, milliseconds.
    pub(super) p50: f64,
    pub(super) p99: f64,
    pub(super) max: f64,
    /// Per cent of one core.
    pub(super) cpu: Option<f64>,
    /// Resident memory in KiB, at the start and after each minute.
    pub(super) resident: Vec<u64>,
}

impl Figures {
    /// KiB that resident memory grew by after the first minute.
    pub(super) fn grown(&self) -> Option<i64> {
        let (then, now) = (self.resident.get(1)?, self.resident.last()?);
        Some(i64::try_from(*now).ok()? - i64::try_from(*then).ok()?)
    }
}

/// The runs that go on, and their folder; ended and removed at the end.
struct Playing {
    root: PathBuf,
    players: Vec<Child>,
}

impl Playing {
    fn begin(me: &Path, args: &Args) -> Result<Self> {
        let root = std::env::temp_dir().join(format!("vesta-wall-{}", std::process::id()));
        fs_err::create_dir_all(root.join(crate::store::runs::FOLDER))?;
        let mut playing = Self {
            root,
            players: Vec::new(),
        };
        let pace = (1_000 / args.rate).to_string();
        for seed in 0..args.runs {
            let player = Command::new(me)
                .args([
                    "run",
                    &args.task,
                    "--agent",
                    "random",
                    "--headless",
                    "--json",
                ])
                .args([
                    "--seed",
                    &seed.to_string(),
                    "--pace",
                    &pace,
                    "--steps",
                    STEPS,
                ])
                .arg("--runs")
                .arg(playing.folder())
                .current_dir(&playing.root)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .spawn()?;
            playing.players.push(player);
        }
        let deadline = now() + PATIENCE;
        while playing.live()? < args.runs {
            ensure!(now() < deadline, "not all runs began within {PATIENCE:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(playing)
    }

    fn folder(&self) -> PathBuf {
        self.root.join(crate::store::runs::FOLDER)
    }

    fn each(&self) -> Result<Vec<PathBuf>> {
        let (_, folders) = files::entries(&self.folder())?;
        Ok(folders)
    }

    fn live(&self) -> Result<usize> {
        let folders = self.each()?;
        Ok(folders.iter().filter(|f| live::is_running(f)).count())
    }

    /// How many events there are.
    fn events(&self) -> Result<usize> {
        let mut lines = 0;
        for folder in self.each()? {
            let file = fs_err::File::open(folder.join(EVENTS_FILE))?;
            let mut all = BufReader::new(file).split(b'\n');
            lines += all.try_fold(0, |n, line| line.map(|_| n + 1))?;
        }
        Ok(lines)
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        for player in &mut self.players {
            // It may have ended by itself.
            let _ = player.kill();
            let _ = player.wait();
        }
        // A leftover in the temporary folder harms nobody.
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

/// Measures.
///
/// # Errors
/// The runs cannot be played, or no wall comes up.
pub(super) fn measure(args: &Args, minutes: u32) -> Result<Figures> {
    let me = std::env::current_exe().context("this program's own file is not known")?;
    let playing = Playing::begin(&me, args)?;
    let folder = playing.folder().display().to_string();
    let mut wall = Session::start(&me, &["watch", &folder], &playing.root)?;
    wall.wait(FRAME_END, PATIENCE)?;
    wall.listen(SETTLE);
    let (begun, busy, before) = (now(), wall.busy(), playing.events()?);
    let mut resident: Vec<u64> = wall.resident().into_iter().collect();
    let (mut times, mut pressed) = (Vec::new(), 0);
    let minute = Duration::from_mins(1);
    for n in 1..=minutes {
        while begun.elapsed() < minute * n {
            wall.listen(BEFORE);
            let key: &[u8] = if pressed % 2 == 0 { b"j" } else { b"k" };
            let at = wall.press(key)?;
            pressed += 1;
            if let Ok((end, _)) = wall.wait(FRAME_END, Duration::from_millis(250)) {
                times.push((end - at).as_secs_f64() * 1e3);
            }
            wall.listen(BETWEEN);
        }
        resident.extend(wall.resident());
    }
    let seconds = begun.elapsed().as_secs_f64();
    let busy = wall.busy().zip(busy).map(|(now, then)| now - then);
    let live = playing.live()?;
    ensure!(
        live == args.runs,
        "only {live} of the runs went on to the end"
    );
    let events = playing.events()? - before;
    ensure!(
        times.len() * 10 >= pressed * 9,
        "{} of {pressed} keys were followed by a frame",
        times.len()
    );
    times.sort_by(f64::total_cmp);
    let at = |per_cent: usize| {
        let last = times.len().saturating_sub(1);
        times
            .get(last * per_cent / 100)
            .copied()
            .unwrap_or(f64::NAN)
    };
    Ok(Figures {
        seconds,
        events,
        keys: times.len(),
        p50: at(50),
        p99: at(99),
        max: at(100),
        cpu: busy.map(|busy| busy / seconds * 100.0),
        resident,
    })
}
