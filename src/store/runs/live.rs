//! A run somebody else is writing: following it, and stepping in.
//!
//! | file | what | written |
//! |---|---|---|
//! | `live.jsonl` | signs of life beside the events, see [`crate::agent::sign`] | by the runner, not synced, begun anew when long |
//! | `control.jsonl` | how viewers step in, see [`crate::agent::session::Control`] | a line appended by any viewer |

use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use fs_err as fs;

use crate::agent::session::Control;
use crate::agent::sign::Sign;
use crate::base::diag::Diagnostic;
use crate::formats::run::{EVENTS_FILE, EventReader};
use crate::store::files;
use crate::task::episode::{Body, Event};

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

/// Where a run stands, from its events: a few bytes an event.
#[derive(Debug, Default)]
struct Stand {
    /// Steps from the start to each event's position, and the goals that hold there as a number in `goals`. Events that
    /// made no position have those of where they happened.
    at: Vec<(u32, u32)>,
    goals: Vec<Vec<u32>>,
    here: (u32, u32),
}

impl Stand {
    fn take(&mut self, event: &Event) {
        let of = |seq: u32| self.at.get(seq as usize).copied().unwrap_or_default();
        let before = event.parent.map(of);
        self.here = match (&event.body, event.body.goals()) {
            (Body::Goto { to, .. }, _) => of(*to),
            (_, Some(goals)) => {
                let steps = before.map_or(0, |(steps, _)| steps + 1);
                let known = self.goals.iter().rposition(|known| known == goals);
                let known = known.unwrap_or_else(|| {
                    self.goals.push(goals.to_vec());
                    self.goals.len() - 1
                });
                (steps, known as u32)
            }
            _ => before.unwrap_or_default(),
        };
        self.at.push(self.here);
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
    reader: EventReader,
    /// All events, where they are kept.
    events: Option<Vec<Event>>,
    stand: Stand,
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
    /// Follows a run from its first event, and keeps its events.
    pub fn new(folder: &Path) -> Self {
        Self {
            events: Some(Vec::new()),
            ..Self::lean(folder)
        }
    }

    /// Follows a run from its first event, and keeps only where it stands: for many runs that go on for long.
    pub fn lean(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            reader: EventReader::default(),
            events: None,
            stand: Stand::default(),
            tail: Tail::new(folder.join(EVENTS_FILE), 0),
            signs: Tail::new(folder.join(LIVE_FILE), 0),
        }
    }

    /// The run's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All events until now; none where they are not kept.
    pub fn events(&self) -> &[Event] {
        self.events.as_deref().unwrap_or_default()
    }

    /// Steps from the start to where the run stands, and the goals that hold there.
    pub fn stand(&self) -> (u32, &[u32]) {
        let (steps, goals) = self.stand.here;
        let goals = self.stand.goals.get(goals as usize);
        (steps, goals.map_or(&[], Vec::as_slice))
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
                let lines = self.reader.more(&bytes);
                for event in &lines.items {
                    self.stand.take(event);
                }
                if let Some(events) = &mut self.events {
                    events.extend_from_slice(&lines.items);
                }
                news.events = lines.items;
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

/// The signs a runner gives. They can be given from several places at once.
#[derive(Debug)]
pub struct Signs(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    file: Option<fs::File>,
    length: u64,
}

impl Signs {
    /// Begins the signs of a run anew. Where that cannot be, none are given: a run does not depend on them.
    pub fn begin(folder: &Path) -> Self {
        Self(Mutex::new(Inner {
            file: fs::File::create(folder.join(LIVE_FILE)).ok(),
            length: 0,
        }))
    }

    /// Gives a sign.
    pub fn give(&self, sign: &Sign) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Inner { file, length } = &mut *inner;
        let Some(file) = file else {
            return;
        };
        if matches!(sign, Sign::Asking(_)) && *length > LONG {
            let again = file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0)));
            *length = if again.is_ok() { 0 } else { *length };
        }
        let line = sign.line() + "\n";
        if file.write_all(line.as_bytes()).is_ok() {
            *length += line.len() as u64;
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
