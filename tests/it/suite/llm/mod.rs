//! The client for chat models against endpoints: one of our own that does what a script says, and one written by
//! others (`fakellm`), where it is there.

mod arena;
mod canary;
mod cancel;
mod failing;
mod fake;
mod fine;
mod proxy;
mod runs;
mod server;
mod tapes;
mod tries;

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};
use vesta::agent::chat::{Failure, Message, Piece, Reply, Request, Role, Seat};
use vesta::llm::client::{Client, Spent};
use vesta::llm::key::Key;
use vesta::llm::settings::Settings;

/// Runs a test that waits.
fn run<F: Future>(test: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(test)
}

const CANARY: &str = "sk-canary-5f2c91e07ab34d68";

fn key() -> Key {
    Key::of_variable("TEST_KEY", CANARY).unwrap()
}

/// Settings for an endpoint at `base`, in a hurry.
fn settings(kind: &str, base: &str, values: &[(&str, &str)]) -> Settings {
    let fixed = [
        ("", "kind", kind),
        ("", "base", base),
        ("", "model", "gpt-4o"),
    ];
    let values = values.iter().map(|(name, text)| ("", *name, *text));
    let mut settings = Settings::read(fixed.into_iter().chain(values)).unwrap();
    settings.patience.first = Duration::from_millis(1);
    settings
}

fn client(kind: &str, base: &str, values: &[(&str, &str)]) -> Client {
    Client::seeded(settings(kind, base, values), Some(key()), 1).unwrap()
}

fn request() -> Request {
    Request {
        seat: Seat::Actor,
        messages: vec![
            Message {
                role: Role::System,
                text: "You tidy up.".into(),
            },
            Message {
                role: Role::User,
                text: "A cup is on the table.".into(),
            },
        ],
        schema: None,
        max_tokens: Some(64),
        turn: None,
    }
}

type Outcome = Result<(Reply, Spent), Failure>;

/// Makes a call; the pieces of the reply and what became of it.
async fn ask(client: &Client, request: &Request) -> (Vec<Piece>, Outcome) {
    let mut pieces = Vec::new();
    let outcome = client.call(request, &mut |piece| pieces.push(piece)).await;
    (pieces, outcome)
}

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

fn thought(text: &str) -> Piece {
    Piece::Thought(text.to_owned())
}

/// A stream of chat completions: thoughts, words, an end, tokens.
fn completions(thoughts: &[&str], words: &[&str]) -> String {
    let mut out = String::new();
    let mut say = |choices: Value, usage: Value| {
        let chunk = json!({"object": "chat.completion.chunk", "choices": choices, "usage": usage});
        let _ = write!(out, "data: {chunk}\n\n");
    };
    say(
        json!([{"index": 0, "delta": {"role": "assistant", "content": ""}}]),
        Value::Null,
    );
    for thought in thoughts {
        say(
            json!([{"index": 0, "delta": {"reasoning_content": thought}}]),
            Value::Null,
        );
    }
    for word in words {
        say(
            json!([{"index": 0, "delta": {"content": word}}]),
            Value::Null,
        );
    }
    say(
        json!([{"index": 0, "delta": {}, "finish_reason": "stop"}]),
        Value::Null,
    );
    say(
        json!([]),
        json!({"prompt_tokens": 20, "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 4}}),
    );
    out + "data: [DONE]\n\n"
}

/// A stream of messages: thoughts, words, an end.
fn messages(thoughts: &[&str], words: &[&str]) -> String {
    let mut out = String::new();
    let mut say = |event: Value| {
        let name = event["type"].as_str().unwrap();
        let _ = write!(out, "event: {name}\ndata: {event}\n\n");
    };
    say(json!({"type": "message_start",
        "message": {"usage": {"input_tokens": 16, "cache_read_input_tokens": 4, "output_tokens": 1}}}));
    for thought in thoughts {
        say(json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "thinking_delta", "thinking": thought}}));
    }
    say(json!({"type": "ping"}));
    for word in words {
        say(json!({"type": "content_block_delta", "index": 1,
            "delta": {"type": "text_delta", "text": word}}));
    }
    say(
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
        "usage": {"output_tokens": 5}}),
    );
    say(json!({"type": "message_stop"}));
    out
}

/// A whole chat completion.
fn completion(text: &str) -> String {
    json!({"object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 5}})
    .to_string()
}
