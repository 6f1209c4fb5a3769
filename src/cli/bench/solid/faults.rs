//! `vesta bench faults`: what becomes of a run when the n-th call to the disk fails, for every n.
//!
//! A run is written while one call fails, or that call and all after it, with an error of the device or for want of room. Nothing may
//! panic, every refusal is a sentence, what was told to be written is there, and where only one call failed the whole run is
//! in the end. `--fault` takes a failed sync for a good one, which this must catch.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use serde_json::json;

use super::power::Scratch;
use super::{Acts, Fault, Faults};
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::store::disk::{Call, Disk, Watcher};

/// Flags of `vesta bench faults`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many events the run has
    #[arg(long, value_name = "N", default_value_t = 40)]
    steps: usize,
    /// The task to play
    #[arg(long, default_value = "V022")]
    task: String,
    /// Plant what must be noticed: events count as written whose write failed
    #[arg(long)]
    fault: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Fails calls.
#[derive(Debug)]
struct Failing {
    calls: AtomicUsize,
    /// The first that fails.
    from: usize,
    /// How many fail.
    many: usize,
    kind: io::ErrorKind,
}

impl Watcher for Failing {
    fn before(&self, _call: &Call<'_>) -> io::Result<usize> {
        let n = self.calls.fetch_add(1, Ordering::Relaxed);
        if n >= self.from && n - self.from < self.many {
            return Err(self.kind.into());
        }
        // Short writes are calls that succeed; every second is one.
        Ok(if n.is_multiple_of(2) { 100 } else { usize::MAX })
    }

    fn after(&self, _call: &Call<'_>) {}
}

/// Fails calls and counts. [`Exit::Finding`] if something told was lost or a run is of no use.
///
/// # Errors
/// The harness itself could not work.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let acts = Acts::of(&args.task, args.steps)?;
    let place = Scratch::new("faults")?;
    let mut faults = Faults::default();
    let mut cases = 0_u64;
    let kinds = [io::ErrorKind::Other, io::ErrorKind::StorageFull];
    // One that never fails tells how many calls there are.
    let calls = one(&acts, &place.path("all"), (usize::MAX, 0, kinds[0]), false)
        .map_or(0, |(calls, _)| calls);
    for from in 0..calls {
        for many in [1, 3, usize::MAX] {
            for kind in kinds {
                cases += 1;
                let root = place.path("runs");
                let judged = one(&acts, &root, (from, many, kind), args.fault);
                if let Err(fault) = judged {
                    let n = if many == usize::MAX {
                        "all".to_owned()
                    } else {
                        many.to_string()
                    };
                    faults.count(&format!("call {from}, {n} fail, {kind}"), &fault);
                }
                let _ = std::fs::remove_dir_all(&root);
            }
        }
    }
    if args.json {
        let mut value = faults.json();
        value["calls"] = json!(calls);
        value["cases"] = json!(cases);
        out.json(&value)?;
    } else {
        out.line(&format!(
            "{} events in {calls} calls, which fail in {cases} cases",
            acts.events.len()
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

/// Writes a run while calls fail, and judges what is left: how many calls there were, and how many events.
fn one(
    acts: &Acts,
    root: &Path,
    (from, many, kind): (usize, usize, io::ErrorKind),
    fault: bool,
) -> Result<(usize, usize), Fault> {
    let failing = Arc::new(Failing {
        calls: AtomicUsize::new(0),
        from,
        many,
        kind,
    });
    let disk = Disk::watched(Arc::clone(&failing) as _);
    let spoken = |words: &str| {
        if words.contains(char::is_whitespace) && words.contains(&root.display().to_string()) {
            Ok(())
        } else {
            Err(Fault::Unreadable(format!("no sentence: {words:?}")))
        }
    };
    let mut told = None;
    let begun = acts.begin(&disk, root).or_else(|why| {
        spoken(&why)?;
        // As a person would, once more.
        acts.begin(&disk, root).map_err(Fault::Unreadable)
    });
    let dead = many == usize::MAX;
    match begun {
        Ok(mut writer) => {
            told = Some(0);
            for event in acts.events.iter().skip(1) {
                match writer.append(std::slice::from_ref(event)) {
                    Ok(()) => told = writer.saved(),
                    Err(e) => spoken(&e.to_string())?,
                }
                if fault {
                    told = Some(event.seq);
                }
            }
            if !dead && writer.flush().is_ok() {
                told = writer.saved();
                let last = acts.events.last().map(|e| e.seq);
                if told != last {
                    return Err(Fault::Lost(format!("flushed up to {told:?} of {last:?}")));
                }
            }
        }
        Err(_) if dead => {}
        // A few calls failed and both tries were among them.
        Err(Fault::Unreadable(why)) => spoken(&why)?,
        Err(fault) => return Err(fault),
    }
    let events = if root.is_dir() {
        acts.judge(root, told, 1)?.events
    } else {
        0
    };
    Ok((failing.calls.load(Ordering::Relaxed), events))
}
