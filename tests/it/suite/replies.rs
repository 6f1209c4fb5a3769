//! The table of model replies: each gives the stated deeds, or the stated kind of problem.
//!
//! A line of `fixtures/replies.jsonl` is a reply to an agent that plays `task` in a world at its start; `expect` is
//! `one` or `plan`; `deeds` are program lines, `[Avoid]` with its reason, or `Done`.

use std::sync::OnceLock;

use proptest::prelude::{ProptestConfig, prop, proptest};
use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use vesta::agent::reply::{Deed, Expect, NoteKind, ProblemKind, Read, read};
use vesta::sim::world::World;

use crate::support::games::shipped;

#[derive(Deserialize)]
struct Row {
    task: String,
    expect: String,
    reply: String,
    deeds: Vec<String>,
    problem: Option<String>,
}

fn world(task: &str) -> World {
    static WORLDS: OnceLock<[World; 2]> = OnceLock::new();
    let of = |task| shipped(task).episode.timeline().world().clone();
    let [vh, b50] = WORLDS.get_or_init(|| [of("V022"), of("B35")]);
    if task == "V022" {
        vh.clone()
    } else {
        b50.clone()
    }
}

/// Deeds and problem as the table writes them.
fn told(read: &Read) -> (Vec<String>, Option<String>) {
    let deed = |deed: &Deed| match deed {
        Deed::Act { line, .. } => line.clone(),
        Deed::Avoid { reason } => format!("[Avoid] {reason}").trim_end().to_owned(),
        Deed::Done => "Done".to_owned(),
    };
    let deeds = read.deeds.iter().map(deed).collect();
    (deeds, read.problem.as_ref().map(|p| p.kind.id().to_owned()))
}

#[test]
fn every_reply_of_the_table_is_read_as_it_says() {
    let rows: Vec<Row> = include_str!("../fixtures/replies.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(rows.len() >= 200, "{} rows", rows.len());
    let kinds = ProblemKind::ALL
        .iter()
        .filter(|k| !rows.iter().any(|r| r.problem.as_deref() == Some(k.id())));
    assert_eq!(kinds.count(), 0, "a kind of problem that no row has");
    let (vh, b50) = (world("V022"), world("B35"));
    let mut wrong = Vec::new();
    for (i, row) in rows.into_iter().enumerate() {
        let world = if row.task == "V022" { &vh } else { &b50 };
        let expect = if row.expect == "one" {
            Expect::One
        } else {
            Expect::Plan
        };
        let read = read(&row.reply, world, expect);
        for note in &read.notes {
            assert!(
                row.reply.get(note.at.clone()).is_some(),
                "line {}: {note:?}",
                i + 1
            );
        }
        if let Some(problem) = &read.problem {
            assert!(
                row.reply.get(problem.at.clone()).is_some(),
                "line {}: {problem:?}",
                i + 1
            );
        }
        let got = told(&read);
        if got != (row.deeds.clone(), row.problem.clone()) {
            wrong.push(format!(
                "line {}: {:?}\n  wanted {:?} {:?}\n  got {got:?}\n  {read:?}",
                i + 1,
                row.reply,
                row.deeds,
                row.problem
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_was_understood_is_told_with_its_place() {
    let world = world("V022");
    let text = "\u{feff}I go there.\n```json\n{'rationale': 'far', 'action': 'walk', 'object': 'Fridge'}\n```\nwell";
    let read = read(text, &world, Expect::One);
    let notes: Vec<(NoteKind, &str, &str)> = read
        .notes
        .iter()
        .map(|n| (n.kind, text.get(n.at.clone()).unwrap(), &*n.text))
        .collect();
    let value = "{'rationale': 'far', 'action': 'walk', 'object': 'Fridge'}";
    assert_eq!(
        notes,
        [
            (
                NoteKind::Repaired,
                "\u{feff}",
                "1 characters that cannot be seen were passed over"
            ),
            (NoteKind::Prose, "I go there.", "this asks for nothing"),
            (
                NoteKind::Repaired,
                value,
                "read although its quotes, commas or brackets are not quite those of JSON"
            ),
            (NoteKind::Resolved, value, "Fridge was taken for fridge.150"),
            (NoteKind::Prose, "well", "this asks for nothing"),
        ]
    );
    assert_eq!(read.thought.as_deref(), Some("far"));
}

#[test]
fn what_may_mean_two_things_is_asked() {
    let world = world("V022");
    let problem = |text| {
        let problem = read(text, &world, Expect::One).problem.unwrap();
        (problem.message, problem.candidates)
    };
    let some = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        problem("walk sink"),
        (
            "\"sink\" may be any of 2: sink.53, sink.76; name one of them".to_owned(),
            some(&["sink.53", "sink.76"])
        )
    );
    assert_eq!(
        problem("[WALK] <micrwave>"),
        (
            "nothing is called \"micrwave\"; did you mean microwave?".to_owned(),
            some(&["microwave"])
        )
    );
    assert_eq!(
        problem("[WALK] <fridge> (156)"),
        (
            "156 is microwave, no fridge; fridge is fridge.150".to_owned(),
            some(&["fridge.150"])
        )
    );
    assert_eq!(
        problem("[SWITCHN] <microwave> (156)"),
        (
            "no action is called \"SWITCHN\"; did you mean SWITCHON?".to_owned(),
            some(&["SWITCHON"])
        )
    );
    assert_eq!(
        problem("[PUTIN] <milk> (246)"),
        (
            "PUTIN takes two things, and named are: milk (246)".to_owned(),
            Vec::new()
        )
    );
}

#[test]
fn the_thought_is_set_apart() {
    let world = world("V022");
    let thought = |text| read(text, &world, Expect::One).thought;
    assert_eq!(
        thought("<think>a</think>b\n<think>c</think>walk fridge").as_deref(),
        Some("a\nc")
    );
    assert_eq!(
        thought("It is far.\nwalk fridge\nThat is all.").as_deref(),
        Some("It is far.")
    );
    assert_eq!(
        thought("Thought: one\ntwo\nAction: walk fridge").as_deref(),
        Some("one\ntwo")
    );
    assert_eq!(thought("walk fridge"), None);
}

#[test]
fn junk_takes_time_in_proportion() {
    let world = world("V022");
    let pieces = [
        "[",
        "{",
        "[{",
        "{\"a\":[",
        "(",
        "<think>",
        "</think>",
        "`",
        "```\n",
        "\"",
        "'",
        "walk fridge\n",
        "[WALK] <fridge> (150)\n",
        "{\"action\":\"WALK\",\"object\":\"fridge\"}\n",
        "[WALK ",
        "<",
        "walk the ",
        "Thought: a\n",
        "\u{0}",
        "a\n",
        "{\"a\": \"",
        "1. ",
    ];
    // Time of this thread alone: what else the machine does makes no difference.
    let time = |piece: &str, bytes: usize| {
        let text = piece.repeat(bytes / piece.len());
        let begun = clock_gettime(ClockId::ThreadCPUTime);
        let read = read(&text, &world, Expect::Plan);
        let ended = clock_gettime(ClockId::ThreadCPUTime);
        assert!(read.notes.len() <= 200);
        (ended.tv_sec - begun.tv_sec) * 1_000_000 + (ended.tv_nsec - begun.tv_nsec) / 1000
    };
    for piece in pieces {
        let (small, large) = (time(piece, 50_000), time(piece, 400_000));
        // Eight times as much text; a walk back for every byte would cost sixty-four times as much.
        let most = small.max(20_000) * 24;
        assert!(large < most, "{piece:?}: {small} µs and {large} µs");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn no_reply_makes_it_fall(parts in prop::collection::vec(prop::sample::select(PARTS), 0..24), noise in "\\PC{0,12}") {
        let world = world("V022");
        let text = format!("{}{noise}{}", parts.concat(), parts.iter().rev().copied().collect::<String>());
        for expect in [Expect::One, Expect::Plan] {
            let read = read(&text, &world, expect);
            assert!(!read.deeds.is_empty() || read.problem.is_some());
            for note in &read.notes {
                assert!(text.get(note.at.clone()).is_some(), "{note:?}");
            }
        }
    }

    #[test]
    fn no_bytes_make_it_fall(bytes in prop::collection::vec(prop::num::u8::ANY, 0..200)) {
        let world = world("B35");
        let text = String::from_utf8_lossy(&bytes);
        let read = read(&text, &world, Expect::Plan);
        assert!(!read.deeds.is_empty() || read.problem.is_some());
    }
}

/// What replies are made of.
const PARTS: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "\"",
    "'",
    "“",
    "”",
    ",",
    ":",
    "\n",
    " ",
    "```",
    "```json\n",
    "<think>",
    "</think>",
    "<answer>",
    "</answer>",
    "WALK",
    "[WALK] ",
    "fridge",
    "<fridge> (150)",
    "\"action\": ",
    "\"object\": ",
    "150",
    "Avoid",
    "[Avoid]",
    "Done",
    "Thought:",
    "Action: ",
    "Observation:",
    "\\",
    "\u{0}",
    "\u{feff}",
    "\u{1b}[31m",
    "ü",
    "→",
    "1. ",
    "- ",
    "//",
    "/*",
    "#",
    "<|im_end|>",
    "null",
    "walk(",
    "\\u00",
    "because",
    "\r\n",
    "**",
    "lamp",
    "@",
    ".",
];
