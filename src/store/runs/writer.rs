//! Writing a run: begun whole or not at all, then one synced line an event.

use std::fmt::{self, Write as _};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};
use fs_err as fs;
use rustix::rand::{GetRandomFlags, getrandom};

use crate::agent::sign::Spent;
use crate::base::diag::Diagnostic;
use crate::base::fold::StateHash;
use crate::formats::run::{
    EVENTS_FILE, ForkedFrom, HEADER_FILE, Header, MAX_LINE, NOTES_FILE, Note, NoteBody, event_line,
    note_line, read_notes, write_header,
};
use crate::formats::scene::{self, SceneFile};
use crate::formats::task as task_file;
use crate::sim::vocab::Profile;
use crate::store::clock::{self, Watch};
use crate::store::disk::Disk;
use crate::store::log::{Lines as _, Log};
use crate::store::{durable, files};
use crate::task::episode::Event;
use crate::task::{SceneRef, Task};

use super::lock::{Asked, LOCK_FILE, Lock, is_taken};
use super::reader::{SCENE_FILE, SavedRun, TIMING_FILE};

/// The prefix of a run's folder while it is being made.
pub(super) const MAKING: &str = ".new-";

/// What a new run is about.
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'r> {
    /// Who acts, such as `human`.
    pub agent: &'r str,
    /// The task.
    pub task: &'r Task,
    /// Its scene before the task's changes.
    pub base: &'r SceneFile,
    /// The profile of the world.
    pub profile: Profile,
    /// The run it goes on from.
    pub forked_from: Option<&'r ForkedFrom>,
    /// How an agent is set up, as JSON text; `None` for a person who plays.
    pub player: Option<&'r str>,
}

/// A run being written. Dropping it lets the next writer in.
#[derive(Debug)]
pub struct RunWriter {
    folder: PathBuf,
    header: Header,
    disk: Disk,
    events: Log,
    timing: Log,
    watch: Watch,
    /// The number of the last event on the disk.
    saved: Option<u32>,
    /// The number of the last event handed over.
    last: Option<u32>,
    _lock: Lock,
}

/// Events that could not be written. They wait: the next append or [`RunWriter::flush`] tries again.
#[derive(Debug)]
pub struct NotSaved {
    /// The file.
    pub file: PathBuf,
    /// Why.
    pub cause: io::Error,
    /// How many lines wait.
    pub waiting: usize,
}

impl fmt::Display for NotSaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cure = match self.cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "make room: writing goes on by itself"
            }
            _ => "writing is tried again with the next step",
        };
        let lines = match self.waiting {
            1 => "1 event waits".to_owned(),
            n => format!("{n} events wait"),
        };
        let file = self.file.display();
        write!(f, "{file}: not saved: {}; {lines}; {cure}", self.cause)
    }
}

impl std::error::Error for NotSaved {}

/// How a run was opened.
#[derive(Debug)]
pub struct Opened {
    /// What it holds.
    pub run: SavedRun,
    /// What may be done with it.
    pub access: Access,
}

/// What may be done with an opened run.
#[derive(Debug)]
pub enum Access {
    /// It can be gone on with.
    Write(Box<RunWriter>),
    /// It can only be looked at, for this reason.
    ReadOnly(String),
}

impl RunWriter {
    /// Begins a run in a folder of runs: its folder appears whole, with these events in it, or not at all.
    ///
    /// # Errors
    /// It could not be made; nothing is left behind.
    pub fn create(root: &Path, new: NewRun<'_>, events: &[Event]) -> Result<Self, Diagnostic> {
        Self::create_on(&Disk::default(), root, new, events)
    }

    /// As [`Self::create`], on a disk.
    ///
    /// # Errors
    /// As there.
    pub fn create_on(
        disk: &Disk,
        root: &Path,
        new: NewRun<'_>,
        events: &[Event],
    ) -> Result<Self, Diagnostic> {
        let fault = |e: &io::Error| {
            let d = files::failed(e);
            Diagnostic {
                message: format!("the run cannot be begun: {}", d.message),
                help: "make room or name another folder with --runs".to_owned(),
                ..d
            }
            .in_file(&root.display().to_string())
        };
        disk.folders(root).map_err(|e| fault(&e))?;
        sweep(root);
        let text = scene::write(new.base);
        let mut tries = 0;
        loop {
            tries += 1;
            let header = header(&new, events, &text).map_err(|e| fault(&e))?;
            match Making::begin(disk, root, header) {
                Ok(making) => match making.finish(&text, events) {
                    // It was swept away by one that had opened its lock before it was held.
                    Err(e) if tries < 8 && e.kind() == io::ErrorKind::NotFound => {}
                    made => return made.map_err(|e| fault(&e)),
                },
                // Another process made the same name, or swept this one away: take a new name.
                Err(e)
                    if tries < 8
                        && matches!(
                            e.kind(),
                            io::ErrorKind::AlreadyExists
                                | io::ErrorKind::NotFound
                                | io::ErrorKind::WouldBlock
                        ) => {}
                Err(e) => return Err(fault(&e)),
            }
        }
    }

    /// The header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The run's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The number of the last event that is on the disk; what a screen may show as saved.
    pub const fn saved(&self) -> Option<u32> {
        self.saved
    }

    /// Appends events. When this returns they are on the disk.
    ///
    /// # Errors
    /// They are not, and wait; the file holds what was acknowledged before.
    pub fn append(&mut self, events: &[Event]) -> Result<(), NotSaved> {
        let (Some(first), Some(last)) = (events.first(), events.last()) else {
            return Ok(());
        };
        let refuse = |why: String| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        let due = self.last.map_or(0, |last| last + 1);
        if first.seq != due {
            return self.acknowledge(refuse(format!("event {} where {due} is due", first.seq)));
        }
        let lines: Vec<String> = events.iter().map(event_line).collect();
        if let Some(long) = lines.iter().find(|l| l.len() > MAX_LINE) {
            let why = format!("an event of {} bytes could not be read back", long.len());
            return self.acknowledge(refuse(why));
        }
        self.last = Some(last.seq);
        let lines = lines.concat();
        let written = self.events.append(&lines);
        self.acknowledge(written)?;
        let t = self.watch.ms();
        let mut times = String::new();
        for event in events {
            let _ = writeln!(times, "{{\"seq\":{},\"t_ms\":{t}}}", event.seq);
        }
        // Times may be lost; if the disk is full the next event says so.
        let _ = self.timing.append(&times);
        Ok(())
    }

    /// Notes beside an event what the call of a model took that led to it. May be lost, as times may.
    pub fn spent(&mut self, seq: u32, spent: &Spent) {
        let mut value = spent.json();
        if let Some(fields) = value.as_object_mut() {
            fields.insert("seq".to_owned(), seq.into());
        }
        let _ = self.timing.append(&format!("{value}\n"));
    }

    /// Tries to write what waits.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub fn flush(&mut self) -> Result<(), NotSaved> {
        let written = self.events.flush();
        self.acknowledge(written)
    }

    fn acknowledge(&mut self, written: io::Result<()>) -> Result<(), NotSaved> {
        match written {
            Ok(()) => {
                self.saved = self.last;
                Ok(())
            }
            Err(cause) => Err(NotSaved {
                file: self.folder.join(EVENTS_FILE),
                cause,
                waiting: self.events.waiting(),
            }),
        }
    }

    /// Files a note on the run.
    ///
    /// # Errors
    /// It could not be written, and does not wait.
    pub fn note(&mut self, body: NoteBody) -> Result<Note, Diagnostic> {
        write_note(&self.disk, &self.folder, body)
    }
}

/// Files a note on a run that nobody else has open for writing.
///
/// # Errors
/// Somebody has, or it could not be written.
pub fn add_note(folder: &Path, body: NoteBody) -> Result<Note, Diagnostic> {
    let name = folder.display().to_string();
    match Lock::ask(folder) {
        Ok(Asked::Held(_lock)) => write_note(&Disk::default(), folder, body),
        Ok(Asked::Taken) => Err(Diagnostic::error("", IN_USE)
            .help("file the note there, or close it first")
            .in_file(&name)),
        Err(e) => Err(files::failed(&e).in_file(&name)),
    }
}

fn write_note(disk: &Disk, folder: &Path, body: NoteBody) -> Result<Note, Diagnostic> {
    let path = folder.join(NOTES_FILE);
    let fault = |e: &io::Error| {
        let d = files::failed(e).in_file(&path.display().to_string());
        Diagnostic {
            message: format!("the note is not saved: {}", d.message),
            ..d
        }
    };
    let new = !path.exists();
    let file = disk.open(&path).map_err(|e| fault(&e))?;
    let bytes = files::read(&path)?;
    let known = read_notes(&bytes);
    // A damaged line in the middle stays; an unfinished last one is cut.
    let (good, open_end) = if known.torn {
        (known.good as u64, known.open_end)
    } else {
        (
            bytes.len() as u64,
            bytes.last().is_some_and(|&b| b != b'\n'),
        )
    };
    let note = Note {
        seq: known.items.iter().map(|n| n.seq + 1).max().unwrap_or(0),
        created: clock::now().to_string(),
        body,
        extra: Vec::new(),
    };
    let mut log = Log::new(file, good, open_end);
    log.append(&note_line(&note)).map_err(|e| fault(&e))?;
    if new {
        disk.sync_folder(folder).map_err(|e| fault(&e))?;
    }
    Ok(note)
}

/// Opens a run to go on with it, or read only where that cannot be: another instance has it, it cannot be written, or
/// it is damaged.
///
/// # Errors
/// It cannot be read at all.
pub fn open(folder: &Path) -> Result<Opened, Diagnostic> {
    open_on(&Disk::default(), folder)
}

/// As [`open`], on a disk.
///
/// # Errors
/// As there.
pub fn open_on(disk: &Disk, folder: &Path) -> Result<Opened, Diagnostic> {
    // First the lock: what is read afterwards nobody else changes.
    let asked = Lock::ask(folder);
    let run = SavedRun::read(folder)?;
    let access = match asked {
        Ok(Asked::Taken) => Access::ReadOnly(IN_USE.to_owned()),
        Err(e) => Access::ReadOnly(format!("the run cannot be written: {e}")),
        Ok(Asked::Held(lock)) => match unwritable(&run) {
            Some(reason) => Access::ReadOnly(reason),
            None => match RunWriter::go_on(disk, &run, lock) {
                Ok(writer) => Access::Write(Box::new(writer)),
                Err(e) => Access::ReadOnly(format!("the run cannot be written: {e}")),
            },
        },
    };
    Ok(Opened { run, access })
}

/// Why a run that was read could not be written to now, if so: another instance has it, or it is damaged.
pub fn read_only(run: &SavedRun) -> Option<String> {
    if is_taken(&run.folder) {
        return Some(IN_USE.to_owned());
    }
    unwritable(run)
}

/// Why a second instance gets a run read only.
const IN_USE: &str = "another instance has this run open";

/// Why a run must not be written to, if so. An unfinished last line is no reason: it was never acknowledged.
fn unwritable(run: &SavedRun) -> Option<String> {
    if run.is_foreign() {
        return Some("it was recorded by others: there is no world to go on in".to_owned());
    }
    if run.events.torn || run.events.findings.is_empty() {
        return None;
    }
    run.events.findings.first().map(ToString::to_string)
}

impl RunWriter {
    fn go_on(disk: &Disk, run: &SavedRun, lock: Lock) -> io::Result<Self> {
        let path = run.folder.join(EVENTS_FILE);
        keep_cut(disk, &path, run.events.good as u64)?;
        let events = fs::OpenOptions::new().write(true).open(&path)?;
        let events = disk.opened(events, &path);
        let path = run.folder.join(TIMING_FILE);
        let mut timing = disk.open(&path)?;
        let (length, last) = (timing.length()?, timing.last()?);
        let timing_open = last.is_some_and(|last| last != b'\n');
        let last = run.events.items.last().map(|e| e.seq);
        Ok(Self {
            folder: run.folder.clone(),
            header: run.header.clone(),
            disk: disk.clone(),
            events: Log::new(events, run.events.good as u64, run.events.open_end),
            timing: Log::new(timing, length, timing_open).unsynced(),
            watch: Watch::since(&run.header.created),
            saved: last,
            last,
            _lock: lock,
        })
    }
}

/// Keeps beside the events what is to be cut off them, where it is more than an unfinished line: nobody was told that it
/// was written, but a disk that lies could have lost it later.
fn keep_cut(disk: &Disk, events: &Path, good: u64) -> io::Result<()> {
    let mut file = fs::File::open(events)?;
    file.seek(SeekFrom::Start(good))?;
    let mut rest = Vec::new();
    file.read_to_end(&mut rest)?;
    if !rest.contains(&b'\n') || rest == b"\n" {
        return Ok(());
    }
    let mut file = disk.open(&events.with_file_name(CUT_FILE))?;
    let length = file.length()?;
    file.write_all_at(&rest, length)?;
    file.sync()
}

/// What was cut off the events of a run when it was gone on with after a loss of power, as it was.
const CUT_FILE: &str = "events.cut";

/// A run's folder under its temporary name.
struct Making {
    disk: Disk,
    root: PathBuf,
    folder: PathBuf,
    header: Header,
    lock: Lock,
}

impl Making {
    fn begin(disk: &Disk, root: &Path, header: Header) -> io::Result<Self> {
        let folder = root.join(format!("{MAKING}{}", header.id));
        disk.folder(&folder)?;
        let Asked::Held(lock) = Lock::ask(&folder)? else {
            return Err(io::ErrorKind::WouldBlock.into());
        };
        Ok(Self {
            disk: disk.clone(),
            root: root.to_owned(),
            folder,
            header,
            lock,
        })
    }

    fn finish(self, scene: &str, events: &[Event]) -> io::Result<RunWriter> {
        let made = self.fill(scene, events);
        if made.is_err() {
            // The error that matters is the first one.
            let _ = self.disk.clear(&self.folder);
        }
        let folder = made?;
        let run = |file: &str| {
            let path = folder.join(file);
            let opened = fs::OpenOptions::new().write(true).open(&path)?;
            Ok::<_, io::Error>(self.disk.opened(opened, &path))
        };
        let (log, timing) = (run(EVENTS_FILE)?, run(TIMING_FILE)?);
        let good = log.length()?;
        let last = events.last().map(|e| e.seq);
        Ok(RunWriter {
            events: Log::new(log, good, false),
            timing: Log::new(timing, 0, false).unsynced(),
            watch: Watch::since(&self.header.created),
            header: self.header,
            disk: self.disk,
            folder,
            saved: last,
            last,
            _lock: self.lock,
        })
    }

    /// Writes and syncs everything, then gives the folder its name.
    fn fill(&self, scene: &str, events: &[Event]) -> io::Result<PathBuf> {
        let file = |name: &str| self.folder.join(name);
        let (disk, folder) = (&self.disk, self.root.join(&self.header.id));
        durable::write_on(disk, &file(SCENE_FILE), &pack(scene)?)?;
        let lines: String = events.iter().map(event_line).collect();
        durable::write_on(disk, &file(EVENTS_FILE), lines.as_bytes())?;
        disk.create(&file(TIMING_FILE))?;
        let header = write_header(&self.header);
        durable::write_on(disk, &file(HEADER_FILE), header.as_bytes())?;
        disk.sync_folder(&self.folder)?;
        disk.rename(&self.folder, &folder)?;
        if let Err(e) = disk.sync_folder(&self.root) {
            // It has its name already and was not begun all the same. The error that matters is the first one.
            let _ = disk.clear(&folder);
            return Err(e);
        }
        Ok(folder)
    }
}

/// Removes what runs left behind that were killed while being made: folders under a temporary name whose lock nobody
/// holds. Best effort, it is only room.
fn sweep(root: &Path) {
    let Ok((_, folders)) = files::entries(root) else {
        return;
    };
    for folder in folders {
        if !super::name(&folder).starts_with(MAKING) {
            continue;
        }
        if !folder.join(LOCK_FILE).exists() {
            // Either just being made, then this fails or its maker takes another name, or left empty.
            let _ = fs::remove_dir(&folder);
        } else if let Ok(Asked::Held(_lock)) = Lock::ask(&folder) {
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

fn header(new: &NewRun<'_>, events: &[Event], scene: &str) -> io::Result<Header> {
    let now = clock::now();
    let mut random = [0_u8; 3];
    getrandom(&mut random, GetRandomFlags::empty())?;
    let [a, b, c] = random;
    let stamp = now.strftime("%Y%m%dT%H%M%SZ");
    let (task, agent) = (file_name(&new.task.id), file_name(new.agent));
    Ok(Header {
        id: format!("{task}-{agent}-{stamp}-{a:02x}{b:02x}{c:02x}"),
        created: now.to_string(),
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        dialect: new.task.dialect.clone(),
        profile: new.profile.id().to_owned(),
        agent: new.agent.to_owned(),
        task: task_file::write(new.task),
        scene: SceneRef {
            file: new.task.scene.file.clone(),
            sha256: files::sha256(scene.as_bytes()),
        },
        start_hash: events.first().map_or_else(StateHash::default, |e| e.hash),
        forked_from: new.forked_from.cloned(),
        player: new.player.map(str::to_owned),
        extra: Vec::new(),
    })
}

/// A word that is safe as part of a file name everywhere.
fn file_name(word: &str) -> String {
    let safe: String = word
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "._".contains(c) {
                c
            } else {
                '_'
            }
        })
        .take(40)
        .collect();
    match safe.trim_start_matches('.') {
        "" => "x".to_owned(),
        good => good.to_owned(),
    }
}

/// The same text gives the same bytes: no name, no time.
fn pack(text: &str) -> io::Result<Vec<u8>> {
    let mut gz = GzBuilder::new().write(Vec::new(), Compression::default());
    gz.write_all(text.as_bytes())?;
    gz.finish()
}
