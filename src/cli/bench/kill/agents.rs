//! `vesta bench kill --agents`: kills runners, and those who read their runs, and goes on with what is left.
//!
//! Each kind of agent is played once to its end. Then runs of it are begun, killed a random time later, gone on with by
//! `vesta resume`, killed again, until one comes to its end: at every stop what is on the disk must be a beginning of
//! the run that nobody killed, and in the end it must be that run, byte for byte. Models answer from an endpoint of
//! this program's own, from a recording that is being made, or from one that was made.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use super::{Args, Random, endpoint, folder, now};
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::formats::run::EVENTS_FILE;

/// A kind of agent that is killed.
struct Case {
    name: &'static str,
    /// What makes the runner, after `run TASK`.
    agent: Vec<String>,
    /// What reaches its model, also when it is gone on with.
    model: Vec<String>,
    /// Whether each run makes a recording of its own.
    records: bool,
    /// The events of the run that nobody killed.
    whole: Vec<u8>,
    /// How long that took.
    took: Duration,
}

/// What was counted.
#[derive(Default)]
struct Counts {
    kills: u32,
    readers: u32,
    unborn: u32,
    runs: u32,
    /// Events on the disk at the kills.
    kept: usize,
    faults: Vec<String>,
}

/// How many faults are told in full.
const TOLD: usize = 5;

/// An agent that does well and badly: something refused, something dangerous, nothing that is an end.
const SCRIPT: &str = "# by hand\nwalk microwave\nopen microwave\nwalk bowl.203\ngrab bowl.203\nwalk microwave\n\
    putin bowl.203 microwave\nclose microwave\nswitchon microwave\ngrab plate\nswitchoff microwave\n";

/// Holds what is dangerous, and decides at once, for nobody is there.
const HOLD: &str = "core !3 ask 0 veto";

/// Kills and counts. [`Exit::Finding`] if a run was not what it would have been.
///
/// # Errors
/// The harness itself could not work.
pub(super) fn run(args: &Args, dir: &Path, out: &mut Out) -> Result<Exit> {
    let base = endpoint::start()?;
    let mut cases = cases(dir, &base)?;
    for case in &mut cases {
        whole(args, dir, case)?;
    }
    let mut counts = Counts::default();
    let mut random = Random(args.seed);
    while counts.kills < args.n && counts.faults.len() < TOLD {
        let at = random.below(cases.len() as u64) as usize;
        if let Some(case) = cases.get(at) {
            let root = dir.join(format!("run-{}", counts.runs));
            Round { args, case, root }.play(&mut random, &mut counts)?;
        }
    }
    tell(args, &cases, &counts, out)?;
    let fine = counts.faults.is_empty();
    Ok(if fine { Exit::Fine } else { Exit::Finding })
}

fn cases(dir: &Path, base: &str) -> Result<Vec<Case>> {
    let script = dir.join("script.txt");
    std::fs::write(&script, SCRIPT)?;
    let script = format!("script:{}", script.display());
    let tape = dir.join("tape.jsonl").display().to_string();
    let case = |name, agent: &[&str], model: &[&str]| Case {
        name,
        agent: agent.iter().map(|s| (*s).to_owned()).collect(),
        model: model.iter().map(|s| (*s).to_owned()).collect(),
        records: false,
        whole: Vec::new(),
        took: Duration::ZERO,
    };
    let model = |strategy| {
        [
            "--agent",
            "openai",
            "--model",
            "m",
            "--hold",
            HOLD,
            "--strategy",
            strategy,
        ]
    };
    let reach = ["--base-url", base, "--set", "stream=off"];
    let mut recorded = reach.to_vec();
    recorded.extend(["--record", &tape]);
    let scripted = [
        "--agent", &script, "--hold", HOLD, "--trials", "3", "--reset",
    ];
    Ok(vec![
        case("planner", &["--agent", "planner", "--hold", HOLD], &[]),
        case("script", &scripted, &[]),
        case("model", &model("reflexion(1)"), &reach),
        Case {
            records: true,
            ..case("recorded", &model("react"), &reach)
        },
        // Its first run makes the recording; all others answer from it.
        case("replayed", &model("critic(1)"), &recorded),
    ])
}

/// Plays a case to its end.
fn whole(args: &Args, dir: &Path, case: &mut Case) -> Result<()> {
    let root = dir.join(format!("whole-{}", case.name));
    let round = Round { args, case, root };
    let begun = now();
    let status = round.start()?.wait()?;
    let took = Duration::from_secs_f64(now() - begun);
    if !matches!(status.code(), Some(0 | 1)) {
        bail!("{}: the run that nobody kills: {status}", case.name);
    }
    let whole = round.events()?.context("no run was written")?;
    (case.took, case.whole) = (took, whole);
    for word in &mut case.model {
        if word == "--record" {
            "--replay".clone_into(word);
        }
    }
    Ok(())
}

/// A run that is begun, killed and gone on with until it ends.
struct Round<'a> {
    args: &'a Args,
    case: &'a Case,
    root: PathBuf,
}

impl Round<'_> {
    fn play(&self, random: &mut Random, counts: &mut Counts) -> Result<()> {
        // One attempt of four may come to its end by itself.
        while random.below(4) > 0 {
            let mut runner = self.start()?;
            let most = self.case.took.as_micros() as u64 + 1;
            let reader = self.reader()?;
            thread::sleep(Duration::from_micros(random.below(most)));
            if let Some(mut reader) = reader {
                reader.kill()?;
                reader.wait()?;
                counts.readers += 1;
            }
            if runner.try_wait()?.is_none() {
                runner.kill()?;
                counts.kills += 1;
            }
            runner.wait()?;
            match self.events()? {
                None => counts.unborn += 1,
                Some(events) => {
                    // The last line may be torn; it was never acknowledged.
                    let end = events
                        .iter()
                        .rposition(|&b| b == b'\n')
                        .map_or(0, |at| at + 1);
                    let kept = events.get(..end).unwrap_or_default();
                    counts.kept += lines(kept);
                    if !self.case.whole.starts_with(kept) {
                        self.fault(counts, "what is on the disk is no beginning of the run");
                        return Ok(());
                    }
                }
            }
        }
        let output = self.start()?.wait_with_output()?;
        counts.runs += 1;
        if !matches!(output.status.code(), Some(0 | 1)) {
            let said = String::from_utf8_lossy(&output.stderr);
            self.fault(counts, &format!("{}: {}", output.status, said.trim()));
        } else if self.events()?.as_deref() != Some(self.case.whole.as_slice()) {
            self.fault(counts, "the run is another than the one nobody killed");
        } else if self.args.dir.is_none() {
            std::fs::remove_dir_all(&self.root)?;
        }
        Ok(())
    }

    fn fault(&self, counts: &mut Counts, why: &str) {
        let text = format!("{}: {}: {why}", self.root.display(), self.case.name);
        counts.faults.push(text);
    }

    /// Begins the run, or goes on with what there is of it.
    fn start(&self) -> Result<Child> {
        std::fs::create_dir_all(&self.root)?;
        let mut command = vesta()?;
        match folder(&self.root)? {
            Some(folder) => command.arg("resume").arg(folder),
            None => command
                .args(["run", &self.args.task, "--headless", "--runs"])
                .arg(&self.root)
                .args(&self.case.agent),
        };
        if self.args.fault && !self.case.whole.is_empty() && folder(&self.root)?.is_none() {
            command.args(["--steps", "2"]);
        }
        command.args(&self.case.model);
        if self.case.records {
            let name = self.root.with_extension("jsonl");
            command.arg("--record").arg(name);
        }
        command.stderr(Stdio::piped());
        command.spawn().context("the runner cannot be started")
    }

    /// Somebody who reads the run, where it was begun.
    fn reader(&self) -> Result<Option<Child>> {
        let Some(folder) = folder(&self.root)? else {
            return Ok(None);
        };
        let child = vesta()?.arg("show").arg(folder).arg("--json").spawn()?;
        Ok(Some(child))
    }

    fn events(&self) -> Result<Option<Vec<u8>>> {
        let Some(folder) = folder(&self.root)? else {
            return Ok(None);
        };
        Ok(Some(std::fs::read(folder.join(EVENTS_FILE))?))
    }
}

/// How many whole lines there are.
fn lines(bytes: &[u8]) -> usize {
    bytes
        .split_inclusive(|&b| b == b'\n')
        .filter(|line| line.ends_with(b"\n"))
        .count()
}

fn vesta() -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Ok(command)
}

fn tell(args: &Args, cases: &[Case], counts: &Counts, out: &mut Out) -> Result<()> {
    if args.json {
        let agents: serde_json::Map<String, serde_json::Value> = cases
            .iter()
            .map(|case| (case.name.to_owned(), lines(&case.whole).into()))
            .collect();
        out.json(&json!({
            "kills": counts.kills, "readers": counts.readers, "before_start": counts.unborn,
            "runs": counts.runs, "kept": counts.kept, "faults": counts.faults, "agents": agents,
        }))?;
        return Ok(());
    }
    for case in cases {
        out.line(&format!("{}: {} events", case.name, lines(&case.whole)))?;
    }
    out.line(&format!(
        "{} kills of runners, {} of them before the run began; {} kills of readers; {} runs came to their end, {} of them \
         not as they would have",
        counts.kills,
        counts.unborn,
        counts.readers,
        counts.runs,
        counts.faults.len()
    ))?;
    for fault in &counts.faults {
        out.line(&format!("✗ {fault}"))?;
    }
    Ok(())
}
