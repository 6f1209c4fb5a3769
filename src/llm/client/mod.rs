//! Calls of a chat model: one future a call, which waits its turn, sends, reads, and tries again.
//!
//! Nothing is spawned. A call that is dropped closes its socket, also while it connects or waits.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::rand::{GetRandomFlags, getrandom};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout_at};

use crate::agent::chat::{Failure, FailureKind, Piece, Reply, Request, Usage};
use crate::llm::cassette::{Asked, Taken, Tape};
use crate::llm::fault::{Fault, Teller};
use crate::llm::key::Key;
use crate::llm::kind::Habits;
use crate::llm::price::{Cost, Prices};
use crate::llm::rate::Bucket;
use crate::llm::retry::Dice;
use crate::llm::settings::Settings;

mod attempt;
mod http;

/// What a call took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// How often the endpoint was asked; 0 for a call out of a recording.
    pub attempts: u32,
    /// Milliseconds from sending to the first piece of the reply, in the attempt that succeeded. 0 out of a recording.
    pub first_ms: u64,
    /// Milliseconds from sending first to the end of the reply. The wait for a turn does not count. 0 out of a
    /// recording.
    pub total_ms: u64,
    /// Tokens, where the endpoint counts them.
    pub usage: Option<Usage>,
    /// What they cost; `None` where they are not counted or the model has no price.
    pub cost: Option<Cost>,
    /// Whether the reply was to fit a schema and the endpoint could not be made to hold it to that: it was asked in
    /// words instead. False out of a recording.
    pub in_words: bool,
}

/// An endpoint that can be called. Calls of one client share its limits; it can be called from many places at once.
#[derive(Debug)]
pub struct Client {
    settings: Settings,
    key: Option<Key>,
    http: Option<http::Http>,
    host: String,
    prices: Prices,
    tape: Option<Arc<Tape>>,
    turns: Semaphore,
    bucket: Mutex<Bucket>,
    dice: Mutex<Dice>,
    /// What the endpoint understands, as far as its rejections have told.
    habits: Mutex<Habits>,
    /// When the client was made: the zero of the bucket's clock.
    made: Instant,
}

impl Client {
    /// A client for an endpoint. Proxies and certificates are taken from the environment now. Must be called within a
    /// tokio runtime with time and I/O, and its calls be made there.
    ///
    /// # Errors
    /// The endpoint needs a key and there is none, or the certificates cannot be read.
    pub fn new(settings: Settings, key: Option<Key>) -> Result<Self, Failure> {
        let mut seed = [0; 8];
        // Without chance all callers come back at the same moments: slower, never wrong.
        let _ = getrandom(&mut seed, GetRandomFlags::empty());
        Self::seeded(settings, key, u64::from_ne_bytes(seed))
    }

    /// As [`Client::new`], with a seed for the chance in the waits between attempts.
    ///
    /// # Errors
    /// As [`Client::new`].
    pub fn seeded(settings: Settings, key: Option<Key>, seed: u64) -> Result<Self, Failure> {
        if settings.needs_key() && key.is_none() {
            return Err(Failure {
                kind: FailureKind::NoKey,
                message: format!(
                    "{} needs a key; put it into {} or name a file with it",
                    settings.kind.id,
                    settings.variable()
                ),
            });
        }
        let http = http::Http::new(&settings, key.as_ref())?;
        Ok(Self {
            http: Some(http),
            dice: Mutex::new(Dice::new(seed)),
            ..Self::offline(settings, key)
        })
    }

    /// A client that plays a recording: no network, no key. A call that is not in it fails.
    pub fn replaying(settings: Settings, tape: impl Into<Arc<Tape>>) -> Self {
        Self {
            tape: Some(tape.into()),
            ..Self::offline(settings, None)
        }
    }

    fn offline(settings: Settings, key: Option<Key>) -> Self {
        let port = settings
            .base
            .port()
            .map_or_else(String::new, |port| format!(":{port}"));
        Self {
            host: format!("{}{port}", settings.base.host_str().unwrap_or_default()),
            turns: Semaphore::new(settings.concurrency.clamp(1, Semaphore::MAX_PERMITS)),
            bucket: Mutex::new(Bucket::new(settings.per_minute)),
            dice: Mutex::new(Dice::new(0)),
            habits: Mutex::new(settings.kind.habits),
            made: Instant::now(),
            prices: Prices::shipped().0,
            http: None,
            tape: None,
            settings,
            key,
        }
    }

    /// The same client with a recording of all its calls; several clients may share one. Calls it holds already and
    /// that were not played yet are played before the endpoint is asked: see [`crate::llm::cassette`].
    #[must_use]
    pub fn recording(mut self, tape: impl Into<Arc<Tape>>) -> Self {
        self.tape = Some(tape.into());
        self
    }

    /// The same client with other prices than the shipped ones.
    #[must_use]
    pub fn priced(mut self, prices: Prices) -> Self {
        self.prices = prices;
        self
    }

    /// How the endpoint is called.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Asks the model. `on` gets the reply in pieces as it comes; after [`Piece::Again`] it begins anew. Dropping the
    /// future ends the call; its socket closes as soon as the runtime goes on, or ends.
    ///
    /// # Errors
    /// Why there is no reply, after all attempts, in a sentence without the key.
    pub async fn call(
        &self,
        request: &Request,
        on: &mut (dyn FnMut(Piece) + Send),
    ) -> Result<(Reply, Spent), Failure> {
        let asked = self
            .tape
            .as_ref()
            .map(|tape| (tape, Asked::new(&self.settings, request)));
        if let Some((tape, asked)) = &asked {
            match tape.take(asked) {
                Ok(taken) => return self.play(taken, on),
                Err(failure) if self.http.is_none() => return Err(failure),
                // It is asked and recorded now. If the recording cannot be written, that is told then.
                Err(_) => {}
            }
        }
        let mut pieces = Vec::new();
        let recorded = asked.is_some();
        let outcome = self
            .turn(request, &mut |piece| {
                match &piece {
                    Piece::Again { .. } => pieces.clear(),
                    _ if recorded => pieces.push(piece.clone()),
                    _ => {}
                }
                on(piece);
            })
            .await;
        if let Some((tape, asked)) = &asked {
            let outcome = outcome.as_ref().map(|(reply, _)| reply);
            tape.add(asked, pieces, outcome)?;
        }
        outcome
    }

    fn play(
        &self,
        taken: Taken,
        on: &mut (dyn FnMut(Piece) + Send),
    ) -> Result<(Reply, Spent), Failure> {
        taken.pieces.into_iter().for_each(on);
        let reply = taken.outcome?;
        let spent = Spent {
            usage: reply.usage,
            cost: self.cost(reply.usage),
            ..Spent::default()
        };
        Ok((reply, spent))
    }

    fn cost(&self, usage: Option<Usage>) -> Option<Cost> {
        self.prices.cost(&self.settings.model, usage?)
    }

    /// Waits for a turn, then asks until there is a reply or no hope.
    async fn turn(
        &self,
        request: &Request,
        on: &mut (dyn FnMut(Piece) + Send),
    ) -> Result<(Reply, Spent), Failure> {
        // The semaphore is never closed.
        let _turn = self.turns.acquire().await;
        self.token().await;
        let begun = Instant::now();
        let total = self.settings.timeouts.total;
        let tries = self.tries(request, begun, on);
        match timeout_at(begun + total, tries).await {
            Ok(outcome) => outcome,
            Err(_) => Err(self
                .teller()
                .late("there was no whole reply", total, "total_timeout")),
        }
    }

    async fn tries(
        &self,
        request: &Request,
        begun: Instant,
        on: &mut (dyn FnMut(Piece) + Send),
    ) -> Result<(Reply, Spent), Failure> {
        let mut habits = *held(&self.habits);
        let mut attempts = 0;
        let mut failed = 0;
        loop {
            attempts += 1;
            let body = (self.settings.kind.body)(&self.settings, request, habits)?;
            let fault = match self.attempt(body, on).await {
                Ok(done) => {
                    *held(&self.habits) = habits;
                    let spent = Spent {
                        attempts,
                        first_ms: done.first_ms,
                        total_ms: millis(begun.elapsed()),
                        usage: done.reply.usage,
                        cost: self.cost(done.reply.usage),
                        in_words: request.schema.is_some()
                            && !(habits.schema && self.settings.structured),
                    };
                    return Ok((done.reply, spent));
                }
                Err(fault) => fault,
            };
            if let Some(said) = &fault.rejected {
                let schema = request.schema.is_some() && self.settings.structured;
                match habits.corrected(said, schema) {
                    Some(other) => {
                        habits = other;
                        continue;
                    }
                    None => return Err(fault.failure),
                }
            }
            failed += 1;
            let wait = self.wait(&fault, failed, begun)?;
            on(Piece::Again {
                wait_ms: millis(wait),
                why: fault.failure.message,
            });
            sleep(wait).await;
            self.token().await;
        }
    }

    /// Waits until another request may go.
    async fn token(&self) {
        let wait = held(&self.bucket).take(self.made.elapsed());
        // Even a wait of nothing takes until the next tick of the timer.
        if !wait.is_zero() {
            sleep(wait).await;
        }
    }

    /// How long to wait after a failed attempt, or the failure where waiting is of no use.
    fn wait(&self, fault: &Fault, failed: u32, begun: Instant) -> Result<Duration, Failure> {
        let failure = || fault.failure.clone();
        if !fault.again {
            return Err(failure());
        }
        let patience = self.settings.patience;
        let wait = patience.wait(failed, fault.asked, &mut held(&self.dice));
        let left = self.settings.timeouts.total.saturating_sub(begun.elapsed());
        if let Some(wait) = wait.filter(|wait| *wait < left) {
            if fault.asked.is_some() {
                // What is asked of one call holds for all of them.
                held(&self.bucket).hold(self.made.elapsed() + wait);
            }
            return Ok(wait);
        }
        let mut failure = failure();
        // A string takes whatever is written.
        match fault.asked {
            Some(asked) if failed <= patience.retries => {
                let seconds = asked.as_secs_f64();
                let _ = write!(
                    failure.message,
                    " (it asks to wait {seconds} s, longer than allowed)"
                );
            }
            _ if failed > 1 => {
                let _ = write!(failure.message, " (after {failed} attempts)");
            }
            _ => {}
        }
        Err(failure)
    }

    fn teller(&self) -> Teller<'_> {
        Teller {
            host: &self.host,
            variable: self.settings.variable(),
            key: self.key.as_ref(),
        }
    }
}

/// What a mutex holds. A panic elsewhere leaves these values usable.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
