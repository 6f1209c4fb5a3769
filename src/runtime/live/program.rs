//! An agent that is another program: a line to its standard input, a line from its standard output.
//!
//! What it writes to standard error is passed on. When it is not needed any more its standard input is closed, and it
//! is ended if it does not leave by itself.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::agent::chat::{Failure, FailureKind};

use super::{Answer, Lines};

impl Lines for Program {
    fn exchange<'a>(&'a mut self, line: &'a str) -> Answer<'a> {
        Box::pin(self.ask(line))
    }
}

/// The longest line taken, in bytes.
const LONGEST: usize = 10 << 20;

/// A running program.
#[derive(Debug)]
pub struct Program {
    name: String,
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    patience: Duration,
    /// What was not sent yet: a program that does not read must not keep us from hearing it.
    unsent: Vec<u8>,
    /// Answers it has not given yet; more than one where some come too late for their question.
    owed: u32,
    /// The beginning of a line that has not come whole.
    line: Vec<u8>,
}

impl Program {
    /// Starts a command by the shell, in a process group of its own.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &str, patience: Duration) -> Result<Self, Failure> {
        let failed = |why: &str| Failure {
            kind: FailureKind::Unreachable,
            message: format!("{command:?} cannot be started: {why}"),
        };
        let mut child = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|e| failed(&e.to_string()))?;
        let to = child.stdin.take();
        let from = child
            .stdout
            .take()
            .ok_or_else(|| failed("it has no output"))?;
        Ok(Self {
            name: command.to_owned(),
            child,
            to,
            from: BufReader::new(from),
            patience,
            unsent: Vec::new(),
            owed: 0,
            line: Vec::new(),
        })
    }

    /// Sends a line and yields the answer. What the program writes while it does not read is taken all the same.
    ///
    /// # Errors
    /// The program has ended, does not answer in time, or answers something that is no line of text. After an answer
    /// that came too late the program is asked again as if nothing had been; what it owes is read first and dropped.
    async fn ask(&mut self, line: &str) -> Result<String, Failure> {
        self.owed += 1;
        self.unsent.extend_from_slice(line.as_bytes());
        self.unsent.push(b'\n');
        let seconds = self.patience.as_secs();
        if let Ok(answer) = timeout(self.patience, self.answer()).await {
            return answer;
        }
        let what = if self.unsent.is_empty() || self.to.is_none() {
            "has not answered"
        } else {
            "has not read what it was told"
        };
        Err(Failure {
            kind: FailureKind::TimedOut,
            message: format!("{:?} {what} for {seconds} s", self.name),
        })
    }

    async fn answer(&mut self) -> Result<String, Failure> {
        loop {
            let read = self.exchange_some().await;
            let whole = self.line.last() == Some(&b'\n');
            let fault = |kind, message: String| Err(Failure { kind, message });
            match read {
                Ok(_) if !whole && self.line.len() >= LONGEST => {
                    let message =
                        format!("{:?} wrote a line of more than {LONGEST} bytes", self.name);
                    self.to = None;
                    return fault(FailureKind::TooLong, message);
                }
                Ok(false) if self.line.is_empty() => {
                    let how = self.ended().await;
                    let message = format!("{:?} has ended{how}", self.name);
                    return fault(FailureKind::CutOff, message);
                }
                Ok(true) if !whole => continue,
                // A last line may lack its line feed.
                Ok(_) => {}
                Err(e) => return fault(FailureKind::CutOff, format!("{:?}: {e}", self.name)),
            }
            let mut line = std::mem::take(&mut self.line);
            self.owed = self.owed.saturating_sub(1);
            if self.owed > 0 {
                continue;
            }
            while line.last().is_some_and(|b| matches!(b, b'\n' | b'\r')) {
                line.pop();
            }
            return String::from_utf8(line).or_else(|_| {
                fault(
                    FailureKind::Garbage,
                    format!("{:?} wrote a line that is not UTF-8", self.name),
                )
            });
        }
    }

    /// Sends or reads some; false where it will write nothing more.
    async fn exchange_some(&mut self) -> io::Result<bool> {
        let room = LONGEST.saturating_sub(self.line.len()) as u64;
        let mut from = (&mut self.from).take(room);
        // What was read of a line stays in it when this is given up in between.
        let read = from.read_until(b'\n', &mut self.line);
        match &mut self.to {
            Some(to) if !self.unsent.is_empty() => {
                tokio::select! {
                    read = read => read.map(|n| n > 0),
                    sent = to.write(&self.unsent) => {
                        match sent {
                            Ok(n) if n > 0 => drop(self.unsent.drain(..n)),
                            // It reads no more; what it writes still counts, up to its end.
                            _ => self.to = None,
                        }
                        Ok(true)
                    }
                }
            }
            _ => read.await.map(|n| n > 0),
        }
    }

    /// How it ended, in words that follow a sentence.
    async fn ended(&mut self) -> String {
        match timeout(Duration::from_millis(200), self.child.wait()).await {
            Ok(Ok(status)) => format!(" ({status})"),
            _ => String::new(),
        }
    }

    /// Closes its input and lets it leave; ends it if it does not.
    pub async fn close(mut self) {
        drop(self.to.take());
        let leaves = timeout(Duration::from_secs(2), self.child.wait());
        if leaves.await.is_err() {
            self.end();
            let _ = self.child.wait().await;
        }
    }

    /// Ends it and what it has started.
    fn end(&self) {
        let id = self.child.id().and_then(|id| i32::try_from(id).ok());
        if let Some(group) = id.and_then(Pid::from_raw) {
            // It may be gone already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}
