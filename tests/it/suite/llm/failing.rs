//! Calls that fail: each ends in its own kind, with a sentence, in time.

use vesta::agent::chat::FailureKind;
use vesta::llm::client::Client;
use vesta::llm::settings::Settings;

use super::server::{Act, Script, Server};
use super::{ask, client, completions, request, run};

/// A reply that makes a call fail.
pub(super) struct Case {
    pub(super) kind: FailureKind,
    pub(super) script: Script,
    /// How often the endpoint is asked with two retries.
    pub(super) attempts: usize,
    /// What is said after the name of the endpoint.
    pub(super) said: &'static str,
}

const fn case(kind: FailureKind, script: Script, attempts: usize, said: &'static str) -> Case {
    Case {
        kind,
        script,
        attempts,
        said,
    }
}

/// A body that quotes the key in every way seen.
fn error(status: u16, message: &str) -> Script {
    let body = format!(r#"{{"error":{{"message":"{message}","type":"t","code":null}}}}"#);
    Script::of(status, "application/json", &body)
}

/// The table of failures. Replies quote the key that was sent wherever an endpoint could.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn cases() -> Vec<Case> {
    use FailureKind as K;
    let key = super::CANARY;
    let half = completions(&[], &["half"]);
    let half: String = half.split_inclusive("\n\n").take(2).collect();
    let unfinished = half.clone() + "data: {\"choices\":[{\"del";
    let long = format!("data: {}", "x".repeat(11 * 1024 * 1024));
    let many: String = completions(&[], &["y".repeat(1024 * 1024).as_str(); 11]);
    vec![
        case(
            K::Unauthorized,
            error(401, &format!("Incorrect API key provided: {key}.")),
            1,
            "the endpoint rejects the key (401): \"Incorrect API key provided: [key].\"; check the one in TEST_KEY",
        ),
        case(
            K::Unauthorized,
            error(401, "Incorrect API key provided: sk-ca***4d68"),
            1,
            "the endpoint rejects the key (401): \"Incorrect API key provided: [key]\"; check the one in TEST_KEY",
        ),
        case(
            K::Unauthorized,
            error(403, &format!("Bearer {key} may not")),
            1,
            "the endpoint rejects the key (403): \"Bearer [key] may not\"; check the one in TEST_KEY",
        ),
        case(
            K::Rejected,
            error(400, &format!("bad request of {key}")),
            1,
            "the endpoint rejects the request (400): \"bad request of [key]\"; check model and settings",
        ),
        case(
            K::Rejected,
            Script::of(404, "text/plain", "404 page not found"),
            1,
            "the endpoint knows no such place or model (404): \"404 page not found\"; check base and model",
        ),
        case(
            K::Rejected,
            Script::of(307, "text/plain", "").with("location", &format!("https://x/{key}")),
            1,
            "the endpoint sends calls elsewhere (307) to https://x/[key]; set base to where it should be",
        ),
        case(
            K::RateLimited,
            error(429, &format!("slow, {key}")),
            3,
            "the endpoint gets too many requests (429): \"slow, [key]\"; wait, or lower concurrency or per_minute (after 3 attempts)",
        ),
        case(
            K::RateLimited,
            error(429, "slow").with("retry-after", "3600"),
            1,
            "the endpoint gets too many requests (429): \"slow\"; wait, or lower concurrency or per_minute (it asks to wait 3600 s, longer than allowed)",
        ),
        case(
            K::Rejected,
            Script::of(
                429,
                "application/json",
                r#"{"error":{"message":"pay","code":"insufficient_quota"}}"#,
            ),
            1,
            "the endpoint has no quota left (429): \"pay\"; check the account",
        ),
        case(
            K::Server,
            Script::of(500, "text/html", &format!("<html><h1>500</h1>{key}</html>")),
            3,
            "the endpoint failed (500): \"500 [key]\"; try again later (after 3 attempts)",
        ),
        case(
            K::Server,
            Script::of(502, "text/plain", ""),
            3,
            "the endpoint failed (502); try again later (after 3 attempts)",
        ),
        case(
            K::Server,
            Script::events(&format!("data: {{\"error\":\"{key} crashed\"}}\n\n")),
            3,
            "the endpoint failed: \"[key] crashed\"; try again later (after 3 attempts)",
        ),
        case(
            K::CutOff,
            Script::events(&half).then(&[Act::Cut]),
            3,
            "the connection broke off (",
        ),
        case(
            K::CutOff,
            Script::events(&half),
            3,
            "the reply broke off before its end; try again (after 3 attempts)",
        ),
        case(
            K::CutOff,
            Script::events(&unfinished),
            3,
            "the reply broke off before its end; try again (after 3 attempts)",
        ),
        case(
            K::CutOff,
            Script::of(200, "application/json", "{\"choices\":[{\"mess"),
            3,
            "the reply broke off before its end; try again (after 3 attempts)",
        ),
        case(
            K::Garbage,
            Script::events(&format!("data: hello {key}\n\n")),
            1,
            "the reply is no chat reply (no JSON: expected value at line 1 column 1): \"hello [key]\"; check kind and base",
        ),
        case(
            K::Garbage,
            Script::events("hello\n\n"),
            1,
            "the endpoint answers with something else than a chat reply; check kind and base",
        ),
        case(
            K::Garbage,
            Script::of(200, "text/html", "<html>welcome</html>"),
            1,
            "the reply is no chat reply (no JSON: expected value at line 1 column 1): \"<html>welcome</html>\"; check kind and base",
        ),
        case(
            K::Garbage,
            Script::of(200, "application/json", "{\"models\":[]}"),
            1,
            "the endpoint answers with something else than a chat reply; check kind and base",
        ),
        case(
            K::Garbage,
            Script::events("data: \u{1}\u{1b}]0;x\u{7}\n\n"),
            1,
            "the reply is no chat reply (",
        ),
        case(
            K::Empty,
            Script::of(200, "application/json", "{\"choices\":[]}"),
            1,
            "the reply holds no answer; try again or take another model",
        ),
        case(
            K::Empty,
            Script::events("data: {\"choices\":[]}\n\ndata: [DONE]\n\n"),
            1,
            "the reply holds no answer; try again or take another model",
        ),
        case(
            K::Empty,
            Script::events(&completions(&["hm"], &[])),
            1,
            "the reply holds no answer; try again or take another model",
        ),
        case(
            K::Empty,
            Script::events(
                &completions(&["hm"], &["  \\n"])
                    .replace("\"stop\"", "\"length\"")
                    .replace("  \\\\n", " "),
            ),
            1,
            "the model reached the longest reply before it answered; raise max_tokens",
        ),
        case(
            K::TooLong,
            Script::events(&long).in_pieces(1 << 16, 0),
            1,
            "the reply is longer than 10 MB; set max_tokens",
        ),
        case(
            K::TooLong,
            Script::events(&many).in_pieces(1 << 16, 0),
            1,
            "the reply is longer than 10 MB; set max_tokens",
        ),
        case(
            K::TooLong,
            Script::of(200, "application/json", &long).in_pieces(1 << 16, 0),
            1,
            "the reply is longer than 10 MB; set max_tokens",
        ),
        case(
            K::TimedOut,
            Script::events(&half).then(&[Act::Hold]),
            1,
            "nothing more came within 0.3 s; try later or raise idle_timeout",
        ),
        case(
            K::TimedOut,
            Script {
                before: 60_000,
                ..Script::events(&half)
            },
            1,
            "nothing came within 0.5 s; try later or raise first_timeout",
        ),
        case(
            K::TimedOut,
            Script::events(&": wait\n".repeat(20_000)).in_pieces(7, 20),
            1,
            "there was no whole reply within 1.5 s; try later or raise total_timeout",
        ),
    ]
}

/// Settings under which the cases end as they say. Only the time limit a case is about is short: the machine may be
/// busy.
pub(super) fn hurry(case: &Case) -> Vec<(&'static str, &'static str)> {
    let short = [
        ("idle_timeout", "0.3"),
        ("first_timeout", "0.5"),
        ("total_timeout", "1.5"),
    ];
    let mut values = vec![("retries", "2")];
    values.extend(
        short
            .into_iter()
            .filter(|(name, _)| case.said.ends_with(name)),
    );
    values
}

#[test]
fn every_failure_ends_in_its_own_kind() {
    std::thread::scope(|scope| {
        for case in cases() {
            scope.spawn(|| run(ends(case)));
        }
    });
}

async fn ends(case: Case) {
    let server = Server::start(vec![case.script.clone()]).await;
    let client = client("openai", &server.base, &hurry(&case));
    let (_, outcome) = ask(&client, &request()).await;
    let failure = outcome.unwrap_err();
    let host = server
        .base
        .trim_start_matches("http://")
        .trim_end_matches("/v1");
    assert_eq!(failure.kind, case.kind, "{failure}");
    let whole = format!("{host}: {}", case.said);
    if case.said.ends_with('(') {
        assert!(failure.message.starts_with(&whole), "{failure}");
    } else {
        assert_eq!(failure.message, whole);
    }
    assert_eq!(server.got().len(), case.attempts, "{failure}");
}

#[test]
fn nobody_at_an_address_is_told() {
    run(async {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap();
        drop(listener);
        let client = client("ollama", &format!("http://{host}"), &[("retries", "2")]);
        let failure = ask(&client, &request()).await.1.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unreachable);
        assert_eq!(
            failure.message,
            format!(
                "{host}: cannot be reached (Connection refused (os error 111)); check base, the proxy and whether it \
                 runs (after 3 attempts)"
            )
        );
    });
}

#[test]
fn no_key_where_one_is_needed_is_told_before_anything_is_sent() {
    let told = |kind: &str, base: Option<&str>| {
        let mut values = vec![("", "kind", kind), ("", "model", "m")];
        values.extend(base.map(|base| ("", "base", base)));
        Client::seeded(Settings::read(values).unwrap(), None, 1).map(|_| ())
    };
    run(async {
        for (kind, variable) in [
            ("openai", "OPENAI_API_KEY"),
            ("anthropic", "ANTHROPIC_API_KEY"),
            ("together", "TOGETHER_API_KEY"),
        ] {
            let failure = told(kind, None).unwrap_err();
            assert_eq!(failure.kind, FailureKind::NoKey);
            assert_eq!(
                failure.message,
                format!("{kind} needs a key; put it into {variable} or name a file with it")
            );
        }
        assert_eq!(told("ollama", None), Ok(()));
        // A server of one's own may take none.
        assert_eq!(told("openai", Some("http://127.0.0.1:9/v1")), Ok(()));
        assert!(told("azure", Some("https://n.openai.azure.com")).is_err());
    });
}
