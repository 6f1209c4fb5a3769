//! The index of runs: what a library knows of every run of some folders, kept between starts.
//!
//! An index is made from the runs alone and can be thrown away at any time. It lies in the user's cache folder, a file for
//! each folder of runs, named after the folder; where there is no such place, or another program writes it now, it is
//! kept in memory only. A run whose files look other than they did is read again; one that is gone is forgotten.
//!
//! [`Indexer::open`] takes what was kept, [`Indexer::list`] looks what is there, and [`Indexer::advance`] does the next
//! few runs, in three passes: read the files, play the run again with the rules watching, ask which acts would break a
//! rule. After each, [`Indexer::news`] tells what has become known.

mod file;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use crate::base::diag::Diagnostic;
use crate::formats::run::{EVENTS_FILE, HEADER_FILE, NOTES_FILE};
use crate::query::gather::{self, Files};
use crate::query::row::{Row, Stage};
use crate::query::shelf::{News, Shelf, tails};
use crate::store::runs::{self, SavedRun, TIMING_FILE};
use crate::store::{book, clock, files};
use crate::task::episode::record::Record;
use crate::task::episode::{Drift, Episode, replay};
use crate::task::setup::Setup;
use file::{Common, IndexFile};

/// The most bytes of events that are read for the index; a longer run is listed and says so.
const LARGEST: u64 = 256 << 20;

/// Tasks bound to their scenes that are kept for the next runs of the same task.
const SETUPS: usize = 8;

/// Where indexes are kept: in the user's cache folder. `None` where there is none.
pub fn usual_place() -> Option<PathBuf> {
    use etcetera::BaseStrategy as _;
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.cache_dir().join("vesta").join("runs"))
}

/// A task bound to its scene with the number of the facts it begins with, or why it cannot be.
type Bound = Result<(Arc<Setup>, u32), String>;

/// A run played again: where record and world differ, its positions, and the facts it began with.
type Played = (Episode, Vec<Drift>, Record, u32);

/// The index of some folders of runs.
#[derive(Debug)]
pub struct Indexer {
    roots: Vec<PathBuf>,
    files: Vec<Option<IndexFile>>,
    common: Common,
    rows: Vec<Arc<Row>>,
    /// Places by folder of runs and id.
    places: BTreeMap<(u32, Arc<str>), usize>,
    /// Places that wait for the next pass.
    waiting: Vec<usize>,
    pass: Stage,
    setups: Vec<(String, Bound)>,
    told: Told,
}

/// What was handed out.
#[derive(Debug, Default)]
struct Told {
    fresh: bool,
    words: usize,
    starts: usize,
    changed: Vec<usize>,
    tails: bool,
}

impl Indexer {
    /// What was kept about the runs of these folders; what cannot be used is told, one sentence each.
    pub fn open(roots: Vec<PathBuf>, cache: Option<&Path>) -> (Self, Vec<Diagnostic>) {
        let key = key();
        let mut common = Common::default();
        let mut wrong = Vec::new();
        let (mut files, mut rows) = (Vec::new(), Vec::new());
        for (at, root) in roots.iter().enumerate() {
            let Some(cache) = cache else {
                files.push(None);
                continue;
            };
            let path = cache.join(name(root));
            let (file, told) = IndexFile::open(&path, &key, &mut common);
            if let Some(why) = told.why {
                let d = Diagnostic::warning(
                    "",
                    format!("the index of {} is made anew: {why}", root.display()),
                );
                wrong.push(d);
            }
            rows.extend(told.rows.into_values().map(|mut row| {
                row.root = at as u32;
                Arc::new(row)
            }));
            files.push(Some(file));
        }
        rows.sort_by(|a, b| b.created.cmp(&a.created).then_with(|| b.id.cmp(&a.id)));
        let mut indexer = Self {
            roots,
            files,
            common,
            rows,
            places: BTreeMap::new(),
            waiting: Vec::new(),
            pass: Stage::Read,
            setups: Vec::new(),
            told: Told {
                fresh: true,
                ..Told::default()
            },
        };
        indexer.place();
        (indexer, wrong)
    }

    /// The folder of a run.
    pub fn folder(&self, row: &Row) -> PathBuf {
        let root = self.roots.get(row.root as usize);
        root.map_or_else(PathBuf::new, |root| root.join(&*row.id))
    }

    /// How many runs are known.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether none is.
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether what is found out will be kept.
    pub fn keeps(&self) -> bool {
        self.files.iter().flatten().any(IndexFile::is_ours)
    }

    fn place(&mut self) {
        let all = self.rows.iter().enumerate();
        self.places = all
            .map(|(at, row)| ((row.root, Arc::clone(&row.id)), at))
            .collect();
        self.told.tails = true;
    }

    /// Looks which runs there are: new ones are added, changed ones wait to be read, those that are gone are forgotten.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn list(&mut self) -> Result<(), Diagnostic> {
        let mut seen = vec![false; self.rows.len()];
        let mut new = Vec::new();
        for (root, path) in self.roots.iter().enumerate() {
            for folder in runs::folders(path)? {
                let id: Arc<str> = Arc::from(runs::name(&folder));
                if let Some(at) = self.places.get(&(root as u32, Arc::clone(&id))) {
                    if let Some(seen) = seen.get_mut(*at) {
                        *seen = true;
                    }
                } else {
                    let mut row = Row::listed(&id, root as u32, 0);
                    row.created = Arc::from(created(&id));
                    new.push(row);
                }
            }
        }
        if seen.contains(&false) {
            for (row, _) in self.rows.iter().zip(&seen).filter(|(_, seen)| !**seen) {
                if let Some(Some(file)) = self.files.get_mut(row.root as usize) {
                    file.remove(&row.id);
                }
            }
            let mut seen = seen.iter();
            self.rows.retain(|_| seen.next().copied().unwrap_or(true));
            self.told.fresh = true;
        }
        if !new.is_empty() || self.told.fresh {
            new.sort_by(|a, b| b.created.cmp(&a.created).then_with(|| b.id.cmp(&a.id)));
            let from = self.rows.len();
            self.rows.extend(new.into_iter().map(Arc::new));
            self.told.changed.extend(from..self.rows.len());
            self.place();
        }
        self.pass = Stage::Read;
        // The last are done first.
        self.waiting = (0..self.rows.len()).rev().collect();
        Ok(())
    }

    /// Does the next `most` runs of the pass that goes on, or begins the next pass; whether anything is left to do. No run is
    /// begun once `go_on` says no.
    pub fn advance(&mut self, most: usize, go_on: &dyn Fn() -> bool) -> bool {
        for _ in 0..most {
            if !go_on() {
                return true;
            }
            let Some(at) = self.waiting.pop() else {
                return self.next_pass();
            };
            match self.pass {
                Stage::Listed | Stage::Read => self.look(at),
                Stage::Judged | Stage::Armed => self.judge(at),
            }
        }
        true
    }

    /// Whether files are still read; what comes after takes longer.
    pub fn is_reading(&self) -> bool {
        self.pass <= Stage::Read
    }

    /// Whether anything became known that was not told.
    pub const fn has_news(&self) -> bool {
        self.told.fresh || self.told.tails || !self.told.changed.is_empty()
    }

    /// Whether the pass goes on that asks which acts would break a rule: it looks at every act within reach of every step.
    pub fn is_arming(&self) -> bool {
        self.pass == Stage::Armed
    }

    fn next_pass(&mut self) -> bool {
        self.pass = match self.pass {
            Stage::Listed | Stage::Read => Stage::Judged,
            Stage::Judged => Stage::Armed,
            Stage::Armed => return false,
        };
        let pass = self.pass;
        let rows = self.rows.iter().enumerate();
        let waits = |row: &Row| !row.stuck && row.stage < pass && row.stage >= Stage::Read;
        self.waiting = rows
            .filter(|(_, row)| waits(row))
            .map(|(at, _)| at)
            .collect();
        // Runs of one task share its scene; the newest task first, which is last here.
        let task = |at: &usize| {
            self.rows
                .get(*at)
                .map(|row| row.word(crate::query::words::Field::Task))
        };
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|at| (task(at), std::cmp::Reverse(*at)));
        self.waiting = waiting;
        true
    }

    /// Reads a run if its files look other than they did.
    fn look(&mut self, at: usize) {
        let Some(row) = self.rows.get(at) else { return };
        let folder = self.folder(row);
        let print = print(&folder);
        if row.print == print && (row.stuck || row.stage > Stage::Listed) {
            return;
        }
        let mut fresh = Row::listed(&row.id, row.root, print);
        match read(&folder) {
            Ok(run) => fill(&mut fresh, &mut self.common, &run),
            Err(d) => {
                fresh.fault = Arc::from(within(&folder, &d.to_string()));
                fresh.created = Arc::from(created(&fresh.id));
                fresh.stuck = true;
            }
        }
        self.keep(at, fresh);
    }

    /// Plays a run again.
    fn judge(&mut self, at: usize) {
        let Some(row) = self.rows.get(at) else { return };
        let mut fresh = Row::clone(row);
        let folder = self.folder(row);
        let pass = self.pass;
        match self.played(&folder) {
            Ok((mut episode, drifts, record, start)) => {
                let pool = &mut self.common.pool;
                if fresh.stage < Stage::Judged {
                    fresh.start = start;
                    let facts = start
                        .checked_sub(1)
                        .and_then(|at| self.common.starts.get(at as usize));
                    let facts = facts.cloned().unwrap_or_default();
                    gather::judged(&mut fresh, pool, &facts, (&mut episode, &drifts, &record));
                }
                if pass == Stage::Armed {
                    gather::armed(&mut fresh, pool, (&mut episode, &record));
                }
            }
            Err(why) => {
                fresh.stuck = true;
                if fresh.fault.is_empty() {
                    fresh.fault = Arc::from(within(&folder, &why));
                }
            }
        }
        self.keep(at, fresh);
    }

    fn played(&mut self, folder: &Path) -> Result<Played, String> {
        let run = read(folder).map_err(|d| d.to_string())?;
        let profile = run.profile().map_err(|d| d.to_string())?;
        let header = &run.header;
        let name = format!("{} {} {}", header.dialect, header.scene.sha256, header.task);
        let (setup, start) =
            if let Some(at) = self.setups.iter().position(|(known, _)| *known == name) {
                let found = self.setups.remove(at);
                self.setups.push(found.clone());
                found.1?
            } else {
                let made = run.setup().map_err(|d| d.to_string());
                let made = made.and_then(|(setup, _)| {
                    let episode = Episode::start(Arc::clone(&setup), profile);
                    let (episode, _) = episode.map_err(|d| d.to_string())?;
                    let facts = gather::start(&mut self.common.pool, &episode);
                    let key = format!("{} {}", header.dialect, header.start_hash);
                    Ok((setup, self.common.start(key, facts)))
                });
                if self.setups.len() >= SETUPS {
                    drop(self.setups.remove(0));
                }
                self.setups.push((name, made.clone()));
                made?
            };
        let (episode, drifts) =
            replay(setup, profile, &run.events.items).map_err(|d| d.to_string())?;
        Ok((episode, drifts, Record::new(&run.events.items), start))
    }

    fn keep(&mut self, at: usize, fresh: Row) {
        let Some(place) = self.rows.get_mut(at) else {
            return;
        };
        let is_new = place.stage == Stage::Listed && !place.stuck;
        if let Some(Some(file)) = self.files.get_mut(fresh.root as usize) {
            file.put(&fresh, &self.common, is_new);
        }
        *place = Arc::new(fresh);
        self.told.changed.push(at);
    }

    /// What has become known since the last time.
    pub fn news(&mut self) -> News {
        let told = std::mem::take(&mut self.told);
        let (words, starts) = if told.fresh {
            (1, 0)
        } else {
            (told.words, told.starts)
        };
        let mut changed = told.changed;
        if told.fresh {
            changed = (0..self.rows.len()).collect();
        }
        changed.sort_unstable();
        changed.dedup();
        let rows = changed
            .into_iter()
            .filter_map(|at| Some((at, Arc::clone(self.rows.get(at)?))));
        let news = News {
            fresh: told.fresh,
            words: self.common.pool.from(words).to_vec(),
            starts: self
                .common
                .starts
                .get(starts..)
                .unwrap_or_default()
                .to_vec(),
            rows: rows.collect(),
            tails: told.tails.then(|| {
                let ids: Vec<&str> = self.rows.iter().map(|row| &*row.id).collect();
                tails(&ids)
            }),
            read: self.counts(),
        };
        self.told.words = self.common.pool.len();
        self.told.starts = self.common.starts.len();
        news
    }

    /// How many runs are read, how many were played again or cannot be, and how many there are.
    pub fn counts(&self) -> (usize, usize, usize) {
        let at_least = |stage| {
            self.rows
                .iter()
                .filter(|row| row.stuck || row.stage >= stage)
                .count()
        };
        (
            at_least(Stage::Read),
            at_least(Stage::Judged),
            self.rows.len(),
        )
    }

    /// Everything that is known, as a shelf of its own.
    pub fn shelf(&mut self) -> Shelf {
        self.told.fresh = true;
        let mut shelf = Shelf::default();
        shelf.take(self.news());
        shelf
    }

    /// Writes what was found out since the last time.
    ///
    /// # Errors
    /// It cannot be written; nothing is lost but time.
    pub fn save(&mut self) -> Result<(), Diagnostic> {
        for (at, file) in self.files.iter_mut().enumerate() {
            let Some(file) = file else { continue };
            let wasteful = file.is_wasteful();
            let rows = self.rows.iter().map(AsRef::as_ref);
            let kept = rows.filter(|row: &&Row| {
                row.root as usize == at && (row.stage > Stage::Listed || row.stuck)
            });
            let saved = if wasteful {
                file.rewrite(kept, &self.common)
            } else {
                file.save()
            };
            saved.map_err(|e| {
                Diagnostic::warning("", format!("the index cannot be kept: {e}"))
                    .help("the runs are read again at the next start")
            })?;
        }
        Ok(())
    }
}

/// Reads a run unless it is too long for that.
fn read(folder: &Path) -> Result<SavedRun, Diagnostic> {
    let size = std::fs::metadata(folder.join(EVENTS_FILE)).map_or(0, |meta| meta.len());
    if size > LARGEST {
        let wrong = Diagnostic::warning(
            "",
            format!("{} MiB of events are too many for the list", size >> 20),
        );
        return Err(wrong
            .help("vesta inspect opens it")
            .in_file(&folder.display().to_string()));
    }
    SavedRun::read(folder)
}

fn fill(row: &mut Row, common: &mut Common, run: &SavedRun) {
    let spent = run.spent();
    let fault = run.findings().next().map(|d| short(run, &d.to_string()));
    let files = Files {
        header: &run.header,
        events: &run.events.items,
        notes: &run.notes.items,
        spent: &spent,
        fault: fault.as_deref(),
    };
    gather::read(row, &mut common.pool, files);
}

/// A finding without the path of the run, which lists name already.
fn within(folder: &Path, text: &str) -> String {
    let folder = format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR);
    text.replace(&folder, "")
}

/// A finding without the path of the run, which the list names already, and with what is left.
fn short(run: &SavedRun, text: &str) -> String {
    let text = within(&run.folder, text);
    if run.events.findings.is_empty() {
        return text;
    }
    format!("{text}; the first {} can be used", run.events.items.len())
}

/// What the files of a run look like: a change of any of them changes it.
fn print(folder: &Path) -> u64 {
    // FNV-1a: nobody tries to deceive an index of their own files.
    let mut print = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |n: u64| {
        for byte in n.to_le_bytes() {
            print = (print ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for file in [HEADER_FILE, EVENTS_FILE, NOTES_FILE, TIMING_FILE] {
        match std::fs::metadata(folder.join(file)) {
            Ok(meta) => {
                let changed = meta.modified().ok();
                let since = changed.and_then(|it| it.duration_since(UNIX_EPOCH).ok());
                add(meta.len());
                add(since.map_or(0, |since| since.as_nanos() as u64));
            }
            Err(_) => add(u64::MAX),
        }
    }
    print
}

/// What facts depend on beside the runs: this program and the rules in force.
fn key() -> String {
    let mut text = String::from(env!("CARGO_PKG_VERSION"));
    let book = book::book();
    for rule in &book.rules {
        let _ = write!(
            text,
            "\n{} {} {} {}",
            rule.id,
            rule.severity,
            rule.grade.id(),
            rule.text
        );
    }
    let _ = write!(text, "\n{:?}", book.ontology);
    files::sha256(text.as_bytes()).chars().take(16).collect()
}

/// The name of the index of a folder.
fn name(root: &Path) -> String {
    let whole = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    let digest = files::sha256(whole.to_string_lossy().as_bytes());
    format!("{}.index", digest.chars().take(24).collect::<String>())
}

/// When a run was begun, as far as its id tells: `V022-human-20261130T101112Z-7f3a01`.
fn created(id: &str) -> String {
    let time = id.rsplit('-').nth(1).unwrap_or_default();
    let digits: Vec<char> = time.chars().filter(char::is_ascii_digit).collect();
    if digits.len() != 14 {
        return String::new();
    }
    let part = |from: usize, to: usize| -> String {
        digits.get(from..to).unwrap_or_default().iter().collect()
    };
    format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0, 4),
        part(4, 6),
        part(6, 8),
        part(8, 10),
        part(10, 12),
        part(12, 14)
    )
}

/// A visit begins anew when the last one is this long ago, in seconds; going back and forth is one visit.
const VISIT: i64 = 3600;

/// When somebody last looked at the runs of these folders before this visit, RFC 3339 in UTC; empty if nobody did. Notes that
/// somebody looks now.
pub fn visited(roots: &[PathBuf], cache: Option<&Path>) -> String {
    let (Some(cache), Some(root)) = (cache, roots.first()) else {
        return String::new();
    };
    let path = cache.join(name(root)).with_extension("visits");
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let mut times = text.lines();
    let (before, last) = (
        times.next().unwrap_or_default(),
        times.next().unwrap_or_default(),
    );
    let now = clock::now();
    let is_new = last
        .parse::<jiff::Timestamp>()
        .map_or(true, |last| now.as_second() - last.as_second() > VISIT);
    let since = if is_new { last } else { before };
    // Nothing depends on it but a count.
    let _ = std::fs::create_dir_all(cache);
    let _ = std::fs::write(&path, format!("{since}\n{now}\n"));
    since.to_owned()
}
