//! Recordings of all that was said to models and by them, so that a run can be played again without a network.
//!
//! A recording is a file of JSON lines: first its version, then each message once, and each call with the messages it
//! consisted of, what of the settings shapes the reply, the turn it belongs to, and the pieces of the reply. No time, address, header or key is
//! in it. See `line.rs` for the form.
//!
//! A tape that records plays as well: what it holds and was not played yet goes before the network. So a run that was
//! killed between a reply and the step that followed it gets the same reply when it is resumed. Who resumes calls
//! [`Tape::skip`] for each call whose answer was kept. A failure that is left over so is no reply: the call is made
//! again, and a line says that the failure does not count any more. One process at a time records into a file.

use std::collections::{BTreeMap, VecDeque};
use std::fs::TryLockError;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use fs_err as fs;

use crate::agent::chat::{
    Failure, FailureKind, Message, Piece, Reply, Request, Schema, Seat, Turn,
};
use crate::base::diag::Diagnostic;
use crate::llm::settings::Settings;

mod differ;
mod line;

use line::Line;

/// What is asked: everything that shapes the reply, and to which turn of which run it belongs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asked {
    seat: Seat,
    kind: String,
    model: String,
    temperature: Option<f64>,
    seed: Option<u64>,
    max_tokens: Option<u32>,
    structured: bool,
    schema: Option<Schema>,
    messages: Vec<Message>,
    /// No part of what makes two calls the same.
    turn: Option<Turn>,
}

impl Asked {
    /// What a request asks under these settings.
    pub(super) fn new(settings: &Settings, request: &Request) -> Self {
        Self {
            seat: request.seat,
            kind: settings.kind.id.to_owned(),
            model: settings.model.clone(),
            temperature: settings.temperature,
            seed: settings.seed,
            max_tokens: request.max_tokens.or(settings.max_tokens),
            structured: settings.structured,
            schema: request.schema.clone(),
            messages: request.messages.clone(),
            turn: request.turn.clone(),
        }
    }
}

/// A recorded call, played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    /// The pieces of the reply as they came.
    pub(super) pieces: Vec<Piece>,
    /// What became of it.
    pub(super) outcome: Result<Reply, Failure>,
}

/// A recording: to play, or to play and add to.
#[derive(Debug)]
pub struct Tape(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    calls: Vec<Call>,
    /// The calls of each hash that were not played yet, oldest first.
    unplayed: BTreeMap<String, VecDeque<usize>>,
    /// The messages in the file, by their names there.
    messages: BTreeMap<String, Message>,
    /// Where calls are added.
    file: Option<fs::File>,
    /// The bytes of it that are whole.
    length: u64,
}

#[derive(Debug)]
struct Call {
    asked: Asked,
    taken: Taken,
    state: State,
}

/// What is to become of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Unplayed,
    Played,
    /// A failure that was followed by another attempt of the same call.
    Dropped,
}

impl Tape {
    /// A recording to play. The findings tell of a line at its end that was torn when the recorder was killed.
    ///
    /// # Errors
    /// It cannot be read, is of another version, or what is wrong in it with line and field.
    pub fn play(path: &Path) -> Result<(Self, Vec<Diagnostic>), Diagnostic> {
        let shown = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|err| unread(&shown, &err))?;
        let (inner, _, findings) = Inner::read(&text, &shown)?;
        Ok((Self(Mutex::new(inner)), findings))
    }

    /// A recording to add to, new or begun before. A torn line at its end is removed and told.
    ///
    /// # Errors
    /// As [`Tape::play`]; or the file cannot be written.
    pub fn record(path: &Path) -> Result<(Self, Vec<Diagnostic>), Diagnostic> {
        let shown = path.display().to_string();
        let mut file = fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(|err| unread(&shown, &err))?;
        match file.file().try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(
                    Diagnostic::error("", "somebody else records into this file")
                        .help("name another file, or wait")
                        .in_file(&shown),
                );
            }
            // Where there are no locks there is nobody to keep out.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut text = String::new();
        file.read_to_string(&mut text)
            .map_err(|err| unread(&shown, &err))?;
        let (mut inner, whole, findings) = Inner::read(&text, &shown)?;
        if whole == 0 && !line::head().starts_with(&text) {
            // Cutting it would destroy a file of somebody else.
            return Err(Diagnostic::error("", "this is no recording")
                .help("name another file")
                .in_file(&shown));
        }
        inner.length = if whole == 0 {
            line::head().len()
        } else {
            whole
        } as u64;
        let ready = file
            .set_len(whole as u64)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .and_then(|_| {
                if whole == 0 {
                    file.write_all(line::head().as_bytes())
                } else {
                    Ok(())
                }
            });
        ready.map_err(|err| unread(&shown, &err))?;
        inner.file = Some(file);
        Ok((Self(Mutex::new(inner)), findings))
    }

    /// Counts a call as played whose answer a resumed run has kept: the oldest such call that was not.
    pub fn skip(&self, settings: &Settings, request: &Request) {
        self.skip_asked(&Asked::new(settings, request));
    }

    fn skip_asked(&self, asked: &Asked) {
        let mut inner = self.inner();
        let hash = line::hash(asked);
        if let Some(at) = inner.next(&hash, asked.turn.as_ref()) {
            inner.mark(at, State::Played);
        }
    }

    /// How many calls it holds, and how many of them were not played.
    pub fn calls(&self) -> (usize, usize) {
        let inner = self.inner();
        let count = |f: fn(State) -> bool| inner.calls.iter().filter(|call| f(call.state)).count();
        (
            count(|state| state != State::Dropped),
            count(|state| state == State::Unplayed),
        )
    }

    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays the call: of those with the same words the oldest of the same turn that was not played yet, else the oldest
    /// that belongs to no turn.
    ///
    /// # Errors
    /// There is none: what differs from the nearest one. Or a recording cannot be written.
    pub(super) fn take(&self, asked: &Asked) -> Result<Taken, Failure> {
        let mut inner = self.inner();
        let hash = line::hash(asked);
        while let Some(at) = inner.next(&hash, asked.turn.as_ref()) {
            let taken = inner.calls.get(at).map(|call| call.taken.clone());
            match taken {
                Some(taken) if inner.file.is_none() || taken.outcome.is_ok() => {
                    inner.mark(at, State::Played);
                    return Ok(taken);
                }
                _ => {
                    inner.mark(at, State::Dropped);
                    inner.write(&line::dropped(at))?;
                }
            }
        }
        Err(not_recorded(inner.missing(asked)))
    }

    /// Adds a call.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(
        &self,
        asked: &Asked,
        pieces: Vec<Piece>,
        outcome: Result<&Reply, &Failure>,
    ) -> Result<(), Failure> {
        let mut inner = self.inner();
        let taken = Taken {
            pieces,
            outcome: outcome.cloned().map_err(Clone::clone),
        };
        let (text, messages) = line::write(asked, &taken, &inner.messages);
        inner.write(&text)?;
        inner.messages.extend(messages);
        inner.calls.push(Call {
            asked: asked.clone(),
            taken,
            state: State::Played,
        });
        Ok(())
    }
}

impl Inner {
    /// What a file holds; the bytes up to the end of its last whole line; findings.
    fn read(text: &str, shown: &str) -> Result<(Self, usize, Vec<Diagnostic>), Diagnostic> {
        let mut inner = Self::default();
        let mut findings = Vec::new();
        let mut whole = 0;
        for (at, full) in text.split_inclusive('\n').enumerate() {
            let number = at as u32 + 1;
            let placed = |fault: Diagnostic| fault.in_file(shown).at(number, None);
            let Some(text) = full.strip_suffix('\n') else {
                let torn = Diagnostic::warning("", "the last line is not whole and was left out");
                findings.push(placed(torn));
                break;
            };
            match line::read(text, at == 0, &inner.messages).map_err(placed)? {
                Line::Head => {}
                Line::Message(name, message) => {
                    inner.messages.insert(name, message);
                }
                Line::Call(asked, taken) => inner.put(*asked, taken),
                Line::Dropped(at) => inner.mark(at, State::Dropped),
            }
            whole += full.len();
        }
        Ok((inner, whole, findings))
    }

    /// The call to be played for a turn, of those of a hash: one of the same turn, else one that was recorded without, as
    /// older recordings have them. Whoever asks without a turn gets the oldest.
    fn next(&self, hash: &str, turn: Option<&Turn>) -> Option<usize> {
        let waiting = self.unplayed.get(hash)?;
        let of = |at: &usize| {
            self.calls
                .get(*at)
                .and_then(|call| call.asked.turn.as_ref())
        };
        let Some(turn) = turn else {
            return waiting.front().copied();
        };
        let same = waiting.iter().find(|at| of(at) == Some(turn));
        same.or_else(|| waiting.iter().find(|at| of(at).is_none()))
            .copied()
    }

    fn put(&mut self, asked: Asked, taken: Taken) {
        let hash = line::hash(&asked);
        self.unplayed
            .entry(hash)
            .or_default()
            .push_back(self.calls.len());
        self.calls.push(Call {
            asked,
            taken,
            state: State::Unplayed,
        });
    }

    fn mark(&mut self, at: usize, state: State) {
        let Some(call) = self.calls.get_mut(at) else {
            return;
        };
        call.state = state;
        if let Some(calls) = self.unplayed.get_mut(&line::hash(&call.asked)) {
            calls.retain(|other| *other != at);
        }
    }

    /// Adds lines to the file, if there is one, in one write: a kill leaves whole lines and at most one torn one.
    fn write(&mut self, text: &str) -> Result<(), Failure> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        if let Err(err) = file.write_all(text.as_bytes()) {
            // What was written of it would be torn in the middle of the file.
            let _ = file.set_len(self.length);
            let _ = file.seek(SeekFrom::Start(self.length));
            return Err(not_recorded(format!(
                "the recording cannot be written: {err}; free some space or record elsewhere"
            )));
        }
        self.length += text.len() as u64;
        Ok(())
    }

    /// Why a call cannot be played.
    fn missing(&self, asked: &Asked) -> String {
        let hash = line::hash(asked);
        let same = || self.calls.iter().filter(|c| line::hash(&c.asked) == hash);
        let others = same().filter(|call| call.state == State::Unplayed).count();
        if let Some(turn) = asked.turn.as_ref().filter(|_| others > 0) {
            return format!(
                "the recording holds this call for other turns, but not for turn {} of {}; record again",
                turn.n + 1,
                turn.task
            );
        }
        let same = same().count();
        if same > 0 {
            return format!(
                "the recording holds this call {same} times and all were played; record again"
            );
        }
        // Of equally near ones the oldest, and one that was not played before one that was.
        let nearest = self.calls.iter().enumerate().max_by_key(|(at, call)| {
            (
                differ::shared(asked, &call.asked),
                call.state == State::Unplayed,
                std::cmp::Reverse(*at),
            )
        });
        match nearest {
            None => "the recording holds no call; record again".to_owned(),
            Some((at, call)) => format!(
                "the recording holds no such call; the nearest is its call {}: {}; record again",
                at + 1,
                differ::told(asked, &call.asked)
            ),
        }
    }
}

fn not_recorded(message: String) -> Failure {
    Failure {
        kind: FailureKind::NotRecorded,
        message,
    }
}

fn unread(shown: &str, err: &std::io::Error) -> Diagnostic {
    Diagnostic::error("", format!("the recording cannot be opened: {err}")).in_file(shown)
}

#[cfg(test)]
mod tests;
