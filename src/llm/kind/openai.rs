//! Chat completions as OpenAI defined them and many servers speak them.

use reqwest::Url;
use serde_json::{Map, Value, json};

use crate::agent::chat::{Failure, Finish, Request, Role};
use crate::llm::heard::{Counts, Heard, said};
use crate::llm::kind::{Habits, Kind, Limit, in_words, join, parsed};
use crate::llm::settings::Settings;

/// OpenAI, and any server that speaks the same.
pub const OPENAI: Kind = Kind {
    id: "openai",
    about: "OpenAI, or any server with chat completions",
    base: "https://api.openai.com/v1",
    variable: "OPENAI_API_KEY",
    needs_key: true,
    seeds: true,
    habits: Habits::assumed(true, Limit::CompletionTokens),
    url: |settings| join(&settings.base, &["chat", "completions"]),
    sign: ("authorization", "Bearer "),
    headers: &[],
    body,
    event,
    whole,
};

/// OpenAI's models at Azure: the deployment is part of the address, and so is the version of the interface.
pub const AZURE: Kind = Kind {
    id: "azure",
    about: "OpenAI's models at Azure",
    base: "",
    variable: "AZURE_OPENAI_API_KEY",
    url: azure_url,
    sign: ("api-key", ""),
    ..OPENAI
};

/// A vLLM server.
pub const VLLM: Kind = Kind {
    id: "vllm",
    about: "a vLLM server",
    base: "http://127.0.0.1:8000/v1",
    variable: "VLLM_API_KEY",
    ..LOCAL
};

/// An Ollama server.
pub const OLLAMA: Kind = Kind {
    id: "ollama",
    about: "an Ollama server",
    base: "http://127.0.0.1:11434/v1",
    variable: "OLLAMA_API_KEY",
    ..LOCAL
};

/// The server of llama.cpp.
pub const LLAMACPP: Kind = Kind {
    id: "llamacpp",
    about: "a llama.cpp server",
    base: "http://127.0.0.1:8080/v1",
    variable: "LLAMA_API_KEY",
    ..LOCAL
};

/// Together.
pub const TOGETHER: Kind = Kind {
    id: "together",
    about: "Together",
    base: "https://api.together.xyz/v1",
    variable: "TOGETHER_API_KEY",
    needs_key: true,
    ..LOCAL
};

/// What servers on one's own machine have in common.
const LOCAL: Kind = Kind {
    needs_key: false,
    habits: Habits::assumed(true, Limit::Tokens),
    ..OPENAI
};

fn azure_url(settings: &Settings) -> Url {
    let mut url = join(
        &settings.base,
        &[
            "openai",
            "deployments",
            &settings.model,
            "chat",
            "completions",
        ],
    );
    url.query_pairs_mut()
        .append_pair("api-version", &settings.api_version);
    url
}

fn body(settings: &Settings, request: &Request, habits: Habits) -> Result<String, Failure> {
    let schema = request.schema.as_ref();
    let enforced = schema.filter(|_| settings.structured && habits.schema);
    let mut messages: Vec<(Role, String)> = request
        .messages
        .iter()
        .map(|message| (message.role, message.text.clone()))
        .collect();
    if let (Some(schema), None) = (schema, enforced) {
        // Some models take one system message only, and only as the first.
        match messages.first_mut() {
            Some((Role::System, text)) => *text = format!("{text}\n\n{}", in_words(schema)),
            _ => messages.insert(0, (Role::System, in_words(schema))),
        }
    }
    let messages: Vec<Value> = messages
        .into_iter()
        .map(|(role, text)| json!({"role": role.id(), "content": text}))
        .collect();
    let mut body = Map::new();
    body.insert("model".into(), json!(settings.model));
    body.insert("messages".into(), json!(messages));
    if settings.stream {
        body.insert("stream".into(), json!(true));
        if habits.counts {
            body.insert("stream_options".into(), json!({"include_usage": true}));
        }
    }
    if let Some(temperature) = settings.temperature {
        body.insert("temperature".into(), json!(temperature));
    }
    if let Some(seed) = settings.seed {
        body.insert("seed".into(), json!(seed));
    }
    if let Some(most) = request.max_tokens.or(settings.max_tokens) {
        body.insert(habits.limit.id().into(), json!(most));
    }
    if let Some(schema) = enforced {
        let value = parsed(schema)?;
        body.insert(
            "response_format".into(),
            json!({
                "type": "json_schema",
                "json_schema": {"name": schema.name, "strict": true, "schema": value},
            }),
        );
    }
    Ok(Value::Object(body).to_string())
}

fn event(name: &str, data: &str) -> Result<Vec<Heard>, String> {
    if data.trim() == "[DONE]" {
        return Ok(vec![Heard::Done]);
    }
    let value: Value = serde_json::from_str(data).map_err(|err| format!("no JSON: {err}"))?;
    if !value.is_object() {
        return Err("no JSON object".to_owned());
    }
    if name == "error" || failed(&value) {
        return Ok(vec![Heard::Failed(said(&value))]);
    }
    completion(&value, "delta")
}

fn whole(text: &str) -> Result<Vec<Heard>, String> {
    let value: Value = serde_json::from_str(text).map_err(|err| format!("no JSON: {err}"))?;
    if failed(&value) {
        return Ok(vec![Heard::Failed(said(&value))]);
    }
    let mut heard = completion(&value, "message")?;
    heard.push(Heard::Done);
    Ok(heard)
}

/// Whether the value is a failure, in one of the forms servers have for it.
fn failed(value: &Value) -> bool {
    value.get("error").is_some_and(|error| !error.is_null())
        || value.get("object").and_then(Value::as_str) == Some("error")
}

/// What a completion or a part of one says; the text is below `field` of its first choice.
fn completion(value: &Value, field: &str) -> Result<Vec<Heard>, String> {
    let mut heard = Vec::new();
    if let Some(choices) = value.get("choices").and_then(Value::as_array) {
        heard.push(Heard::Known);
        let first = choices
            .iter()
            .find(|choice| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0);
        if let Some(choice) = first {
            if let Some(part) = choice.get(field) {
                words(part, &mut heard)?;
            }
            if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
                heard.push(Heard::Finish(finish(reason)));
            }
        }
    }
    if let Some(usage) = value.get("usage").filter(|usage| usage.is_object()) {
        let count = |path: &str| usage.pointer(path).and_then(Value::as_u64);
        heard.push(Heard::Counts(Counts {
            input: count("/prompt_tokens"),
            output: count("/completion_tokens"),
            cached: count("/prompt_tokens_details/cached_tokens"),
        }));
    }
    Ok(heard)
}

fn words(part: &Value, heard: &mut Vec<Heard>) -> Result<(), String> {
    // Two names for the same, depending on the server; some send both.
    let thought = ["reasoning_content", "reasoning"].iter().find_map(|name| {
        part.get(name)
            .and_then(Value::as_str)
            .filter(|t| !t.is_empty())
    });
    if let Some(thought) = thought {
        heard.push(Heard::Thought(thought.to_owned()));
    }
    match part.get("content") {
        None | Some(Value::Null) => {}
        Some(Value::String(text)) => heard.push(Heard::Text(text.clone())),
        Some(Value::Array(parts)) => {
            for part in parts {
                let text = part.get("text").and_then(Value::as_str);
                heard.extend(text.map(|text| Heard::Text(text.to_owned())));
            }
        }
        Some(_) => return Err("content that is no text".to_owned()),
    }
    if let Some(refusal) = part.get("refusal").and_then(Value::as_str) {
        heard.push(Heard::Text(refusal.to_owned()));
        heard.push(Heard::Finish(Finish::Filtered));
    }
    Ok(())
}

fn finish(reason: &str) -> Finish {
    match reason {
        "stop" | "eos" => Finish::Stop,
        "length" => Finish::Length,
        "content_filter" => Finish::Filtered,
        other => Finish::Other(other.to_owned()),
    }
}
