//! Reading texts of any size: some lines at a time, counting them, finding words in them. Nothing is read whole; a line
//! keeps its first `LINE` bytes, however long it is.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use flate2::read::GzDecoder;

use crate::base::diag::Diagnostic;
use crate::formats::page::{Body, Index, Mark, Row, Window};
use crate::store::{files, shipped};

/// Bytes of a line that are kept.
const LINE: usize = 16 << 10;

/// Bytes of a window, about; it ends early where its lines are long.
const WINDOW: usize = 1 << 20;

/// Lines between two marks of an index.
const EVERY: u64 = 1024;

/// Lines between two looks whether anybody still waits.
const LOOK: u64 = 4096;

/// A file of that path on the disk, else of that name in the program. A packed one is unpacked into memory.
///
/// # Errors
/// There is none, or it is no plain file.
pub fn open(path: &Path) -> Result<Body, Diagnostic> {
    let name = path.display().to_string();
    let fault = |e: &io::Error| files::failed(e).in_file(&name);
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_file() => {}
        Ok(_) => {
            let d = Diagnostic::error("", "this is no plain file").help("name a file");
            return Err(d.in_file(&name));
        }
        Err(e) => {
            return match shipped::find(&name) {
                Some(known) => Ok(Body::Bytes(Arc::from(known.bytes))),
                None => Err(fault(&e)),
            };
        }
    }
    if path.extension().is_some_and(|ending| ending == "gz") {
        let packed = files::read(path)?;
        let mut bytes = Vec::new();
        GzDecoder::new(packed.as_slice())
            .take(files::LARGEST)
            .read_to_end(&mut bytes)
            .map_err(|e| fault(&e))?;
        return Ok(Body::Bytes(bytes.into()));
    }
    Ok(Body::File(path.to_owned()))
}

/// How large a text is, in bytes.
///
/// # Errors
/// The file cannot be looked at any more.
pub fn size(body: &Body) -> Result<u64, Diagnostic> {
    match body {
        Body::Bytes(bytes) => Ok(bytes.len() as u64),
        Body::File(path) => std::fs::metadata(path)
            .map(|meta| meta.len())
            .map_err(|e| placed(body, &e).in_file(&path.display().to_string())),
    }
}

fn placed(body: &Body, e: &io::Error) -> Diagnostic {
    let name = match body {
        Body::File(path) => path.display().to_string(),
        Body::Bytes(_) => String::new(),
    };
    files::failed(e).in_file(&name)
}

fn reader(body: &Body, offset: u64) -> io::Result<Box<dyn BufRead>> {
    Ok(match body {
        Body::File(path) => {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(offset))?;
            Box::new(BufReader::with_capacity(256 << 10, file))
        }
        Body::Bytes(bytes) => {
            let mut bytes = Cursor::new(Arc::clone(bytes));
            bytes.set_position(offset);
            Box::new(bytes)
        }
    })
}

/// Reads a line; `keep` is called with its pieces. Bytes taken, 0 at the end of the text.
fn line(from: &mut dyn BufRead, mut keep: impl FnMut(&[u8])) -> io::Result<u64> {
    let mut taken = 0;
    loop {
        let bytes = from.fill_buf()?;
        if bytes.is_empty() {
            return Ok(taken);
        }
        let (piece, ended) = match bytes.iter().position(|b| *b == b'\n') {
            Some(at) => (bytes.get(..at).unwrap_or_default(), true),
            None => (bytes, false),
        };
        keep(piece);
        let used = piece.len() + usize::from(ended);
        from.consume(used);
        taken += used as u64;
        if ended {
            return Ok(taken);
        }
    }
}

/// The first bytes of the next line, without its end, and whether there are more; `None` at the end of the text.
fn row(from: &mut dyn BufRead) -> io::Result<Option<(Vec<u8>, bool)>> {
    let mut bytes = Vec::new();
    let mut cut = false;
    let taken = line(from, |piece| {
        let room = LINE.saturating_sub(bytes.len());
        cut |= piece.len() > room;
        bytes.extend(piece.iter().take(room));
    })?;
    if taken == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    Ok(Some((bytes, cut)))
}

/// Some lines from one on, found from a mark at or before it.
///
/// # Errors
/// The file cannot be read.
pub fn window(body: &Body, from: Mark, first: u64, count: usize) -> Result<Window, Diagnostic> {
    let read = || -> io::Result<Window> {
        let mut text = reader(body, from.offset)?;
        for _ in from.line..first {
            if line(text.as_mut(), |_| {})? == 0 {
                break;
            }
        }
        let mut window = Window {
            first,
            ..Window::default()
        };
        let mut bytes = 0;
        while window.rows.len() < count && bytes < WINDOW {
            let Some((text, cut)) = row(text.as_mut())? else {
                window.ends = true;
                return Ok(window);
            };
            bytes += text.len();
            window.rows.push(Row {
                text: String::from_utf8_lossy(&text).into_owned(),
                cut,
            });
        }
        window.ends = text.fill_buf()?.is_empty();
        Ok(window)
    };
    read().map_err(|e| placed(body, &e))
}

/// Counts the lines; `None` when nobody waits any more.
///
/// # Errors
/// The file cannot be read.
pub fn index(body: &Body, stop: &dyn Fn() -> bool) -> Result<Option<Index>, Diagnostic> {
    let read = || -> io::Result<Option<Index>> {
        let mut text = reader(body, 0)?;
        let (mut at, mut marks) = (Mark::default(), Vec::new());
        loop {
            if at.line.is_multiple_of(LOOK) && stop() {
                return Ok(None);
            }
            if at.line.is_multiple_of(EVERY) {
                marks.push(at);
            }
            let taken = line(text.as_mut(), |_| {})?;
            if taken == 0 {
                return Ok(Some(Index {
                    lines: at.line,
                    marks,
                }));
            }
            at = Mark {
                line: at.line + 1,
                offset: at.offset + taken,
            };
        }
    };
    read().map_err(|e| placed(body, &e))
}

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    /// The words; small letters stand for large ones too.
    pub words: &'a str,
    /// The line from which the next is looked for, or before which the last is.
    pub from: u64,
    /// Whether towards the end.
    pub forward: bool,
}

/// The nearest line with the words, looked for all around the text; `None` if there is none or nobody waits any more.
///
/// # Errors
/// The file cannot be read.
pub fn find(
    body: &Body,
    search: &Search<'_>,
    stop: &dyn Fn() -> bool,
) -> Result<Option<u64>, Diagnostic> {
    let read = || -> io::Result<Option<u64>> {
        let mut text = reader(body, 0)?;
        let (mut before, mut last) = (None, None);
        let mut at = 0;
        loop {
            if at % LOOK == 0 && stop() {
                return Ok(None);
            }
            let Some((bytes, _)) = row(text.as_mut())? else {
                break;
            };
            if has(&String::from_utf8_lossy(&bytes), search.words) {
                if at >= search.from && search.forward {
                    return Ok(Some(at));
                }
                // Forwards the first of all is taken once the end is reached, backwards the last before the cursor.
                if before.is_none() || (!search.forward && at < search.from) {
                    before = Some(at);
                }
                last = Some(at);
            }
            at += 1;
        }
        let found = before.filter(|at| search.forward || *at < search.from);
        Ok(found.or(last))
    };
    read().map_err(|e| placed(body, &e))
}

/// Whether a line has the words: as they are where they have a capital, else whatever the case.
fn has(line: &str, words: &str) -> bool {
    if words.chars().any(char::is_uppercase) {
        line.contains(words)
    } else {
        line.to_ascii_lowercase()
            .contains(&words.to_ascii_lowercase())
    }
}

#[cfg(test)]
mod tests;
