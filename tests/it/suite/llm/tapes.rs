//! Recordings: what was recorded against an endpoint is played without one, byte for byte.

use std::sync::Arc;

use vesta::agent::chat::{FailureKind, Message, Piece, Request, Role, Seat};
use vesta::llm::cassette::Tape;
use vesta::llm::client::{Client, Spent};

use super::server::{Script, Server};
use super::{ask, completions, key, request, run, settings, text, thought};

#[test]
fn a_recorded_conversation_is_played_without_an_endpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let mut second = request();
    second.messages.push(Message {
        role: Role::Assistant,
        text: "one two".into(),
    });
    let (recorded, base) = run(async {
        let server = Server::start(vec![
            Script::of(500, "text/plain", ""),
            Script::events(&completions(&["hm"], &["one ", "two \u{1f375}"])),
            Script::of(401, "text/plain", "no"),
        ])
        .await;
        let settings = settings("openai", &server.base, &[]);
        let client = Client::seeded(settings, Some(key()), 1)
            .unwrap()
            .recording(Tape::record(&path).unwrap().0);
        let calls = (ask(&client, &request()).await, ask(&client, &second).await);
        (calls, server.base)
    });
    let file = std::fs::read_to_string(&path).unwrap();
    assert!(
        !file.contains("127.0.0.1:") || file.matches("127.0.0.1:").count() == 1,
        "{file}"
    );
    let replay = || {
        run(async {
            let tape = Tape::play(&path).unwrap().0;
            let client = Client::replaying(settings("openai", &base, &[]), tape);
            let calls = (ask(&client, &request()).await, ask(&client, &second).await);
            let mut third = second.clone();
            third.messages.remove(0);
            let missing = ask(&client, &third).await.1.unwrap_err();
            assert_eq!(missing.kind, FailureKind::NotRecorded);
            calls
        })
    };
    let (first, again) = (replay(), replay());
    assert_eq!(first, again);
    // The same reply in the same pieces; what the network cost is not part of it.
    let ((pieces, outcome), failed) = first;
    assert_eq!(pieces, [thought("hm"), text("one "), text("two \u{1f375}")]);
    let (reply, spent) = outcome.unwrap();
    let live = recorded.0.1.unwrap();
    assert_eq!(reply, live.0);
    assert_eq!(
        spent,
        Spent {
            usage: live.1.usage,
            cost: live.1.cost,
            ..Spent::default()
        }
    );
    assert!(matches!(recorded.0.0.first(), Some(Piece::Again { .. })));
    assert_eq!(failed.1.unwrap_err(), recorded.1.1.unwrap_err());
    // Playing writes nothing.
    assert_eq!(std::fs::read_to_string(&path).unwrap(), file);
}

#[test]
fn a_resumed_recording_asks_only_what_it_does_not_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    run(async {
        let server = Server::start(vec![Script::events(&completions(&[], &["ok"]))]).await;
        let record = || {
            let tape = Tape::record(&path).unwrap().0;
            Client::seeded(settings("openai", &server.base, &[]), Some(key()), 1)
                .unwrap()
                .recording(tape)
        };
        let client = record();
        let live = ask(&client, &request()).await.1.unwrap();
        drop(client);
        let client = record();
        let played = ask(&client, &request()).await.1.unwrap();
        assert_eq!((server.got().len(), played.1.attempts), (1, 0));
        assert_eq!(played.0, live.0);
        assert_eq!(ask(&client, &request()).await.1.unwrap().1.attempts, 1);
        assert_eq!(server.got().len(), 2);
    });
    assert_eq!(Tape::play(&path).unwrap().0.calls(), (2, 2));
}

#[test]
fn two_models_share_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let critic = Request {
        seat: Seat::Critic,
        ..request()
    };
    run(async {
        let server = Server::start(vec![
            Script::events(&completions(&[], &["act"])),
            Script::events(&completions(&[], &["judge"])),
        ])
        .await;
        let tape = Arc::new(Tape::record(&path).unwrap().0);
        let of = |model| {
            let settings = settings("openai", &server.base, &[("model", model)]);
            Client::seeded(settings, Some(key()), 1)
                .unwrap()
                .recording(Arc::clone(&tape))
        };
        let (one, other) = (of("gpt-4o"), of("gpt-4.1"));
        assert_eq!(ask(&one, &request()).await.1.unwrap().0.text, "act");
        assert_eq!(ask(&other, &critic).await.1.unwrap().0.text, "judge");
        let tape = Arc::new(Tape::play(&path).unwrap().0);
        let of = |model| {
            let settings = settings("openai", &server.base, &[("model", model)]);
            Client::replaying(settings, Arc::clone(&tape))
        };
        assert_eq!(
            ask(&of("gpt-4.1"), &critic).await.1.unwrap().0.text,
            "judge"
        );
        assert_eq!(
            ask(&of("gpt-4o"), &request()).await.1.unwrap().0.text,
            "act"
        );
        let missing = ask(&of("gpt-4o"), &critic).await.1.unwrap_err();
        assert_eq!(
            missing.message,
            "the recording holds no such call; the nearest is its call 2: its model is gpt-4.1, not gpt-4o; record again"
        );
    });
}
