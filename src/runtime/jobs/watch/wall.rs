//! Every run of a place, in a row each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::Instant;

use crate::agent::card::Card;
use crate::agent::sign::Sign;
use crate::app::live::tracker::Tracker;
use crate::app::live::turns::act_words;
use crate::app::live::{Row, Status, WallNews, Worst};
use crate::app::parts::{action, warnings};
use crate::base::diag::Diagnostic;
use crate::formats::run::{HEADER_FILE, Header, read_header};
use crate::formats::task as task_file;
use crate::safety::verdict::Standing;
use crate::store::runs::live::{Follow, is_running};
use crate::store::runs::{self, SavedRun};
use crate::store::{clock, files};
use crate::task::Environment;
use crate::task::episode::Episode;

use super::age;

/// Between two looks for new runs and for those that were taken up again.
const SCAN: Duration = Duration::from_millis(500);

/// The shortest time between two rows of one run, but for a run that is held or over: that is told at once.
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
    made: Instant,
    dirty: bool,
    /// Whether that must be told at once.
    urgent: bool,
    fault: Option<String>,
}

/// What it takes to follow a run.
#[derive(Debug)]
struct Live {
    follow: Follow,
    episode: Result<Episode, String>,
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
        for (folder, run) in &mut self.runs {
            news.rows.extend(run.look(folder));
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
            made: Instant::now(),
            dirty: true,
            urgent: false,
            fault,
        };
        let running = is_running(folder);
        let episode = if running {
            Self::episode(folder).map_err(|d| d.to_string())
        } else {
            Err(String::new())
        };
        if let Err(why) = &episode {
            run.fault = run
                .fault
                .or_else(|| Some(why.clone()).filter(|w| !w.is_empty()));
        }
        let mut live = Live {
            follow: Follow::lean(folder),
            episode,
        };
        while run.poll(&mut live).0 {}
        run.still = stands(&live.follow);
        run.live = running.then(|| Box::new(live));
        Some(run)
    }

    fn episode(folder: &Path) -> Result<Episode, Diagnostic> {
        let run = SavedRun::read(folder)?;
        let (setup, _) = run.setup()?;
        Episode::awaiting(setup, run.profile()?)
    }

    /// Takes in what came; whether something did, and whether somebody plays it.
    fn poll(&mut self, live: &mut Live) -> (bool, bool) {
        let news = live.follow.poll();
        let came = !news.events.is_empty();
        self.dirty |= came || !news.signs.is_empty();
        for event in &news.events {
            if let Ok(episode) = &mut live.episode {
                episode.again(event, &mut Vec::new());
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

    /// Its row, if it changed.
    fn look(&mut self, folder: &Path) -> Option<Row> {
        let mut running = false;
        if let Some(mut live) = self.live.take() {
            let (came, goes_on) = self.poll(&mut live);
            if !goes_on && !came {
                self.still = stands(&live.follow);
                let row = self.row(folder, live.episode.as_mut().ok(), false);
                return self.told(row);
            }
            // What came with its end is told before it is let go.
            self.live = Some(live);
            running = true;
        }
        let age = age_if(running, folder);
        let stalls = running
            && self
                .last
                .as_ref()
                .is_some_and(|row| row.status != self.tracker.status(true, age));
        let due = self.last.is_none() || self.urgent || self.made.elapsed() >= ROW;
        if !(stalls || (self.dirty && due)) {
            return None;
        }
        let mut live = self.live.take();
        let row = self.row(
            folder,
            live.as_mut().and_then(|live| live.episode.as_mut().ok()),
            running,
        );
        self.live = live;
        self.told(row)
    }

    fn told(&mut self, row: Row) -> Option<Row> {
        self.dirty = false;
        self.urgent = false;
        self.made = Instant::now();
        let same = self.last.as_ref() == Some(&row);
        self.last = Some(row.clone());
        (!same).then_some(row)
    }

    fn row(&self, folder: &Path, episode: Option<&mut Episode>, running: bool) -> Row {
        let age = age(folder);
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
        if let Some(episode) = episode {
            let here = episode.here();
            row.step = u32::try_from(episode.timeline().path(here).len()).unwrap_or(0);
            row.step = row.step.saturating_sub(1);
            goals = episode.holding(here);
            let timeline = episode.timeline();
            last = timeline.action(here).map(|it| action(timeline.world(), it));
            pending = pending.map(|line| act_words(episode, &line));
            if row.worst.is_none() {
                let all = episode.warnings();
                let muted = episode.muted().clone();
                let rows = warnings::rows(&all, &muted);
                row.worst = rows.iter().find(|r| !r.muted).map(|r| Worst {
                    rule: r.rule.id.clone(),
                    severity: r.rule.severity,
                    standing: r.standing,
                });
            }
            if status == Status::Ended {
                let words = episode.judgement().words();
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

/// The age, where it can decide anything.
fn age_if(running: bool, folder: &Path) -> u64 {
    if running { age(folder) } else { 0 }
}

/// Steps from the start to where a run stands, and the goals that hold there.
fn stands(follow: &Follow) -> (u32, Vec<u32>) {
    let (steps, goals) = follow.stand();
    (steps, goals.to_vec())
}
