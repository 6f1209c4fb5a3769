//! The program on a terminal of its own: keys in, bytes out, a model that says what is seen.

use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// How long anything may take on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(20);

/// A terminal with a program on it.
pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn std::io::Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    bytes: Arc<Mutex<Vec<u8>>>,
    size: PtySize,
    before: String,
    /// The program's folder; its files are gone with it.
    _folder: tempfile::TempDir,
}

/// What the model shows after some bytes.
pub(crate) struct Seen {
    /// The rows without blanks at their ends.
    pub(crate) rows: Vec<String>,
    /// The modes that are on.
    pub(crate) modes: Vec<&'static str>,
}

impl Seen {
    /// Whether any row holds the words.
    pub(crate) fn has(&self, words: &str) -> bool {
        self.rows.iter().any(|row| row.contains(words))
    }
}

const fn pty_size(cols: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

#[expect(clippy::disallowed_methods, reason = "tests wait for other processes")]
fn now() -> Instant {
    Instant::now()
}

impl Terminal {
    /// Runs `vesta` with the arguments on a terminal of that size.
    pub(crate) fn vesta(args: &[&str], (cols, rows): (u16, u16)) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_vesta"));
        command.args(args);
        Self::run(command, pty_size(cols, rows))
    }

    /// Runs a shell script on a terminal; `$VESTA` is the program.
    pub(crate) fn shell(script: &str) -> Self {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", script]);
        command.env("VESTA", env!("CARGO_BIN_EXE_vesta"));
        Self::run(command, pty_size(80, 24))
    }

    fn run(mut command: CommandBuilder, size: PtySize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        command.cwd(folder.path());
        for (name, value) in [
            ("TERM", "xterm-256color"),
            ("LANG", "C.UTF-8"),
            ("LC_ALL", "C.UTF-8"),
        ] {
            command.env(name, value);
        }
        command.env("HOME", folder.path());
        command.env("XDG_CONFIG_HOME", folder.path());
        command.env("XDG_DATA_HOME", folder.path());
        command.env_remove("NO_COLOR");
        let pair = native_pty_system().openpty(size).unwrap();
        let before = format!("{:?}", pair.master.get_termios());
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&bytes);
        std::thread::spawn(move || {
            let mut buffer = vec![0; 65_536];
            while let Ok(n) = reader.read(&mut buffer) {
                if n == 0 {
                    break;
                }
                sink.lock().unwrap().extend_from_slice(&buffer[..n]);
            }
        });
        let writer = pair.master.take_writer().unwrap();
        // The slave stays open until the end of `run` only: the child has its own.
        drop(pair.slave);
        Self {
            master: pair.master,
            writer,
            child,
            bytes,
            size,
            before,
            _folder: folder,
        }
    }

    /// Types.
    pub(crate) fn keys(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Makes the terminal another size.
    pub(crate) fn resize(&mut self, cols: u16, rows: u16) {
        self.size = pty_size(cols, rows);
        self.master.resize(self.size).unwrap();
    }

    /// Everything written so far.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap().clone()
    }

    /// What is seen now.
    pub(crate) fn seen(&self) -> Seen {
        let side = |n: u16| NonZeroU16::new(n).unwrap();
        let mut parser = vt100::Parser::new(side(self.size.rows), side(self.size.cols), 0);
        parser.process(&self.bytes());
        let screen = parser.screen();
        let rows = screen
            .rows(0, self.size.cols)
            .map(|row| row.trim_end().to_owned())
            .collect();
        let mut modes = Vec::new();
        for (on, name) in [
            (screen.alternate_screen(), "alternate screen"),
            (screen.hide_cursor(), "hidden cursor"),
            (screen.bracketed_paste(), "bracketed paste"),
            (screen.application_cursor(), "application cursor"),
            (screen.application_keypad(), "application keypad"),
            (
                screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None,
                "mouse",
            ),
        ] {
            if on {
                modes.push(name);
            }
        }
        Seen { rows, modes }
    }

    /// Waits until what is seen satisfies the condition.
    pub(crate) fn wait(&self, what: &str, condition: impl Fn(&Seen) -> bool) -> Seen {
        let end = now() + PATIENCE;
        loop {
            let seen = self.seen();
            if condition(&seen) {
                return seen;
            }
            assert!(
                now() < end,
                "{what} did not come:\n{}",
                seen.rows.join("\n")
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until nothing has been written for a while.
    pub(crate) fn settle(&self, quiet: Duration) {
        let mut len = self.bytes().len();
        let mut since = now();
        while since.elapsed() < quiet {
            std::thread::sleep(Duration::from_millis(10));
            let next = self.bytes().len();
            if next != len {
                (len, since) = (next, now());
            }
        }
    }

    /// The process on the terminal.
    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.child.process_id().unwrap()).unwrap()
    }

    /// Sends the process a signal.
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_raw(self.pid()).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// Waits for the end; everything written is read by then.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let end = now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(
                now() < end,
                "the program did not end:\n{}",
                self.seen().rows.join("\n")
            );
            std::thread::sleep(Duration::from_millis(10));
        };
        self.settle(Duration::from_millis(100));
        status
    }

    /// What differs from the terminal as it was before the program: nothing, if it was given back.
    pub(crate) fn differences(&self) -> Vec<String> {
        let mut found: Vec<String> = self
            .seen()
            .modes
            .iter()
            .map(|mode| (*mode).to_owned())
            .collect();
        let after = format!("{:?}", self.master.get_termios());
        if after != self.before {
            found.push(format!("termios: {} is now {after}", self.before));
        }
        found
    }

    /// The line settings as they are now.
    pub(crate) fn termios(&self) -> String {
        format!("{:?}", self.master.get_termios())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A test that failed half-way must not leave its program behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
