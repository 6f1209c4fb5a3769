//! One attempt: a request sent and its reply read.

use std::time::{Duration, SystemTime};

use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use serde::de::IgnoredAny;
use tokio::time::{Instant, timeout_at};

use crate::agent::chat::{Failure, FailureKind, Piece, Reply};
use crate::llm::LONGEST;
use crate::llm::client::{Client, millis};
use crate::llm::fault::Fault;
use crate::llm::heard::{Draft, Heard, Said, said, too_long};
use crate::llm::retry;
use crate::llm::sse::{Decoder, Event};

/// The longest body of a failed reply that is read, in bytes.
const FAILED: usize = 64 * 1024;

/// How long the body of a failed reply may take, and what follows the end of an answer.
const TAIL: Duration = Duration::from_secs(5);

/// How long a stream that has said its end may take to close, so that its connection can be used again.
const CLOSING: Duration = Duration::from_millis(20);

/// A reply that was read.
pub(super) struct Done {
    pub(super) reply: Reply,
    /// Milliseconds from sending to its first piece.
    pub(super) first_ms: u64,
}

/// How a body is read.
enum Form {
    Events(Decoder),
    Whole(Vec<u8>),
    /// Not known before its first byte.
    Unknown,
}

impl Client {
    /// Sends a body and reads the reply.
    pub(super) async fn attempt(
        &self,
        body: String,
        on: &mut (dyn FnMut(Piece) + Send),
    ) -> Result<Done, Fault> {
        let Some(http) = &self.http else {
            return Err(self
                .teller()
                .failure(FailureKind::Unreachable, "this client plays a recording")
                .into());
        };
        let sent = Instant::now();
        let timeouts = self.settings.timeouts;
        let first = sent + timeouts.first;
        let late = || {
            self.teller()
                .late("nothing came", timeouts.first, "first_timeout")
        };
        let response = match timeout_at(first, http.post(body).send()).await {
            Err(_) => return Err(late().into()),
            Ok(Err(err)) => return Err(self.teller().broken(&err, timeouts.connect)),
            Ok(Ok(response)) => response,
        };
        if !response.status().is_success() {
            return Err(self.failed(response).await);
        }
        let mut first_ms = None;
        let mut reading = Reading {
            client: self,
            form: form(&response),
            draft: Draft::default(),
        };
        reading
            .read(response, first, &mut |piece| {
                first_ms.get_or_insert_with(|| millis(sent.elapsed()));
                on(piece);
            })
            .await?;
        let reply = reading
            .draft
            .close(on)
            .map_err(|failure| self.named(&failure))?;
        Ok(Done {
            reply,
            first_ms: first_ms.unwrap_or_else(|| millis(sent.elapsed())),
        })
    }

    /// A failure with the endpoint's name before it.
    fn named(&self, failure: &Failure) -> Failure {
        self.teller().failure(failure.kind, &failure.message)
    }

    /// What a reply with another status than success says.
    async fn failed(&self, mut response: Response) -> Fault {
        let status = response.status().as_u16();
        let header = |name: &str| {
            response
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok())
        };
        if response.status().is_redirection() {
            return self.teller().moved(status, header("location"));
        }
        let asked = retry::asked(header, now());
        let until = Instant::now() + TAIL;
        let mut body = Vec::new();
        while let Ok(Ok(Some(bytes))) = timeout_at(until, response.chunk()).await {
            body.extend_from_slice(&bytes);
            if body.len() > FAILED {
                break;
            }
        }
        let text = String::from_utf8_lossy(&body);
        let told = match serde_json::from_str(&text) {
            Ok(value) => said(&value),
            Err(_) => Said {
                message: plain(&text),
                code: String::new(),
            },
        };
        Fault {
            asked,
            ..self.teller().told(status, &told)
        }
    }
}

/// The reading of a reply.
struct Reading<'c> {
    client: &'c Client,
    form: Form,
    draft: Draft,
}

impl Reading<'_> {
    /// Reads the whole body: the draft says whether it is a whole reply.
    async fn read(
        &mut self,
        mut response: Response,
        first: Instant,
        on: &mut (dyn FnMut(Piece) + Send),
    ) -> Result<(), Fault> {
        let timeouts = self.client.settings.timeouts;
        let teller = self.client.teller();
        let mut until = first;
        let mut begun = false;
        loop {
            match timeout_at(until, response.chunk()).await {
                Ok(Ok(Some(bytes))) => self.feed(&bytes, on)?,
                Ok(Ok(None)) => break,
                // The answer is whole; how its connection ends does not matter.
                _ if self.draft.is_whole() => return Ok(()),
                Ok(Err(err)) => return Err(teller.broken(&err, timeouts.connect)),
                Err(_) if begun => {
                    return Err(teller
                        .late("nothing more came", timeouts.idle, "idle_timeout")
                        .into());
                }
                Err(_) => {
                    return Err(teller
                        .late("nothing came", timeouts.first, "first_timeout")
                        .into());
                }
            }
            begun = true;
            until = Instant::now()
                + if self.draft.is_done() {
                    CLOSING
                } else if self.draft.is_whole() {
                    TAIL.min(timeouts.idle)
                } else {
                    timeouts.idle
                };
        }
        if !begun {
            return Err(teller.cut().into());
        }
        self.end(on)
    }

    fn feed(&mut self, bytes: &[u8], on: &mut (dyn FnMut(Piece) + Send)) -> Result<(), Fault> {
        if self.draft.is_done() {
            return Ok(());
        }
        if matches!(self.form, Form::Unknown) {
            let Some(byte) = bytes.iter().find(|b| !b.is_ascii_whitespace()) else {
                return Ok(());
            };
            self.form = match byte {
                b'{' | b'<' | b'[' => Form::Whole(Vec::new()),
                _ => Form::Events(Decoder::new(LONGEST)),
            };
        }
        let too_long = |_| self.client.named(&too_long());
        match &mut self.form {
            Form::Events(decoder) => {
                for event in decoder.feed(bytes).map_err(too_long)? {
                    self.event(&event, on)?;
                    if self.draft.is_done() {
                        break;
                    }
                }
            }
            Form::Whole(body) => {
                if body.len() + bytes.len() > LONGEST {
                    return Err(too_long(crate::llm::sse::TooLong).into());
                }
                body.extend_from_slice(bytes);
            }
            Form::Unknown => {}
        }
        Ok(())
    }

    /// Takes in what the end of the body makes whole.
    fn end(&mut self, on: &mut (dyn FnMut(Piece) + Send)) -> Result<(), Fault> {
        match std::mem::replace(&mut self.form, Form::Unknown) {
            Form::Events(decoder) => match decoder.finish() {
                // An event without its end may be cut: what cannot be read of it was never said.
                Some(event) if !self.draft.is_done() => {
                    let kind = self.client.settings.kind;
                    let heard = (kind.event)(&event.name, &event.data).unwrap_or_default();
                    self.take(heard, on)
                }
                _ => Ok(()),
            },
            Form::Whole(body) => {
                let text = String::from_utf8_lossy(&body);
                let text = text.trim_start_matches('\u{feff}');
                if serde_json::from_str::<IgnoredAny>(text).is_err_and(|err| err.is_eof()) {
                    return Err(self.client.teller().cut().into());
                }
                let heard = (self.client.settings.kind.whole)(text)
                    .map_err(|why| self.client.teller().garbage(&why, text))?;
                self.take(heard, on)
            }
            Form::Unknown => Ok(()),
        }
    }

    fn event(&mut self, event: &Event, on: &mut (dyn FnMut(Piece) + Send)) -> Result<(), Fault> {
        let heard = (self.client.settings.kind.event)(&event.name, &event.data)
            .map_err(|why| self.client.teller().garbage(&why, &event.data))?;
        self.take(heard, on)
    }

    fn take(&mut self, heard: Vec<Heard>, on: &mut (dyn FnMut(Piece) + Send)) -> Result<(), Fault> {
        for heard in heard {
            if let Heard::Failed(said) = &heard {
                return Err(self.client.teller().told(200, said));
            }
            self.draft
                .take(heard, self.client.key.as_ref(), on)
                .map_err(|failure| self.client.named(&failure))?;
        }
        Ok(())
    }
}

/// How a reply says its body is to be read.
fn form(response: &Response) -> Form {
    let kind = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    if kind.contains("event-stream") {
        Form::Events(Decoder::new(LONGEST))
    } else if kind.contains("json") {
        Form::Whole(Vec::new())
    } else {
        Form::Unknown
    }
}

/// The text of a page without its marks, for failures told by something in between.
fn plain(text: &str) -> String {
    if !text.trim_start().starts_with('<') {
        return text.to_owned();
    }
    let mut out = String::new();
    for part in text.split('<') {
        out.push_str(part.split_once('>').map_or(part, |(_, text)| text));
        out.push(' ');
    }
    out
}

/// The time, to compare with a date an endpoint names.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place here that reads the wall clock: Retry-After may be a date"
)]
fn now() -> SystemTime {
    SystemTime::now()
}
