//! Kinds of endpoints. Each says where to send, with which headers, what to write and how to read the answer.
//!
//! **A new kind** is one file here with a [`Kind`] in it, and one line in [`KINDS`]. A server that speaks like one there
//! is takes a few lines in that one's file, with another address.

use reqwest::Url;

use crate::agent::chat::{Failure, FailureKind, Request, Schema};
use crate::llm::heard::Heard;
use crate::llm::settings::Settings;

mod anthropic;
mod openai;

pub use anthropic::ANTHROPIC;
pub use openai::{AZURE, LLAMACPP, OLLAMA, OPENAI, TOGETHER, VLLM};

/// All kinds of endpoints.
pub const KINDS: &[&Kind] = &[
    &OPENAI, &AZURE, &ANTHROPIC, &VLLM, &OLLAMA, &LLAMACPP, &TOGETHER,
];

/// A kind of endpoint. Everything in it is pure: text in, text out.
pub struct Kind {
    /// Its name in settings.
    pub id: &'static str,
    /// What it is, for lists.
    pub about: &'static str,
    /// The usual address; empty where there is none.
    pub base: &'static str,
    /// The environment variable its key is usually in.
    pub variable: &'static str,
    /// Whether it refuses to work without a key.
    pub needs_key: bool,
    /// Whether it takes a seed.
    pub seeds: bool,
    /// What it is taken to understand before it has said otherwise.
    pub(super) habits: Habits,
    /// Where requests are sent.
    pub(super) url: fn(&Settings) -> Url,
    /// The name of the header that carries the key, and what stands before the key in it.
    pub(super) sign: (&'static str, &'static str),
    /// Further headers.
    pub(super) headers: &'static [(&'static str, &'static str)],
    /// The body of a request.
    pub(super) body: fn(&Settings, &Request, Habits) -> Result<String, Failure>,
    /// What an event of a stream says, from its name and data; what is wrong with it otherwise.
    pub(super) event: fn(&str, &str) -> Result<Vec<Heard>, String>,
    /// What a reply in one piece says.
    pub(super) whole: fn(&str) -> Result<Vec<Heard>, String>,
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// How an endpoint calls the longest reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// `max_tokens`, as most servers do.
    Tokens,
    /// `max_completion_tokens`, as those do that count thoughts as well.
    CompletionTokens,
}

impl Limit {
    /// Its name.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Tokens => "max_tokens",
            Self::CompletionTokens => "max_completion_tokens",
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Tokens => Self::CompletionTokens,
            Self::CompletionTokens => Self::Tokens,
        }
    }
}

/// What an endpoint understands, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Habits {
    /// It can hold replies to a schema.
    pub(super) schema: bool,
    /// How it calls the longest reply.
    pub(super) limit: Limit,
    /// It counts tokens at the end of a stream when asked to.
    pub(super) counts: bool,
    /// It has corrected how the longest reply is called.
    limit_known: bool,
}

impl Habits {
    /// What is assumed at first.
    const fn assumed(schema: bool, limit: Limit) -> Self {
        Self {
            schema,
            limit,
            counts: true,
            limit_known: false,
        }
    }

    /// What to assume instead after a request with a schema or without was rejected with these words. `None`: there is
    /// nothing left to do otherwise.
    pub(super) fn corrected(self, said: &str, schema: bool) -> Option<Self> {
        let said = said.to_ascii_lowercase();
        let unknown = [
            "unsupported",
            "not supported",
            "unrecognized",
            "unknown",
            "extra",
            "instead",
        ]
        .iter()
        .any(|word| said.contains(word));
        let limit = [self.limit, self.limit.other()]
            .iter()
            .any(|limit| said.contains(limit.id()));
        if limit && unknown && !self.limit_known {
            return Some(Self {
                limit: self.limit.other(),
                limit_known: true,
                ..self
            });
        }
        if said.contains("stream_options") && self.counts {
            return Some(Self {
                counts: false,
                ..self
            });
        }
        (schema && self.schema).then_some(Self {
            schema: false,
            ..self
        })
    }
}

/// The order to keep to a schema in words, for endpoints that cannot enforce one.
pub(super) fn in_words(schema: &Schema) -> String {
    format!(
        "Reply with one JSON value and nothing else. It must fit this JSON schema:\n{}",
        schema.json
    )
}

/// The schema as a value.
pub(super) fn parsed(schema: &Schema) -> Result<serde_json::Value, Failure> {
    serde_json::from_str(&schema.json).map_err(|err| Failure {
        kind: FailureKind::Rejected,
        message: format!("the schema {} is no JSON: {err}; mend it", schema.name),
    })
}

/// The address with path segments appended, unless it ends with the last of them already.
pub(super) fn join(base: &Url, segments: &[&str]) -> Url {
    let mut url = base.clone();
    let path = url.path().trim_end_matches('/').to_owned();
    if segments
        .last()
        .is_some_and(|last| path.ends_with(&format!("/{last}")))
    {
        return url;
    }
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}

#[cfg(test)]
mod tests;
