//! Signs of life: what a runner says besides the events, so that a viewer sees a reply while it comes.
//!
//! Signs may be lost; nothing depends on them. Times are milliseconds of the wall clock since 1970.

use serde_json::{Value, json};

use crate::agent::chat::Seat;

/// A sign.
#[derive(Clone, Debug, PartialEq)]
pub enum Sign {
    /// A model is asked.
    Asking(Seat),
    /// More of its answer.
    Text(String),
    /// More of what it thinks before.
    Thought(String),
    /// What came of the answer is void; the endpoint is asked again in so many milliseconds, for this reason.
    Retry {
        /// Milliseconds.
        ms: u64,
        /// Why.
        why: String,
    },
    /// An act is held.
    Held {
        /// The act, as a line.
        act: String,
        /// When silence decides; `None` when it waits for ever.
        until: Option<u64>,
    },
    /// The session waits for a person to say go on; the act that waits.
    Paused(String),
    /// A person acts.
    Hand,
    /// What a call took.
    Spent(Spent),
    /// A control could not be used, for this reason.
    Unfit(String),
    /// What is recorded is not on the disk, for this reason.
    NotSaved(String),
    /// The run is over.
    Over,
}

/// What a call of a model took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Tries, the last one included.
    pub attempts: u32,
    /// Milliseconds until the first of the answer.
    pub first_ms: u64,
    /// Milliseconds until the last.
    pub total_ms: u64,
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// Those of the tokens read that came from a cache.
    pub cached: u64,
    /// US dollars, where the model's price is known.
    pub cost: Option<f64>,
}

impl Spent {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            attempts: self.attempts + other.attempts,
            first_ms: self.first_ms + other.first_ms,
            total_ms: self.total_ms + other.total_ms,
            tokens_in: self.tokens_in + other.tokens_in,
            tokens_out: self.tokens_out + other.tokens_out,
            cached: self.cached + other.cached,
            cost: match (self.cost, other.cost) {
                (Some(a), Some(b)) => Some(a + b),
                (one, None) | (None, one) => one,
            },
        }
    }

    /// As JSON fields.
    pub fn json(&self) -> Value {
        let mut value = json!({
            "attempts": self.attempts, "first_ms": self.first_ms, "total_ms": self.total_ms,
            "tokens_in": self.tokens_in, "tokens_out": self.tokens_out, "cached": self.cached,
        });
        if let (Some(cost), Some(fields)) = (self.cost, value.as_object_mut()) {
            fields.insert("cost_usd".to_owned(), cost.into());
        }
        value
    }

    /// From JSON fields; what is missing counts nothing.
    pub fn read(value: &Value) -> Self {
        let n = |name: &str| value.get(name).and_then(Value::as_u64).unwrap_or(0);
        Self {
            attempts: u32::try_from(n("attempts")).unwrap_or(u32::MAX),
            first_ms: n("first_ms"),
            total_ms: n("total_ms"),
            tokens_in: n("tokens_in"),
            tokens_out: n("tokens_out"),
            cached: n("cached"),
            cost: value.get("cost_usd").and_then(Value::as_f64),
        }
    }
}

impl Sign {
    /// One line of JSON, without the line feed.
    pub fn line(&self) -> String {
        let value = match self {
            Self::Asking(seat) => json!({"sign": "asking", "critic": *seat == Seat::Critic}),
            Self::Text(text) => json!({"sign": "text", "text": text}),
            Self::Thought(text) => json!({"sign": "thought", "text": text}),
            Self::Retry { ms, why } => json!({"sign": "retry", "ms": ms, "text": why}),
            Self::Held { act, until } => json!({"sign": "held", "text": act, "until": until}),
            Self::Paused(act) => json!({"sign": "paused", "text": act}),
            Self::Hand => json!({"sign": "hand"}),
            Self::Spent(spent) => {
                let mut value = spent.json();
                if let Some(fields) = value.as_object_mut() {
                    fields.insert("sign".to_owned(), "spent".into());
                }
                value
            }
            Self::Unfit(why) => json!({"sign": "unfit", "text": why}),
            Self::NotSaved(why) => json!({"sign": "not_saved", "text": why}),
            Self::Over => json!({"sign": "over"}),
        };
        value.to_string()
    }

    /// Reads such a line; `None` for a sign that is not known or not whole.
    pub fn read(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        let text = || {
            let text = value.get("text").and_then(Value::as_str);
            text.map(str::to_owned)
        };
        let n = |name: &str| value.get(name).and_then(Value::as_u64);
        Some(match value.get("sign")?.as_str()? {
            "asking" => Self::Asking(if value.get("critic")?.as_bool()? {
                Seat::Critic
            } else {
                Seat::Actor
            }),
            "text" => Self::Text(text()?),
            "thought" => Self::Thought(text()?),
            "retry" => Self::Retry {
                ms: n("ms")?,
                why: text()?,
            },
            "held" => Self::Held {
                act: text()?,
                until: n("until"),
            },
            "paused" => Self::Paused(text()?),
            "hand" => Self::Hand,
            "spent" => Self::Spent(Spent::read(&value)),
            "unfit" => Self::Unfit(text()?),
            "not_saved" => Self::NotSaved(text()?),
            "over" => Self::Over,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_back() {
        let spent = Spent {
            attempts: 2,
            first_ms: 30,
            total_ms: 90,
            tokens_in: 812,
            tokens_out: 31,
            cached: 640,
            cost: Some(0.000_25),
        };
        let signs = [
            Sign::Asking(Seat::Critic),
            Sign::Text("a\n\"b\" \u{1b}[2J ünï".to_owned()),
            Sign::Thought(String::new()),
            Sign::Retry {
                ms: 250,
                why: "429".to_owned(),
            },
            Sign::Held {
                act: "[SWITCHON] <microwave> (156)".to_owned(),
                until: Some(1_700_000_000_000),
            },
            Sign::Held {
                act: "Done".to_owned(),
                until: None,
            },
            Sign::Paused("Done".to_owned()),
            Sign::Hand,
            Sign::Spent(spent),
            Sign::Unfit("no act waits".to_owned()),
            Sign::NotSaved("no room".to_owned()),
            Sign::Over,
        ];
        for sign in signs {
            let line = sign.line();
            assert!(!line.contains('\n'));
            assert_eq!(Sign::read(&line), Some(sign), "{line}");
        }
        for line in [
            "",
            "{}",
            "{\"sign\":\"dance\"}",
            "{\"sign\":\"text\"}",
            "[1]",
        ] {
            assert_eq!(Sign::read(line), None, "{line}");
        }
    }
}
