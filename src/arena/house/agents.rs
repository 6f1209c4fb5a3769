//! Agents at an arena's table: as BLUE, RED or critic. What they are asked, and who asks.
//!
//! Nothing here calls anybody: a [`Speaker`] is handed in, and what it answers is text that is held against plan reader,
//! registry and simulator. The offline sides need none of it.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::agent::card::Card;
use crate::agent::chat::{Message, Role};
use crate::agent::prompt::Prompts;
use crate::arena::house::record::Unheard;
use crate::base::text;
use crate::sim::scene::Scene;

/// A place at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    /// Proposes a plan.
    Blue,
    /// Disturbs the house.
    Red,
    /// Says what went wrong.
    Critic,
}

impl Seat {
    /// All seats.
    pub const ALL: [Self; 3] = [Self::Blue, Self::Red, Self::Critic];

    /// The prompt file of what is said to it.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Blue => "arena-blue",
            Self::Red => "arena-red",
            Self::Critic => "arena-critic",
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blue => "BLUE",
            Self::Red => "RED",
            Self::Critic => "critic",
        })
    }
}

/// An agent that took part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seated {
    /// As what.
    pub seat: Seat,
    /// How it was set up; without the address of its endpoint.
    pub card: Card,
}

/// What an agent is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// As what.
    pub seat: Seat,
    /// What a chat model is told, oldest first.
    pub messages: Vec<Message>,
    /// What a program is told besides, as the fields of one JSON object.
    pub fields: Value,
}

impl Question {
    /// A question of standing orders and what is shown.
    pub fn new(seat: Seat, system: String, shown: String, fields: Value) -> Self {
        let messages = vec![
            Message {
                role: Role::System,
                text: system,
            },
            Message {
                role: Role::User,
                text: shown,
            },
        ];
        Self {
            seat,
            messages,
            fields,
        }
    }

    /// The line a program reads: version 1 of the protocol of agents, of the kind `plan`, `red` or `critic`.
    pub fn line(&self) -> String {
        let kind = match self.seat {
            Seat::Blue => "plan",
            Seat::Red => "red",
            Seat::Critic => "critic",
        };
        let said: Vec<Value> = self
            .messages
            .iter()
            .map(|m| json!({"role": m.role.id(), "text": m.text}))
            .collect();
        let mut line =
            json!({"vesta": crate::agent::players::PROTOCOL, "kind": kind, "messages": said});
        if let (Some(line), Some(fields)) = (line.as_object_mut(), self.fields.as_object()) {
            line.extend(fields.clone());
        }
        line.to_string()
    }
}

/// What an agent answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The text.
    pub text: String,
    /// Whether it broke off at a limit of its length.
    pub cut: bool,
}

impl Answered {
    /// The answer of a program: `plan`, `lines` or `claims` as a list of lines, `text`, or `avoid` with a reason; a line of
    /// anything else is its own text.
    pub fn of_line(line: &str) -> Self {
        let whole = |text: &str| Self {
            text: text.to_owned(),
            cut: false,
        };
        let list = |all: &[Value]| {
            let lines: Vec<&str> = all.iter().filter_map(Value::as_str).collect();
            lines.join("\n")
        };
        match serde_json::from_str(line) {
            Ok(Value::Array(all)) => whole(&list(&all)),
            Ok(Value::Object(fields)) => {
                let named = ["plan", "lines", "claims"].iter();
                let found = named
                    .filter_map(|name| fields.get(*name)?.as_array())
                    .map(|all| list(all))
                    .next();
                let text = |name: &str| fields.get(name).and_then(Value::as_str);
                let avoid = || text("avoid").map(|why| format!("avoid {why}"));
                let found = found
                    .or_else(|| text("text").map(str::to_owned))
                    .or_else(avoid);
                whole(found.as_deref().unwrap_or(line))
            }
            Ok(Value::String(text)) => whole(&text),
            _ => whole(line),
        }
    }

    /// Its lines that came whole.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        let all = self.text.lines().count();
        let kept = if self.cut { all.saturating_sub(1) } else { all };
        self.text.lines().take(kept)
    }
}

/// Whoever passes questions on to agents.
pub trait Speaker {
    /// Asks the agent in a seat and waits for what it says.
    ///
    /// # Errors
    /// It cannot be asked, in a sentence.
    fn ask(&mut self, question: &Question) -> Result<Answered, String>;
}

/// The agents at a table.
pub struct Agents<'a> {
    /// Who passes questions on.
    pub speaker: &'a mut dyn Speaker,
    /// What is said to models.
    pub prompts: &'a Prompts,
    /// The scene before the task's changes: cells are played as ordinary runs from there.
    pub base: &'a Scene,
    /// Who is there.
    pub seated: Vec<Seated>,
    /// Why RED could not be asked: then the arena came to no end.
    pub failed: Option<String>,
    /// Whether the critic could not be asked.
    pub silent: bool,
    asked: Vec<(Question, Answered)>,
}

impl<'a> Agents<'a> {
    /// Agents before anybody was asked.
    pub fn new(
        speaker: &'a mut dyn Speaker,
        prompts: &'a Prompts,
        base: &'a Scene,
        seated: Vec<Seated>,
    ) -> Self {
        Self {
            speaker,
            prompts,
            base,
            seated,
            failed: None,
            silent: false,
            asked: Vec::new(),
        }
    }

    /// The agent in a seat; `None` where the offline side sits.
    pub fn who(&self, seat: Seat) -> Option<&Card> {
        let found = self.seated.iter().find(|s| s.seat == seat);
        found.map(|s| &s.card)
    }

    /// Asks once: to the same question belongs the same answer, so that a RED that knows no plan answers all alike.
    ///
    /// # Errors
    /// The agent cannot be asked.
    pub fn ask(&mut self, question: Question) -> Result<Answered, String> {
        if let Some((_, known)) = self.asked.iter().find(|(q, _)| *q == question) {
            return Ok(known.clone());
        }
        let answered = self.speaker.ask(&question)?;
        self.asked.push((question, answered.clone()));
        Ok(answered)
    }
}

/// How much of what does not count is kept, in cells.
const KEPT: usize = 200;

/// Something said that does not count.
pub fn unheard(by: Seat, candidate: &str, said: &str, why: String) -> Unheard {
    Unheard {
        by,
        candidate: candidate.to_owned(),
        text: text::fit(said.trim(), KEPT).into_owned(),
        why,
    }
}
