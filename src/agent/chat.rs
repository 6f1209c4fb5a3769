//! What is said to a chat model and what it says back, whatever endpoint speaks for it.

use std::fmt;

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The standing orders.
    System,
    /// The world, or the person.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 3] = [Self::System, Self::User, Self::Assistant];

    /// The name used in files and by every endpoint.
    pub const fn id(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }

    /// The role of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.id() == text)
    }
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub text: String,
}

/// Whose model is asked: a critic may have one of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Seat {
    /// The model that plays.
    #[default]
    Actor,
    /// The model that criticises.
    Critic,
}

/// To which turn of which run a call belongs: what tells calls of the same words apart in a recording.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The task's id.
    pub task: String,
    /// How many calls of the run were answered before.
    pub n: u32,
}

/// One call of a chat model. Which endpoint, model and temperature is settled where the call is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// Whose model is asked.
    pub seat: Seat,
    /// The conversation so far, oldest first.
    pub messages: Vec<Message>,
    /// What the reply must look like, where the endpoint can enforce it.
    pub schema: Option<Schema>,
    /// The longest reply wanted, in tokens; `None` leaves it to the endpoint.
    pub max_tokens: Option<u32>,
    /// To which turn it belongs; the session fills it in.
    pub turn: Option<Turn>,
}

/// A JSON schema for a reply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schema {
    /// A short name, letters and underscores.
    pub name: String,
    /// The schema, as JSON text.
    pub json: String,
}

/// Tokens counted by the endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Usage {
    /// Tokens read.
    pub input: u64,
    /// Tokens written, thoughts included.
    pub output: u64,
    /// Those of `input` that came from the endpoint's cache.
    pub cached: u64,
}

/// A part of a reply as it streams in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// More of the answer.
    Text(String),
    /// More of what the model thinks before it answers, where the endpoint tells it apart.
    Thought(String),
    /// The attempt failed and another one follows: what came before is void. Never part of a recording.
    Again {
        /// How long it waits before that, in milliseconds.
        wait_ms: u64,
        /// Why the attempt failed, in a sentence.
        why: String,
    },
}

/// Why a reply ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Finish {
    /// The model was done.
    Stop,
    /// It ran into a limit of length; the text is cut.
    Length,
    /// The endpoint withheld the rest.
    Filtered,
    /// Another reason, as the endpoint names it.
    Other(String),
}

/// A whole reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The answer.
    pub text: String,
    /// What the model thought before, where the endpoint tells it apart; else empty.
    pub thought: String,
    /// Why it ended.
    pub finish: Finish,
    /// Tokens, where the endpoint counts them.
    pub usage: Option<Usage>,
}

/// A call that gave no reply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Failure {
    /// What kind of failure.
    pub kind: FailureKind,
    /// What happened and what to do about it, in one sentence; never a key.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Kinds of failed calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureKind {
    /// Cancelled by whoever asked.
    Cancelled,
    /// No key, or one that must not be used.
    NoKey,
    /// The endpoint rejects the key (401, 403).
    Unauthorized,
    /// The endpoint rejects the request (other 4xx).
    Rejected,
    /// Too many requests (429), also after all retries.
    RateLimited,
    /// The endpoint failed (5xx), also after all retries.
    Server,
    /// Nobody answers at that address.
    Unreachable,
    /// Nothing came for too long.
    TimedOut,
    /// The reply broke off.
    CutOff,
    /// The reply is no reply of this protocol.
    Garbage,
    /// A reply without an answer in it.
    Empty,
    /// A reply longer than is taken.
    TooLong,
    /// A replayed recording holds no such call, or a recording cannot be written.
    NotRecorded,
}

impl FailureKind {
    /// All kinds.
    pub const ALL: [Self; 13] = [
        Self::Cancelled,
        Self::NoKey,
        Self::Unauthorized,
        Self::Rejected,
        Self::RateLimited,
        Self::Server,
        Self::Unreachable,
        Self::TimedOut,
        Self::CutOff,
        Self::Garbage,
        Self::Empty,
        Self::TooLong,
        Self::NotRecorded,
    ];

    /// The name used in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::NoKey => "no_key",
            Self::Unauthorized => "unauthorized",
            Self::Rejected => "rejected",
            Self::RateLimited => "rate_limited",
            Self::Server => "server",
            Self::Unreachable => "unreachable",
            Self::TimedOut => "timed_out",
            Self::CutOff => "cut_off",
            Self::Garbage => "garbage",
            Self::Empty => "empty",
            Self::TooLong => "too_long",
            Self::NotRecorded => "not_recorded",
        }
    }

    /// The kind of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == text)
    }
}
