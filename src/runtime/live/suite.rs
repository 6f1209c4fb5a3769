//! Whole suites: a run for each task, several at a time, none twice.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::task::JoinSet;

use crate::agent::card::Card;
use crate::agent::chat::FailureKind;
use crate::base::diag::Diagnostic;
use crate::formats::run::{Header, read_header};
use crate::sim::vocab::Profile;
use crate::store::files;
use crate::store::library::Library;
use crate::store::runs::SavedRun;
use crate::task::episode::Body;

use super::cast::Cast;
use super::one::{self, Ready};
use super::{until_interrupted, wait};

/// A suite to be played.
#[derive(Debug)]
pub struct Suite {
    /// Its tasks, by the names the library knows.
    pub tasks: Vec<String>,
    /// Where its runs go.
    pub root: PathBuf,
    /// The profile, in place of each task's usual one.
    pub profile: Option<Profile>,
    /// How many tasks at once.
    pub jobs: usize,
    /// Hears that the disk does not take what is to be written.
    pub trouble: fn(&str),
}

/// How a task of a suite came out.
#[derive(Debug)]
pub enum Progress {
    /// It had a run that has ended; nothing was done.
    Known,
    /// It was played to its end.
    Played(String),
    /// It could not be played.
    Failed(Diagnostic),
}

/// Hears of a task when it is done with.
pub type Told = dyn Fn(&str, Progress) + Send + Sync;

/// What there is of a task already.
#[derive(Debug)]
enum Before {
    Cut(PathBuf),
    Ended,
}

/// Whether the run of that header was played by an agent set up like this.
fn is_like(header: &Header, card: &Card) -> bool {
    let known = header.player.as_deref().map(Card::read);
    known.is_some_and(|known| known.as_ref() == Ok(card))
}

/// The runs in a folder that an agent set up like this has played, by task.
fn before(root: &Path, card: &Card) -> BTreeMap<String, Before> {
    let mut found = BTreeMap::new();
    let Ok((_, folders)) = files::entries(root) else {
        return found;
    };
    for folder in folders {
        let header = files::read(&folder.join(crate::formats::run::HEADER_FILE));
        let Some(header) = header.ok().and_then(|bytes| read_header(&bytes).ok()) else {
            continue;
        };
        let (true, Some(task)) = (is_like(&header, card), header.task_id()) else {
            continue;
        };
        let run = SavedRun::read(&folder).ok();
        let last = run.as_ref().and_then(|run| {
            let events = run.events.items.iter().rev();
            events
                .map(|e| &e.body)
                .find(|body| !matches!(body, Body::Remark(_)))
        });
        let ended = match (&run, last) {
            (_, Some(Body::Avoid { .. })) => true,
            // What a dead endpoint ended says nothing about the agent: it is played anew.
            (_, Some(Body::Stopped { cause, .. })) if FailureKind::parse(cause).is_some() => {
                continue;
            }
            (Some(run), Some(Body::Done { .. } | Body::Stopped { .. })) => {
                card.trials <= 1 || is_over(run, card)
            }
            _ => false,
        };
        let now = if ended {
            Before::Ended
        } else {
            Before::Cut(folder)
        };
        match found.get(&task) {
            Some(Before::Ended) => {}
            _ => {
                found.insert(task, now);
            }
        }
    }
    found
}

/// Whether no further trial follows one that ended so.
fn settles(cause: &str) -> bool {
    matches!(cause, "called_off" | "failed") || FailureKind::parse(cause).is_some()
}

/// Whether a run of several trials has come to its end: success, or all trials spent.
fn is_over(run: &SavedRun, card: &Card) -> bool {
    let trials = run
        .events
        .items
        .iter()
        .filter(|e| e.body.kind() == "trial")
        .count() as u32
        + 1;
    let done = run.events.items.iter().rev().find_map(|e| match &e.body {
        Body::Done { score } => Some(score.succeeds()),
        Body::Stopped { cause, .. } => Some(settles(cause)),
        _ => None,
    });
    trials >= card.trials || done == Some(true)
}

/// What the tasks of a suite share while it is played.
struct Stage {
    suite: Suite,
    library: Library,
    cast: Cast,
    before: Mutex<BTreeMap<String, Before>>,
    next: AtomicUsize,
    complete: AtomicUsize,
}

/// Plays a suite. `told` hears of every task when it is done with; what was interrupted is gone on with the next time.
/// Whether all came to their end.
///
/// # Errors
/// The system gives no threads.
pub fn play(suite: Suite, library: Library, cast: Cast, told: Arc<Told>) -> std::io::Result<bool> {
    let jobs = suite.jobs.clamp(1, suite.tasks.len().max(1));
    let stage = Arc::new(Stage {
        before: Mutex::new(before(&suite.root, cast.card())),
        suite,
        library,
        cast,
        next: AtomicUsize::new(0),
        complete: AtomicUsize::new(0),
    });
    let all = stage.clone();
    wait(jobs, async move {
        let mut hands = JoinSet::new();
        for _ in 0..jobs {
            let (stage, told) = (stage.clone(), told.clone());
            hands.spawn(async move { stage.work(told.as_ref()).await });
        }
        let stop = stage.cast.stop();
        let work = async { while hands.join_next().await.is_some() {} };
        until_interrupted(false, stop, work).await;
    })?;
    Ok(all.complete.load(Ordering::Relaxed) == all.suite.tasks.len())
}

impl Stage {
    /// Takes one task after another until none is left.
    async fn work(&self, told: &Told) {
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(name) = self.suite.tasks.get(at) else {
                return;
            };
            let progress = match tokio::task::block_in_place(|| self.ready(name)) {
                Ok(None) => Progress::Known,
                Err(d) => Progress::Failed(d),
                Ok(Some(Ready { session, desk })) => {
                    let desk = desk.complaining(self.suite.trouble);
                    let mut ready = Ready { session, desk };
                    match self.cast.finish(&mut ready).await {
                        Ok(()) => Progress::Played(ready.desk.writer().header().id.clone()),
                        Err(d) => Progress::Failed(d),
                    }
                }
            };
            if !matches!(progress, Progress::Failed(_)) {
                self.complete.fetch_add(1, Ordering::Relaxed);
            }
            told(name, progress);
        }
    }

    /// The run of a task, begun or gone on with; `None` where one has ended.
    fn ready(&self, name: &str) -> Result<Option<Ready>, Diagnostic> {
        let id = name.rsplit('/').next().unwrap_or_default();
        let known = self
            .before
            .lock()
            .ok()
            .and_then(|mut known| known.remove(id));
        match known {
            Some(Before::Ended) => Ok(None),
            Some(Before::Cut(folder)) => match one::go_on(&folder, |card| self.cast.player(card)) {
                Ok((ready, answered)) => {
                    self.cast.skip(&answered);
                    Ok(Some(ready))
                }
                // Another version wrote it, or another process plays it: it is played anew.
                Err(_) => begin(&self.suite, &self.library, &self.cast, name).map(Some),
            },
            None => begin(&self.suite, &self.library, &self.cast, name).map(Some),
        }
    }
}

fn begin(suite: &Suite, library: &Library, cast: &Cast, name: &str) -> Result<Ready, Diagnostic> {
    let loaded = one::load(library, name)?;
    let player = cast.player(cast.card())?;
    one::begin(&suite.root, loaded, suite.profile, cast.card(), player)
}
