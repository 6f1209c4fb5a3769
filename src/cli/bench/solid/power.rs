//! `vesta bench power`: what is left of a run when the power goes at any moment.
//!
//! A run is written once, and every call that changed the disk is written down. Then the power is lost after every one of
//! them, in sixteen ways each: what was not synced is dropped, torn, reordered or garbage, by sectors of 512 bytes and by names.
//! What is left is laid out in a folder and read: every event told to be written must be there, none may be taken that was
//! not written so, and the run must go on. `--fault` takes files as never synced, which this must catch.

use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow};
use serde_json::json;

use super::{Acts, Fault, Faults};
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::formats::run::NoteBody;
use crate::store::disk::Disk;
use crate::store::power::{PATTERNS, Recorder, left};
use crate::store::runs::{self, Access};

/// Flags of `vesta bench power`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many events the run has
    #[arg(long, value_name = "N", default_value_t = 200)]
    steps: usize,
    /// The task to play
    #[arg(long, default_value = "V022")]
    task: String,
    /// Try every N-th case only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Plant what must be noticed: no file counts as synced
    #[arg(long)]
    fault: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Loses power and counts. [`Exit::Finding`] if something told was lost, something wrong taken, or a run is of no use.
///
/// # Errors
/// The harness itself could not work.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let acts = Acts::of(&args.task, args.steps)?;
    let place = Scratch::new("power")?;
    let root = place.path("runs");
    let recorder = Arc::new(if args.fault {
        Recorder::without_syncs()
    } else {
        Recorder::default()
    });
    let disk = Disk::watched(Arc::clone(&recorder) as _);
    let told = write(&acts, &disk, &root, &recorder)?;
    let calls = recorder.calls();
    let mut faults = Faults::default();
    let (mut cases, mut at) = (0_u64, 0_u32);
    for n in 0..=calls.len() {
        let due = told.iter().rev().find(|(when, _)| *when <= n);
        let due = due.map(|(_, seq)| *seq);
        for pattern in 0..PATTERNS {
            at += 1;
            if !at.is_multiple_of(args.every) {
                continue;
            }
            cases += 1;
            let target = place.path("left");
            std::fs::create_dir(&target)?;
            left(
                &place.path(""),
                calls.get(..n).unwrap_or_default(),
                pattern,
                &target,
            )?;
            let found = target.join("runs");
            let judged = if found.is_dir() {
                acts.judge(&found, due, usize::from(pattern % 4 == 1))
                    .map(|_| ())
            } else if let Some(seq) = due {
                Err(Fault::Lost(format!(
                    "no folder of runs, told up to event {seq}"
                )))
            } else {
                Ok(())
            };
            if let Err(fault) = judged {
                faults.count(
                    &format!("call {n} of {}, pattern {pattern}", calls.len()),
                    &fault,
                );
            }
            std::fs::remove_dir_all(&target)?;
        }
    }
    if args.json {
        let mut value = faults.json();
        value["calls"] = json!(calls.len());
        value["cases"] = json!(cases);
        value["events"] = json!(acts.events.len());
        out.json(&value)?;
    } else {
        out.line(&format!(
            "{} events in {} calls, power lost in {cases} cases",
            acts.events.len(),
            calls.len()
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

/// Writes the run, closes it half-way, files a note and goes on: when each event was told, as calls made by then.
fn write(
    acts: &Acts,
    disk: &Disk,
    root: &std::path::Path,
    recorder: &Recorder,
) -> Result<Vec<(usize, u32)>> {
    let mut writer = acts.begin(disk, root).map_err(|e| anyhow!(e))?;
    let mut told = vec![(recorder.len(), 0)];
    let half = acts.events.len() / 2;
    for (at, event) in acts.events.iter().enumerate().skip(1) {
        if at == half {
            let comment = NoteBody::Comment {
                at: None,
                text: "half-way".to_owned(),
            };
            writer.note(comment).map_err(|d| anyhow!("{d}"))?;
            let folder = writer.folder().to_owned();
            drop(writer);
            let opened = runs::open_on(disk, &folder).map_err(|d| anyhow!("{d}"))?;
            writer = match opened.access {
                Access::Write(writer) => *writer,
                Access::ReadOnly(why) => return Err(anyhow!(why)),
            };
        }
        writer.append(std::slice::from_ref(event))?;
        told.push((recorder.len(), event.seq));
    }
    Ok(told)
}

/// A folder for the proof, in memory where the system has such a place, removed at the end.
pub(super) struct Scratch(std::path::PathBuf);

impl Scratch {
    pub(super) fn new(what: &str) -> Result<Self> {
        let memory = std::path::Path::new("/dev/shm");
        let base = if memory.is_dir() {
            memory.to_owned()
        } else {
            std::env::temp_dir()
        };
        let path = base.join(format!("vesta-{what}-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        Ok(Self(path))
    }

    pub(super) fn path(&self, name: &str) -> std::path::PathBuf {
        if name.is_empty() {
            return self.0.clone();
        }
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // It is only room.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
