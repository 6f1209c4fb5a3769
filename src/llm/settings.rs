//! How an endpoint is called: which kind, where, which model, how long and how often.
//!
//! Values come as text from flags, the environment and the configuration file; [`FIELDS`] is the one list of them. Who
//! calls reads the sources and gives them in order, the weakest first.

use std::time::Duration;

use reqwest::Url;

use crate::base::nearest::nearest;
use crate::llm::kind::{self, KINDS, Kind};
use crate::llm::retry::Patience;

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
            // A header may be told by whoever set it wrongly as a place for a key: its text is not repeated.
            let shown = if name == "header" { "" } else { text };
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

    /// What is set and cannot be asked of this kind of endpoint, in sentences.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.seed.is_some() && !self.kind.seeds {
            remarks.push(format!("{} takes no seed; it is left out", self.kind.id));
        }
        remarks
    }
}

/// A setting: its name, what it means, and how its text is read. Fields with `several` may be given more than once.
pub struct Field {
    /// The name in the configuration file; a flag writes `-` for `_`, the environment `VESTA_LLM_` and capitals.
    pub name: &'static str,
    /// What it means, with its unit.
    pub about: &'static str,
    /// Whether it may be given more than once.
    pub several: bool,
    set: fn(&mut Settings, &str) -> Result<(), String>,
}

const fn field(
    name: &'static str,
    about: &'static str,
    set: fn(&mut Settings, &str) -> Result<(), String>,
) -> Field {
    Field {
        name,
        about,
        several: false,
        set,
    }
}

/// All settings.
pub const FIELDS: &[Field] = &[
    // Read first, before the others: the rest follows from them.
    field("kind", "the kind of endpoint", |_, _| Ok(())),
    field("base", "its address", |_, _| Ok(())),
    field("model", "the model; for azure the deployment", |s, text| {
        text.clone_into(&mut s.model);
        Ok(())
    }),
    field("temperature", "0 to 2, or none", |s, text| {
        s.temperature = or_none(text, |text| within(text, 0.0..=2.0))?;
        Ok(())
    }),
    field("seed", "a whole number, or none", |s, text| {
        s.seed = or_none(text, whole)?;
        Ok(())
    }),
    field(
        "max_tokens",
        "the longest reply in tokens, or none",
        |s, text| {
            s.max_tokens = or_none(text, positive)?;
            Ok(())
        },
    ),
    field(
        "api_version",
        "the version of the interface, for azure",
        |s, text| {
            text.clone_into(&mut s.api_version);
            Ok(())
        },
    ),
    field(
        "stream",
        "on: replies in pieces as they are written",
        |s, text| {
            s.stream = switch(text)?;
            Ok(())
        },
    ),
    field(
        "structured",
        "on: replies held to a schema where possible",
        |s, text| {
            s.structured = switch(text)?;
            Ok(())
        },
    ),
    field(
        "connect_timeout",
        "seconds until somebody answers",
        |s, text| {
            s.timeouts.connect = seconds(text)?;
            Ok(())
        },
    ),
    field(
        "first_timeout",
        "seconds until the first byte",
        |s, text| {
            s.timeouts.first = seconds(text)?;
            Ok(())
        },
    ),
    field("idle_timeout", "seconds between two bytes", |s, text| {
        s.timeouts.idle = seconds(text)?;
        Ok(())
    }),
    field(
        "total_timeout",
        "seconds for a call with all its attempts",
        |s, text| {
            s.timeouts.total = seconds(text)?;
            Ok(())
        },
    ),
    field("retries", "attempts after the first", |s, text| {
        s.patience.retries = whole(text)?;
        Ok(())
    }),
    field(
        "max_wait",
        "longest wait between two attempts, seconds",
        |s, text| {
            s.patience.longest = seconds(text)?;
            Ok(())
        },
    ),
    field("concurrency", "calls under way at once", |s, text| {
        s.concurrency = positive::<u16>(text)?.into();
        Ok(())
    }),
    field("per_minute", "calls a minute, or none", |s, text| {
        s.per_minute = or_none(text, positive)?;
        Ok(())
    }),
    Field {
        name: "header",
        about: "a header sent with every call, NAME: VALUE",
        several: true,
        set: |s, text| {
            s.headers.push(header(text)?);
            Ok(())
        },
    },
];

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

fn or_none<T>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    if text == "none" {
        Ok(None)
    } else {
        read(text).map(Some)
    }
}

fn whole<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "write a whole number".to_owned())
}

fn positive<T: std::str::FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    whole(text)
        .ok()
        .filter(|n| *n >= T::from(1))
        .ok_or_else(|| "write a whole number from 1".to_owned())
}

fn within(text: &str, range: std::ops::RangeInclusive<f64>) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|n| range.contains(n))
        .ok_or_else(|| format!("write a number from {} to {}", range.start(), range.end()))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let n = within(text, 0.001..=86_400.0)?;
    Ok(Duration::from_secs_f64(n))
}

fn switch(text: &str) -> Result<bool, String> {
    match text {
        "on" | "true" => Ok(true),
        "off" | "false" => Ok(false),
        _ => Err("write on or off".to_owned()),
    }
}

/// Headers that carry keys: these are made from the key alone.
const SECRET: &[&str] = &[
    "authorization",
    "api-key",
    "x-api-key",
    "proxy-authorization",
    "cookie",
    "x-goog-api-key",
];

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once(':')
        .ok_or_else(|| "write NAME: VALUE".to_owned())?;
    let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
    if SECRET.contains(&name.as_str()) {
        return Err(format!(
            "{name} carries a key; keep it in a variable or a file"
        ));
    }
    let fits = reqwest::header::HeaderName::from_bytes(name.as_bytes()).is_ok()
        && reqwest::header::HeaderValue::from_str(value).is_ok();
    if !fits {
        return Err(
            "this cannot be sent as a header; write NAME: VALUE in plain characters".into(),
        );
    }
    Ok((name, value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[(&'static str, &'static str)]) -> Result<Settings, String> {
        Settings::read(
            values
                .iter()
                .map(|(name, text)| ("config.toml:3", *name, *text)),
        )
    }

    #[test]
    fn values_are_read_in_order() {
        let settings = Settings::read([
            ("config.toml:1", "kind", "ollama"),
            ("config.toml:2", "model", "small"),
            ("config.toml:3", "seed", "4"),
            ("config.toml:4", "header", "X-Team: kitchen"),
            ("VESTA_LLM_MODEL", "model", " qwen3:8b "),
            ("VESTA_LLM_TEMPERATURE", "temperature", "none"),
            ("--seed", "seed", "none"),
            ("--first-timeout", "first_timeout", "2.5"),
            ("--per-minute", "per_minute", "30"),
            ("--header", "header", "x-more: a: b"),
        ])
        .unwrap();
        let expected = Settings {
            kind: &kind::OLLAMA,
            base: Url::parse("http://127.0.0.1:11434/v1").unwrap(),
            model: "qwen3:8b".into(),
            temperature: None,
            seed: None,
            timeouts: Timeouts {
                first: Duration::from_millis(2500),
                ..settings.timeouts
            },
            per_minute: Some(30),
            headers: vec![
                ("x-team".into(), "kitchen".into()),
                ("x-more".into(), "a: b".into()),
            ],
            ..Settings::new(&kind::OLLAMA, "qwen3:8b").unwrap()
        };
        assert_eq!(settings, expected);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (name, text, said) in [
            ("temperature", "hot", "write a number from 0 to 2"),
            ("temperature", "NaN", "write a number from 0 to 2"),
            ("seed", "-1", "write a whole number"),
            ("max_tokens", "0", "write a whole number from 1"),
            ("stream", "yes", "write on or off"),
            ("idle_timeout", "0", "write a number from 0.001 to 86400"),
            ("concurrency", "0", "write a whole number from 1"),
            (
                "base",
                "host",
                "this is no address; write one like https://host/v1",
            ),
            (
                "base",
                "ftp://host",
                "an address begins with http:// or https://; write one",
            ),
            (
                "kind",
                "gpt",
                "no such kind of endpoint; write one of openai, azure, anthropic, vllm, ollama, llamacpp, together",
            ),
        ] {
            assert_eq!(
                read(&[("model", "m"), (name, text)]).unwrap_err(),
                format!("config.toml:3: {name} \"{text}\": {said}")
            );
        }
        assert_eq!(read(&[]).unwrap_err(), "no model is named; set model");
        assert_eq!(
            read(&[("modle", "m")]).unwrap_err(),
            "config.toml:3: modle is no setting of a model; did you mean model?"
        );
        assert_eq!(
            Settings::new(&kind::AZURE, "m").unwrap_err(),
            "azure has no usual address; set base"
        );
    }

    #[test]
    fn keys_are_not_settings() {
        for (name, text) in [
            ("header", "Authorization: Bearer sk-canary"),
            ("header", "X-API-Key: sk-canary"),
            ("header", "sk-canary"),
            ("header", "x y: sk-canary"),
        ] {
            let said = read(&[("model", "m"), (name, text)]).unwrap_err();
            assert!(!said.contains("canary"), "{said}");
        }
        for base in ["https://me:secret@host/v1", "https://host/v1?key=secret"] {
            assert!(read(&[("model", "m"), ("base", base)]).is_err());
        }
    }

    #[test]
    fn every_field_can_be_set() {
        for field in FIELDS {
            let text = match field.name {
                "kind" => "openai",
                "base" => "http://host",
                "stream" | "structured" => "off",
                "header" => "a: b",
                _ => "1",
            };
            let values = [("", "model", "m"), ("", field.name, text)];
            assert!(Settings::read(values).is_ok(), "{}", field.name);
        }
    }
}
