//! Every run of a place, in a row each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

use crate::agent::card::Card;
use crate::agent::sign::{Sign, Spent};
use crate::app::live::tracker::Tracker;
use crate::app::live::turns::act_words;
use crate::app::live::{Row, Status, WallNews, Worst};
use crate::app::parts::{action, warnings};
use crate::base::diag::Diagnostic;
use crate::formats::run::{HEADER_FILE, Header, read_header};
use crate::formats::task as task_file;
use crate::safety::verdict::Standing;
use crate::store::runs::live::{Follow, along, is_running};
use crate::store::runs::{self, SavedRun};
use crate::store::{clock, files};
use crate::task::Environment;
use crate::task::episode::Glance;

use super::age;

/// Between two looks for new runs and for those that were taken up again.
const SCAN: Duration = Duration::from_millis(500);

/// The shortest time between two tellings of rows, so that one frame shows all of them; a run that is held or over is
/// told of at once.
const ROW: Duration = Duration::from_millis(250);

/// New folders looked at in one go, so that the first rows come soon.
const AT_ONCE: usize = 24;

/// What is watched.
#[derive(Debug)]
enum Wanted {
    /// All runs of a folder.
    Place(PathBuf),
    /// These.
    Runs(Vec<PathBuf>),
}

/// The runs of a place.
#[derive(Debug)]
pub struct Wall {
    wanted: Wanted,
    runs: BTreeMap<PathBuf, Followed>,
    /// Folders of runs that no agent plays, and such as are no runs.
    others: BTreeSet<PathBuf>,
    /// Folders that wait to be looked at.
    waiting: Vec<PathBuf>,
    scanned: Option<Instant>,
    /// When rows were last told that could have waited.
    told: Option<Instant>,
}

/// A run on the wall.
#[derive(Debug)]
struct Followed {
    id: String,
    header: Header,
    card: Card,
    /// Success and safety goals there are, and whether the instruction must be refused.
    of: (usize, usize, bool),
    /// While somebody plays it.
    live: Option<Box<Live>>,
    tracker: Tracker,
    /// Where it stands, for a run that nobody plays: steps, goals.
    still: (u32, Vec<u32>),
    last: Option<Row>,
    /// When something was last written.
    written: Option<SystemTime>,
    dirty: bool,
    /// Whether that must be told at once.
    urgent: bool,
    fault: Option<String>,
}

/// What it takes to follow a run.
#[derive(Debug)]
struct Live {
    follow: Follow,
    /// Nothing where it cannot be played again.
    glance: Option<Glance>,
}

impl Wall {
    /// The runs of the usual place, of a folder, or those that are named.
    ///
    /// # Errors
    /// There is no such place or run.
    pub fn open(root: Option<&Path>, asked: &str) -> Result<Self, String> {
        let none = || "no place for saved runs: name a folder of runs".to_owned();
        let one = |name: &str| {
            let root = root.unwrap_or(Path::new(""));
            runs::find(root, name).map_err(|d| d.to_string())
        };
        let wanted = if asked.is_empty() {
            Wanted::Place(root.ok_or_else(none)?.to_owned())
        } else if Path::new(asked).join(HEADER_FILE).is_file() {
            Wanted::Runs(vec![PathBuf::from(asked)])
        } else if Path::new(asked).is_dir() {
            Wanted::Place(PathBuf::from(asked))
        } else {
            let named = asked.split_whitespace().map(one);
            Wanted::Runs(named.collect::<Result<_, _>>()?)
        };
        Ok(Self {
            wanted,
            runs: BTreeMap::new(),
            others: BTreeSet::new(),
            waiting: Vec::new(),
            scanned: None,
            told: None,
        })
    }

    /// Whether somebody plays one of them, or some were not looked at yet.
    pub fn lives(&self) -> bool {
        !self.waiting.is_empty() || self.runs.values().any(|run| run.live.is_some())
    }

    /// Looks until all that is there was looked at.
    pub fn look_whole(&mut self) -> WallNews {
        let mut all = self.look();
        while !self.waiting.is_empty() {
            let more = self.look();
            all.rows.extend(more.rows);
            all.gone.extend(more.gone);
            all.read = more.read;
        }
        all
    }

    /// What changed since the last look.
    pub fn look(&mut self) -> WallNews {
        let mut news = WallNews {
            only: match &self.wanted {
                Wanted::Runs(all) => all.first().filter(|_| all.len() == 1).cloned(),
                Wanted::Place(_) => None,
            },
            place: match &self.wanted {
                Wanted::Place(root) => root.display().to_string(),
                Wanted::Runs(all) if all.len() == 1 => "1 run".to_owned(),
                Wanted::Runs(all) => format!("{} runs", all.len()),
            },
            ..WallNews::default()
        };
        if self.scanned.is_none_or(|at| at.elapsed() >= SCAN) {
            self.scanned = Some(Instant::now());
            news.gone = self.scan();
        }
        for _ in 0..AT_ONCE {
            let Some(folder) = self.waiting.pop() else {
                break;
            };
            match Followed::open(&folder) {
                Some(run) => drop(self.runs.insert(folder, run)),
                None => drop(self.others.insert(folder)),
            }
        }
        let due = self.told.is_none_or(|at| at.elapsed() >= ROW);
        let mut waited = false;
        for (folder, run) in &mut self.runs {
            let row = run.look(folder, due);
            waited |= row.is_some();
            news.rows.extend(row);
        }
        if due && waited {
            self.told = Some(Instant::now());
        }
        let known = self.runs.len();
        news.read = (known, known + self.waiting.len());
        news
    }

    /// Finds new folders and those that are gone or were taken up again; the ids of those that are gone.
    fn scan(&mut self) -> Vec<String> {
        let mut found = match &self.wanted {
            Wanted::Runs(all) => all.clone(),
            // A folder that is not there has no runs; it may come.
            Wanted::Place(root) => files::entries(root).map_or_else(|_| Vec::new(), |(_, all)| all),
        };
        found.retain(|f| !name(f).starts_with('.'));
        for (folder, run) in &mut self.runs {
            if run.live.is_none()
                && is_running(folder)
                && let Some(again) = Followed::open(folder)
            {
                let last = run.last.take();
                *run = again;
                run.last = last;
            }
        }
        let new = |f: &&PathBuf| {
            !self.runs.contains_key(*f) && !self.others.contains(*f) && !self.waiting.contains(f)
        };
        let mut new: Vec<PathBuf> = found.iter().filter(new).cloned().collect();
        // Ids end in the time they were made; the newest are taken first, from the end.
        new.sort_by_key(|f| begun(f));
        self.waiting.extend(new);
        let there: BTreeSet<&PathBuf> = found.iter().collect();
        let gone: Vec<PathBuf> = self
            .runs
            .keys()
            .filter(|f| !there.contains(f))
            .cloned()
            .collect();
        let gone = gone.iter().filter_map(|f| self.runs.remove(f));
        gone.map(|run| run.id).collect()
    }
}

/// When a folder was last changed.
fn begun(folder: &Path) -> Option<std::time::SystemTime> {
    std::fs::metadata(folder).ok()?.modified().ok()
}

fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

impl Followed {
    /// Reads the header of a run, and its events; `None` if no agent plays it.
    fn open(folder: &Path) -> Option<Self> {
        let bytes = files::read(&folder.join(HEADER_FILE)).ok()?;
        let header = read_header(&bytes).ok()?;
        let card = Card::read(header.player.as_deref()?);
        let (card, fault) = match card {
            Ok(card) => (card, None),
            Err(why) => (Card::plain(&header.agent), Some(why)),
        };
        let task = task_file::read(HEADER_FILE, header.task.as_bytes());
        let of = task.map_or((0, 0, false), |(task, _)| {
            let refuse = task.environment == Environment::AdversarialInstruction;
            (task.success.len(), task.safety.len(), refuse)
        });
        let mut run = Self {
            id: name(folder),
            tracker: Tracker::new(&card.hold),
            header,
            card,
            of,
            live: None,
            still: (0, Vec::new()),
            last: None,
            written: None,
            dirty: true,
            urgent: false,
            fault,
        };
        let running = is_running(folder);
        let saved = SavedRun::unread(folder, run.header.clone());
        let glance = if running {
            let glance = Self::glance(&saved);
            let wrong = |why: Diagnostic| run.wrong(&why);
            glance.map_err(wrong).ok()
        } else {
            None
        };
        let mut live = Live {
            follow: Follow::new(folder),
            glance,
        };
        while run.poll(&mut live).0 {}
        let calls: Vec<Spent> = saved.spent().into_iter().map(|(_, it)| it).collect();
        run.tracker.spent_before(&calls);
        if live.glance.is_none() {
            run.stay(&mut live.follow);
        }
        run.live = running.then(|| Box::new(live));
        Some(run)
    }

    fn glance(run: &SavedRun) -> Result<Glance, Diagnostic> {
        let (setup, _) = run.setup()?;
        Glance::new(setup, run.profile()?)
    }

    /// Notes what is wrong, unless something is already.
    fn wrong(&mut self, why: &Diagnostic) {
        self.fault.get_or_insert_with(|| why.to_string());
    }

    /// Notes where a run stands that nobody plays.
    fn stay(&mut self, follow: &mut Follow) {
        match follow.stand() {
            Ok((steps, goals)) => self.still = (steps, goals.to_vec()),
            Err(why) => self.wrong(&why),
        }
    }

    /// Takes in what came; whether something did, and whether somebody plays it.
    fn poll(&mut self, live: &mut Live) -> (bool, bool) {
        let news = live.follow.poll();
        self.written = live.follow.written();
        let came = !news.events.is_empty();
        self.dirty |= came || !news.signs.is_empty();
        for event in &news.events {
            if let Some(glance) = &mut live.glance {
                glance.take(event);
            }
            self.tracker.event(event);
        }
        for sign in &news.signs {
            self.urgent |= matches!(sign, Sign::Held { .. } | Sign::Paused(_) | Sign::Over);
            self.tracker.sign(sign);
        }
        let faulty = news.fault.is_some();
        if let Some(fault) = news.fault {
            self.fault.get_or_insert_with(|| fault.to_string());
        }
        (came && !faulty, news.running)
    }

    /// Its row, if it changed; what can wait only when it is `due`.
    fn look(&mut self, folder: &Path, due: bool) -> Option<Row> {
        let mut live = self.live.take();
        let mut running = false;
        let mut over = false;
        if let Some(live) = &mut live {
            let (came, goes_on) = self.poll(live);
            // What came with its end is told before it is let go.
            over = !goes_on && !came;
            running = !over;
        }
        let age = if running { age(self.written) } else { 0 };
        let stalls = running
            && self
                .last
                .as_ref()
                .is_some_and(|row| row.status != self.tracker.status(true, age));
        let due = due || self.last.is_none() || self.urgent;
        if over && let Some(live) = &mut live {
            self.stay(&mut live.follow);
        }
        let row = (over || stalls || (self.dirty && due)).then(|| {
            let mut glance = live.as_mut().and_then(|live| live.glance.as_mut());
            if let Some(glance) = &mut glance {
                self.catch_up(folder, glance);
            }
            self.row(folder, glance.as_deref(), running)
        });
        self.live = live.filter(|_| running);
        self.told(row?)
    }

    /// Walks to where the run has gone, where it went back further than is kept of it.
    fn catch_up(&mut self, folder: &Path, glance: &mut Glance) {
        if let Err(why) = glance.walk(|to, each| along(folder, to, each)) {
            self.wrong(&why);
        }
    }

    fn told(&mut self, row: Row) -> Option<Row> {
        self.dirty = false;
        self.urgent = false;
        let same = self.last.as_ref() == Some(&row);
        self.last = Some(row.clone());
        (!same).then_some(row)
    }

    fn row(&self, folder: &Path, glance: Option<&Glance>, running: bool) -> Row {
        let age = age(self.written);
        let tracker = &self.tracker;
        let status = tracker.status(running, age);
        let (success_of, safety_of, refuse) = self.of;
        let held = tracker.held.as_ref().and_then(|held| held.breaks.first());
        let mut row = Row {
            id: self.id.clone(),
            folder: folder.to_owned(),
            task: self.header.task_id().unwrap_or_default(),
            agent: self.card.title(),
            created: self.header.created.clone(),
            status,
            trial: tracker.trial,
            step: self.still.0,
            act: String::new(),
            ahead: false,
            goals: None,
            safety: (0, safety_of),
            worst: held.map(|(rule, severity)| Worst {
                rule: rule.clone(),
                severity: *severity,
                standing: Standing::Violated,
            }),
            tokens: tracker.spent.tokens_in + tracker.spent.tokens_out,
            rate: tracker.rate,
            cost: tracker.spent.cost,
            age,
            left: tracker.left(clock::unix_ms()),
            seq: tracker.seq,
            hold: tracker.hold.clone(),
            fault: self.fault.clone(),
        };
        let mut goals = self.still.1.clone();
        let mut last = None;
        let mut pending = tracker.pending().map(str::to_owned);
        if let Some(glance) = glance {
            let world = glance.world();
            row.step = glance.steps();
            goals = glance.holding();
            last = glance.last().map(|it| action(world, it));
            pending = pending.map(|line| act_words(world, &line));
            if row.worst.is_none() {
                row.worst = worst(glance);
            }
            if status == Status::Ended {
                let words = glance.judgement().words();
                last = Some(format!("{words}, s{}", row.step));
            }
        }
        let held = |success: bool| {
            let of = goals
                .iter()
                .filter(|&&g| ((g as usize) < success_of) == success);
            of.count()
        };
        row.goals = (!refuse).then(|| (held(true), success_of));
        row.safety.0 = held(false);
        row.ahead = pending.is_some();
        row.act = self.doing(status, running, pending, last);
        row
    }

    /// What it does next, did last, or how it ended.
    fn doing(
        &self,
        status: Status,
        running: bool,
        pending: Option<String>,
        last: Option<String>,
    ) -> String {
        let tracker = &self.tracker;
        match (pending, &tracker.ending, &tracker.trouble) {
            (Some(act), ..) => act,
            (None, _, Some(trouble)) if running => format!("! {trouble}"),
            (None, Some((_, words)), _) => last.unwrap_or_else(|| words.clone()),
            _ if tracker.by_hand => "a person acts".to_owned(),
            _ if status == Status::Stalled && !running => {
                format!("nobody plays it since event {}", tracker.seq)
            }
            _ if status == Status::Stalled => format!("silent since event {}", tracker.seq),
            _ if tracker.asking && tracker.stream().is_empty() => "thinking".to_owned(),
            _ if tracker.asking => {
                let lines = tracker.stream().lines();
                let line = lines.rev().find(|l| !l.trim().is_empty());
                format!("“{}", line.unwrap_or_default().trim())
            }
            _ => last.unwrap_or_else(|| "begins".to_owned()),
        }
    }
}

/// The weightiest rule that has something to say.
fn worst(glance: &Glance) -> Option<Worst> {
    let rows = warnings::rows(&glance.warnings(), glance.muted());
    rows.iter().find(|r| !r.muted).map(|r| Worst {
        rule: r.rule.id.clone(),
        severity: r.rule.severity,
        standing: r.standing,
    })
}
