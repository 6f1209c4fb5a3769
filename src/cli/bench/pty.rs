//! A program in a pseudo terminal: keys in, bytes out, with times.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Columns and rows of the measured terminal.
pub(super) const SIZE: (u16, u16) = (200, 60);

/// A running program and the terminal it thinks it has.
pub(super) struct Session {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    chunks: Receiver<(Instant, Vec<u8>)>,
    started: Instant,
    // Dropping the master would hang up the terminal.
    _master: Box<dyn MasterPty + Send>,
}

/// The time now, for measuring only.
#[expect(
    clippy::disallowed_methods,
    reason = "a benchmark measures wall time between key and byte"
)]
pub(super) fn now() -> Instant {
    Instant::now()
}

impl Session {
    /// Starts a program in a folder.
    ///
    /// # Errors
    /// No pseudo terminal, or no such program.
    pub(super) fn start(program: &Path, args: &[&str], dir: &Path) -> Result<Self> {
        let (cols, rows) = SIZE;
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system()
            .openpty(size)
            .context("no pseudo terminal can be opened")?;
        let mut reader = pair.master.try_clone_reader()?;
        let keys = pair.master.take_writer()?;
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.cwd(dir);
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env_remove("NO_COLOR");
        let started = now();
        let child = pair.slave.spawn_command(command)?;
        drop(pair.slave);
        let (send, chunks) = channel();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(n) = reader.read(&mut buffer) {
                if n == 0
                    || send
                        .send((now(), buffer.get(..n).unwrap_or_default().to_vec()))
                        .is_err()
                {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            keys,
            chunks,
            started,
            _master: pair.master,
        })
    }

    /// When the program was started.
    pub(super) const fn started(&self) -> Instant {
        self.started
    }

    /// Presses keys.
    ///
    /// # Errors
    /// The program is gone.
    pub(super) fn press(&mut self, keys: &[u8]) -> Result<Instant> {
        let at = now();
        self.keys.write_all(keys)?;
        self.keys.flush()?;
        Ok(at)
    }

    /// Waits until what was printed since now contains `mark` (any byte, if that is empty); the time of the chunk that completed it, and all bytes.
    ///
    /// # Errors
    /// The program ended, or `patience` ran out.
    pub(super) fn wait(&self, mark: &[u8], patience: Duration) -> Result<(Instant, Vec<u8>)> {
        let mut seen = Vec::new();
        let deadline = now() + patience;
        loop {
            match self
                .chunks
                .recv_timeout(deadline.saturating_duration_since(now()))
            {
                Ok((at, bytes)) => {
                    seen.extend(bytes);
                    if mark.is_empty() || seen.windows(mark.len()).any(|w| w == mark) {
                        return Ok((at, seen));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    bail!("no {:?} within {patience:?}", String::from_utf8_lossy(mark))
                }
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("the program ended: {}", String::from_utf8_lossy(&seen))
                }
            }
        }
    }

    /// How many bytes come in a while.
    pub(super) fn listen(&self, time: Duration) -> usize {
        let deadline = now() + time;
        let mut n = 0;
        while let Ok((_, bytes)) = self
            .chunks
            .recv_timeout(deadline.saturating_duration_since(now()))
        {
            n += bytes.len();
        }
        n
    }

    /// Listens until nothing came for so long: when the last came, if any did.
    pub(super) fn settle(&self, quiet: Duration) -> Option<Instant> {
        let mut last = None;
        while let Ok((at, _)) = self.chunks.recv_timeout(quiet) {
            last = Some(at);
        }
        last
    }

    /// How often the program's threads have been put to sleep and woken, in all, where the system tells.
    pub(super) fn wakeups(&self) -> Option<u64> {
        let tasks = format!("/proc/{}/task", self.child.process_id()?);
        let mut total = 0;
        for task in std::fs::read_dir(tasks).ok()? {
            let status = std::fs::read_to_string(task.ok()?.path().join("status")).ok()?;
            total += number(&status, "voluntary_ctxt_switches:")?;
        }
        Some(total)
    }

    /// Seconds of processor time the program has used, where the system tells.
    pub(super) fn busy(&self) -> Option<f64> {
        let stat = format!("/proc/{}/stat", self.child.process_id()?);
        let stat = std::fs::read_to_string(stat).ok()?;
        // The name in brackets may hold spaces; user and system time are the twelfth and thirteenth field behind it.
        let (_, fields) = stat.rsplit_once(')')?;
        let mut times = fields.split_whitespace().skip(11);
        let mut ticks = || times.next()?.parse::<f64>().ok();
        let ticks = ticks()? + ticks()?;
        Some(ticks / TICKS)
    }

    /// Resident memory in KiB, where the system tells.
    pub(super) fn resident(&self) -> Option<u64> {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.child.process_id()?)).ok()?;
        number(&status, "VmRSS:")
    }
}

/// What `/proc` counts processor time in, a second: the same on every Linux.
const TICKS: f64 = 100.0;

fn number(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|l| l.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
