//! A prompt file tried for one turn: what is asked for, and what came of it.

use crate::agent::chat::Reply;
use crate::agent::player::Understood;
use crate::agent::sign::Spent;

/// What is to be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Try {
    /// The kind of agent, a chat model.
    pub agent: String,
    /// The model.
    pub model: String,
    /// The task it is asked about.
    pub task: String,
    /// The prompt file whose strategy asks.
    pub file: String,
    /// All prompt files as they read now, name and text.
    pub texts: Vec<(String, String)>,
}

impl Try {
    /// Who is asked: `openai gpt-4.1-mini`.
    pub fn who(&self) -> String {
        format!("{} {}", self.agent, self.model)
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// The reply.
    pub reply: Reply,
    /// What was made of it.
    pub understood: Understood,
    /// What the call took.
    pub spent: Option<Spent>,
}

impl Tried {
    /// What was understood, a line each: what would be done, what could not be read, what had to be put right.
    pub fn lines(&self) -> Vec<String> {
        let made = &self.understood;
        let mut lines: Vec<String> = made.deeds.iter().map(|deed| format!("→ {deed}")).collect();
        if let Some((kind, why)) = &made.problem {
            lines.push(format!("✗ {kind}: {why}"));
        }
        if lines.is_empty() {
            lines.push("nothing in it is to be done".to_owned());
        }
        lines.extend(made.notes.iter().map(|note| format!("· {note}")));
        lines
    }

    /// What the model thought before it answered.
    pub fn thought(&self) -> Option<&str> {
        let apart = self.reply.thought.trim();
        if apart.is_empty() {
            self.understood.thought.as_deref()
        } else {
            Some(apart)
        }
    }

    /// `2.1 s · 812 in 95 out · $ 0.0011`, as far as it is known.
    pub fn took(&self) -> String {
        let Some(spent) = &self.spent else {
            return String::new();
        };
        let mut words = format!(
            "{}.{} s · {} in {} out",
            spent.total_ms / 1_000,
            spent.total_ms % 1_000 / 100,
            spent.tokens_in,
            spent.tokens_out
        );
        if let Some(cost) = spent.cost {
            words = format!("{words} · $ {cost:.4}");
        }
        words
    }
}
