//! Windows of a long run: what there is in its file of events, some events of it, and the moments from which a window can be
//! played again. Nothing is read whole.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use memchr::memmem;

use crate::base::diag::Diagnostic;
use crate::formats::run::survey::{Mark, Place, Sight, Survey};
use crate::formats::run::{EVENTS_FILE, EventReader, Lines, MAX_LINE};
use crate::safety::rule::Grade;
use crate::sim::timeline::Pos;
use crate::store::files;
use crate::task::episode::{Body, Drift, Episode, Event, Moment};

/// Bytes read at once.
const BUFFER: usize = 1 << 20;

/// Bytes between two looks whether anybody still waits, and two reports.
const LOOK: u64 = 8 << 20;

/// Events between two moments.
pub const BETWEEN: u32 = 512;

/// Moments until the past is forgotten: so far a run may go back.
const REMEMBERED: u32 = 16;

/// Events that are handed out at once.
const PART: usize = 64;

/// What is told while a long file is read.
pub trait Listener {
    /// Whether nobody waits any more.
    fn is_cancelled(&self) -> bool;
    /// So many of so many bytes are read.
    fn read(&self, bytes: u64, of: u64);
}

fn fault(folder: &Path) -> impl Fn(std::io::Error) -> Diagnostic {
    let name = folder.join(EVENTS_FILE).display().to_string();
    move |e| files::failed(&e).in_file(&name)
}

fn open(folder: &Path, offset: u64) -> Result<(BufReader<File>, u64), Diagnostic> {
    let fault = fault(folder);
    let mut file = File::open(folder.join(EVENTS_FILE)).map_err(&fault)?;
    let size = file.metadata().map_err(&fault)?.len();
    file.seek(SeekFrom::Start(offset)).map_err(&fault)?;
    Ok((BufReader::with_capacity(BUFFER, file), size))
}

/// The next line with its end; nothing where a last line lacks it: it may still be written.
fn next(from: &mut BufReader<File>, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    from.take(MAX_LINE as u64 + 1).read_until(b'\n', line)?;
    Ok(line.ends_with(b"\n"))
}

/// Looks through the file; `None` when nobody waits any more.
///
/// # Errors
/// The file cannot be read.
pub fn survey(folder: &Path, told: &dyn Listener) -> Result<Option<Survey>, Diagnostic> {
    let (mut from, size) = open(folder, 0)?;
    let (mut survey, mut at, mut looked) = (Survey::default(), 0_u64, 0);
    let mut long = Vec::new();
    loop {
        if at - looked >= LOOK {
            looked = at;
            told.read(at, size);
            if told.is_cancelled() {
                return Ok(None);
            }
        }
        let bytes = from.fill_buf().map_err(fault(folder))?;
        // Lines that lie whole in the buffer are looked at where they lie.
        let mut used = 0;
        for end in memchr::memchr_iter(b'\n', bytes) {
            survey.line(bytes.get(used..=end).unwrap_or_default());
            used = end + 1;
        }
        if used > 0 {
            from.consume(used);
            at += used as u64;
            continue;
        }
        if !next(&mut from, &mut long).map_err(fault(folder))? {
            return Ok(Some(survey));
        }
        survey.line(&long);
        at += long.len() as u64;
    }
}

/// Events from the one of a number on, found from a place at or before it, and how many positions were made before them.
///
/// # Errors
/// The file cannot be read.
pub fn events(
    folder: &Path,
    from: Place,
    (first, count): (u32, u32),
) -> Result<(Lines<Event>, u32), Diagnostic> {
    let (mut file, _) = open(folder, from.offset)?;
    let (mut line, mut bytes, mut positions) = (Vec::new(), Vec::new(), from.positions);
    for at in from.line..first.saturating_add(count) {
        if !next(&mut file, &mut line).map_err(fault(folder))? {
            break;
        }
        if at >= first {
            bytes.extend_from_slice(&line);
        } else if makes_position(&line) {
            positions += 1;
        }
    }
    let lines = EventReader::after(first).more(&bytes);
    Ok((lines, positions))
}

fn makes_position(line: &[u8]) -> bool {
    let head = line.get(..64).unwrap_or(line);
    [&b"\"kind\":\"step\""[..], b"\"kind\":\"start\""]
        .iter()
        .any(|kind| memmem::find(head, kind).is_some())
}

/// The event that made a position, found from a place at or before it.
///
/// # Errors
/// The file cannot be read.
pub fn event_of(folder: &Path, from: Place, position: u32) -> Result<Option<u32>, Diagnostic> {
    let (mut file, _) = open(folder, from.offset)?;
    let (mut line, mut positions, mut at) = (Vec::new(), from.positions, from.line);
    while next(&mut file, &mut line).map_err(fault(folder))? {
        if makes_position(&line) {
            if positions == position {
                return Ok(Some(at));
            }
            positions += 1;
        }
        at += 1;
    }
    Ok(None)
}

/// A part of what following a run found.
#[derive(Debug, Default)]
pub struct Followed {
    /// Moments to pick it up at.
    pub moments: Vec<Moment>,
    /// Steps that broke rules.
    pub marks: Vec<Mark>,
    /// Events that were followed.
    pub events: u32,
}

/// Plays a run again from its start, event by event, and hands out what it finds; nothing of it is kept. Why it could not be
/// followed to its end, if so.
///
/// # Errors
/// The file cannot be read.
pub fn follow(
    folder: &Path,
    start: &Episode,
    told: &dyn Listener,
    mut hand: impl FnMut(Followed),
) -> Result<Option<String>, Diagnostic> {
    let (mut from, size) = open(folder, 0)?;
    let mut reader = EventReader::lean();
    let (mut episode, mut part) = (start.clone(), Followed::default());
    let (mut line, mut at, mut looked) = (Vec::new(), 0_u64, 0);
    let (mut due, mut taken) = (BETWEEN, 0);
    let mut drifts: Vec<Drift> = Vec::new();
    while next(&mut from, &mut line).map_err(fault(folder))? {
        at += line.len() as u64;
        let lines = reader.more(&line);
        let Some(event) = lines.items.first() else {
            hand(part);
            return Ok(lines.findings.first().map(ToString::to_string));
        };
        episode.again(event, &mut drifts);
        if let Some(drift) = drifts.first() {
            // The kind of a refusal is asked of the whole past.
            use crate::task::episode::DriftKind::OtherKind;
            if !matches!(drift.kind, OtherKind(..)) {
                let why = drift.to_string();
                hand(part);
                return Ok(Some(why));
            }
            drifts.clear();
        }
        if matches!(event.body, Body::Step { .. }) {
            part.marks
                .extend(broke(&episode).map(|sight| (event.seq, sight)));
        }
        part.events = event.seq + 1;
        if part.events >= due
            && let Some(moment) = episode.moment(start)
        {
            due = part.events + BETWEEN;
            taken += 1;
            if taken % REMEMBERED == 0 {
                episode = start.at_moment(&moment);
            }
            part.moments.push(moment);
        }
        if at - looked >= LOOK || part.moments.len() >= PART {
            looked = at;
            told.read(at, size);
            if told.is_cancelled() {
                return Ok(None);
            }
            let events = part.events;
            hand(std::mem::take(&mut part));
            part.events = events;
        }
    }
    hand(part);
    Ok(None)
}

/// What the newest step broke.
fn broke(episode: &Episode) -> Option<Sight> {
    let here: Pos = episode.here();
    let ward = episode.lookout().ward();
    let broken = episode.broken_at(here);
    let worst = broken
        .iter()
        .map(|instance| ward.grade(instance.rule))
        .min()?;
    Some(match worst {
        Grade::Core => Sight::Violation,
        _ => Sight::Warning,
    })
}

/// The nearest event whose line has these words, from one on or before it: as they are where they have a capital, else
/// whatever the case. `None` where there is none in that direction, or nobody waits any more.
///
/// # Errors
/// The file cannot be read.
pub fn find(
    folder: &Path,
    survey: &Survey,
    (words, event, forward): (&str, u32, bool),
    told: &dyn Listener,
) -> Result<Option<u32>, Diagnostic> {
    let start = if forward {
        survey.before(event)
    } else {
        Place::default()
    };
    let (mut from, size) = open(folder, start.offset)?;
    let (mut line, mut seq, mut at, mut looked) =
        (Vec::new(), start.line, start.offset, start.offset);
    let exact = words.chars().any(char::is_uppercase);
    let low = words.to_ascii_lowercase();
    let finder = memmem::Finder::new(if exact { words } else { &low });
    let mut last = None;
    while (forward || seq < event) && next(&mut from, &mut line).map_err(fault(folder))? {
        if !exact {
            line.make_ascii_lowercase();
        }
        if seq >= event || !forward {
            let has = finder.find(&line).is_some();
            if has && forward {
                return Ok(Some(seq));
            }
            last = if has { Some(seq) } else { last };
        }
        at += line.len() as u64;
        seq += 1;
        if at - looked >= LOOK {
            looked = at;
            told.read(at, size);
            if told.is_cancelled() {
                return Ok(None);
            }
        }
    }
    Ok(last)
}
