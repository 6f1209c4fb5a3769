//! Recordings: what is written is played, and what is missing is told.

use super::*;
use crate::agent::chat::{Finish, Role, Usage};
use crate::llm::kind::{OLLAMA, OPENAI};

fn message(role: Role, text: &str) -> Message {
    Message {
        role,
        text: text.to_owned(),
    }
}

fn asked(texts: &[&str]) -> Asked {
    let settings = Settings::new(&OPENAI, "m").unwrap();
    let request = Request {
        seat: Seat::Actor,
        messages: texts.iter().map(|text| message(Role::User, text)).collect(),
        schema: None,
        max_tokens: Some(100),
        turn: None,
    };
    Asked::new(&settings, &request)
}

fn reply(thought: &str, text: &str) -> (Vec<Piece>, Result<Reply, Failure>) {
    let mut pieces = vec![Piece::Thought(thought.to_owned())];
    pieces.extend(
        text.split_inclusive(' ')
            .map(|word| Piece::Text(word.to_owned())),
    );
    let reply = Reply {
        text: text.to_owned(),
        thought: thought.to_owned(),
        finish: Finish::Other("tool_calls".into()),
        usage: Some(Usage {
            input: 3,
            output: 2,
            cached: 1,
        }),
    };
    (pieces, Ok(reply))
}

fn add(tape: &Tape, asked: &Asked, (pieces, outcome): (Vec<Piece>, Result<Reply, Failure>)) {
    tape.add(asked, pieces, outcome.as_ref()).unwrap();
}

fn taken((pieces, outcome): (Vec<Piece>, Result<Reply, Failure>)) -> Taken {
    Taken { pieces, outcome }
}

#[test]
fn what_is_recorded_is_played_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let failed = || {
        let failure = Failure {
            kind: FailureKind::RateLimited,
            message: "host: too many; \u{1f375}".into(),
        };
        (vec![Piece::Text("half".into())], Err(failure))
    };
    let (tape, findings) = Tape::record(&path).unwrap();
    assert_eq!(findings, []);
    add(&tape, &asked(&["a", "b"]), reply("hm", "one two"));
    add(&tape, &asked(&["a", "b", "c"]), failed());
    add(&tape, &asked(&["a", "b"]), reply("", "three"));
    drop(tape);
    // Each message is there once.
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 1 + 2 + 1 + 1 + 1 + 1);
    let (tape, findings) = Tape::play(&path).unwrap();
    assert_eq!((findings, tape.calls()), (vec![], (3, 3)));
    assert_eq!(
        tape.take(&asked(&["a", "b"])).unwrap(),
        taken(reply("hm", "one two"))
    );
    assert_eq!(
        tape.take(&asked(&["a", "b", "c"])).unwrap(),
        taken(failed())
    );
    assert_eq!(
        tape.take(&asked(&["a", "b"])).unwrap(),
        taken(reply("", "three"))
    );
    assert_eq!(tape.calls(), (3, 0));
    assert_eq!(
        tape.take(&asked(&["a", "b"])).unwrap_err().message,
        "the recording holds this call 2 times and all were played; record again"
    );
}

#[test]
fn a_resumed_recording_plays_what_was_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let (tape, _) = Tape::record(&path).unwrap();
    add(&tape, &asked(&["a"]), reply("", "first"));
    add(&tape, &asked(&["a"]), reply("", "second"));
    drop(tape);
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, whole.clone() + "{\"call\":\"12").unwrap();
    let (tape, findings) = Tape::record(&path).unwrap();
    let told: Vec<String> = findings.iter().map(ToString::to_string).collect();
    let shown = path.display();
    assert_eq!(
        told,
        [format!(
            "{shown} line 5: the last line is not whole and was left out"
        )]
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
    // Two at once would write into each other's lines.
    assert_eq!(
        Tape::record(&path).unwrap_err().to_string(),
        format!("{shown}: somebody else records into this file; name another file, or wait")
    );
    tape.skip_asked(&asked(&["a"]));
    assert_eq!(
        tape.take(&asked(&["a"])).unwrap(),
        taken(reply("", "second"))
    );
    assert!(tape.take(&asked(&["a"])).is_err());
    add(&tape, &asked(&["a"]), reply("", "third"));
    drop(tape);
    let (tape, _) = Tape::play(&path).unwrap();
    tape.skip_asked(&asked(&["a"]));
    tape.skip_asked(&asked(&["a"]));
    assert_eq!(
        tape.take(&asked(&["a"])).unwrap(),
        taken(reply("", "third"))
    );
}

#[test]
fn a_failure_left_over_is_no_reply() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let failure = Failure {
        kind: FailureKind::Unauthorized,
        message: "no".into(),
    };
    let record = || Tape::record(&path).unwrap().0;
    let tape = record();
    add(&tape, &asked(&["a"]), reply("", "kept"));
    add(&tape, &asked(&["b"]), (vec![], Err(failure)));
    // The run ended there; it is resumed after the step of the first call.
    drop(tape);
    let tape = record();
    tape.skip_asked(&asked(&["a"]));
    assert_eq!(
        tape.take(&asked(&["b"])).unwrap_err().kind,
        FailureKind::NotRecorded
    );
    add(&tape, &asked(&["b"]), reply("", "mended"));
    add(&tape, &asked(&["c"]), reply("", "more"));
    // Played, the failure is not there; nor is it counted by a second resumption.
    drop(tape);
    let tape = Tape::play(&path).unwrap().0;
    assert_eq!(tape.calls(), (3, 3));
    assert_eq!(
        tape.take(&asked(&["b"])).unwrap(),
        taken(reply("", "mended"))
    );
    drop(tape);
    let tape = record();
    tape.skip_asked(&asked(&["a"]));
    tape.skip_asked(&asked(&["b"]));
    assert_eq!(tape.take(&asked(&["c"])).unwrap(), taken(reply("", "more")));
}

#[test]
fn what_is_no_recording_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letter.txt");
    for text in ["one line without its end", "a line\nand more\n"] {
        std::fs::write(&path, text).unwrap();
        assert!(Tape::record(&path).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    // The first line may be torn as every other.
    std::fs::write(&path, "{\"vesta_re").unwrap();
    drop(Tape::record(&path).unwrap());
    assert_eq!(Tape::play(&path).unwrap().0.calls(), (0, 0));
}

#[test]
fn a_failure_is_played_where_nothing_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let failed = || {
        let failure = Failure {
            kind: FailureKind::Server,
            message: "no".into(),
        };
        (vec![], Err(failure))
    };
    add(&Tape::record(&path).unwrap().0, &asked(&["a"]), failed());
    let tape = Tape::play(&path).unwrap().0;
    assert_eq!(tape.take(&asked(&["a"])).unwrap(), taken(failed()));
}

#[test]
fn the_nearest_call_tells_what_differs() {
    let tape = Tape(Mutex::new(Inner::default()));
    assert_eq!(
        tape.take(&asked(&["a"])).unwrap_err().message,
        "the recording holds no call; record again"
    );
    add(
        &tape,
        &asked(&["orders", "you see a cup", "next"]),
        reply("", "x"),
    );
    add(
        &tape,
        &asked(&["other orders", "you see a cat"]),
        reply("", "x"),
    );
    let ollama = Settings::new(&OLLAMA, "m").unwrap();
    let request = Request {
        seat: Seat::Critic,
        messages: vec![message(Role::User, "orders")],
        schema: None,
        max_tokens: None,
        turn: None,
    };
    let cases = [
        (
            asked(&["orders", "you see a cat", "next"]),
            "1: its message 2 (user) goes on from character 12 with \"up\", not \"at\"",
        ),
        (
            asked(&["orders", "you see a cup"]),
            "1: it has 3 messages, not 2",
        ),
        (
            Asked {
                model: "n".into(),
                ..asked(&["other orders", "you see a cat"])
            },
            "2: its model is m, not n",
        ),
        (
            Asked {
                temperature: None,
                ..asked(&["other orders", "you see a cat"])
            },
            "2: its temperature is 0, not none",
        ),
        (
            Asked::new(&ollama, &request),
            "1: its seat is actor, not critic",
        ),
        (
            Asked {
                messages: vec![message(Role::System, "orders")],
                ..asked(&[])
            },
            "1: its message 1 is of the user, not of the system",
        ),
    ];
    for (asked, said) in cases {
        let failure = tape.take(&asked).unwrap_err();
        assert_eq!(
            (failure.kind, failure.message),
            (
                FailureKind::NotRecorded,
                format!(
                    "the recording holds no such call; the nearest is its call {said}; record again"
                )
            )
        );
    }
}

#[test]
fn faults_name_line_and_field() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let (tape, _) = Tape::record(&path).unwrap();
    add(&tape, &asked(&["a"]), reply("", "x"));
    drop(tape);
    let text = std::fs::read_to_string(&path).unwrap();
    let shown = path.display();
    for (from, to, said) in [
        (
            "{\"vesta_recording\":2}",
            "{\"vesta_recording\":3}",
            "line 1: vesta_recording: version 3 is not known; record again; this program reads versions 1 to 2",
        ),
        (
            "{\"vesta_recording\":2}",
            "{}",
            "line 1: vesta_recording: this is no recording of calls",
        ),
        (
            "\"text\":\"a\"",
            "\"text\":\"b\"",
            "line 2: message: the text does not fit its name; the file was changed; record again",
        ),
        (
            "\"role\":\"user\"",
            "\"role\":\"cook\"",
            "line 2: role: \"cook\" is no role",
        ),
        (
            "\"model\":\"m\"",
            "\"model\":\"n\"",
            "line 3: call: the call does not fit its hash; the file was changed; record again",
        ),
        (
            "\"finish\":\"tool_calls\",",
            "",
            "line 3: finish: the call has neither an end nor a failure",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        assert_eq!(
            Tape::play(&path).unwrap_err().to_string(),
            format!("{shown} {said}")
        );
    }
}

fn of(task: &str, n: u32, texts: &[&str]) -> Asked {
    Asked {
        turn: Some(Turn {
            task: task.to_owned(),
            n,
        }),
        ..asked(texts)
    }
}

#[test]
fn runs_that_ask_the_same_do_not_swap_replies() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let tape = Tape::record(&path).unwrap().0;
    for (task, n, said) in [("V001", 0, "one"), ("V002", 0, "two"), ("V001", 1, "again")] {
        add(&tape, &of(task, n, &["a"]), reply("", said));
    }
    drop(tape);
    let tape = Tape::play(&path).unwrap().0;
    let said = |task, n| {
        tape.take(&of(task, n, &["a"]))
            .map(|taken| taken.outcome.unwrap().text)
    };
    assert_eq!(said("V002", 0), Ok("two".to_owned()));
    assert_eq!(said("V001", 1), Ok("again".to_owned()));
    let missing = said("V003", 0).unwrap_err();
    assert_eq!(missing.kind, FailureKind::NotRecorded);
    assert_eq!(
        missing.message,
        "the recording holds this call for other turns, but not for turn 1 of V003; record again"
    );
    assert_eq!(said("V001", 0), Ok("one".to_owned()));
}

#[test]
fn recordings_without_turns_are_played_by_their_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let tape = Tape::record(&path).unwrap().0;
    add(&tape, &asked(&["a"]), reply("", "one"));
    add(&tape, &asked(&["a"]), reply("", "two"));
    drop(tape);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains("turn"), "{text}");
    let old = text.replace("{\"vesta_recording\":2}", "{\"vesta_recording\":1}");
    std::fs::write(&path, old).unwrap();
    let tape = Tape::play(&path).unwrap().0;
    let said = |task, n| {
        tape.take(&of(task, n, &["a"]))
            .map(|taken| taken.outcome.unwrap().text)
    };
    assert_eq!(said("V002", 7), Ok("one".to_owned()));
    assert_eq!(said("V001", 0), Ok("two".to_owned()));
    assert!(said("V001", 0).is_err());
}
