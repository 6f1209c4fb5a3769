//! Running a session: the one place where an agent's run meets models, programs, people and the disk.
//!
//! The session decides and records; here is only waited: for a reply, a line, a word of a person, room on the disk.
//! A control that comes while a model is being asked is taken in at once; where the reply is then no longer wanted, the
//! call is dropped, which closes its connection.

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use crate::agent::chat::{Failure, FailureKind, Piece, Reply, Request};
use crate::agent::hold::Then;
use crate::agent::session::{Control, Held, Input, Need, Session};
use crate::agent::sign::{Sign, Spent};
use crate::store::clock;
use crate::store::runs::RunWriter;
use crate::store::runs::live::{Controls, Signs};
use crate::task::episode::Event;

pub mod cast;
pub mod one;
pub mod program;
pub mod serve;
pub mod speak;
pub mod suite;
mod voices;

/// How often it is looked for controls while nothing else happens.
const LOOK: Duration = Duration::from_millis(50);

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
}

/// A run being played: where it is written, and who may step in.
#[derive(Debug)]
pub struct Desk {
    writer: RunWriter,
    signs: Signs,
    controls: Controls,
    waiting: VecDeque<Control>,
    last: Option<u32>,
}

impl Desk {
    /// The desk of a run.
    pub fn new(writer: RunWriter) -> Self {
        Self {
            signs: Signs::begin(writer.folder()),
            controls: Controls::listen(writer.folder()),
            writer,
            waiting: VecDeque::new(),
            last: None,
        }
    }

    /// The writer.
    pub const fn writer(&self) -> &RunWriter {
        &self.writer
    }

    /// Writes events and waits until they are on the disk, however long that takes.
    async fn keep(&mut self, events: &[Event]) {
        if let Some(last) = events.last() {
            self.last = Some(last.seq);
        }
        let mut written = self.writer.append(events);
        while let Err(why) = written {
            self.signs.give(&Sign::NotSaved(why.to_string()));
            sleep(ROOM).await;
            written = self.writer.flush();
        }
    }

    /// The next control, as soon as there is one.
    async fn control(
        controls: &mut Controls,
        waiting: &mut VecDeque<Control>,
        signs: &mut Vec<Sign>,
    ) -> Control {
        loop {
            if let Some(control) = waiting.pop_front() {
                return control;
            }
            for control in controls.poll() {
                match control {
                    Ok(control) => waiting.push_back(control),
                    Err(why) => signs.push(Sign::Unfit(why)),
                }
            }
            if waiting.is_empty() {
                sleep(LOOK).await;
            }
        }
    }

    async fn next_control(&mut self) -> Control {
        let mut signs = Vec::new();
        let control = Self::control(&mut self.controls, &mut self.waiting, &mut signs).await;
        for sign in signs {
            self.signs.give(&sign);
        }
        control
    }

    /// Controls that are there already.
    fn controls_now(&mut self) -> Vec<Control> {
        let mut all: Vec<Control> = self.waiting.drain(..).collect();
        for control in self.controls.poll() {
            match control {
                Ok(control) => all.push(control),
                Err(why) => self.signs.give(&Sign::Unfit(why)),
            }
        }
        all
    }

    fn step_in(&mut self, session: &mut Session, control: Control) {
        if let Err(why) = session.take(Input::Control(control)) {
            self.signs.give(&Sign::Unfit(why));
        }
    }
}

/// Plays a session to its end. `told` hears every event once it is on the disk. Dropping the future leaves a run that
/// can be gone on with.
pub async fn run(
    session: &mut Session,
    desk: &mut Desk,
    doors: &mut Doors<'_>,
    told: &mut (dyn FnMut(&Session, &[Event]) + Send),
) {
    loop {
        for control in desk.controls_now() {
            desk.step_in(session, control);
        }
        // A planner may think here for a while; others on this runtime go on.
        let need = tokio::task::block_in_place(|| session.next());
        let events = session.events();
        desk.keep(&events).await;
        told(session, &events);
        match need {
            Need::Over => {
                desk.signs.give(&Sign::Over);
                return;
            }
            Need::Going => pause(session, desk, doors.pace).await,
            Need::Ask(request) => ask(session, desk, doors.chat, request).await,
            Need::Line(line) => exchange(session, desk, doors, &line).await,
            Need::Held(held) => hold(session, desk, held).await,
            Need::Paused(act) => {
                desk.signs.give(&Sign::Paused(act));
                let control = desk.next_control().await;
                desk.step_in(session, control);
            }
            Need::Hand => {
                desk.signs.give(&Sign::Hand);
                let control = desk.next_control().await;
                desk.step_in(session, control);
            }
        }
    }
}

/// The time between two acts; controls are taken in meanwhile.
async fn pause(session: &mut Session, desk: &mut Desk, pace: Duration) {
    if pace.is_zero() {
        return;
    }
    let until = Instant::now() + pace;
    loop {
        tokio::select! {
            () = sleep_until(until) => return,
            control = desk.next_control() => desk.step_in(session, control),
        }
    }
}

async fn hold(session: &mut Session, desk: &mut Desk, held: Held) {
    let seconds = match held.then {
        Then::Ask { seconds, .. } => Some(Duration::from_secs(seconds.into())),
        Then::Block => None,
    };
    let until = seconds.map(|s| clock::unix_ms() + s.as_millis() as u64);
    desk.signs.give(&Sign::Held {
        act: held.act,
        until,
    });
    let silence = async {
        match seconds {
            Some(s) => sleep(s).await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(silence);
    let input = tokio::select! {
        () = &mut silence => Input::Silence,
        control = desk.next_control() => Input::Control(control),
    };
    if let Err(why) = session.take(input) {
        desk.signs.give(&Sign::Unfit(why));
    }
}

/// Asks the model and takes its answer in, unless somebody steps in so that it is no longer wanted.
async fn ask(session: &mut Session, desk: &mut Desk, chat: Option<&dyn Chat>, request: Request) {
    desk.signs.give(&Sign::Asking(request.seat));
    let Some(chat) = chat else {
        let none = Failure {
            kind: FailureKind::Unreachable,
            message: "no model is named; write --model".to_owned(),
        };
        let _ = session.take(Input::Reply(Err(none)));
        return;
    };
    let wanted = Need::Ask(request.clone());
    let Desk {
        signs,
        controls,
        waiting,
        ..
    } = desk;
    let mut give = |sign: Sign| signs.give(&sign);
    let mut unfit = Vec::new();
    let mut later = Vec::new();
    let answer = {
        let mut call = chat.call(&request, &mut give);
        loop {
            tokio::select! {
                answer = &mut call => break Some(answer),
                control = Desk::control(controls, waiting, &mut unfit) => {
                    if let Err(why) = session.take(Input::Control(control)) {
                        unfit.push(Sign::Unfit(why));
                    }
                    later.extend(session.events());
                    if !session.still(&wanted) {
                        break None;
                    }
                }
            }
        }
    };
    for sign in unfit {
        desk.signs.give(&sign);
    }
    desk.keep(&later).await;
    let Some((reply, spent)) = answer else {
        return;
    };
    let _ = session.take(Input::Reply(reply));
    let events = session.events();
    desk.keep(&events).await;
    if let (Some(spent), Some(last)) = (spent, desk.last) {
        desk.writer.spent(last, &spent);
        desk.signs.give(&Sign::Spent(spent));
    }
}

/// Exchanges a line with the other program.
async fn exchange(session: &mut Session, desk: &mut Desk, doors: &mut Doors<'_>, line: &str) {
    let Some(program) = &mut doors.program else {
        let none = Failure {
            kind: FailureKind::Unreachable,
            message: "no program is named; write --agent exec:COMMAND".to_owned(),
        };
        let _ = session.take(Input::Line(Err(none)));
        return;
    };
    let wanted = Need::Line(line.to_owned());
    let mut later = Vec::new();
    let answer = {
        let mut exchange = program.exchange(line);
        loop {
            tokio::select! {
                answer = &mut exchange => break Some(answer),
                control = desk.next_control() => {
                    if let Err(why) = session.take(Input::Control(control)) {
                        desk.signs.give(&Sign::Unfit(why));
                    }
                    later.extend(session.events());
                    if !session.still(&wanted) {
                        break None;
                    }
                }
            }
        }
    };
    desk.keep(&later).await;
    if let Some(answer) = answer {
        let _ = session.take(Input::Line(answer));
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
/// goes on when its terminal is closed.
pub async fn until_interrupted(detached: bool, future: impl Future<Output = ()>) -> bool {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).ok();
    let (mut int, mut term) = (
        listen(SignalKind::interrupt()),
        listen(SignalKind::terminate()),
    );
    // Listening is what keeps the signal from ending the program.
    let mut hup = listen(SignalKind::hangup());
    let caught = async {
        tokio::select! {
            () = received(&mut int) => {}
            () = received(&mut term) => {}
            () = received(&mut hup), if !detached => {}
        }
    };
    tokio::select! {
        () = future => true,
        () = caught => false,
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
