//! A run somebody else is writing: following it, and stepping in.
//!
//! | file | what | written |
//! |---|---|---|
//! | `live.jsonl` | signs of life beside the events, see [`crate::agent::sign`] | by the runner, not synced, begun anew when long |
//! | `control.jsonl` | how viewers step in, see [`crate::agent::session::Control`] | a line appended by any viewer |

use std::collections::VecDeque;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use fs_err as fs;

use crate::agent::session::Control;
use crate::agent::sign::Sign;
use crate::base::diag::Diagnostic;
use crate::formats::run::{EVENTS_FILE, EventReader};
use crate::store::{clock, files};
use crate::task::episode::{Body, Event};

use super::lock::is_taken;

/// The file of signs.
const LIVE_FILE: &str = "live.jsonl";

/// The file of controls.
const CONTROL_FILE: &str = "control.jsonl";

/// From this length on the signs begin anew with the next turn, in bytes.
const LONG: u64 = 1 << 20;

/// What is read of a file at once, in bytes.
const CHUNK: u64 = 512 << 10;

/// While a run is silent, the time between two looks whether somebody still holds it, in milliseconds.
const LOCK: u64 = 200;

/// A file that others append to, read line by line.
#[derive(Debug)]
struct Tail {
    path: PathBuf,
    at: u64,
    /// When the file was last written, as far as was seen.
    written: Option<SystemTime>,
}

impl Tail {
    const fn new(path: PathBuf, at: u64) -> Self {
        Self {
            path,
            at,
            written: None,
        }
    }

    /// The whole lines that came since, at most [`CHUNK`] bytes of them unless one line is longer; `None` where the
    /// file was begun anew.
    fn more(&mut self) -> io::Result<Option<Vec<u8>>> {
        let length = match std::fs::metadata(&self.path) {
            Ok(meta) => {
                self.written = meta.modified().ok();
                meta.len()
            }
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
        let mut bytes = Vec::with_capacity((length - self.at).min(CHUNK) as usize + 1);
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

/// Where a run stands, from its events: the same room however many there are.
#[derive(Debug, Default)]
struct Stand {
    /// Of the last positions: the number of the event, steps from the start, and which goals hold there as a number in
    /// `goals`.
    recent: VecDeque<(u32, u32, u32)>,
    goals: Vec<Vec<u32>>,
    here: (u32, u32, u32),
    /// Where the run has gone, if that is longer ago than is kept.
    away: Option<u32>,
}

/// Positions that are kept to go back to.
const RECENT: usize = 256;

impl Stand {
    fn take(&mut self, event: &Event) {
        if let Some(parent) = event.parent {
            self.go(parent);
        }
        if let Body::Goto { to, .. } = event.body {
            self.go(to);
        }
        let Some(goals) = event.body.goals() else {
            return;
        };
        if self.away.is_some() {
            self.away = Some(event.seq);
            return;
        }
        let known = self.goals.iter().rposition(|known| known == goals);
        let known = known.unwrap_or_else(|| {
            self.goals.push(goals.to_vec());
            self.goals.len() - 1
        });
        let steps = event.parent.map_or(0, |_| self.here.1 + 1);
        self.here = (event.seq, steps, known as u32);
        self.recent.push_back(self.here);
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }

    fn go(&mut self, seq: u32) {
        if self.away == Some(seq) || (self.away.is_none() && self.here.0 == seq) {
            return;
        }
        let known = self.recent.binary_search_by_key(&seq, |it| it.0);
        let known = known.ok().and_then(|at| self.recent.get(at));
        self.away = known.is_none().then_some(seq);
        if let Some(known) = known {
            self.here = *known;
        }
    }
}

/// Hands over the events of the steps that lead to a position, in their order. The run is read from its first event.
///
/// # Errors
/// It cannot be read, or not that far.
pub fn along(folder: &Path, to: u32, each: &mut dyn FnMut(&Event)) -> Result<(), Diagnostic> {
    let mut parents = Vec::new();
    every(folder, to, &mut |event| parents.push(event.parent))?;
    let mut on_the_way = vec![false; parents.len()];
    let mut at = Some(to);
    while let Some(seq) = at {
        // Parents are always earlier events, so this ends.
        if let Some(it) = on_the_way.get_mut(seq as usize) {
            *it = true;
        }
        at = parents.get(seq as usize).copied().flatten();
    }
    every(folder, to, &mut |event| {
        if on_the_way.get(event.seq as usize) == Some(&true) && event.body.makes_position() {
            each(event);
        }
    })
}

/// Hands over every event up to one.
fn every(folder: &Path, to: u32, each: &mut dyn FnMut(&Event)) -> Result<(), Diagnostic> {
    let path = folder.join(EVENTS_FILE);
    let name = path.display().to_string();
    let mut tail = Tail::new(path, 0);
    let mut reader = EventReader::default();
    loop {
        let bytes = tail.more();
        let bytes = bytes.map_err(|e| files::failed(&e).in_file(&name))?;
        let lines = reader.more(&bytes.unwrap_or_default());
        for event in lines.items.iter().take_while(|event| event.seq <= to) {
            each(event);
        }
        if lines.items.last().is_some_and(|event| event.seq >= to) {
            return Ok(());
        }
        let none = || Diagnostic::error("", format!("there is no event {to} to go back to"));
        if let Some(fault) = lines.findings.into_iter().next() {
            return Err(fault);
        }
        if lines.items.is_empty() {
            return Err(none().in_file(&name));
        }
    }
}

/// Whether somebody plays a run now: holds its lock. Changes nothing there.
pub fn is_running(folder: &Path) -> bool {
    is_taken(folder)
}

/// A run being followed: the same room however long it goes on.
#[derive(Debug)]
pub struct Follow {
    folder: PathBuf,
    reader: EventReader,
    stand: Stand,
    tail: Tail,
    signs: Tail,
    /// Whether somebody held the run when that was last looked at, and when that was, milliseconds since 1970.
    held: Option<(bool, u64)>,
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
            reader: EventReader::lean(),
            stand: Stand::default(),
            tail: Tail::new(folder.join(EVENTS_FILE), 0),
            signs: Tail::new(folder.join(LIVE_FILE), 0),
            held: None,
        }
    }

    /// The run's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// When events or signs were last written, as far as was seen.
    pub fn written(&self) -> Option<SystemTime> {
        self.tail.written.max(self.signs.written)
    }

    /// Steps from the start to where the run stands, and the goals that hold there.
    ///
    /// # Errors
    /// The run has gone back far, and its way there cannot be read.
    pub fn stand(&mut self) -> Result<(u32, &[u32]), Diagnostic> {
        if let Some(to) = self.stand.away.take() {
            self.stand.recent.clear();
            let Self { folder, stand, .. } = self;
            along(folder, to, &mut |event| stand.take(event))?;
        }
        let (_, steps, goals) = self.stand.here;
        let goals = self.stand.goals.get(goals as usize);
        Ok((steps, goals.map_or(&[], Vec::as_slice)))
    }

    /// What came since the last time.
    pub fn poll(&mut self) -> News {
        let mut news = News::default();
        self.read(&mut news);
        let silent = news.events.is_empty() && news.signs.is_empty();
        let now = clock::unix_ms();
        news.running = match self.held {
            // Whoever writes goes on.
            Some((true, _)) if !silent => true,
            Some((held, at)) if silent && now.wrapping_sub(at) < LOCK => held,
            _ => {
                let held = is_taken(&self.folder);
                self.held = Some((held, now));
                if !held {
                    // What its holder wrote before letting go.
                    self.read(&mut news);
                }
                held
            }
        };
        news
    }

    /// Adds what came to the news.
    fn read(&mut self, news: &mut News) {
        let fault = |e: &io::Error, file: &str| {
            files::failed(e).in_file(&self.folder.join(file).display().to_string())
        };
        let found = match self.tail.more() {
            Ok(Some(bytes)) if bytes.is_empty() => None,
            Ok(Some(bytes)) => {
                let lines = self.reader.more(&bytes);
                for event in &lines.items {
                    self.stand.take(event);
                }
                news.events.extend(lines.items);
                lines.findings.into_iter().next()
            }
            Ok(None) => {
                let d = Diagnostic::error("", "the file became shorter while it was followed");
                Some(d.in_file(EVENTS_FILE))
            }
            Err(e) => Some(fault(&e, EVENTS_FILE)),
        };
        let signs = match self.signs.more() {
            Ok(Some(bytes)) => {
                let text = String::from_utf8_lossy(&bytes);
                news.signs.extend(text.lines().filter_map(Sign::read));
                None
            }
            // Begun anew: the next look reads it from the top.
            Ok(None) => None,
            Err(e) => Some(fault(&e, LIVE_FILE)),
        };
        news.fault = news.fault.take().or(found).or(signs);
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
