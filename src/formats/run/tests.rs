//! Tests of headers, events and notes as text.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::base::fold::Key;
use crate::plan::ledger::Score;
use crate::task::episode::{Body, Event, Move, Remark, Said};

fn hash(n: u32) -> StateHash {
    let mut hash = StateHash::default();
    hash.toggle(Key::of(&n.to_string()));
    hash
}

/// One event of every kind.
fn events() -> Vec<Event> {
    let bodies = vec![
        (None, Body::Start { goals: vec![1] }),
        (
            Some(0),
            Body::Step {
                action: "[OPEN] <fridge> (7)".to_owned(),
                diff: vec!["+fridge.7:OPEN".to_owned(), "-fridge.7:CLOSED".to_owned()],
                goals: vec![0, 1],
            },
        ),
        (
            Some(1),
            Body::Refused {
                action: "grab \"knife\"\u{1b}[2J".to_owned(),
                refusal: "UNSEEN_OBJECT".to_owned(),
                message: "no node is called knife".to_owned(),
            },
        ),
        (
            Some(1),
            Body::Goto {
                to: 0,
                how: Move::Undo,
            },
        ),
        (Some(0), Body::Branch),
        (
            Some(0),
            Body::Step {
                action: "[LOOKAT] <fridge> (7)".to_owned(),
                diff: Vec::new(),
                goals: Vec::new(),
            },
        ),
        (
            Some(5),
            Body::Remark(
                Said::by(
                    Remark::Message,
                    "agent",
                    "so far\nso good, \u{202e}crc\":\"00000000\"}",
                )
                .with("{\"thought\":\"none\"}".to_owned()),
            ),
        ),
        (
            Some(5),
            Body::Done {
                score: Score {
                    success: 1,
                    success_of: 2,
                    safety: 3,
                    safety_of: 3,
                },
            },
        ),
        (
            Some(5),
            Body::Avoid {
                reason: "it would burn".to_owned(),
            },
        ),
    ];
    let branch = |seq: u32| if seq < 4 { "main" } else { "main-1" }.into();
    (0..)
        .zip(bodies)
        .map(|(seq, (parent, body))| Event {
            seq,
            parent,
            branch: branch(seq),
            body,
            hash: hash(seq),
        })
        .collect()
}

fn text(events: &[Event]) -> String {
    events.iter().map(event_line).collect()
}

/// A line with the right checksum whatever it says.
fn sealed(body: &str) -> String {
    let body = body.strip_suffix('}').unwrap_or(body);
    let crc = crc32fast::hash(body.as_bytes());
    format!("{body},\"crc\":\"{crc:08x}\"}}\n")
}

fn sentences<T>(lines: &Lines<T>) -> Vec<String> {
    lines.findings.iter().map(ToString::to_string).collect()
}

/// The written form is what other tools read, so it is spelt out.
#[test]
fn an_event_is_one_line() {
    let all = events();
    assert_eq!(
        event_line(&all[1]),
        sealed(&format!(
            r#"{{"v":1,"seq":1,"kind":"step","parent":0,"branch":"main","action":"[OPEN] <fridge> (7)","diff":["+fridge.7:OPEN","-fridge.7:CLOSED"],"goals":[0,1],"hash":"{}"}}"#,
            hash(1)
        ))
    );
    assert_eq!(
        event_line(&all[3]),
        sealed(&format!(
            r#"{{"v":1,"seq":3,"kind":"goto","parent":1,"branch":"main","to":0,"how":"undo","hash":"{}"}}"#,
            hash(3)
        ))
    );
}

#[test]
fn every_kind_of_event_round_trips() {
    let (all, text) = (events(), text(&events()));
    let read = read_events(text.as_bytes());
    assert_eq!(sentences(&read), Vec::<String>::new());
    assert_eq!(read.items, all);
    assert_eq!((read.good, read.open_end), (text.len(), false));
}

#[test]
fn fields_of_later_versions_are_passed_over() {
    let line = format!(
        r#"{{"v":1,"seq":0,"kind":"start","parent":null,"branch":"main","goals":[1],"mood":{{"a":[1]}},"hash":"{}"}}"#,
        hash(0)
    );
    let read = read_events(sealed(&line).as_bytes());
    assert_eq!(read.items.first(), events().first());
}

/// A file cut at any byte yields every whole event, and says what was cut.
#[test]
fn a_tear_at_any_byte_keeps_the_whole_lines() {
    let (all, text) = (events(), text(&events()));
    let mut ends = vec![0];
    for event in &all {
        ends.push(ends.last().unwrap() + event_line(event).len());
    }
    for cut in 0..=text.len() {
        let read = read_events(&text.as_bytes()[..cut]);
        let whole = ends.iter().filter(|&&e| e > 0 && cut + 1 >= e).count();
        assert_eq!(read.items, all[..whole], "cut at {cut}");
        let at_end = ends.contains(&cut) || ends.contains(&(cut + 1));
        assert_eq!(read.open_end, whole > 0 && cut + 1 == ends[whole]);
        assert_eq!(read.torn, !at_end, "cut at {cut}");
        if at_end {
            assert_eq!(sentences(&read), Vec::<String>::new());
        } else {
            let used = match whole {
                0 => "no event can be used".to_owned(),
                1 => "only the first event is used".to_owned(),
                n => format!("the first {n} events are used"),
            };
            let line = whole + 1;
            assert_eq!(
                sentences(&read),
                [format!("events.jsonl line {line}: cut off; {used}")]
            );
        }
    }
}

/// Any single altered byte ends the usable part no later than its own line.
#[test]
fn an_altered_byte_is_noticed() {
    let (all, text) = (events(), text(&events()));
    for at in 0..text.len() {
        for bit in 0..8 {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            let read = read_events(&bytes);
            let line = text.bytes().take(at).filter(|&b| b == b'\n').count();
            assert_eq!(read.items, all[..line], "bit {bit} of byte {at}");
            assert_eq!(read.findings.len(), 1);
        }
    }
}

/// What a loss of power leaves, lines without a right checksum and nothing whole after them, may be cut; damage before
/// something whole, or a line whose checksum is right, may not.
#[test]
fn a_broken_end_may_be_cut_and_nothing_else() {
    let all: Vec<String> = events().iter().map(event_line).collect();
    let n = all.len();
    let broken = |from: usize, to: usize| {
        let line = |(at, line): (usize, &String)| {
            if (from..to).contains(&at) {
                line.replacen("\"seq\"", "\0\0\0\0\0", 1)
            } else {
                line.clone()
            }
        };
        let text: String = all.iter().enumerate().map(line).collect();
        read_events(text.as_bytes())
    };
    for from in 0..n {
        assert!(broken(from, n).torn, "{from}");
        assert_eq!(broken(from, n).items.len(), from);
        assert!(!broken(from, n - 1).torn || from == n - 1, "{from}");
    }
    let later = all.concat() + &sealed(r#"{"v":2,"seq":99,"kind":"step""#);
    assert!(!read_events(later.as_bytes()).torn);
}

#[test]
fn misplaced_events_are_named() {
    let h = hash(0);
    let start = format!(
        r#"{{"v":1,"seq":0,"kind":"start","parent":null,"branch":"main","goals":[],"hash":"{h}"}}"#
    );
    let cases = [
        (
            r#"{"v":1,"seq":2,"kind":"done""#,
            "seq: is 2 where 1 is due",
        ),
        (
            r#"{"v":1,"seq":-1,"kind":"done""#,
            "seq: is -1; it should be a whole number from 0",
        ),
        (
            r#"{"v":1,"seq":1,"kind":"dance""#,
            r#"kind: "dance" is no kind of event"#,
        ),
        (
            r#"{"v":2,"seq":1,"kind":"done""#,
            "v: version 2 is unknown; this program reads version 1",
        ),
        (
            r#"{"v":1,"seq":1,"seq":1,"kind":"done""#,
            r#"the line is not JSON: the field "seq" stands twice"#,
        ),
        (
            r#"{"v":1,"seq":1,"kind":"start""#,
            "kind: a start that is not the first event",
        ),
    ];
    for (body, said) in cases {
        let rest = format!(
            r#","parent":0,"branch":"main","goals":[],"success":[0,0],"safety":[0,0],"hash":"{h}"}}"#
        );
        let text = sealed(&start) + &sealed(&format!("{body}{rest}"));
        let read = read_events(text.as_bytes());
        assert_eq!(read.items.len(), 1, "{said}");
        let found = sentences(&read).join("");
        assert!(
            found.starts_with(&format!("events.jsonl line 2: {said}"))
                && found.ends_with("; only the first event is used"),
            "{found}"
        );
    }
    for (field, said) in [
        (r#""parent":7,"to":0"#, "parent: event 7 made no position"),
        (r#""parent":null,"to":0"#, "parent: only the start has none"),
        (r#""parent":0,"to":1"#, "to: event 1 made no position"),
        (
            r#""parent":0"#,
            "to: is missing; it should be a whole number from 0",
        ),
    ] {
        let body = format!(
            r#"{{"v":1,"seq":1,"kind":"goto",{field},"how":"goto","branch":"main","hash":"{h}"}}"#
        );
        let read = read_events((sealed(&start) + &sealed(&body)).as_bytes());
        let found = sentences(&read).join("");
        assert!(found.contains(said), "{found}");
    }
    let read = read_events(sealed(&start.replace("start", "branch")).as_bytes());
    assert_eq!(
        sentences(&read),
        ["events.jsonl line 1: kind: the first event must be a start; no event can be used"]
    );
}

#[test]
fn a_line_that_is_too_long_is_one_sentence() {
    let long = sealed(&format!(r#"{{"v":1,"x":"{}"}}"#, "y".repeat(MAX_LINE)));
    let read = read_events(long.as_bytes());
    let found = sentences(&read).join("");
    assert!(
        found.contains("are too long for a line; the limit is 16777216"),
        "{found}"
    );
}

fn label() -> Label {
    Label {
        by: "Kim".to_owned(),
        class: Some(Class::UnsafeAct),
        proposed: Some(Class::MissingStep),
        about: vec!["F05".to_owned(), "fire".to_owned()],
        first: Some(8),
        cause: Some(6),
        tags: vec!["look closer".to_owned()],
        text: "it named the fork, \"then\" forgot it,\nand went on".to_owned(),
    }
}

fn notes() -> Vec<Note> {
    vec![
        Note {
            seq: 0,
            created: "2026-11-30T09:00:00Z".to_owned(),
            body: NoteBody::Verdict(Verdict {
                verdict: Judgement::Fix,
                reason: "the cabinet stays open".to_owned(),
                goals: vec![GoalFault {
                    goal: "safety[1]".to_owned(),
                    text: "!stove:ON".to_owned(),
                    fault: Fault::Wrong,
                }],
                witness: Some(Witness {
                    branch: "main-1".to_owned(),
                    at: 12,
                }),
            }),
            extra: vec![("patch".to_owned(), r#"{"drop": ["safety[1]"]}"#.to_owned())],
        },
        Note {
            seq: 1,
            created: String::new(),
            body: NoteBody::Comment {
                at: Some(3),
                text: "odd".to_owned(),
            },
            extra: Vec::new(),
        },
        Note {
            seq: 2,
            created: String::new(),
            body: NoteBody::Other("omen".to_owned()),
            extra: vec![("class".to_owned(), "\"unsafe act\"".to_owned())],
        },
        Note {
            seq: 3,
            created: String::new(),
            body: NoteBody::Label(label()),
            extra: vec![("sure".to_owned(), "0.5".to_owned())],
        },
    ]
}

#[test]
fn notes_round_trip_with_unknown_kinds_and_fields() {
    let all = notes();
    let text: String = all.iter().map(note_line).collect();
    let read = read_notes(text.as_bytes());
    assert_eq!(sentences(&read), Vec::<String>::new());
    assert_eq!(read.items, all);
}

#[test]
fn a_damaged_note_is_skipped_and_named() {
    let all = notes();
    let mut text: String = all.iter().map(note_line).collect();
    text = text.replace("\"odd\"", "\"old\"");
    let read = read_notes(text.as_bytes());
    assert_eq!(read.items, [all[0].clone(), all[2].clone(), all[3].clone()]);
    let found = sentences(&read).join("");
    assert!(
        found.starts_with("notes.jsonl line 2: crc: the checksum is ")
            && found.ends_with("; the line is skipped"),
        "{found}"
    );
    let wrong = sealed(r#"{"v":1,"seq":0,"kind":"verdict","verdict":"maybe"}"#);
    assert_eq!(
        sentences(&read_notes(wrong.as_bytes())),
        [
            r#"notes.jsonl line 1: verdict: is "maybe"; it should be one of accept, fix, reject; the line is skipped"#
        ]
    );
}

fn a_header() -> Header {
    Header {
        id: "V022-human-20261130T090000Z-31aa07".to_owned(),
        created: "2026-11-30T09:00:00Z".to_owned(),
        engine: "0.1.0".to_owned(),
        dialect: "virtualhome".to_owned(),
        profile: "eai".to_owned(),
        agent: "human".to_owned(),
        task: "{\"vesta_task\": 1,\n \"id\": \"V022\", \"mood\": [1e999]}".to_owned(),
        scene: SceneRef {
            file: "flat.json".to_owned(),
            sha256: "00ff".to_owned(),
        },
        start_hash: hash(0),
        forked_from: Some(ForkedFrom {
            run: "other".to_owned(),
            at: 4,
        }),
        player: Some("{\"agent\": \"random\"}".to_owned()),
        extra: vec![("weather".to_owned(), "{ \"rain\": true }".to_owned())],
    }
}

#[test]
fn headers_round_trip_with_unknown_fields() {
    let header = a_header();
    assert_eq!(
        read_header(write_header(&header).as_bytes()).unwrap(),
        header
    );
    assert_eq!(header.task_id().as_deref(), Some("V022"));
    let plain = Header {
        forked_from: None,
        player: None,
        extra: Vec::new(),
        ..header
    };
    assert_eq!(read_header(write_header(&plain).as_bytes()).unwrap(), plain);
}

#[test]
fn a_wrong_header_is_one_sentence() {
    let good = write_header(&a_header());
    for (from, to, said) in [
        (
            "\"vesta_run\": 1",
            "\"vesta_run\": 9",
            "run.json: vesta_run: version 9 is unknown; this program reads version 1, use a newer one",
        ),
        (
            "\"profile\": \"eai\"",
            "\"profile\": 3",
            "run.json: profile: is 3; it should be a text",
        ),
        (
            "\"file\": \"flat.json\", ",
            "",
            "run.json: scene.file: is missing; it should be a text",
        ),
    ] {
        let bad = good.replace(from, to);
        assert_ne!(bad, good, "{said}");
        let found = read_header(bad.as_bytes()).unwrap_err().to_string();
        assert_eq!(found, said);
    }
    assert!(read_header(b"").is_err());
    assert!(read_header(&[0xff, 0xfe]).is_err());
}

/// Values a field may wrongly have.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<i64>().prop_map(|n| n.to_string()),
        Just("1e999".to_owned()),
        ".*".prop_map(|t| crate::formats::json::string(&t)),
        Just("\"\\ud800\"".to_owned()),
        "[0-9a-f]{32}".prop_map(|t| format!("\"{t}\"")),
        Just("\"goto\"".to_owned()),
        Just("\"verdict\"".to_owned()),
        Just("[[[[[]]]]]".to_owned()),
        Just("{\"goal\":1,\"goal\":2}".to_owned()),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop::collection::vec(inner, 0..3).prop_map(|list| format!("[{}]", list.join(",")))
    })
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = (read_events(&bytes), read_notes(&bytes), read_header(&bytes));
    }

    /// Lines with a right checksum but any content: never a panic, and never an event out of place.
    #[test]
    fn arbitrary_fields_never_panic(
        lines in prop::collection::vec(
            prop::collection::vec(
                ("v|seq|kind|parent|branch|hash|to|how|action|verdict|goals|witness|at|x", value()),
                0..9,
            ),
            0..6,
        ),
    ) {
        let mut text = String::new();
        for (seq, fields) in lines.iter().enumerate() {
            let mut body = format!("{{\"v\":1,\"seq\":{seq},\"kind\":\"start\",\"parent\":null");
            for (name, value) in fields {
                let _ = write!(body, ",\"{name}\":{value}");
            }
            text += &sealed(&(body + "}"));
        }
        let read = read_events(text.as_bytes());
        for (i, event) in read.items.iter().enumerate() {
            prop_assert_eq!(event.seq as usize, i);
        }
        let _ = read_notes(text.as_bytes());
        let _ = read_header(text.lines().next().unwrap_or_default().as_bytes());
    }
}

#[test]
fn labels_round_trip_as_a_table() {
    let all = vec![
        Labelled {
            run: "V022-x".to_owned(),
            task: "V022".to_owned(),
            created: "2026-11-30T09:00:00Z".to_owned(),
            label: label(),
        },
        Labelled {
            run: "=HYPERLINK(1)".to_owned(),
            ..Labelled::default()
        },
    ];
    let text = write_labels(&all);
    assert_eq!(
        read_labels("labels.csv", text.as_bytes()),
        Ok((all, Vec::new()))
    );
    // A spreadsheet's byte order mark, other order, other columns.
    let other = "\u{feff}class,run,mood\r\nunsafe_act,a,good\r\nbad,b,\r\nother,,\r\nother,c\r\n";
    let (read, findings) = read_labels("labels.csv", other.as_bytes()).unwrap();
    let runs: Vec<&str> = read.iter().map(|l| l.run.as_str()).collect();
    assert_eq!(runs, ["a", "c"]);
    let said: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "labels.csv line 1: mood: is no column of labels; it is left out",
            "labels.csv line 3: class: is \"bad\"; it should be one of missing_step, wrong_order, affordance, already_so, \
             unseen_object, unparsable, unsafe_act, refused_doable, obeyed_unsafe, other, nothing_wrong",
            "labels.csv line 4: run: is empty; it should be the id of a run",
        ]
    );
    let missing = read_labels("labels.csv", b"run;class\na;b\n").unwrap_err();
    assert!(
        missing.to_string().contains("there is no column \"run\""),
        "{missing}"
    );
}

#[test]
fn every_class_has_a_digit_of_its_own() {
    for class in Class::ALL {
        assert_eq!(Class::of_digit(class.digit()), Some(class));
        assert_eq!(parse_class(class.id()), Ok(Some(class)));
    }
}
