//! A run somebody else is writing: following it, and stepping in.
//!
//! | file | what | written |
//! |---|---|---|
//! | `live.jsonl` | signs of life beside the events, see [`crate::agent::sign`] | by the runner, not synced, begun anew when long |
//! | `control.jsonl` | how viewers step in, see [`crate::agent::session::Control`] | a line appended by any viewer |

use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::agent::session::Control;
use crate::agent::sign::Sign;
use crate::base::diag::Diagnostic;
use crate::formats::run::{EVENTS_FILE, read_more_events};
use crate::store::files;
use crate::task::episode::Event;

use super::lock::is_taken;

/// The file of signs.
const LIVE_FILE: &str = "live.jsonl";

/// The file of controls.
const CONTROL_FILE: &str = "control.jsonl";

/// From this length on the signs begin anew with the next turn, in bytes.
const LONG: u64 = 1 << 20;

/// What is read of a file at once, in bytes.
const CHUNK: u64 = 4 << 20;

/// A file that others append to, read line by line.
#[derive(Debug)]
struct Tail {
    path: PathBuf,
    at: u64,
}

impl Tail {
    const fn new(path: PathBuf, at: u64) -> Self {
        Self { path, at }
    }

    /// The whole lines that came since, at most [`CHUNK`] bytes of them unless one line is longer; `None` where the
    /// file was begun anew.
    fn more(&mut self) -> io::Result<Option<Vec<u8>>> {
        let length = match std::fs::metadata(&self.path) {
            Ok(meta) => meta.len(),
            Err(e) if e.kind() == io::ErrorKind::NotFound => 0,
            Err(e) => return Err(e),
        };
        if length < self.at {
            self.at = 0;
            return Ok(None);
        }
        if length == self.at {
            return Ok(Some(Vec::new()));
        }
        let mut file = fs::File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.at))?;
        let mut bytes = Vec::new();
        let mut take = CHUNK;
        loop {
            (&mut file).take(take).read_to_end(&mut bytes)?;
            match bytes.iter().rposition(|&b| b == b'\n') {
                Some(end) => {
                    bytes.truncate(end + 1);
                    self.at += bytes.len() as u64;
                    return Ok(Some(bytes));
                }
                None if bytes.len() as u64 + self.at < length => take = CHUNK,
                None => return Ok(Some(Vec::new())),
            }
        }
    }
}

/// Whether somebody plays a run now: holds its lock. Changes nothing there.
pub fn is_running(folder: &Path) -> bool {
    is_taken(folder)
}

/// A run being followed.
#[derive(Debug)]
pub struct Follow {
    folder: PathBuf,
    events: Vec<Event>,
    tail: Tail,
    signs: Tail,
}

/// What came since a run was last looked at.
#[derive(Debug, Default)]
pub struct News {
    /// Events.
    pub events: Vec<Event>,
    /// Signs of life.
    pub signs: Vec<Sign>,
    /// Whether somebody is writing it.
    pub running: bool,
    /// What cannot be used; nothing is read beyond it.
    pub fault: Option<Diagnostic>,
}

impl Follow {
    /// Follows a run from its first event.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            events: Vec::new(),
            tail: Tail::new(folder.join(EVENTS_FILE), 0),
            signs: Tail::new(folder.join(LIVE_FILE), 0),
        }
    }

    /// The run's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All events until now.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What came since the last time.
    pub fn poll(&mut self) -> News {
        let mut news = News {
            // First the lock: what its holder wrote before letting go is read below.
            running: is_taken(&self.folder),
            ..News::default()
        };
        let fault = |e: &io::Error, file: &str| {
            files::failed(e).in_file(&self.folder.join(file).display().to_string())
        };
        match self.tail.more() {
            Ok(Some(bytes)) if bytes.is_empty() => {}
            Ok(Some(bytes)) => {
                let known = self.events.len();
                let lines = read_more_events(std::mem::take(&mut self.events), &bytes);
                self.events = lines.items;
                news.events = self.events.iter().skip(known).cloned().collect();
                news.fault = lines.findings.into_iter().next();
            }
            Ok(None) => {
                let d = Diagnostic::error("", "the file became shorter while it was followed");
                news.fault = Some(d.in_file(EVENTS_FILE));
            }
            Err(e) => news.fault = Some(fault(&e, EVENTS_FILE)),
        }
        match self.signs.more() {
            Ok(Some(bytes)) => {
                let text = String::from_utf8_lossy(&bytes);
                news.signs = text.lines().filter_map(Sign::read).collect();
            }
            // Begun anew: the next look reads it from the top.
            Ok(None) => {}
            Err(e) => news.fault = news.fault.or_else(|| Some(fault(&e, LIVE_FILE))),
        }
        news
    }
}

/// The signs a runner gives.
#[derive(Debug)]
pub struct Signs {
    file: Option<fs::File>,
    length: u64,
}

impl Signs {
    /// Begins the signs of a run anew. Where that cannot be, none are given: a run does not depend on them.
    pub fn begin(folder: &Path) -> Self {
        Self {
            file: fs::File::create(folder.join(LIVE_FILE)).ok(),
            length: 0,
        }
    }

    /// Gives a sign.
    pub fn give(&mut self, sign: &Sign) {
        let Some(file) = &mut self.file else {
            return;
        };
        if matches!(sign, Sign::Asking(_)) && self.length > LONG {
            let again = file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0)));
            self.length = if again.is_ok() { 0 } else { self.length };
        }
        let line = sign.line() + "\n";
        if file.write_all(line.as_bytes()).is_ok() {
            self.length += line.len() as u64;
        }
    }
}

/// The controls that viewers send.
#[derive(Debug)]
pub struct Controls {
    tail: Tail,
}

impl Controls {
    /// Listens from now on; what was sent before was meant for somebody else.
    pub fn listen(folder: &Path) -> Self {
        let path = folder.join(CONTROL_FILE);
        let at = std::fs::metadata(&path).map_or(0, |meta| meta.len());
        Self {
            tail: Tail::new(path, at),
        }
    }

    /// What was sent since, with a sentence in place of what cannot be read.
    pub fn poll(&mut self) -> Vec<Result<Control, String>> {
        let Ok(Some(bytes)) = self.tail.more() else {
            return Vec::new();
        };
        let text = String::from_utf8_lossy(&bytes);
        text.lines().map(Control::read).collect()
    }
}

/// Steps in on a run that somebody is playing.
///
/// # Errors
/// Nobody is, or the line could not be written.
pub fn steer(folder: &Path, control: &Control) -> Result<(), Diagnostic> {
    let name = folder.display().to_string();
    if !is_taken(folder) {
        let d = Diagnostic::error("", "nobody is playing this run now");
        return Err(d.help("vesta resume goes on with it").in_file(&name));
    }
    let path = folder.join(CONTROL_FILE);
    let line = control.line() + "\n";
    fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .and_then(|mut file| file.write_all(line.as_bytes()))
        .map_err(|e| files::failed(&e).in_file(&path.display().to_string()))
}
