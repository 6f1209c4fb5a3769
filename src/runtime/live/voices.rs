//! The models of a run: the one that plays, and the critic's where it has one of its own.

use std::sync::{Arc, Mutex, PoisonError};

use crate::agent::card::Card;
use crate::agent::chat::{Failure, FailureKind, Request, Seat};
use crate::agent::sign::{Sign, Spent};
use crate::config;
use crate::llm::cassette::Tape;
use crate::llm::client::Client;
use crate::llm::key::Key;
use crate::llm::price::Cost;
use crate::llm::settings::{FIELDS, Settings};

use super::cast::Model;
use super::{Call, Chat, sign};

/// The models.
#[derive(Debug)]
pub(super) struct Voices {
    actor: Voice,
    critic: Option<Voice>,
}

/// One model, reached when it is first needed: connections belong to the runtime they are made on.
#[derive(Debug)]
struct Voice {
    settings: Settings,
    key: Option<Key>,
    tape: Option<Arc<Tape>>,
    replays: bool,
    client: Mutex<Option<Arc<Client>>>,
}

/// The recording that is made, or played in place of the network.
///
/// # Errors
/// It cannot be read or begun.
pub(super) fn tape(model: &Model) -> anyhow::Result<Option<Arc<Tape>>> {
    Ok(match (&model.replay, &model.record) {
        (Some(path), _) => Some(Arc::new(Tape::play(path)?.0)),
        (None, Some(path)) => Some(Arc::new(Tape::record(path)?.0)),
        (None, None) => None,
    })
}

impl Voices {
    /// Reads how the models of a card are reached.
    ///
    /// # Errors
    /// A setting is wrong, the key must not be used, or the recording cannot be read or begun.
    pub(super) fn new(card: &Card, model: &Model) -> anyhow::Result<Self> {
        Self::taped(card, model, tape(model)?)
    }

    /// The same with a recording that others share.
    ///
    /// # Errors
    /// A setting is wrong, or the key must not be used.
    pub(super) fn taped(
        card: &Card,
        model: &Model,
        tape: Option<Arc<Tape>>,
    ) -> anyhow::Result<Self> {
        let name = card.model.clone().unwrap_or_default();
        Ok(Self {
            actor: Voice::new(card, model, &name, tape.clone())?,
            critic: match &card.critic {
                Some(critic) => Some(Voice::new(card, model, critic, tape)?),
                None => None,
            },
        })
    }

    /// Gets the models ready to be asked; must be called on the runtime that asks.
    ///
    /// # Errors
    /// There is no key, or certificates cannot be read.
    pub(super) fn reach(&self) -> anyhow::Result<()> {
        self.actor.reach().map_err(|f| anyhow::anyhow!("{f}"))?;
        if let Some(critic) = &self.critic {
            critic.reach().map_err(|f| anyhow::anyhow!("{f}"))?;
        }
        Ok(())
    }

    /// Counts a call as made.
    pub(super) fn skip(&self, request: &Request) {
        let voice = self.of(request.seat);
        if let Some(tape) = &voice.tape {
            tape.skip(&voice.settings, request);
        }
    }

    fn of(&self, seat: Seat) -> &Voice {
        match (seat, &self.critic) {
            (Seat::Critic, Some(critic)) => critic,
            _ => &self.actor,
        }
    }
}

impl Voice {
    fn new(
        card: &Card,
        model: &Model,
        name: &str,
        tape: Option<Arc<Tape>>,
    ) -> anyhow::Result<Self> {
        let mut values: Vec<(String, String, String)> = Vec::new();
        let mut add = |source: &str, field: &str, text: &str| {
            values.push((source.to_owned(), field.to_owned(), text.to_owned()));
        };
        add("--agent", "kind", &card.agent);
        for field in FIELDS {
            let variable = format!("VESTA_LLM_{}", field.name.to_ascii_uppercase());
            if let Some(text) = config::variable(&variable) {
                add(&variable, field.name, &text);
            }
        }
        add("--model", "model", name);
        if let Some(base) = &card.base {
            add("--base-url", "base", base);
        }
        if let Some(path) = &model.key_file {
            add("--key-file", "key_file", &path.display().to_string());
        }
        if let Some(t) = card.temperature {
            add("--temperature", "temperature", &t.to_string());
        }
        for setting in &model.settings {
            let (field, text) = setting
                .split_once('=')
                .ok_or_else(|| anyhow::anyhow!("--set {setting}: write NAME=VALUE"))?;
            add("--set", field, text);
        }
        let texts = values
            .iter()
            .map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_str()));
        let settings = Settings::read(texts).map_err(anyhow::Error::msg)?;
        let key = if model.replay.is_some() {
            None
        } else {
            Key::find(&settings, config::variable).map_err(|f| anyhow::anyhow!("{f}"))?
        };
        if settings.needs_key() && key.is_none() && model.replay.is_none() {
            anyhow::bail!(
                "{} needs a key: put it into the environment as {}, or name a file that only you can read with --key-file",
                settings.kind.id,
                settings.variable()
            );
        }
        Ok(Self {
            settings,
            key,
            tape,
            replays: model.replay.is_some(),
            client: Mutex::new(None),
        })
    }

    fn reach(&self) -> Result<Arc<Client>, Failure> {
        let mut client = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = client.as_ref() {
            return Ok(client.clone());
        }
        let settings = self.settings.clone();
        let made = match self.tape.clone() {
            Some(tape) if self.replays => Client::replaying(settings, tape),
            Some(tape) => Client::new(settings, self.key.clone())?.recording(tape),
            None => Client::new(settings, self.key.clone())?,
        };
        Ok(client.insert(Arc::new(made)).clone())
    }
}

impl Chat for Voices {
    fn call<'a>(&'a self, request: &'a Request, on: &'a mut (dyn FnMut(Sign) + Send)) -> Call<'a> {
        let voice = self.of(request.seat);
        Box::pin(async move {
            let client = match voice.reach() {
                Ok(client) => client,
                Err(failure) => return (Err(failure), None),
            };
            let mut tell = |piece| on(sign(piece));
            match client.call(request, &mut tell).await {
                Ok((reply, spent)) => {
                    let usage = spent.usage.unwrap_or_default();
                    let spent = Spent {
                        attempts: spent.attempts,
                        first_ms: spent.first_ms,
                        total_ms: spent.total_ms,
                        tokens_in: usage.input,
                        tokens_out: usage.output,
                        cached: usage.cached,
                        cost: spent.cost.map(Cost::dollars),
                    };
                    (Ok(reply), Some(spent))
                }
                Err(failure) => {
                    debug_assert!(FailureKind::ALL.contains(&failure.kind));
                    (Err(failure), None)
                }
            }
        })
    }
}
