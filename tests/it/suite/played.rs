//! A scripted play driven line by line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use serde_json::Value;

pub(crate) fn vesta() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vesta"));
    command.env("LC_ALL", "C.UTF-8").env("TERM", "xterm");
    command
}

/// Runs `vesta play` with a script from standard input.
pub(crate) fn play(subject: &str, runs: &Path, script: &str, flags: &[&str]) -> Output {
    let mut child = vesta()
        .args(["play", subject, "--script", "-", "--runs"])
        .arg(runs)
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A play that cannot begin leaves without reading.
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    child.wait_with_output().unwrap()
}

/// A play that answers line by line.
pub(crate) struct Live {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Live {
    pub(crate) fn start(subject: &str, runs: &Path) -> Self {
        let mut child = vesta()
            .args(["play", subject, "--script", "-", "--json", "--runs"])
            .arg(runs)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self {
            to: child.stdin.take(),
            from: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    /// Sends a line; the answer.
    pub(crate) fn say(&mut self, line: &str) -> Value {
        writeln!(self.to.as_mut().unwrap(), "{line}").unwrap();
        self.hear()
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Ends the input; the last answer and the exit code.
    pub(crate) fn end(mut self) -> (Value, Option<i32>) {
        drop(self.to.take());
        let last = self.hear();
        (last, self.child.wait().unwrap().code())
    }

    /// SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// The one run in a folder.
pub(crate) fn only(runs: &Path) -> PathBuf {
    let mut all: Vec<PathBuf> = std::fs::read_dir(runs)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.join("run.json").is_file())
        .collect();
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

/// `vesta verify` of a run: its JSON and exit code.
pub(crate) fn verify(run: &Path) -> (Value, Option<i32>) {
    let output = vesta()
        .args(["verify", "--json"])
        .arg(run)
        .output()
        .unwrap();
    let json = serde_json::from_slice(&output.stdout).unwrap();
    (json, output.status.code())
}
