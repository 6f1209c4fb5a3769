//! The loop: wait, take in everything that waits, draw once.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::signal::unix::{Signal as Stream, SignalKind, signal};
use tokio::sync::mpsc::{self, Receiver};
use tokio::time::{Instant, sleep_until};

use crate::app::cmd::Cmd;
use crate::app::jobs::{Job, JobEvent, JobId, Reply};
use crate::app::msg::{Millis, Msg, Signal};
use crate::app::notice::Level;
use crate::app::state::{Setup, State};
use crate::app::update::{execute, update};
use crate::runtime::input::Gate;
use crate::runtime::screen::Painter;
use crate::runtime::{
    editor, input,
    jobs::{Sources, Workers},
    panics, terminal,
};
use crate::store::durable;
use crate::ui::{self, picture};

/// The shortest time between two frames nobody pressed a key for.
const FRAME: Duration = Duration::from_millis(16);

/// Messages taken in before a frame is drawn whatever still waits.
const BATCH: usize = 4_096;

/// Messages workers may have waiting; more makes them wait.
const QUEUE: usize = 1_024;

/// How a session starts.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What the program starts with; the size is asked from the terminal.
    pub setup: Setup,
    /// Tasks of this folder, file or wheel instead of the usual ones.
    pub source: (crate::store::library::Places, Option<PathBuf>),
    /// The folder of runs instead of the usual one.
    pub runs: Option<PathBuf>,
    /// A command line to run first: `play V022`.
    pub first: Option<String>,
    /// Go wrong on purpose at the first key, for tests of the terminal.
    pub fault: Option<FaultAt>,
}

/// Where a session that tests the terminal goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultAt {
    /// On the UI thread.
    Ui,
    /// In a worker.
    Worker,
}

/// Runs the program on this terminal until it is left; the exit code.
pub fn run(options: Options) -> anyhow::Result<u8> {
    if !terminal::is_terminal() {
        anyhow::bail!("standard input and output are no terminal: use --plain or a subcommand");
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(4)
        .thread_keep_alive(Duration::from_millis(200))
        .build()
        .context("could not start the event loop")?;
    let code = runtime.block_on(session(options));
    // Reads that nobody waits for must not hold up the end.
    runtime.shutdown_background();
    code
}

/// Everything the loop works with.
struct Session {
    state: State,
    painter: Painter,
    workers: Workers,
    start: Instant,
    painted: Option<Instant>,
    /// Whether the next frame may not wait: somebody pressed a key.
    urgent: bool,
    fault: Option<FaultAt>,
    quit: bool,
    /// Whether keys are read.
    gate: Gate,
}

async fn session(options: Options) -> anyhow::Result<u8> {
    let (to, mut queue) = mpsc::channel(QUEUE);
    let mut signals = Signals::new().context("could not listen to signals")?;
    panics::install(to.clone());
    let colours = options.setup.look.colours;
    let guard = terminal::Guard::take().context("could not take the terminal")?;
    let setup = Setup {
        size: terminal::size(),
        ..options.setup
    };
    let (state, cmds) = State::new(setup);
    let mut session = Session {
        state,
        painter: Painter::new(colours),
        workers: Workers::new(to, tokio::runtime::Handle::current(), {
            let (places, from) = options.source;
            Arc::new(Sources::new(places, from, options.runs))
        }),
        start: Instant::now(),
        painted: None,
        urgent: true,
        fault: options.fault,
        quit: false,
        gate: Gate::default(),
    };
    if let Some(line) = options.first {
        let first = execute(&mut session.state, &line);
        session.execute(first)?;
    }
    session.paint_if_due()?;
    session.execute(cmds)?;
    let (typed, mut keys) = mpsc::channel(QUEUE);
    input::listen(typed, session.gate.clone()).context("could not listen to the keyboard")?;
    let outcome = session.serve(&mut keys, &mut queue, &mut signals).await;
    drop(guard);
    // Closed first: a writer must not wait for room in a queue nobody reads.
    drop(queue);
    session.workers.finish();
    outcome
}

impl Session {
    async fn serve(
        &mut self,
        keys: &mut Receiver<Msg>,
        queue: &mut Receiver<Msg>,
        signals: &mut Signals,
    ) -> anyhow::Result<u8> {
        while !self.quit {
            let wake = self.wake();
            tokio::select! {
                biased;
                signal = signals.next() => {
                    if let Some(code) = self.signal(signal)? {
                        return Ok(code);
                    }
                }
                Some(msg) = keys.recv() => self.take(msg)?,
                Some(msg) = queue.recv() => self.take(msg)?,
                () = sleep_until(wake.unwrap_or_else(Instant::now)), if wake.is_some() => {
                    self.take(Msg::Tick(self.now()))?;
                }
            }
            self.drain(keys, queue)?;
            self.paint_if_due()?;
        }
        Ok(0)
    }

    /// Answers a signal; the exit code if it ends the session: 128 and its number, as shells count.
    fn signal(&mut self, signal: Caught) -> anyhow::Result<Option<u8>> {
        let (msg, code) = match signal {
            Caught::Terminate => (Msg::Signal(Signal::Terminate), Some(143)),
            Caught::Interrupt => (Msg::Signal(Signal::Terminate), Some(130)),
            Caught::Hangup => (Msg::Signal(Signal::Hangup), Some(129)),
            Caught::Window => (Msg::Resize(terminal::size()), None),
            Caught::Continue => {
                self.resumed()?;
                (Msg::Signal(Signal::Continue), None)
            }
        };
        self.take(msg)?;
        Ok(code)
    }

    /// Takes in what else waits, keys first, so that one frame shows it all.
    fn drain(&mut self, keys: &mut Receiver<Msg>, queue: &mut Receiver<Msg>) -> anyhow::Result<()> {
        for _ in 0..BATCH {
            if self.quit {
                break;
            }
            match keys.try_recv().or_else(|_| queue.try_recv()) {
                Ok(msg) => self.take(msg)?,
                Err(_) => break,
            }
        }
        Ok(())
    }

    fn take(&mut self, msg: Msg) -> anyhow::Result<()> {
        if matches!(msg, Msg::Key(_)) {
            self.urgent = true;
            self.go_wrong_if_asked();
        }
        self.urgent |= matches!(msg, Msg::Paste(_) | Msg::Signal(_));
        if !matches!(msg, Msg::Tick(_)) {
            let now = self.now();
            let cmds = update(&mut self.state, Msg::Tick(now));
            self.execute(cmds)?;
        }
        let cmds = update(&mut self.state, msg);
        self.execute(cmds)
    }

    #[expect(clippy::panic, reason = "tests see that the terminal is given back")]
    fn go_wrong_if_asked(&mut self) {
        match self.fault.take() {
            None => {}
            Some(FaultAt::Worker) => self.workers.start(JobId(0), Job::Panic),
            Some(FaultAt::Ui) => panic!("the UI panics on purpose"),
        }
    }

    fn execute(&mut self, cmds: Vec<Cmd>) -> anyhow::Result<()> {
        for cmd in cmds {
            match cmd {
                Cmd::Quit => self.quit = true,
                Cmd::Redraw => self.painter.forget(),
                Cmd::Suspend => self.suspend()?,
                Cmd::Copy(text) => terminal::write(&terminal::clipboard(&text))?,
                Cmd::Edit(id, name, text) => self.edit(id, &name, &text)?,
                Cmd::Picture(path) => self.picture(&path)?,
                Cmd::Bell => terminal::write(b"\x07")?,
                Cmd::Start(id, job) => self.workers.start(id, job),
                Cmd::Cancel(id) => self.workers.cancel(id),
            }
        }
        Ok(())
    }

    /// Writes the screen as it stands into a file, and says so.
    fn picture(&mut self, path: &Path) -> anyhow::Result<()> {
        let text = picture::of(&ui::render(&self.state), path);
        let told = durable::make_room(path).and_then(|()| durable::save(path, text.as_bytes()));
        let msg = match told {
            Ok(()) => Msg::Tell(Level::Info, format!("{} written", path.display())),
            Err(d) => Msg::Tell(Level::Error, d.to_string()),
        };
        self.take(msg)
    }

    /// Gives the terminal to the shell and stops; comes back when the shell continues us.
    fn suspend(&mut self) -> anyhow::Result<()> {
        terminal::leave().context("could not give the terminal back")?;
        // The whole group, as the terminal itself would have done: a pipe's other end or `cargo run`
        // must stop too. Without a shell to continue us the kernel ignores this, and we go on.
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)
            .context("could not stop")?;
        self.resumed()
    }

    /// Gives terminal and keyboard to the user's editor until it ends.
    fn edit(&mut self, id: JobId, name: &str, text: &str) -> anyhow::Result<()> {
        terminal::leave().context("could not give the terminal back")?;
        self.gate.close();
        let edited = editor::edit(name, text);
        self.resumed()?;
        self.gate.open();
        let event = match edited {
            Ok(text) => JobEvent::Done(Box::new(Reply::Edited(text))),
            Err(reason) => JobEvent::Failed(reason),
        };
        self.take(Msg::Job(id, event))
    }

    /// Takes the terminal again: the shell had it.
    fn resumed(&mut self) -> anyhow::Result<()> {
        terminal::enter().context("could not take the terminal again")?;
        self.painter.forget();
        let size = terminal::size();
        let cmds = update(&mut self.state, Msg::Resize(size));
        self.urgent = true;
        self.execute(cmds)
    }

    fn now(&self) -> Millis {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// When the loop must wake up by itself: never while nothing is to happen.
    fn wake(&self) -> Option<Instant> {
        let tick = self
            .state
            .deadline()
            .map(|at| self.start + Duration::from_millis(at));
        let frame = self
            .painted
            .filter(|_| self.state.is_dirty())
            .map(|at| at + FRAME);
        [tick, frame].into_iter().flatten().min()
    }

    /// Draws if anything may look different: at once after a key, otherwise at most every 16 ms.
    fn paint_if_due(&mut self) -> anyhow::Result<()> {
        let due = self.urgent || self.painted.is_none_or(|at| at.elapsed() >= FRAME);
        if due && self.state.take_dirty() {
            self.painter
                .paint(&self.state)
                .context("could not write to the terminal")?;
            self.painted = Some(Instant::now());
            self.urgent = false;
        }
        Ok(())
    }
}

/// A signal that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Caught {
    Terminate,
    Interrupt,
    Hangup,
    Window,
    Continue,
}

/// The signals the program answers.
struct Signals {
    terminate: Stream,
    interrupt: Stream,
    hangup: Stream,
    window: Stream,
    resume: Stream,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: signal(SignalKind::hangup())?,
            window: signal(SignalKind::window_change())?,
            // tokio names no SIGCONT.
            resume: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
        })
    }

    async fn next(&mut self) -> Caught {
        tokio::select! {
            _ = self.terminate.recv() => Caught::Terminate,
            _ = self.interrupt.recv() => Caught::Interrupt,
            _ = self.hangup.recv() => Caught::Hangup,
            _ = self.window.recv() => Caught::Window,
            _ = self.resume.recv() => Caught::Continue,
        }
    }
}
