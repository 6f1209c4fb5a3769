//! A key is sent and appears nowhere else: no failure, piece, reply, recording or debug text has it or a part of it.

use std::path::PathBuf;

use vesta::llm::cassette::Tape;
use vesta::llm::client::Client;

use super::failing::{cases, hurry};
use super::server::{Script, Server};
use super::{CANARY, ask, completions, key, messages, request, run, settings};

/// Complains about any stretch of six characters of the secret part of the key.
pub(super) fn clean(text: &str, what: &str) {
    let secret = CANARY.trim_start_matches("sk-canary-");
    for at in 0..=secret.len() - 6 {
        let part = secret.get(at..at + 6).unwrap();
        assert!(!text.contains(part), "{what} has {part} of the key: {text}");
    }
    assert!(!text.contains("sk-ca"), "{what}: {text}");
}

#[test]
fn the_check_sees_a_key() {
    let seen = |text: &'static str| std::panic::catch_unwind(|| clean(text, "it")).is_err();
    assert!(seen("at 5f2c91e07ab34d68"));
    assert!(seen("b34d68"));
    assert!(!seen("set, not shown"));
}

#[test]
fn a_key_appears_nowhere() {
    let echo = format!("your key is {CANARY}, is it");
    let (a, b) = echo.split_at(20);
    let fine = |kind, body: &str| (kind, Script::events(body), vec![]);
    let mut calls: Vec<(&str, Script, Vec<_>)> = cases()
        .into_iter()
        .map(|case| ("openai", case.script.clone(), hurry(&case)))
        .collect();
    calls.push(fine("openai", &completions(&[a, b], &[a, b])));
    calls.push(fine("anthropic", &messages(&[a, b], &[a, b])));
    let ended = completions(&[], &["your key is [key], is it"]);
    let ended = ended.replace("\"stop\"", &format!("\"{CANARY}\""));
    calls.push(fine("openai", &ended));
    let refused = format!(
        r#"{{"type":"error","error":{{"type":"authentication_error","message":"invalid x-api-key: {CANARY}"}}}}"#
    );
    calls.push((
        "anthropic",
        Script::of(401, "application/json", &refused),
        vec![],
    ));
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for (at, (kind, script, values)) in calls.into_iter().enumerate() {
            let path = folder.path().join(format!("{at}.jsonl"));
            scope.spawn(move || run(leaks(kind, script, &values, path)));
        }
    });
}

async fn leaks(kind: &str, script: Script, values: &[(&str, &str)], path: PathBuf) {
    let server = Server::start(vec![script]).await;
    let settings = settings(kind, &server.base, values);
    let tape = Tape::record(&path).unwrap().0;
    let client = Client::seeded(settings, Some(key()), 1)
        .unwrap()
        .recording(tape);
    let (pieces, outcome) = ask(&client, &request()).await;
    // The key was there to be leaked.
    let got = server.got();
    assert!(got[0].head.contains(CANARY));
    assert!(!got[0].body.contains(CANARY));
    clean(&format!("{pieces:?}"), "a piece");
    clean(&format!("{outcome:?}"), "the outcome");
    match &outcome {
        Err(failure) => clean(&failure.to_string(), "the failure"),
        Ok((reply, _)) => assert_eq!(reply.text, "your key is [key], is it"),
    }
    clean(&format!("{client:?}"), "the client");
    let recorded = std::fs::read_to_string(&path).unwrap();
    assert_eq!(recorded.lines().count(), 4);
    clean(&recorded, "the recording");
}
