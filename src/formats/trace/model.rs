//! A recorded conversation, whoever recorded it: what every format here is read into and written from.

/// Fields without a place of their own, as JSON text by name, in the order they were read.
pub type Extra = Vec<(String, String)>;

/// A recorded conversation of an agent with a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The id of the format it was read from, see [`super::FORMATS`]; empty for one that was made here.
    pub format: String,
    /// The version that the file says it has; empty where it says none.
    pub version: String,
    /// Its name in its own world: a session, a sample; empty when unknown.
    pub id: String,
    /// The name of the task; empty when unknown.
    pub task: String,
    /// The model, as its endpoint names it; empty when unknown.
    pub model: String,
    /// The program that led the model; empty when unknown.
    pub agent: String,
    /// The version of that program; empty when unknown.
    pub agent_version: String,
    /// When it was begun, RFC 3339 where that could be told; empty when unknown.
    pub created: String,
    /// How it ended, in the words of whoever recorded it; empty when unknown.
    pub outcome: String,
    /// What scorers said.
    pub scores: Vec<Score>,
    /// What all of it took, as the file sums it up.
    pub totals: Usage,
    /// What was said and done, in order.
    pub turns: Vec<Turn>,
    /// The run of ours that it tells of, whole; `None` for a recording of others.
    pub run: Option<Recorded>,
    /// Everything else.
    pub extra: Extra,
}

/// What a scorer said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// The scorer.
    pub name: String,
    /// The value, as JSON text.
    pub value: String,
    /// Why; empty where it was not said.
    pub text: String,
    /// Everything else.
    pub extra: Extra,
}

/// Who speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Whoever wrote the rules of the conversation.
    System,
    /// The person or the world that asks.
    #[default]
    User,
    /// The agent.
    Agent,
    /// What was called answers, in a turn of its own.
    Tool,
    /// Somebody else, in the word of the file.
    Other(String),
}

/// One turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// Who speaks.
    pub role: Role,
    /// The speaker's name, where several share a role; else empty.
    pub name: String,
    /// Its id in the file; empty where it has none.
    pub id: String,
    /// What is said; where it has parts that are no text, those are in `extra`.
    pub text: String,
    /// What was thought before; empty where that was not kept.
    pub reasoning: String,
    /// What is called.
    pub calls: Vec<Call>,
    /// What the calls gave, also without a call.
    pub observations: Vec<Observation>,
    /// What it took.
    pub usage: Usage,
    /// When, RFC 3339 where that could be told; empty when unknown.
    pub time: String,
    /// The world after it, where that is known.
    pub world: Option<World>,
    /// Everything else.
    pub extra: Extra,
}

/// A call of a tool, or an action.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    /// What answers refer to it by; empty where it has no id.
    pub id: String,
    /// What is called.
    pub name: String,
    /// With what, as JSON text.
    pub arguments: String,
    /// Everything else.
    pub extra: Extra,
}

/// What a call gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observation {
    /// The id of the call; empty for what answers none.
    pub call: String,
    /// What was seen.
    pub text: String,
    /// Everything else.
    pub extra: Extra,
}

/// What something took. `None` is unknown, which is not 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Tokens read.
    pub input: Option<u64>,
    /// Tokens written.
    pub output: Option<u64>,
    /// Those of the tokens read that came from a cache.
    pub cached: Option<u64>,
    /// US dollars.
    pub cost: Option<f64>,
    /// Milliseconds.
    pub ms: Option<u64>,
}

impl Usage {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Both together; what only one knows counts as it is.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        fn sum<T: std::ops::Add<Output = T>>(a: Option<T>, b: Option<T>) -> Option<T> {
            match (a, b) {
                (Some(a), Some(b)) => Some(a + b),
                (one, None) | (None, one) => one,
            }
        }
        let whole = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (one, None) | (None, one) => one,
        };
        Self {
            input: whole(self.input, other.input),
            output: whole(self.output, other.output),
            cached: whole(self.cached, other.cached),
            cost: sum(self.cost, other.cost),
            ms: whole(self.ms, other.ms),
        }
    }
}

/// The world after a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct World {
    /// The number of the event in the run.
    pub seq: u32,
    /// The state hash, 32 hex digits.
    pub hash: String,
    /// What the turn changed, as events write it: `+microwave.31:OPEN`.
    pub diff: Vec<String>,
    /// Success goals that hold, and how many there are.
    pub success: (u32, u32),
    /// Safety goals that hold, and how many there are.
    pub safety: (u32, u32),
}

/// The files of a run, as text: what makes the way back exact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// `run.json`.
    pub header: String,
    /// The lines of `events.jsonl`.
    pub events: Vec<String>,
    /// The lines of `notes.jsonl`.
    pub notes: Vec<String>,
    /// The lines of `timing.jsonl`.
    pub timing: Vec<String>,
    /// `scene.json.gz`, in Base64; empty where it was left out.
    pub scene: String,
}

impl Trace {
    /// Whether it holds nothing that could be looked at.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty() && self.run.is_none()
    }

    /// What the turns took together, or what the file sums up where turns say nothing.
    pub fn spent(&self) -> Usage {
        let turns = self
            .turns
            .iter()
            .fold(Usage::default(), |sum, turn| sum.plus(turn.usage));
        let or = |a: Option<u64>, b: Option<u64>| a.or(b);
        Usage {
            input: or(self.totals.input, turns.input),
            output: or(self.totals.output, turns.output),
            cached: or(self.totals.cached, turns.cached),
            cost: self.totals.cost.or(turns.cost),
            ms: or(self.totals.ms, turns.ms),
        }
    }

    /// How many calls there are.
    pub fn calls(&self) -> usize {
        self.turns.iter().map(|turn| turn.calls.len()).sum()
    }
}

impl Role {
    /// The word most formats use for it.
    pub fn word(&self) -> &str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Agent => "assistant",
            Self::Tool => "tool",
            Self::Other(word) => word,
        }
    }

    /// The role of that word.
    pub fn of(word: &str) -> Self {
        match word {
            "system" => Self::System,
            "user" => Self::User,
            "assistant" => Self::Agent,
            "tool" => Self::Tool,
            other => Self::Other(other.to_owned()),
        }
    }
}
