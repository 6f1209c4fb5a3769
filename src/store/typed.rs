//! Arenas of typed plans on disk: read line by line, so that a file with far too many is refused at the first too many.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use crate::arena::advplan::file::{LONGEST_LINE, PLANS_FILE, Reader, TypedArena, sniff};
use crate::base::diag::Diagnostic;
use crate::store::files::{self, failed};

/// The most bytes that are read of a file.
const MOST: u64 = 4 * files::LARGEST;

/// Lines of a file, each without its end.
#[derive(Debug)]
pub struct Lines {
    name: String,
    from: BufReader<std::io::Take<File>>,
    buffer: Vec<u8>,
}

impl Lines {
    /// Opens a file, of which at most so many bytes are read.
    ///
    /// # Errors
    /// It cannot be opened, or is no plain file.
    pub fn open(path: &Path, most: u64) -> Result<Self, Diagnostic> {
        let name = path.display().to_string();
        let fault = |e: &std::io::Error| failed(e).in_file(&name);
        // A pipe or device could block or never end.
        if !std::fs::metadata(path).map_err(|e| fault(&e))?.is_file() {
            return Err(Diagnostic::error("", "this is no plain file")
                .help("name a file")
                .in_file(&name));
        }
        let file = File::open(path).map_err(|e| fault(&e))?;
        Ok(Self {
            from: BufReader::new(file.take(most)),
            name,
            buffer: Vec::new(),
        })
    }

    /// The next line; of one that is longer than any may be, a beginning that is too long as well.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, Diagnostic> {
        self.buffer.clear();
        let mut limited = (&mut self.from).take(LONGEST_LINE as u64 + 2);
        let n = limited
            .read_until(b'\n', &mut self.buffer)
            .map_err(|e| failed(&e).in_file(&self.name))?;
        if n == 0 {
            return Ok(None);
        }
        let line = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }
}

/// The file of typed plans that a path means: the file itself, or that in a folder of the benchmark. `None` where it is
/// something else.
pub fn meant(path: &Path) -> Option<PathBuf> {
    let inside = path.join(PLANS_FILE);
    if inside.is_file() {
        return Some(inside);
    }
    let named = path.file_name().is_some_and(|n| n == PLANS_FILE);
    let looks = || {
        let mut lines = Lines::open(path, MOST).ok()?;
        loop {
            let line = lines.next_line().ok()??;
            if !line.trim_ascii().is_empty() {
                return Some(sniff(line));
            }
        }
    };
    let is = path.is_file() && (named || looks() == Some(true));
    is.then(|| path.to_owned())
}

/// Reads an arena of typed plans.
///
/// # Errors
/// It cannot be read or is too large, or something in it is wrong, with line and field.
pub fn read(path: &Path) -> Result<TypedArena, Diagnostic> {
    let name = path.display().to_string();
    let mut lines = Lines::open(path, MOST)?;
    let large = std::fs::metadata(path).is_ok_and(|m| m.len() > MOST);
    let mut reader = Reader::default();
    let mut read = 0;
    while let Some(line) = lines.next_line()? {
        // The last line of a file that was not read to its end is torn.
        read += line.len() as u64 + 1;
        if large && read >= MOST {
            break;
        }
        reader.line(line).map_err(|d| d.in_file(&name))?;
    }
    if large {
        let most = MOST >> 20;
        let fault = Diagnostic::error("", format!("an arena has at most {most} MiB"));
        return Err(fault
            .help("keep the plans that matter, or make several files of it")
            .in_file(&name));
    }
    reader.finish().map_err(|d| d.in_file(&name))
}
