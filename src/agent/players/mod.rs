//! Everybody who can play, by the name on a card.
//!
//! A new kind of agent is one file here (or a strategy) and one line in [`KINDS`].

use std::sync::Arc;

use crate::agent::card::Card;
use crate::agent::observe::{Form, Observing, Scope};
use crate::agent::planner::Planner;
use crate::agent::player::{Player, Standpoint, Stop, Want};
use crate::agent::prompt::Prompts;
use crate::agent::random::Random;
use crate::agent::scripted::Scripted;
use crate::agent::strategy::{Choice, Settings, Trials};

mod exec;

pub use exec::PROTOCOL;

/// What players need besides their card.
#[derive(Clone, Debug, Default)]
pub struct Kit {
    /// The prompts; the shipped ones where none are given.
    pub prompts: Option<Arc<Prompts>>,
    /// The lines of a script, or of the run that is played again.
    pub lines: Vec<String>,
    /// Wished when the program ends.
    pub stop: Stop,
}

/// Makes a player; the error says what is wrong with the card.
type Make = fn(&Card, &Kit) -> Result<Box<dyn Player>, String>;

/// A kind of agent.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name, before a colon where something follows.
    pub id: &'static str,
    /// What follows the colon, if anything.
    pub takes: Option<&'static str>,
    /// What it is, one sentence.
    pub what: &'static str,
    /// Whether it is a chat model.
    pub talks: bool,
    make: Make,
}

const fn kind(
    id: &'static str,
    takes: Option<&'static str>,
    what: &'static str,
    make: Make,
) -> Kind {
    Kind {
        id,
        takes,
        what,
        talks: false,
        make,
    }
}

const fn model(id: &'static str, what: &'static str) -> Kind {
    Kind {
        talks: true,
        ..kind(id, None, what, chat)
    }
}

/// All kinds.
pub const KINDS: &[Kind] = &[
    kind(
        "planner",
        None,
        "searches for a safe plan on the simulator itself; knows the goals, reads no instruction; needs no network",
        |_, kit| Ok(Box::new(Planner::stopping(kit.stop.clone()))),
    ),
    kind(
        "random",
        None,
        "does anything the world allows: the yardstick below all others",
        |card, _| Ok(Box::new(Random::new(card.seed))),
    ),
    kind(
        "script",
        Some("FILE"),
        "does the lines of a file: actions, Done, [Avoid] with a reason",
        |_, kit| Ok(Box::new(Scripted::new(kit.lines.clone()))),
    ),
    kind(
        "replay",
        Some("RUN"),
        "does what was done in a saved run",
        |_, kit| Ok(Box::new(Scripted::new(kit.lines.clone()))),
    ),
    kind(
        "exec",
        Some("COMMAND"),
        "another program that reads and writes JSON lines",
        |card, _| Ok(Box::new(exec::Exec::new(observing(card)?, card.guidelines))),
    ),
    kind(
        "client",
        None,
        "whoever speaks to vesta serve",
        |card, _| Ok(Box::new(exec::Exec::new(observing(card)?, card.guidelines))),
    ),
    kind("human", None, "a person, from the viewer", |_, _| {
        Ok(Box::new(Human))
    }),
    model("openai", "a chat-completions endpoint"),
    model("azure", "a deployment on Azure"),
    model("anthropic", "a messages endpoint"),
    model("vllm", "a vLLM server"),
    model("ollama", "an Ollama server"),
    model("llamacpp", "a llama.cpp server"),
    model("together", "Together"),
];

/// The kind of agent that a card names.
///
/// # Errors
/// There is none of that name; the names there are.
pub fn find(agent: &str) -> Result<&'static Kind, String> {
    let id = agent.split(':').next().unwrap_or_default();
    let takes = agent.contains(':');
    let found = KINDS.iter().find(|k| k.id == id);
    match found {
        Some(kind) if kind.takes.is_some() == takes => Ok(kind),
        Some(Kind {
            takes: Some(what), ..
        }) => Err(format!("write {id}:{what}")),
        Some(_) => Err(format!("{id} takes nothing after a colon")),
        None => {
            let names: Vec<&str> = KINDS.iter().map(|k| k.id).collect();
            Err(format!(
                "there is no agent {agent:?}; write one of {}",
                names.join(", ")
            ))
        }
    }
}

/// Makes the player that a card names.
///
/// # Errors
/// There is none of that name, or the card's words cannot be read.
pub fn make(card: &Card, kit: &Kit) -> Result<Box<dyn Player>, String> {
    (find(&card.agent)?.make)(card, kit)
}

/// A strategy as it is written on a card.
///
/// # Errors
/// There is none of that name.
pub fn strategy(card: &Card) -> Result<Choice, String> {
    Choice::parse(card.strategy.as_deref().unwrap_or("react"))
}

fn chat(card: &Card, kit: &Kit) -> Result<Box<dyn Player>, String> {
    let prompts = kit
        .prompts
        .clone()
        .unwrap_or_else(|| Arc::new(Prompts::shipped()));
    let base = if card.published {
        Settings::published(prompts)
    } else {
        Settings::new(prompts)
    };
    let settings = Settings {
        observing: observing(card)?,
        guidelines: card.guidelines,
        trials: if card.reset {
            Trials::Reset
        } else {
            Trials::Continue
        },
        schema: card.structured,
        ..base
    };
    Ok(strategy(card)?.make(Arc::new(settings)))
}

/// What a card's words on observation mean.
///
/// # Errors
/// A word that means nothing.
pub fn observing(card: &Card) -> Result<Observing, String> {
    let mut found = Observing::default();
    for word in card.observe.split_whitespace() {
        match (Scope::parse(word), Form::parse(word)) {
            (Some(scope), _) => found.scope = scope,
            (_, Some(form)) => found.form = form,
            _ if word == "diffs" => found.diffs = true,
            _ => {
                return Err(format!(
                    "observe {word:?}: write full, room or near; text, facts or json; diffs"
                ));
            }
        }
    }
    Ok(found)
}

/// A person: everything is done by hand.
#[derive(Debug)]
struct Human;

impl Player for Human {
    fn next(&mut self, _: &mut Standpoint<'_>) -> Want {
        Want::Wait
    }
}
