//! The workers: execute jobs and report. See [`crate::app::jobs`] for how to add one.

mod arenas;
mod checks;
mod compare;
mod games;
pub mod labels;
mod launch;
mod long;
mod pages;
mod profiles;
mod prompts;
mod reports;
mod saved;
mod settings;
mod shelve;
mod tasks;
mod tries;
pub mod watch;

pub use checks::check;
pub use compare::compared;
pub use saved::loaded;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self as std_mpsc, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;

use crate::app::jobs::{Job, JobEvent, JobId, Lane, Reply};
use crate::app::msg::Msg;
use crate::base::diag::Diagnostic;
use crate::store::library::{self as store, Places};
use crate::store::{index, runs};

/// What a running job may do beside its work: report how far it is, and ask whether anybody still waits.
#[derive(Debug, Clone)]
pub struct Control {
    id: JobId,
    cancelled: Arc<AtomicBool>,
    to: Option<Sender<Msg>>,
    /// Parts of the result while there is no loop to send them to.
    parts: Arc<Mutex<Vec<Reply>>>,
}

impl Control {
    /// For jobs run without an event loop: nobody cancels them or watches their progress.
    pub fn detached(id: JobId) -> Self {
        Self {
            id,
            cancelled: Arc::default(),
            to: None,
            parts: Arc::default(),
        }
    }

    /// Whether nobody waits any more; the job may stop with any result.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Reports how far the job is. Dropped when the loop is busy: the next report says more anyway.
    pub fn progress(&self, done: u64, total: u64) {
        if let Some(to) = &self.to {
            let _ = to.try_send(Msg::Job(self.id, JobEvent::Progress { done, total }));
        }
    }
}

impl Control {
    /// Hands out a part of the result. Waits for the loop: a part that is lost is never said again.
    fn part(&self, reply: Reply) {
        if let Some(to) = &self.to {
            let event = JobEvent::Part(Box::new(reply));
            // Nobody listens only when the program ends.
            let _ = to.blocking_send(Msg::Job(self.id, event));
        } else {
            let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
            parts.push(reply);
        }
    }

    /// Takes the parts that were handed out without an event loop.
    pub(super) fn parts(&self) -> Vec<Reply> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *parts)
    }
}

/// What the writer keeps between jobs: open runs and the like.
#[derive(Debug, Default)]
pub struct Writers {
    games: games::Keepers,
}

/// Where jobs find things, shared by all workers.
#[derive(Debug, Default, Clone)]
pub struct Sources {
    /// The user's folders.
    pub places: Places,
    /// Tasks of this folder, file or wheel instead of the usual ones.
    pub from: Option<PathBuf>,
    /// The folder of runs instead of the usual one.
    pub runs: Option<PathBuf>,
    /// The folder that indexes of runs are kept in; without one nothing is kept.
    pub cache: Option<PathBuf>,
    /// Bytes of events up to which a run is played again whole, where it is not the usual number.
    pub whole: Option<u64>,
    /// The tasks, once they have been read.
    library: Arc<Mutex<Option<Arc<store::Library>>>>,
}

impl Sources {
    /// These folders, but for the tasks of `from` and the folder of runs where these are named.
    pub fn new(places: Places, from: Option<PathBuf>, runs: Option<PathBuf>) -> Self {
        Self {
            from,
            cache: index::usual_place(),
            ..Self::in_folders(places, runs)
        }
    }

    /// Other folders than the usual ones.
    pub fn in_folders(places: Places, runs: Option<PathBuf>) -> Self {
        Self {
            places,
            runs,
            ..Self::default()
        }
    }

    /// The folder of runs.
    ///
    /// # Errors
    /// There is none, in one sentence with its cure.
    pub fn runs(&self) -> Result<PathBuf, Diagnostic> {
        self.runs.clone().map_or_else(runs::usual_root, Ok)
    }

    /// The tasks, read anew.
    pub fn reread(&self) -> Arc<store::Library> {
        *self.library.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.library()
    }

    /// The tasks; read when first asked for.
    pub fn library(&self) -> Arc<store::Library> {
        let mut library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
        let open = || {
            let places = self.places.clone();
            Arc::new(store::Library::open_in(places, self.from.as_deref()))
        };
        Arc::clone(library.get_or_insert_with(open))
    }
}

/// How often a writer that waits for something to be read looks whether anybody still does.
const LOOK: Duration = Duration::from_millis(20);

/// Reads on another thread what the writer needs, until nobody waits for it: what is only read holds up no end.
fn aside<T: Send + 'static>(
    control: &Control,
    read: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    if control.to.is_none() {
        return Ok(read());
    }
    let (to, from) = std_mpsc::channel();
    // Nobody listens where the wait was given up.
    thread::spawn(move || drop(to.send(read())));
    loop {
        match from.recv_timeout(LOOK) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) if !control.is_cancelled() => {}
            Err(RecvTimeoutError::Timeout) => return Err("nobody waits for it".to_owned()),
            Err(RecvTimeoutError::Disconnected) => {
                return Err("a fault in the program, ! shows it".to_owned());
            }
        }
    }
}

/// Does a job's work. Never panics: a fault becomes a failed job.
pub fn execute(job: Job, control: &Control, sources: &Sources, writers: &mut Writers) -> JobEvent {
    let title = job.title();
    let work = AssertUnwindSafe(|| perform(job, control, sources, writers));
    match catch_unwind(work) {
        Ok(Ok(reply)) => JobEvent::Done(Box::new(reply)),
        Ok(Err(reason)) => JobEvent::Failed(reason),
        Err(_) => JobEvent::Failed(format!(
            "could not {title}: a fault in the program, ! shows it"
        )),
    }
}

/// One arm a job; errors are one sentence each.
fn perform(
    job: Job,
    control: &Control,
    sources: &Sources,
    writers: &mut Writers,
) -> Result<Reply, String> {
    match job {
        Job::LoadLibrary => Ok(Reply::Library(tasks::library(sources))),
        Job::LoadTask(name) => tasks::load(sources, &name),
        Job::Check(asked) => Ok(checks::one(sources, control, &asked)),
        Job::Patch(task, edits, shown) => checks::patch(sources, &task, &edits, shown),
        Job::CheckAll(effort) => Ok(checks::all(sources, control, effort)),
        Job::LoadWitness(shown) => checks::witness(sources, &shown),
        Job::LoadRun(name) => saved::load(sources, &name),
        Job::ReadSettings(unchosen) => Ok(Reply::Settings(Box::new(settings::read(*unchosen)))),
        Job::KeepSettings(unchosen, chosen) => settings::keep(*unchosen, &chosen),
        Job::ContrastProfiles => profiles::contrasts(),
        Job::Report(folders) => reports::read(sources, control, &folders),
        Job::Shelve(folders, arms) => shelve::shelve(sources, control, &folders, arms),
        Job::Label(asked) => labels::queue(sources, control, &asked),
        Job::KeepView(view) => shelve::keep(&view),
        Job::SaveText(path, text) => shelve::write(&path, &text),
        Job::SaveReport(reported, folder) => reports::save(&reported, &folder),
        Job::Arena(job) => arenas::perform(&job, sources, control),
        Job::Export(file, text) => compare::export(&file, &text),
        Job::Compare(job) => compare::perform(*job, sources, control),
        Job::Prompts => prompts::read(),
        Job::SavePrompt(name, text) => prompts::save(&name, &text),
        Job::Try(asked) => tries::turn(sources, control, &asked),
        Job::Launch(wanted) => launch::start(sources, &wanted),
        Job::Long(job) => long::perform(job, control),
        Job::Page(job) => pages::perform(job, control, sources),
        Job::OpenGame(name, profile, key) => {
            let reading = games::Reading { sources, control };
            games::open(&reading, &mut writers.games, (&name, profile), key)
        }
        Job::Save(save) => games::save(sources, &mut writers.games, save),
        Job::Note { folder, body } => games::note(&mut writers.games, &folder, body),
        Job::Notes(notes) => {
            for (folder, body) in notes {
                games::note(&mut writers.games, &folder, body)?;
            }
            Ok(Reply::Done)
        }
        Job::CloseGame(key) => games::close(&mut writers.games, key),
        Job::Wall(asked) => watch::wall(sources, control, &asked),
        Job::Attach(asked) => watch::attach(sources, control, &asked),
        Job::Steer(folder, with) => runs::live::steer(&folder, &with)
            .map(|()| Reply::Done)
            .map_err(|d| d.to_string()),
        Job::Fail(reason) => Err(reason),
        #[expect(
            clippy::panic,
            reason = "this job exists to panic: tests see that the screen survives"
        )]
        Job::Panic => panic!("this job panics on purpose"),
    }
}

/// The queue of the thread that writes, and the thread.
type Writer = (std_mpsc::Sender<(Job, Control)>, thread::JoinHandle<()>);

/// The workers of a running program.
#[derive(Debug)]
pub struct Workers {
    to: Sender<Msg>,
    handle: Handle,
    sources: Arc<Sources>,
    running: BTreeMap<JobId, Arc<AtomicBool>>,
    writer: Option<Writer>,
}

impl Workers {
    /// Workers that report into the loop's queue.
    pub fn new(to: Sender<Msg>, handle: Handle, sources: Arc<Sources>) -> Self {
        Self {
            to,
            handle,
            sources,
            running: BTreeMap::new(),
            writer: None,
        }
    }

    /// Starts a job in its lane.
    pub fn start(&mut self, id: JobId, job: Job) {
        let control = Control {
            id,
            cancelled: Arc::default(),
            to: Some(self.to.clone()),
            parts: Arc::default(),
        };
        self.running
            .retain(|_, cancelled| Arc::strong_count(cancelled) > 1);
        self.running.insert(id, Arc::clone(&control.cancelled));
        match job.lane() {
            Lane::Read => {
                let to = self.to.clone();
                let sources = Arc::clone(&self.sources);
                self.handle.spawn_blocking(move || {
                    let event = execute(job, &control, &sources, &mut Writers::default());
                    let _ = to.blocking_send(Msg::Job(id, event));
                });
            }
            Lane::Long => {
                let to = self.to.clone();
                let sources = Arc::clone(&self.sources);
                thread::spawn(move || {
                    let event = execute(job, &control, &sources, &mut Writers::default());
                    let _ = to.blocking_send(Msg::Job(id, event));
                });
            }
            Lane::Write => self.write(job, control),
        }
    }

    /// Tells a job that nobody waits for it. Writes are never taken back: they were promised.
    pub fn cancel(&mut self, id: JobId) {
        if let Some(cancelled) = self.running.remove(&id) {
            cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until everything that was to be written is written, but for nothing that is only read.
    pub fn finish(self) {
        for cancelled in self.running.values() {
            cancelled.store(true, Ordering::Relaxed);
        }
        if let Some((jobs, writer)) = self.writer {
            drop(jobs);
            let _ = writer.join();
        }
    }

    fn write(&mut self, job: Job, control: Control) {
        let to = self.to.clone();
        let sources = Arc::clone(&self.sources);
        let (jobs, _) = self.writer.get_or_insert_with(|| {
            let (jobs, queue) = std_mpsc::channel::<(Job, Control)>();
            let writer = thread::spawn(move || {
                let mut writers = Writers::default();
                for (job, control) in queue {
                    let id = control.id;
                    let event = execute(job, &control, &sources, &mut writers);
                    // The loop has ended if nobody listens; what was promised is still written.
                    let _ = to.blocking_send(Msg::Job(id, event));
                }
                games::finish(&mut writers.games);
            });
            (jobs, writer)
        });
        // The writer lives as long as its queue; it cannot be gone.
        let _ = jobs.send((job, control));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_writer_reads_is_given_up_when_nobody_waits() {
        let (to, _queue) = tokio::sync::mpsc::channel(1);
        let control = || Control {
            id: JobId(1),
            cancelled: Arc::default(),
            to: Some(to.clone()),
            parts: Arc::default(),
        };
        assert_eq!(aside(&control(), || 7), Ok(7));
        let left = control();
        left.cancelled.store(true, Ordering::Relaxed);
        let (hold, held) = std_mpsc::channel::<()>();
        // This would read for ever.
        let read = aside(&left, move || held.recv().is_ok());
        assert_eq!(read, Err("nobody waits for it".to_owned()));
        drop(hold);
    }
}
