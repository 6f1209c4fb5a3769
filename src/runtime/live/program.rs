//! An agent that is another program: a line to its standard input, a line from its standard output.
//!
//! What it writes to standard error is passed on. When it is not needed any more its standard input is closed, and it
//! is ended if it does not leave by itself.

use std::process::Stdio;
use std::time::Duration;

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
const LONGEST: u64 = 10 << 20;

/// A running program.
#[derive(Debug)]
pub struct Program {
    name: String,
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    patience: Duration,
    /// Answers it has not given yet; more than one where some come too late for their question.
    owed: u32,
    /// The beginning of a line that has not come whole.
    line: Vec<u8>,
}

impl Program {
    /// Starts a command by the shell.
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
            owed: 0,
            line: Vec::new(),
        })
    }

    /// Sends a line and yields the answer.
    ///
    /// # Errors
    /// The program has ended, does not answer in time, or answers something that is no line of text. After an answer
    /// that came too late the program is asked again as if nothing had been; what it owes is read first and dropped.
    async fn ask(&mut self, line: &str) -> Result<String, Failure> {
        let fault = |kind, message: String| Failure { kind, message };
        self.owed += 1;
        let sent = match &mut self.to {
            Some(to) => {
                let bytes = format!("{line}\n");
                to.write_all(bytes.as_bytes()).await.is_ok() && to.flush().await.is_ok()
            }
            None => false,
        };
        if !sent {
            let how = self.ended().await;
            let message = format!("{:?} takes no more lines{how}", self.name);
            return Err(fault(FailureKind::CutOff, message));
        }
        let seconds = self.patience.as_secs();
        let name = self.name.clone();
        let Ok(answer) = timeout(self.patience, self.answer()).await else {
            let message = format!("{name:?} has not answered for {seconds} s");
            return Err(fault(FailureKind::TimedOut, message));
        };
        answer
    }

    async fn answer(&mut self) -> Result<String, Failure> {
        loop {
            let room = LONGEST.saturating_sub(self.line.len() as u64);
            let read = (&mut self.from)
                .take(room)
                .read_until(b'\n', &mut self.line)
                .await;
            let fault = |kind, message: String| Err(Failure { kind, message });
            match read {
                Ok(0) => {
                    let how = self.ended().await;
                    return fault(
                        FailureKind::CutOff,
                        format!("{:?} has ended{how}", self.name),
                    );
                }
                Err(e) => return fault(FailureKind::CutOff, format!("{:?}: {e}", self.name)),
                Ok(n) if n as u64 == room => {
                    let message =
                        format!("{:?} wrote a line of more than {LONGEST} bytes", self.name);
                    self.to = None;
                    return fault(FailureKind::TooLong, message);
                }
                Ok(_) => {}
            }
            let mut line = std::mem::take(&mut self.line);
            self.owed -= 1;
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
        if timeout(Duration::from_secs(2), self.child.wait())
            .await
            .is_err()
        {
            let _ = self.child.kill().await;
        }
    }
}
