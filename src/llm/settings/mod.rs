//! How an endpoint is called: which kind, where, which model, how long and how often.
//!
//! Values come as text from flags, the environment and the configuration file; [`FIELDS`] is the one list of them. Who
//! calls reads the sources and gives them in order, the weakest first.

use std::path::PathBuf;
use std::time::Duration;

use reqwest::Url;

use crate::base::nearest::nearest;
use crate::llm::kind::{self, KINDS, Kind};
use crate::llm::retry::Patience;

mod fields;

pub use fields::{FIELDS, Field};

/// How long each part of a call may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Until somebody answers at the address.
    pub connect: Duration,
    /// From sending to the first byte of the reply.
    pub first: Duration,
    /// Between two bytes of it.
    pub idle: Duration,
    /// The whole call with all its attempts and the waits between them.
    pub total: Duration,
}

/// How an endpoint is called. There is no key among it: see [`crate::llm::key`].
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The kind of endpoint.
    pub kind: &'static Kind,
    /// Its address, without what the kind appends.
    pub base: Url,
    /// The environment variable with the key, in place of the usual one.
    pub key_variable: Option<String>,
    /// The file with the key; it goes before the variable.
    pub key_file: Option<PathBuf>,
    /// The model's name; for Azure the deployment's.
    pub model: String,
    /// How freely the model chooses its words; `None` leaves it to the endpoint.
    pub temperature: Option<f64>,
    /// The seed of its choices, where the endpoint takes one.
    pub seed: Option<u64>,
    /// The longest reply in tokens, where a request does not say.
    pub max_tokens: Option<u32>,
    /// The version of the interface, for Azure.
    pub api_version: String,
    /// Whether replies are asked for in pieces as they are written.
    pub stream: bool,
    /// Whether the endpoint is asked to hold replies to a schema, where a request has one.
    pub structured: bool,
    /// Time limits.
    pub timeouts: Timeouts,
    /// How patiently failed calls are made again.
    pub patience: Patience,
    /// Calls under way at once, 1 or more.
    pub concurrency: usize,
    /// Calls a minute; `None` is no limit.
    pub per_minute: Option<u32>,
    /// Headers sent with every call.
    pub headers: Vec<(String, String)>,
}

impl Settings {
    /// The usual settings of a kind, for a model.
    ///
    /// # Errors
    /// The kind has no usual address (Azure): `base` must be set as text, by [`Settings::read`].
    pub fn new(kind: &'static Kind, model: &str) -> Result<Self, String> {
        Self::read([("", "kind", kind.id), ("", "model", model)])
    }

    /// Settings from values `(source, field, text)`, later ones over earlier ones. A source is what to call the place
    /// in a message: `--temperature`, `VESTA_LLM_SEED`, `config.toml:4`.
    ///
    /// # Errors
    /// A sentence with the source, the field, what is wrong and what to do.
    pub fn read<'a>(
        values: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>,
    ) -> Result<Self, String> {
        let values: Vec<_> = values.into_iter().collect();
        let last = |name| values.iter().rev().find(|(_, field, _)| *field == name);
        let kind = match last("kind") {
            None => &kind::OPENAI,
            Some((source, _, text)) => {
                kind_named(text.trim()).map_err(|why| told(source, "kind", text, &why))?
            }
        };
        let base = match last("base") {
            Some((source, _, text)) => {
                address(text).map_err(|why| told(source, "base", text, &why))?
            }
            None => address(kind.base)
                .map_err(|_| format!("{} has no usual address; set base", kind.id))?,
        };
        let mut settings = Self::usual(kind, base);
        for (source, name, text) in values {
            let Some(field) = FIELDS.iter().find(|field| field.name == name) else {
                let hint = nearest(name, FIELDS.iter().map(|field| field.name))
                    .map_or_else(String::new, |near| format!("; did you mean {near}?"));
                return Err(format!("{source}: {name} is no setting of a model{hint}"));
            };
            // Where somebody may have put a key by mistake, the text is not repeated.
            let shown = if field.private { "" } else { text };
            (field.set)(&mut settings, text.trim())
                .map_err(|why| told(source, name, shown, &why))?;
        }
        if settings.model.is_empty() {
            return Err("no model is named; set model".to_owned());
        }
        Ok(settings)
    }

    fn usual(kind: &'static Kind, base: Url) -> Self {
        Self {
            kind,
            base,
            key_variable: None,
            key_file: None,
            model: String::new(),
            temperature: Some(0.0),
            seed: None,
            max_tokens: None,
            api_version: "2024-10-21".to_owned(),
            stream: true,
            structured: true,
            timeouts: Timeouts {
                connect: Duration::from_secs(10),
                first: Duration::from_mins(2),
                idle: Duration::from_mins(1),
                total: Duration::from_mins(10),
            },
            patience: Patience::default(),
            concurrency: 4,
            per_minute: None,
            headers: Vec::new(),
        }
    }

    /// Whether a call without a key is bound to fail. Servers of one's own often take none, whatever their kind.
    pub fn needs_key(&self) -> bool {
        let usual = Url::parse(self.kind.base).ok();
        self.kind.needs_key && usual.is_none_or(|usual| usual.host() == self.base.host())
    }

    /// The environment variable the key is in.
    pub fn variable(&self) -> &str {
        self.key_variable.as_deref().unwrap_or(self.kind.variable)
    }

    /// What is set and cannot be asked of this kind of endpoint, in sentences.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.seed.is_some() && !self.kind.seeds {
            remarks.push(format!("{} takes no seed; it is left out", self.kind.id));
        }
        remarks
    }
}

/// A message about one value.
fn told(source: &str, name: &str, text: &str, why: &str) -> String {
    let at = if source.is_empty() { "" } else { ": " };
    let text = if text.is_empty() {
        String::new()
    } else {
        format!(" \"{text}\"")
    };
    format!("{source}{at}{name}{text}: {why}")
}

fn kind_named(text: &str) -> Result<&'static Kind, String> {
    KINDS
        .iter()
        .copied()
        .find(|kind| kind.id == text)
        .ok_or_else(|| {
            let all: Vec<&str> = KINDS.iter().map(|kind| kind.id).collect();
            format!("no such kind of endpoint; write one of {}", all.join(", "))
        })
}

fn address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim())
        .map_err(|_| "this is no address; write one like https://host/v1".to_owned())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("an address begins with http:// or https://; write one".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "an address must hold no key or password; keep it in a variable or a file".into(),
        );
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("an address ends before ? and #; leave that out".into());
    }
    Ok(url)
}

#[cfg(test)]
mod tests;
