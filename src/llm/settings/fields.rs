//! The list of settings, and how the text of each is read.

use std::time::Duration;

use crate::llm::settings::Settings;

/// A setting: its name, what it means, and how its text is read. Fields with `several` may be given more than once.
pub struct Field {
    /// The name in the configuration file; a flag writes `-` for `_`, the environment `VESTA_LLM_` and capitals.
    pub name: &'static str,
    /// What it means, with its unit.
    pub about: &'static str,
    /// Whether it may be given more than once.
    pub several: bool,
    /// Whether its text is left out of messages, because somebody may put a key there by mistake.
    pub(super) private: bool,
    pub(super) set: fn(&mut Settings, &str) -> Result<(), String>,
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
        private: false,
        set,
    }
}

/// All settings.
pub const FIELDS: &[Field] = &[
    // Read first, before the others: the rest follows from them.
    field("kind", "the kind of endpoint", |_, _| Ok(())),
    field("base", "its address", |_, _| Ok(())),
    Field {
        private: true,
        ..field(
            "key_variable",
            "the environment variable with the key, in place of the usual one",
            |s, text| {
                s.key_variable = Some(variable(text)?);
                Ok(())
            },
        )
    },
    Field {
        private: true,
        ..field("key_file", "the file with the key", |s, text| {
            s.key_file = Some(text.into());
            Ok(())
        })
    },
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
        private: true,
        set: |s, text| {
            s.headers.push(header(text)?);
            Ok(())
        },
    },
];

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

fn variable(text: &str) -> Result<String, String> {
    let fits = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
    fits.then(|| text.to_owned())
        .ok_or_else(|| "write the name of a variable in capitals, never a key".to_owned())
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
