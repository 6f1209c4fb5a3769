//! Requests as each kind writes them, and replies as it reads them.

use serde_json::{Value, json};

use super::*;
use crate::agent::chat::{Finish, Message, Role, Seat};
use crate::llm::heard::{Counts, Said};

fn settings(kind: &'static Kind, values: &[(&'static str, &'static str)]) -> Settings {
    let fixed = [("", "kind", kind.id), ("", "model", "m")];
    let values = values.iter().map(|(name, text)| ("", *name, *text));
    Settings::read(fixed.into_iter().chain(values)).unwrap()
}

fn request(schema: bool) -> Request {
    let message = |role, text: &str| Message {
        role,
        text: text.to_owned(),
    };
    Request {
        seat: Seat::Actor,
        messages: vec![
            message(Role::System, "be brief"),
            message(Role::User, "hello"),
            message(Role::Assistant, "hi"),
            message(Role::User, "go on"),
        ],
        schema: schema.then(|| Schema {
            name: "act".into(),
            json: "{\"type\": \"object\"}".into(),
        }),
        max_tokens: Some(50),
        turn: None,
    }
}

fn body(settings: &Settings, request: &Request, habits: Habits) -> Value {
    serde_json::from_str(&(settings.kind.body)(settings, request, habits).unwrap()).unwrap()
}

#[test]
fn addresses_follow_the_kind() {
    for (kind, values, url) in [
        (
            &OPENAI,
            &[][..],
            "https://api.openai.com/v1/chat/completions",
        ),
        (
            &OPENAI,
            &[("base", "http://h:1/v1/")],
            "http://h:1/v1/chat/completions",
        ),
        (
            &OPENAI,
            &[("base", "http://h/v1/chat/completions")],
            "http://h/v1/chat/completions",
        ),
        (&OLLAMA, &[], "http://127.0.0.1:11434/v1/chat/completions"),
        (
            &AZURE,
            &[
                ("base", "https://n.openai.azure.com"),
                ("model", "my gpt/4"),
            ],
            "https://n.openai.azure.com/openai/deployments/my%20gpt%2F4/chat/completions?api-version=2024-10-21",
        ),
        (&ANTHROPIC, &[], "https://api.anthropic.com/v1/messages"),
        (
            &ANTHROPIC,
            &[("base", "http://h/v1")],
            "http://h/v1/messages",
        ),
    ] {
        assert_eq!((kind.url)(&settings(kind, values)).as_str(), url);
    }
}

#[test]
fn chat_completions_are_asked_for() {
    let openai = settings(&OPENAI, &[("seed", "7")]);
    let messages = json!([
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": "hi"},
        {"role": "user", "content": "go on"},
    ]);
    assert_eq!(
        body(&openai, &request(true), OPENAI.habits),
        json!({
            "model": "m",
            "messages": messages,
            "stream": true,
            "stream_options": {"include_usage": true},
            "temperature": 0.0,
            "seed": 7,
            "max_completion_tokens": 50,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "act", "strict": true, "schema": {"type": "object"}},
            },
        })
    );
    let plain = settings(&VLLM, &[("stream", "off"), ("temperature", "none")]);
    assert_eq!(
        body(&plain, &request(false), VLLM.habits),
        json!({"model": "m", "messages": messages, "max_tokens": 50})
    );
    let told = Habits {
        schema: false,
        ..VLLM.habits
    };
    let worded = body(&plain, &request(true), told);
    assert_eq!(
        worded.pointer("/messages/0/content").unwrap(),
        "be brief\n\nReply with one JSON value and nothing else. It must fit this JSON schema:\n{\"type\": \"object\"}"
    );
    assert_eq!(worded.get("response_format"), None);
}

#[test]
fn messages_are_asked_for() {
    let anthropic = settings(&ANTHROPIC, &[]);
    let mut asked = request(true);
    asked.max_tokens = None;
    asked.messages.push(Message {
        role: Role::User,
        text: " ".into(),
    });
    assert_eq!(
        body(&anthropic, &asked, ANTHROPIC.habits),
        json!({
            "model": "m",
            "max_tokens": 4096,
            "system": "be brief\n\nReply with one JSON value and nothing else. It must fit this JSON schema:\n{\"type\": \"object\"}",
            "messages": [
                {"role": "user", "content": "hello"},
                {"role": "assistant", "content": "hi"},
                {"role": "user", "content": "go on"},
            ],
            "stream": true,
            "temperature": 0.0,
        })
    );
    let seeded = settings(&ANTHROPIC, &[("seed", "1")]);
    assert_eq!(
        seeded.remarks(),
        ["anthropic takes no seed; it is left out"]
    );
    assert_eq!(anthropic.remarks(), Vec::<String>::new());
}

#[test]
fn a_schema_that_is_none_is_told() {
    let mut asked = request(true);
    asked.schema = Some(Schema {
        name: "act".into(),
        json: "{".into(),
    });
    for kind in [&OPENAI, &ANTHROPIC] {
        let failure = (kind.body)(&settings(kind, &[]), &asked, kind.habits).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Rejected);
        assert!(
            failure
                .message
                .starts_with("the schema act is no JSON: EOF"),
            "{failure}"
        );
    }
}

#[test]
fn rejections_teach_habits_once_each() {
    let first = OPENAI.habits;
    let limit = first
        .corrected("Unsupported parameter: 'max_completion_tokens'", true)
        .unwrap();
    assert!(limit.limit == Limit::Tokens && limit.schema && limit.counts);
    let counts = limit.corrected("no stream_options here", true).unwrap();
    assert!(!counts.counts && counts.schema);
    let plain = counts.corrected("Unsupported: 'max_tokens'", true).unwrap();
    assert!(!plain.schema);
    assert_eq!(plain.corrected("Unsupported: 'max_tokens'", true), None);
    assert_eq!(first.corrected("bad prompt", false), None);
    assert_eq!(ANTHROPIC.habits.corrected("max_tokens: 5 > 4", true), None);
}

fn text(text: &str) -> Heard {
    Heard::Text(text.into())
}

fn thought(text: &str) -> Heard {
    Heard::Thought(text.into())
}

fn counts(input: Option<u64>, output: Option<u64>, cached: Option<u64>) -> Heard {
    Heard::Counts(Counts {
        input,
        output,
        cached,
    })
}

fn failed(message: &str, code: &str) -> Heard {
    Heard::Failed(Said {
        message: message.into(),
        code: code.into(),
    })
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn events_of_chat_completions_are_read() {
    for (name, data, heard) in [
        ("", "[DONE]", vec![Heard::Done]),
        ("", "{}", vec![]),
        ("", "{\"choices\":[]}", vec![Heard::Known]),
        (
            "",
            "{\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}",
            vec![Heard::Known, text("")],
        ),
        (
            "",
            "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":null}]}",
            vec![Heard::Known, text("a")],
        ),
        (
            "",
            "{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"b\"}}]}",
            vec![Heard::Known],
        ),
        (
            "",
            "{\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\",\"content\":null}}]}",
            vec![Heard::Known, thought("hm")],
        ),
        (
            "",
            "{\"choices\":[{\"delta\":{\"reasoning\":\"hm\"}}]}",
            vec![Heard::Known, thought("hm")],
        ),
        (
            "",
            "{\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}}]}",
            vec![Heard::Known, text("a")],
        ),
        (
            "",
            "{\"choices\":[{\"delta\":{\"refusal\":\"no\"},\"finish_reason\":\"stop\"}]}",
            vec![
                Heard::Known,
                text("no"),
                Heard::Finish(Finish::Filtered),
                Heard::Finish(Finish::Stop),
            ],
        ),
        (
            "",
            "{\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}",
            vec![Heard::Known, Heard::Finish(Finish::Length)],
        ),
        (
            "",
            "{\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}",
            vec![
                Heard::Known,
                Heard::Finish(Finish::Other("tool_calls".into())),
            ],
        ),
        (
            "",
            "{\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2,\
              \"prompt_tokens_details\":{\"cached_tokens\":4}}}",
            vec![Heard::Known, counts(Some(9), Some(2), Some(4))],
        ),
        (
            "",
            "{\"error\":{\"message\":\"no\",\"type\":\"server_error\",\"code\":503}}",
            vec![failed("no", "503 server_error")],
        ),
        ("", "{\"error\":\"no\"}", vec![failed("no", "")]),
        (
            "",
            "{\"object\":\"error\",\"message\":\"no\",\"code\":400}",
            vec![failed("no", "400")],
        ),
        (
            "error",
            "{\"message\":\"no\",\"code\":500}",
            vec![failed("no", "500")],
        ),
    ] {
        assert_eq!((OPENAI.event)(name, data), Ok(heard), "{data}");
    }
    for data in [
        "hello",
        "",
        "[1]",
        "\"a\"",
        "{\"choices\":[{\"delta\":{\"content\":5}}]}",
    ] {
        assert!((OPENAI.event)("", data).is_err(), "{data}");
    }
}

#[test]
fn whole_chat_completions_are_read() {
    let reply = "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"a\",\
        \"reasoning_content\":\"hm\"},\"finish_reason\":\"stop\"}],\
        \"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}";
    assert_eq!(
        (OPENAI.whole)(reply),
        Ok(vec![
            Heard::Known,
            thought("hm"),
            text("a"),
            Heard::Finish(Finish::Stop),
            counts(Some(9), Some(2), None),
            Heard::Done
        ])
    );
    assert_eq!(
        (OPENAI.whole)("{\"error\":{\"message\":\"no\"}}"),
        Ok(vec![failed("no", "")])
    );
    assert_eq!((OPENAI.whole)("{}"), Ok(vec![Heard::Done]));
    assert!((OPENAI.whole)("<html>").is_err());
}

#[test]
fn events_of_messages_are_read() {
    for (data, heard) in [
        (
            "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":5,\"output_tokens\":1,\
          \"cache_read_input_tokens\":3,\"cache_creation_input_tokens\":2}}}",
            vec![Heard::Known, counts(Some(10), Some(1), Some(3))],
        ),
        ("{\"type\":\"ping\"}", vec![]),
        (
            "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}",
            vec![Heard::Known],
        ),
        (
            "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}",
            vec![Heard::Known, text("a")],
        ),
        (
            "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}",
            vec![Heard::Known, thought("hm")],
        ),
        (
            "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"signature_delta\",\"signature\":\"x\"}}",
            vec![Heard::Known],
        ),
        (
            "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"max_tokens\"},\"usage\":{\"output_tokens\":7}}",
            vec![
                Heard::Known,
                Heard::Finish(Finish::Length),
                counts(None, Some(7), None),
            ],
        ),
        (
            "{\"type\":\"message_stop\"}",
            vec![Heard::Known, Heard::Done],
        ),
        (
            "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}",
            vec![failed("busy", "overloaded_error")],
        ),
    ] {
        assert_eq!((ANTHROPIC.event)("", data), Ok(heard), "{data}");
    }
    assert!((ANTHROPIC.event)("ping", "1").is_err());
    assert!((ANTHROPIC.event)("message_stop", "no json").is_err());
}

#[test]
fn whole_messages_are_read() {
    let reply = "{\"type\":\"message\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"x\"},\
        {\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}],\"stop_reason\":\"end_turn\",\
        \"usage\":{\"input_tokens\":5,\"output_tokens\":2}}";
    let heard: Vec<Heard> = (ANTHROPIC.whole)(reply)
        .unwrap()
        .into_iter()
        .filter(|heard| *heard != Heard::Known)
        .collect();
    assert_eq!(
        heard,
        [
            thought("hm"),
            text("a"),
            text("b"),
            Heard::Finish(Finish::Stop),
            counts(Some(5), Some(2), None),
            Heard::Done
        ]
    );
    assert_eq!(
        (ANTHROPIC.whole)(
            "{\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"no\"}}"
        ),
        Ok(vec![failed("no", "api_error")])
    );
}

#[test]
fn kinds_have_names_of_their_own() {
    for kind in KINDS {
        assert_eq!(KINDS.iter().filter(|other| other.id == kind.id).count(), 1);
        assert!(!kind.about.is_empty() && !kind.variable.is_empty());
    }
}
