//! Failed attempts: what went wrong in a sentence, and what can be done about it. No I/O.

use std::error::Error;
use std::time::Duration;

use crate::agent::chat::{Failure, FailureKind};
use crate::base::text;
use crate::llm::heard::Said;
use crate::llm::key::{Key, scrub};
use crate::llm::retry;

/// The longest text of an endpoint that is quoted, in columns.
const QUOTED: usize = 300;

/// A failed attempt.
#[derive(Debug)]
pub(super) struct Fault {
    /// How it ends the call if it is the last one.
    pub(super) failure: Failure,
    /// Whether another attempt may succeed.
    pub(super) again: bool,
    /// How long the endpoint asks to wait.
    pub(super) asked: Option<Duration>,
    /// What the endpoint said where it rejected the request itself.
    pub(super) rejected: Option<String>,
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Self {
            again: retry::again(failure.kind),
            failure,
            asked: None,
            rejected: None,
        }
    }
}

/// Words for the failures of one endpoint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Teller<'a> {
    /// Who it is: host and port.
    pub(super) host: &'a str,
    /// The variable a key is usually in.
    pub(super) variable: &'a str,
    /// The key, which is never quoted.
    pub(super) key: Option<&'a Key>,
}

impl Teller<'_> {
    /// A failure of a kind; the sentence begins with the endpoint.
    pub(super) fn failure(&self, kind: FailureKind, what: &str) -> Failure {
        Failure {
            kind,
            message: format!("{}: {what}", self.host),
        }
    }

    /// A text of the endpoint, fit to be quoted: one line, not long, nothing that acts, nothing of the key.
    pub(super) fn quote(&self, said: &str) -> String {
        let words: Vec<&str> = said.split_whitespace().collect();
        let clean = scrub(&words.join(" "), self.key);
        text::fit(&clean, QUOTED).into_owned()
    }

    /// A failure the endpoint tells of, with the status of the reply (200 where it says so within one).
    pub(super) fn told(&self, status: u16, said: &Said) -> Fault {
        let kind = kind_of(status, &said.code);
        let quoted = self.quote(&said.message);
        let code = self.quote(&said.code);
        let sign = match (status, code.is_empty()) {
            (200, true) => String::new(),
            (200, false) => format!(" ({code})"),
            _ => format!(" ({status})"),
        };
        let said_so = if quoted.is_empty() {
            String::new()
        } else {
            format!(": \"{quoted}\"")
        };
        let from = self.key.map_or(self.variable, Key::from);
        let (what, cure) = match kind {
            FailureKind::Unauthorized if self.key.is_none() => {
                ("wants a key", format!("put one into {from}"))
            }
            FailureKind::Unauthorized => ("rejects the key", format!("check the one in {from}")),
            FailureKind::RateLimited => (
                "gets too many requests",
                "wait, or lower concurrency or per_minute".to_owned(),
            ),
            FailureKind::Server => ("failed", "try again later".to_owned()),
            _ if status == 404 => (
                "knows no such place or model",
                "check base and model".to_owned(),
            ),
            _ if spent(&said.code) => ("has no quota left", "check the account".to_owned()),
            _ => ("rejects the request", "check model and settings".to_owned()),
        };
        let rejected = kind == FailureKind::Rejected && matches!(status, 400 | 422);
        Fault {
            rejected: rejected.then(|| said.message.clone()),
            ..Fault::from(
                self.failure(kind, &format!("the endpoint {what}{sign}{said_so}; {cure}")),
            )
        }
    }

    /// An endpoint that sends the caller elsewhere. Nobody follows: the key would go along.
    pub(super) fn moved(&self, status: u16, to: Option<&str>) -> Fault {
        let to = to.map_or_else(String::new, |to| format!(" to {}", self.quote(to)));
        let what = format!(
            "the endpoint sends calls elsewhere ({status}){to}; set base to where it should be"
        );
        self.failure(FailureKind::Rejected, &what).into()
    }

    /// A reply that cannot be read.
    pub(super) fn garbage(&self, why: &str, text: &str) -> Fault {
        let quoted = text::fit(&self.quote(text), 60).into_owned();
        let what = format!(
            "the reply is no chat reply ({}): \"{quoted}\"; check kind and base",
            self.quote(why)
        );
        self.failure(FailureKind::Garbage, &what).into()
    }

    /// A reply that ends before it is whole.
    pub(super) fn cut(&self) -> Failure {
        self.failure(
            FailureKind::CutOff,
            "the reply broke off before its end; try again",
        )
    }

    /// Nothing came within a time limit.
    pub(super) fn late(&self, what: &str, limit: Duration, setting: &str) -> Failure {
        let seconds = limit.as_secs_f64();
        self.failure(
            FailureKind::TimedOut,
            &format!("{what} within {seconds} s; try later or raise {setting}"),
        )
    }

    /// A connection that failed: while it was made, or later.
    pub(super) fn broken(&self, err: &reqwest::Error, connect: Duration) -> Fault {
        let why = self.quote(&cause(err));
        let failure = if err.is_builder() {
            self.failure(
                FailureKind::Rejected,
                &format!("the request cannot be made: {why}; check base"),
            )
        } else if err.is_connect() && err.is_timeout() {
            let seconds = connect.as_secs_f64();
            let what = format!("nobody answers within {seconds} s; check base and the network");
            self.failure(FailureKind::Unreachable, &what)
        } else if err.is_connect() && why.contains("certificate") {
            let what = format!(
                "the endpoint cannot be trusted ({why}); name your authority's certificate in SSL_CERT_FILE"
            );
            let failure = self.failure(FailureKind::Unreachable, &what);
            // It will be the same certificate next time.
            return Fault {
                again: false,
                ..failure.into()
            };
        } else if err.is_connect() {
            let what =
                format!("cannot be reached ({why}); check base, the proxy and whether it runs");
            self.failure(FailureKind::Unreachable, &what)
        } else {
            self.failure(
                FailureKind::CutOff,
                &format!("the connection broke off ({why}); try again"),
            )
        };
        failure.into()
    }
}

/// The innermost cause of an error: what is around it says only that there was one, and may name addresses.
fn cause(err: &dyn Error) -> String {
    let mut inner = err;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}

/// Whether a code says that the account has nothing left: waiting does not help.
fn spent(code: &str) -> bool {
    ["insufficient_quota", "billing"]
        .iter()
        .any(|word| code.contains(word))
}

/// The kind of failure, from the status and what the endpoint calls it. Within a stream the status is that of the
/// stream, so what counts is the code, which some servers write as a status.
fn kind_of(status: u16, code: &str) -> FailureKind {
    let status = match status {
        200..300 => code.split(' ').find_map(|word| word.parse().ok()),
        _ => Some(status),
    };
    match status {
        _ if spent(code) => FailureKind::Rejected,
        Some(401 | 403) => FailureKind::Unauthorized,
        Some(429) => FailureKind::RateLimited,
        Some(408 | 425 | 500..) => FailureKind::Server,
        Some(300..500) => FailureKind::Rejected,
        _ if code.contains("rate_limit") => FailureKind::RateLimited,
        _ if ["authentication", "permission", "api_key"]
            .iter()
            .any(|w| code.contains(w)) =>
        {
            FailureKind::Unauthorized
        }
        _ if ["invalid", "not_found", "too_large", "BadRequest"]
            .iter()
            .any(|w| code.contains(w)) =>
        {
            FailureKind::Rejected
        }
        _ => FailureKind::Server,
    }
}

#[cfg(test)]
mod tests;
