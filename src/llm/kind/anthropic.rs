//! Anthropic's messages.

use serde_json::{Map, Value, json};

use crate::agent::chat::{Failure, Finish, Request, Role};
use crate::llm::heard::{Counts, Heard, said};
use crate::llm::kind::{Habits, Kind, Limit, in_words, join, parsed};
use crate::llm::settings::Settings;

/// Tokens asked for where nobody says how many: the endpoint insists on a number.
const MAX_TOKENS: u32 = 4096;

/// Anthropic.
pub const ANTHROPIC: Kind = Kind {
    id: "anthropic",
    about: "Anthropic's messages",
    base: "https://api.anthropic.com",
    variable: "ANTHROPIC_API_KEY",
    needs_key: true,
    seeds: false,
    habits: Habits::assumed(false, Limit::Tokens),
    url: |settings| {
        let versioned = settings.base.path().trim_end_matches('/').ends_with("/v1");
        let segments: &[&str] = if versioned {
            &["messages"]
        } else {
            &["v1", "messages"]
        };
        join(&settings.base, segments)
    },
    sign: ("x-api-key", ""),
    headers: &[("anthropic-version", "2023-06-01")],
    body,
    event,
    whole,
};

fn body(settings: &Settings, request: &Request, _: Habits) -> Result<String, Failure> {
    let mut system: Vec<String> = Vec::new();
    let mut messages: Vec<Value> = Vec::new();
    for message in &request.messages {
        if message.role == Role::System {
            system.push(message.text.clone());
        } else if !message.text.trim().is_empty() {
            // The endpoint rejects empty messages.
            messages.push(json!({"role": message.role.id(), "content": message.text}));
        }
    }
    if let Some(schema) = &request.schema {
        // Said in words all the same, a schema must be one.
        parsed(schema)?;
        system.push(in_words(schema));
    }
    let mut body = Map::new();
    body.insert("model".into(), json!(settings.model));
    let most = request.max_tokens.or(settings.max_tokens);
    body.insert("max_tokens".into(), json!(most.unwrap_or(MAX_TOKENS)));
    if !system.is_empty() {
        body.insert("system".into(), json!(system.join("\n\n")));
    }
    body.insert("messages".into(), json!(messages));
    if settings.stream {
        body.insert("stream".into(), json!(true));
    }
    if let Some(temperature) = settings.temperature {
        body.insert("temperature".into(), json!(temperature));
    }
    Ok(Value::Object(body).to_string())
}

fn event(name: &str, data: &str) -> Result<Vec<Heard>, String> {
    let value: Value = serde_json::from_str(data).map_err(|err| format!("no JSON: {err}"))?;
    let kind = value.get("type").and_then(Value::as_str).unwrap_or(name);
    Ok(match kind {
        "message_start" => {
            let mut heard = vec![Heard::Known];
            heard.extend(value.pointer("/message/usage").map(counts));
            heard
        }
        "content_block_start" => block(value.get("content_block")),
        "content_block_delta" => block(value.get("delta")),
        "message_delta" => {
            let mut heard = vec![Heard::Known];
            let reason = value.pointer("/delta/stop_reason").and_then(Value::as_str);
            heard.extend(reason.map(|reason| Heard::Finish(finish(reason))));
            heard.extend(value.get("usage").map(counts));
            heard
        }
        "message_stop" => vec![Heard::Known, Heard::Done],
        "error" => vec![Heard::Failed(said(&value))],
        // Pings, ends of blocks, and whatever is added later.
        _ if value.is_object() => Vec::new(),
        _ => return Err("no JSON object".to_owned()),
    })
}

fn whole(text: &str) -> Result<Vec<Heard>, String> {
    let value: Value = serde_json::from_str(text).map_err(|err| format!("no JSON: {err}"))?;
    if value.get("type").and_then(Value::as_str) == Some("error") || value.get("error").is_some() {
        return Ok(vec![Heard::Failed(said(&value))]);
    }
    let mut heard = Vec::new();
    if let Some(blocks) = value.get("content").and_then(Value::as_array) {
        heard.push(Heard::Known);
        heard.extend(blocks.iter().flat_map(|part| block(Some(part))));
    }
    let reason = value.get("stop_reason").and_then(Value::as_str);
    heard.extend(reason.map(|reason| Heard::Finish(finish(reason))));
    heard.extend(value.get("usage").map(counts));
    heard.push(Heard::Done);
    Ok(heard)
}

/// What a block of content or a part of one says. Signatures, redacted thoughts and tools say nothing.
fn block(part: Option<&Value>) -> Vec<Heard> {
    let text = |name: &str| {
        let text = part.and_then(|part| part.get(name)).and_then(Value::as_str);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let mut heard = vec![Heard::Known];
    heard.extend(text("thinking").map(Heard::Thought));
    heard.extend(text("text").map(Heard::Text));
    heard
}

/// Tokens: what came from the cache or went into it is counted apart by the endpoint, and was read all the same.
fn counts(usage: &Value) -> Heard {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    let cached = count("cache_read_input_tokens");
    let written = count("cache_creation_input_tokens").unwrap_or(0);
    Heard::Counts(Counts {
        input: count("input_tokens").map(|n| {
            n.saturating_add(cached.unwrap_or(0))
                .saturating_add(written)
        }),
        output: count("output_tokens"),
        cached,
    })
}

fn finish(reason: &str) -> Finish {
    match reason {
        "end_turn" | "stop_sequence" => Finish::Stop,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "refusal" => Finish::Filtered,
        other => Finish::Other(other.to_owned()),
    }
}
