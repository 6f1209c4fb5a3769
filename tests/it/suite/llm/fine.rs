//! Calls that succeed, also in spite of something.

use std::time::Duration;

use serde_json::Value;
use vesta::agent::chat::{Finish, Piece, Reply, Schema, Usage};
use vesta::llm::client::Client;
use vesta::llm::price::Cost;

use super::server::{Act, Script, Server};
use super::{
    ask, client, completion, completions, key, messages, request, run, settings, text, thought,
};

fn reply(thought: &str, text: &str, cached: u64) -> Reply {
    Reply {
        text: text.into(),
        thought: thought.into(),
        finish: Finish::Stop,
        usage: Some(Usage {
            input: 20,
            output: 5,
            cached,
        }),
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn replies_of_every_form_are_the_same() {
    let whole = r#"{"type":"message","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"[WALK]"}],
        "stop_reason":"end_turn","usage":{"input_tokens":20,"output_tokens":5}}"#;
    let table = [
        (
            "openai",
            "on",
            Script::events(&completions(&["h", "m"], &["[WA", "LK]"])),
            4,
        ),
        (
            "openai",
            "off",
            Script::of(200, "application/json", &completion("[WALK]")),
            0,
        ),
        // Asked for pieces, answered in one.
        (
            "openai",
            "on",
            Script::of(
                200,
                "application/json; charset=utf-8",
                &completion("[WALK]"),
            ),
            0,
        ),
        (
            "ollama",
            "on",
            Script::of(200, "text/plain", &completions(&["hm"], &["[WALK]"])),
            4,
        ),
        (
            "ollama",
            "off",
            Script::of(200, "text/plain", &completion("[WALK]")),
            0,
        ),
        (
            "anthropic",
            "on",
            Script::events(&messages(&["h", "m"], &["[WA", "LK]"])),
            4,
        ),
        (
            "anthropic",
            "off",
            Script::of(200, "application/json", whole),
            0,
        ),
        (
            "azure",
            "on",
            Script::events(&completions(&["hm"], &["[WALK]"])),
            4,
        ),
    ];
    for (kind, stream, script, cached) in table {
        run(async {
            let server = Server::start(vec![script.clone()]).await;
            let client = client(kind, &server.base, &[("stream", stream)]);
            let (pieces, outcome) = ask(&client, &request()).await;
            let (got, spent) = outcome.unwrap();
            let thought = if got.thought.is_empty() { "" } else { "hm" };
            assert_eq!(got, reply(thought, "[WALK]", cached), "{kind} {script:?}");
            assert_eq!(
                thought.is_empty(),
                cached == 0 && kind != "anthropic",
                "{kind}"
            );
            let joined: String = pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => text.as_str(),
                    _ => "",
                })
                .collect();
            assert_eq!(joined, "[WALK]");
            // (20 - cached) * 2500 + cached * 1250 + 5 * 10000 billionths of a dollar.
            assert_eq!(spent.cost, Some(Cost(100_000 - cached * 1250)));
            assert_eq!((spent.attempts, spent.usage), (1, got.usage));
            assert!(spent.first_ms <= spent.total_ms);
        });
    }
}

#[test]
fn requests_go_where_the_kind_says_with_its_headers() {
    for (kind, line, header) in [
        (
            "openai",
            "POST /v1/chat/completions HTTP/1.1",
            "authorization: bearer sk-canary-5f2c91e07ab34d68",
        ),
        (
            "anthropic",
            "POST /v1/messages HTTP/1.1",
            "x-api-key: sk-canary-5f2c91e07ab34d68",
        ),
        (
            "azure",
            "POST /v1/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21 HTTP/1.1",
            "api-key: sk-canary-5f2c91e07ab34d68",
        ),
    ] {
        run(async {
            let server = Server::start(vec![Script::of(500, "text/plain", "")]).await;
            let client = client(
                kind,
                &server.base,
                &[("retries", "0"), ("header", "X-Team: kitchen")],
            );
            assert!(ask(&client, &request()).await.1.is_err());
            let got = server.got().remove(0);
            assert_eq!(got.line, line);
            for wanted in [header, "x-team: kitchen", "content-type: application/json"] {
                assert!(
                    got.head.lines().any(|line| line == wanted),
                    "{wanted} in {}",
                    got.head
                );
            }
            assert_eq!(
                got.head.contains("anthropic-version: 2023-06-01"),
                kind == "anthropic"
            );
            assert!(
                serde_json::from_str::<Value>(&got.body)
                    .unwrap()
                    .is_object()
            );
        });
    }
}

#[test]
fn bytes_may_come_in_any_pieces() {
    let said = "\u{1f375} th\u{e9} \u{4e2d}\u{6587} [GRAB] <cup>";
    for (kind, body) in [
        ("openai", completions(&["\u{1f914}"], &[said])),
        ("anthropic", messages(&["\u{1f914}"], &[said])),
    ] {
        let crlf = body.replace('\n', "\r\n");
        for (text, size) in [
            (&body, 1),
            (&body, 3),
            (&body, 7),
            (&crlf, 1),
            (&crlf, 2),
            (&crlf, 64),
        ] {
            run(async {
                let server = Server::start(vec![Script::events(text).in_pieces(size, 0)]).await;
                let (pieces, outcome) = ask(&client(kind, &server.base, &[]), &request()).await;
                assert_eq!(
                    outcome.unwrap().0,
                    reply("\u{1f914}", said, 4),
                    "{kind} by {size}"
                );
                assert_eq!(pieces, [thought("\u{1f914}"), super::text(said)]);
            });
        }
    }
}

#[test]
fn slow_bytes_are_waited_for() {
    run(async {
        let body = completions(&[], &["slow"]);
        let script = Script::events(&body).in_pieces(20, 5);
        let server = Server::start(vec![script]).await;
        let client = client("openai", &server.base, &[("idle_timeout", "5")]);
        let (_, outcome) = ask(&client, &request()).await;
        assert_eq!(outcome.unwrap().0, reply("", "slow", 4));
    });
}

#[test]
fn an_end_without_its_signs_is_an_end() {
    let body = completions(&[], &["done"]);
    let unsigned = body.replace("data: [DONE]\n\n", "");
    let unended = body.trim_end();
    let commented = format!("\u{feff}: hello\n\n{body}");
    for script in [
        Script::events(&unsigned),
        Script::events(unended),
        Script::events(&commented),
        // It says that it is over and then does not close, or breaks off.
        Script::events(&body).then(&[Act::Hold]),
        Script::events(&body).then(&[Act::Cut]),
        Script::events(&unsigned).then(&[Act::Cut]),
    ] {
        run(async {
            let server = Server::start(vec![script.clone()]).await;
            let (_, outcome) = ask(&client("openai", &server.base, &[]), &request()).await;
            assert_eq!(outcome.unwrap().0, reply("", "done", 4), "{script:?}");
        });
    }
}

#[test]
fn a_long_reply_is_taken_up_to_the_limit() {
    let long = "x".repeat(9 * 1024 * 1024);
    run(async {
        let server = Server::start(vec![
            Script::events(&completions(&[], &[&long])).in_pieces(65_536, 0),
        ])
        .await;
        let (_, outcome) = ask(&client("openai", &server.base, &[]), &request()).await;
        assert_eq!(outcome.unwrap().0.text.len(), long.len());
    });
}

#[test]
fn what_may_pass_is_tried_again_and_told() {
    let fine = || Script::events(&completions(&[], &["at last"]));
    let half = completions(&[], &["half"]);
    let half = half.split_inclusive("\n\n").take(2).collect::<String>();
    for (first, told) in [
        (
            Script::of(500, "text/plain", "oops"),
            "the endpoint failed (500): \"oops\"; try again later",
        ),
        (
            Script::of(503, "text/html", "<html><b>busy</b></html>"),
            "the endpoint failed (503): \"busy\"; try again later",
        ),
        (
            Script::of(
                429,
                "application/json",
                r#"{"error":{"message":"slow down"}}"#,
            )
            .with("retry-after", "0"),
            "the endpoint gets too many requests (429): \"slow down\"; wait, or lower concurrency or per_minute",
        ),
        (
            Script::events(&half).then(&[Act::Cut]),
            "the connection broke off",
        ),
        (
            Script::events(&half),
            "the reply broke off before its end; try again",
        ),
        (
            Script::events("").then(&[]),
            "the reply broke off before its end; try again",
        ),
        (
            Script::events(
                "event: error\ndata: {\"error\":{\"message\":\"busy\",\"code\":503}}\n\n",
            ),
            "the endpoint failed (503): \"busy\"; try again later",
        ),
    ] {
        run(async {
            let server = Server::start(vec![first.clone(), first.clone(), fine()]).await;
            let (pieces, outcome) = ask(&client("openai", &server.base, &[]), &request()).await;
            let (got, spent) = outcome.unwrap();
            assert_eq!((got, spent.attempts), (reply("", "at last", 4), 3));
            let again: Vec<&String> = pieces
                .iter()
                .filter_map(|piece| match piece {
                    Piece::Again { why, .. } => Some(why),
                    _ => None,
                })
                .collect();
            assert_eq!(again.len(), 2, "{first:?}");
            for why in again {
                let host = server
                    .base
                    .trim_start_matches("http://")
                    .trim_end_matches("/v1");
                assert!(why.starts_with(&format!("{host}: {told}")), "{why}");
            }
            assert_eq!(pieces.last(), Some(&text("at last")));
        });
    }
}

#[test]
fn the_endpoint_says_how_long_to_wait() {
    let then = httpdate_in(2);
    for (headers, least) in [
        (vec![("retry-after", "1")], 1000),
        (vec![("retry-after-ms", "150")], 150),
        (
            vec![("retry-after", then.1.as_str()), ("date", then.0.as_str())],
            2000,
        ),
    ] {
        run(async {
            let mut first = Script::of(429, "application/json", "{}");
            for (name, value) in &headers {
                first = first.with(name, value);
            }
            let server =
                Server::start(vec![first, Script::events(&completions(&[], &["ok"]))]).await;
            let (pieces, outcome) = ask(&client("openai", &server.base, &[]), &request()).await;
            assert_eq!(outcome.unwrap().1.attempts, 2);
            let Some(Piece::Again { wait_ms, .. }) = pieces.first() else {
                panic!("{pieces:?}");
            };
            assert!(
                (least..least + 201).contains(wait_ms),
                "{wait_ms} for {headers:?}"
            );
            let got = server.got();
            assert!(got[1].at - got[0].at >= Duration::from_millis(least));
        });
    }
}

/// Two dates as HTTP writes them: some time, and so many seconds later.
fn httpdate_in(seconds: u32) -> (String, String) {
    let date = |s: u32| format!("Mon, 30 Nov 2026 12:00:{s:02} GMT");
    (date(5), date(5 + seconds))
}

#[test]
fn an_endpoint_without_schemas_is_asked_in_words_from_then_on() {
    run(async {
        let fine = Script::events(&completions(&[], &["{}"]));
        let refused = Script::of(
            400,
            "application/json",
            r#"{"error":{"message":"response_format is not supported"}}"#,
        );
        let server = Server::start(vec![refused, fine]).await;
        let client = client("openai", &server.base, &[("retries", "0")]);
        let mut asked = request();
        asked.schema = Some(Schema {
            name: "act".into(),
            json: r#"{"type":"object"}"#.into(),
        });
        let (_, outcome) = ask(&client, &asked).await;
        let spent = outcome.unwrap().1;
        assert_eq!((spent.attempts, spent.in_words), (2, true));
        let (_, outcome) = ask(&client, &asked).await;
        let spent = outcome.unwrap().1;
        assert_eq!((spent.attempts, spent.in_words), (1, true));
        let (_, outcome) = ask(&client, &request()).await;
        assert!(!outcome.unwrap().1.in_words);
        let formats: Vec<bool> = server
            .got()
            .iter()
            .map(|got| got.body.contains("response_format"))
            .collect();
        assert_eq!(formats, [true, false, false, false]);
    });
}

#[test]
fn an_endpoint_that_names_the_limit_otherwise_is_asked_so() {
    run(async {
        let refused = Script::of(
            400,
            "application/json",
            r#"{"error":{"message":"Unsupported parameter: 'max_completion_tokens'. Use 'max_tokens' instead."}}"#,
        );
        let server = Server::start(vec![refused, Script::events(&completions(&[], &["ok"]))]).await;
        let client = client("openai", &server.base, &[]);
        assert!(ask(&client, &request()).await.1.is_ok());
        assert!(ask(&client, &request()).await.1.is_ok());
        let new: Vec<bool> = server
            .got()
            .iter()
            .map(|got| got.body.contains("\"max_completion_tokens\":64"))
            .collect();
        assert_eq!(new, [true, false, false]);
        assert!(server.got()[2].body.contains("\"max_tokens\":64"));
    });
}

#[test]
fn calls_wait_their_turn() {
    run(async {
        let script = Script {
            before: 30,
            ..Script::events(&completions(&[], &["ok"]))
        };
        let server = Server::start(vec![script]).await;
        let client = Client::seeded(
            settings("openai", &server.base, &[("concurrency", "1")]),
            Some(key()),
            1,
        )
        .unwrap();
        let asked = request();
        let both = tokio::join!(ask(&client, &asked), ask(&client, &asked));
        assert!(both.0.1.is_ok() && both.1.1.is_ok());
        let got = server.got();
        assert!(got[1].at - got[0].at >= Duration::from_millis(30));
    });
}
