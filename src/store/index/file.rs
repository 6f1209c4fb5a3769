//! The file an index is kept in: a line that says for what, then records that are only ever appended.
//!
//! A record is its length and CRC-32 (both little endian), then a kind and numbers of seven bits a byte. Words and facts
//! are defined before the first run that names them and are numbered in the order of the file. A later record of a run
//! replaces an earlier one. What is torn or damaged ends the part that is used; nothing here is worth more than the time
//! it takes to read the runs again.

use std::collections::BTreeMap;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs_err as fs;
use rustc_hash::FxHashMap;

use crate::query::gather::Start;
use crate::query::pool::{Pool, Sym};
use crate::query::row::{Coder, Row};
use crate::store::durable;

/// How the first line begins.
const MAGIC: &str = "vesta index of runs 1";

/// The kinds of records.
const WORDS: u8 = b'w';
const START: u8 = b's';
const ROW: u8 = b'r';
const GONE: u8 = b'g';

/// The largest file that is read, in bytes: more than a million runs.
const LARGEST: u64 = 2 << 30;

/// Records that replace nothing any more, beyond which a file is written anew.
const WASTE: usize = 256;

/// A file with what is needed to append to it.
#[derive(Debug)]
pub(super) struct IndexFile {
    path: PathBuf,
    head: String,
    /// The number of a word here, to that in the pool.
    words: Vec<Sym>,
    /// And back.
    back: FxHashMap<Sym, u32>,
    /// The same for facts runs began with, counted from 1.
    starts: Vec<u32>,
    starts_back: BTreeMap<u32, u32>,
    /// Bytes that can be used.
    good: u64,
    /// Records of runs in the file, and how many runs they are of.
    records: usize,
    live: usize,
    /// Held while this program may write.
    lock: Option<fs::File>,
    /// What waits to be appended.
    waiting: Vec<u8>,
}

/// What a file told.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The runs, by id.
    pub(super) rows: BTreeMap<Arc<str>, Row>,
    /// Why the file, or its end, is not used; nothing if all of it is.
    pub(super) why: Option<String>,
}

/// What all files share.
#[derive(Debug, Default)]
pub(super) struct Common {
    pub(super) pool: Pool,
    pub(super) starts: Vec<Start>,
    /// The number of a start by what tells it from others, from 1.
    pub(super) known: BTreeMap<String, u32>,
}

impl IndexFile {
    /// Reads a file, which may not be there. `key` says what its facts depend on beside the runs.
    pub(super) fn open(path: &Path, key: &str, common: &mut Common) -> (Self, Told) {
        let head = format!("{MAGIC} {key}\n");
        let lock = path.parent().and_then(|folder| {
            fs::create_dir_all(folder).ok()?;
            let lock = fs::File::create(path.with_extension("lock")).ok()?;
            lock.file().try_lock().ok()?;
            Some(lock)
        });
        let mut file = Self {
            path: path.to_owned(),
            words: vec![Sym::NONE],
            back: FxHashMap::default(),
            starts: vec![0],
            starts_back: BTreeMap::new(),
            good: 0,
            records: 0,
            live: 0,
            lock,
            waiting: Vec::new(),
            head,
        };
        let mut told = Told::default();
        let bytes = match read(path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return (file, told),
            Err(e) => {
                told.why = Some(format!("it cannot be read: {e}"));
                return (file, told);
            }
        };
        if !bytes.starts_with(file.head.as_bytes()) {
            let whole = bytes.starts_with(MAGIC.as_bytes());
            told.why = Some(if whole {
                "it was made by another version or with other rules".to_owned()
            } else {
                "it is no index of this version".to_owned()
            });
            return (file, told);
        }
        file.take(&bytes, common, &mut told);
        (file, told)
    }

    /// Whether this program may write it.
    pub(super) const fn is_ours(&self) -> bool {
        self.lock.is_some()
    }

    fn take(&mut self, bytes: &[u8], common: &mut Common, told: &mut Told) {
        let mut at = self.head.len();
        self.good = at as u64;
        while at < bytes.len() {
            let Some(payload) = record(bytes, at) else {
                let what = format!("it is damaged after byte {at}");
                told.why = Some(what);
                break;
            };
            let mut reader = Reader {
                bytes: payload,
                at: 1,
                broken: false,
                file: self,
            };
            match payload.first() {
                Some(&WORDS) => {
                    for _ in 0..reader.count() {
                        let word = reader.own_text();
                        let sym = common.pool.sym(&word);
                        let here = reader.file.words.len() as u32;
                        reader.file.words.push(sym);
                        reader.file.back.insert(sym, here);
                    }
                }
                Some(&START) => {
                    let key = reader.own_text();
                    let mut facts = Vec::new();
                    for _ in 0..reader.count() {
                        let mut sym = Sym::NONE;
                        reader.word(&mut sym);
                        let mut n = 0;
                        reader.number(&mut n);
                        facts.push((sym, u32::try_from(n).unwrap_or(u32::MAX)));
                    }
                    facts.sort_unstable();
                    let number = common.start(key, Start { facts });
                    let here = reader.file.starts.len() as u32;
                    reader.file.starts.push(number);
                    reader.file.starts_back.insert(number, here);
                }
                Some(&ROW) => {
                    let mut row = Row::default();
                    row.code(&mut reader);
                    if !reader.broken {
                        reader.file.records += 1;
                        told.rows.insert(Arc::clone(&row.id), row);
                    }
                }
                Some(&GONE) => {
                    let id = reader.own_text();
                    told.rows.remove(&*id);
                }
                _ => reader.broken = true,
            }
            if reader.broken {
                told.why = Some(format!("it is damaged after byte {at}"));
                break;
            }
            at += 8 + payload.len();
            self.good = at as u64;
        }
        self.live = told.rows.len();
    }

    /// Appends a run, when the file is saved.
    pub(super) fn put(&mut self, row: &Row, common: &Common, is_new: bool) {
        if !self.is_ours() {
            return;
        }
        let mut row = row.clone();
        let mut missing = Missing {
            file: self,
            words: Vec::new(),
            starts: Vec::new(),
        };
        row.code(&mut missing);
        let (words, starts) = (missing.words, missing.starts);
        self.define(&words, common);
        for number in starts {
            self.define_start(number, common);
        }
        let mut writer = Writer {
            bytes: vec![ROW],
            file: self,
        };
        row.code(&mut writer);
        let bytes = writer.bytes;
        self.push(&bytes);
        self.records += 1;
        self.live += usize::from(is_new);
    }

    /// Says that a run is not there any more, when the file is saved.
    pub(super) fn remove(&mut self, id: &str) {
        let mut bytes = vec![GONE];
        own_text(&mut bytes, id);
        self.push(&bytes);
        self.live = self.live.saturating_sub(1);
    }

    fn define(&mut self, words: &[Sym], common: &Common) {
        let mut new: Vec<Sym> = Vec::new();
        for sym in words {
            if sym.is_some() && !self.back.contains_key(sym) {
                self.back.insert(*sym, self.words.len() as u32);
                self.words.push(*sym);
                new.push(*sym);
            }
        }
        if new.is_empty() {
            return;
        }
        let mut bytes = vec![WORDS];
        number(&mut bytes, new.len() as u64);
        for sym in new {
            own_text(&mut bytes, common.pool.word(sym));
        }
        self.push(&bytes);
    }

    fn define_start(&mut self, start: u32, common: &Common) {
        let facts = start
            .checked_sub(1)
            .and_then(|at| common.starts.get(at as usize));
        let (Some(facts), false) = (facts, self.starts_back.contains_key(&start)) else {
            return;
        };
        let words: Vec<Sym> = facts.facts.iter().map(|(word, _)| *word).collect();
        self.define(&words, common);
        self.starts_back.insert(start, self.starts.len() as u32);
        self.starts.push(start);
        let key = common.known.iter().find(|(_, n)| **n == start);
        let mut bytes = vec![START];
        own_text(&mut bytes, key.map_or("", |(key, _)| key));
        number(&mut bytes, facts.facts.len() as u64);
        for (word, n) in &facts.facts {
            let local = self.back.get(word).copied().unwrap_or(0);
            number(&mut bytes, u64::from(local));
            number(&mut bytes, u64::from(*n));
        }
        self.push(&bytes);
    }

    fn push(&mut self, payload: &[u8]) {
        let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
        self.waiting.extend(length.to_le_bytes());
        self.waiting.extend(crc32fast::hash(payload).to_le_bytes());
        self.waiting.extend(payload);
    }

    /// Writes what waits. Where it cannot be written nothing is lost but time.
    pub(super) fn save(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() || !self.is_ours() {
            return Ok(());
        }
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&self.path)?;
        // What is torn or of another version goes.
        file.set_len(self.good)?;
        if self.good == 0 {
            file.write_all(self.head.as_bytes())?;
            self.good = self.head.len() as u64;
        }
        file.seek(SeekFrom::Start(self.good))?;
        file.write_all(&self.waiting)?;
        self.good += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }

    /// Whether most of the file is of no use any more.
    pub(super) const fn is_wasteful(&self) -> bool {
        self.records > 2 * self.live + WASTE
    }

    /// Writes the file anew with these runs; it takes the place of the old one at once or not at all.
    pub(super) fn rewrite<'r>(
        &mut self,
        rows: impl Iterator<Item = &'r Row>,
        common: &Common,
    ) -> io::Result<()> {
        if !self.is_ours() {
            return Ok(());
        }
        self.words = vec![Sym::NONE];
        self.back.clear();
        self.starts = vec![0];
        self.starts_back.clear();
        self.waiting.clear();
        (self.records, self.live) = (0, 0);
        for row in rows {
            self.put(row, common, true);
        }
        let mut bytes = self.head.clone().into_bytes();
        bytes.append(&mut self.waiting);
        durable::write(&self.path, &bytes)?;
        self.good = bytes.len() as u64;
        Ok(())
    }
}

impl Common {
    /// The number of the facts some runs began with.
    pub(super) fn start(&mut self, key: String, start: Start) -> u32 {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        self.starts.push(start);
        let number = u32::try_from(self.starts.len()).unwrap_or(0);
        self.known.insert(key, number);
        number
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = fs::File::open(path)?;
    let mut bytes = Vec::with_capacity(file.metadata()?.len().min(LARGEST) as usize);
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The payload of the record there, if it is whole.
fn record(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let four = |at: usize| -> Option<u32> {
        let part: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(part))
    };
    let length = four(at)? as usize;
    let payload = bytes.get(at + 8..at.checked_add(8 + length)?)?;
    (crc32fast::hash(payload) == four(at + 4)?).then_some(payload)
}

/// A number, seven bits a byte, the low ones first.
fn number(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

fn own_text(bytes: &mut Vec<u8>, text: &str) {
    number(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}

struct Reader<'a, 'f> {
    bytes: &'a [u8],
    at: usize,
    broken: bool,
    file: &'f mut IndexFile,
}

impl Reader<'_, '_> {
    fn next(&mut self) -> u64 {
        let mut n = 0_u64;
        for shift in (0..64).step_by(7) {
            let Some(byte) = self.bytes.get(self.at) else {
                break;
            };
            self.at += 1;
            n |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return n;
            }
        }
        self.broken = true;
        0
    }

    /// How many things follow; never more than there are bytes.
    fn count(&mut self) -> u64 {
        let n = self.next();
        if n > self.bytes.len() as u64 {
            self.broken = true;
            return 0;
        }
        n
    }

    fn own_text(&mut self) -> String {
        let length = self.count() as usize;
        let bytes = self.bytes.get(self.at..self.at + length);
        self.at += length;
        let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
        self.broken |= text.is_none();
        text.unwrap_or_default().to_owned()
    }
}

impl Coder for Reader<'_, '_> {
    fn number(&mut self, n: &mut u64) {
        *n = self.next();
    }

    fn word(&mut self, sym: &mut Sym) {
        let local = self.next() as usize;
        match self.file.words.get(local) {
            Some(known) => *sym = *known,
            None => self.broken = true,
        }
    }

    fn start(&mut self, start: &mut u32) {
        let local = self.next() as usize;
        match self.file.starts.get(local) {
            Some(known) => *start = *known,
            None => self.broken = true,
        }
    }

    fn text(&mut self, text: &mut Arc<str>) {
        *text = Arc::from(self.own_text());
    }
}

struct Writer<'f> {
    bytes: Vec<u8>,
    file: &'f IndexFile,
}

impl Coder for Writer<'_> {
    fn number(&mut self, n: &mut u64) {
        number(&mut self.bytes, *n);
    }

    fn word(&mut self, sym: &mut Sym) {
        let local = self.file.back.get(sym).copied().unwrap_or(0);
        number(&mut self.bytes, u64::from(local));
    }

    fn start(&mut self, start: &mut u32) {
        let local = self.file.starts_back.get(start).copied().unwrap_or(0);
        number(&mut self.bytes, u64::from(local));
    }

    fn text(&mut self, text: &mut Arc<str>) {
        own_text(&mut self.bytes, text);
    }
}

/// Words and facts that a row names and the file does not know.
struct Missing<'f> {
    file: &'f IndexFile,
    words: Vec<Sym>,
    starts: Vec<u32>,
}

impl Coder for Missing<'_> {
    fn number(&mut self, _: &mut u64) {}

    fn word(&mut self, sym: &mut Sym) {
        if sym.is_some() && !self.file.back.contains_key(sym) {
            self.words.push(*sym);
        }
    }

    fn start(&mut self, start: &mut u32) {
        if *start > 0 && !self.file.starts_back.contains_key(start) {
            self.starts.push(*start);
        }
    }

    fn text(&mut self, _: &mut Arc<str>) {}
}
