//! Runners of their own: this program started again as one that plays, so that what is played goes on when whoever
//! started it ends.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::Value;

/// How often it is looked whether a runner has ended at once, and how long between two looks.
const LOOKS: (u32, Duration) = (20, Duration::from_millis(100));

/// The most that is kept of what a runner says on standard error, in bytes.
const SAID: usize = 4 << 10;

fn start(flags: &[OsString], output: Stdio) -> anyhow::Result<Child> {
    use std::os::unix::process::CommandExt as _;
    let program = std::env::current_exe().context("this program does not know where it is")?;
    Command::new(program)
        .args(flags)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .context("the runner cannot be started")
}

/// Starts a runner of one run; the flags must make it tell its folder as JSON. Yields that folder.
///
/// # Errors
/// It cannot be started, or what it said as it ended before it began.
pub fn run(flags: &[OsString]) -> anyhow::Result<String> {
    let mut child = start(flags, Stdio::piped())?;
    let mut line = String::new();
    if let Some(output) = child.stdout.take() {
        BufReader::new(output).read_line(&mut line)?;
    }
    let folder = serde_json::from_str::<Value>(&line)
        .ok()
        .and_then(|v| v.get("folder").and_then(Value::as_str).map(str::to_owned));
    let Some(folder) = folder else {
        let ended = child.wait_with_output()?;
        bail!("{}", why(&String::from_utf8_lossy(&ended.stderr)));
    };
    // Somebody must ask how it ended, or it stays in the system's list.
    thread::spawn(move || child.wait());
    Ok(folder)
}

/// Starts a runner of a suite.
///
/// # Errors
/// It cannot be started, or what it said where it ended at once.
pub fn suite(flags: &[OsString]) -> anyhow::Result<()> {
    let mut child = start(flags, Stdio::null())?;
    let errors = child.stderr.take();
    // What it says is read all along, so that it never waits for a reader.
    let said = thread::spawn(move || {
        let mut said = Vec::new();
        let mut errors = errors?;
        let _ = (&mut errors).take(SAID as u64).read_to_end(&mut said);
        let _ = std::io::copy(&mut errors, &mut std::io::sink());
        Some(String::from_utf8_lossy(&said).into_owned())
    });
    for _ in 0..LOOKS.0 {
        if let Some(status) = child.try_wait()? {
            // 0 and 1: it was played, well or not.
            if matches!(status.code(), Some(0 | 1)) {
                return Ok(());
            }
            let said = said.join().ok().flatten().unwrap_or_default();
            bail!("{}", why(&said));
        }
        thread::sleep(LOOKS.1);
    }
    thread::spawn(move || child.wait());
    Ok(())
}

/// The reason in what a runner said.
fn why(said: &str) -> String {
    let said = said.trim();
    let said = said.strip_prefix("vesta: ").unwrap_or(said);
    if said.is_empty() {
        "the runner ended before it began".to_owned()
    } else {
        said.to_owned()
    }
}
