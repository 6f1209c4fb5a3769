//! Running a session: the one place where an agent's run meets models, programs, people and the disk.
//!
//! The session decides and records; here is only waited: for a reply, a line, a word of a person, room on the disk.
//! A control that comes while a model is being asked is taken in at once; where the reply is then no longer wanted, the
//! call is dropped, which closes its connection.

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::agent::chat::{Failure, FailureKind, Piece, Reply, Request};
use crate::agent::hold::Then;
use crate::agent::player::Stop;
use crate::agent::session::{Control, Held, Input, Need, Session};
use crate::agent::sign::{Sign, Spent};
use crate::store::clock;
use crate::store::runs::RunWriter;
use crate::store::runs::live::{Controls, Signs};
use crate::task::episode::Event;

pub mod apart;
pub mod cast;
pub mod once;
pub mod one;
pub mod panel;
pub mod program;
pub mod serve;
pub mod speak;
pub mod suite;
mod voices;

/// How often it is looked for controls while nothing else happens.
const LOOK: Duration = Duration::from_millis(8);

/// How long to wait for room on the disk before writing is tried again.
const ROOM: Duration = Duration::from_millis(500);

/// What a chat model's call comes to.
pub type Call<'a> =
    Pin<Box<dyn Future<Output = (Result<Reply, Failure>, Option<Spent>)> + Send + 'a>>;

/// Whoever answers requests: an endpoint, or a recording of one.
pub trait Chat: Send + Sync + fmt::Debug {
    /// Asks. Pieces and retries are told while they come; dropping the future ends the call.
    fn call<'a>(&'a self, request: &'a Request, on: &'a mut (dyn FnMut(Sign) + Send)) -> Call<'a>;
}

/// What a line of another program comes to.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Result<String, Failure>> + Send + 'a>>;

/// Whoever answers lines: a program that was started, or one that speaks to us.
pub trait Lines: Send + fmt::Debug {
    /// Sends a line and yields the answer, without its line feed.
    fn exchange<'a>(&'a mut self, line: &'a str) -> Answer<'a>;
}

/// A piece of a reply as a sign.
pub fn sign(piece: Piece) -> Sign {
    match piece {
        Piece::Text(text) => Sign::Text(text),
        Piece::Thought(text) => Sign::Thought(text),
        Piece::Again { wait_ms, why } => Sign::Retry { ms: wait_ms, why },
    }
}

/// What a run is played with.
#[derive(Debug, Default)]
pub struct Doors<'a> {
    /// The chat model, where the agent is one.
    pub chat: Option<&'a dyn Chat>,
    /// The other program, where the agent is one.
    pub program: Option<&'a mut dyn Lines>,
    /// The time between two acts, for those who watch.
    pub pace: Duration,
    /// Turns true when whoever plays has gone and nobody can bring it back: a run that waits for a person ends then.
    pub gone: Option<watch::Receiver<bool>>,
}

/// A run being played: where it is written, and who may step in.
#[derive(Debug)]
pub struct Desk {
    writer: RunWriter,
    signs: Arc<Signs>,
    controls: Controls,
    waiting: VecDeque<Control>,
    last: Option<u32>,
    /// Hears, once, that the disk does not take what is to be written.
    trouble: fn(&str),
}

/// Who hears of every event once it is on the disk.
pub type Told<'a> = dyn FnMut(&Session, &[Event]) + Send + 'a;

impl Desk {
    /// The desk of a run.
    pub fn new(writer: RunWriter) -> Self {
        Self {
            signs: Arc::new(Signs::begin(writer.folder())),
            controls: Controls::listen(writer.folder()),
            writer,
            waiting: VecDeque::new(),
            last: None,
            trouble: |_| {},
        }
    }

    /// The same desk that says, once each time, that the disk does not take what is to be written.
    #[must_use]
    pub fn complaining(mut self, to: fn(&str)) -> Self {
        self.trouble = to;
        self
    }

    /// The writer.
    pub const fn writer(&self) -> &RunWriter {
        &self.writer
    }

    /// Writes what a session has made and waits until it is on the disk, however long that takes.
    async fn keep(&mut self, session: &mut Session, told: &mut Told<'_>) {
        let events = session.events();
        if let Some(last) = events.last() {
            self.last = Some(last.seq);
        }
        let mut written = self.writer.append(&events);
        let mut said = false;
        while let Err(why) = written {
            let why = why.to_string();
            if !said {
                (self.trouble)(&why);
                said = true;
            }
            self.signs.give(&Sign::NotSaved(why));
            sleep(ROOM).await;
            written = self.writer.flush();
        }
        told(session, &events);
    }

    /// The next control, as soon as there is one.
    async fn next_control(&mut self) -> Control {
        loop {
            if let Some(control) = self.waiting.pop_front() {
                return control;
            }
            self.look();
            if self.waiting.is_empty() {
                sleep(LOOK).await;
            }
        }
    }

    /// Looks for controls that have come.
    fn look(&mut self) {
        for control in self.controls.poll() {
            match control {
                Ok(control) => self.waiting.push_back(control),
                Err(why) => self.signs.give(&Sign::Unfit(why)),
            }
        }
    }

    /// Takes in what came from outside; what cannot be used is told to whoever watches.
    fn take(&self, session: &mut Session, input: Input) {
        if let Err(why) = session.take(input) {
            self.signs.give(&Sign::Unfit(why));
        }
    }
}

/// Waits until nobody is left to play; for ever where that cannot be.
async fn gone(door: &mut Option<watch::Receiver<bool>>) -> Input {
    if let Some(door) = door
        && door.wait_for(|gone| *gone).await.is_ok()
    {
        return Input::Gone("the client has gone".to_owned());
    }
    std::future::pending().await
}

/// Plays a session to its end. `told` hears every event once it is on the disk. Dropping the future leaves a run that
/// can be gone on with.
pub async fn run(
    session: &mut Session,
    desk: &mut Desk,
    doors: &mut Doors<'_>,
    told: &mut Told<'_>,
) {
    loop {
        desk.look();
        while let Some(control) = desk.waiting.pop_front() {
            desk.take(session, Input::Control(control));
        }
        // A planner may think here for a while; others on this runtime go on.
        let need = tokio::task::block_in_place(|| session.next());
        desk.keep(session, told).await;
        match need {
            Need::Over => {
                desk.signs.give(&Sign::Over);
                return;
            }
            Need::Going => pause(session, desk, doors.pace).await,
            Need::Ask(request) => ask(session, desk, doors.chat, request, told).await,
            Need::Line(line) => exchange(session, desk, doors, line, told).await,
            Need::Held(held) => hold(session, desk, doors, held).await,
            Need::Paused(act) => {
                desk.signs.give(&Sign::Paused(act));
                person(session, desk, doors).await;
            }
            Need::Hand => {
                desk.signs.give(&Sign::Hand);
                person(session, desk, doors).await;
            }
        }
    }
}

/// Waits for a person, for as long as it takes.
async fn person(session: &mut Session, desk: &mut Desk, doors: &mut Doors<'_>) {
    let input = tokio::select! {
        control = desk.next_control() => Input::Control(control),
        gone = gone(&mut doors.gone) => gone,
    };
    desk.take(session, input);
}

/// The time between two acts; controls are taken in meanwhile.
async fn pause(session: &mut Session, desk: &mut Desk, pace: Duration) {
    if pace.is_zero() {
        return;
    }
    let end = sleep(pace);
    tokio::pin!(end);
    loop {
        tokio::select! {
            () = &mut end => return,
            control = desk.next_control() => desk.take(session, Input::Control(control)),
        }
    }
}

async fn hold(session: &mut Session, desk: &mut Desk, doors: &mut Doors<'_>, held: Held) {
    let seconds = match held.then {
        Then::Ask { seconds, .. } => Some(Duration::from_secs(seconds.into())),
        Then::Block => None,
    };
    let until = seconds.map(|s| clock::unix_ms() + s.as_millis() as u64);
    desk.signs.give(&Sign::Held {
        act: held.act,
        until,
    });
    let Some(seconds) = seconds else {
        return person(session, desk, doors).await;
    };
    let input = match timeout(seconds, desk.next_control()).await {
        Ok(control) => Input::Control(control),
        Err(_) => Input::Silence,
    };
    desk.take(session, input);
}

/// Waits for an answer and takes in what a person does meanwhile; `None` where the answer is not wanted any more, which
/// drops the call.
async fn answered<T>(
    session: &mut Session,
    desk: &mut Desk,
    wanted: &Need,
    answer: impl Future<Output = T>,
    told: &mut Told<'_>,
) -> Option<T> {
    tokio::pin!(answer);
    loop {
        let control = tokio::select! {
            answer = &mut answer => return Some(answer),
            control = desk.next_control() => control,
        };
        desk.take(session, Input::Control(control));
        desk.keep(session, told).await;
        if !session.still(wanted) {
            return None;
        }
    }
}

/// Asks the model and takes its answer in, unless somebody steps in so that it is no longer wanted.
async fn ask(
    session: &mut Session,
    desk: &mut Desk,
    chat: Option<&dyn Chat>,
    request: Request,
    told: &mut Told<'_>,
) {
    desk.signs.give(&Sign::Asking(request.seat));
    let Some(chat) = chat else {
        let none = Failure {
            kind: FailureKind::Unreachable,
            message: "no model is named; write --model".to_owned(),
        };
        desk.take(session, Input::Reply(Err(none)));
        return;
    };
    let signs = Arc::clone(&desk.signs);
    let mut give = |sign: Sign| signs.give(&sign);
    let wanted = Need::Ask(request.clone());
    let call = chat.call(&request, &mut give);
    let Some((reply, spent)) = answered(session, desk, &wanted, call, told).await else {
        return;
    };
    desk.take(session, Input::Reply(reply));
    desk.keep(session, told).await;
    if let (Some(spent), Some(last)) = (spent, desk.last) {
        desk.writer.spent(last, &spent);
        desk.signs.give(&Sign::Spent(spent));
    }
}

/// Exchanges a line with the other program.
async fn exchange(
    session: &mut Session,
    desk: &mut Desk,
    doors: &mut Doors<'_>,
    line: String,
    told: &mut Told<'_>,
) {
    let Some(program) = &mut doors.program else {
        let none = Failure {
            kind: FailureKind::Unreachable,
            message: "no program is named; write --agent exec:COMMAND".to_owned(),
        };
        desk.take(session, Input::Line(Err(none)));
        return;
    };
    let wanted = Need::Line(line.clone());
    let exchange = program.exchange(&line);
    if let Some(answer) = answered(session, desk, &wanted, exchange, told).await {
        desk.take(session, Input::Line(answer));
    }
}

/// Waits for a future on a runtime of its own, with threads enough for so many planners at once.
///
/// # Errors
/// The system gives no threads.
pub fn wait<T>(jobs: usize, future: impl Future<Output = T>) -> std::io::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(jobs + 1)
        .enable_all()
        .build()?;
    let done = runtime.block_on(future);
    runtime.shutdown_background();
    Ok(done)
}

/// Waits for a future until the program is interrupted or told to end; whether it came to its end. A `detached` program
/// goes on when its terminal is closed. Whoever thinks is told to stop at once: the future cannot be let go before.
pub async fn until_interrupted(
    detached: bool,
    stop: &Stop,
    future: impl Future<Output = ()>,
) -> bool {
    // Before anything else is done, so that no signal comes too early.
    let mut signals = Signals::listen();
    let wish = stop.clone();
    // On a thread of its own: this one may be the one that thinks.
    let caught = tokio::spawn(async move {
        signals.caught(detached).await;
        wish.wish();
    });
    tokio::pin!(caught);
    let ended = tokio::select! {
        () = future => true,
        _ = &mut caught => false,
    };
    caught.abort();
    ended
}

/// The signals that end a program; listening is what keeps them from doing so at once.
struct Signals {
    int: Option<tokio::signal::unix::Signal>,
    term: Option<tokio::signal::unix::Signal>,
    hup: Option<tokio::signal::unix::Signal>,
}

impl Signals {
    fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let listen = |kind| signal(kind).ok();
        Self {
            int: listen(SignalKind::interrupt()),
            term: listen(SignalKind::terminate()),
            hup: listen(SignalKind::hangup()),
        }
    }

    /// Waits until the program is interrupted or told to end.
    async fn caught(&mut self, detached: bool) {
        tokio::select! {
            () = received(&mut self.int) => {}
            () = received(&mut self.term) => {}
            () = received(&mut self.hup), if !detached => {}
        }
    }
}

async fn received(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}
