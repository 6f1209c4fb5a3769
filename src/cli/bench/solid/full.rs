//! `vesta bench full`: a run on a disk of a thousand sizes, each too small.
//!
//! Writing stops where there is no room, with a sentence; what was told is there; once there is room writing goes on by itself
//! and the run is whole. With `--on DIR` the room is real: a folder on a small file system, filled until so many bytes
//! are left, for instance one made by `mount -t tmpfs -o size=4m tmpfs DIR`. `--fault` goes on without what could not be
//! written, which this must catch.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use super::power::Scratch;
use super::{Acts, Fault, Faults};
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::store::disk::{Call, Disk, Watcher};

/// Flags of `vesta bench full`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many sizes to try
    #[arg(long, value_name = "N", default_value_t = 1000)]
    n: u64,
    /// How many events the run has
    #[arg(long, value_name = "N", default_value_t = 100)]
    steps: usize,
    /// The task to play
    #[arg(long, default_value = "V022")]
    task: String,
    /// A folder on a small file system that may be filled
    #[arg(long, value_name = "DIR")]
    on: Option<PathBuf>,
    /// Plant what must be noticed: events count as written for which there was no room
    #[arg(long)]
    fault: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// A disk with room for so many bytes.
#[derive(Debug)]
struct Room(AtomicU64);

impl Watcher for Room {
    fn before(&self, call: &Call<'_>) -> io::Result<usize> {
        match self.0.load(Ordering::Relaxed) {
            0 if matches!(call, Call::Write { .. } | Call::Create(_) | Call::Folder(_)) => {
                Err(io::ErrorKind::StorageFull.into())
            }
            room => Ok(usize::try_from(room).unwrap_or(usize::MAX)),
        }
    }

    fn after(&self, call: &Call<'_>) {
        if let Call::Write { bytes, .. } = call {
            let room = self.0.load(Ordering::Relaxed);
            let left = room.saturating_sub(bytes.len() as u64);
            self.0.store(left, Ordering::Relaxed);
        }
    }
}

/// Fills and counts. [`Exit::Finding`] if something told was lost or a run is of no use.
///
/// # Errors
/// The harness itself could not work.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let acts = Acts::of(&args.task, args.steps)?;
    let place = Scratch::new("full")?;
    let whole = size(&acts, &place)?;
    let mut faults = Faults::default();
    let (mut refused, mut stopped, mut fine) = (0_u64, 0_u64, 0_u64);
    for n in 0..args.n {
        let room = whole * n / args.n.max(1);
        let judged = match &args.on {
            Some(dir) => really(&acts, dir, room, args.fault)?,
            None => pretend(&acts, &place.path("runs"), room, args.fault),
        };
        match judged {
            Ok(0) => refused += 1,
            Ok(events) if events < acts.events.len() => stopped += 1,
            Ok(_) => fine += 1,
            Err(fault) => faults.count(&format!("room for {room} bytes"), &fault),
        }
    }
    if args.json {
        let mut value = faults.json();
        value["sizes"] = json!(args.n);
        value["not_begun"] = json!(refused);
        value["stopped"] = json!(stopped);
        value["whole"] = json!(fine);
        out.json(&value)?;
    } else {
        out.line(&format!(
            "{} sizes up to {whole} bytes: {refused} runs not begun, {stopped} stopped and gone on with, {fine} whole",
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

/// How many bytes the run takes when there is room.
fn size(acts: &Acts, place: &Scratch) -> Result<u64> {
    const ROOM: u64 = 1 << 40;
    let room = Arc::new(Room(AtomicU64::new(ROOM)));
    let root = place.path("all");
    let writer = acts.begin(&Disk::watched(Arc::clone(&room) as _), &root);
    let mut writer = writer.map_err(|e| anyhow::anyhow!(e))?;
    for event in acts.events.iter().skip(1) {
        writer.append(std::slice::from_ref(event))?;
    }
    drop(writer);
    std::fs::remove_dir_all(&root)?;
    Ok(ROOM - room.0.load(Ordering::Relaxed))
}

/// Writes what goes, makes room, and writes the rest: how many events there were before there was room.
fn play(
    acts: &Acts,
    disk: &Disk,
    root: &Path,
    fault: bool,
    make_room: &mut dyn FnMut(),
) -> Result<usize, Fault> {
    let Ok(mut writer) = acts.begin(disk, root) else {
        acts.judge_or_none(root, None)?;
        make_room();
        return Ok(0);
    };
    let mut told = Some(0);
    let mut waits = 0;
    for event in acts.events.iter().skip(1) {
        match writer.append(std::slice::from_ref(event)) {
            Ok(()) => told = writer.saved(),
            Err(e) => waits = e.waiting,
        }
        if fault {
            told = Some(event.seq);
        }
    }
    let events = acts.judge_or_none(root, told)?;
    make_room();
    if let Err(e) = writer.flush() {
        return Err(Fault::Unreadable(format!("there is room again: {e}")));
    }
    let last = acts.events.last().map(|e| e.seq);
    if writer.saved() != last {
        return Err(Fault::Lost(format!(
            "{waits} events waited and were not written"
        )));
    }
    drop(writer);
    acts.judge_or_none(root, last)?;
    Ok(events)
}

fn pretend(acts: &Acts, root: &Path, room: u64, fault: bool) -> Result<usize, Fault> {
    let disk = Arc::new(Room(AtomicU64::new(room)));
    let watched = Disk::watched(Arc::clone(&disk) as _);
    let judged = play(acts, &watched, root, fault, &mut || {
        disk.0.store(u64::MAX, Ordering::Relaxed);
    });
    let _ = std::fs::remove_dir_all(root);
    judged
}

/// On a file system that is filled but for so many bytes.
fn really(acts: &Acts, dir: &Path, room: u64, fault: bool) -> Result<Result<usize, Fault>> {
    let ballast = dir.join("ballast");
    let root = dir.join("runs");
    let _ = std::fs::remove_file(&ballast);
    let _ = std::fs::remove_dir_all(&root);
    let stat = rustix::fs::statvfs(dir).with_context(|| dir.display().to_string())?;
    let free = stat.f_bavail * stat.f_frsize;
    if free > 256 << 20 {
        bail!(
            "{}: {free} bytes are free, too many to fill; name a small file system",
            dir.display()
        );
    }
    let file = std::fs::File::create(&ballast)?;
    let fill = free.saturating_sub(room);
    rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, fill.max(1))
        .with_context(|| ballast.display().to_string())?;
    drop(file);
    let judged = play(acts, &Disk::default(), &root, fault, &mut || {
        let _ = std::fs::remove_file(&ballast);
    });
    let _ = std::fs::remove_dir_all(&root);
    let _ = std::fs::remove_file(&ballast);
    Ok(judged)
}
