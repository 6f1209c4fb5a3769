//! Against `fakellm`, an endpoint written by others that speaks as OpenAI and as Anthropic. `VESTA_FAKELLM` names its
//! program, or the address of one that runs (`http://…`); without it these tests say that they are skipped.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::time::Instant;
use vesta::agent::chat::FailureKind;

use super::{ask, client, request, run};

/// What it is to answer.
const RULES: &str = r#"version: 1
rules:
  - name: slow_down
    when: { model_matches: "limited" }
    respond: { status: 429, error: "Rate limit exceeded (mock)" }
  - name: broken
    when: { model_matches: "broken" }
    respond: { status: 500, error: "it broke" }
  - name: locked
    when: { model_matches: "locked" }
    respond: { status: 401, error: "no entry" }
  - name: tools
    when: { model_matches: "tools" }
    respond: { tool_calls: [ { name: look, arguments: { at: "cup" } } ] }
  - name: player
    when: { model_matches: "player" }
    respond: { content: "I am done.\nDone" }
  - name: cup
    when: { messages_contain: "A cup is on the table." }
    respond: { content: "I take the cup.\n[GRAB] <cup> (12) \u2615" }
"#;

/// A running one; ended with the value.
pub(super) struct Fake {
    pub(super) base: String,
    _folder: Option<tempfile::TempDir>,
    child: Option<Child>,
}

impl Drop for Fake {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Starts it, or says that it is not there.
pub(super) fn start() -> Option<Fake> {
    let Some(named) = std::env::var_os("VESTA_FAKELLM") else {
        let _ = writeln!(
            std::io::stderr().lock(),
            "skipped: VESTA_FAKELLM names no fakellm"
        );
        return None;
    };
    if let Some(base) = named.to_str().filter(|named| named.starts_with("http")) {
        return Some(Fake {
            base: base.to_owned(),
            _folder: None,
            child: None,
        });
    }
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("fakellm.yaml");
    std::fs::write(&rules, RULES).unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut child = Command::new(named)
        .args(["serve", "--port", &port.to_string(), "--config"])
        .arg(&rules)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let told = BufReader::new(child.stderr.take().unwrap());
    let begun = Instant::now();
    // It goes on writing there, and nobody reads: the pipe is kept open by a thread that does.
    let (ready, running) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in told.lines().map_while(Result::ok) {
            if line.contains("running on") {
                let _ = ready.send(());
            }
        }
    });
    running
        .recv_timeout(Duration::from_mins(1))
        .expect("fakellm does not start");
    let _ = writeln!(
        std::io::stderr().lock(),
        "fakellm is up after {:?}",
        begun.elapsed()
    );
    Some(Fake {
        base: format!("http://127.0.0.1:{port}/v1"),
        _folder: Some(folder),
        child: Some(child),
    })
}

#[test]
fn an_endpoint_of_others_is_understood_in_both_shapes() {
    let Some(fake) = start() else {
        return;
    };
    let answer = "I take the cup.\n[GRAB] <cup> (12) \u{2615}";
    run(async {
        for kind in ["openai", "anthropic"] {
            for stream in ["on", "off"] {
                let of = |model| {
                    client(
                        kind,
                        &fake.base,
                        &[("stream", stream), ("model", model), ("retries", "1")],
                    )
                };
                let (pieces, outcome) = ask(&of("gpt-4o"), &request()).await;
                let (reply, spent) = outcome.unwrap();
                assert_eq!(reply.text, answer, "{kind} {stream}");
                assert_eq!(pieces.len() > 1, stream == "on", "{kind} {stream}");
                // It counts no tokens in a stream of chat completions.
                assert_eq!(spent.usage.is_some(), (kind, stream) != ("openai", "on"));
                // A whole message of its tools has words in it as well.
                if (kind, stream) != ("anthropic", "off") {
                    let empty = ask(&of("tools"), &request()).await.1.unwrap_err();
                    assert_eq!(empty.kind, FailureKind::Empty, "{empty}");
                }
            }
            // Its streams never fail, whatever the rules say.
            for (model, wanted) in [
                ("limited", FailureKind::RateLimited),
                ("broken", FailureKind::Server),
                ("locked", FailureKind::Unauthorized),
            ] {
                let client = client(
                    kind,
                    &fake.base,
                    &[("stream", "off"), ("model", model), ("retries", "1")],
                );
                let failure = ask(&client, &request()).await.1.unwrap_err();
                assert_eq!(failure.kind, wanted, "{failure}");
            }
        }
    });
}
