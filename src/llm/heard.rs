//! What the reply of an endpoint says, whichever kind it is, and the reply that comes of it.

use serde_json::Value;

use crate::agent::chat::{Failure, FailureKind, Finish, Piece, Reply, Usage};
use crate::llm::LONGEST;
use crate::llm::key::{Key, Veil, scrub};

/// One thing a reply says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// This is a reply of the expected kind, whatever is in it.
    Known,
    /// More of the answer.
    Text(String),
    /// More of what is thought before it.
    Thought(String),
    /// Why it ends.
    Finish(Finish),
    /// Tokens; later counts replace earlier ones.
    Counts(Counts),
    /// The reply is over.
    Done,
    /// There will be no reply.
    Failed(Said),
}

/// Tokens as far as they are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) input: Option<u64>,
    pub(super) output: Option<u64>,
    pub(super) cached: Option<u64>,
}

/// What an endpoint says of a failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// Its sentence.
    pub(super) message: String,
    /// Its code or type, for programs.
    pub(super) code: String,
}

/// The failure in a value: an object or a text below `error`, or the value itself.
pub(super) fn said(value: &Value) -> Said {
    let error = value.get("error").filter(|e| !e.is_null()).unwrap_or(value);
    let text = |name: &str| match error.get(name) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let message = match error {
        Value::String(text) => text.clone(),
        _ => text("message")
            .or_else(|| text("detail"))
            .unwrap_or_else(|| error.to_string()),
    };
    let code = [text("code"), text("type"), text("status")];
    Said {
        message,
        code: code.into_iter().flatten().collect::<Vec<_>>().join(" "),
    }
}

/// A reply as it comes together. What it says passes a [`Veil`]: an endpoint that repeats the key does not get it shown.
#[derive(Debug, Default)]
pub(super) struct Draft {
    text: String,
    thought: String,
    veils: (Veil, Veil),
    finish: Option<Finish>,
    counts: Counts,
    known: bool,
    done: bool,
}

impl Draft {
    /// Takes in what was heard and passes on what can be shown.
    ///
    /// # Errors
    /// The reply is longer than is taken.
    pub(super) fn take(
        &mut self,
        heard: Heard,
        key: Option<&Key>,
        on: &mut (dyn FnMut(Piece) + Send),
    ) -> Result<(), Failure> {
        match heard {
            Heard::Known | Heard::Failed(_) => self.known = true,
            Heard::Text(text) => {
                let shown = self.veils.0.pass(&text, key);
                self.add(Piece::Text(shown), on)?;
            }
            Heard::Thought(text) => {
                let shown = self.veils.1.pass(&text, key);
                self.add(Piece::Thought(shown), on)?;
            }
            // A refusal stays one, whatever is said at the end.
            Heard::Finish(finish) if self.finish != Some(Finish::Filtered) => {
                self.finish = Some(match finish {
                    Finish::Other(name) => Finish::Other(scrub(&name, key)),
                    known => known,
                });
            }
            Heard::Finish(_) => {}
            Heard::Counts(counts) => {
                self.counts.input = counts.input.or(self.counts.input);
                self.counts.output = counts.output.or(self.counts.output);
                self.counts.cached = counts.cached.or(self.counts.cached);
            }
            Heard::Done => self.done = true,
        }
        Ok(())
    }

    fn add(&mut self, piece: Piece, on: &mut (dyn FnMut(Piece) + Send)) -> Result<(), Failure> {
        let (Piece::Text(text) | Piece::Thought(text)) = &piece else {
            return Ok(());
        };
        if text.is_empty() {
            return Ok(());
        }
        if self.text.len() + self.thought.len() + text.len() > LONGEST {
            return Err(too_long());
        }
        match &piece {
            Piece::Thought(text) => self.thought.push_str(text),
            _ => self.text.push_str(text),
        }
        on(piece);
        Ok(())
    }

    /// Whether the endpoint has said that nothing more comes.
    pub(super) const fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the answer is whole: nothing but counts can be missing.
    pub(super) const fn is_whole(&self) -> bool {
        self.done || self.finish.is_some()
    }

    /// The reply, now that nothing more comes.
    ///
    /// # Errors
    /// It broke off, it is of no known kind, or there is nothing in it.
    pub(super) fn close(mut self, on: &mut (dyn FnMut(Piece) + Send)) -> Result<Reply, Failure> {
        let failed = |kind, message: &str| {
            Err(Failure {
                kind,
                message: message.to_owned(),
            })
        };
        if !self.known {
            return failed(
                FailureKind::Garbage,
                "the endpoint answers with something else than a chat reply; check kind and base",
            );
        }
        if !self.is_whole() {
            return failed(
                FailureKind::CutOff,
                "the reply broke off before its end; try again",
            );
        }
        let rest = (self.veils.0.rest(), self.veils.1.rest());
        self.add(Piece::Thought(rest.1), on)?;
        self.add(Piece::Text(rest.0), on)?;
        let finish = self.finish.unwrap_or(Finish::Stop);
        if self.text.trim().is_empty() {
            let why = match &finish {
                Finish::Length => {
                    "the model reached the longest reply before it answered; raise max_tokens"
                }
                Finish::Filtered => "the endpoint withheld the answer; ask otherwise",
                _ => "the reply holds no answer; try again or take another model",
            };
            return failed(FailureKind::Empty, why);
        }
        let counts = self.counts;
        let usage = (counts != Counts::default()).then(|| Usage {
            input: counts.input.unwrap_or(0),
            output: counts.output.unwrap_or(0),
            cached: counts.cached.unwrap_or(0),
        });
        Ok(Reply {
            text: self.text,
            thought: self.thought,
            finish,
            usage,
        })
    }
}

/// The failure of a reply that is too long.
pub(super) fn too_long() -> Failure {
    Failure {
        kind: FailureKind::TooLong,
        message: format!(
            "the reply is longer than {} MB; set max_tokens",
            LONGEST / 1024 / 1024
        ),
    }
}
